//! What hurry and delay cost: unlocking by one's k-th turn, or not before it.
//!
//! *By k*: the player must have sown from all his pits by the end of his k-th turn (k ≥ 4: he has four pits). A larger k allows more,
//! so the figure never falls and stops mattering as soon as it reaches the value of the free game.
//!
//! *Not before k*: the player may not sow from the last of his unsown pits before his k-th turn (k ≥ 5 binds: nobody can
//! unlock before his fourth turn). A larger k allows less, so the figure never rises. It is solved for growing k until the next
//! one would take more positions than the limit; each is exact. A game so restricted has no natural end of k.

use serde::Serialize;

use super::restricted::{Restricted, Vow};
use super::values::{OpeningError, Values};
use crate::board::Board;
use crate::rules::kpe::Kpe;

/// The figure for one turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Delay {
    /// The turn k.
    pub turn: u8,
    /// Stones the bound player can force, from his point of view.
    pub value: i8,
    /// Positions the solution went through.
    pub positions: usize,
}

/// All figures of one player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayerDelays {
    /// `south` or `north`.
    pub player: &'static str,
    /// Stones he can force when he is free, from his point of view.
    pub free: i8,
    /// He must have unlocked by his k-th turn, k = 4 and on until it costs nothing.
    pub by: Vec<Delay>,
    /// He may not unlock before his k-th turn, k = 5 and on.
    pub not_before: Vec<Delay>,
    /// Why the last list ends where it does.
    pub ended: String,
}

/// Both players' figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Delays {
    /// South's, then North's.
    pub players: Vec<PlayerDelays>,
}

/// Limits of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DelayLimits {
    /// The largest k.
    pub turns: u8,
    /// No larger k is tried after one that took more positions.
    pub positions: usize,
}

impl Default for DelayLimits {
    fn default() -> Self {
        Self { turns: 16, positions: 60_000 }
    }
}

/// Works all of it out. Beyond the plies of the book it needs the full tables.
///
/// # Errors
/// [`OpeningError`]; a list that needs missing tables only ends earlier and says so.
pub fn delays(values: &Values<'_>, limits: DelayLimits) -> Result<Delays, OpeningError> {
    let players = [0, 1].map(|player| player_delays(values, limits, player));
    let players: Result<_, _> = players.into_iter().collect();
    Ok(Delays { players: players? })
}

fn player_delays(values: &Values<'_>, limits: DelayLimits, player: usize) -> Result<PlayerDelays, OpeningError> {
    let sign = if player == 0 { 1 } else { -1 };
    let free = values.value(Kpe::start())?.0 * sign;
    let solve = |turn, vow| {
        let mut vows = [None, None];
        vows[player] = Some(vow);
        let mut game = Restricted::new(values.rules(), vows, |board: Board, _| values.value(board));
        let value = game.value(Kpe::start())?.0 * sign;
        Ok(Delay { turn, value, positions: game.positions() })
    };
    let (by, _) = series(4, limits, &|turn| solve(turn, Vow::By(turn)), &|delay| delay.value >= free)?;
    let (not_before, ended) = series(5, limits, &|turn| solve(turn, Vow::NotBefore(turn)), &|_| false)?;
    Ok(PlayerDelays { player: ["south", "north"][player], free, by, not_before, ended })
}

/// The figures from `first` on until one is the last that matters or a limit is reached; and why it ended.
fn series(
    first: u8,
    limits: DelayLimits,
    solve: &dyn Fn(u8) -> Result<Delay, OpeningError>,
    settled: &dyn Fn(&Delay) -> bool,
) -> Result<(Vec<Delay>, String), OpeningError> {
    let mut found: Vec<Delay> = Vec::new();
    for turn in first..=limits.turns {
        match solve(turn) {
            Ok(delay) => found.push(delay),
            Err(OpeningError::NeedsTables { command, .. }) if !found.is_empty() => {
                return Ok((found, format!("turn {turn} needs all tables: {command}")));
            }
            Err(error) => return Err(error),
        }
        let last = found[found.len() - 1];
        if settled(&last) {
            return Ok((found, "it costs nothing any more".to_owned()));
        }
        if last.positions > limits.positions {
            let text =
                format!("turn {turn} took {} positions, more than the limit of {}", last.positions, limits.positions);
            return Ok((found, text));
        }
    }
    Ok((found, format!("turn {} was the last asked for", limits.turns)))
}
