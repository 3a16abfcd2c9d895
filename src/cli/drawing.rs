//! Positions and results as people see them.

use std::cmp::Ordering;

use kpe::notation::{Position, Side};
use kpe::rules::Game;

use super::style::Style;

const NORTH_LETTERS: [char; 4] = ['d', 'c', 'b', 'a'];
const SOUTH_LETTERS: [char; 4] = ['A', 'B', 'C', 'D'];
/// Marks the player to move.
pub(super) const TURN: char = '▸';
/// Lines of the board itself, without what is said below it.
pub(super) const BOARD_LINES: usize = 7;
/// Marks a pit of Kpé that its owner has not yet sown from.
const UNSOWN: char = '°';
/// Mark pits of Goré that belong to the player of the other row.
const OWNED_BY_NORTH: char = '▲';
const OWNED_BY_SOUTH: char = '▼';
/// Marks pits of Goré that the mover is offered.
const OFFERED: char = '?';

/// The board, one text a line, with whose turn it is and what the marks on it mean. At most 60 columns. That a game is over is
/// left to be said by whoever knows why.
pub(super) fn board(position: &Position, style: Style) -> Vec<String> {
    let letters = |letters: [char; 4]| {
        let row: String = letters.iter().map(|letter| format!("  {letter}  ")).collect();
        style.dim(&format!("{:11}{}", "", row.trim_end()))
    };
    let row = |side: Side, letters: [char; 4], store: u8| {
        let pits: Vec<String> = letters.iter().map(|&letter| pit(position, letter)).collect();
        let turn = if side == position.side() { TURN } else { ' ' };
        let name = format!("{turn} {side:<7}");
        let name = if side == position.side() { style.bold(&name) } else { name };
        format!(" {name} │{}│  {store} captured", pits.join("│"))
    };
    let [south, north] = position.stores();
    let mut lines = vec![
        letters(NORTH_LETTERS),
        format!("{:11}┌────┬────┬────┬────┐", ""),
        row(Side::North, NORTH_LETTERS, north),
        format!("{:11}├────┼────┼────┼────┤", ""),
        row(Side::South, SOUTH_LETTERS, south),
        format!("{:11}└────┴────┴────┴────┘", ""),
        letters(SOUTH_LETTERS),
    ];
    // Rows of letters are a column to the left of the pits' borders.
    for line in [0, 6] {
        lines[line].insert(0, ' ');
    }
    let told = turn(position);
    if !told.is_empty() {
        lines.extend([String::new(), format!("  {}", told.join(";  "))]);
    }
    lines
}

/// One pit: stones and marks, four columns.
fn pit(position: &Position, letter: char) -> String {
    let number = "ABCDabcd".find(letter).unwrap_or(0);
    let mut marks = String::new();
    match position.game() {
        Game::Kpe(_) if unsown(position).contains(letter) => marks.push(UNSOWN),
        Game::Kpe(_) => {}
        Game::Gore(_) => {
            let souths = position.owned_by(Side::South).contains(letter);
            match letter.is_ascii_uppercase() {
                true if !souths => marks.push(OWNED_BY_NORTH),
                false if souths => marks.push(OWNED_BY_SOUTH),
                _ => {}
            }
            if offered(position).contains(letter) {
                marks.push(OFFERED);
            }
        }
    }
    format!("{:>2}{marks:<2}", position.pits()[number])
}

fn unsown(position: &Position) -> String {
    position.side().pit_letters(position.board().flags())
}

fn offered(position: &Position) -> String {
    position.side().pit_letters(position.offered())
}

/// Whose turn it is, if the game goes on, and what the marks on the board mean.
fn turn(position: &Position) -> Vec<String> {
    let side = position.side();
    let mut parts = match position.offered().is_empty() {
        _ if position.totals().is_some() => Vec::new(),
        true => vec![format!("{side} to move")],
        false => vec![format!("{side} must accept or decline the pits marked {OFFERED}")],
    };
    match position.game() {
        Game::Kpe(_) if !unsown(position).is_empty() => parts.push(format!("{UNSOWN} not yet sown from")),
        Game::Kpe(_) => {}
        Game::Gore(_) => {
            let souths = position.owned_by(Side::South);
            if souths.contains(|letter: char| letter.is_ascii_lowercase()) {
                parts.push(format!("{OWNED_BY_SOUTH} South's"));
            }
            if position.owned_by(Side::North).contains(|letter: char| letter.is_ascii_uppercase()) {
                parts.push(format!("{OWNED_BY_NORTH} North's"));
            }
        }
    }
    parts
}

/// Who has won with so many stones.
pub(super) fn winner<T: Ord>(south: T, north: T) -> &'static str {
    match south.cmp(&north) {
        Ordering::Greater => "South wins",
        Ordering::Equal => "a draw",
        Ordering::Less => "North wins",
    }
}

/// A finished game in a sentence.
pub(super) fn ending([south, north]: [u8; 2]) -> String {
    format!("The game is over: South has {south} stones, North {north}; {}.", winner(south, north))
}

/// A finished game in a few words.
pub(super) fn short_ending([south, north]: [u8; 2]) -> String {
    format!("over, South {south} North {north}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(game: &str, text: &str) -> String {
        let position = Position::parse(text, Game::named(game).unwrap()).unwrap();
        board(&position, Style::PLAIN).join("\n")
    }

    #[test]
    fn the_start_has_every_pit_locked() {
        insta::assert_snapshot!(drawn("kpe", "startpos"));
    }

    #[test]
    fn pits_that_changed_hands_are_marked() {
        insta::assert_snapshot!(drawn("gore", "4-3-3-2-3-3-3-1-12-12-N@BCDa~Ba"));
    }

    #[test]
    fn endings_name_the_winner() {
        assert_eq!(ending([30, 18]), "The game is over: South has 30 stones, North 18; South wins.");
        assert_eq!(ending([24, 24]), "The game is over: South has 24 stones, North 24; a draw.");
        assert_eq!(short_ending([1, 2]), "over, South 1 North 2");
    }
}
