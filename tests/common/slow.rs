//! A slow exhaustive solver, the oracle of the search: plain sweeps over all positions of a layer until nothing changes.
//!
//! It knows nothing of predecessors, runs or bytes, and shares with the program only the rules and the numbering. Positions
//! of value ±t are settled for t = n … 1, in rounds, so that the round is the distance; what is left over is 0 (RULES 4).

use std::collections::HashMap;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::rules::Rules;
use kpe::search::{MemoryTables, Step};
use kpe::value::{Distance, Entry, Value};

type Solved = Option<(i8, u16)>;

/// Where a move leads.
#[derive(Clone, Copy)]
enum Way {
    /// Out of the layer, with this value for the mover.
    Out(i8),
    /// To a position of the mirrored layer.
    Inside(u32),
}

/// Solved layers of one game.
pub struct Slow<R> {
    rules: R,
    layers: HashMap<Layer, Vec<(i8, u16)>>,
}

impl<R: Rules> Slow<R> {
    /// Nothing is solved yet.
    pub fn new(rules: R) -> Self {
        Self { rules, layers: HashMap::new() }
    }

    /// Value and distance of all positions of a layer, solving what it needs first.
    pub fn layer(&mut self, layer: Layer) -> &[(i8, u16)] {
        if !self.layers.contains_key(&layer) {
            self.solve_below(layer);
            self.solve(layer);
        }
        &self.layers[&layer]
    }

    /// The solved layers as tables.
    pub fn tables(&self, keep: impl Fn(Layer) -> bool) -> MemoryTables {
        let mut tables = MemoryTables::new();
        for (&layer, solved) in self.layers.iter().filter(|(layer, _)| keep(**layer)) {
            tables.insert(layer, solved.iter().map(|&(v, d)| Entry::new(Value(v), Distance(d))).collect());
        }
        tables
    }

    /// Everything a capture or a first sowing can lead to.
    fn solve_below(&mut self, layer: Layer) {
        for unsown in 0..=layer.unsown().0 {
            for stones in 0..=layer.stones() {
                let below = Layer::new(Pits(unsown), stones).filter(|&below| below != layer);
                let reachable = unsown & !layer.unsown().0 == 0;
                if let Some(below) = below.filter(|below| reachable && !self.layers.contains_key(below)) {
                    self.solve(below);
                }
            }
        }
    }

    /// Solves a layer and its mirror image; all layers below must be there.
    fn solve(&mut self, layer: Layer) {
        let pair = [layer, layer.mirror()];
        let ways = pair.map(|layer| self.ways(layer));
        let mut solved = pair.map(|layer| {
            let value = |number| self.rules.over(layer.unrank(number)).map(|value| (value, 0));
            (0..layer.positions()).map(value).collect::<Vec<Solved>>()
        });
        for t in (1..=layer.stones() as i8).rev() {
            for round in 1.. {
                let fresh: [Vec<_>; 2] =
                    [0, 1].map(|side| settle(&ways[side], &solved[side], &solved[1 - side], t, round));
                if fresh.iter().all(Vec::is_empty) {
                    break;
                }
                for (solved, fresh) in solved.iter_mut().zip(fresh) {
                    fresh.into_iter().for_each(|(number, result)| solved[number] = Some(result));
                }
            }
        }
        for (layer, solved) in pair.into_iter().zip(solved) {
            self.layers.insert(layer, solved.into_iter().map(|result| result.unwrap_or((0, 0))).collect());
        }
    }

    fn ways(&self, layer: Layer) -> Vec<Vec<Way>> {
        let ways = |number| {
            let board = layer.unrank(number);
            let way = |step: Step| {
                let (next, captured) = step.play(&self.rules, board);
                let to = Layer::of(next);
                if to == layer.mirror() {
                    return Way::Inside(to.rank(next));
                }
                // A capture stays among the same unsown pits, so one of the two layers is there.
                Way::Out(captured as i8 - self.layers[&to][to.rank(next) as usize].0)
            };
            Step::legal(&self.rules, board).map(way).collect()
        };
        (0..layer.positions()).map(ways).collect()
    }
}

/// The positions of one side that become settled in a round: gains of t, and losses of t that cannot be escaped.
///
/// A finished child counts as leaving at distance 1, like every other child of distance 0.
fn settle(ways: &[Vec<Way>], own: &[Solved], other: &[Solved], t: i8, round: u16) -> Vec<(usize, (i8, u16))> {
    let mut fresh = Vec::new();
    for number in (0..own.len()).filter(|&number| own[number].is_none()) {
        // Value and distance of each move, as far as they are settled; what leaves has distance 1.
        let moves = ways[number].iter().map(|&way| match way {
            Way::Out(value) => Some((value, 1)),
            Way::Inside(child) => other[child as usize].map(|(value, distance)| (-value, distance + 1)),
        });
        let gains = |m: Solved| m.is_some_and(|(value, distance)| value >= t && distance <= round);
        if moves.clone().any(gains) {
            fresh.push((number, (t, round)));
        } else if moves.clone().all(|m| m.is_some_and(|(value, _)| value <= -t)) {
            let kept = moves.flatten().filter(|m| m.0 == -t).map(|m| m.1);
            let distance = kept.max().expect("what was lost higher up was settled there");
            if distance <= round {
                fresh.push((number, (-t, distance)));
            }
        }
    }
    fresh
}
