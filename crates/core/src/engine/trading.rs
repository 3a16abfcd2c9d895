//! Goré with trades: the best move, offer or answer, and what a trade is worth.
//!
//! All values are final totals: the player's stones at the end minus those of the other, stores included.

use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::board::Pits;
use crate::rules::Move;
use crate::rules::gore::{Gore, State};
use crate::search::trade::{Earlier, TradeReport, TradeSetup, TradeTable, search_trades};
use crate::search::{Budget, Limits, Probe, TranspositionError, Worth};
use crate::value::{Kind, Value};

/// A legal move and its worth to the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TradeMove {
    /// The move.
    pub action: Move,
    /// Stones it captures.
    pub captured: u8,
    /// The position after it, from the view of whoever is then to move.
    pub state: State,
    /// His final total minus the opponent's.
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// Whether an estimate is only an upper one: the move was found to be no better than the best ones.
    pub is_upper: bool,
}

/// What is known of a position, mover's view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TradeAnalysis {
    /// The best move; `None` if the game is over.
    pub best: Option<Move>,
    /// The mover's final total minus the opponent's.
    pub value: Value,
    /// How sure the value is.
    pub kind: Kind,
    /// The line of play that is expected, the best move first.
    pub line: Vec<Move>,
    /// Nodes searched.
    pub nodes: u64,
    /// Turns searched; an answer is no turn of its own.
    pub depth: u8,
    /// The moves asked for, best first.
    pub moves: Vec<TradeMove>,
}

/// A worth in stones to the player who offers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prospect {
    /// His final total minus the other's.
    pub value: Value,
    /// How sure it is.
    pub kind: Kind,
}

/// An offer and what becomes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The pits offered, as their owner numbers them.
    pub pits: Pits,
    /// If the other accepts.
    pub accepted: Prospect,
    /// If he declines; the same for every offer of a position.
    pub declined: Prospect,
    /// The position after acceptance, from the view of the receiver, who is to move.
    pub state: State,
}

impl Deal {
    /// The receiver's better answer. If both are the same to him he declines.
    #[must_use]
    pub fn answer(&self) -> Move {
        if self.accepted.value < self.declined.value { Move::Accept } else { Move::Decline }
    }

    /// What the offer is worth, answered as is best for the receiver.
    #[must_use]
    pub fn worth(&self) -> Prospect {
        if self.answer() == Move::Accept { self.accepted } else { self.declined }
    }
}

/// All that a player can offer, beside what he can do otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Market {
    /// The best move that is no offer; `None` if the game is over.
    pub ordinary: Option<(Move, Prospect)>,
    /// The offers, those worth most first.
    pub deals: Vec<Deal>,
    /// Turns searched below each of them, the least of all.
    pub depth: u8,
    /// Nodes searched.
    pub nodes: u64,
}

/// A move to choose from is not legal, or there is none though the game goes on.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the moves to choose from are none or not legal; legal: {legal:?}")]
#[non_exhaustive]
pub struct IllegalChoice {
    /// The legal moves.
    pub legal: Vec<Move>,
}

/// A player of Goré with trades: rules, tables of the game without them, and what he remembers from one search to the next.
pub struct TradeEngine<P> {
    gore: Gore,
    probe: P,
    table: TradeTable,
}

impl<P> fmt::Debug for TradeEngine<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TradeEngine").field("gore", &self.gore).finish_non_exhaustive()
    }
}

impl<P: Probe> TradeEngine<P> {
    /// An engine with a transposition table of at most `memory` bytes; `probe` has tables for the same rules without trades.
    ///
    /// # Errors
    /// If the memory is too little or not to be had.
    pub fn new(gore: Gore, probe: P, memory: usize) -> Result<Self, TranspositionError> {
        Ok(Self { gore, probe, table: TradeTable::new(memory)? })
    }

    /// The rules it plays by.
    pub const fn gore(&self) -> Gore {
        self.gore
    }

    /// Takes the memory that the first search would wait for.
    pub fn make_ready(&self) {
        self.table.make_ready();
    }

