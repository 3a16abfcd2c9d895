//! The opening of Kpé, whose lock forbids a player to capture before he has sown from all four of his pits.

pub mod book;
mod values;

pub use values::{OpeningError, Valued, Values};
