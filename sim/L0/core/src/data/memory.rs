//! Memory usage of a `Data`.

use crate::Data;

/// Bytes allocated by a [`Data`], by purpose; see [`Data::memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// Arrays whose size is known from the model: state, inputs and results.
    pub arrays: usize,
    /// Contacts, constraint rows and islands, at the largest number that occurred.
    pub active: usize,
    /// Buffers of the constraint solver.
    pub solver: usize,
    /// Buffers of collision detection.
    pub collision: usize,
    /// Scratch buffers of all other stages, approximately.
    pub other: usize,
}

impl Memory {
    /// Sum of all parts.
    #[must_use]
    pub fn total(&self) -> usize {
        self.arrays + self.active + self.solver + self.collision + self.other
    }
}

impl Data {
    /// The memory allocated by this data. Storage of contacts and constraints grows to the largest number that
    /// occurred and does not shrink.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let [arrays, active] = self.array_bytes();
        let scratch = &self.scratch;
        Memory {
            arrays: arrays + size_of::<Self>(),
            active,
            solver: scratch.solver.as_ref().map_or(0, |solver| solver.bytes()),
            collision: scratch.collision.as_ref().map_or(0, |collision| collision.bytes()),
            other: scratch.bytes() + self.deformables.as_ref().map_or(0, |data| data.bytes()),
        }
    }
}
