//! A step allocates nothing once the solver is warm: a counting allocator watches.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

use nalgebra::Vector3;
use sim_deformable::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, SoftBody, SoftBodyConfig,
    SolidModel, SurfaceMesh, TetMesh, XpbdSolver,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// Allocations of this thread; tests run in threads of their own.
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call is passed on to the system's allocator unchanged. The counter has no
// destructor and does not allocate, so it may be used at any time in a thread's life.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: the caller's promise about `layout` is handed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.dealloc(ptr, layout) }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        // SAFETY: `ptr` came from `System.alloc` with this layout.
        unsafe { System.realloc(ptr, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Steps, pins, targets, residuals and energies, after one warm step.
#[track_caller]
fn check(solver: &mut XpbdSolver, body: &mut dyn DeformableBody) {
    let gravity = Vector3::new(0.0, 0.0, -9.81);
    solver.step(body, gravity, 1e-2).unwrap();
    let before = COUNT.get();
    for k in 0..20 {
        let x = body.body().positions()[0];
        body.body_mut().pin_to(0, x + Vector3::new(0.0, 0.0, 1e-3)).unwrap();
        solver.step(body, gravity, if k % 2 == 0 { 1e-2 } else { 5e-3 }).unwrap();
        body.body_mut().unpin(0).unwrap();
        let energy = body.body().elastic_energy() + body.body().residuals().distance.max;
        assert!(energy.is_finite());
    }
    assert_eq!(COUNT.get() - before, 0);
}

#[test]
fn steps_do_not_allocate() {
    let mut solver = XpbdSolver::default();
    let grid = SurfaceMesh::grid([1.0, 1.0], [20, 20]).unwrap();
    check(&mut solver, &mut Cloth::new(&grid, &ClothConfig::cotton()).unwrap());
    let sphere = SurfaceMesh::sphere(0.3, 2).unwrap();
    check(&mut solver, &mut Cloth::new(&sphere, &ClothConfig::rubber()).unwrap());
    for model in [SolidModel::Springs, SolidModel::NeoHookean] {
        let mesh = TetMesh::cuboid([0.2, 0.2, 0.2], [4, 4, 4]).unwrap();
        let config = SoftBodyConfig { model, ..SoftBodyConfig::gelatin() };
        check(&mut solver, &mut SoftBody::new(&mesh, &config).unwrap());
    }
    let end = Vector3::new(1.0, 0.0, 0.0);
    let rope = CapsuleChain::straight(Vector3::zeros(), end, 50, &ChainConfig::rope());
    check(&mut solver, &mut rope.unwrap());
}

#[test]
fn self_contact_does_not_allocate_once_as_many_candidate_pairs_existed() {
    let mut solver = XpbdSolver::default();
    let grid = SurfaceMesh::grid([1.0, 1.0], [20, 20]).unwrap();
    let mut cloth = Cloth::new(&grid, &ClothConfig::cotton()).unwrap();
    cloth.body_mut().set_contact_distance(0.06).unwrap();
    // in a cloth of half the size there are more candidate pairs than in any later step
    let still = cloth.body().positions().to_vec();
    cloth.body_mut().positions_mut().iter_mut().for_each(|x| *x *= 0.5);
    solver.step(&mut cloth, Vector3::zeros(), 1e-4).unwrap();
    cloth.body_mut().positions_mut().copy_from_slice(&still);
    cloth.body_mut().velocities_mut().fill(Vector3::zeros());
    check(&mut solver, &mut cloth);
}
