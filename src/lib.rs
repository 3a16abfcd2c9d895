//! Kpé and Goré, the four-pit mancala games of Ivory Coast: rules, endgame tables, search.
pub mod board;
pub mod index;
pub mod rules;
pub mod search;
pub mod value;
