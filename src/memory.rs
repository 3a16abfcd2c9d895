//! Memory maps, prefetching, refused memory, and a look at the process before it begins: the only module that imports
//! `memmap2`, and the only one with `unsafe`.
//!
//! The solver touches hundreds of megabytes in an order that only nearly follows memory. With pages of 4 KiB most
//! of that time goes into the translation of addresses; large arrays therefore ask for huge pages.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use memmap2::{Advice, MmapMut};

/// An array of `T`, zeroed, on huge pages where the system grants them.
#[derive(Debug)]
pub struct Pages<T> {
    map: Option<MmapMut>,
    len: usize,
    kind: std::marker::PhantomData<T>,
}

impl<T: bytemuck::Pod> Pages<T> {
    /// `len` zeroed elements.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub fn zeroed(len: usize) -> std::io::Result<Self> {
        let bytes = len * size_of::<T>();
        let map = if bytes == 0 { None } else { Some(MmapMut::map_anon(bytes)?) };
        if let Some(map) = &map
            && bytes >= 4 << 20
        {
            // Only speed hangs on it: a system without huge pages says no and the array is used as it is.
            let _ = map.advise(Advice::HugePage);
        }
        Ok(Self { map, len, kind: std::marker::PhantomData })
    }

    /// The same bytes as an array of another type of the same size and alignment.
    #[must_use]
    pub fn cast<U: bytemuck::Pod>(self) -> Pages<U> {
        const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) };
        Pages { map: self.map, len: self.len, kind: std::marker::PhantomData }
    }
}

impl<T: bytemuck::Pod> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.map.as_deref().map_or(&[], |map| bytemuck::cast_slice(&map[..self.len * size_of::<T>()]))
    }
}

impl<T: bytemuck::Pod> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.len * size_of::<T>();
        self.map.as_deref_mut().map_or(&mut [], |map| bytemuck::cast_slice_mut(&mut map[..bytes]))
    }
}

/// A cache line of words that threads share without a lock.
pub type Line = [AtomicU64; 8];

/// Cache lines of atomic words, zeroed, on huge pages where the system grants them.
#[derive(Debug)]
pub struct AtomicPages {
    map: MmapMut,
    len: usize,
}

impl AtomicPages {
    /// `len` zeroed lines.
    ///
    /// # Errors
    /// If the system has no more memory.
    pub fn zeroed(len: usize) -> std::io::Result<Self> {
        let map = MmapMut::map_anon(len * size_of::<Line>())?;
        // Only speed hangs on it, as above.
        let _ = map.advise(Advice::HugePage);
        Ok(Self { map, len })
    }

    /// Takes all pages from the system, which else gives each when it is first touched and lets a search wait for it.
    pub fn touch(&self) {
        // A system that cannot goes on giving them one by one.
        #[cfg(target_os = "linux")]
        let _ = self.map.advise(Advice::PopulateWrite);
    }
}

impl Deref for AtomicPages {
    type Target = [Line];

    #[inline(always)]
    #[allow(unsafe_code)]
    fn deref(&self) -> &[Line] {
        // SAFETY: the map holds `len` lines, begins at a page and so is aligned, is zeroed, which is a valid word, and
        // belongs to `self`, which gives no other access to it than as shared atomic words.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len) }
    }
}

/// Asks the processor to load `slice[index]`; an index beyond the slice is harmless and does nothing useful.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch never faults and changes nothing a program can observe, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(index).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}

/// The system's allocator for a program that says so when it is refused memory, with advice that the standard library has not.
///
/// `tell` is called with the bytes asked for, each time; it must not allocate. Whoever can do without goes on as without it.
#[derive(Debug)]
pub struct Telling {
    /// Tells of a refusal.
    pub tell: fn(usize),
}

impl Telling {
    fn checked(&self, memory: *mut u8, bytes: usize) -> *mut u8 {
        if memory.is_null() {
            (self.tell)(bytes);
        }
        memory
    }
}

// SAFETY: each function hands its arguments on to the system's allocator, whose contract is the same, and returns what it returns.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Telling {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Whether standard output was closed when the process began.
static OUTPUT_WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// The number of standard output.
#[cfg(target_os = "linux")]
const STANDARD_OUTPUT: std::os::fd::RawFd = 1;

/// Called before the standard library puts `/dev/null` in the place of closed standard files: afterwards nobody can tell.
#[cfg(target_os = "linux")]
#[used]
#[allow(unsafe_code)]
// SAFETY: the section holds pointers to functions of C that the system calls once before `main`; this is one, and it neither
// panics nor needs anything of the standard library that is not there yet.
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: the number is not -1, and it is only asked for here, never closed; that nothing may be open there is what
        // the system is asked.
        let output = unsafe { std::os::fd::BorrowedFd::borrow_raw(STANDARD_OUTPUT) };
        OUTPUT_WAS_CLOSED.store(rustix::io::fcntl_getfd(output).is_err(), Relaxed);
    }
    look
};

/// Whether the process began with its standard output closed. If so, writing to it is an error from now on, a broken pipe,
/// where the standard library would lose what is written and say nothing. Only Linux can tell.
#[allow(unsafe_code)]
pub fn refuse_closed_output() -> bool {
    let was_closed = OUTPUT_WAS_CLOSED.load(Relaxed);
    #[cfg(target_os = "linux")]
    if was_closed && let Ok((reader, writer)) = std::io::pipe() {
        use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd};
        drop(reader);
        // SAFETY: the standard library has opened this file for the process, which keeps it: it is given back below.
        let mut output = unsafe { OwnedFd::from_raw_fd(STANDARD_OUTPUT) };
        // Without it what is written is lost as before.
        let _ = rustix::io::dup2(&writer, &mut output);
        let _ = output.into_raw_fd();
    }
    was_closed
}
