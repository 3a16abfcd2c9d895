//! `kpe opening`: what the opening lock does, from the book in the program and from tables where that does not suffice.

mod book;
mod compare;
mod delay;
mod orders;
mod report;
mod tempo;
mod traps;
mod tree;

use clap::{Args, Subcommand};
use kpe::document::Head;
use kpe::opening::Values;
use kpe::opening::report::{Findings, findings};
use kpe::rules::Game;
use kpe::rules::kpe::{Kpe, Unlock};
use kpe::table::TableSet;
use serde::Serialize;

use super::args::{PlaceArgs, RulesArgs};
use super::exit::{Refused, Status};
use super::output::Output;
use super::progress::tell;

/// Say what the opening lock does to the game
///
/// Without a sub-command: the value of the start, the first moves and replies, the main line, and the findings of the
/// sub-commands in a sentence each. All values are exact. The program carries the first ten plies; what
/// lies beyond needs all tables and is left out where they are missing.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct OpeningArgs {
    #[command(subcommand)]
    command: Option<OpeningCommand>,
    #[command(flatten)]
    common: Common,
}

#[derive(Subcommand)]
enum OpeningCommand {
    Tree(tree::TreeArgs),
    Orders(orders::OrdersArgs),
    Delay(delay::DelayArgs),
    Tempo(tempo::TempoArgs),
    Traps(traps::TrapsArgs),
    Compare(compare::CompareArgs),
    Report(report::ReportArgs),
    Book(book::BookArgs),
}

/// What every sub-command takes.
#[derive(Args)]
struct Common {
    #[command(flatten)]
    place: PlaceArgs,
    /// Answer with one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    rules: RulesArgs,
}

/// The tables of one choice of rules, and how to ask for more.
struct Source {
    rules: Kpe,
    set: TableSet,
}

impl Common {
    /// The rules asked for; Goré has no opening lock.
    fn kpe(&self) -> Result<Kpe, Refused> {
        match self.rules.game()? {
            Game::Kpe(rules) => Ok(rules),
            Game::Gore(_) => Err(Refused::Usage("Goré has no opening lock; only Kpé has".to_owned())),
        }
    }

    fn open(&self) -> Result<Source, Refused> {
        let rules = self.kpe()?;
        Ok(Source { rules, set: self.place.open(&Game::Kpe(rules))? })
    }

    /// The same rules with the slower lock.
    fn open_next(&self) -> Result<Source, Refused> {
        let rules = Kpe { unlock: Unlock::Next, ..self.kpe()? };
        Ok(Source { rules, set: self.place.open_quietly(&Game::Kpe(rules))? })
    }

    fn values<'a>(&self, source: &'a Source) -> anyhow::Result<Values<'a>> {
        let values = Values::new(source.rules, &source.set)?;
        Ok(match self.place.named() {
            Some(directory) => values.with_place(&directory),
            None => values,
        })
    }

    /// Prints figures as JSON, or as the lines that `text` makes of them.
    fn print<T: Serialize>(
        &self,
        schema: &'static str,
        figures: &T,
        text: impl FnOnce(&T) -> Vec<String>,
    ) -> anyhow::Result<Status> {
        let mut out = Output::new();
        if self.json {
            out.json(&Document { head: Head::new(schema, &Game::Kpe(self.kpe()?)), figures })?;
        } else {
            for line in text(figures) {
                out.line(line)?;
            }
        }
        out.finish()?;
        Ok(Status::Done)
    }
}

#[derive(Serialize)]
struct Document<'a, T> {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    figures: &'a T,
}

pub(super) fn run(args: OpeningArgs) -> anyhow::Result<Status> {
    match args.command {
        None => overview(&args.common),
        Some(OpeningCommand::Tree(args)) => tree::run(&args),
        Some(OpeningCommand::Orders(args)) => orders::run(&args),
        Some(OpeningCommand::Delay(args)) => delay::run(&args),
        Some(OpeningCommand::Tempo(args)) => tempo::run(&args),
        Some(OpeningCommand::Traps(args)) => traps::run(&args),
        Some(OpeningCommand::Compare(args)) => compare::run(&args),
        Some(OpeningCommand::Report(args)) => report::run(&args),
        Some(OpeningCommand::Book(args)) => book::run(&args),
    }
}

/// Everything found out, as deep as the figures of the report go, but with a quick look at the tables.
fn overview(common: &Common) -> anyhow::Result<Status> {
    use kpe::opening::delay::DelayLimits;
    use kpe::opening::report::Depths;
    let source = common.open()?;
    let next = common.open_next()?;
    let depths = Depths {
        delay: DelayLimits { positions: 20_000, ..DelayLimits::default() },
        tempo: 6,
        stride: 0,
        traps: 8,
        compare: 6,
        captures: 12,
        ..Depths::default()
    };
    let found = findings(&common.values(&source)?, Some(&common.values(&next)?), depths)?;
    common.print("kpe.opening/1", &found, screen)
}

fn screen(found: &Findings) -> Vec<String> {
    let mut lines = tree::lines(&found.tree);
    lines.push(String::new());
    for sentence in found.sentences() {
        lines.extend(wrapped(&sentence));
    }
    lines
}

/// A sentence in lines of at most 80 columns, those after the first set in.
fn wrapped(sentence: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let last = lines.len() - 1;
        let line = &mut lines[last];
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= 80 {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(format!("  {word}"));
        }
    }
    lines
}

/// Says on standard error what is missing.
fn tell_missing(missing: &[String]) {
    missing.iter().for_each(|text| tell(&format!("kpe: note: {text}")));
}
