//! The engines a player can have, behind one door: one for games of boards, one for Goré with trades.

use std::sync::atomic::AtomicBool;

use super::PlayerError;
use super::assessment::{Assessment, Progress, step_of};
use crate::engine::{Engine, IllegalChoice, TradeEngine};
use crate::notation::{Move, Position};
use crate::rules::Rules;
use crate::search::trade::Earlier;
use crate::search::{Limits, Probe, Step};

/// What is asked of an engine.
pub(super) struct Question<'a> {
    pub(super) position: &'a Position,
    /// The positions the game had before.
    pub(super) earlier: &'a [Position],
    /// The moves to choose from.
    pub(super) allowed: &'a [Move],
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a AtomicBool,
}

/// An engine for some game.
pub(super) trait Mind: Send + Sync {
    fn assess(&self, question: &Question<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Assessment, PlayerError>;

    fn make_ready(&self);

    fn clear(&mut self);
}

impl<R: Rules, P: Probe + Send> Mind for Engine<R, P> {
    fn assess(&self, question: &Question<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Assessment, PlayerError> {
        let position = question.position;
        let board = position.solver_board().ok_or(PlayerError::OtherGame)?;
        let steps: Option<Vec<Step>> = question.allowed.iter().copied().map(step_of).collect();
        let steps = steps.ok_or_else(|| IllegalChoice { legal: position.moves() })?;
        let mut observe = |report: &_| observe(&Progress::of(report, Move::from));
        let analysis = self.analyse(board, Some(&steps), question.limits, question.stop, &mut observe)?;
        Ok(Assessment::of_boards(position, analysis))
    }

    fn make_ready(&self) {
        self.make_ready();
    }

    fn clear(&mut self) {
        self.clear();
    }
}

impl<P: Probe + Send> Mind for TradeEngine<P> {
    /// Offers are many and seldom good; to value each as the best is would cost the depth of all. So at most the ordinary
    /// moves are valued apart.
    fn assess(&self, question: &Question<'_>, observe: &mut dyn FnMut(&Progress)) -> Result<Assessment, PlayerError> {
        let position = question.position;
        let state = position.state().ok_or(PlayerError::OtherGame)?;
        let earlier = question
            .earlier
            .iter()
            .filter_map(|past| Some(Earlier { state: past.state()?, turned: past.side() != position.side() }));
        let earlier: Vec<Earlier> = earlier.collect();
        let ordinary = question.allowed.iter().filter(|action| !matches!(action, Move::Offer(_))).count();
        let limits = Limits { lines: question.limits.lines.min(ordinary.max(1)), ..question.limits.clone() };
        let mut observe = |report: &_| observe(&Progress::of(report, |action| action));
        let analysis = self.analyse(state, &earlier, Some(question.allowed), &limits, question.stop, &mut observe)?;
        Ok(Assessment::of_trades(position, analysis))
    }

    fn make_ready(&self) {
        self.make_ready();
    }

    fn clear(&mut self) {
        self.clear();
    }
}
