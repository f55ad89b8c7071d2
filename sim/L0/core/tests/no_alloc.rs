//! Stepping does not allocate once warm, checked with a counting allocator.

#![allow(unsafe_code, reason = "a global allocator is an unsafe trait")]

use nalgebra::Vector3;
use sim_core::Deformable;
use sim_core::deformable::{Cloth, ClothConfig, SoftBody, SoftBodyConfig, SurfaceMesh, TetMesh};
use sim_core::types::{Cone, DisableBit, Integrator, SolverType};
use sim_core::{
    Data, Model, mj_forward, mj_fwd_position, mj_jac_into, mj_step1, mj_step2, mjd_inverse_fd,
    mjd_transition_fd,
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
        // SAFETY: the caller guarantees a valid `layout`.
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

/// Allocations made by `f` on this thread.
fn allocations(f: impl FnOnce()) -> usize {
    let before = COUNT.get();
    f();
    COUNT.get() - before
}

fn model(path: &str) -> Model {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/models/");
    sim_mjcf::load_file(format!("{folder}{path}.xml")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Steps, half steps, evaluations, resets, copies, Jacobians and finite differences of a model do not allocate
/// the second time.
#[track_caller]
fn check(m: &Model) {
    let mut d = m.make_data();
    let mut copy = m.make_data();
    let mut jac = (vec![0.0; 3 * m.nv], vec![0.0; 3 * m.nv]);
    let nx = 2 * m.nv + m.na;
    let [mut a, mut c, mut f] = [nx * nx, m.nsensordata * nx, m.nv * m.nv].map(|n| vec![0.0; n]);
    let differentiable = m.opt.integrator != Integrator::Rk4 && m.nhistory == 0;
    for warm in [false, true] {
        let mut count = |what: &str, f: &mut dyn FnMut(&mut Data)| {
            let made = allocations(|| f(&mut d));
            assert!(!warm || made == 0, "{what} allocated {made} times");
        };
        count("reset", &mut |d| {
            d.reset(m);
            d.ctrl.fill(0.1);
        });
        count("step", &mut |d| (0..6).for_each(|_| d.step(m).unwrap()));
        count("forward", &mut |d| mj_forward(m, d).unwrap());
        count("step1 and step2", &mut |d| {
            mj_step1(m, d).unwrap();
            mj_step2(m, d).unwrap();
        });
        count("jac_into", &mut |d| {
            mj_jac_into(m, d, Some(&mut jac.0), Some(&mut jac.1), [0.1, 0.2, 0.3], m.nbody - 1);
        });
        count("finite differences", &mut |d| {
            if differentiable {
                let (a, c) = (Some(&mut a[..]), Some(&mut c[..]));
                mjd_transition_fd(m, d, 1e-6, false, a, None, c, None).unwrap();
            }
            if differentiable && m.opt.noslip_iterations == 0 {
                let f = Some(&mut f[..]);
                mjd_inverse_fd(m, d, 1e-6, true, f, None, None, None, None, None, None).unwrap();
            }
        });
        count("copy_from", &mut |d| copy.copy_from(d));
        count("a hundred steps", &mut |d| (0..100).for_each(|_| d.step(m).unwrap()));
    }
}

#[test]
fn counting_allocator_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(vec![1.0_f64; 8]))), 1);
}

/// A pile whose Newton directions are computed by conjugate gradients, on a thread of a pool, which is that of the steps
/// whether or not the feature `parallel` is enabled.
#[test]
fn pile() {
    let mut bodies = String::new();
    for k in 0..450 {
        let (x, y, z) = (k % 9, k / 9 % 10, k / 90);
        let shift = 0.01 * f64::from(k).sin();
        bodies += &format!(
            r#"<body pos="{} {} {}"><freejoint/><geom size=".1"/></body>"#,
            0.19 * f64::from(x) + shift,
            0.19 * f64::from(y) - shift,
            0.1 + 0.19 * f64::from(z)
        );
    }
    let text = format!(
        r#"<mujoco><worldbody><geom type="plane" size="5 5 1"/>{bodies}</worldbody></mujoco>"#
    );
    let mut m = sim_mjcf::load_str(&text).unwrap_or_else(|errors| panic!("{errors}"));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        m.opt.cone = cone;
        pool.install(|| {
            let mut d = m.make_data();
            for warm in [false, true] {
                d.reset(&m);
                let made = allocations(|| (0..12).for_each(|_| d.step(&m).unwrap()));
                assert!(!warm || made == 0, "{cone:?}: {made} allocations");
            }
            assert!(d.nisland == 1 && d.nefc > 3000, "{} islands, {} rows", d.nisland, d.nefc);
        });
    }
}

