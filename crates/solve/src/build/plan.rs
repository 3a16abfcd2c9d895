//! What a build consists of: the layer pairs of a set, in an order in which each follows what it needs.

use std::collections::HashMap;
use std::ops::Range;

use crate::board::{MAX_STONES, Pits};
use crate::index::{Layer, layers_of};
use crate::retro::Children;
use crate::rules::Game;
use crate::table::BLOCK_POSITIONS;

/// A layer and its mirror image, solved and stored together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pair {
    /// The layer of the two whose unsown pits make the smaller set; the only one if it is its own mirror image.
    pub layer: Layer,
    /// Numbers in the plan of the pairs it reads.
    pub needs: Vec<usize>,
    /// Numbers in the plan of the pairs that read it.
    pub users: Vec<usize>,
}

impl Pair {
    /// The layers of the pair: one or two.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + use<> {
        layers_of(self.layer)
    }

    /// Positions in the pair.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.layers().map(|layer| u64::from(layer.positions())).sum()
    }
}

/// The pairs of a set; each needs only pairs before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The pairs, fewest unsown pits first, then fewest stones.
    pub pairs: Vec<Pair>,
}

/// Bytes of memory a pair takes while it is solved, per position: its cell, the lists of boards, its packed form.
const WORK_BYTES: u64 = 8;
/// Bytes that any build takes: the program, model counts, buffers.
const FIXED_BYTES: u64 = 64 << 20;

/// Bytes of a file's head with the models of both its layers, at most.
const HEAD_BYTES: u64 = 4 << 10;
/// Bytes a block takes in the table of blocks of its file.
const BLOCK_ROW: u64 = 12;
/// Bytes the lists of the set take for each file, at most, and those that do not hang on the number of files.
const LISTED_BYTES: [u64; 2] = [512, 64 << 10];
/// Disks give room in pieces of so many bytes.
const CLUSTER: u64 = 4 << 10;

/// Bytes of disk the file of a pair takes at most.
///
/// Packed positions take a sixth less than said here in the sets that were built; more stones pack better.
fn disk_bytes(game: &Game, pair: &Pair) -> u64 {
    let locked_game = match pair.layer.stones() {
        0..=32 => 5,
        33..=40 => 4,
        _ => 3,
    };
    // Goré packs worse.
    let eighths = if matches!(game, Game::Kpe(_)) { locked_game } else { locked_game + 3 };
    let blocks: u64 = pair.layers().map(|layer| u64::from(layer.positions().div_ceil(BLOCK_POSITIONS))).sum();
    let bytes = HEAD_BYTES + blocks * BLOCK_ROW + (pair.positions() * eighths).div_ceil(8);
    bytes.next_multiple_of(CLUSTER)
}

impl Plan {
    /// The set of `game` with at most `stones` stones on the board; odd numbers only if asked for, since captures are
    /// even and the start has 48. While both players are locked nothing can be captured, so those layers are part of
    /// the set at 48 stones only.
    #[must_use]
    pub fn new(game: &Game, stones: u8, odd: bool) -> Self {
        let locks: Range<u16> = if matches!(game, Game::Kpe(_)) { 0..256 } else { 0..1 };
        let mut layers: Vec<Layer> = locks
            .flat_map(|unsown| (0..=stones).filter_map(move |n| Layer::new(Pits(unsown as u8), n)))
            .filter(|layer| odd || layer.stones() % 2 == 0)
            .filter(|layer| *layer <= layer.mirror())
            .filter(|layer| {
                let one_sided =
                    layer.unsown().and(Pits::OWN).is_empty() || layer.unsown().and(Pits::OPPONENT).is_empty();
                one_sided || layer.stones() == MAX_STONES
            })
            .collect();
        layers.sort_by_key(|layer| (layer.unsown().len(), layer.stones(), layer.unsown()));
        Self { pairs: connect(layers) }
    }

