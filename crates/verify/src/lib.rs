//! Passes over finished tables: the certificate that proves every entry from those one move on, and the statistics.
//!
//! This crate does not know the solver. It shares with it what the games are and how positions are numbered.
use kpe_core::{board, echo, index, memory, rules, runs, table, value};

mod forward;
#[doc(hidden)]
pub mod stats;
pub mod verify;
