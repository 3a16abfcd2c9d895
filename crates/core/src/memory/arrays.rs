//! Large arrays where no system gives maps (WebAssembly): ordinary ones, with the face of `maps.rs`.

use std::io;
use std::ops::{Deref, DerefMut};

use super::Line;

/// An array of `T`, zeroed.
#[derive(Debug)]
pub struct Pages<T>(Vec<T>);

impl<T: bytemuck::Pod> Pages<T> {
    /// `len` zeroed elements.
    ///
    /// # Errors
    /// If there is no more memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        bytemuck::allocation::try_zeroed_vec(len).map(Self).map_err(|()| io::ErrorKind::OutOfMemory.into())
    }

    /// The same bytes as an array of another type of the same size and alignment.
    #[must_use]
    pub fn cast<U: bytemuck::Pod>(self) -> Pages<U> {
        const { assert!(size_of::<T>() == size_of::<U>() && align_of::<T>() == align_of::<U>()) };
        Pages(bytemuck::allocation::cast_vec(self.0))
    }
}

impl<T> Deref for Pages<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Pages<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Cache lines of atomic words, zeroed.
#[derive(Debug)]
pub struct AtomicPages(Box<[Line]>);

impl AtomicPages {
    /// `len` zeroed lines.
    ///
    /// # Errors
    /// If there is no more memory.
    pub fn zeroed(len: usize) -> io::Result<Self> {
        bytemuck::allocation::try_zeroed_slice_box(len).map(Self).map_err(|()| io::ErrorKind::OutOfMemory.into())
    }

    /// They are there already.
    pub fn touch(&self) {}
}

impl Deref for AtomicPages {
    type Target = [Line];
    #[inline(always)]
    fn deref(&self) -> &[Line] {
        &self.0
    }
}
