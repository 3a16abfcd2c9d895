//! The tree of exact values: every position within some plies, merged where lines transpose, and what each of its moves is worth.
//!
//! A move *holds* if it is worth as much as the position: nothing is lost by it. Positions that differ in the stores only are
//! different nodes. The *main line* follows a holding move of each position: of those that get on fastest (or, for who is worse off,
//! slowest) the one after which the opponent has the fewest holding moves, then the leftmost.

use std::fmt::Write as _;

use serde::Serialize;

use super::levels::{Levels, Node, side};
use super::values::{OpeningError, Valued, Values};
use crate::board::Board;
use crate::rules::Rules;
use crate::rules::kpe::Kpe;
use crate::value::Value;

/// A position of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TreeNode {
    /// Plies from the start.
    pub ply: u8,
    /// The position.
    pub position: String,
    /// The first line that leads there.
    pub line: String,
    /// Sequences of moves that lead there.
    pub lines: u64,
    /// What the mover will still take minus what the opponent will.
    pub value: i8,
    /// Plies to the next irrevocable event; none if the value is 0.
    pub distance: Option<u16>,
    /// How many of its moves hold the value; none if neither book nor tables know them all.
    pub holding: Option<usize>,
    /// How many moves it has, listed or not.
    #[serde(skip_serializing)]
    pub choices: u32,
    /// Its moves from left to right; none at the last ply, which is not followed further, or if the game is over.
    pub moves: Vec<TreeMove>,
}

/// A move of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TreeMove {
    /// The letter of the pit.
    #[serde(rename = "move")]
    pub action: char,
    /// Stones captured.
    pub captured: u8,
    /// What it is worth to the mover, the capture included.
    pub value: i8,
    /// Whether it holds the value of the position.
    pub holds: bool,
    /// The place in the list of nodes it leads to.
    pub to: usize,
}

/// The tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tree {
    /// Plies from the start.
    pub plies: u8,
    /// The nodes ply after ply, the start first.
    pub nodes: Vec<TreeNode>,
    /// The main line.
    pub main_line: String,
}

/// The tree of so many plies; the opening book suffices for nine.
///
/// # Errors
/// [`OpeningError`].
pub fn tree(values: &Values<'_>, plies: u8) -> Result<Tree, OpeningError> {
    let levels = Levels::within(values.rules(), Kpe::start(), plies);
    let mut nodes = Vec::new();
    let mut next_ply = 0;
    for (ply, level) in levels.plies.iter().enumerate() {
        next_ply += level.len();
        let below = levels.plies.get(ply + 1);
        for at in 0..level.len() {
            nodes.push(tree_node(values, &levels, (ply as u8, at), below.map(|below| (next_ply, below.as_slice())))?);
        }
    }
    Ok(Tree { plies, nodes, main_line: main_line(values, plies.max(10))? })
}

fn tree_node(
    values: &Values<'_>,
    levels: &Levels,
    (ply, at): (u8, usize),
    below: Option<(usize, &[Node])>,
) -> Result<TreeNode, OpeningError> {
    let node = levels.plies[usize::from(ply)][at];
    let entry = values.entry(node.board)?;
    let over = values.rules().over(node.board).is_some();
    let known = match values.moves(node.board) {
        _ if over => Some(Vec::new()),
        Ok(moves) => Some(moves),
        // Of the last ply the moves are not listed, and they may lead beyond what is known.
        Err(OpeningError::NeedsTables { .. }) if below.is_none() => None,
        Err(error) => return Err(error),
    };
    let holding = known.as_ref().map(|moves| moves.iter().filter(|valued| valued.value == entry.value()).count());
    let mut moves = Vec::new();
    for (valued, (first, below)) in known.into_iter().flatten().filter_map(|valued| Some((valued, below?))) {
        let store = node.stores[1];
        // Every move leads to a node of the next ply.
        let to = below.iter().position(|n| n.board == valued.board && n.stores[0] == store).unwrap_or_default();
        moves.push(TreeMove {
            action: side(ply).pit_letter(valued.pit),
            captured: valued.captured,
            value: valued.value.0,
            holds: valued.value == entry.value(),
            to: first + to,
        });
    }
    Ok(TreeNode {
        ply,
        position: node.position(values.rules(), ply).to_string(),
        line: levels.line(ply, at),
        lines: node.lines,
        value: entry.value().0,
        distance: (entry.value() != Value::ZERO).then_some(entry.distance().0),
        holding,
        choices: if over { 0 } else { values.rules().moves(node.board).len() },
        moves,
    })
}

