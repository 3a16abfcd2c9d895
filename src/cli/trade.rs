//! `kpe trade`: what each offer of a position is worth.

use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use kpe::document::{Head, move_text};
use kpe::engine::{Deal, Market, Prospect};
use kpe::notation::{Move, Position};
use kpe::rules::Game;
use kpe::search::{Budget, Limits};
use serde::Serialize;

use super::advice::searched;
use super::advice::words;
use super::args::{PlaceArgs, RulesArgs, position};
use super::exit::{Refused, Status};
use super::output::Output;
use super::style::Style;
use super::trading::{engine, open, print_board, print_named, state};
use super::units::{number, parse_size, parse_time};
use super::{interrupt, system};

/// Time nobody set a limit to.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Memory of the transposition table nobody set a limit to.
const DEFAULT_MEMORY: u64 = 256 << 20;

/// Say what each offer of pits is worth in Goré, accepted and declined
///
/// Values are the stones the player to move will have at the end minus those of the other. Every position that an offer can lead
/// to is searched for itself. Without a limit all of it takes five seconds.
#[derive(Args)]
pub(super) struct TradeArgs {
    /// The position, such as 9-1-2-0-3-6-0-3-12-12-S@ABCD
    #[arg(default_value = "startpos")]
    position: String,
    /// Time for all offers together, such as 5s or 500ms
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    /// Turns to search below each offer
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=u8::MAX))]
    depth: Option<u8>,
    /// Threads to search with [default: the processors there are]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    threads: Option<u16>,
    /// Memory to remember searched positions in [default: 256MiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<u64>,
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

#[derive(Serialize)]
struct TradeDocument {
    #[serde(flatten)]
    head: Head,
    position: String,
    /// The best move that is no offer.
    ordinary: Option<Ordinary>,
    offers: Vec<Offer>,
    depth: u8,
    nodes: u64,
}

#[derive(Serialize)]
struct Ordinary {
    #[serde(rename = "move")]
    action: String,
    #[serde(flatten)]
    worth: Worth,
}

#[derive(Serialize)]
struct Worth {
    value: i8,
    kind: &'static str,
}

#[derive(Serialize)]
struct Offer {
    #[serde(rename = "move")]
    action: String,
    accepted: Worth,
    declined: Worth,
    /// The receiver's better answer.
    answer: &'static str,
    #[serde(flatten)]
    worth: Worth,
    /// Against the best ordinary move.
    gain: i8,
}

pub(super) fn run(args: &TradeArgs) -> anyhow::Result<Status> {
    let Game::Gore(gore) = args.rules.game_or("gore")? else {
        return Err(Refused::Usage("only Goré has trades; leave --game out".to_owned()).into());
    };
    if gore.no_trade().is_some() {
        return Err(Refused::Usage("there is nothing to say about trades with --trade off".to_owned()).into());
    }
    let position = position(&args.position, Game::Gore(gore))?;
    if !position.offered().is_empty() {
        let text = format!("an offer is pending; ask `kpe best --game gore {position}` whether to accept it");
        return Err(Refused::Usage(text).into());
    }
    let limits = limits(args);
    let probe = open(&args.place, gore)?;
    let engine = engine(gore, &probe, &limits, args.memory.unwrap_or(DEFAULT_MEMORY))?;
    let stop = interrupt::stop_flag()?;
    let market = engine.market(state(&position)?, &limits, &stop);
    let mut out = Output::new();
    if args.json {
        out.json(&document(&position, &market))?;
    } else {
        print(&position, &market, &mut out)?;
    }
    out.finish()?;
    Ok(if stop.load(Ordering::Relaxed) { Status::Interrupted } else { Status::Done })
}

fn limits(args: &TradeArgs) -> Limits {
    let limited = args.time.is_some() || args.depth.is_some();
    Limits {
        time: args.time.or((!limited).then_some(DEFAULT_TIME)).map(Budget::fixed),
        depth: args.depth,
        threads: system::threads(args.threads),
        ..Limits::default()
    }
}

/// What the offer is worth more than the best ordinary move.
fn gain(market: &Market, deal: &Deal) -> i8 {
    deal.worth().value.0 - market.ordinary.map_or(0, |(_, worth)| worth.value.0)
}

const fn worth(prospect: Prospect) -> Worth {
    Worth { value: prospect.value.0, kind: prospect.kind.word() }
}

fn answer(deal: &Deal) -> &'static str {
    match deal.answer() {
        Move::Accept => "accept",
        _ => "decline",
    }
}

fn document(position: &Position, market: &Market) -> TradeDocument {
    let ordinary = |(action, prospect)| Ordinary { action: move_text(position, action), worth: worth(prospect) };
    let offer = |deal: &Deal| Offer {
        action: move_text(position, Move::Offer(deal.pits)),
        accepted: worth(deal.accepted),
        declined: worth(deal.declined),
        answer: answer(deal),
        worth: worth(deal.worth()),
        gain: gain(market, deal),
    };
    TradeDocument {
        head: Head::new("kpe.trade/1", &position.game()),
        position: position.to_string(),
        ordinary: market.ordinary.map(ordinary),
        offers: market.deals.iter().map(offer).collect(),
        depth: market.depth,
        nodes: market.nodes,
    }
}

fn print(position: &Position, market: &Market, out: &mut Output) -> anyhow::Result<()> {
    let style = Style::of_output();
    if !print_board(position, out, style)? {
        return Ok(());
    }
    let Some((action, best)) = market.ordinary else { return Ok(()) };
    let side = position.side();
    let ordinary = format!("{} is worth {} to {side}, {}", move_text(position, action), best.value, words(best.kind));
    print_named("No offer", &ordinary, out, style)?;
    if market.deals.is_empty() {
        let text = format!("{side} can offer nothing that {} can pay for", side.other());
        print_named("Offers", &text, out, style)?;
        return Ok(());
    }
    let searched = format!("{} in all", searched(market.depth, "turn", "turns", market.nodes));
    print_named("Offers", &searched, out, style)?;
    out.line("")?;
    out.line(style.dim("Offer       accepted             declined             answer   worth   gain"))?;
    for deal in &market.deals {
        let text = move_text(position, Move::Offer(deal.pits));
        let of = |prospect: Prospect| format!("{:>5}  {:<13}", prospect.value.to_string(), words(prospect.kind));
        let (value, gain) = (deal.worth().value.to_string(), kpe::value::Value(gain(market, deal)).to_string());
        let (accepted, declined) = (of(deal.accepted), of(deal.declined));
        out.line(format!("{text:<10} {accepted} {declined} {:<8}{value:>6} {gain:>6}", answer(deal)))?;
    }
    Ok(())
}
