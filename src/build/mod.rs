//! Building a set of tables: which pairs of layers, in which order, with how much memory.
mod plan;
pub use plan::{Pair, Plan, layers_of};
