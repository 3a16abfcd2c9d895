//! Mixed load for a long time: every answer must be right, and memory must stay what it is.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::client::Client;
use crate::server::{Memory, Server};

/// Time between two looks at the memory.
const LOOK: Duration = Duration::from_secs(10);
/// Looks from one line about it to the next.
const TOLD: usize = 6;
/// Memory may vary by so much, in KiB.
const PLAY: u64 = 16 << 10;
/// Clients that ask at the same time.
const CLIENTS: usize = 16;

/// A kind of request, the status it must get, and how often in a hundred it is made.
const MIX: [(&str, u16, u32); 10] = [
    ("/api/v1/position?position=", 200, 60),
    ("/api/v1/play?moves=A,a,B,b,C,c,D,d&start=startpos&x=", 400, 3),
    ("/api/v1/play?moves=A,a,B,b,C,c,D,d", 200, 15),
    ("/api/v1/position?game=gore&time_ms=5", 200, 3),
    ("/api/v1/choose?level=3&moves=A,a&time_ms=5", 200, 3),
    ("/api/v1/choose?game=gore&level=9&time_ms=5", 200, 1),
    ("/api/v1/health", 200, 5),
    ("/api/v1/stats", 200, 2),
    ("/", 200, 6),
    ("/nothing", 404, 2),
];

/// Answers that came.
#[derive(Default)]
struct Counts {
    right: BTreeMap<&'static str, u64>,
    wrong: u64,
}

/// Asks for so long; `false` if an answer was wrong or memory grew.
pub(crate) async fn run(server: &Server, positions: &[String], time: Duration, rate: u32) -> anyhow::Result<bool> {
    let begun = Instant::now();
    let counts = Rc::new(RefCell::new(Counts::default()));
    let positions: Rc<[String]> = positions.into();
    let local = LocalSet::new();
    let pause = Duration::from_secs(1) * CLIENTS as u32 / rate.max(1);
    for number in 0..CLIENTS {
        let (counts, positions) = (Rc::clone(&counts), Rc::clone(&positions));
        local.spawn_local(ask(Client::new(server.address), number, positions, counts, pause, begun + time));
    }
    let memory = local.run_until(watch(server, &counts, begun, time)).await?;
    local.await;
    let counts = counts.borrow();
    counts.right.iter().for_each(|(kind, count)| println!("{count:>9} right answers to {kind}"));
    println!("{} wrong answers in {} s", counts.wrong, begun.elapsed().as_secs());
    Ok(is_flat(&memory) && counts.wrong == 0)
}

/// One client, who asks at every `pause` until the time `end`.
async fn ask(
    mut client: Client,
    first: usize,
    positions: Rc<[String]>,
    counts: Rc<RefCell<Counts>>,
    pause: Duration,
    end: Instant,
) {
    let mut turn = interval(pause.max(Duration::from_micros(1)));
    turn.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut number = first;
    while Instant::now() < end {
        turn.tick().await;
        let (kind, status) = kind(number);
        let url = match kind.ends_with("?position=") {
            true => format!("{kind}{}", positions[number % positions.len()]),
            false => kind.to_owned(),
        };
        let answer = client.get(&url).await;
        let mut counts = counts.borrow_mut();
        if matches!(answer, Ok((found, _)) if found == status) {
            *counts.right.entry(kind).or_default() += 1;
        } else {
            counts.wrong += 1;
            println!("{url}: {answer:?}, expected {status}");
        }
        number += CLIENTS;
    }
}

/// The memory at every look until the time is over.
async fn watch(
    server: &Server,
    counts: &RefCell<Counts>,
    begun: Instant,
    time: Duration,
) -> anyhow::Result<Vec<Memory>> {
    let mut memory = Vec::new();
    while begun.elapsed() + LOOK <= time {
        sleep(LOOK).await;
        let now = server.memory()?;
        memory.push(now);
        if memory.len().is_multiple_of(TOLD) {
            let requests: u64 = counts.borrow().right.values().sum();
            let seconds = begun.elapsed().as_secs();
            println!("{seconds:>6} s: {requests} answers, {} KiB own, {} KiB with files", now.own, now.resident);
        }
    }
    Ok(memory)
}

/// The kind of this request: kinds are spread evenly.
fn kind(number: usize) -> (&'static str, u16) {
    let mut place = number as u32 * 37 % 100;
    for (kind, status, share) in MIX {
        if place < share {
            return (kind, status);
        }
        place -= share;
    }
    (MIX[0].0, MIX[0].1)
}

/// Whether the last half of the time took no more own memory than the half before it.
pub(crate) fn is_flat(memory: &[Memory]) -> bool {
    // Caches fill in the beginning.
    let settled = &memory[memory.len() / 4..];
    let (before, after) = settled.split_at(settled.len() / 2);
    // A search takes some for a moment, which the median passes over.
    let median = |part: &[Memory]| {
        let mut own: Vec<u64> = part.iter().map(|memory| memory.own).collect();
        own.sort_unstable();
        own.get(own.len() / 2).copied().unwrap_or_default()
    };
    let (before, after) = (median(before), median(after));
    println!("own memory, median: {before} KiB, then {after} KiB in the last part");
    after <= before + PLAY
}
