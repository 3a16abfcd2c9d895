//! The core of `kpe`: what the games are, what is known of them and how they are played, without an operating system.
//!
//! Rules, notation and records; the numbering of positions; reading of packed tables and of the opening book; search, levels
//! and players of whole games. It prints nothing, starts nothing by itself, and knows no command line, terminal or network. The
//! documentation of the crate `kpe` has the map.
pub mod annotate;
#[doc(hidden)]
pub mod bench;
pub mod board;
pub mod book;
#[doc(hidden)]
pub mod document;
#[doc(hidden)]
pub mod echo;
pub mod engine;
pub mod index;
pub mod level;
#[doc(hidden)]
pub mod memory;
pub mod notation;
#[doc(hidden)]
pub mod pack;
pub mod perft;
pub mod player;
pub mod record;
pub mod rules;
#[doc(hidden)]
pub mod runs;
pub mod search;
pub mod table;
pub mod value;
