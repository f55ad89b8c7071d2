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
    /// Memory budget in bytes.
    budget: usize,
    capacity: usize,
}

/// A saved state.
#[derive(Debug, Default)]
struct Saved {
    /// The states of all worlds, one after the other.
    values: Vec<f64>,
    /// End of each world's state.
    ends: Vec<usize>,
}

impl Saved {
    fn save(&mut self, worlds: &[World]) {
        self.values.clear();
        self.ends.clear();
        for world in worlds {
            world.save(&mut self.values);
            self.ends.push(self.values.len());
        }
    }
}

/// Memory of a saved state of `values` numbers.
const fn saved_bytes(values: usize, worlds: usize) -> usize {
    values * size_of::<f64>() + worlds * size_of::<usize>() + size_of::<Saved>()
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
        Self { states: VecDeque::new(), cursor: 0, budget, capacity: 0 }
    }

    /// Removes all states and saves the current one.
    pub(crate) fn restart(&mut self, worlds: &[World]) {
        self.states.clear();
        self.cursor = 0;
        let values: usize = worlds.iter().map(World::state_len).sum();
        self.capacity = self.budget / saved_bytes(values, worlds.len());
        self.push(worlds);
    }

    /// Saves the current state after the displayed one and removes those that followed it.
    pub(crate) fn push(&mut self, worlds: &[World]) {
        if self.capacity == 0 {
            return;
        }
        self.states.truncate(self.cursor + 1);
        let mut state = match self.states.len() >= self.capacity {
            true => self.states.pop_front().unwrap_or_default(),
            false => Saved::default(),
        };
        state.save(worlds);
        self.states.push_back(state);
        self.cursor = self.states.len() - 1;
    }

    /// Replaces the displayed state by the current one.
    pub(crate) fn replace(&mut self, worlds: &[World]) {
        let Some(state) = self.states.get_mut(self.cursor) else { return };
        state.save(worlds);
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
        let mut start = 0;
        for (world, &end) in worlds.iter_mut().zip(&state.ends) {
            if !world.restore(&state.values[start..end]) {
                return false;
            }
            start = end;
        }
        true
    }

    pub(crate) fn status(&self) -> HistoryStatus {
        let newest = self.states.back();
        let one = newest.map_or(0, |s| saved_bytes(s.values.len(), s.ends.len()));
        let bytes = one * self.states.len();
        HistoryStatus { len: self.states.len(), cursor: self.cursor, bytes, budget: self.budget }
    }
}

#[cfg(test)]
mod tests {
    use super::{History, saved_bytes};
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
        let bytes = saved_bytes(worlds[0].state_len(), 1);
        let mut history = History::new(10 * bytes);
        history.restart(&worlds);
        for _ in 0..100 {
            worlds[0].data.time += 1.0;
            history.push(&worlds);
        }
        let status = history.status();
        assert_eq!((status.len, status.cursor), (10, 9));
        assert!(status.bytes <= 10 * bytes, "{status:?}");
        assert!(history.seek(0, &mut worlds));
        assert_eq!(worlds[0].data.time, 91.0);
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
