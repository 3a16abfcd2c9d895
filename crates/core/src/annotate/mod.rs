//! What each move of a game was worth: its value, what it lost, the better move, and where the game turned.
//!
//! Values are those of the game in play. A move that ends it by repetition is worth its share of what is left (RULES 2.6),
//! even where tables, which know no history, say otherwise; what a repetition further ahead would do is not looked at, but
//! in Goré with trades, whose search is told the history.
//!
//! Beside values, which are the mover's and in layered games those of the stones still to be taken, there is the *lead*: South's
//! final total minus North's if both play their best from there on. It means the same in every game and at every point of one.
//! After a move it is what the move was worth, as long as nothing is proven: it agrees with the value and the loss beside it,
//! while the search of the next move may estimate the same position otherwise.
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! use kpe_core::annotate::annotate;
//! use kpe_core::engine::TableProbe;
//! use kpe_core::level::Level;
//! use kpe_core::notation::Side;
//! use kpe_core::player::Player;
//! use kpe_core::record::Record;
//! use kpe_core::search::Limits;
//! use kpe_core::table::{TableSet, embedded};
//!
//! let record = Record::read("[Start \"0-3-8-1-2-4-1-3-12-14-N\"] 1... a *")?;
//! let game = record.playing().game();
//! let tables = TableProbe::new(TableSet::new(&game).and_embedded(embedded()))?;
//! let player = Player::new(&game, Arc::new(tables), Level::HIGHEST, 4 << 20, 0)?;
//! let stop = AtomicBool::new(false);
//! let annotation = annotate(record.playing(), &player, &Limits::default(), &stop, &mut |_| ())?.expect("not stopped");
//! assert_eq!(annotation.plies[0].lost(), 2); // b was worth 4, a is worth 2
//! assert_eq!(annotation.summary(Side::North).perfect, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allowance;
mod assess;
mod document;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

pub use allowance::Allowance;
pub use assess::assess;
#[doc(hidden)]
pub use document::AnnotateDocument;

use crate::notation::{Move, Position, Side};
use crate::player::{AssessedMove, Assessment, Player, PlayerError};
use crate::record::{Made, Playing};
use crate::rules::Game;
use crate::search::{Budget, Limits};
use crate::value::{Kind, Value};

/// A move of a game and its worth.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AnnotatedPly {
    /// The position it was made in.
    pub position: Position,
    /// The move, who made it and what it captured.
    pub made: Made,
    /// What it was worth to its maker, as [`Assessment::value`].
    pub value: Value,
    /// How sure that is.
    pub kind: Kind,
    /// The best move.
    pub best: Move,
    /// What that was worth.
    pub best_value: Value,
    /// How sure that is.
    pub best_kind: Kind,
    /// Legal moves there were.
    pub choices: usize,
    /// Whether the move changed who wins with best play from there on, or whether anybody does.
    pub is_turning: bool,
}

impl AnnotatedPly {
    /// Stones the move lost against the best one; 0 for a perfect move.
    #[must_use]
    pub fn lost(&self) -> u8 {
        // At most 96, and never below 0: the best value is the highest.
        (i16::from(self.best_value.0) - i16::from(self.value.0)).max(0) as u8
    }

    /// Whether what it lost is proven.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.made.action == self.best || (self.kind == Kind::Exact && self.best_kind == Kind::Exact)
    }
}

/// A point of a game: South's final total minus North's if both play their best from there on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Lead {
    /// In stones; positive if South is ahead.
    pub stones: i16,
    /// Whether it is proven.
    pub is_sure: bool,
}

/// How a player did.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// Moves he made.
    pub moves: usize,
    /// Of these: he had no other.
    pub forced: usize,
    /// Moves that lost nothing, forced ones included.
    pub perfect: usize,
    /// Stones his moves lost in all.
    pub lost: u32,
    /// Plies, counted from 1, at which his move turned the game.
    pub turning: Vec<usize>,
    /// Whether all of that is proven.
    pub is_sure: bool,
}

/// A game with the worth of all its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Annotation {
    /// The moves.
    pub plies: Vec<AnnotatedPly>,
    /// The lead before the first move and after each.
    pub leads: Vec<Lead>,
}

/// Values every move of a game; `None` if `stop` was set on the way. `observe` hears how many moves are done.
///
/// The limits are those of one move and concern the search, which tables make needless.
///
/// # Errors
/// [`PlayerError`], above all if a table is not sound or the player plays another game.
pub fn annotate(
    playing: &Playing,
    player: &Player,
    limits: &Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(usize),
) -> Result<Option<Annotation>, PlayerError> {
    valued(playing, player, &mut |_, _| limits.clone(), stop, observe)
}

/// As [`annotate`], all searches together within an allowance of time; `limits` says what else limits each.
///
/// # Errors
/// As [`annotate`].
pub fn annotate_within(
    playing: &Playing,
    player: &Player,
    allowance: Allowance,
    limits: &Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(usize),
) -> Result<Option<Annotation>, PlayerError> {
    let begun = limits.timer.now();
    let mut shared = |positions, twice| {
        let share = allowance.share(limits.timer.since(begun), positions, twice);
        Limits { time: Some(Budget::fixed(share)), ..limits.clone() }
    };
    valued(playing, player, &mut shared, stop, observe)
}

