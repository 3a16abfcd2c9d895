//! One game of a match.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::adjudication::{Adjudication, Opinions};
use super::contestant::{Allowance, Contestant, Fault};
use crate::index::Layer;
use crate::notation::{Position, Side};
use crate::record::{Playing, Reason};
use crate::rules::Loops;
use crate::search::Clock;

/// How games are played.
#[derive(Clone, Copy, Default)]
pub struct Conduct<'a> {
    /// What happens to the stones left when a game repeats itself.
    pub loops: Loops,
    /// What each contestant may spend; clocks as at the beginning of a game. The wall clock decides only if time is limited.
    pub allowance: Allowance,
    /// When a game is ended early.
    pub adjudication: Adjudication<'a>,
    /// A game that is longer ends with the stones left shared equally; `None` = no limit.
    pub most_plies: Option<usize>,
}

/// Why a game ended as it did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// By its rules.
    Rules(Reason),
    /// Both contestants play perfectly and tables know how it will end.
    Tables,
    /// One player's lead is beyond reach.
    BeyondReach,
    /// Both contestants agree who will win.
    Agreement,
    /// It took too long.
    Length,
    /// A player failed to move.
    Fault(Side, Fault),
}

impl Verdict {
    /// The word that text and JSON output use.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.word(),
            Self::Tables => "tables",
            Self::BeyondReach => "beyond-reach",
            Self::Agreement => "agreement",
            Self::Length => "length",
            Self::Fault(_, fault) => fault.word(),
        }
    }

    /// Whether the game ended before its end because its result was taken for known.
    #[must_use]
    pub const fn is_adjudication(&self) -> bool {
        matches!(self, Self::Tables | Self::BeyondReach | Self::Agreement)
    }
}

/// Who won a game and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Result {
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
    /// South's and North's totals in half stones, if the game ended with some.
    pub halves: Option<[u8; 2]>,
    /// Why.
    pub verdict: Verdict,
}

impl Result {
    fn of_totals(halves: [u8; 2], verdict: Verdict) -> Self {
        let winner = match halves[0].cmp(&halves[1]) {
            std::cmp::Ordering::Greater => Some(Side::South),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Side::North),
        };
        Self { winner, halves: Some(halves), verdict }
    }

    fn won_by(side: Side, verdict: Verdict) -> Self {
        Self { winner: Some(side), halves: None, verdict }
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// Its number, from 0: games 2k and 2k + 1 have the same opening.
    pub number: usize,
    /// The position it began with.
    pub opening: Position,
    /// Which contestant, 0 or 1, was South.
    pub south: usize,
    /// The moves as text.
    pub moves: Vec<String>,
    /// Time South and North thought.
    pub thought: [Duration; 2],
    /// Moves of South and North that came later than allowed.
    pub late: [u32; 2],
    /// The longest time by which such a move was late.
    pub overrun: [Duration; 2],
    /// How it ended.
    pub result: Result,
}

impl GameRecord {
    /// The half points of the first contestant: 0 lost, 1 drawn, 2 won.
    #[must_use]
    pub fn half_points(&self) -> u8 {
        match self.result.winner {
            None => 1,
            Some(side) if (side == Side::South) == (self.south == 0) => 2,
            Some(_) => 0,
        }
    }
}

/// A game under way.
struct Table<'a> {
    conduct: &'a Conduct<'a>,
    playing: Playing,
    allowance: Allowance,
    thought: [Duration; 2],
    late: [u32; 2],
    overrun: [Duration; 2],
    /// What is left of the margin of South and North, by move or by game.
    margins: [Duration; 2],
    /// Whether both contestants play perfectly where tables know the position.
    both_perfect: bool,
    /// The layer of the position before the last move.
    layer_before: Option<Layer>,
    opinions: Opinions,
}

/// Plays a game between South and North; `None` if a flag of `stops` was raised before its end.
///
/// The first flag is also what a contestant looks at while he thinks.
pub(super) fn play(
    number: usize,
    opening: Position,
    south: usize,
    players: [&mut dyn Contestant; 2],
    conduct: &Conduct<'_>,
    stops: [&AtomicBool; 2],
) -> Option<GameRecord> {
    let mut table = Table {
        conduct,
        playing: Playing::new(opening, conduct.loops),
        allowance: conduct.allowance,
        thought: [Duration::ZERO; 2],
        late: [0; 2],
        overrun: [Duration::ZERO; 2],
        margins: [conduct.allowance.margin; 2],
        both_perfect: players.iter().all(|player| player.plays_perfectly()),
        layer_before: None,
        opinions: Opinions::default(),
    };
    let result = table.play(players, stops)?;
    let moves = table.playing.made().iter().map(|made| made.text().to_string()).collect();
    let Table { thought, late, overrun, .. } = table;
    Some(GameRecord { number, opening, south, moves, thought, late, overrun, result })
}

