//! Large arrays and prefetching. This and `maps.rs` are the only files of this crate with `unsafe`.
//!
//! The solver touches hundreds of megabytes in an order that only nearly follows memory. With pages of 4 KiB most
//! of that time goes into the translation of addresses; large arrays therefore ask for huge pages.

#[cfg_attr(target_family = "wasm", path = "memory/arrays.rs")]
mod maps;

use std::sync::atomic::AtomicU64;

pub use maps::{AtomicPages, Pages};

/// A cache line of words that threads share without a lock.
pub type Line = [AtomicU64; 8];

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
