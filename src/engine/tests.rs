//! What the engine makes of the report of a search.

use super::*;
use crate::board::{Pit, Pits};
use crate::rules::kpe::Kpe;
use crate::search::{NoTables, UNITS, Worth};

/// A move with this worth: score in stones and bounds.
fn worth(score: i8, low: i8, high: i8) -> Worth {
    Worth { score: i32::from(score) * UNITS, low: Value(low), high: Value(high) }
}

/// Moves other than the best may have too high a worth: from an iteration before the last, or as no more than an upper estimate.
#[test]
fn no_move_is_told_to_be_worth_more_than_the_best() {
    let rules = Kpe::default();
    let engine = Engine::new(rules, NoTables, TranspositionTable::LEAST_BYTES).unwrap();
    let board = Board::new([3; 8], Pits::NONE);
    let of_move = |pit, worth| {
        let step = Step::Sow(Pit::new(pit));
        let (next, captured) = step.play(&rules, board);
        MoveReport { step, captured, board: next, worth, is_upper: false, depth: 5, line: vec![step] }
    };
    let moves = vec![
        of_move(0, worth(2, -24, 24)),
        of_move(1, worth(5, -24, 24)),
        of_move(2, worth(4, -24, 4)),
        of_move(3, worth(1, -24, 24)),
    ];
    let analysis = engine.conclude(board, Report { depth: 5, nodes: 9, worth: worth(2, -24, 24), moves });
    let told: Vec<_> = analysis.moves.iter().map(|m| (m.value.0, m.kind)).collect();
    assert_eq!(told, [(2, Kind::Estimate), (2, Kind::Estimate), (2, Kind::Estimate), (1, Kind::Estimate)]);
    assert_eq!(analysis.best, Some(analysis.moves[0].step));
    assert_eq!((analysis.best, analysis.value), (Some(Step::Sow(Pit::new(0))), Value(2)));
}