impl Table<'_> {
    fn play(&mut self, players: [&mut dyn Contestant; 2], stops: [&AtomicBool; 2]) -> Option<Result> {
        for side in [Side::South, Side::North] {
            if let Err(fault) = players[side as usize].begin() {
                return Some(Result::won_by(side.other(), Verdict::Fault(side, fault)));
            }
        }
        loop {
            if let Some(result) = self.finished() {
                return Some(result);
            }
            let side = self.playing.position().side();
            let moved = self.ask(side, players[side as usize], stops[0]);
            if stops.iter().any(|stop| stop.load(Relaxed)) {
                return None;
            }
            match moved {
                Err(fault) => return Some(Result::won_by(side.other(), Verdict::Fault(side, fault))),
                Ok(Some(winner)) => return Some(Result::won_by(winner, Verdict::Agreement)),
                Ok(None) => {}
            }
        }
    }

    /// The result, if the game is over or adjudicated.
    fn finished(&self) -> Option<Result> {
        if let Some(ending) = self.playing.ending() {
            return Some(Result::of_totals(ending.halves, Verdict::Rules(ending.reason)));
        }
        let position = self.playing.position();
        let adjudication = &self.conduct.adjudication;
        let halves = adjudication.by_tables(position).filter(|_| self.tables_decide(position));
        if let Some(halves) = halves {
            return Some(Result::of_totals(halves, Verdict::Tables));
        }
        if let Some(winner) = adjudication.beyond_reach(position) {
            return Some(Result::won_by(winner, Verdict::BeyondReach));
        }
        if self.conduct.most_plies.is_some_and(|most| self.playing.made().len() >= most) {
            let halves = position.stores().map(|store| 2 * store + position.board().total());
            return Some(Result::of_totals(halves, Verdict::Length));
        }
        None
    }

    /// Whether the value of the position is also that of this game: both contestants play perfectly, what is left is shared if
    /// the game repeats itself, and nothing before this position can come back.
    fn tables_decide(&self, position: &Position) -> bool {
        let layer = position.solver_board().map(Layer::of);
        self.both_perfect && self.conduct.loops == Loops::Split && layer != self.layer_before
    }

    /// Charges a player for the time of a move; the margin is used up move by move only with clocks.
    fn charge(&mut self, side: Side, spent: Duration) -> std::result::Result<(), Fault> {
        let at = side as usize;
        self.thought[at] += spent;
        let Some(allowed) = self.allowance.time_of(side) else { return Ok(()) };
        let over = spent.saturating_sub(allowed);
        if !over.is_zero() {
            self.late[at] += 1;
            self.overrun[at] = self.overrun[at].max(over);
        }
        let margin = self.margins[at].checked_sub(over).ok_or(Fault::Time)?;
        if let Some(clocks) = &mut self.allowance.clocks {
            self.margins[at] = margin;
            let clock = clocks[at];
            let run_out = Clock { remaining: clock.increment, ..clock };
            clocks[at] = clock.after(spent).unwrap_or(run_out);
        }
        Ok(())
    }

    /// Has a player move; the winner, if both agree on him by now.
    fn ask(
        &mut self,
        side: Side,
        player: &mut dyn Contestant,
        stop: &AtomicBool,
    ) -> std::result::Result<Option<Side>, Fault> {
        let position = *self.playing.position();
        let start = Instant::now();
        let answer = player.choose(&self.playing, &self.allowance, stop);
        // A move that is not legal took its time too.
        if matches!(answer, Ok(_) | Err(Fault::Illegal { .. })) {
            self.charge(side, start.elapsed())?;
        }
        let answer = answer?;
        self.layer_before = position.solver_board().map(Layer::of);
        let found = || answer.action.text(side).to_string();
        self.playing.play(answer.action).map_err(|_| Fault::Illegal { found: found() })?;
        let agreement = self.conduct.adjudication.agreement;
        Ok(agreement.and_then(|agreement| self.opinions.add(&position, answer.value, agreement)))
    }
}
