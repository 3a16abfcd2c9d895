//! The opening of Kpé, whose lock forbids a player to capture before he has sown from all four of his pits: what is it worth?
//!
//! All figures are exact: they rest on the strong solution, through the [`book`] as far as it reaches and the full tables beyond.
//! *Value*, *distance* and *layer* mean what they mean everywhere: stones still to be won by perfect play, from the view said.
//! What each figure means, over which positions and with whose play, stands at the head of its module:
//!
//! * [`tree`]: the moves of the opening with their values, and how many hold the value;
//! * [`orders`]: binding oneself to an order of unlocking;
//! * [`delay`]: unlocking by a certain turn, or not before it;
//! * [`tempo`]: the worth of an unsown pit;
//! * [`traps`]: positions with a single move that holds the value;
//! * [`compare`]: the game with its lock, with a slower one, and without;
//! * [`report`]: all of it as one page.
//!
//! The [`book`] is for every user of the library, the others are inner workings of `kpe opening`.

#[doc(inline)]
pub use kpe_core::book;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod delay;
#[doc(hidden)]
pub mod levels;
#[doc(hidden)]
pub mod orders;
#[doc(hidden)]
pub mod report;
#[doc(hidden)]
pub mod restricted;
#[doc(hidden)]
pub mod tempo;
#[doc(hidden)]
pub mod traps;
#[doc(hidden)]
pub mod tree;
mod values;

#[doc(hidden)]
pub use values::{OpeningError, Valued, Values};
