//! The connections there are: never more than a limit. When one more comes, the one that has been idle longest goes.
//!
//! A connection is idle while no complete request of its client waits for an answer, so whoever opens many and says little makes room for those
//! who ask something. A new one is given a moment in which it may say something before it has to go, and those who come back as often
//! as they are sent away come no faster than that.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// Time between two looks for an idle connection while all are busy.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// How long a connection may be idle whatever happens.
const LEAST_IDLE: Duration = Duration::from_millis(100);
/// Stands for the time of a connection that is not idle.
const BUSY: u64 = u64::MAX;

/// All connections of a server.
pub(super) struct Connections {
    permits: Arc<Semaphore>,
    begun: Instant,
    open: Mutex<HashMap<u64, Arc<Seat>>>,
    next: AtomicU64,
}

/// What is known of a connection.
#[derive(Debug)]
pub(super) struct Seat {
    /// Microseconds after the beginning at which it became idle; [`BUSY`].
    idle_since: AtomicU64,
    begun: Instant,
    /// Tells the connection to go.
    leave: Notify,
}

/// A connection's place among all; it is free again when this is dropped.
pub(super) struct Place {
    seat: Arc<Seat>,
    number: u64,
    connections: Arc<Connections>,
    _permit: OwnedSemaphorePermit,
}

impl Connections {
    /// No connection, and at most `most`.
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            permits: Arc::new(Semaphore::new(most)),
            begun: Instant::now(),
            open: Mutex::default(),
            next: AtomicU64::new(0),
        })
    }

    /// A place for a new connection, as soon as there is one.
    pub(super) async fn place(self: &Arc<Self>) -> Place {
        loop {
            if let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() {
                return self.seat(permit);
            }
            self.dismiss();
            if let Ok(Ok(permit)) = timeout(LOOK_AGAIN, Arc::clone(&self.permits).acquire_owned()).await {
                return self.seat(permit);
            }
        }
    }

    fn seat(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> Place {
        let seat = Arc::new(Seat { idle_since: AtomicU64::new(BUSY), begun: self.begun, leave: Notify::new() });
        seat.set_idle();
        let number = self.next.fetch_add(1, Relaxed);
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::clone(&seat));
        Place { seat, number, connections: Arc::clone(self), _permit: permit }
    }

    /// Tells the connection that has been idle longest to go, if there is one.
    fn dismiss(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // What is busy is idle since the end of time.
        let since = |seat: &&Arc<Seat>| seat.idle_since.load(Relaxed);
        let latest = self.begun.elapsed().saturating_sub(LEAST_IDLE).as_micros() as u64;
        if let Some(seat) = open.values().min_by_key(since).filter(|seat| since(seat) <= latest) {
            seat.leave.notify_one();
        }
    }
}

impl Seat {
    /// A request is being answered.
    pub(super) fn set_busy(&self) {
        self.idle_since.store(BUSY, Relaxed);
    }

    /// Nothing is to be answered.
    pub(super) fn set_idle(&self) {
        // In half a million years it will stand for busy.
        self.idle_since.store(self.begun.elapsed().as_micros() as u64, Relaxed);
    }

    /// Whether a request is being answered.
    pub(super) fn is_busy(&self) -> bool {
        self.idle_since.load(Relaxed) == BUSY
    }

    /// Returns when the connection is to go.
    pub(super) async fn dismissed(&self) {
        self.leave.notified().await;
    }
}

impl Place {
    /// What others see of the connection.
    pub(super) fn seat(&self) -> Arc<Seat> {
        Arc::clone(&self.seat)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_longest_idle_goes_and_the_busy_stay() {
        let connections = Connections::new(3);
        let mut places = Vec::new();
        for _ in 0..3 {
            places.push(connections.place().await);
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        places[0].seat.set_busy();
        let newcomer = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.place().await }
        });
        places[1].seat.dismissed().await;
        places.remove(1);
        let newcomer = newcomer.await.unwrap();
        assert_eq!(connections.open.lock().unwrap().len(), 3);
        // Now all are busy, and a place is free when one of them is left.
        newcomer.seat.set_busy();
        places[1].seat.set_busy();
        assert!(timeout(Duration::from_millis(100), connections.place()).await.is_err());
        drop(newcomer);
        timeout(Duration::from_millis(100), connections.place()).await.unwrap();
    }

    #[tokio::test]
    async fn who_has_just_come_may_say_something() {
        let connections = Connections::new(1);
        tokio::time::sleep(LEAST_IDLE).await;
        let fresh = connections.place().await;
        let begun = Instant::now();
        let newcomer = tokio::spawn({
            let connections = Arc::clone(&connections);
            async move { connections.place().await }
        });
        fresh.seat.dismissed().await;
        assert!(begun.elapsed() >= LEAST_IDLE / 2, "{:?}", begun.elapsed());
        drop(fresh);
        newcomer.await.unwrap();
    }
}