#[test]
fn every_solver_with_every_cone_and_integrator() {
    for name in ["robots/quadruped", "robots/hand"] {
        let mut m = model(name);
        for solver in [SolverType::Pgs, SolverType::Cg, SolverType::Newton] {
            for cone in [Cone::Pyramidal, Cone::Elliptic] {
                for &integrator in Integrator::ALL {
                    (m.opt.solver, m.opt.cone, m.opt.integrator) = (solver, cone, integrator);
                    check(&m);
                }
            }
        }
        m.opt.noslip_iterations = 3;
        check(&m);
    }
}

macro_rules! no_allocation {
    ($($folder:ident / $name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(&model(concat!(stringify!($folder), "/", stringify!($name))));
        })*
    };
}

no_allocation!(
    robots / arm6,
    robots / arm7,
    robots / cartpole,
    robots / double_pendulum,
    robots / hand,
    robots / hopper,
    robots / humanoid,
    robots / quadruped,
    chains / chain_10,
    chains / chain_100,
    features / rk4_tree,
    features / rk4_ball_free,
    features / disabled_eulerdamp,
    features / sensors_position,
    features / sensors_velocity,
    features / sensors_acceleration,
    features / sensors_reference_frame,
    features / cameras_lights,
    features / energy_flag,
    features / tendon_spatial,
    features / tendon_pulley,
    features / tendon_wrap_sphere,
    features / tendon_wrap_cylinder,
    features / tendon_wrap_inside,
    features / tendon_armature,
    features / tendon_spring_damper,
    features / tendon_actuator_force,
    features / transmission_tendon,
    features / transmission_site,
    features / transmission_refsite,
    features / transmission_slidercrank,
    features / actuator_damping_armature,
    features / activation_early,
    features / activation_implicit,
    features / activation_implicitfast,
    features / activation_rk4,
    features / actuator_activation,
    features / dcmotor_combined,
    features / delay_interpolation,
    features / muscle_ranges,
    features / sensor_history,
    features / fluid_box,
    features / fluid_ellipsoid,
    features / sensors_inside_projection,
    features / sensors_distance,
    features / sensors_rangefinder,
    features / sensors_contact_gap,
    features / flex_rope,
    features / flex_cloth,
    features / flex_cells,
    features / flex_self,
    features / flex_vert,
    features / flex_strain,
    features / flex_passive,
    features / plugin_pid,
    features / plugin_cable,
    features / plugin_touch_grid,
    features / plugin_sdf,
    features / sleep_init,
    features / sleep_ties,
);

#[test]
fn euler_without_damping() {
    for path in ["robots/humanoid", "chains/chain_100"] {
        let mut m = model(path);
        m.opt.disableflags |= DisableBit::Damper as i32;
        check(&m);
    }
}

#[test]
fn runge_kutta_of_a_deep_chain_and_of_robots() {
    for path in ["chains/chain_100", "robots/humanoid", "robots/arm6"] {
        let mut m = model(path);
        m.opt.integrator = Integrator::Rk4;
        check(&m);
    }
}

#[test]
fn automatic_reset() {
    let m = model("robots/arm6");
    let mut d = m.make_data();
    d.step(&m).unwrap();
    d.qpos[0] = f64::NAN;
    assert_eq!(allocations(|| d.step(&m).unwrap()), 0);
}

#[test]
fn implicit_integrators() {
    use Integrator::{Implicit, ImplicitEuler, ImplicitFast};
    for integrator in [Implicit, ImplicitFast, ImplicitEuler] {
        for path in [
            "robots/humanoid",
            "robots/hand",
            "chains/chain_100",
            "features/tendon_spring_damper",
            "features/free_offset_inertia",
            "features/fluid_mixed",
        ] {
            let mut m = model(path);
            m.opt.integrator = integrator;
            check(&m);
        }
    }
}

