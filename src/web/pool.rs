//! Work that may take time, in threads of its own: the threads that talk to clients never do it.
//!
//! Work has a ticket while it waits and runs, so it is bounded: what finds no ticket is refused at once. Whoever asked and
//! went away stops it. What takes long has tickets of its own and never all threads, so that it shuts out nothing shorter.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, TryAcquireError, oneshot};
use tokio::time::timeout;

/// Some threads and what they have to do.
pub(super) struct Pool {
    threads: ThreadPool,
    permits: Arc<Semaphore>,
    usual: Lane,
    long: Lane,
    size: usize,
    running: Arc<AtomicUsize>,
    /// How long work waits for a thread.
    patience: Duration,
}

/// What work of a kind may take.
struct Lane {
    /// For each that waits or runs.
    tickets: Arc<Semaphore>,
    /// For each that runs.
    threads: Arc<Semaphore>,
}

impl Lane {
    fn new(threads: usize, waiting: usize) -> Self {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        Self { tickets: semaphore(threads.saturating_add(waiting)), threads: semaphore(threads) }
    }
}

/// How long work may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// As long as most.
    Usual,
    /// Several times that.
    Long,
}

/// The right to wait for a thread and to use it.
pub(super) struct Ticket {
    _permit: OwnedSemaphorePermit,
    length: Length,
}

/// Why work was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undone {
    /// Too much is waiting, or no thread was free in time.
    Busy,
    /// It panicked.
    Panicked,
}

/// Raises the flag when whoever waits for the work waits no more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Counts work under way, also if it panics.
struct Running(Arc<AtomicUsize>);

impl Running {
    fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

impl Pool {
    /// A pool of `size` threads, each of which calls `begin` first. So many of each length may wait.
    ///
    /// # Errors
    /// If the system has no threads to give.
    pub(super) fn new(
        name: &'static str,
        size: usize,
        waiting: usize,
        patience: Duration,
        begin: fn(),
    ) -> Result<Self, rayon::ThreadPoolBuildError> {
        let threads = ThreadPoolBuilder::new()
            .num_threads(size)
            .thread_name(move |number| format!("{name}-{number}"))
            .start_handler(move |_| begin())
            // Whoever waits for it learns of it, by the end of the channel.
            .panic_handler(|_| ())
            .build()?;
        let permits = Arc::new(Semaphore::new(size));
        let (usual, long) = (Lane::new(size, waiting), Lane::new((size - 1).max(1), waiting));
        Ok(Self { threads, permits, usual, long, size, running: Arc::default(), patience })
    }

    /// Threads there are.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Threads at work.
    pub(super) fn running(&self) -> usize {
        self.running.load(Relaxed)
    }

    const fn lane(&self, length: Length) -> &Lane {
        match length {
            Length::Usual => &self.usual,
            Length::Long => &self.long,
        }
    }

    /// A ticket for work, now or never.
    pub(super) fn ticket(&self, length: Length) -> Result<Ticket, Undone> {
        let permit = Arc::clone(&self.lane(length).tickets).try_acquire_owned();
        permit.map(|permit| Ticket { _permit: permit, length }).map_err(|_: TryAcquireError| Undone::Busy)
    }

    /// Does `work` in a thread of the pool. The flag it is given is raised when this future is dropped.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        self.run_with(self.ticket(Length::Usual)?, work).await
    }

    /// The same with a ticket that was taken before.
    pub(super) async fn run_with<T: Send + 'static>(
        &self,
        ticket: Ticket,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let permits = async {
            let of_its_length = Arc::clone(&self.lane(ticket.length).threads).acquire_owned().await?;
            Ok::<_, tokio::sync::AcquireError>((of_its_length, Arc::clone(&self.permits).acquire_owned().await?))
        };
        let permit = match timeout(self.patience, permits).await {
            Ok(Ok(permit)) => permit,
            _ => return Err(Undone::Busy),
        };
        let stop = StopOnDrop(Arc::default());
        let seen = Arc::clone(&stop.0);
        let running = Running::begin(&self.running);
        let (sender, receiver) = oneshot::channel();
        self.threads.spawn(move || {
            let result = work(&seen);
            drop((running, permit, ticket));
            // Nobody may be waiting any more.
            let _ = sender.send(result);
        });
        receiver.await.map_err(|_| Undone::Panicked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn pool(size: usize) -> Pool {
        Pool::new("test", size, 2, Duration::from_millis(20), || ()).unwrap()
    }

    fn until_stopped(stop: &AtomicBool) {
        let begun = Instant::now();
        while !stop.load(Relaxed) && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[tokio::test]
    async fn work_is_done_bounded_and_survives_panics() {
        let pool = Arc::new(pool(1));
        assert_eq!(pool.run(|_| 7).await, Ok(7));
        assert_eq!(pool.run(|_| panic!("a test of panics")).await, Err::<(), _>(Undone::Panicked));
        let holder = Arc::clone(&pool);
        let held = tokio::spawn(async move { holder.run(until_stopped).await });
        while pool.running() == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(pool.run(|_| 7).await, Err(Undone::Busy));
        let begun = Instant::now();
        held.abort();
        while pool.running() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(begun.elapsed() < Duration::from_secs(5), "nobody waits, yet it went on");
        assert_eq!(pool.run(|_| 7).await, Ok(7));
    }

    /// Polls a future once, as a request is that has just come.
    async fn begun<F: Future + Unpin>(work: &mut F) -> bool {
        timeout(Duration::ZERO, work).await.is_err()
    }

    #[tokio::test]
    async fn what_finds_no_ticket_is_refused_at_once_and_each_length_has_its_own() {
        let pool = Pool::new("test", 2, 3, Duration::from_secs(60), || ()).unwrap();
        let long = || pool.run_with(pool.ticket(Length::Long).unwrap(), until_stopped);
        let mut annotations: Vec<_> = (0..4).map(|_| Box::pin(long())).collect();
        for work in &mut annotations {
            assert!(begun(work).await);
        }
        assert!(matches!(pool.ticket(Length::Long), Err(Undone::Busy)));
        // One thread is left to what is shorter.
        assert_eq!(pool.run(|_| 7).await, Ok(7));
        let mut searches: Vec<_> = (0..5).map(|_| Box::pin(pool.run(until_stopped))).collect();
        for work in &mut searches {
            assert!(begun(work).await);
        }
        let at = Instant::now();
        assert_eq!(pool.run(|_| 7).await, Err(Undone::Busy));
        assert!(at.elapsed() < Duration::from_secs(20), "it waited");
        drop((searches, annotations));
        while pool.running() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(pool.run(|_| 7).await, Ok(7));
    }
}
