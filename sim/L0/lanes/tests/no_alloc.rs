//! A step does not allocate once its buffers have grown, measured by a counting allocator.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

#[path = "suite/models.rs"]
mod models;

use models::{Rng, all, load, randomise};
use sim_lanes::{LaneBatch, LaneModel};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Number of allocations of this thread.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator with a counter.
struct Counting;

// SAFETY: every call is forwarded to the system allocator unchanged. The counter has no destructor and does not
// allocate, so it may be used at any time in the life of a thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller guarantees a valid `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Calls `step` until its buffers have grown, then counts the allocations of further calls.
fn allocations_once_warm(mut step: impl FnMut()) -> usize {
    for _ in 0..600 {
        step();
    }
    let before = COUNT.get();
    for _ in 0..30 {
        step();
    }
    COUNT.get() - before
}

#[test]
fn step_of_a_batch_does_not_allocate_once_warm() {
    for (name, text) in &all() {
        let m = load(text);
        let mut batch = LaneBatch::new(&m, 24).expect("supported");
        let mut rng = Rng(77_665_544_332_211);
        for e in 0..24 {
            let mut d = m.make_data();
            randomise(&m, &mut d, &mut rng);
            batch.set_qpos(e, &d.qpos);
            batch.set_qvel(e, &d.qvel);
        }
        let count = allocations_once_warm(|| assert!(batch.step().is_empty()));
        assert_eq!(count, 0, "{name}");
    }
}

#[test]
fn step_of_a_group_does_not_allocate_once_warm() {
    for (name, text) in &all() {
        let m = load(text);
        let mut group = LaneModel::new(&m).expect("supported").make_group();
        let mut data = m.make_data();
        for lane in 0..group.lanes() {
            randomise(&m, &mut data, &mut Rng(4_321 + 1_000 * lane as u64));
            group.load(lane, &data);
        }
        let count = allocations_once_warm(|| {
            group.step(&m);
            group.store_state(0, &mut data);
        });
        assert_eq!(count, 0, "{name}");
    }
}
