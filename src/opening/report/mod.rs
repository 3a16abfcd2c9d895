//! All findings about the opening, and the page that shows them.
//!
//! The page is one file without anything from outside: style, drawings (SVG) and the findings themselves as JSON, in an element with
//! the id `findings`. Every drawing is followed by a table of its numbers. It is well-formed as XML.

pub(crate) mod html;
mod sections;
pub(crate) mod svg;
#[cfg(test)]
mod tests;

use serde::Serialize;

use super::compare::{self, Lock, LockFigures};
use super::delay::{DelayLimits, Delays, delays};
use super::orders::{Orders, orders};
use super::tempo::{self, Tempo};
use super::traps::{Traps, traps};
use super::tree::{Tree, tree};
use super::values::{OpeningError, Values};
use crate::rules::Game;
use crate::value::Value;

/// How far the analysis goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depths {
    /// Plies of the tree.
    pub tree: u8,
    /// Limits of the delays.
    pub delay: DelayLimits,
    /// Plies within which an unsown pit is valued.
    pub tempo: u8,
    /// Every how many-th position of the full layers is taken for the same; 0 for none.
    pub stride: u64,
    /// Plies within which traps are looked for.
    pub traps: u8,
    /// How many traps are listed.
    pub listed: usize,
    /// Plies of the comparison.
    pub compare: u8,
    /// Plies within which captures are looked for.
    pub captures: u8,
}

impl Default for Depths {
    fn default() -> Self {
        Self {
            tree: 2,
            delay: DelayLimits::default(),
            tempo: 8,
            stride: 16_384,
            traps: 9,
            listed: 24,
            compare: 8,
            captures: 14,
        }
    }
}

/// Everything found out about the opening under one choice of rules.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Findings {
    /// The rule options; the head of a document has them already.
    #[serde(skip_serializing)]
    pub options: String,
    /// The first moves and replies.
    pub tree: Tree,
    /// Orders of unlocking.
    pub orders: Orders,
    /// Hurry and delay.
    pub delays: Delays,
    /// The worth of unsown pits: within some plies, then over the layers; empty without full tables.
    pub tempo: Vec<Tempo>,
    /// Positions with a single move that holds.
    pub traps: Traps,
    /// Locks compared, as many as there are tables for.
    pub compare: Vec<LockFigures>,
    /// What is missing, and the command that provides it.
    pub missing: Vec<String>,
}

/// Works everything out; `next` are the values of the same rules with `unlock=next`. What lacks tables is left out and said.
///
/// # Errors
/// [`OpeningError`].
pub fn findings(values: &Values<'_>, next: Option<&Values<'_>>, depths: Depths) -> Result<Findings, OpeningError> {
    let mut missing = Vec::new();
    let mut part = |name: &str, error: OpeningError| match error {
        OpeningError::NeedsTables { command, .. } => {
            missing.push(format!("{name} needs all tables: {command}"));
            Ok(())
        }
        error => Err(error),
    };
    let mut tempo = Vec::new();
    let within = tempo::within_plies(values, depths.tempo);
    let over = if depths.stride > 0 { Some(tempo::over_layers(values, depths.stride)) } else { None };
    for found in [Some(within), over].into_iter().flatten() {
        match found {
            Ok(found) => tempo.push(found),
            Err(error) => part("The worth of unsown pits", error)?,
        }
    }
    let compare = compare_locks(values, next, depths, &mut part)?;
    missing.dedup();
    Ok(Findings {
        options: Game::Kpe(values.rules()).to_string(),
        tree: tree(values, depths.tree)?,
        orders: orders(values)?,
        delays: delays(values, depths.delay)?,
        tempo,
        traps: traps(values, depths.traps, depths.listed)?,
        compare,
        missing,
    })
}

/// The figures of the games there are tables for.
///
/// # Errors
/// [`OpeningError`]; `missing` decides about a game without tables.
pub fn compare_locks(
    values: &Values<'_>,
    next: Option<&Values<'_>>,
    depths: Depths,
    missing: &mut dyn FnMut(&str, OpeningError) -> Result<(), OpeningError>,
) -> Result<Vec<LockFigures>, OpeningError> {
    let mut found = Vec::new();
    let games = [(Lock::Same, Some(values)), (Lock::Next, next), (Lock::None, Some(values))];
    for (lock, values) in games.into_iter().filter_map(|(lock, values)| Some((lock, values?))) {
        match compare::figures(values, lock, depths.compare, depths.captures) {
            Ok(figures) => found.push(figures),
            Err(error) => missing(comparison_name(lock), error)?,
        }
    }
    Ok(found)
}

/// A page that shows a tree alone.
#[must_use]
pub fn tree_page(tree: &Tree) -> String {
    sections::tree_page(tree)
}

