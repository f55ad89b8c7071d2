//! Small ordered collections of indices (qh_set).
//!
//! The order of the elements is part of the algorithm's state: facets are visited in it, and a
//! deletion either keeps it or moves the last element into the hole.

use std::ops::{Deref, DerefMut};

/// Number of elements stored without a heap allocation; a simplicial facet has three of each kind.
const INLINE: usize = 4;

/// A list of indices, inline while it is short.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    /// Number of inline elements; zero while the elements are on the heap.
    len: u32,
    inline: [u32; INLINE],
    /// All elements, if there were ever more than fit inline since the last `clear`.
    heap: Vec<u32>,
}

impl Set {
    pub(super) fn assign(&mut self, elements: &[u32]) {
        self.clear();
        for &element in elements {
            self.push(element);
        }
    }

    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.heap.clear();
    }

    pub(super) fn push(&mut self, element: u32) {
        if self.heap.is_empty() && (self.len as usize) < INLINE {
            self.inline[self.len as usize] = element;
            self.len += 1;
            return;
        }
        if self.heap.is_empty() {
            self.heap.extend_from_slice(&self.inline);
            self.len = 0;
        }
        self.heap.push(element);
    }

    /// Inserts `element` before position `at`.
    pub(super) fn insert(&mut self, at: usize, element: u32) {
        self.push(element);
        self[at..].rotate_right(1);
    }

    /// Deletes the element at `at`; the last element takes its place.
    pub(super) fn swap_remove(&mut self, at: usize) {
        let last = self.len() - 1;
        self.swap(at, last);
        self.pop();
    }

    /// Deletes the element at `at` and keeps the order of the others.
    pub(super) fn remove(&mut self, at: usize) {
        self[at..].rotate_left(1);
        self.pop();
    }

    fn pop(&mut self) {
        if self.heap.is_empty() {
            self.len -= 1;
        } else {
            self.heap.pop();
        }
    }

    pub(super) fn position(&self, element: u32) -> Option<usize> {
        self.iter().position(|&e| e == element)
    }

    /// Deletes `element`, if present, by `swap_remove`.
    pub(super) fn swap_delete(&mut self, element: u32) {
        if let Some(at) = self.position(element) {
            self.swap_remove(at);
        }
    }

    /// Deletes `element`, if present, and keeps the order of the others.
    pub(super) fn delete(&mut self, element: u32) {
        if let Some(at) = self.position(element) {
            self.remove(at);
        }
    }

    /// Replaces `old` by `new` in place; false if `old` is not an element.
    #[must_use]
    pub(super) fn replace(&mut self, old: u32, new: u32) -> bool {
        let at = self.position(old);
        if let Some(at) = at {
            self[at] = new;
        }
        at.is_some()
    }

    /// Keeps the elements that satisfy `keep`, in order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) {
        let mut kept = 0;
        for at in 0..self.len() {
            let element = self[at];
            if keep(element) {
                self[kept] = element;
                kept += 1;
            }
        }
        while self.len() > kept {
            self.pop();
        }
    }
}

impl Deref for Set {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        if self.heap.is_empty() { &self.inline[..self.len as usize] } else { &self.heap }
    }
}

impl DerefMut for Set {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        if self.heap.is_empty() { &mut self.inline[..self.len as usize] } else { &mut self.heap }
    }
}
