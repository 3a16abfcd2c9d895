//! A local web server that plays and explores the games: a page and a JSON API. The only module that imports axum, hyper
//! and tokio.
//!
//! The rules live here, never in the page: it asks what may be played, what each move does, and what everything is worth.
//! API.md describes the requests.
//!
//! Whoever sends bytes to a socket may be anybody, so (each point has its test in `tests/web`):
//!
//! * only GET and HEAD are answered, and POST where parameters may be long (`body.rs`), for hosts that are known, and not
//!   for pages of other sites (`guard.rs`);
//! * connections, time to send a request and to take an answer, sizes, searches, those that wait, and their time are limited
//!   (`listen.rs`, `connections.rs`, `wire.rs`, `pool.rs`, `refusals.rs`); whoever goes away stops their search;
//! * the threads that talk to clients neither read tables nor search (`pool.rs`);
//! * the files of the page are in the program; no request names a path of the file system (`assets.rs`);
//! * whatever is wrong is answered with a problem document (`problem.rs`).

mod answers;
mod api;
mod assets;
mod body;
mod connections;
mod games;
mod guard;
mod listen;
mod pool;
mod problem;
mod query;
mod refusals;
mod server;
mod wire;

pub use guard::{Host, HostError};
pub use server::{Interrupts, Limits, Running, ServeError, Settings, start};
