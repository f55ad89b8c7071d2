//! A value that Python objects share: one writer or several readers, which never wait.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicIsize, Ordering};

/// State of [`Shared`] during a write; positive numbers count readers.
const WRITER: isize = -1;

/// A value with a lock that fails instead of waiting.
///
/// NumPy arrays keep addresses of arrays inside the value. They may read and write these arrays whenever no engine
/// function runs; as in MuJoCo, a program that does so from another thread during a step reads torn values.
pub struct Shared<T> {
    value: UnsafeCell<T>,
    state: AtomicIsize,
}

// SAFETY: the lock gives out either shared or exclusive access, as `RwLock` does.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// The value is in use by another thread.
#[derive(Debug, Clone, Copy)]
pub struct Busy;

impl<T> Shared<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(value), state: AtomicIsize::new(0) }
    }

    /// Shared access.
    ///
    /// # Errors
    /// If another thread has exclusive access.
    #[inline]
    pub fn read(&self) -> Result<Reading<'_, T>, Busy> {
        let update = |state: isize| (state >= 0).then_some(state + 1);
        match self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, update) {
            Ok(_) => Ok(Reading(self)),
            Err(_) => Err(Busy),
        }
    }

    /// Exclusive access.
    ///
    /// # Errors
    /// If another thread has access.
    #[inline]
    pub fn write(&self) -> Result<Writing<'_, T>, Busy> {
        match self.state.compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Ok(Writing(self)),
            Err(_) => Err(Busy),
        }
    }

    /// Whether another thread has exclusive access.
    #[inline]
    pub fn is_written(&self) -> bool {
        self.state.load(Ordering::Relaxed) == WRITER
    }
}

/// Shared access to a [`Shared`].
pub struct Reading<'a, T>(&'a Shared<T>);

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: a positive state excludes writers until this guard is dropped.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> Drop for Reading<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.state.fetch_sub(1, Ordering::Release);
    }
}

/// Exclusive access to a [`Shared`].
pub struct Writing<'a, T>(&'a Shared<T>);

impl<T> Deref for Writing<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the state WRITER excludes all other guards until this guard is dropped.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Writing<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Writing<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.0.state.store(0, Ordering::Release);
    }
}
