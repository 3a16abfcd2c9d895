//! A server: what it is set to, what it shares among its requests, and how it begins and ends.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::answers::Answers;
use super::api::GameDocument;
use super::games::Games;
use super::guard::{Host, Hosts};
use super::pool::Pool;
use super::{api, listen};
use crate::memory::Pages;
use crate::notation::Position;
use crate::rules::{Game, kpe::Kpe};
use crate::system::limits::processors;

/// Name of the threads that talk to clients.
pub(super) const SERVING: &str = "serve";
/// Memory for answers from tables that were given before.
const ANSWER_MEMORY: usize = 64 << 20;
/// Memory for descriptions of tables, some 150 KB each.
const INFO_MEMORY: usize = 8 << 20;
/// How much search threads give way to those that answer from tables.
const SEARCH_NICENESS: i32 = 5;
/// Requests that wait for each search that may be under way: those behind them would not get one in time.
const WAITING_EACH: usize = 4;
/// How long what takes a moment waits for a thread: it is never long till one is free.
const QUICK_WAIT: Duration = Duration::from_secs(10);

/// What a server is set to.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens; port 0 lets the system choose one.
    pub address: SocketAddr,
    /// Names by which it may be asked, besides `localhost` and its address.
    pub hosts: Vec<Host>,
    /// The directory of tables; those in the program are used as well.
    pub tables: Option<PathBuf>,
    /// Bytes to remember searched positions in.
    pub memory: u64,
    /// What clients may take.
    pub limits: Limits,
}

/// What clients may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Connections at a time.
    pub connections: usize,
    /// Searches at a time, at least 1.
    pub searches: usize,
    /// How long a request for a search waits until one of those ends.
    pub search_wait: Duration,
    /// How long a client may take to send the head of a request, or to send nothing.
    pub head_time: Duration,
    /// How long a client may take no bytes of an answer.
    pub write_time: Duration,
    /// How long requests under way may take when the server is told to stop.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            searches: processors(),
            search_wait: Duration::from_secs(2),
            head_time: Duration::from_secs(10),
            write_time: Duration::from_secs(10),
            grace: Duration::from_secs(3),
        }
    }
}

/// Why a server does not begin.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is not to be had.
    #[error("cannot listen at {address}: {source}; choose another address or port")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// There is less memory to remember positions in than the searches of all games need.
    #[error("the memory of a server is {given} bytes, expected {least} or more")]
    LittleMemory {
        /// Bytes given.
        given: u64,
        /// Bytes needed.
        least: u64,
    },
    /// The system does not have so much memory.
    #[error("the system has not {0} bytes of memory to remember positions in; give the server less")]
    MuchMemory(u64),
    /// The system lacks threads or the like.
    #[error("the system has no means for a server: {0}")]
    Means(#[from] io::Error),
    /// The system lacks threads.
    #[error("the system has no threads for a server: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// What the requests of a server share.
pub(super) struct Server {
    pub(super) hosts: Hosts,
    pub(super) games: Arc<Games>,
    /// For what takes a moment: rules, tables.
    pub(super) quick: Pool,
    /// For what takes as long as it is given.
    pub(super) searches: Pool,
    /// Answers about positions from tables.
    pub(super) answers: Answers<Position>,
    /// Descriptions of tables.
    pub(super) infos: Answers<Game>,
    /// Which games have tables, once it was looked.
    pub(super) known_games: OnceLock<Vec<GameDocument>>,
    pub(super) begun: Instant,
}

/// The same, for each request.
pub(super) type Shared = Arc<Server>;

/// A server under way. It ends when this is dropped.
pub struct Running {
    address: SocketAddr,
    runtime: Runtime,
    serving: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

/// Begins to serve; the address is taken and answered when this returns.
///
/// # Errors
/// If the address or threads are not to be had.
pub fn start(settings: Settings) -> Result<Running, ServeError> {
    check_memory(settings.memory)?;
    let runtime = Builder::new_multi_thread().enable_all().thread_name(SERVING).build()?;
    let address = settings.address;
    let listener = runtime.block_on(TcpListener::bind(address));
    let listener = listener.map_err(|source| ServeError::Listen { address, source })?;
    let address = listener.local_addr()?;
    let limits = settings.limits;
    let searches = limits.searches.max(1);
    let shared: Shared = Arc::new(Server {
        hosts: Hosts::new(address, &settings.hosts),
        games: Arc::new(Games::new(settings.tables, settings.memory)),
        // Each connection has one request at a time.
        quick: Pool::new("tables", processors(), limits.connections, QUICK_WAIT, || ())?,
        searches: Pool::new("search", searches, WAITING_EACH * searches, limits.search_wait, give_way)?,
        answers: Answers::new(ANSWER_MEMORY),
        infos: Answers::new(INFO_MEMORY),
        known_games: OnceLock::new(),
        begun: Instant::now(),
    });
    let (stop, stopped) = watch::channel(false);
    runtime.spawn(warm_up(Arc::clone(&shared)));
    let serving = runtime.spawn(listen::serve(listener, api::router(shared), limits, stopped));
    Ok(Running { address, runtime, serving, stop })
}

/// Refuses memory that the first search would be refused.
fn check_memory(given: u64) -> Result<(), ServeError> {
    let least = Games::LEAST_MEMORY;
    if given < least {
        return Err(ServeError::LittleMemory { given, least });
    }
    // The system says whether it could give it; nothing is touched.
    let whole = usize::try_from(given).ok().map(Pages::<u8>::zeroed);
    whole.and_then(Result::ok).map(drop).ok_or(ServeError::MuchMemory(given))
}

/// Opens what most visitors ask for first. If it is not to be had, they will be told.
async fn warm_up(shared: Shared) {
    let games = Arc::clone(&shared.games);
    let start = Position::start(Game::Kpe(Kpe::default()));
    let _ = shared.quick.run(move |_| api::position::look_up(&games, &start)).await;
}

/// Lets other threads of the program go first.
fn give_way() {
    // Where it is not granted, all threads are equal.
    let _ = rustix::process::nice(SEARCH_NICENESS);
}

/// Requests to end the process.
pub struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on SIGINT and SIGTERM do not end the process; they end [`Running::until`].
    ///
    /// # Errors
    /// If the system does not let it wait for signals.
    pub fn interrupts(&self) -> io::Result<Interrupts> {
        let _in_runtime = self.runtime.enter();
        Ok(Interrupts { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    /// Serves until the process is asked to end, and lets requests under way end.
    pub fn until(self, mut interrupts: Interrupts) {
        self.runtime.block_on(async {
            tokio::select! {
                _ = interrupts.interrupt.recv() => {}
                _ = interrupts.terminate.recv() => {}
            }
        });
        self.stop();
    }

    /// Takes no more requests and returns when those under way have ended, or had their time for it.
    pub fn stop(self) {
        // It may have ended by itself.
        let _ = self.stop.send(true);
        let _ = self.runtime.block_on(self.serving);
        self.runtime.shutdown_background();
    }
}
