//! `kpe bench`: the speed of the search, and a checksum of what it does.

use std::time::Duration;

use clap::Args;
use kpe::bench;
use kpe::document::Head;
use serde::Serialize;

use super::exit::Status;
use super::output::Output;
use super::units::{grouped, number};

/// Measure the speed of the search on fixed positions
///
/// One thread searches every position to a fixed depth (unlocked ones four plies more) with the tables in the program. The total of nodes tells
/// whether two programs search alike; it is the same on every machine.
#[derive(Args)]
pub(super) struct BenchArgs {
    /// Plies to search
    #[arg(long, value_name = "N", default_value_t = bench::DEPTH, value_parser = number::<u8>(1..=u8::MAX))]
    depth: u8,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct BenchDocument {
    #[serde(flatten)]
    head: Head,
    depth: u8,
    nodes: u64,
    milliseconds: u64,
    nodes_per_second: u64,
}

pub(super) fn run(args: &BenchArgs) -> anyhow::Result<Status> {
    let mut out = Output::new();
    let (mut nodes, mut time) = (0, Duration::ZERO);
    let mut written = Ok(());
    bench::run(args.depth, &mut |measure| {
        nodes += measure.nodes;
        time += measure.time;
        if !args.json && written.is_ok() {
            let milliseconds = measure.time.as_millis();
            let line = format!(
                "{:<36} {:>3} {:>13} {milliseconds:>6} ms",
                measure.position,
                measure.depth,
                grouped(measure.nodes)
            );
            written = out.line(line).and_then(|()| out.flush());
        }
    })?;
    written?;
    let speed = (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64;
    if args.json {
        let head = Head::new("kpe.bench/1", &kpe::rules::Game::Kpe(Default::default()));
        let milliseconds = time.as_millis() as u64;
        out.json(&BenchDocument { head, depth: args.depth, nodes, milliseconds, nodes_per_second: speed })?;
    } else {
        out.line(format!("{nodes} nodes, {:.2} s, {} nodes a second", time.as_secs_f64(), grouped(speed)))?;
    }
    out.finish()?;
    Ok(Status::Done)
}
