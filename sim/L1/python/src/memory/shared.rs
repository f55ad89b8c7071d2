//! A value that Python objects share: one writer or several readers, which never wait.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicIsize, AtomicPtr, AtomicUsize, Ordering};

/// State of [`Shared`] during a write; positive numbers count readers.
const WRITER: isize = -1;
/// State of [`Shared`] while the writer has given its reference to a callback.
const REBORROWED: isize = -2;

/// A value with a lock that fails instead of waiting.
///
/// NumPy arrays keep addresses of arrays inside the value. They may read and write these arrays whenever no engine
/// function runs; as in MuJoCo, a program that does so from another thread during a step reads torn values.
pub struct Shared<T> {
    value: UnsafeCell<Box<T>>,
    state: AtomicIsize,
    /// The value as the writer sees it, while it is given to a callback.
    reborrowed: AtomicPtr<T>,
    /// The thread to which the value is given to a callback.
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
            reborrowed: AtomicPtr::new(std::ptr::null_mut()),
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
            Ok(_) => Ok(Reading { shared: self, reborrowed: false }),
            Err(_) if self.is_reborrowed_here() => Ok(Reading { shared: self, reborrowed: true }),
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
            Ok(_) => Ok(Writing { shared: self, reborrowed: false }),
            Err(_) if self.is_reborrowed_here() => {
                self.state.store(WRITER, Ordering::Relaxed);
                Ok(Writing { shared: self, reborrowed: true })
            }
            Err(_) => Err(Busy),
        }
    }

    /// Whether a thread has exclusive access and has not reborrowed it to this one.
    #[inline]
    pub fn is_written(&self) -> bool {
        self.state.load(Ordering::Relaxed) < 0 && !self.is_reborrowed_here()
    }

    /// Whether this thread runs a callback to which the value is given to a callback.
    fn is_reborrowed_here(&self) -> bool {
        self.state.load(Ordering::Acquire) == REBORROWED
            && self.borrower.load(Ordering::Relaxed) == thread()
    }

    /// Calls `f`, during which this thread may access the value through this object. `value` is the exclusive
    /// reference of the writer.
    pub fn reborrow<R>(&self, value: &mut T, f: impl FnOnce() -> R) -> R {
        let state = self.state.swap(WRITER, Ordering::Relaxed);
        let reborrowed = self.reborrowed.swap(value, Ordering::Relaxed);
        let borrower = self.borrower.swap(thread(), Ordering::Relaxed);
        self.state.store(REBORROWED, Ordering::Release);
        let result = f();
        self.borrower.store(borrower, Ordering::Relaxed);
        self.reborrowed.store(reborrowed, Ordering::Relaxed);
        self.state.store(state, Ordering::Release);
        result
    }

    /// The address of the value: that of the writer if it is given to a callback.
    #[inline]
    fn pointer(&self) -> *mut T {
        let reborrowed = self.reborrowed.load(Ordering::Relaxed);
        if !reborrowed.is_null() {
            return reborrowed;
        }
        // SAFETY: the box is not replaced after construction; only its address is read.
        unsafe { std::ptr::from_mut(&mut **self.value.get()) }
    }
}

/// Shared access to a [`Shared`].
pub struct Reading<'a, T> {
    shared: &'a Shared<T>,
    reborrowed: bool,
}

impl<T> Deref for Reading<'_, T> {
    type Target = T;
    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: a positive state excludes writers until this guard is dropped; a writer that gives the value to a callback does
        // not use it until the callback has returned.
        unsafe { &*self.shared.pointer() }
    }
}

impl<T> Drop for Reading<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if !self.reborrowed {
            self.shared.state.fetch_sub(1, Ordering::Release);
        }
    }
}

/// Exclusive access to a [`Shared`].
pub struct Writing<'a, T> {
    shared: &'a Shared<T>,
    reborrowed: bool,
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
        self.shared.state.store(if self.reborrowed { REBORROWED } else { 0 }, Ordering::Release);
    }
}
