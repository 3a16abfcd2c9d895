//! Who plays whom when: pairs of games handed to several threads, until all are played or the test is decided.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::contestant::{Contestant, Fault};
use super::external::StartError;
use super::game::{Conduct, GameRecord, Verdict, play};
use super::score::{Score, Sprt, SprtState};
use super::tally::Tally;
use crate::notation::Position;

/// A contestant that has gone so often will not come back.
const MOST_CRASHES: usize = 10;

/// What is to be played.
pub struct Match<'a> {
    /// The openings, each for two games.
    pub openings: &'a [Position],
    /// How games are played.
    pub conduct: Conduct<'a>,
    /// Games played at the same time, at least 1.
    pub concurrency: usize,
    /// When it is decided no new games begin and those under way are dropped.
    pub sprt: Option<Sprt>,
}

/// What a match came to.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The points.
    pub score: Score,
    /// Why the games of finished pairs ended.
    pub tally: Tally,
    /// Whether every opening was played twice.
    pub complete: bool,
}

/// Why a match ended before its time.
#[derive(Debug, thiserror::Error)]
pub enum ArenaError {
    /// A contestant could not be had.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A contestant ended too often.
    #[error("contestant {contestant} has ended by itself {MOST_CRASHES} times, the last time: {last}")]
    Crashes {
        /// Which, from 1.
        contestant: usize,
        /// What was wrong.
        last: String,
    },
}

/// Makes contestant 0 or 1, one for each thread.
pub type Maker<'a> = dyn Fn(usize) -> Result<Box<dyn Contestant>, StartError> + Sync + 'a;
/// Hears of every game and the score of finished pairs so far.
pub type Observer<'a> = dyn FnMut(&GameRecord, &Score) + Send + 'a;

struct Hall<'a, 'b> {
    the_match: &'a Match<'a>,
    next: AtomicUsize,
    /// Raised when there is nothing more to find out.
    enough: AtomicBool,
    stop: &'a AtomicBool,
    board: Mutex<Scoreboard<'a, 'b>>,
}

struct Scoreboard<'a, 'b> {
    score: Score,
    tally: Tally,
    crashes: [usize; 2],
    failure: Option<ArenaError>,
    observe: &'a mut Observer<'b>,
}

/// Plays a match; `stop` ends it early, games under way are dropped.
///
/// # Errors
/// [`ArenaError`] if a contestant cannot be had or always ends.
pub fn play_match(
    the_match: &Match<'_>,
    make: &Maker<'_>,
    stop: &AtomicBool,
    observe: &mut Observer<'_>,
) -> Result<Outcome, ArenaError> {
    let hall = Hall {
        the_match,
        next: AtomicUsize::new(0),
        enough: AtomicBool::new(false),
        stop,
        board: Mutex::new(Scoreboard {
            score: Score::default(),
            tally: Tally::default(),
            crashes: [0; 2],
            failure: None,
            observe,
        }),
    };
    thread::scope(|scope| {
        for _ in 1..the_match.concurrency.clamp(1, the_match.openings.len().max(1)) {
            // Where the system has no more threads fewer games are played at a time.
            if thread::Builder::new().spawn_scoped(scope, || hall.work(make)).is_err() {
                break;
            }
        }
        hall.work(make);
    });
    let board = hall.board.into_inner().unwrap_or_else(PoisonError::into_inner);
    match board.failure {
        Some(error) => Err(error),
        None => {
            let complete = board.score.games() == 2 * the_match.openings.len() as u64;
            Ok(Outcome { score: board.score, tally: board.tally, complete })
        }
    }
}

impl Hall<'_, '_> {
    fn work(&self, make: &Maker<'_>) {
        let mut contestants = match make(0).and_then(|first| Ok([first, make(1)?])) {
            Ok(contestants) => contestants,
            Err(error) => return self.fail(error.into()),
        };
        while !self.is_over() {
            let pair = self.next.fetch_add(1, Relaxed);
            let Some(&opening) = self.the_match.openings.get(pair) else { break };
            let Some(first) = self.game(2 * pair, opening, 0, &mut contestants) else { break };
            let Some(second) = self.game(2 * pair + 1, opening, 1, &mut contestants) else { break };
            self.add_pair(&[first, second]);
        }
    }

    fn is_over(&self) -> bool {
        self.enough.load(Relaxed) || self.stop.load(Relaxed)
    }

    /// Plays a game; `None` if it was dropped.
    fn game(
        &self,
        number: usize,
        opening: Position,
        south: usize,
        contestants: &mut [Box<dyn Contestant>; 2],
    ) -> Option<GameRecord> {
        let [first, second] = contestants;
        let players: [&mut dyn Contestant; 2] =
            if south == 0 { [first.as_mut(), second.as_mut()] } else { [second.as_mut(), first.as_mut()] };
        let record = play(number, opening, south, players, &self.the_match.conduct, [self.stop, &self.enough])?;
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        if let Verdict::Fault(side, Fault::Gone(last)) = &record.result.verdict {
            let contestant = (*side as usize + south) % 2;
            board.crashes[contestant] += 1;
            if board.crashes[contestant] >= MOST_CRASHES {
                let error = ArenaError::Crashes { contestant: contestant + 1, last: last.clone() };
                board.failure.get_or_insert(error);
                self.enough.store(true, Relaxed);
            }
        }
        let score = board.score;
        (board.observe)(&record, &score);
        drop(board);
        Some(record)
    }

    fn add_pair(&self, records: &[GameRecord; 2]) {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        board.score.add_pair(records.each_ref().map(GameRecord::half_points));
        records.iter().for_each(|record| board.tally.add(record));
        if self.the_match.sprt.is_some_and(|sprt| sprt.state(&board.score) != SprtState::Open) {
            self.enough.store(true, Relaxed);
        }
    }

    fn fail(&self, error: ArenaError) {
        self.board.lock().unwrap_or_else(PoisonError::into_inner).failure.get_or_insert(error);
        self.enough.store(true, Relaxed);
    }
}
