//! Tables of solved layers on disk: one file a layer pair, packed in blocks, every byte under a checksum.
//!
//! [`TableFile`] reads a file, [`TableSet`] finds the file of a layer among several places. (`write_pair` writes one and
//! `TableBuilder` keeps a directory of them: inner workings, like digests and manifest.) The bytes are described in `tables/README.md`; a change of the format and
//! an optimisation are never one commit. A file is foreign data: whatever its bytes, reading ends with the entries that
//! were written or with a [`TableError`], and takes no more memory than its layer does.
//!
//! ```
//! use kpe_core::board::{Board, Pits};
//! use kpe_core::index::Layer;
//! use kpe_core::rules::Game;
//! use kpe_core::table::{TableSet, embedded};
//! use kpe_core::value::{Distance, Value};
//!
//! // A directory of tables first, then those in the program; the first that has a layer serves it.
//! let set = TableSet::new(&Game::named("kpe")?).and_directory("/no/such/directory").and_embedded(embedded());
//! let board = Board::new([2, 4, 1, 3, 0, 3, 8, 1], Pits::NONE);
//! let layer = Layer::of(board);
//! let entry = set.require(layer)?.probe(layer, layer.rank(board))?;
//! assert_eq!((entry.value(), entry.distance()), (Value(4), Distance(1)));
//!
//! let larger = Layer::new(Pits::NONE, 26).expect("a layer");
//! assert!(set.require(larger).unwrap_err().to_string().starts_with("no table for n26 in "));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod bytes;
mod cache;
mod checksum;
#[doc(hidden)]
pub mod codec;
mod directory;
mod embedded;
mod error;
mod file;
#[doc(hidden)]
pub mod metadata;
mod names;
#[doc(hidden)]
pub mod prefix;
mod set;
mod statistics;

#[doc(hidden)]
pub use blocks::{Blocks, ROW, SectionBlocks, row_bytes};
#[doc(hidden)]
pub use cache::BlockCache;
#[doc(hidden)]
pub use checksum::{checksum, checksum_of_two};
#[doc(hidden)]
pub use codec::CODEC;
#[doc(hidden)]
pub use directory::{MANIFEST, entries, table_names};
pub use embedded::{EmbeddedFiles, embedded};
pub use error::{Defect, TableError};
pub use file::TableFile;
pub use metadata::{Metadata, Section};
#[doc(hidden)]
pub use names::rules_text;
pub use names::{
    FILE_SUFFIX, directory_name, file_name, first_of_pair, layer_name, mover_letters, opponent_letters,
    parse_file_name, parse_layer_name,
};
pub use prefix::FORMAT_VERSION;
pub use set::TableSet;
#[doc(hidden)]
pub use set::parent_of_set;
pub use statistics::Statistics;
