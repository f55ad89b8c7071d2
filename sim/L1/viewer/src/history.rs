//! Ring buffer of states with a memory budget.

use crate::world::World;
use std::collections::VecDeque;

/// States of all worlds after each step, the newest last. The oldest states are dropped when the memory
/// budget is used up.
#[derive(Debug)]
pub(crate) struct History {
    states: VecDeque<Saved>,
    /// Index of the displayed state.
    cursor: usize,
    /// Memory of the states in bytes.
    bytes: usize,
    /// Memory budget in bytes.
    budget: usize,
    /// The current state, uncompressed.
    full: Vec<f64>,
}

/// Values per block of a saved state.
const BLOCK: usize = 16;

/// A saved state. Blocks of zeros are left out: most applied forces are zero, and they are more than half of
/// the state of a model with many bodies.
#[derive(Debug, Default)]
struct Saved {
    /// The blocks that are not zero, one after the other.
    values: Vec<f64>,
    /// Which blocks are in `values`, one bit each.
    blocks: Vec<u64>,
    /// End of each world's state in the uncompressed state.
    ends: Vec<usize>,
}

impl Saved {
    /// Saves the state of all worlds; `full` is overwritten.
    fn save(&mut self, worlds: &[World], full: &mut Vec<f64>) {
        full.clear();
        self.values.clear();
        self.ends.clear();
        for world in worlds {
            world.save(full);
            self.ends.push(full.len());
        }
        self.blocks.clear();
        self.blocks.resize(full.len().div_ceil(64 * BLOCK), 0);
        for (i, block) in full.chunks(BLOCK).enumerate() {
            // by bits, so that a negative zero is kept
            if block.iter().any(|value| value.to_bits() != 0) {
                self.blocks[i / 64] |= 1 << (i % 64);
                self.values.extend_from_slice(block);
            }
        }
    }

    /// The uncompressed state.
    fn expand(&self) -> Vec<f64> {
        let mut full = vec![0.0; self.ends.last().copied().unwrap_or(0)];
        let mut values = self.values.as_slice();
        for (i, block) in full.chunks_mut(BLOCK).enumerate() {
            if self.blocks[i / 64] >> (i % 64) & 1 == 1 {
                let (from, rest) = values.split_at(block.len());
                block.copy_from_slice(from);
                values = rest;
            }
        }
        full
    }

    /// Memory in bytes.
    const fn bytes(&self) -> usize {
        self.values.capacity() * size_of::<f64>()
            + self.blocks.capacity() * size_of::<u64>()
            + self.ends.capacity() * size_of::<usize>()
            + size_of::<Self>()
    }
}

/// Size and position of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryStatus {
    /// Number of states.
    pub len: usize,
    /// Index of the displayed state; `len - 1` is the newest.
    pub cursor: usize,
    /// Memory in bytes.
    pub bytes: usize,
    /// Largest memory in bytes.
    pub budget: usize,
}

impl History {
    pub(crate) fn new(budget: usize) -> Self {
        Self { states: VecDeque::new(), cursor: 0, bytes: 0, budget, full: Vec::new() }
    }

    /// Removes all states and saves the current one.
    pub(crate) fn restart(&mut self, worlds: &[World]) {
        self.states.clear();
        (self.cursor, self.bytes) = (0, 0);
        self.push(worlds);
    }

    /// Saves the current state after the displayed one and removes those that followed it.
    pub(crate) fn push(&mut self, worlds: &[World]) {
        for removed in self.states.drain((self.cursor + 1).min(self.states.len())..) {
            self.bytes -= removed.bytes();
        }
        // the memory of the oldest state is used again
        let full = self.bytes + self.states.back().map_or(0, Saved::bytes) > self.budget;
        let mut state = if full { self.pop_oldest() } else { None }.unwrap_or_default();
        state.save(worlds, &mut self.full);
        while self.bytes + state.bytes() > self.budget {
            if self.pop_oldest().is_none() {
                self.cursor = 0;
                return;
            }
        }
        self.bytes += state.bytes();
        self.states.push_back(state);
        self.cursor = self.states.len() - 1;
    }

    /// Removes the oldest state.
    fn pop_oldest(&mut self) -> Option<Saved> {
        let state = self.states.pop_front()?;
        self.bytes -= state.bytes();
        Some(state)
    }