#[test]
fn repeated_contacts() {
    let m = sim_mjcf::load_str(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/><replicate count="60" offset=".05 0 0">
        <body pos="0 0 .05"><freejoint/><geom type="box" size=".04 .1 .1"/><geom size=".1"/></body>
        </replicate></worldbody></mujoco>"#,
    )
    .unwrap();
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let before = d.ncon;
    assert!(before > 300, "{before} contacts");
    assert_eq!(allocations(|| mj_fwd_position(&m, &mut d)), 0);
    assert_eq!(d.ncon, before);
}

#[test]
fn repeated_contacts_of_hfields_and_triangle_meshes() {
    let m = sim_mjcf::load_str(
        r#"<mujoco><option sdf_initpoints="8"/><asset>
        <mesh name="a" builtin="sphere" params="0" scale=".2 .2 .2"/>
        <mesh name="b" builtin="supertorus" params="9 .3 1 1" scale=".2 .2 .2" collider="triangles"/>
        </asset><worldbody><geom type="plane" size="1 1 1" pos="0 0 -.05"/><geom type="sdf" mesh="a"/>
        <body pos=".1 0 .15"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
        <body pos="-.1 0 .15"><freejoint/><geom type="mesh" mesh="b"/></body>
        <body pos="-.1 0 .25" euler="5 0 0"><freejoint/><geom type="mesh" mesh="b"/></body>
        <body pos="-.3 0 .2"><freejoint/><geom size=".05"/></body></worldbody></mujoco>"#,
    )
    .unwrap();
    let mut d = m.make_data();
    mj_fwd_position(&m, &mut d);
    let before = d.ncon;
    assert!(before > 10, "{before} contacts");
    assert_eq!(allocations(|| mj_fwd_position(&m, &mut d)), 0);
    assert_eq!(d.ncon, before);
}

#[test]
fn falling_asleep_and_waking_up() {
    let m = model("features/sleep_flag");
    let mut d = m.make_data();
    let run = |d: &mut Data| {
        d.reset(&m);
        let mut fewest = m.ntree;
        for _ in 0..700 {
            d.step(&m).unwrap();
            fewest = fewest.min(d.ntree_awake);
        }
        assert_eq!(fewest, 0, "all trees fell asleep");
        d.qvel[0] = 1.0;
        d.step(&m).unwrap();
        assert!(d.ntree_awake > 0, "a tree woke up");
    };
    run(&mut d);
    assert_eq!(allocations(|| run(&mut d)), 0);
}

#[test]
fn deformable_bodies_with_contacts_and_attachments() {
    let mut m = sim_mjcf::load_str(
        r#"<mujoco><option density="1.2" wind="1 0 0"/><worldbody><geom type="plane" size="1 1 .1"/>
           <body pos="0 0 .18"><freejoint/><geom type="box" size=".05 .05 .05" mass="1"/></body>
           <geom type="sphere" size=".1" pos=".5 0 .1"/></worldbody></mujoco>"#,
    )
    .unwrap_or_else(|errors| panic!("{errors}"));
    let mut block = TetMesh::cuboid([0.12; 3], [2; 3]).unwrap();
    block.vertices.iter_mut().for_each(|v| v.z += 0.061);
    let block = SoftBody::new(&block, &SoftBodyConfig::gelatin()).unwrap();
    m.add_deformable(Deformable::new("block", &block)).unwrap();
    let mut sheet = SurfaceMesh::grid([0.4, 0.4], [6, 6]).unwrap();
    sheet.vertices.iter_mut().for_each(|v| *v += Vector3::new(0.5, 0.0, 0.21));
    let sheet = Cloth::new(&sheet, &ClothConfig::silk()).unwrap();
    let mut sheet = Deformable::new("sheet", &sheet);
    sheet.attachments = m.attachments_at_rest(&sheet, &[0], 1).unwrap();
    m.add_deformable(sheet).unwrap();
    check(&m);
}

#[test]
fn contacts_between_deformable_bodies() {
    let mut m = sim_mjcf::load_str(
        r#"<mujoco><worldbody><geom type="plane" size="1 1 .1"/></worldbody></mujoco>"#,
    )
    .unwrap_or_else(|errors| panic!("{errors}"));
    for height in [0.062, 0.183] {
        let mut block = TetMesh::cuboid([0.12; 3], [2; 3]).unwrap();
        block.vertices.iter_mut().for_each(|v| v.z += height);
        let block = SoftBody::new(&block, &SoftBodyConfig::rubber()).unwrap();
        m.add_deformable(Deformable::new("block", &block)).unwrap();
    }
    check(&m);
}
