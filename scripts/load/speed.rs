//! Requests a second and how long each takes, alone and beside bad clients.

use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::LocalSet;

use crate::bad::{Crowd, Kind};
use crate::client::Client;
use crate::server::Server;

/// Requests a second that are wanted.
const WANTED_RATE: f64 = 5000.0;
/// Time within which 99 of 100 are to be answered.
const WANTED_TIME: Duration = Duration::from_millis(5);

/// Answers that came and how long each took.
#[derive(Default)]
struct Taken {
    times: Vec<Duration>,
    errors: u64,
    connections: u64,
    bytes: usize,
    elapsed: Duration,
    /// Time of processors that the server took.
    processor: Duration,
}

impl Taken {
    fn rate(&self) -> f64 {
        self.times.len() as f64 / self.elapsed.as_secs_f64()
    }

    /// The time in which so many of a thousand were answered.
    fn within(&self, thousandths: usize) -> Duration {
        let at = (self.times.len() * thousandths / 1000).min(self.times.len().saturating_sub(1));
        self.times.get(at).copied().unwrap_or_default()
    }

    fn print(&self, what: &str) {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{what}: {} answers in {:.1} s = {:.0}/s; median {:.2} ms, 99 % {:.2} ms, 99.9 % {:.2} ms, longest {:.1} ms; \
             {:.0} µs of processor and {} bytes an answer, {} connections, {} errors",
            self.times.len(),
            self.elapsed.as_secs_f64(),
            self.rate(),
            ms(self.within(500)),
            ms(self.within(990)),
            ms(self.within(999)),
            ms(self.within(1000)),
            self.processor.as_secs_f64() * 1e6 / self.times.len().max(1) as f64,
            self.bytes / self.times.len().max(1),
            self.connections,
            self.errors,
        );
    }
}

/// Measures; `false` if what is wanted is not reached.
pub(crate) async fn run(server: &Server, positions: &[String], clients: usize, time: Duration) -> anyhow::Result<bool> {
    let urls: Rc<[String]> = positions.iter().map(|text| format!("/api/v1/position?position={text}")).collect();
    println!("{clients} clients, {} positions of random games, each answered with value, moves and line", urls.len());
    let first = ask_all(server, &urls, clients, None).await?;
    first.print("each for the first time");
    let alone = ask_all(server, &urls, clients, Some(time)).await?;
    alone.print("again and again");
    let mut good = alone.rate() >= WANTED_RATE && alone.within(990) <= WANTED_TIME && alone.errors == 0;
    for kind in Kind::ALL {
        let crowd = Crowd::start(kind, server.address)?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        let beside = ask_all(server, &urls, clients, Some(time)).await?;
        let done = crowd.stop();
        beside.print(kind.title());
        let part = beside.rate() / alone.rate();
        let own = server.memory()?.own;
        println!(
            "    {done} bad connections ended; {:.0} % of the requests without them; memory {own} KiB",
            100.0 * part
        );
        good &= beside.rate() >= WANTED_RATE / 2.0 && beside.errors == 0;
    }
    let memory = server.memory()?;
    println!("memory: {} KiB of its own, {} KiB with files", memory.own, memory.resident);
    println!("{}", if good { "all that is wanted is reached" } else { "NOT all that is wanted is reached" });
    Ok(good)
}

/// Asks for the addresses in turn, each once or for a time.
async fn ask_all(
    server: &Server,
    urls: &Rc<[String]>,
    clients: usize,
    time: Option<Duration>,
) -> anyhow::Result<Taken> {
    let before = server.processor()?;
    let begun = Instant::now();
    let local = LocalSet::new();
    let each = |number: usize| {
        let (urls, mut client) = (Rc::clone(urls), Client::new(server.address));
        async move {
            let mut taken = Taken::default();
            let mut at = number;
            while time.map_or(at < urls.len(), |time| begun.elapsed() < time) {
                let asked = Instant::now();
                match client.get(&urls[at % urls.len()]).await {
                    Ok((200, bytes)) => {
                        taken.times.push(asked.elapsed());
                        taken.bytes += bytes;
                    }
                    _ => taken.errors += 1,
                }
                at += clients;
            }
            taken.connections = client.connections;
            taken
        }
    };
    let tasks: Vec<_> = (0..clients).map(|number| local.spawn_local(each(number))).collect();
    local.await;
    let processor = server.processor()?.saturating_sub(before);
    let mut all = Taken { elapsed: begun.elapsed(), processor, ..Taken::default() };
    for task in tasks {
        // A task that panicked has said so and counts as an error.
        let Ok(taken) = task.await else {
            all.errors += 1;
            continue;
        };
        all.times.extend(taken.times);
        all.errors += taken.errors;
        all.connections += taken.connections;
        all.bytes += taken.bytes;
    }
    all.times.sort_unstable();
    Ok(all)
}
