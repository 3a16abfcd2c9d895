//! Kpé and Goré, the four-pit mancala games of Ivory Coast: rules, endgame tables, search.
pub mod arena;
pub mod bench;
pub mod board;
pub mod build;
pub mod engine;
pub mod exact;
mod forward;
pub mod index;
pub mod level;
pub mod memory;
pub mod notation;
pub mod opening;
pub mod pack;
pub mod perft;
pub mod player;
pub mod protocol;
pub mod record;
pub mod retro;
pub mod rules;
pub mod runs;
pub mod search;
pub mod stats;
pub mod table;
pub mod value;
pub mod verify;
#[cfg(feature = "serve")]
pub mod web;
