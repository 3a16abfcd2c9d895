//! A board as the page draws it.

use serde::Serialize;

use crate::notation::{Position, Side};
use crate::rules::Game;

/// The letters of the pits in the order of the documents.
const LETTERS: [char; 8] = ['A', 'B', 'C', 'D', 'a', 'b', 'c', 'd'];

#[derive(Serialize)]
pub(super) struct BoardDocument {
    /// In the order ABCDabcd.
    pits: Vec<PitDocument>,
    stores: BySide<u8>,
    /// The player to move.
    side: char,
    /// The pits on offer, which the player to move must accept or decline.
    offer: Option<Vec<char>>,
    /// Whether the player may capture.
    unlocked: BySide<bool>,
}

#[derive(Serialize)]
struct PitDocument {
    letter: char,
    stones: u8,
    owner: char,
    /// Kpé: its owner has not yet sown from it.
    locked: bool,
}

/// Something of South and of North.
#[derive(Serialize)]
pub(super) struct BySide<T> {
    #[serde(rename = "S")]
    south: T,
    #[serde(rename = "N")]
    north: T,
}

impl BoardDocument {
    pub(super) fn new(position: &Position) -> Self {
        let side = position.side();
        let unsown = match position.game() {
            Game::Kpe(_) => side.pit_letters(position.board().flags()),
            Game::Gore(_) => String::new(),
        };
        let souths = position.owned_by(Side::South);
        let pit = |(letter, stones): (char, u8)| PitDocument {
            letter,
            stones,
            owner: if souths.contains(letter) { Side::South } else { Side::North }.letter(),
            locked: unsown.contains(letter),
        };
        let [south, north] = position.stores();
        let offered = position.offered();
        Self {
            pits: LETTERS.into_iter().zip(position.pits()).map(pit).collect(),
            stores: BySide { south, north },
            side: side.letter(),
            offer: (!offered.is_empty()).then(|| side.pit_letters(offered).chars().collect()),
            unlocked: BySide {
                south: !unsown.contains(|letter: char| letter.is_ascii_uppercase()),
                north: !unsown.contains(|letter: char| letter.is_ascii_lowercase()),
            },
        }
    }
}
