//! What happens in a game, in sentences: for people who read, listen, or look at a pipe.

use kpe::echo::plain;
use kpe::notation::{Move, Position, Side, Sowing};
use kpe::player::AssessedMove;
use kpe::record::{Ending, Playing, Reason, Record};
use kpe::rules::{Game, Loops};
use kpe::value::Kind;

use crate::cli::advice::words;
use crate::cli::args::title;

/// `2 stones`, `1 stone`.
pub(super) fn stones(count: impl Into<u32>) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { "stone" } else { "stones" })
}

/// `A`, `A and B`, `A, B and C`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `Kpé`, `Goré, trade=off`: the game with those of its options that are not the usual ones.
pub(super) fn game(game: &Game) -> String {
    let usual = Game::named(game.name()).map_or(String::new(), |usual| usual.to_string());
    let (named, usual) = (game.to_string(), usual.split(',').map(str::to_owned).collect::<Vec<_>>());
    let own = named.split(',').filter(|option| !usual.iter().any(|usual| usual == option)).collect::<Vec<_>>();
    let own = if own.is_empty() { String::new() } else { format!(", {}", own.join(",")) };
    title(game).to_owned() + &own
}

fn letters(letters: &str) -> String {
    list(&letters.chars().map(String::from).collect::<Vec<_>>())
}

/// A legal move of this position as a sentence or two.
pub(super) fn made(position: &Position, action: Move) -> String {
    let side = position.side();
    match (action, position.sowing(action)) {
        (Move::Sow(_), Ok(Some(sowing))) => sown(position, &sowing),
        (Move::Offer(pits), _) => {
            let price = 6 * pits.len();
            format!("{side} offers {} for {price} stones.", letters(&side.pit_letters(pits)))
        }
        (Move::Accept, _) => {
            let (pits, price) = (side.pit_letters(position.offered()), 6 * position.offered().len());
            let are = if price == 6 { "is" } else { "are" };
            format!("{side} accepts and pays {price} stones; {} {are} {side}'s now.", letters(&pits))
        }
        (Move::Decline, _) => format!("{side} declines."),
        _ => format!("{side} has no stones to sow and passes."),
    }
}

fn sown(position: &Position, sowing: &Sowing) -> String {
    let side = position.side();
    let origin = side.pit_letter(sowing.origin);
    let last = sowing.path.last().map_or(origin, |&pit| side.pit_letter(pit));
    let hand = sowing.path.len() as u32;
    let mut text = format!("{side} sows {origin}, {}, the last in {last}.", stones(hand));
    // Stones in a pit after the sowing, before any are captured.
    let after = |letter: char| {
        let before = "ABCDabcd".find(letter).map_or(0, |at| position.pits()[at]);
        let dropped = sowing.path.iter().filter(|&&pit| side.pit_letter(pit) == letter).count() as u8;
        if letter == origin { dropped } else { before + dropped }
    };
    let captured: Vec<char> = side.pit_letters(sowing.captured).chars().collect();
    let total: u8 = captured.iter().map(|&letter| after(letter)).sum();
    if captured.len() == 1 {
        text += &format!(" {} captured from {}.", stones(total), captured[0]);
    } else if !captured.is_empty() {
        let parts: Vec<String> = captured.iter().map(|&letter| format!("{} from {letter}", after(letter))).collect();
        text += &format!(" {} captured: {}.", stones(total), list(&parts));
    } else if is_locked(position, side)
        && side.pit_named(last).is_some_and(|pit| !pit.is_own())
        && [2, 4].contains(&after(last))
    {
        text += &format!(" Nothing is captured, for {side} is locked.");
    }
    if sowing.unlocks {
        text += &format!(" {side} has now sown from every pit and may capture.");
    }
    text
}

/// The pits of Kpé that a player has not yet sown from.
fn unsown(position: &Position, side: Side) -> String {
    let Game::Kpe(_) = position.game() else { return String::new() };
    let all = position.side().pit_letters(position.board().flags());
    all.chars().filter(|letter| letter.is_ascii_uppercase() == (side == Side::South)).collect()
}

fn is_locked(position: &Position, side: Side) -> bool {
    !unsown(position, side).is_empty()
}

