//! A step does not allocate once warm, checked with a counting allocator.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

use sim_envs::{Autoreset, Rng, Seeds, StepBuffers, make};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Allocations of all threads; this file has one test.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller guarantees a valid `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of 200 steps with random actions that were taken before from the same seeds, so that the buffers
/// of contacts and constraints have their final size; episodes end.
fn allocations(task: &str, lanes: bool, threads: usize, autoreset: Autoreset) -> usize {
    let builder =
        make(task).unwrap().lanes(lanes).num_envs(6).threads(threads).autoreset(autoreset);
    let mut env = builder.max_episode_steps(40).build().unwrap();
    let mut observations = vec![0.0_f32; 6 * env.observation_size()];
    let (mut rewards, mut terminated, mut truncated) = ([0.0; 6], [false; 6], [false; 6]);
    let mut actions = vec![0.0_f32; 6 * env.action_size()];
    let mut run = || {
        let before = COUNT.load(Ordering::Relaxed);
        let mut rng = Rng::new(1);
        env.reset(Seeds::From(0), None, &mut observations).unwrap();
        for _ in 0..200 {
            actions.iter_mut().for_each(|action| *action = rng.uniform(-1.0, 1.0) as f32);
            let buffers = StepBuffers {
                observations: &mut observations,
                rewards: &mut rewards,
                terminated: &mut terminated,
                truncated: &mut truncated,
            };
            env.step(&actions, buffers).unwrap();
        }
        COUNT.load(Ordering::Relaxed) - before
    };
    run();
    run()
}

#[test]
fn steps_do_not_allocate() {
    for task in sim_envs::IDS {
        assert_eq!(allocations(task, false, 1, Autoreset::NextStep), 0, "{task}");
        assert_eq!(allocations(task, true, 1, Autoreset::NextStep), 0, "{task} in lanes");
    }
    assert_eq!(allocations("Hopper-v5", false, 1, Autoreset::SameStep), 0);
    // the queue of a thread pool allocates a block now and then, but not per environment
    assert!(allocations("Hopper-v5", false, 2, Autoreset::NextStep) <= 20);
}
