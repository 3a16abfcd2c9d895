//! Work that may take time, in threads of its own: the threads that talk to clients never do it.
//!
//! Work has a permit while it waits and runs, so it is bounded; whoever asked and went away stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::{Semaphore, oneshot};
use tokio::time::timeout;

/// Some threads and what they have to do.
pub(super) struct Pool {
    threads: ThreadPool,
    permits: Arc<Semaphore>,
    size: usize,
    running: Arc<AtomicUsize>,
    /// How long work waits for a thread.
    patience: Duration,
}

/// Why work was not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Undone {
    /// No thread was free in time.
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
    /// A pool of `size` threads, each of which calls `begin` first.
    ///
    /// # Errors
    /// If the system has no threads to give.
    pub(super) fn new(
        name: &'static str,
        size: usize,
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
        Ok(Self { threads, permits, size, running: Arc::default(), patience })
    }

    /// Threads there are.
    pub(super) const fn size(&self) -> usize {
        self.size
    }

    /// Threads at work.
    pub(super) fn running(&self) -> usize {
        self.running.load(Relaxed)
    }

    /// Does `work` in a thread of the pool. The flag it is given is raised when this future is dropped.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let permit = match timeout(self.patience, Arc::clone(&self.permits).acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            _ => return Err(Undone::Busy),
        };
        let stop = StopOnDrop(Arc::default());
        let seen = Arc::clone(&stop.0);
        let running = Running::begin(&self.running);
        let (sender, receiver) = oneshot::channel();
        self.threads.spawn(move || {
            let result = work(&seen);
            drop((running, permit));
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
        Pool::new("test", size, Duration::from_millis(20), || ()).unwrap()
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
}