/// The main line, as far as values are known and at most so many plies.
///
/// # Errors
/// [`OpeningError`], but a line only ends where tables are missing.
pub fn main_line(values: &Values<'_>, plies: u8) -> Result<String, OpeningError> {
    let mut board = Kpe::start();
    let mut line = String::new();
    for ply in 0..plies {
        let next = match main_move(values, board) {
            Err(OpeningError::NeedsTables { .. }) => break,
            next => next?,
        };
        let Some(next) = next else { break };
        line.push(side(ply).pit_letter(next.pit));
        board = next.board;
    }
    Ok(line)
}

fn main_move(values: &Values<'_>, board: Board) -> Result<Option<Valued>, OpeningError> {
    let value = values.value(board)?;
    let mut held = Vec::new();
    for valued in values.moves(board)?.into_iter().filter(|valued| valued.value == value) {
        let entry = values.entry(valued.board)?;
        let plies = i32::from(entry.distance().0) * i32::from(value.0.signum());
        let replies = match values.moves(valued.board) {
            Ok(replies) => Some(replies.iter().filter(|reply| reply.value == entry.value()).count()),
            Err(OpeningError::NeedsTables { .. }) => None,
            Err(error) => return Err(error),
        };
        held.push((plies, replies, valued));
    }
    // Replies decide only where they are known of all these moves: what is not known is neither few nor many.
    let known = held.iter().all(|(_, replies, _)| replies.is_some());
    let key =
        |&(plies, replies, ref valued): &(i32, Option<usize>, Valued)| (plies, replies.filter(|_| known), valued.pit);
    Ok(held.into_iter().min_by_key(key).map(|(_, _, valued)| valued))
}

impl Tree {
    /// The tree in the language of Graphviz; moves that lose are drawn dotted.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph opening {\n  rankdir=LR;\n  node [shape=box];\n");
        for (at, node) in self.nodes.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "  n{at} [label=\"{}\\n{}\"];", node.position, Value(node.value));
            for action in &node.moves {
                let style = if action.holds { "solid" } else { "dotted" };
                let label = format!("{} {}", action.action, Value(action.value));
                let _ = writeln!(text, "  n{at} -> n{} [label=\"{label}\", style={style}];", action.to);
            }
        }
        text + "}\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pit;
    use crate::rules::Game;
    use crate::table::TableSet;

    /// Behind the last position of the book nobody knows what holds: unknown is not none.
    #[test]
    fn moves_that_hold_are_unknown_beyond_the_book() {
        let rules = Kpe::default();
        let set = TableSet::new(&Game::Kpe(rules));
        let values = Values::new(rules, &set).unwrap();
        // The main line, which captures nothing, as each mover numbers their pits.
        let line = [0, 0, 0, 3, 1, 2, 0, 1, 0, 0];
        let after =
            |plies| line.iter().take(plies).fold(Kpe::start(), |board, &pit| rules.play(board, Pit::new(pit)).board);
        let holding = |plies| {
            let levels = Levels::within(rules, after(plies), 0);
            let node = tree_node(&values, &levels, (0, 0), None).unwrap();
            assert!(node.moves.is_empty() && node.choices > 0);
            node.holding
        };
        assert!((0..10).all(|plies| holding(plies).is_some_and(|moves| moves > 0)));
        assert_eq!(holding(10), None);
    }
}
