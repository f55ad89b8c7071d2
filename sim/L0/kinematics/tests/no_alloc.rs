//! Heap use, measured by a counting allocator: no allocations after construction, and small memory.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

#[path = "kinematics/arms.rs"]
mod arms;

use arms::{Random, arms, chain};
use sim_kinematics::{JacobianType, Outcome, SingularValues, Solver, Start, Target, convert};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Number of allocations of this thread and their bytes; each test runs in its own thread.
    static COUNT: Cell<[usize; 2]> = const { Cell::new([0; 2]) };
    /// Bytes currently allocated by this thread, and their maximum.
    static LIVE: Cell<[isize; 2]> = const { Cell::new([0; 2]) };
}

/// The system allocator with counters.
struct Counting;

// SAFETY: every call is forwarded to the system allocator unchanged. The counters have no destructor
// and do not allocate, so they may be used at any time in the life of a thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let [count, bytes] = COUNT.get();
        COUNT.set([count + 1, bytes + layout.size()]);
        let [live, peak] = LIVE.get();
        let live = live + layout.size() as isize;
        LIVE.set([live, peak.max(live)]);
        // SAFETY: the caller guarantees a valid `layout`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        let [live, peak] = LIVE.get();
        LIVE.set([live - layout.size() as isize, peak]);
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Number of allocations made by `f` on this thread, and their bytes.
fn allocations<T>(f: impl FnOnce() -> T) -> (T, [usize; 2]) {
    let before = COUNT.get();
    let result = f();
    let after = COUNT.get();
    (result, [after[0] - before[0], after[1] - before[1]])
}

/// Maximum number of bytes that `f` has allocated at the same time.
fn peak_bytes<T>(f: impl FnOnce() -> T) -> (T, usize) {
    let [start, _] = LIVE.get();
    LIVE.set([start, start]);
    let result = f();
    let [_, peak] = LIVE.get();
    (result, usize::try_from(peak - start).unwrap())
}

#[test]
fn forward_kinematics_and_jacobians_do_not_allocate() {
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
fn cache_of_seven_joints_is_smaller_than_one_kilobyte() {
    let seven = &arms()[1];
    let chain = chain(&seven.model);
    assert_eq!(chain.nv(), 7);
    let (cache, [_, bytes]) = allocations(|| chain.make_cache());
    assert_eq!(cache.bytes(), size_of_val(&cache) + bytes);
    assert!(cache.bytes() < 1024, "{}", cache.bytes());
}

#[test]
fn solves_do_not_allocate() {
    for arm in arms() {
        let m = &arm.model;
        let chain = chain(m);
        let mut cache = chain.make_cache();
        let plain = Solver::for_chain(chain.clone()).unwrap();
        let solver = plain.with_middle(1.0).unwrap().with_posture(&m.qpos0, 0.1).unwrap();
        let mut work = solver.make_workspace();
        let mut random = Random(5);
        let expected: Vec<Target> = (0..50)
            .map(|_| Target::frame(&chain.forward(&random.state(m), &mut cache).unwrap()))
            .collect();
        let mut states = m.qpos0.repeat(50);
        let mut outcomes = [Outcome::default(); 50];
        let mut qpos = m.qpos0.clone();
        let (_, [count, _]) = allocations(|| {
            for target in &expected {
                let targets = [*target];
                solver.solve(&targets, &mut qpos, &mut work);
                solver.solve_cold(&targets, &mut qpos, &mut work);
                let drill = [target.with_mask([true, true, true, true, true, false])];
                solver.solve(&drill, &mut qpos, &mut work);
                let far = [Target::position([9.0, 9.0, 9.0])];
                assert!(!solver.solve(&far, &mut qpos, &mut work).status.converged());
            }
            let table = Start::Table;
            solver.solve_batch(table, &expected, &mut states, &mut outcomes, &mut work).unwrap();
            solver.solve_path(&expected, &mut qpos, &mut states, &mut outcomes, &mut work).unwrap();
        });
        assert_eq!(count, 0, "{}", arm.name);
    }
}

/// The working memory of Jacobians and inverse kinematics of arms with six and seven joints: the frame
/// cache, the Jacobian, and the workspace of a solver, including everything a solve allocates.
#[test]
fn peak_heap_of_jacobian_and_solve_is_at_most_ten_kilobytes() {
    for arm in &arms()[..2] {
        let m = &arm.model;
        let chain = chain(m);
        let solver = Solver::for_chain(chain.clone()).unwrap();
        let mut qpos = m.qpos0.clone();
        let expected = chain.forward(&Random(5).state(m), &mut chain.make_cache()).unwrap();
        let (_, bytes) = peak_bytes(|| {
            let mut cache = chain.make_cache();
            let mut jac = vec![[0.0; 6]; chain.nv()];
            chain.jacobian_at(&qpos, &mut cache, JacobianType::Spatial, &mut jac).unwrap();
            let mut work = solver.make_workspace();
            solver.solve_cold(&[Target::frame(&expected)], &mut qpos, &mut work)
        });
        println!("{}: {bytes} bytes", arm.name);
        assert!(bytes <= 10 * 1024, "{}: {bytes}", arm.name);
    }
}

/// The solver itself is constant after construction. Most of it is the start table: 512 configurations
/// of `nq` doubles, and 28 bytes of tip pose for each.
#[test]
fn heap_of_a_solver_is_at_most_64_kilobytes() {
    for arm in &arms()[..2] {
        let chain = chain(&arm.model);
        let (_, bytes) = peak_bytes(|| Solver::for_chain(chain).unwrap());
        println!("{}: {bytes} bytes", arm.name);
        assert!(bytes <= 64 * 1024, "{}: {bytes}", arm.name);
    }
}
