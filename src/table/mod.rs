//! Tables of solved layers on disk: one file a layer pair, packed in blocks, every byte under a checksum.
//!
//! [`write_pair`] writes a file, [`TableFile`] reads one, [`TableSet`] finds the file of a layer among several places,
//! [`TableBuilder`] keeps a directory of them. The bytes are described in `tables/README.md`; a change of the format and
//! an optimisation are never one commit. A file is foreign data: whatever its bytes, reading ends with the entries that
//! were written or with a [`TableError`], and takes no more memory than its layer does.

mod atomic;
mod blocks;
mod builder;
mod bytes;
mod cache;
mod checksum;
pub mod codec;
mod digest;
mod digests;
mod embedded;
mod error;
mod file;
mod manifest;
mod metadata;
mod names;
mod prefix;
mod set;
mod statistics;
#[doc(hidden)]
pub mod testing;
mod writer;

pub use atomic::AtomicFile;
pub use builder::{TableBuilder, free_bytes, require_space};
pub use cache::BlockCache;
pub(crate) use checksum::checksum_of_two;
pub use codec::CODEC;
pub use digest::sha256_of_file;
pub use digests::{DIGEST_HEADS, DigestError, DigestRow, digest_differences, digests_of, parse_digests};
pub use embedded::{EmbeddedFiles, embedded};
pub use error::{Defect, TableError};
pub use file::TableFile;
pub use manifest::{MANIFEST, Manifest, ManifestFile, SUMS};
pub use metadata::{Metadata, Section};
pub use names::{
    FILE_SUFFIX, directory_name, file_name, first_of_pair, layer_name, mover_letters, opponent_letters,
    parse_file_name, parse_layer_name,
};
pub use prefix::FORMAT_VERSION;
pub use set::TableSet;
pub use statistics::Statistics;
pub use writer::{BLOCK_POSITIONS, FileSummary, Unsealed, write_pair};
