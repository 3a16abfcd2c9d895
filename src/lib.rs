//! Kpé and Goré, the four-pit mancala games of Ivory Coast: rules, endgame tables, search.
pub mod board;
pub mod index;
pub mod notation;
pub mod perft;
pub mod rules;
pub mod value;
