//! Large arrays as memory maps. The only file that imports `memmap2`.

use std::ops::{Deref, DerefMut};

#[cfg(target_os = "linux")]
use memmap2::Advice;
use memmap2::MmapMut;

use super::Line;

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
            ask_for_huge_pages(map);
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

/// Only speed depends on it: a system without huge pages says no and the memory is used as it is.
fn ask_for_huge_pages(map: &MmapMut) {
    #[cfg(target_os = "linux")]
    let _ = map.advise(Advice::HugePage);
    #[cfg(not(target_os = "linux"))]
    let _ = map;
}

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
        ask_for_huge_pages(&map);
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
