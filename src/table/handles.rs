//! The table files that are open at the system's: never more than this process has room for.
//!
//! A set may have hundreds of files and a process several sets, but a process may open only so many files. So a file that has not
//! been read for longest is closed when another is opened, and opened again when it is read again. That it is still the file it
//! was is for whoever reads it to check.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use crate::system::limits;

/// The fewest and the most files kept open.
const FEWEST: u64 = 4;
const MOST: u64 = 4096;

/// All table files of the process that are open.
#[derive(Debug)]
pub(super) struct Handles {
    most: usize,
    open: Mutex<Vec<Arc<Slot>>>,
    /// Counts openings: the time by which files are told that have not been read for long.
    clock: AtomicU64,
}

/// The place of a file that is open or was.
///
/// Who holds the lock of a place may wait for the list of those open; nobody who holds the list waits for a place.
#[derive(Debug, Default)]
struct Slot {
    file: Mutex<Option<Arc<File>>>,
    /// The time of the last reading.
    used: AtomicU64,
}

impl Handles {
    /// At most so many open at once, but for those being read at the moment.
    pub(super) const fn new(most: usize) -> Self {
        Self { most, open: Mutex::new(Vec::new()), clock: AtomicU64::new(0) }
    }

    /// Those of the process: half of the files it may have open, the rest is for everything else.
    pub(super) fn of_process() -> &'static Self {
        static HANDLES: OnceLock<Handles> = OnceLock::new();
        HANDLES.get_or_init(|| Self::new((limits::open_files() / 2).clamp(FEWEST, MOST) as usize))
    }

    /// Opens a file; others are closed for it if there are too many.
    fn open(&self, path: &Path) -> io::Result<File> {
        while lock(&self.open).len() >= self.most && self.close_one() {}
        loop {
            match open_regular(path) {
                // What else the process has open takes the room.
                Err(error) if limits::is_too_many_open_files(&error) && self.close_one() => {}
                opened => return opened,
            }
        }
    }

    /// Closes the file that has not been read for longest; says whether there was any to close.
    fn close_one(&self) -> bool {
        let mut open = lock(&self.open);
        let mut order: Vec<usize> = (0..open.len()).collect();
        order.sort_unstable_by_key(|&at| open[at].used.load(Relaxed));
        for at in order {
            let closed = match open[at].file.try_lock() {
                Ok(mut file) => file.take(),
                Err(TryLockError::Poisoned(file)) => file.into_inner().take(),
                // Somebody is about to read it.
                Err(TryLockError::WouldBlock) => continue,
            };
            open.swap_remove(at);
            drop(closed);
            return true;
        }
        false
    }

    #[cfg(test)]
    fn count(&self) -> usize {
        lock(&self.open).len()
    }
}

/// A file that is opened when it is read, unless it still is open.
#[derive(Debug)]
pub(super) struct Handle {
    handles: &'static Handles,
    slot: Arc<Slot>,
}

impl Handle {
    /// One of `handles`, not open yet.
    pub(super) fn new(handles: &'static Handles) -> Self {
        Self { handles, slot: Arc::default() }
    }

    /// The file, which is at `path`; when it is opened for this, `check` decides whether it is the right one.
    ///
    /// # Errors
    /// What the system says, or `check`.
    pub(super) fn get(&self, path: &Path, check: impl FnOnce(&File) -> io::Result<()>) -> io::Result<Arc<File>> {
        let mut place = lock(&self.slot.file);
        self.slot.used.store(self.handles.clock.load(Relaxed), Relaxed);
        if let Some(file) = &*place {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(self.handles.open(path)?);
        check(&file)?;
        self.slot.used.store(self.handles.clock.fetch_add(1, Relaxed) + 1, Relaxed);
        *place = Some(Arc::clone(&file));
        lock(&self.handles.open).push(Arc::clone(&self.slot));
        Ok(file)
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        lock(&self.handles.open).retain(|slot| !Arc::ptr_eq(slot, &self.slot));
    }
}

fn open_regular(path: &Path) -> io::Result<File> {
    // Asked by name first: opening a named pipe would wait for a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

/// What is behind a lock; nothing is left half done there.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_file_not_read_for_longest_is_closed_for_another() {
        let directory = tempfile::tempdir().unwrap();
        let paths: Vec<_> = (0..5).map(|number| directory.path().join(number.to_string())).collect();
        paths.iter().for_each(|path| std::fs::write(path, path.to_str().unwrap()).unwrap());
        let handles: &'static Handles = Box::leak(Box::new(Handles::new(3)));
        let files: Vec<Handle> = paths.iter().map(|_| Handle::new(handles)).collect();
        let opened = |at: usize| {
            let mut opened = false;
            let file = files[at].get(&paths[at], |_| {
                opened = true;
                Ok(())
            });
            let mut text = String::new();
            (&*file.unwrap()).take(100).read_to_string(&mut text).unwrap();
            opened
        };
        assert!(opened(0) && opened(1) && opened(2) && !opened(0));
        // The second has not been read for longest.
        assert!(opened(3) && !opened(0) && !opened(2) && opened(1));
        assert_eq!(handles.count(), 3);
        let refused = files[4].get(&paths[4], |_| Err(io::Error::other("no"))).unwrap_err();
        assert_eq!(refused.to_string(), "no");
        drop(files);
        assert_eq!(handles.count(), 0);
    }

    #[test]
    fn threads_read_the_same_few_files() {
        let directory = tempfile::tempdir().unwrap();
        let handles: &'static Handles = Box::leak(Box::new(Handles::new(2)));
        let files: Vec<_> = (0..8u8)
            .map(|number| {
                let path = directory.path().join(number.to_string());
                std::fs::write(&path, [number]).unwrap();
                (path, Handle::new(handles))
            })
            .collect();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let files = &files;
                scope.spawn(move || {
                    for turn in 0..500 {
                        let at = (turn * 7 + thread * 3 + turn / 11) % files.len();
                        let file = files[at].1.get(&files[at].0, |_| Ok(())).unwrap();
                        assert_eq!(file.metadata().unwrap().len(), 1);
                    }
                });
            }
        });
        assert!(handles.count() <= 2 + 4, "{}", handles.count());
    }
}
