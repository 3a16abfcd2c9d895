//! What the search asks of tables: the exact worth of a position, by layer and number.

use std::fmt;
use std::sync::Arc;

use crate::index::Layer;
use crate::value::{Entry, Value};

/// How dear a look into the table of a layer is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// The layer has no table.
    None,
    /// A look costs less than a search node: the search asks at every position, leaves included.
    Quick,
    /// A look costs far more (a block has to be read and unpacked): the search asks only well above its leaves.
    Slow,
}

/// A source of exact values. It must be right: the search proves its results from it.
pub trait Probe: Sync {
    /// Whether the layer has a table, and how dear it is.
    fn access(&self, layer: Layer) -> Access;

    /// Value and distance of the position with this number in a layer, mover's view; `None` if it cannot be read.
    fn probe(&self, layer: Layer, number: u32) -> Option<Entry>;

    /// The value alone, for the search, which needs no distance.
    #[inline]
    fn value(&self, layer: Layer, number: u32) -> Option<Value> {
        self.probe(layer, number).map(Entry::value)
    }

    /// Whether the layer has a table.
    #[inline]
    fn covers(&self, layer: Layer) -> bool {
        self.access(layer) != Access::None
    }
}

/// Whoever points to tables has them.
macro_rules! through_pointer {
    ($pointer:ty, $($bound:path),+) => {
        impl<P: $($bound +)+> Probe for $pointer {
            fn access(&self, layer: Layer) -> Access {
                (**self).access(layer)
            }

            fn probe(&self, layer: Layer, number: u32) -> Option<Entry> {
                (**self).probe(layer, number)
            }

            fn value(&self, layer: Layer, number: u32) -> Option<Value> {
                (**self).value(layer, number)
            }
        }
    };
}

through_pointer!(&P, Probe);
through_pointer!(Arc<P>, Probe, Send);

/// No table at all.
#[derive(Clone, Copy, Default, Debug)]
pub struct NoTables;

impl Probe for NoTables {
    #[inline]
    fn access(&self, _: Layer) -> Access {
        Access::None
    }

    #[inline]
    fn probe(&self, _: Layer, _: u32) -> Option<Entry> {
        None
    }
}

/// Whole layers unpacked in memory.
pub struct MemoryTables {
    /// By [`Layer::slot`]: the layer's place in `layers`, 0 for none.
    slots: Box<[u16]>,
    /// The entries by number; the first is empty and stands for no table.
    layers: Vec<Box<[Entry]>>,
}

impl fmt::Debug for MemoryTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryTables").field("layers", &(self.layers.len() - 1)).finish_non_exhaustive()
    }
}

impl MemoryTables {
    /// Holds nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self { slots: vec![0; Layer::SLOTS].into_boxed_slice(), layers: vec![Box::default()] }
    }

    /// Adds the entries of a layer in the order of its numbering, in place of those it had.
    ///
    /// # Panics
    /// If there are not exactly as many entries as the layer has positions.
    pub fn insert(&mut self, layer: Layer, entries: Vec<Entry>) {
        assert_eq!(entries.len(), layer.positions() as usize, "one entry for each position of {layer:?}");
        let slot = &mut self.slots[layer.slot()];
        if *slot == 0 {
            // At most 256 · 49 layers exist, so the count fits.
            *slot = self.layers.len() as u16;
            self.layers.push(entries.into_boxed_slice());
        } else {
            self.layers[usize::from(*slot)] = entries.into_boxed_slice();
        }
    }

    /// Memory the entries take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.layers.iter().map(|entries| std::mem::size_of_val::<[Entry]>(entries)).sum()
    }
}

impl Default for MemoryTables {
    fn default() -> Self {
        Self::new()
    }
}

impl Probe for MemoryTables {
    #[inline]
    fn access(&self, layer: Layer) -> Access {
        if self.slots[layer.slot()] == 0 { Access::None } else { Access::Quick }
    }

    #[inline]
    fn probe(&self, layer: Layer, number: u32) -> Option<Entry> {
        let slot = self.slots[layer.slot()];
        self.layers[usize::from(slot)].get(number as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pits;
    use crate::value::Distance;

    #[test]
    fn memory_tables_answer_for_their_layers_only() {
        let layer = |stones| Layer::new(Pits::NONE, stones).unwrap();
        let mut tables = MemoryTables::new();
        tables.insert(layer(1), (0..8).map(|i| Entry::new(Value(i), Distance(0))).collect());
        assert!(tables.covers(layer(1)) && !tables.covers(layer(2)));
        assert_eq!(tables.value(layer(1), 5), Some(Value(5)));
        assert_eq!(tables.probe(layer(1), 8), None);
        assert_eq!(tables.probe(layer(2), 0), None);
        assert_eq!(tables.bytes(), 16);
    }
}
