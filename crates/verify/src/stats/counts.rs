//! Counts over positions, from the point of view of the player to move.

use std::cmp::Ordering;

use super::Choice;
use crate::board::{Board, MAX_STONES};
use crate::index::Layer;
use crate::value::Entry;

/// The largest value a position can have, in stones.
pub const LARGEST_VALUE: i8 = MAX_STONES as i8;
/// Values a position can have.
const VALUES: usize = 2 * MAX_STONES as usize + 1;
/// Distances a position can have.
const DISTANCES: usize = Entry::MAX_DISTANCE as usize + 1;

/// Counts over some positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Positions of each value, −48 first.
    values: Box<[u64; VALUES]>,
    /// Positions of each distance; those of value 0 have none.
    distances: Box<[u64; DISTANCES]>,
    /// Positions in which the game is over.
    pub over: u64,
    /// Positions with one legal move (or a pass).
    pub forced: u64,
    /// Positions in which exactly one move keeps the value; `forced` ones among them.
    pub single_keeping: u64,
    /// Positions in which exactly one move keeps the value at the best distance; `forced` ones among them.
    pub single_best: u64,
    /// A won position of the largest distance.
    pub longest_win: Option<Longest>,
    /// A lost position of the largest distance.
    pub longest_loss: Option<Longest>,
}

/// A position far from the next event: of several equally far the first in the order of layers and numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Longest {
    /// Its distance in plies.
    pub distance: u16,
    /// Its value in stones.
    pub value: i8,
    /// Its layer.
    pub layer: Layer,
    /// Its number in the layer.
    pub number: u32,
}

impl Longest {
    /// The board, from the mover's view.
    #[must_use]
    pub fn board(&self) -> Board {
        self.layer.unrank(self.number)
    }
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            values: Box::new([0; VALUES]),
            distances: Box::new([0; DISTANCES]),
            over: 0,
            forced: 0,
            single_keeping: 0,
            single_best: 0,
            longest_win: None,
            longest_loss: None,
        }
    }
}

impl Counts {
    /// Counts one more position.
    #[inline]
    pub(super) fn add(&mut self, layer: Layer, number: u32, entry: Entry, choice: Choice) {
        let (value, distance) = (entry.value().0, entry.distance().0);
        self.values[(i16::from(value) + i16::from(LARGEST_VALUE)) as usize] += 1;
        self.over += u64::from(choice.moves == 0);
        self.forced += u64::from(choice.moves == 1);
        self.single_keeping += u64::from(choice.keeping == 1);
        self.single_best += u64::from(choice.fastest == 1);
        let longest = match value.cmp(&0) {
            Ordering::Equal => return,
            Ordering::Greater => &mut self.longest_win,
            Ordering::Less => &mut self.longest_loss,
        };
        self.distances[distance as usize] += 1;
        if longest.is_none_or(|longest| longest.distance < distance) {
            *longest = Some(Longest { distance, value, layer, number });
        }
    }

    /// The counts over both parts; `other` follows these positions in order.
    #[must_use]
    pub fn plus(mut self, other: Self) -> Self {
        let add = |sums: &mut [u64], more: &[u64]| sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        add(&mut *self.values, &*other.values);
        add(&mut *self.distances, &*other.distances);
        self.over += other.over;
        self.forced += other.forced;
        self.single_keeping += other.single_keeping;
        self.single_best += other.single_best;
        self.longest_win = longer(self.longest_win, other.longest_win);
        self.longest_loss = longer(self.longest_loss, other.longest_loss);
        self
    }

    /// Positions of each value that occurs, smallest value first.
    pub fn values(&self) -> impl Iterator<Item = (i8, u64)> {
        (-LARGEST_VALUE..=LARGEST_VALUE).zip(self.values.iter().copied()).filter(|&(_, count)| count > 0)
    }

    /// Positions of each distance that occurs, in plies, smallest first. Positions of value 0 have no distance.
    pub fn distances(&self) -> impl Iterator<Item = (u16, u64)> {
        (0..=Entry::MAX_DISTANCE).zip(self.distances.iter().copied()).filter(|&(_, count)| count > 0)
    }

    /// Positions counted.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.values.iter().sum()
    }

    /// Positions of positive value.
    #[must_use]
    pub fn wins(&self) -> u64 {
        self.values[LARGEST_VALUE as usize + 1..].iter().sum()
    }

    /// Positions of value 0.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.values[LARGEST_VALUE as usize]
    }

    /// Positions of negative value.
    #[must_use]
    pub fn losses(&self) -> u64 {
        self.values[..LARGEST_VALUE as usize].iter().sum()
    }

    /// Sum of the squares of all values, in stones².
    #[must_use]
    pub fn sum_value_squared(&self) -> u64 {
        self.values().map(|(value, count)| count * u64::from(value.unsigned_abs()).pow(2)).sum()
    }

    /// Sum of all distances in plies.
    #[must_use]
    pub fn sum_distance(&self) -> u64 {
        self.distances().map(|(distance, count)| count * u64::from(distance)).sum()
    }

    /// The largest distance in plies; 0 if all positions are drawn.
    #[must_use]
    pub fn max_distance(&self) -> u16 {
        self.distances().last().map_or(0, |(distance, _)| distance)
    }
}

/// The longer of two, the first if they are equal.
fn longer(one: Option<Longest>, other: Option<Longest>) -> Option<Longest> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.distance > one.distance { other } else { one }),
        (one, other) => one.or(other),
    }
}