    /// Forgets earlier searches, so that the next one depends on nothing before it.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The worth of a position and of each of its moves, or of the `allowed` ones only, in a game that had the `earlier` positions.
    ///
    /// # Errors
    /// If an allowed move is not legal, or none is given in a game that goes on.
    pub fn analyse(
        &self,
        state: State,
        earlier: &[Earlier],
        allowed: Option<&[Move]>,
        limits: &Limits,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&TradeReport),
    ) -> Result<TradeAnalysis, IllegalChoice> {
        let legal: Vec<Move> = self.gore.moves(state).collect();
        if allowed.unwrap_or_default().iter().any(|action| !legal.contains(action)) {
            return Err(IllegalChoice { legal });
        }
        if let Some(value) = self.gore.over(state) {
            return Ok(TradeAnalysis::finished(Value(value)));
        }
        let moves = allowed.unwrap_or(&legal);
        let setup = TradeSetup { gore: self.gore, probe: &self.probe, table: &self.table, earlier };
        match search_trades(&setup, state, moves, limits, stop, observe) {
            Some(report) => Ok(TradeAnalysis::of(state, report)),
            None => Err(IllegalChoice { legal }),
        }
    }

    /// What each offer of a position is worth, whether it is accepted or declined, beside the best ordinary move.
    ///
    /// Every position that can come about is searched for itself, to the depth of the limits or for its part of their time and nodes.
    #[must_use]
    pub fn market(&self, state: State, limits: &Limits, stop: &AtomicBool) -> Market {
        let ordinary: Vec<Move> = self.gore.moves(state).filter(|action| !matches!(action, Move::Offer(_))).collect();
        let offers: Vec<Pits> = self.gore.offers(state).collect();
        let limits = part(limits, offers.len() + 2);
        let mut market = Market { ordinary: None, deals: Vec::new(), depth: u8::MAX, nodes: 0 };
        market.ordinary = self
            .analyse(state, &[], Some(&ordinary), &limits, stop, &mut |_| ())
            .ok()
            .and_then(|analysis| Some((analysis.best?, market.note(&analysis, false))));
        let mut declined = None;
        for pits in offers {
            let asked = self.gore.play(state, Move::Offer(pits)).state;
            let refused = self.gore.play(asked, Move::Decline).state;
            let declined = *declined.get_or_insert_with(|| self.prospect(&mut market, refused, &limits, stop));
            let state = self.gore.play(asked, Move::Accept).state;
            let accepted = self.prospect(&mut market, state, &limits, stop);
            market.deals.push(Deal { pits, accepted, declined, state });
        }
        market.deals.sort_by_key(|deal| std::cmp::Reverse((deal.worth().value, deal.accepted.value)));
        market.depth = if market.nodes == 0 { 0 } else { market.depth };
        market
    }

    /// The worth of the receiver's position to the player who offered.
    fn prospect(&self, market: &mut Market, state: State, limits: &Limits, stop: &AtomicBool) -> Prospect {
        let analysis = self.analyse(state, &[], None, limits, stop, &mut |_| ());
        let analysis = analysis.unwrap_or_else(|_| unreachable!("all legal moves are allowed"));
        market.note(&analysis, true)
    }
}

/// The limits of one of so many searches.
fn part(limits: &Limits, searches: usize) -> Limits {
    let searches = searches as u32;
    Limits {
        time: limits.time.map(|time| Budget { soft: time.soft / searches, hard: time.hard / searches }),
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(searches)).max(1)),
        lines: 1,
        ..limits.clone()
    }
}

impl Market {
    /// Counts an analysis; its worth, from the other player's view if `turned`.
    fn note(&mut self, analysis: &TradeAnalysis, turned: bool) -> Prospect {
        self.nodes += analysis.nodes;
        if analysis.kind != Kind::Exact {
            self.depth = self.depth.min(analysis.depth);
        }
        match (turned, analysis.kind) {
            (false, kind) => Prospect { value: analysis.value, kind },
            (true, Kind::AtLeast) => Prospect { value: -analysis.value, kind: Kind::AtMost },
            (true, Kind::AtMost) => Prospect { value: -analysis.value, kind: Kind::AtLeast },
            (true, kind) => Prospect { value: -analysis.value, kind },
        }
    }
}

impl TradeAnalysis {
    const fn finished(value: Value) -> Self {
        Self { best: None, value, kind: Kind::Exact, line: Vec::new(), nodes: 0, depth: 0, moves: Vec::new() }
    }

    fn of(state: State, report: TradeReport) -> Self {
        // Nobody has to give up what he has captured, so these are no news.
        let total = (state.board.total() + state.own_store + state.other_store) as i8;
        let (least, most) = (2 * state.own_store as i8 - total, total - 2 * state.other_store as i8);
        let of = |worth: &Worth| worth.value_within(Value(least), Value(most));
        let (value, kind) = of(&report.worth);
        let moves = report.moves.iter().map(|m| {
            let mut of_move = of(&m.worth);
            if of_move.0 > value && of_move.1 != Kind::Exact {
                // Left over from an iteration before the last, or only an upper estimate.
                of_move = (value.max(m.worth.low), Kind::Estimate);
            }
            TradeMove {
                action: m.step,
                captured: m.captured,
                state: m.board,
                value: of_move.0,
                kind: of_move.1,
                is_upper: m.is_upper,
            }
        });
        let mut moves: Vec<TradeMove> = moves.collect();
        if let Some((_, others)) = moves.split_first_mut() {
            others.sort_by_key(|m| std::cmp::Reverse(m.value));
        }
        let line = report.moves.into_iter().next().map(|m| m.line).unwrap_or_default();
        Self {
            best: moves.first().map(|m| m.action),
            value,
            kind,
            line,
            nodes: report.nodes,
            depth: report.depth,
            moves,
        }
    }
}
