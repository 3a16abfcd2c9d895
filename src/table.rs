//! Tables of solved layers on disk: reading them, from `kpe_core::table`, and writing them, from `kpe_solve::table`.
#[doc(inline)]
pub use kpe_core::table::*;
#[doc(hidden)]
pub use kpe_solve::table::*;
