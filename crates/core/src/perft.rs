//! Counting the paths of moves from a position: the usual check that two programs play by the same rules.
//!
//! A path has `depth` moves; one that reaches the end of the game earlier counts once, at its end. Passes, offers
//! and answers are moves. Repetition is not looked at.
//!
//! ```
//! use kpe_core::notation::Position;
//! use kpe_core::perft::{divide, perft};
//! use kpe_core::rules::Game;
//!
//! let start = Position::start(Game::named("kpe")?);
//! assert_eq!(perft(&start, 3), 64);
//! assert_eq!(divide(&start, 3).iter().map(|(_, paths)| paths).sum::<u64>(), 64);
//! # Ok::<(), kpe_core::rules::options::OptionError>(())
//! ```

use crate::board::Board;
use crate::notation::{Move, Position};
use crate::rules::gore::{Gore, State};
use crate::rules::{Game, Rules};

/// Number of paths of `depth` moves from a position; 1 if the game is over there or `depth` is 0.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match position.game() {
        Game::Kpe(kpe) => count_layered(kpe, position.board(), depth),
        Game::Gore(gore) => match (gore.no_trade(), position.solver_board(), position.state()) {
            (Some(rules), Some(board), _) => count_layered(rules, board, depth),
            (_, _, Some(state)) => count_trading(gore, state, depth),
            _ => unreachable!("a position of Goré has a state"),
        },
    }
}

/// The paths of `depth` moves (at least 1) by their first move, in the order of [`Position::moves`].
///
/// Empty if the game is over; else the counts add up to [`perft`]'s.
#[must_use]
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let rest = depth.saturating_sub(1);
    position.outcomes().iter().map(|outcome| (outcome.action, perft(&outcome.result, rest))).collect()
}

fn count_layered<R: Rules>(rules: R, board: Board, depth: u32) -> u64 {
    if depth == 0 || rules.over(board).is_some() {
        return 1;
    }
    let moves = rules.moves(board);
    if moves.is_empty() {
        return count_layered(rules, rules.pass(board), depth - 1);
    }
    if depth == 1 {
        return u64::from(moves.len());
    }
    moves.into_iter().map(|pit| count_layered(rules, rules.play(board, pit).board, depth - 1)).sum()
}

fn count_trading(gore: Gore, state: State, depth: u32) -> u64 {
    if depth == 0 || gore.over(state).is_some() {
        return 1;
    }
    if depth == 1 {
        return u64::from(gore.count_moves(state));
    }
    gore.moves(state).map(|action| count_trading(gore, gore.play(state, action).state, depth - 1)).sum()
}
