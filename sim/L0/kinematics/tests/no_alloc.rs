//! Nothing allocates once its memory exists, and that memory is small: a counting allocator watches.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

#[path = "kinematics/arms.rs"]
mod arms;

use arms::{Random, arms, chain};
use sim_kinematics::{JacobianType, Outcome, SingularValues, Solver, Start, Target, convert};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread, and their bytes; tests run in threads of their own.
    static COUNT: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged. The counter has no
// destructor and does not allocate, so it may be used at any time in a thread's life.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let [count, bytes] = COUNT.get();
        COUNT.set([count + 1, bytes + layout.size()]);
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations made by `f` on this thread, and their bytes.
fn allocations<T>(f: impl FnOnce() -> T) -> (T, [usize; 2]) {
    let before = COUNT.get();
    let result = f();
    let after = COUNT.get();
    (result, [after[0] - before[0], after[1] - before[1]])
}

#[test]
fn frames_and_jacobians_do_not_allocate() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let mut cache = chain.make_cache();
        let mut jac = vec![[0.0; 6]; chain.nv()];
        let qpos = Random(3).state(m);
        let qvel = vec![0.1; m.nv];
        let (_, [count, _]) = allocations(|| {
            for kind in [JacobianType::Spatial, JacobianType::Body, JacobianType::Origin] {
                let tip = chain.jacobian_at(&qpos, &mut cache, kind, &mut jac).unwrap();
                convert(&mut jac, &tip, kind, JacobianType::Spatial);
                assert!(SingularValues::of(&jac).manipulability() >= 0.0);
                chain.jacobian_dot(&cache, &qvel, kind, &mut jac).unwrap();
                assert!(chain.body_pose(&cache, 0).is_some());
            }
        });
        assert_eq!(count, 0, "{}", arm.name);
    }
}

#[test]
fn the_memory_of_seven_joints_is_below_a_kilobyte() {
    let seven = &arms()[1];
    let chain = chain(&seven.model);
    assert_eq!(chain.nv(), 7);
    let (cache, [_, bytes]) = allocations(|| chain.make_cache());
    assert_eq!(cache.bytes(), size_of_val(&cache) + bytes);
    assert!(cache.bytes() < 1024, "{}", cache.bytes());
}

#[test]
fn searches_do_not_allocate() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let mut cache = chain.make_cache();
        let plain = Solver::for_chain(chain.clone()).unwrap();
        let solver = plain.with_middle(1.0).unwrap().with_posture(&m.qpos0, 0.1).unwrap();
        let mut work = solver.make_workspace();
        let mut random = Random(5);
        let wanted: Vec<Target> = (0..50)
            .map(|_| Target::frame(&chain.forward(&random.state(m), &mut cache).unwrap()))
            .collect();
        let mut states = m.qpos0.repeat(50);
        let mut outcomes = [Outcome::default(); 50];
        let mut qpos = m.qpos0.clone();
        let (_, [count, _]) = allocations(|| {
            for target in &wanted {
                let targets = [*target];
                solver.solve(&targets, &mut qpos, &mut work);
                solver.solve_cold(&targets, &mut qpos, &mut work);
                let drill = [target.with_mask([true, true, true, true, true, false])];
                solver.solve(&drill, &mut qpos, &mut work);
                let far = [Target::position([9.0, 9.0, 9.0])];
                assert!(!solver.solve(&far, &mut qpos, &mut work).status.converged());
            }
            let table = Start::Table;
            solver.solve_batch(table, &wanted, &mut states, &mut outcomes, &mut work).unwrap();
            solver.solve_path(&wanted, &mut qpos, &mut states, &mut outcomes, &mut work).unwrap();
        });
        assert_eq!(count, 0, "{}", arm.name);
    }
}
