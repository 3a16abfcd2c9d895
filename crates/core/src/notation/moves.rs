//! The text of a move, to and from.

use std::fmt;

use super::{Move, ParseError, Position, Problem, Side};
use crate::board::{Pit, Pits};
use crate::rules::Game;

/// What an offer's text begins with.
const OFFER: &str = "offer:";
/// Legal moves an error message lists at most.
const LISTED: usize = 12;

/// A move as text: it displays as a pit's letter, `offer:CD`, `accept`, `decline` or `pass`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveText {
    action: Move,
    side: Side,
}

impl Move {
    /// The text of the move when this player makes it.
    #[must_use]
    pub const fn text(self, side: Side) -> MoveText {
        MoveText { action: self, side }
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.action {
            Move::Sow(pit) => f.pad(self.side.pit_letter(pit).encode_utf8(&mut [0; 4])),
            Move::Offer(pits) => f.pad(&format!("{OFFER}{}", self.side.pit_letters(pits))),
            Move::Pass => f.pad("pass"),
            Move::Accept => f.pad("accept"),
            Move::Decline => f.pad("decline"),
        }
    }
}

impl Position {
    /// The legal move that this text means here.
    ///
    /// Kpé takes a pit's letter in either case. In Goré the exact letter is meant, and the other case is tried only
    /// if the exact pit is not the mover's.
    ///
    /// # Errors
    /// [`ParseError`] if the text is no move or the position does not allow it; it then lists the moves allowed.
    pub fn parse_move(&self, text: &str) -> Result<Move, ParseError> {
        let whole = 0..text.len();
        if self.totals().is_some() {
            return Err(ParseError::new(text, whole, Problem::Over));
        }
        let action = match text {
            "pass" => Some(Move::Pass),
            "accept" => Some(Move::Accept),
            "decline" => Some(Move::Decline),
            _ => match text.strip_prefix(OFFER) {
                Some(letters) => Some(Move::Offer(self.parse_offer(text, letters)?)),
                None => self.parse_sowing(text),
            },
        };
        let reason = match action.map(|action| (action, self.check_move(action))) {
            Some((action, Ok(()))) => return Ok(action),
            Some((_, Err(reason))) => Some(reason),
            None => None,
        };
        Err(ParseError::new(text, whole, Problem::Move { reason, legal: self.legal_list() }))
    }

    fn parse_sowing(&self, text: &str) -> Option<Move> {
        let mut letters = text.chars();
        let letter = letters.next()?;
        let pit = self.pit_meant(letter)?;
        letters.next().is_none().then_some(Move::Sow(pit))
    }

    /// The pits of an offer; `letters` is the end of `text`.
    fn parse_offer(&self, text: &str, letters: &str) -> Result<Pits, ParseError> {
        let start = text.len() - letters.len();
        if letters.is_empty() {
            return Err(ParseError::new(text, start..start, Problem::Letter));
        }
        let mut pits = Pits::NONE;
        for (at, letter) in letters.char_indices() {
            let place = start + at..start + at + letter.len_utf8();
            let Some(pit) = self.pit_meant(letter) else {
                return Err(ParseError::new(text, place, Problem::Letter));
            };
            if self.side().pits(pits).0 >> self.side().pit(pit).index() != 0 {
                return Err(ParseError::new(text, place, Problem::Order));
            }
            pits = pits.with(pit);
        }
        Ok(pits)
    }

    /// The mover's pit that a letter in either case means, else the pit it names exactly.
    fn pit_meant(&self, letter: char) -> Option<Pit> {
        let exact = self.side().pit_named(letter)?;
        let owned = match self.game() {
            Game::Kpe(_) => Pits::OWN,
            Game::Gore(_) => self.board().flags(),
        };
        // The two cases of a letter face each other: the same pit from the other player's view.
        let other = exact.opposite_view();
        Some(if !owned.contains(exact) && owned.contains(other) { other } else { exact })
    }

    fn legal_list(&self) -> String {
        let moves = self.moves();
        let texts: Vec<String> = moves.iter().take(LISTED).map(|action| action.text(self.side()).to_string()).collect();
        let more = if moves.len() > LISTED { " …" } else { "" };
        texts.join(", ") + more
    }
}
