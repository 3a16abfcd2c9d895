//! Memory that the system refuses: the program says so.
use std::alloc::{GlobalAlloc, Layout, System};

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
