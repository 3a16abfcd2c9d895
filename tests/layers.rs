//! The counts of every layer that an independent solver has published equal ours.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use kpe::board::Pits;
use kpe::index::Layer;
use kpe::retro::{Observer, SolvedLayer, solve_pair};
use kpe::rules::{Game, Rules};

#[derive(Debug, PartialEq, Eq, Clone, Copy, Default)]
struct Counts {
    positions: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sum_value_squared: u64,
    max_distance: u64,
    sum_distance: u64,
}

impl Counts {
    fn of(solved: &SolvedLayer) -> Self {
        let mut counts = Self::default();
        for entry in solved.entries.iter() {
            let (value, distance) = (i64::from(entry.value().0), u64::from(entry.distance().0));
            counts.positions += 1;
            counts.wins += u64::from(value > 0);
            counts.draws += u64::from(value == 0);
            counts.losses += u64::from(value < 0);
            counts.sum_value_squared += (value * value) as u64;
            counts.max_distance = counts.max_distance.max(distance);
            counts.sum_distance += if value == 0 { 0 } else { distance };
        }
        counts
    }
}

fn unsown(own: &str, other: &str) -> Pits {
    let bit = |letters: &str, first: u8, shift: u8| {
        letters.bytes().filter(|&b| b != b'-').fold(0, |set, b| set | 1 << (b - first + shift))
    };
    Pits(bit(own, b'A', 0) | bit(other, b'a', 4))
}

#[test]
fn every_published_layer_is_reproduced() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/layers.tsv")).unwrap();
    let mut expected: HashMap<(String, String), Vec<(Layer, Counts)>> = HashMap::new();
    for line in text.lines().filter(|l| !l.starts_with('#') && !l.starts_with("game\t")) {
        let f: Vec<&str> = line.split('\t').collect();
        let n = |i: usize| f[i].parse::<u64>().unwrap();
        let layer = Layer::new(unsown(f[2], f[3]), n(4) as u8).unwrap();
        let counts = Counts {
            positions: n(5),
            wins: n(6),
            draws: n(7),
            losses: n(8),
            sum_value_squared: n(9),
            max_distance: n(10),
            sum_distance: n(11),
        };
        expected.entry((f[0].into(), f[1].into())).or_default().push((layer, counts));
    }
    for ((name, options), layers) in expected {
        match Game::parse(&name, &options).unwrap() {
            Game::Kpe(rules) => check(rules, &layers),
            Game::Gore(rules) => check(rules.no_trade().unwrap(), &layers),
        }
    }
}

fn check<R: Rules + std::fmt::Debug>(rules: R, expected: &[(Layer, Counts)]) {
    let mut order: Vec<&(Layer, Counts)> = expected.iter().collect();
    order.sort_by_key(|(layer, _)| (layer.unsown().len(), layer.stones()));
    let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
    let mut counts: HashMap<Layer, Counts> = HashMap::new();
    let stop = AtomicBool::new(false);
    let observer = Observer { stop: &stop, progress: &|_| () };
    for (layer, expected) in order {
        if !values.contains_key(layer) {
            let solved = solve_pair(rules, *layer, |child| values.get(&child).map(Vec::as_slice), &observer).unwrap();
            for solved in solved {
                counts.insert(solved.layer, Counts::of(&solved));
                values.insert(solved.layer, solved.entries.iter().map(|e| e.value().0).collect());
            }
        }
        assert_eq!(counts[layer], *expected, "{rules:?} {layer:?}");
    }
}
