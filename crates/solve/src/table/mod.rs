//! Writing tables: a file of a layer pair, the directory of a set, its lists and digests. Reading them is `kpe_core::table`.
mod atomic;
mod builder;
mod digest;
mod digests;
mod manifest;
pub mod testing;
mod writer;

pub use atomic::AtomicFile;
pub use builder::{TableBuilder, free_bytes, require_space};
pub use digest::sha256_of_file;
pub use digests::{DIGEST_HEADS, DigestError, DigestRow, digest_differences, digests_of, parse_digests};
pub use manifest::{Manifest, ManifestFile, SUMS};
pub use writer::{BLOCK_POSITIONS, FileSummary, Unsealed, write_pair};
