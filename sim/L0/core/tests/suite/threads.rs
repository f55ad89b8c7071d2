//! Parallel island solving.

use crate::models::load;
use sim_core::mj_step;
use sim_core::types::{Cone, SolverType};
use std::fmt::Write;

/// Separated stacks of boxes: many islands, with enough rows to be distributed over threads.
fn stacks() -> String {
    let mut world = String::from(r#"<geom type="plane" size="1 1 1"/>"#);
    for stack in 0..16 {
        for layer in 0..4 {
            let (x, y) = (3.0 * f64::from(stack % 4), 3.0 * f64::from(stack / 4));
            let (shift, z) = (0.02 * f64::from(layer * stack), 0.099 + 0.198 * f64::from(layer));
            let _ = write!(
                world,
                r#"<body pos="{} {y} {z}" euler="0 0 {}"><freejoint/>
                <geom type="box" size=".1 .1 .1"/></body>"#,
                x + 0.1 * shift,
                20 * layer
            );
        }
    }
    format!("<mujoco><worldbody>{world}</worldbody></mujoco>")
}

/// A pile of spheres in contact with their neighbours: one island, large enough for several threads to share its solution.
fn pile() -> String {
    let mut world = String::from(r#"<geom type="plane" size="5 5 1"/>"#);
    for k in 0..900 {
        let (x, y, z) = (k % 9, k / 9 % 10, k / 90);
        let shift = 0.01 * f64::from(k).sin();
        let _ = write!(
            world,
            r#"<body pos="{} {} {}"><freejoint/><geom size=".1"/></body>"#,
            0.19 * f64::from(x) + shift,
            0.19 * f64::from(y) - shift,
            0.1 + 0.19 * f64::from(z)
        );
    }
    format!("<mujoco><worldbody>{world}</worldbody></mujoco>")
}

/// Results of a pile are bit-identical for any number of threads, and outside of a pool.
#[test]
fn piles_do_not_depend_on_the_number_of_threads() {
    let mut m = load(&pile());
    for cone in [Cone::Pyramidal, Cone::Elliptic] {
        m.opt.cone = cone;
        let run = || {
            let mut d = m.make_data();
            (0..6).for_each(|_| mj_step(&m, &mut d).unwrap());
            assert!(d.nisland == 1 && d.nefc > 5000, "{} islands, {} rows", d.nisland, d.nefc);
            let bits = |x: &f64| x.to_bits();
            (d.qpos.iter().map(bits).collect::<Vec<_>>(), d.solver_niter.clone())
        };
        let outside = run();
        for threads in [1, 2, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(run) == outside, "{threads} threads, {cone:?}");
        }
    }
}

/// Results are bit-identical for any number of threads.
#[test]
fn islands_do_not_depend_on_the_number_of_threads() {
    let mut m = load(&stacks());
    for (solver, cone) in [
        (SolverType::Newton, Cone::Pyramidal),
        (SolverType::Newton, Cone::Elliptic),
        (SolverType::Cg, Cone::Elliptic),
    ] {
        (m.opt.solver, m.opt.cone) = (solver, cone);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut d = m.make_data();
                (0..40).for_each(|_| mj_step(&m, &mut d).unwrap());
                assert!(d.nisland > 10, "only {} islands", d.nisland);
                assert!(d.nefc > 800, "only {} rows", d.nefc);
                let bits = |x: &f64| x.to_bits();
                (d.qpos.iter().map(bits).collect::<Vec<_>>(), d.solver_niter.clone())
            })
        };
        let one = run(1);
        assert!(run(2) == one && run(5) == one, "{solver:?} {cone:?}");
    }
}
