//! Kpé and Goré, the four-pit mancala games of Ivory Coast: rules, strong solution, endgame tables, search.
//!
//! The same library is behind every sub-command of `kpe`. A first use, the best move of a position, by tables where they
//! reach and by a search of so many positions where they do not:
//!
//! ```
//! use std::sync::{Arc, atomic::AtomicBool};
//!
//! use kpe::engine::TableProbe;
//! use kpe::level::Level;
//! use kpe::notation::Position;
//! use kpe::player::Player;
//! use kpe::rules::Game;
//! use kpe::search::Limits;
//! use kpe::table::{TableSet, embedded};
//!
//! let game = Game::parse("kpe", "")?; // the standard rules
//! let tables = TableProbe::new(TableSet::new(&game).and_embedded(embedded()))?;
//! let player = Player::new(&game, Arc::new(tables), Level::HIGHEST, 16 << 20, 0)?;
//!
//! let position = Position::parse("0-3-8-1-2-4-1-3-12-14-N", game)?;
//! let limits = Limits { nodes: Some(100_000), ..Limits::default() };
//! let found = player.analyse(&position, None, &limits, &AtomicBool::new(false), &mut |_| ())?;
//!
//! let best = found.best.expect("the game goes on");
//! assert_eq!(best.text(position.side()).to_string(), "b");
//! assert_eq!((found.value.to_string().as_str(), found.kind.word()), ("+4", "exact"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The face
//!
//! These modules are the library's promise: they change incompatibly with a new minor version only, as long as the major
//! version is 0.
//!
//! * **Games**: [`rules`] with their options, [`board`], [`notation`] (positions and moves as text), [`record`] (games as text
//!   and their end), [`perft`].
//! * **Knowledge**: [`value`] (units and signs), [`index`] (layers and numbers of positions), [`table`] (reading sets and files),
//!   [`opening::book`], [`retro`] (solving layers, also of rules of one's own).
//! * **Play**: [`player`] (any game, with a memory of it), [`level`], [`engine`] and [`search`] (boards), [`annotate`].
//!
//! All other public modules are inner workings that the program, the tests and the benchmarks reach; they are not shown here
//! and may change with any version. The same holds for the documents of `--json`, whose promise is their schema, in README.md.
//!
//! Errors that may grow are `#[non_exhaustive]`. [`search::Limits`] and the options [`rules::kpe::Kpe`] and
//! [`rules::gore::Gore`] may get fields: write `..Default::default()`.
//!
//! # How data flows
//!
//! ```text
//!  word         rules          number        solver        file          answer        people and programs
//!  board  ───►  rules/  ───►   index  ───►   retro/  ───►  table/  ───►  engine  ───►  cli/  protocol/  web/
//!                                                          ▲    │        ▲
//!                                                    verify/    └──►  search/
//! ```
//!
//! A position is one 64-bit word ([`board::Board`]), seen from the player to move. [`rules::Rules`] turn a word and a pit into the
//! next word. [`index::Layer`] turns a word into a layer and a number. The solver fills layers from those already filled and
//! hands each to the writer of tables; a reader opens them again. The engine says what a position is worth: from a table if one
//! covers it, else by a search that asks tables at its leaves. Whatever a person or another program is told was asked there.
//!
//! South and North, stores and history exist only where people are talked to: in [`notation`] and what lies to its right.
//!
//! # Map
//!
//! Four crates, each a promise:
//!
//! | crate | promise |
//! |---|---|
//! | `crates/core` (`kpe-core`) | what the games are, what is known of them and how they are played, on any system or none: it builds for WebAssembly |
//! | `crates/solve` (`kpe-solve`) | layers are solved and written, the same bytes for any number of threads |
//! | `crates/verify` (`kpe-verify`) | every entry is proven or counted by code that does not know the solver |
//! | `kpe` (`src`) | people and programs ask, by the command line, the protocol, the server |
//!
//! `kpe` stands on all three, `kpe-solve` and `kpe-verify` on `kpe-core` alone, and the compiler holds that. The names of the
//! face are those of this crate, which hands on what the others have.
//!
//! | module | what it is |
//! |---|---|
//! | **`kpe-core`** | |
//! | `echo` | foreign text as messages show it: cut and escaped |
//! | `board` | pits, sets of pits, the board in a word; how stones are sown |
//! | `value` | value, distance, how sure they are, and both in one word |
//! | `index` | layers; the number of a position and back |
//! | `rules` | `kpe`, `gore`, their `options`; `slow` is the reference of the tests |
//! | `memory` | large arrays and prefetching |
//! | `runs` | stretches of positions that differ in two pits, and their moves at once |
//! | `notation` | positions and moves as text, South and North, errors with their place |
//! | `perft` | counting paths of moves |
//! | `pack` | entries as blocks of a bit and a half a position: contexts, asymmetric numeral system |
//! | `table` | reading files and sets; what is embedded; the format |
//! | `book` | the opening book in the program |
//! | `search` | alpha-beta on boards; `trade`: on the full game of Goré; clock, threads and stop flag are arguments |
//! | `engine` | tables and search together, boards only |
//! | `record` | a game in play and its end; games as text |
//! | `level` | strengths of play |
//! | `player` | an engine for rules known only now, with a game's history |
//! | `document` | documents of `--json` that several parts write |
//! | `bench` | positions by which speed and behaviour of the search are measured |
//! | `annotate` | what the moves of a game were worth |
//! | **`kpe-solve`** | |
//! | `retro` | solving a pair of layers: exits, then saturation |
//! | `table` | writing files, the directory of a set, manifest, digests |
//! | `build` | the plan of a set, its workers, what it will need |
//! | `exact` | small games of any kind by backward induction: the oracle of the search of Goré with trades |
//! | `system` | the operating system: files and locks, limits |
//! | **`kpe-verify`** | |
//! | `forward` | one pass over a set with the moves of every position |
//! | `verify` | the certificate: such a pass |
//! | `stats` | counts over a set: another such pass |
//! | **`kpe`** | |
//! | `opening` | tree, orders, delay, tempo, traps, report |
//! | `annotate` | annotated games as a page |
//! | `arena` | matches and what they prove |
//! | `protocol` | `kpe engine` |
//! | `web` | `kpe serve` (feature `serve`) |
//! | `allocator` | memory that the system refuses |
//!
//! The program itself is `src/main.rs` and `src/cli`, one file a sub-command; it imports the library and nothing imports it. An
//! outside package of this crate is imported by one room, its door (`tests/structure.rs`). Every file begins with what it is for.
//!
//! Two other layouts were drawn. *Reading and writing of tables in one crate*: the format would stand in one place, but everybody who
//! reads would stand on locks, temporary files and digests, and a page in a browser has none of them. *One crate a floor* (rules,
//! tables, search, play): the floors call each other in both directions, by the levels that limit probes and the book that
//! answers for tables, so that most traits would exist for the crates' sake. What was chosen follows who needs what: whoever plays or
//! reads needs the core, whoever makes tables the solver, whoever doubts them the passes.
//!
//! # Where each fact has its home
//!
//! | fact | home |
//! |---|---|
//! | the rules, in words | `RULES.md`; "(RULES 2.3)" in a comment is a number there |
//! | the rules, in code | `rules/kpe.rs`, `rules/gore.rs`; checked against `rules/slow.rs` and `tests/golden` |
//! | names and words of options | `rules/options.rs` |
//! | the number of a position | `index.rs` |
//! | the bytes of a table | `tables/README.md`; the code is `table/` and `pack/` |
//! | what a build must contain | `build/plan.rs` |
//! | which tables are in the program | `table/embedded.rs` of the core |
//! | when a search result is exact | `search/score.rs` |
//! | what a level sees | `level.rs` |
//! | exit statuses | `cli/exit.rs` |
//! | fields of documents | the struct with the `schema`; README.md and API.md describe them |
//!
//! # What may never happen
//!
//! * An estimate called exact; a wrong entry from a damaged file; a table of other rules taken for these.
//! * A table whose bytes depend on the number of threads, or a file under its final name that is not complete.
//! * A panic on what a user, a client, a record, a protocol line or a table file says.
//! * The library printing, or deciding a result by the clock: progress, stop flag, limits, threads and memory are arguments.
//! * A change of what a search with one thread and a node limit does without a change of the total that `kpe bench` prints.
//!
//! # Finding one's way
//!
//! To follow one position through the program: `notation/read.rs` reads it, `player.rs` asks, `engine.rs` looks it up
//! (`engine/tables.rs`) or searches (`search/mod.rs`, then `root.rs` and `negamax.rs`), `document.rs` or `cli/best.rs` tells. To
//! follow a table: `build/mod.rs`, `retro/mod.rs`, `table/writer.rs`; then back by `table/set.rs` and `table/file.rs`.
//! `CONTRIBUTING.md` says step by step how to add a rule option, change the format, measure and prove a change.
#[doc(hidden)]
pub mod allocator;
pub mod annotate;
#[doc(hidden)]
pub mod arena;
pub mod opening;
#[doc(hidden)]
pub mod protocol;
pub mod table;
#[cfg(feature = "serve")]
#[doc(hidden)]
pub mod web;

#[doc(hidden)]
pub use kpe_core::memory;
#[doc(hidden)]
pub use kpe_core::{bench, document, echo, pack, runs};
#[doc(inline)]
pub use kpe_core::{board, engine, index, level, notation, perft, player, record, rules, search, value};
#[doc(inline)]
pub use kpe_solve::retro;
#[doc(hidden)]
pub use kpe_solve::{build, exact, system};
#[doc(hidden)]
pub use kpe_verify::{stats, verify};
