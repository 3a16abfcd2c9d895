//! Does the lock balance the game? The same figures for the game with its lock, with a slower one, and without any.
//!
//! *Games compared*: `same`, the standard game; `next`, where the move that sows a player's last pit does not capture yet; `none`,
//! the same start with nothing locked.
//!
//! *Lines*: all sequences of N legal moves from the start, good and bad. A line is *won*, *drawn* or *lost* for South by the stones he has
//! captured and those he still takes if both play perfectly from there. *Lost positions* after each ply: the different positions, stores
//! included, in which the player to move will end with fewer stones than the other.
//!
//! *Best play* is any play in which every move holds the value. *Earliest capture*: the first ply at which a move of best play
//! captures. *Longest capture-free stretch*: one player wants a capture, by whomever, as early as possible, the other as late as
//! possible, both within best play; the plies that the latter can hold out from the start, for each of the two in his place.

use hashbrown::HashMap;
use serde::Serialize;

use super::levels::{Levels, Node};
use super::values::{OpeningError, Values};
use crate::board::{Board, Pits};
use crate::rules::Rules;
use crate::rules::kpe::Kpe;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lock {
    /// The standard game.
    Same,
    /// `unlock=next`.
    Next,
    /// Nothing is locked.
    None,
}

impl Lock {
    /// The start under this lock.
    #[must_use]
    pub fn start(self) -> Board {
        match self {
            Self::Same | Self::Next => Kpe::start(),
            Self::None => Kpe::start().with_flags(Pits::NONE),
        }
    }
}

/// One ply of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlyFigures {
    /// Plies from the start.
    pub ply: u8,
    /// Different positions, stores included.
    pub positions: u64,
    /// Those in which the player to move will win, draw, lose.
    pub to_move: [u64; 3],
    /// Lines that South wins, draws, loses.
    pub lines: [u64; 3],
}

/// All figures of one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LockFigures {
    /// The game.
    pub lock: Lock,
    /// The value of its start for South.
    pub value: i8,
    /// By ply.
    pub plies: Vec<PlyFigures>,
    /// The first ply at which best play captures, from 1; none within the limit.
    pub earliest_capture: Option<u8>,
    /// Plies without a capture that South can hold out; none if more than the limit.
    pub stretch_south: Option<u8>,
    /// The same for North.
    pub stretch_north: Option<u8>,
    /// The limit of both searches, in plies.
    pub limit: u8,
}

/// The figures of one game over so many plies; captures are looked for within `limit` plies.
///
/// # Errors
/// [`OpeningError`].
pub fn figures(values: &Values<'_>, lock: Lock, plies: u8, limit: u8) -> Result<LockFigures, OpeningError> {
    let start = lock.start();
    let levels = Levels::within(values.rules(), start, plies);
    let plies = levels.plies.iter().enumerate().map(|(ply, level)| ply_figures(values, ply as u8, level));
    let mut stretches = Stretches { values, seen: HashMap::new(), best_play: HashMap::new() };
    Ok(LockFigures {
        lock,
        value: values.value(start)?.0,
        plies: plies.collect::<Result<_, _>>()?,
        earliest_capture: known(earliest_capture(values, start, limit))?,
        stretch_south: known(stretches.longest(start, false, limit))?,
        stretch_north: known(stretches.longest(start, true, limit))?,
        limit,
    })
}

/// A figure that needs missing tables is left out.
fn known(figure: Result<Option<u8>, OpeningError>) -> Result<Option<u8>, OpeningError> {
    match figure {
        Err(OpeningError::NeedsTables { .. }) => Ok(None),
        figure => figure,
    }
}

fn ply_figures(values: &Values<'_>, ply: u8, level: &[Node]) -> Result<PlyFigures, OpeningError> {
    let (mut to_move, mut lines) = ([0; 3], [0; 3]);
    let known = values.of_all(&level.iter().map(|node| node.board).collect::<Vec<_>>())?;
    for (node, value) in level.iter().zip(known) {
        let score = (node.lead() + value.0).signum();
        to_move[(1 - score) as usize] += 1;
        let souths = if ply.is_multiple_of(2) { score } else { -score };
        lines[(1 - souths) as usize] += node.lines;
    }
    Ok(PlyFigures { ply, positions: level.len() as u64, to_move, lines })
}

fn earliest_capture(values: &Values<'_>, start: Board, limit: u8) -> Result<Option<u8>, OpeningError> {
    let mut level = vec![start];
    for ply in 1..=limit {
        let mut next = Vec::new();
        for board in level {
            let value = values.value(board)?;
            for valued in values.moves(board)?.into_iter().filter(|valued| valued.value == value) {
                if valued.captured > 0 {
                    return Ok(Some(ply));
                }
                next.push(valued.board);
            }
        }
        next.sort_unstable();
        next.dedup();
        level = next;
    }
    Ok(None)
}

/// Who can bring about a capture within so many plies.
struct Stretches<'a> {
    values: &'a Values<'a>,
    /// By board and whether its mover wants the capture: the most plies known to be too few, the fewest known to suffice.
    seen: HashMap<(Board, bool), (u8, u8)>,
    /// The moves of best play: stones captured, board after it.
    best_play: HashMap<Board, Vec<(u8, Board)>>,
}

impl Stretches<'_> {
    /// Plies that one player can hold out without a capture; `seeks`: South is the one who wants it.
    fn longest(&mut self, start: Board, seeks: bool, limit: u8) -> Result<Option<u8>, OpeningError> {
        for plies in 1..=limit {
            if self.comes(start, plies, seeks)? {
                return Ok(Some(plies - 1));
            }
        }
        Ok(None)
    }

    /// Whether a capture comes within `plies`.
    fn comes(&mut self, board: Board, plies: u8, seeks: bool) -> Result<bool, OpeningError> {
        let (too_few, enough) = self.seen.get(&(board, seeks)).copied().unwrap_or((0, u8::MAX));
        if plies <= too_few || self.values.rules().over(board).is_some() {
            return Ok(false);
        }
        if plies >= enough {
            return Ok(true);
        }
        let mut comes = !seeks;
        for (captured, next) in self.moves(board)? {
            if (captured > 0 || self.comes(next, plies - 1, !seeks)?) == seeks {
                comes = seeks;
                break;
            }
        }
        self.seen.insert((board, seeks), if comes { (too_few, plies) } else { (plies, enough) });
        Ok(comes)
    }

    /// The moves of best play, captures first.
    fn moves(&mut self, board: Board) -> Result<Vec<(u8, Board)>, OpeningError> {
        if let Some(known) = self.best_play.get(&board) {
            return Ok(known.clone());
        }
        let value = self.values.value(board)?;
        let valued = self.values.moves(board)?.into_iter().filter(|valued| valued.value == value);
        let mut moves: Vec<(u8, Board)> = valued.map(|valued| (valued.captured, valued.board)).collect();
        moves.sort_unstable_by_key(|&(captured, board)| (std::cmp::Reverse(captured), board));
        self.best_play.insert(board, moves.clone());
        Ok(moves)
    }
}
