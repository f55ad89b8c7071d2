//! Small ordered collections of indices (qh_set).
//!
//! The order of the elements is part of the algorithm's state: facets are visited in it, and a
//! deletion either keeps it or moves the last element into the hole.

use std::ops::{Deref, DerefMut};

/// Number of elements stored without a heap allocation; a simplicial facet has three of each kind.
const INLINE: usize = 4;
/// Value of `len` while the elements are on the heap.
const ON_HEAP: u32 = u32::MAX;

/// A list of indices, inline while it is short.
#[derive(Debug, Default)]
pub(super) struct Set {
    /// Number of inline elements, or `ON_HEAP`.
    len: u32,
    inline: [u32; INLINE],
    /// All elements, once there were more than fit inline.
    #[allow(
        clippy::box_collection,
        reason = "a pointer is a third of a vector: facets stay small"
    )]
    heap: Option<Box<Vec<u32>>>,
}

impl Set {
    pub(super) fn assign(&mut self, elements: &[u32]) {
        self.clear();
        for &element in elements {
            self.push(element);
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, element: u32) {
        if (self.len as usize) < INLINE {
            self.inline[self.len as usize] = element;
            self.len += 1;
        } else {
            self.push_to_heap(element);
        }
    }

    fn push_to_heap(&mut self, element: u32) {
        let heap = self.heap.get_or_insert_default();
        if self.len != ON_HEAP {
            heap.clear();
            heap.extend_from_slice(&self.inline);
            self.len = ON_HEAP;
        }
        heap.push(element);
    }

    /// Inserts `element` before position `at`.
    pub(super) fn insert(&mut self, at: usize, element: u32) {
        self.push(element);
        self[at..].rotate_right(1);
    }

    /// Deletes the element at `at`; the last element takes its place.
    #[inline]
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

    #[inline]
    fn pop(&mut self) {
        if self.len != ON_HEAP {
            self.len -= 1;
        } else if let Some(heap) = &mut self.heap {
            heap.pop();
        }
    }

    #[inline]
    pub(super) fn position(&self, element: u32) -> Option<usize> {
        self.iter().position(|&e| e == element)
    }

    /// Deletes `element`, if present, by `swap_remove`.
    #[inline]
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
    #[inline]
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
        match (self.inline.get(..self.len as usize), &self.heap) {
            (Some(inline), _) => inline,
            (None, Some(heap)) => heap,
            (None, None) => &[],
        }
    }
}

impl DerefMut for Set {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u32] {
        match (self.inline.get_mut(..self.len as usize), &mut self.heap) {
            (Some(inline), _) => inline,
            (None, Some(heap)) => heap,
            (None, None) => &mut [],
        }
    }
}
