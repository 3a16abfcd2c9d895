//! The worth of the moves of a game in play: what the player knows of the position, and what repetitions make of it.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use crate::engine::Source;
use crate::notation::{Move, Side};
use crate::player::{AssessedMove, Assessment, Player, PlayerError, repetition};
use crate::record::{Ending, Playing};
use crate::rules::Game;
use crate::search::Limits;
use crate::value::{Distance, Kind, Value};

/// What every move is worth in a game in play, best first; those that end it by repetition are worth their share of what
/// is left. Of a game that is over it says what the rules say.
///
/// # Errors
/// As [`Player::analyse`].
pub fn assess(
    player: &Player,
    playing: &Playing,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Assessment, PlayerError> {
    if let Some(ending) = playing.ending() {
        return Ok(over(playing, ending));
    }
    let position = playing.position();
    let limits = &Limits { lines: usize::MAX, ..limits.clone() };
    if position.game().layered().is_none() {
        return player.analyse_after(&playing.earlier(), position, None, limits, stop, &mut |_| ());
    }
    let (ending, fresh): (Vec<Move>, Vec<Move>) =
        playing.moves().into_iter().partition(|&action| repetition(playing, action).is_some());
    let ending = ending.into_iter().filter_map(|action| shared(playing, action));
    if fresh.is_empty()
        && let Some(best) = ending.clone().max_by_key(|m| m.value)
    {
        return Ok(of_shares(playing, best, ending.collect()));
    }
    let mut assessment = player.analyse(position, Some(&fresh), limits, stop, &mut |_| ())?;
    assessment.moves.extend(ending);
    // The sort is stable: of moves worth the same the one the engine put first stays first.
    assessment.moves.sort_by_key(|m| Reverse(m.value));
    match assessment.moves.first() {
        Some(best) if assessment.best.is_some() && best.value > assessment.value => {
            let best = best.clone();
            Ok(of_shares(playing, best, assessment.moves))
        }
        _ => Ok(assessment),
    }
}

/// The assessment of a game that is over.
fn over(playing: &Playing, ending: Ending) -> Assessment {
    let position = *playing.position();
    let stores = match position.game() {
        // In Goré with trades the value is that of the totals.
        Game::Gore(gore) if gore.no_trade().is_none() => [0, 0],
        _ => position.stores(),
    };
    let [south, north] = [0, 1].map(|side| i16::from(ending.halves[side]) - 2 * i16::from(stores[side]));
    // Both totals are halves of the same stones, or whole: their difference is even.
    let value = Value(((south - north) / 2) as i8);
    Assessment {
        position,
        best: None,
        value: if position.side() == Side::South { value } else { -value },
        kind: Kind::Exact,
        distance: Some(Distance(0)),
        line: Vec::new(),
        source: Source::Rules,
        nodes: 0,
        depth: 0,
        moves: Vec::new(),
    }
}

/// A move that ends the game by repetition.
fn shared(playing: &Playing, action: Move) -> Option<AssessedMove> {
    let outcome = playing.position().play(action).ok()?;
    Some(AssessedMove {
        action,
        captured: outcome.captured,
        result: outcome.result,
        // An even number, as in `over`.
        value: Value((repetition(playing, action)? / 2) as i8),
        kind: Kind::Exact,
        distance: None,
        is_upper: false,
    })
}

/// The assessment when the best move ends the game by repetition.
fn of_shares(playing: &Playing, best: AssessedMove, mut moves: Vec<AssessedMove>) -> Assessment {
    moves.sort_by_key(|m| Reverse(m.value));
    Assessment {
        position: *playing.position(),
        best: Some(best.action),
        value: best.value,
        // Another move may be worth more than it was estimated.
        kind: if moves.iter().all(|m| m.kind == Kind::Exact) { Kind::Exact } else { Kind::Estimate },
        distance: None,
        line: vec![best.action],
        source: Source::Rules,
        nodes: 0,
        depth: 0,
        moves,
    }
}