/// Does both; `limits` says what limits a search when so many positions are left, this one among them, and whether the
/// same position may have to be searched once more.
fn valued(
    playing: &Playing,
    player: &Player,
    limits: &mut dyn FnMut(usize, bool) -> Limits,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(usize),
) -> Result<Option<Annotation>, PlayerError> {
    let mut sofar = Playing::new(*playing.start(), playing.loops());
    let mut annotation = Annotation { plies: Vec::new(), leads: Vec::new() };
    // The lead after the move before by that move's own value, which only a proof of the next search outweighs.
    let mut after = None;
    for (at, made) in playing.made().iter().enumerate() {
        let positions = playing.made().len() + 1 - at;
        let assessment = assess(player, &sofar, &limits(positions, true), stop)?;
        let ply = annotated(player, &sofar, *made, &assessment, &mut || limits(positions, false), stop)?;
        if stop.load(Relaxed) {
            return Ok(None);
        }
        let estimate = Lead { stones: ply.0, is_sure: assessment.kind == Kind::Exact };
        annotation.leads.push(after.filter(|_| !estimate.is_sure).unwrap_or(estimate));
        after = Some(Lead { stones: lead(sofar.position(), ply.1.value), is_sure: ply.1.kind == Kind::Exact });
        annotation.plies.push(ply.1);
        if sofar.play(made.action).is_err() {
            // Never so: it was legal when it was made.
            break;
        }
        observe(annotation.plies.len());
    }
    let end = match (sofar.ending(), after) {
        (Some(ending), _) => {
            let [south, north] = ending.halves.map(i16::from);
            Lead { stones: (south - north) / 2, is_sure: true }
        }
        (None, after) => {
            let assessment = assess(player, &sofar, &limits(1, false), stop)?;
            let is_sure = assessment.kind == Kind::Exact;
            let estimate = Lead { stones: lead(sofar.position(), assessment.value), is_sure };
            after.filter(|_| !is_sure).unwrap_or(estimate)
        }
    };
    annotation.leads.push(end);
    Ok((!stop.load(Relaxed)).then_some(annotation))
}

/// South's lead in the end if the mover's value is this.
fn lead(position: &Position, value: Value) -> i16 {
    let [south, north] = position.stores().map(i16::from);
    let value = i16::from(
        match position.side() {
            Side::South => value,
            Side::North => -value,
        }
        .0,
    );
    match position.game() {
        // What was captured pays for pits, so it is part of the value.
        Game::Gore(gore) if gore.no_trade().is_none() => value,
        _ => south - north + value,
    }
}

/// The lead before a move and the move with its worth.
fn annotated(
    player: &Player,
    playing: &Playing,
    made: Made,
    assessment: &Assessment,
    limits: &mut dyn FnMut() -> Limits,
    stop: &AtomicBool,
) -> Result<(i16, AnnotatedPly), PlayerError> {
    let position = *playing.position();
    let known = assessment.moves.iter().find(|m| m.action == made.action);
    let worth = |m: &AssessedMove| (m.value, m.kind);
    let (value, kind) = match known {
        Some(known) if !known.is_upper => worth(known),
        // Of many offers the search says only that they are no better than the best.
        _ => {
            let earlier = playing.earlier();
            let alone =
                player.analyse_after(&earlier, &position, Some(&[made.action]), &limits(), stop, &mut |_| ())?;
            (alone.value.min(assessment.value), alone.kind)
        }
    };
    let (before, after) = (lead(&position, assessment.value), lead(&position, value));
    let ply = AnnotatedPly {
        position,
        made,
        value,
        kind,
        best: assessment.best.unwrap_or(made.action),
        best_value: assessment.value,
        best_kind: assessment.kind,
        choices: assessment.moves.len(),
        is_turning: before.signum() != after.signum(),
    };
    Ok((before, ply))
}

impl Annotation {
    /// How a player did.
    #[must_use]
    pub fn summary(&self, side: Side) -> Summary {
        let own = || self.plies.iter().enumerate().filter(|(_, ply)| ply.made.side == side);
        let count = |is: &dyn Fn(&AnnotatedPly) -> bool| own().filter(|(_, ply)| is(ply)).count();
        Summary {
            moves: own().count(),
            forced: count(&|ply| ply.choices == 1),
            perfect: count(&|ply| ply.lost() == 0),
            lost: own().map(|(_, ply)| u32::from(ply.lost())).sum(),
            turning: own().filter(|(_, ply)| ply.is_turning).map(|(at, _)| at + 1).collect(),
            is_sure: own().all(|(_, ply)| ply.is_sure()),
        }
    }

    /// Whether every value is proven.
    #[must_use]
    pub fn is_sure(&self) -> bool {
        self.plies.iter().all(AnnotatedPly::is_sure) && self.leads.iter().all(|lead| lead.is_sure)
    }
}
