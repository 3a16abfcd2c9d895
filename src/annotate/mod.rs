//! What each move of a game was worth, from `kpe_core::annotate`, and its page.
mod page;

#[doc(inline)]
pub use kpe_core::annotate::*;
#[doc(hidden)]
pub use page::page;
