//! How the entries of one block become bytes and back: the seam between the files and [`crate::pack`].
//!
//! The file around it sees four things: [`train`] looks at a whole layer and returns parameters that the file keeps,
//! [`Codec::new`] reads them again, [`Codec::encode_block`] and [`Codec::decode_block`] work on one block. Blocks are
//! foreign data: a decoder must end with every entry written or with an error, whatever the bytes.
//!
//! Codec 1 is the model of [`crate::pack`]; the parameters are its distributions.

use std::cell::RefCell;

use super::error::Defect;
use crate::index::Layer;
use crate::pack::{Model, PackError, Scratch};
use crate::rules::{Layered, with_rules};
use crate::value::Entry;

/// The codec this program writes, and the latest it reads.
pub const CODEC: u32 = 1;

thread_local! {
    /// Work space that is costly to make anew for each block.
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// The parameters that suit `entries`, the whole of `layer`, in blocks of `block` positions.
#[must_use]
pub fn train(rules: Layered, layer: Layer, entries: &[Entry], block: usize) -> Vec<u8> {
    SCRATCH.with_borrow_mut(|scratch| {
        with_rules!(rules, rules => Model::train(rules, layer, entries, block, scratch)).to_bytes()
    })
}

/// Packs and unpacks the blocks of one layer.
#[derive(Debug)]
pub struct Codec {
    rules: Layered,
    layer: Layer,
    model: Model,
}

impl Codec {
    /// The codec of `layer` with parameters that [`train`] returned, read from a file.
    ///
    /// # Errors
    /// If the parameters are not such.
    pub fn new(rules: Layered, layer: Layer, parameters: &[u8]) -> Result<Self, Defect> {
        Ok(Self { rules, layer, model: Model::from_bytes(parameters)? })
    }

    /// The packed form of the block of positions whose first one has number `first` in the layer.
    #[must_use]
    pub fn encode_block(&self, first: u32, entries: &[Entry]) -> Vec<u8> {
        let mut block = Vec::new();
        SCRATCH.with_borrow_mut(|scratch| {
            with_rules!(self.rules, rules => {
                self.model.pack(rules, self.layer, first, entries, scratch, &mut block);
            });
        });
        block
    }

    /// Unpacks the first entries of a `block` that holds `length` of them into `entries`; the first one has number `first`
    /// in the layer.
    ///
    /// # Errors
    /// If the bytes are not such a block; its end is looked at only if all of it is unpacked. The entries are then
    /// unspecified.
    pub fn decode_block(
        &self,
        first: u32,
        (block, length): (&[u8], usize),
        entries: &mut [Entry],
    ) -> Result<(), Defect> {
        SCRATCH.with_borrow_mut(|scratch| {
            with_rules!(self.rules, rules => {
                self.model.unpack(rules, self.layer, first, (block, length), scratch, entries)
            })
        })?;
        let stones = self.layer.stones();
        match entries.iter().map(|entry| entry.value().0.unsigned_abs()).max() {
            Some(largest) if largest > stones => {
                Err(Defect::new("largest value of a block", largest, format!("at most {stones}")))
            }
            _ => Ok(()),
        }
    }
}

impl From<PackError> for Defect {
    fn from(error: PackError) -> Self {
        Self::new(error.what, error.found, error.expected)
    }
}
