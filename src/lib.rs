//! Kpé and Goré, the four-pit mancala games of Ivory Coast: rules, endgame tables, search.
pub mod board;
pub mod build;
pub mod engine;
pub mod exact;
pub mod index;
pub mod memory;
pub mod notation;
pub mod pack;
pub mod perft;
pub mod retro;
pub mod rules;
pub mod runs;
pub mod search;
pub mod table;
pub mod value;
pub mod verify;