    /// Positions in the whole set.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.pairs.iter().map(Pair::positions).sum()
    }

    /// Bytes of memory that solving these pairs one after the other takes at its highest, given which are solved already.
    #[must_use]
    pub fn peak_memory(&self, solved: &[bool]) -> u64 {
        let mut open_users: Vec<usize> =
            self.pairs.iter().map(|pair| pair.users.iter().filter(|&&user| !solved[user]).count()).collect();
        let mut held: u64 =
            (0..self.pairs.len()).filter(|&at| solved[at] && open_users[at] > 0).map(|at| self.kept_bytes(at)).sum();
        let mut peak = 0;
        for at in (0..self.pairs.len()).filter(|&at| !solved[at]) {
            peak = peak.max(held + self.work_bytes(at));
            for &need in &self.pairs[at].needs {
                open_users[need] -= 1;
                if open_users[need] == 0 {
                    held -= self.kept_bytes(need);
                }
            }
            if open_users[at] > 0 {
                held += self.kept_bytes(at);
            }
        }
        peak + FIXED_BYTES
    }

    /// Bytes of disk that the pairs not yet solved and the lists of the set take at most.
    #[must_use]
    pub fn disk(&self, game: &Game, solved: &[bool]) -> u64 {
        let files: u64 =
            self.pairs.iter().zip(solved).filter(|(_, solved)| !**solved).map(|(pair, _)| disk_bytes(game, pair)).sum();
        let [each, fixed] = LISTED_BYTES;
        files + each * self.pairs.len() as u64 + fixed
    }

    /// Bytes a pair takes while it is solved.
    #[must_use]
    pub fn work_bytes(&self, pair: usize) -> u64 {
        WORK_BYTES * self.pairs[pair].positions()
    }

    /// Bytes a solved pair takes while others need it: one a position.
    #[must_use]
    pub fn kept_bytes(&self, pair: usize) -> u64 {
        self.pairs[pair].positions()
    }
}

/// Finds out which pairs need which.
fn connect(layers: Vec<Layer>) -> Vec<Pair> {
    let number: HashMap<Layer, usize> =
        layers.iter().enumerate().flat_map(|(at, &layer)| layers_of(layer).map(move |side| (side, at))).collect();
    let mut pairs: Vec<Pair> =
        layers.iter().map(|&layer| Pair { layer, needs: Vec::new(), users: Vec::new() }).collect();
    for at in 0..pairs.len() {
        let children = pairs[at].layers().flat_map(|side| Children::layers(side).map(|(_, child)| child));
        let mut needs: Vec<usize> = children.filter_map(|child| number.get(&child).copied()).collect();
        needs.sort_unstable();
        needs.dedup();
        for &need in &needs {
            pairs[need].users.push(at);
        }
        pairs[at].needs = needs;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::gore::Gore;
    use crate::rules::kpe::Kpe;

    #[test]
    fn the_complete_sets_have_the_sizes_of_the_rules() {
        let plan = Plan::new(&Game::Kpe(Kpe::default()), 48, false);
        assert_eq!(plan.positions(), 5_712_575_732);
        let unlocked: u64 = plan.pairs.iter().filter(|p| p.layer.unsown().is_empty()).map(Pair::positions).sum();
        assert_eq!(unlocked, 764_395_515);
        assert_eq!(Plan::new(&Game::Gore(Gore::default()), 48, false).positions(), 764_395_515);
    }

    #[test]
    fn every_pair_follows_what_it_needs() {
        for odd in [false, true] {
            let plan = Plan::new(&Game::Kpe(Kpe::default()), 48, odd);
            for (at, pair) in plan.pairs.iter().enumerate() {
                assert!(pair.needs.iter().all(|&need| need < at), "{pair:?}");
                assert!(pair.users.iter().all(|&user| plan.pairs[user].needs.contains(&at)));
            }
        }
    }

    #[test]
    fn nothing_left_to_do_needs_next_to_nothing() {
        let plan = Plan::new(&Game::Kpe(Kpe::default()), 48, false);
        let all = vec![true; plan.pairs.len()];
        assert_eq!(plan.peak_memory(&all), FIXED_BYTES);
        let none = vec![false; plan.pairs.len()];
        assert!(plan.peak_memory(&none) < 10 << 30, "{}", plan.peak_memory(&none));
    }
}
