//! A quick look: positions drawn at random are checked through the same door that everybody probes.

use std::sync::atomic::Ordering;

use super::{Fault, Progress, Report, VerifyError, VerifyOptions};
use crate::board::Board;
use crate::forward::{Claim, layered};
use crate::index::Layer;
use crate::rules::{Rules, with_rules};
use crate::table::{TableError, TableSet};

/// Checks `count` positions of `set`, drawn evenly from all its positions by a generator that starts from `seed`.
///
/// # Errors
/// As [`super::verify`].
pub fn verify_sample(
    set: &TableSet,
    count: u64,
    seed: u64,
    options: &VerifyOptions<'_>,
) -> Result<Report, VerifyError> {
    let layered = layered(set.game())?;
    let layers: Vec<Layer> =
        set.files()?.iter().flat_map(|file| file.metadata().sections.iter().map(|section| section.layer)).collect();
    let positions: u64 = layers.iter().map(|layer| u64::from(layer.positions())).sum();
    let mut report = Report::default();
    if positions == 0 {
        return Ok(report);
    }
    (options.observe)(Progress::Start(count));
    let mut generator = SplitMix(seed);
    for done in 0..count {
        if options.stop.load(Ordering::Relaxed) {
            return Err(VerifyError::Stopped);
        }
        let mut number = generator.next() % positions;
        let mut at = 0;
        while number >= u64::from(layers[at].positions()) {
            number -= u64::from(layers[at].positions());
            at += 1;
        }
        let layer = layers[at];
        report.faults.extend(with_rules!(layered, rules => check(rules, set, layer, number as u32))?);
        report.positions += 1;
        if done % 64 == 63 {
            (options.observe)(Progress::Positions(64));
        }
    }
    (options.observe)(Progress::Positions(count % 64));
    Ok(report)
}

/// Checks one position by probing those one move on.
fn check<R: Rules>(rules: R, set: &TableSet, layer: Layer, number: u32) -> Result<Option<Fault>, TableError> {
    let board = layer.unrank(number);
    let probe = |board: Board| {
        let layer = Layer::of(board);
        set.require(layer)?.probe(layer, layer.rank(board))
    };
    let found = probe(board)?;
    let mut claim = Claim::NONE;
    let moves = rules.moves(board);
    if let Some(value) = rules.over(board) {
        claim = Claim::new(value, 0);
    } else if moves.is_empty() {
        claim = Claim::inner(probe(rules.pass(board))?);
    } else {
        for pit in moves {
            let played = rules.play(board, pit);
            let child = probe(played.board)?;
            let event = played.captured > 0 || board.flags().contains(pit);
            let one = if event { Claim::event(played.captured as i8, child.value().0) } else { Claim::inner(child) };
            claim = claim.max(one);
        }
    }
    Ok((Claim::of(found) != claim).then(|| Fault::entry(layer, number, found, claim.entry())))
}

/// Steele, Lea and Flood's splittable generator: every seed gives a good sequence.
struct SplitMix(u64);

impl SplitMix {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}
