//! The tables of a [`TableSet`] as the search asks them.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::book::Book;
use crate::index::{Layer, layers_of};
use crate::rules::Game;
use crate::rules::kpe::Kpe;
use crate::search::{Access, Probe};
use crate::table::{TableError, TableSet};
use crate::value::{Entry, Value};

/// Bytes for [`TableProbe::unpack`] that suffice for all layers in the program.
pub const UNPACKED_MEMORY: u64 = 64 << 20;
/// A larger layer is never unpacked as a whole: that would take longer than many searches.
const LARGEST_UNPACKED: u32 = 4 << 20;

/// A set of tables to search with.
///
/// A look into a packed layer is slow. [`TableProbe::unpack`] makes the small layers quick, before a search or while
/// it is under way.
///
/// With [`TableProbe::with_book`] the opening book of the program answers where no table does; it is read when first
/// needed.
///
/// The search cannot be told that a table is damaged, and plays on as if it had none: whoever uses its result must ask
/// [`TableProbe::failure_since`] first.
#[derive(Debug)]
pub struct TableProbe {
    set: TableSet,
    /// Layers with a table, fewest stones first.
    layers: Vec<Layer>,
    /// By [`Layer::slot`]: the layer's place in `layers` plus one, 0 for none.
    places: Box<[u16]>,
    /// In the order of `layers`: the values by number, once they are unpacked.
    values: Box<[OnceLock<Vec<i8>>]>,
    /// Whether the book in the program is asked.
    book: bool,
    failures: Mutex<Failures>,
}

/// What went wrong so far.
#[derive(Debug, Default)]
struct Failures {
    count: u64,
    last: Option<TableError>,
}

impl TableProbe {
    /// The tables of `set`, all of them packed.
    ///
    /// # Errors
    /// [`TableError::Io`] if a directory of the set cannot be read.
    pub fn new(set: TableSet) -> Result<Self, TableError> {
        let mut layers: Vec<Layer> = set.layers()?.into_iter().flat_map(layers_of).collect();
        layers.sort_unstable_by_key(|layer| (layer.stones(), layer.unsown()));
        let mut places = vec![0; Layer::SLOTS].into_boxed_slice();
        // At most 256 · 49 layers exist, so the place fits.
        (1..).zip(&layers).for_each(|(place, &layer)| places[layer.slot()] = place);
        let values = layers.iter().map(|_| OnceLock::new()).collect();
        Ok(Self { set, layers, places, values, book: false, failures: Mutex::default() })
    }

    /// The game whose tables these are, with its options.
    #[must_use]
    pub fn game(&self) -> &Game {
        self.set.game()
    }

    /// The same with the opening book of the program, if it is of these rules.
    ///
    /// What must not be decided by it asks [`TableProbe::probe_tables`].
    #[must_use]
    pub fn with_book(mut self) -> Self {
        self.book = *self.set.game() == Game::Kpe(Kpe::default());
        self
    }

    /// The same without it.
    #[must_use]
    pub fn without_book(mut self) -> Self {
        self.book = false;
        self
    }

    /// Unpacks layers, those of fewest stones first, into at most `memory` bytes, one a position.
    ///
    /// A layer that cannot be read stays packed; if the search needs it, [`TableProbe::failure_since`] tells.
    ///
    /// The work is shared by the pool of threads this is called in, else by one of its own; where the system has no threads to
    /// give all stays packed.
    pub fn unpack(&self, memory: u64) {
        if rayon::current_thread_index().is_some() {
            self.unpack_here(memory);
        } else if let Ok(pool) = rayon::ThreadPoolBuilder::new().build() {
            pool.install(|| self.unpack_here(memory));
        }
    }

    fn unpack_here(&self, memory: u64) {
        let mut room = memory;
        for (&layer, values) in self.layers.iter().zip(&self.values) {
            if layer.positions() > LARGEST_UNPACKED {
                continue;
            }
            let positions = u64::from(layer.positions());
            if positions > room {
                return;
            }
            room -= positions;
            if values.get().is_none()
                && let Ok(unpacked) = self.read(layer)
            {
                // Two threads may have done the same work; either's result will do.
                let _ = values.set(unpacked);
            }
        }
    }

    /// The layer's place, if it has a table.
    #[inline]
    fn place(&self, layer: Layer) -> Option<usize> {
        usize::from(self.places[layer.slot()]).checked_sub(1)
    }

    /// What the tables themselves know of a position, without the book.
    #[must_use]
    pub fn probe_tables(&self, layer: Layer, number: u32) -> Option<Entry> {
        self.place(layer)?;
        self.checked(self.set.probe(layer, number))
    }

    /// The answer, if nothing went wrong; else that is kept for [`TableProbe::failure_since`].
    fn checked(&self, answer: Result<Option<Entry>, TableError>) -> Option<Entry> {
        answer.unwrap_or_else(|error| {
            let mut failures = self.known_failures();
            failures.count += 1;
            failures.last = Some(error);
            None
        })
    }

    fn known_failures(&self) -> MutexGuard<'_, Failures> {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the book if it is asked.
    pub fn make_ready(&self) {
        if self.book {
            // What is wrong with it is told when it is asked.
            let _ = Book::embedded();
        }
    }

    /// How often something went wrong so far.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.known_failures().count
    }

    /// What went wrong last, if anything has since there were so many failures; results from since then must not be used.
    /// Everybody who works with the tables at the same time is told.
    #[must_use]
    pub fn failure_since(&self, failures: u64) -> Option<TableError> {
        let known = self.known_failures();
        known.last.clone().filter(|_| known.count != failures)
    }

    /// All values of a layer that has a table.
    fn read(&self, layer: Layer) -> Result<Vec<i8>, TableError> {
        let mut values = vec![0; layer.positions() as usize];
        self.set.require(layer)?.read_values(layer, &mut values)?;
        Ok(values)
    }
}

impl Probe for TableProbe {
    #[inline]
    fn access(&self, layer: Layer) -> Access {
        match self.place(layer) {
            Some(place) if self.values[place].get().is_some() => Access::Quick,
            Some(_) => Access::Slow,
            None if self.book && Book::embedded_may_know(layer) => Access::Slow,
            None => Access::None,
        }
    }

    fn probe(&self, layer: Layer, number: u32) -> Option<Entry> {
        if self.place(layer).is_none() && self.book && Book::embedded_may_know(layer) {
            return self.checked(Book::embedded().map(|book| book.probe(layer, number)));
        }
        self.probe_tables(layer, number)
    }

    #[inline]
    fn value(&self, layer: Layer, number: u32) -> Option<Value> {
        match self.place(layer).and_then(|place| self.values[place].get()) {
            Some(values) => values.get(number as usize).map(|&value| Value(value)),
            None => self.probe(layer, number).map(Entry::value),
        }
    }
}
