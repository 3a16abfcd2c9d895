//! The worth of the moves of a game in play: the one road by which play, protocol, server, annotation and matches come to a value.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use super::mind::{History, Question};
use super::{AssessedMove, Assessment, Player, PlayerError, Progress};
use crate::engine::{Source, Spot};
use crate::index::Layer;
use crate::notation::{Move, Position, Side};
use crate::record::{Ending, Playing};
use crate::rules::Game;
use crate::search::Limits;
use crate::value::{Distance, Kind, Value};

impl Player {
    /// What a game in play and its moves, some or all, are worth. Of a game that is over it says what the rules say.
    ///
    /// A value called exact is that of the game, its history considered. What repetitions ahead make of it is looked for in a
    /// bounded number of positions; where that does not suffice the value of the position is told as a bound or an estimate. With
    /// [`Loops::Own`](crate::rules::Loops) it is exact only if the game must end before it can repeat.
    ///
    /// # Errors
    /// As [`Player::analyse`].
    pub fn assess(
        &self,
        playing: &Playing,
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Progress),
    ) -> Result<Assessment, PlayerError> {
        if let Some(ending) = playing.ending() {
            return Ok(over(playing, ending));
        }
        let position = playing.position();
        let moves = allowed.map_or_else(|| position.moves(), <[Move]>::to_vec);
        let (earlier, loops) = (playing.earlier(), playing.loops());
        if self.game.layered().is_none() {
            let history = Some(History { past: &[], loops });
            return self.ask(Question { position, earlier, history, allowed: &moves, limits, stop }, observe);
        }
        let (ending, fresh): (Vec<Move>, Vec<Move>) =
            moves.into_iter().partition(|&action| repetition(playing, action).is_some());
        let ending: Vec<AssessedMove> = ending.into_iter().filter_map(|action| shared(playing, action)).collect();
        if fresh.is_empty() && !ending.is_empty() {
            return Ok(of_shares(playing, ending));
        }
        let past = past(playing);
        let history = Some(History { past: &past, loops });
        let question = Question { position, earlier, history, allowed: &fresh, limits, stop };
        Ok(with_endings(self.ask(question, observe)?, ending))
    }
}

/// What a move is worth to its mover that ends the game by repetition, in half stones; `None` if it does not.
#[must_use]
pub fn repetition(playing: &Playing, action: Move) -> Option<i16> {
    let position = playing.position();
    let outcome = position.play(action).ok()?;
    if outcome.totals.is_some() || !playing.has_been(&outcome.result) {
        return None;
    }
    let mut end = playing.clone();
    end.play(action).ok()?;
    let difference = |[south, north]: [i16; 2]| match position.side() {
        Side::South => south - north,
        Side::North => north - south,
    };
    let totals = end.ending()?.halves.map(i16::from);
    Some(difference(totals) - difference(position.stores().map(|stones| 2 * i16::from(stones))))
}

/// The positions of a game of boards since its last capture or first sowing, before the present one.
fn past(playing: &Playing) -> Vec<Spot> {
    let now = playing.position();
    let Some(layer) = now.solver_board().map(Layer::of) else { return Vec::new() };
    let spot = |position: &Position| {
        let (board, turned) = (position.solver_board()?, position.side() != now.side());
        let own = if turned { layer.mirror() } else { layer };
        (Layer::of(board) == own).then_some(Spot { board, turned })
    };
    playing.earlier().iter().rev().map_while(spot).collect()
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

/// The assessment when every move ends the game by repetition.
fn of_shares(playing: &Playing, mut moves: Vec<AssessedMove>) -> Assessment {
    moves.sort_by_key(|m| Reverse(m.value));
    let (best, value) = (moves[0].action, moves[0].value);
    Assessment {
        position: *playing.position(),
        best: Some(best),
        value,
        kind: Kind::Exact,
        distance: None,
        line: vec![best],
        source: Source::Rules,
        nodes: 0,
        depth: 0,
        moves,
    }
}

/// The assessment of the other moves with those that end the game by repetition.
fn with_endings(mut assessment: Assessment, endings: Vec<AssessedMove>) -> Assessment {
    let Some(best) = endings.iter().max_by_key(|m| m.value).cloned() else { return assessment };
    assessment.moves.extend(endings);
    let others_are_no_better = matches!(assessment.kind, Kind::Exact | Kind::AtMost);
    if best.value > assessment.value || best.value == assessment.value && assessment.kind == Kind::AtMost {
        assessment.kind = if others_are_no_better { Kind::Exact } else { Kind::AtLeast };
        (assessment.value, assessment.distance) = (best.value, None);
        (assessment.best, assessment.line) = (Some(best.action), vec![best.action]);
        assessment.source = Source::Rules;
    }
    // The sort is stable: of moves worth the same the one the engine put first stays first.
    let first = assessment.best;
    assessment.moves.sort_by_key(|m| (Reverse(m.value), Some(m.action) != first));
    assessment
}
