//! What the highest level knows of the positions of a game. What it has said of one it says again: a search that is asked a
//! second time knows more, and its estimates would differ.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use kpe::level::Level;
use kpe::notation::Position;
use kpe::player::{Assessment, Player};
use kpe::record::Playing;
use kpe::search::Limits;

use crate::cli::args::PlaceArgs;
use crate::cli::opponent;

/// The adviser of a session.
#[derive(Default)]
pub(super) struct Adviser {
    player: Option<Player>,
    /// By the positions of a game up to the one in question, for what may be repeated counts.
    known: HashMap<Vec<Position>, Assessment>,
}

impl Adviser {
    /// What he knows of a position, searched within these limits if he has not been asked before.
    pub(super) fn assess(
        &mut self,
        place: &PlaceArgs,
        playing: &Playing,
        limits: &Limits,
        stop: &AtomicBool,
    ) -> anyhow::Result<Assessment> {
        let mut way = playing.earlier().to_vec();
        way.push(*playing.position());
        if let Some(assessment) = self.known.get(&way) {
            return Ok(assessment.clone());
        }
        let game = playing.game();
        let player = match self.player.take() {
            Some(player) if *player.game() == game => player,
            _ => opponent::open(place, &game, Level::HIGHEST, 0, limits)?,
        };
        let limits = Limits { lines: usize::MAX, ..limits.clone() };
        let assessment = player.assess(playing, None, &limits, stop, &mut |_| ())?;
        self.player = Some(player);
        if !stop.load(Relaxed) {
            self.known.insert(way, assessment.clone());
        }
        Ok(assessment)
    }

    /// Forgets the positions of a game that is left.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }
}
