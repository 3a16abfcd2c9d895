//! The finished layers that the exits of one layer lead to.

use crate::board::{MAX_STONES, Pit, Pits};
use crate::index::Layer;

/// Tables of one layer: first sowings from four pits, then captures by number of stones.
const TABLES: usize = 4 + MAX_STONES as usize + 1;

/// Values (one byte a position, next mover's view) of the layers one move away from a layer, by kind of move.
pub struct Children<'a> {
    tables: [&'a [i8]; TABLES],
}

impl<'a> Children<'a> {
    /// The layer's children, each looked up in `values`, which answers `None` for layers it does not have.
    pub fn gather(layer: Layer, mut values: impl FnMut(Layer) -> Option<&'a [i8]>) -> Self {
        let mut tables: [&[i8]; TABLES] = [&[]; TABLES];
        for (table, child) in Self::layers(layer) {
            tables[table as usize] = values(child).unwrap_or(&[]);
        }
        Self { tables }
    }

    /// The layers one move out of `layer` can lead to, with the number of their table.
    pub fn layers(layer: Layer) -> impl Iterator<Item = (u8, Layer)> {
        let unsown = layer.unsown();
        let own = unsown.and(Pits::OWN);
        let sown = own.into_iter().filter_map(move |pit| {
            Some((Self::table(pit, 0), Layer::new(unsown.without(pit).rotate(), layer.stones())?))
        });
        // Only a player without unsown pits captures; the move that sows the last one may.
        let captures = 1..=if own.len() <= 1 { layer.stones() } else { 0 };
        let theirs = unsown.and(Pits::OPPONENT).rotate();
        sown.chain(captures.filter_map(move |captured| {
            Some((Self::table(Pit::new(0), captured), Layer::new(theirs, layer.stones() - captured)?))
        }))
    }

    /// The number of the table of the children reached by sowing `pit` and capturing so many stones.
    #[inline]
    pub fn table(pit: Pit, captured: u8) -> u8 {
        if captured == 0 { pit.index() as u8 } else { 4 + captured }
    }

    /// The values of a table.
    #[inline]
    pub fn values(&self, table: u8) -> &'a [i8] {
        self.tables[table as usize]
    }
}
