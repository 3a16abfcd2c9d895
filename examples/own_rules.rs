//! A rule of one's own, solved: Kpé in which single captures only are made. `cargo run --release --example own_rules`.
//!
//! All the solver needs is an implementation of `Rules`; the layers of fewer stones are solved first, since captures lead there.

use std::collections::HashMap;

use kpe::board::{Board, Origin, Pit, Pits};
use kpe::index::Layer;
use kpe::retro::{Observer, solve_pair};
use kpe::rules::kpe::Kpe;
use kpe::rules::{Played, Rules};

/// Kpé without chains: only the pit in which the last stone fell is captured. For boards on which nobody is locked.
#[derive(Clone, Copy)]
struct WithoutChains(Kpe);

impl Rules for WithoutChains {
    const PASSES: bool = Kpe::PASSES;
    const TWO_ARMED: bool = Kpe::TWO_ARMED;

    fn origin(&self) -> Origin {
        self.0.origin()
    }

    fn over(&self, board: Board) -> Option<i8> {
        self.0.over(board)
    }

    fn moves(&self, board: Board) -> Pits {
        let all = board.occupied().and(Pits::OWN);
        if !board.opponent_is_empty() {
            return all;
        }
        // A move feeds if the opponent has a stone after it, so it depends on the captures.
        let feeding = all.into_iter().filter(|&pit| !self.play(board, pit).board.own_is_empty());
        match feeding.fold(Pits::NONE, Pits::with) {
            Pits::NONE => all,
            feeding => feeding,
        }
    }

    fn may_capture(&self, board: Board, pit: Pit) -> bool {
        self.0.may_capture(board, pit)
    }

    fn captures(&self, sown: Board, last: Pit) -> Pits {
        let captured = self.0.captures(sown, last);
        if captured.is_empty() { captured } else { Pits::NONE.with(last) }
    }

    fn play(&self, board: Board, pit: Pit) -> Played {
        let (sown, last) = board.sow(pit, self.origin());
        let mut board = sown;
        let mut captured = 0;
        if !last.is_own() && self.may_capture(board, pit) {
            (board, captured) = sown.take(self.captures(sown, last));
        }
        Played { board: board.rotate(), captured }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let observer = Observer { stopped: &|| false, progress: &|_| {} };
    let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
    for stones in (0..=16).step_by(2) {
        let layer = Layer::new(Pits::NONE, stones).ok_or("no such layer")?;
        let lower = |layer| values.get(&layer).map(Vec::as_slice);
        let solved = solve_pair(WithoutChains(Kpe::default()), layer, lower, &observer)?;
        for solved in solved {
            let found: Vec<i8> = solved.entries.to_vec().iter().map(|entry| entry.value().0).collect();
            let won = found.iter().filter(|&&value| value > 0).count();
            println!("{stones:>2} stones: {} positions, {won} won for the player to move", found.len());
            values.insert(layer, found);
        }
    }
    Ok(())
}
