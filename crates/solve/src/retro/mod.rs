//! The retrograde solver: values and distances of every position of a layer, from the layers below it.
//!
//! Layers are solved from few stones to many, since captures lead down, and those with fewer unsown pits first.
//!
//! ```
//! use std::collections::HashMap;
//!
//! use kpe_solve::board::Pits;
//! use kpe_solve::index::Layer;
//! use kpe_solve::retro::{Observer, solve_pair};
//! use kpe_solve::rules::kpe::Kpe;
//!
//! let observer = Observer { stopped: &|| false, progress: &|_| {} };
//! let mut values: HashMap<Layer, Vec<i8>> = HashMap::new();
//! for stones in [0, 2, 4] {
//!     let layer = Layer::new(Pits::NONE, stones).expect("a layer");
//!     let finished = |layer| values.get(&layer).map(Vec::as_slice);
//!     for solved in solve_pair(Kpe::default(), layer, finished, &observer)? {
//!         values.insert(solved.layer, solved.entries.iter().map(|entry| entry.value().0).collect());
//!     }
//! }
//! let four = &values[&Layer::new(Pits::NONE, 4).expect("a layer")];
//! assert_eq!(four.iter().filter(|&&value| value > 0).count(), 120); // as tables/DIGESTS.md says
//! # Ok::<(), kpe_solve::retro::SolveError>(())
//! ```

mod cell;
mod children;
mod exits;
mod predecessors;
mod saturate;

use std::fmt;

#[doc(hidden)]
pub use children::Children;

use crate::board::Board;
use crate::index::Layer;
use crate::memory::Pages;
use crate::rules::Rules;
use crate::value::Entry;
use cell::Cell;
use exits::ExitPass;
use predecessors::Unsowing;
use saturate::{Seeds, Side};

/// Why a layer could not be solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The stop flag was raised.
    #[error("stopped")]
    Stopped,
    /// The system has no more memory.
    #[error("no memory for {bytes} bytes of layer work space")]
    Memory {
        /// Bytes asked for.
        bytes: usize,
    },
    /// A distance does not fit an entry.
    #[error("a distance in the layer is above {}, the largest an entry can hold", Entry::MAX_DISTANCE)]
    Distance,
}

/// A solved layer: one entry a position, in the order of the numbering.
#[derive(Debug)]
#[non_exhaustive]
pub struct SolvedLayer {
    /// The layer.
    pub layer: Layer,
    /// Its entries.
    pub entries: Pages<Entry>,
}

/// Who hears how many positions are done and says when to stop.
pub struct Observer<'a> {
    /// Asked now and then whether to stop.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
    /// Called with the number of positions whose exits were computed since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Observer").finish_non_exhaustive()
    }
}

/// Solves `layer` and its mirror image (one solved layer if they are the same).
///
/// `values` answers with the values of a finished layer, one byte a position.
///
/// # Errors
/// When stopped, without memory, or if a distance does not fit.
pub fn solve_pair<'a, R: Rules>(
    rules: R,
    layer: Layer,
    mut values: impl FnMut(Layer) -> Option<&'a [i8]>,
    observer: &Observer<'_>,
) -> Result<Vec<SolvedLayer>, SolveError> {
    let layers = if layer.is_symmetric() { vec![layer] } else { vec![layer, layer.mirror()] };
    let mut sides = Vec::with_capacity(layers.len());
    for &layer in &layers {
        let children = Children::gather(layer, &mut values);
        sides.push(compute_exits(rules, layer, &children, observer)?);
    }
    saturate::saturate(&mut sides, layer.stones(), observer.stopped)?;
    Ok(layers.into_iter().zip(sides).map(|(layer, side)| SolvedLayer { layer, entries: settle(side.cells) }).collect())
}

fn compute_exits<R: Rules>(
    rules: R,
    layer: Layer,
    children: &Children<'_>,
    observer: &Observer<'_>,
) -> Result<Side<R>, SolveError> {
    let positions = layer.positions() as usize;
    let mut cells: Pages<Cell> = Pages::zeroed(positions).map_err(|_| SolveError::Memory { bytes: 2 * positions })?;
    let unsowing = Unsowing::new(rules, layer.unsown(), layer.mirror().base());
    let mut seeds: Vec<Seeds> = (0..=layer.stones()).map(|_| Seeds::default()).collect();
    let mut finished: Vec<(Board, i8)> = Vec::new();
    let seed = |board: Board, value: i8| {
        let exits = &mut seeds[value.unsigned_abs() as usize].exits;
        if value > 0 { exits.won.push(board) } else { exits.lost.push(board) }
    };
    let mut stopped = false;
    ExitPass::new(rules, layer, children).sweep(layer.loose_stones(), &mut cells, &mut finished, seed, |done| {
        (observer.progress)(done as u64);
        stopped = (observer.stopped)();
        !stopped
    });
    if stopped {
        return Err(SolveError::Stopped);
    }
    for (board, value) in finished.into_iter().filter(|&(board, value)| value != 0 && unsowing.is_possible(board)) {
        let over = &mut seeds[value.unsigned_abs() as usize].over;
        if value > 0 { over.won.push(board) } else { over.lost.push(board) }
    }
    Ok(Side { cells, unsowing, seeds })
}

/// Turns the cells into entries where they lie.
fn settle(mut cells: Pages<Cell>) -> Pages<Entry> {
    for cell in cells.iter_mut() {
        *cell = bytemuck::cast(cell.settle());
    }
    cells.cast()
}
