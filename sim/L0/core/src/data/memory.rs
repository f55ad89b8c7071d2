//! How much memory a simulation takes.

use crate::Data;

/// Bytes that [`Data`] holds, by what they are for; see [`Data::memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Memory {
    /// State, inputs and results: given by the model.
    pub arrays: usize,
    /// Contacts, constraint rows and islands: as many as there were at most.
    pub active: usize,
    /// The constraint solver's.
    pub solver: usize,
    /// Memory of the search for contacts.
    pub collision: usize,
    /// Temporaries of all other stages, about.
    pub other: usize,
}

impl Memory {
    /// All together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.arrays + self.active + self.solver + self.collision + self.other
    }
}

impl Data {
    /// The memory that it holds. What contacts and constraints need grows with how many there are at
    /// once, and is kept for the next time: it never shrinks during a run.
    #[must_use]
    pub fn memory(&self) -> Memory {
        let [arrays, active] = self.arrays_held();
        let scratch = &self.scratch;
        Memory {
            arrays: arrays + size_of::<Self>(),
            active,
            solver: scratch.solver.as_ref().map_or(0, |solver| solver.bytes()),
            collision: scratch.collision.as_ref().map_or(0, |collision| collision.bytes()),
            other: scratch.bytes() + self.soft.as_ref().map_or(0, |soft| soft.bytes()),
        }
    }
}