/// The board in words: a line for each player and one for whose turn it is.
pub(super) fn board(position: &Position) -> Vec<String> {
    let row = |side: Side| {
        let number = |letter: char| "ABCDabcd".find(letter).map_or(0, |at| position.pits()[at]);
        let pits: Vec<String> =
            position.owned_by(side).chars().map(|letter| format!("{letter} {}", number(letter))).collect();
        let store = position.stores()[side as usize];
        let unsown = unsown(position, side);
        let lock = match unsown.is_empty() {
            true => String::new(),
            false => format!(" Locked: not yet sown from {}.", letters(&unsown)),
        };
        format!("{side}: {}; {store} captured.{lock}", pits.join(", "))
    };
    vec![row(Side::North), row(Side::South), turn(position)]
}

/// Whose turn it is and what for.
pub(super) fn turn(position: &Position) -> String {
    let side = position.side();
    if position.totals().is_some() {
        "The game is over.".to_owned()
    } else if position.offered().is_empty() {
        format!("{side} to move.")
    } else {
        let offered = letters(&side.pit_letters(position.offered()));
        format!("{side} must accept or decline {offered}, for {} stones.", 6 * position.offered().len())
    }
}

/// Why and how a game has ended; nothing if it goes on.
pub(super) fn ended(record: &Record) -> Vec<String> {
    let playing = record.playing();
    if let Some(ending) = playing.ending() {
        return vec![reason(playing, ending), totals(ending)];
    }
    let Some(award) = record.awarded() else { return Vec::new() };
    let outcome = award.winner.map_or("a draw".to_owned(), |winner| format!("{winner} wins"));
    vec![match award.winner {
        Some(winner) if award.how == "resignation" => {
            format!("The game is over: {} resigns, {outcome}.", winner.other())
        }
        _ if award.is_unexplained() => {
            format!("The game is over: {outcome}, no reason given.")
        }
        _ => format!("The game is over: {outcome} ({}).", plain(&award.how)),
    }]
}

fn reason(playing: &Playing, ending: Ending) -> String {
    let position = playing.position();
    let left = position.board().total();
    match (ending.reason, playing.game()) {
        (Reason::Rules, Game::Kpe(_)) if left == 0 => "The game is over: no stones are left on the board.".to_owned(),
        (Reason::Rules, Game::Kpe(_)) => {
            let (side, other) = (position.side(), position.side().other());
            let left = stones(left);
            format!("The game is over: {side} has no stones to move. What lies in {other}'s row, {left}, is {other}'s.")
        }
        (Reason::Rules, Game::Gore(_)) => {
            "The game is over: no pit holds three stones. What is left belongs to the owners of the pits.".to_owned()
        }
        (Reason::Repetition, game) => {
            let whose = match (playing.loops(), game) {
                (Loops::Split, _) => "is shared equally",
                (Loops::Own, Game::Kpe(_)) => "goes to the players in whose rows it lies",
                (Loops::Own, Game::Gore(_)) => "goes to the owners of the pits",
            };
            format!("The game is over: this position was there before. What is left, {}, {whose}.", stones(left))
        }
    }
}

fn totals(ending: Ending) -> String {
    let [south, north] = ending.totals();
    let outcome = ending.winner().map_or("it is a draw".to_owned(), |side| format!("{side} wins"));
    let glory = if ending.without_glory { ", a victory without glory: the winner has declined an offer" } else { "" };
    format!("South has {south} stones, North {north}; {outcome}{glory}.")
}

/// The legal moves with what they capture.
pub(super) fn moves(position: &Position) -> String {
    let outcomes = position.outcomes();
    let texts = outcomes.iter().map(|outcome| {
        let action = outcome.action.text(position.side());
        if outcome.captured > 0 { format!("{action} (captures {})", outcome.captured) } else { action.to_string() }
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// A move and its value: `C: +4, exact, captures 2`.
pub(super) fn valued(side: Side, valued: &AssessedMove) -> String {
    let sure = if valued.is_upper && valued.kind == Kind::Estimate { "estimate or less" } else { words(valued.kind) };
    let captures = if valued.captured > 0 { format!(", captures {}", valued.captured) } else { String::new() };
    format!("{}: {}, {sure}{captures}", valued.action.text(side), valued.value)
}