    /// Replaces the displayed state by the current one.
    pub(crate) fn replace(&mut self, worlds: &[World]) {
        let Some(state) = self.states.get_mut(self.cursor) else { return };
        self.bytes -= state.bytes();
        state.save(worlds, &mut self.full);
        self.bytes += state.bytes();
    }

    /// Whether the displayed state is not the newest.
    pub(crate) fn is_rewound(&self) -> bool {
        self.cursor + 1 < self.states.len()
    }

    /// Moves to a state and restores it.
    pub(crate) fn seek(&mut self, cursor: usize, worlds: &mut [World]) -> bool {
        if cursor >= self.states.len() {
            return false;
        }
        self.cursor = cursor;
        self.restore(worlds)
    }

    /// Index of the displayed state.
    pub(crate) fn cursor(&self) -> usize {
        self.cursor
    }

    /// Restores the displayed state.
    pub(crate) fn restore(&self, worlds: &mut [World]) -> bool {
        let Some(state) = self.states.get(self.cursor) else { return false };
        let values = state.expand();
        let mut start = 0;
        for (world, &end) in worlds.iter_mut().zip(&state.ends) {
            if !world.restore(&values[start..end]) {
                return false;
            }
            start = end;
        }
        true
    }

    pub(crate) fn status(&self) -> HistoryStatus {
        HistoryStatus {
            len: self.states.len(),
            cursor: self.cursor,
            bytes: self.bytes,
            budget: self.budget,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use crate::world::World;

    fn world() -> World {
        let model = sim_physics::load_str(
            "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
        )
        .expect("valid");
        World::of_model(model.into())
    }

    #[test]
    fn the_budget_bounds_the_number_of_states() {
        let mut worlds = [world()];
        let mut history = History::new(10_000);
        history.restart(&worlds);
        for _ in 0..200 {
            worlds[0].data.time += 1.0;
            history.push(&worlds);
            assert!(history.status().bytes <= 10_000, "{:?}", history.status());
        }
        let status = history.status();
        assert!((10..60).contains(&status.len) && status.cursor == status.len - 1, "{status:?}");
        assert!(history.seek(0, &mut worlds));
        assert_eq!(worlds[0].data.time, 201.0 - status.len as f64);
    }

    #[test]
    fn every_value_is_restored() {
        let mut worlds = [world(), world()];
        let mut history = History::new(1 << 20);
        history.restart(&worlds);
        worlds[0].data.qvel[5] = -0.0;
        worlds[1].data.xfrc_applied[11] = 3.0;
        history.push(&worlds);
        let expected = worlds.each_ref().map(|world| {
            let mut state = Vec::new();
            world.save(&mut state);
            state.iter().map(|value| value.to_bits()).collect::<Vec<_>>()
        });
        worlds[1].data.xfrc_applied[11] = 0.0;
        worlds[0].data.qpos[2] = 7.0;
        history.push(&worlds);
        assert!(history.seek(1, &mut worlds));
        for (world, expected) in worlds.iter().zip(expected) {
            let mut state = Vec::new();
            world.save(&mut state);
            assert!(state.iter().map(|value| value.to_bits()).eq(expected));
        }
    }

    #[test]
    fn a_push_after_a_seek_removes_the_later_states() {
        let mut worlds = [world()];
        let mut history = History::new(1 << 20);
        history.restart(&worlds);
        for _ in 0..5 {
            worlds[0].data.time += 1.0;
            history.push(&worlds);
        }
        assert!(history.seek(2, &mut worlds) && history.is_rewound());
        worlds[0].data.time += 0.5;
        history.push(&worlds);
        assert_eq!(history.status().len, 4);
        assert!(!history.is_rewound() && worlds[0].data.time == 2.5);
        assert!(!history.seek(9, &mut worlds));
    }

    #[test]
    fn no_budget_saves_nothing() {
        let mut worlds = [world()];
        let mut history = History::new(0);
        history.restart(&worlds);
        history.push(&worlds);
        assert_eq!(history.status().len, 0);
        assert!(!history.seek(0, &mut worlds) && !history.restore(&mut worlds));
    }
}
