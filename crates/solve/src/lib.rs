//! The solver of `kpe`: it fills layers of positions from those already filled and writes them as tables.
//!
//! A plan says which layers a set has and what each needs; workers solve a pair of layers each, pack it and give it to the builder
//! of the directory, which keeps files whole and others out. What checks the result shares nothing with this crate but the
//! rules and the numbering of positions, which are those of `kpe-core`: see `kpe-verify`.
use kpe_core::{board, echo, index, memory, rules, runs, value};

pub mod build;
#[doc(hidden)]
pub mod exact;
pub mod retro;
#[doc(hidden)]
pub mod system;
pub mod table;
