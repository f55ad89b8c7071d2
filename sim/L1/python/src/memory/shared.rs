//! A value that Python objects share: one writer or several readers, which never wait.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize, Ordering};

/// State of [`Shared`] during a write; positive numbers count readers.
const WRITER: isize = -1;
/// State of [`Shared`] while a writer lends the value to a callback.
const LENT: isize = -2;

/// A value with a lock that fails instead of waiting.
///
/// NumPy arrays keep addresses of arrays inside the value. They may read and write these arrays whenever no engine
/// function runs; as in MuJoCo, a program that does so from another thread during a step reads torn values.
pub struct Shared<T> {
    value: UnsafeCell<Box<T>>,
    state: AtomicIsize,
    /// The value as the writer sees it, while it is lent.
    lent: AtomicPtr<T>,
    /// The thread to which the value is lent.
    borrower: AtomicUsize,
}

// SAFETY: the lock gives out either shared or exclusive access, as `RwLock` does.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// The value is in use by another thread.
#[derive(Debug, Clone, Copy)]
pub struct Busy;

/// A number that identifies the current thread: the address of a variable of the thread.
fn thread() -> usize {
    thread_local! {
        static MARK: u8 = const { 0 };
    }
    MARK.with(|mark| std::ptr::from_ref(mark).addr())
}

impl<T> Shared<T> {
    /// Wraps a value.
    pub fn new(value: Box<T>) -> Self {
        Self {
            value: UnsafeCell::new(value),
            state: AtomicIsize::new(0),
            lent: AtomicPtr::new(std::ptr::null_mut()),
            borrower: AtomicUsize::new(0),
        }
    }

    /// Shared access.
    ///
    /// # Errors
    /// If another thread has exclusive access.
    #[inline]
    pub fn read(&self) -> Result<Reading<'_, T>, Busy> {
        let update = |state: isize| (state >= 0).then_some(state + 1);
        match self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, update) {
            Ok(_) => Ok(Reading { shared: self, lent: false }),
            Err(_) if self.is_lent_here() => Ok(Reading { shared: self, lent: true }),
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
            Ok(_) => Ok(Writing { shared: self, lent: false }),
            Err(_) if self.is_lent_here() => {
                self.state.store(WRITER, Ordering::Relaxed);
                Ok(Writing { shared: self, lent: true })
            }
            Err(_) => Err(Busy),
        }
    }

    /// Whether a thread has exclusive access and has not lent it to this one.
    #[inline]
    pub fn is_written(&self) -> bool {
        self.state.load(Ordering::Relaxed) < 0 && !self.is_lent_here()
    }

    /// Whether this thread runs a callback to which the value is lent.
    fn is_lent_here(&self) -> bool {
        self.state.load(Ordering::Acquire) == LENT
            && self.borrower.load(Ordering::Relaxed) == thread()
    }

    /// Calls `f`, during which this thread may access the value through this object. `value` is the exclusive
    /// reference of the writer.
    pub fn lend<R>(&self, value: &mut T, f: impl FnOnce() -> R) -> R {
        let state = self.state.swap(WRITER, Ordering::Relaxed);
        let lent = self.lent.swap(value, Ordering::Relaxed);
        let borrower = self.borrower.swap(thread(), Ordering::Relaxed);
        self.state.store(LENT, Ordering::Release);
        let result = f();
        self.borrower.store(borrower, Ordering::Relaxed);
        self.lent.store(lent, Ordering::Relaxed);
        self.state.store(state, Ordering::Release);
        result
    }

    /// The address of the value: that of the writer if it is lent.
    #[inline]
    fn pointer(&self) -> *mut T {
        let lent = self.lent.load(Ordering::Relaxed);
        if !lent.is_null() {
            return lent;
        }
        // SAFETY: the box is not replaced after construction; only its address is read.
        unsafe { std::ptr::from_mut(&mut **self.value.get()) }
    }
}

/// Shared access to a [`Shared`].
pub struct Reading<'a, T> {
    shared: &'a Shared<T>,
    lent: bool,
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: a positive state excludes writers until this guard is dropped; a writer that lends the value does
        // not use it until the callback has returned.
        unsafe { &*self.shared.pointer() }
    }
}

impl<T> Drop for Reading<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if !self.lent {
            self.shared.state.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Exclusive access to a [`Shared`].
pub struct Writing<'a, T> {
    shared: &'a Shared<T>,
    lent: bool,
}

impl<T> Deref for Writing<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: the state WRITER excludes all other guards until this guard is dropped.
        unsafe { &*self.shared.pointer() }
    }
}

impl<T> DerefMut for Writing<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`.
        unsafe { &mut *self.shared.pointer() }
    }
}

impl<T> Drop for Writing<'_, T> {
    #[inline]
    fn drop(&mut self) {
        self.shared.state.store(if self.lent { LENT } else { 0 }, Ordering::Release);
    }
}