/// A game of the comparison as people call it.
#[must_use]
pub const fn lock_name(lock: Lock) -> &'static str {
    match lock {
        Lock::Same => "With the lock (unlock=same)",
        Lock::Next => "With the slower lock (unlock=next)",
        Lock::None => "Without a lock",
    }
}

/// The part of the comparison that a game stands for, as the subject of a sentence.
const fn comparison_name(lock: Lock) -> &'static str {
    match lock {
        Lock::Same => "The comparison with the lock (unlock=same)",
        Lock::Next => "The comparison with the slower lock (unlock=next)",
        Lock::None => "The comparison with no lock",
    }
}

/// A value in words: `a draw`, `South wins by 4`.
#[must_use]
pub fn result(value_for_south: i8) -> String {
    match value_for_south {
        0 => "a draw".to_owned(),
        value if value > 0 => format!("a win of South by {value}"),
        value => format!("a win of North by {}", -i16::from(value)),
    }
}

impl Findings {
    /// The main findings, a sentence each.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences =
            vec![format!("The game is {}. Main line: {}.", result(self.orders.free), self.tree.main_line)];
        sentences.push(self.orders.sentence());
        sentences.extend(self.delays.players.iter().map(|player| player.sentence()));
        sentences.extend(self.tempo.iter().filter_map(Tempo::sentence));
        sentences.push(self.traps.sentence());
        sentences.extend(self.compare.iter().map(LockFigures::sentence));
        sentences.extend(self.missing.iter().map(|text| format!("{text}.")));
        sentences
    }

    /// The page.
    #[must_use]
    pub fn html(&self) -> String {
        sections::page(self)
    }
}

impl Orders {
    /// What was found, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let of = |south: bool, name: &str| {
            let losing = self.losing(south);
            let worst = losing.first().map_or(String::new(), |(order, loss)| format!(" (worst {order}, by {loss})"));
            format!("{} of 24 cost {name} something{worst}", losing.len())
        };
        format!(
            "Orders fixed beforehand: {}; {}. Choosing as he goes, South gets {} and North {}.",
            of(true, "South"),
            of(false, "North"),
            Value(self.own_choice.south),
            Value(self.own_choice.north)
        )
    }
}

impl super::delay::PlayerDelays {
    /// What was found, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let list = |delays: &[super::delay::Delay]| {
            delays.iter().map(|d| format!("{} at {}", Value(d.value), d.turn)).collect::<Vec<_>>().join(", ")
        };
        let name = if self.player == "south" { "South" } else { "North" };
        format!("{name} unlocking by his k-th turn: {}; not before it: {}.", list(&self.by), list(&self.not_before))
    }
}

impl Tempo {
    /// What was found, in a sentence; none if it counts nothing.
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        let mean = |kind: tempo::Lifted| {
            let rows = || self.rows.iter().filter(move |row| row.lifted == kind);
            let positions: u64 = rows().map(|row| row.positions).sum();
            let sum: f64 = rows().map(|row| row.mean_thousandths as f64 * row.positions as f64).sum();
            (positions > 0).then(|| sum / positions as f64 / 1000.0)
        };
        let (own, others) = (mean(tempo::Lifted::Mover)?, mean(tempo::Lifted::Opponent)?);
        let over = match (self.plies, self.stride) {
            (Some(plies), _) => format!("within {plies} plies"),
            (None, stride) => format!("over the layers of 48 stones (one position in {})", stride.unwrap_or(1)),
        };
        Some(format!(
            "Lifting the lock {over}: {own:+.2} stones on the mean for the mover if it is his, {others:+.2} if it is the opponent's."
        ))
    }
}

impl Traps {
    /// What was found, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let first = self.traps.first().map_or(String::new(), |trap| {
            let line = if trap.line.is_empty() { "at the start".to_owned() } else { format!("after {}", trap.line) };
            format!(" Foremost: {line} only {} holds.", trap.action)
        });
        format!(
            "Within {} plies {} of {} positions have a single move that holds the value.{first}",
            self.plies, self.found, self.positions
        )
    }
}

impl LockFigures {
    /// What was found, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        let lines = self.plies.last().map_or([0; 3], |ply| ply.lines);
        let total: u64 = lines.iter().sum();
        let share = lines.map(|count| 100.0 * count as f64 / total.max(1) as f64);
        let plies = self.plies.len().saturating_sub(1);
        let capture =
            self.earliest_capture.map_or(format!("none within {} plies", self.limit), |ply| format!("ply {ply}"));
        format!(
            "{}: {}; of all lines of {plies} plies South wins {:.1} %, draws {:.1} %, loses {:.1} %; first capture of best play: {capture}.",
            lock_name(self.lock),
            result(self.value),
            share[0],
            share[1],
            share[2]
        )
    }
}
