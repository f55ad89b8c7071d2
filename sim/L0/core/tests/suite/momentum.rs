//! Conservation of linear and angular momentum of free-floating trees.

use crate::models::{conservative, moving, steps, world};
use crate::tolerance::{CENTRAL, DIFFERENCE, MOMENTUM_DRIFT, close, largest};
use sim_core::types::DisableBit;
use sim_core::{
    Data, Model, mj_forward, mj_fwd_position, mj_fwd_velocity, mj_integrate_pos, mj_subtree_vel,
};

/// Linear and angular momentum of the whole world, the latter about its origin.
fn momentum(m: &Model, state: &Data) -> Vec<f64> {
    let mut d = state.clone();
    mj_fwd_position(m, &mut d);
    mj_fwd_velocity(m, &mut d);
    mj_subtree_vel(m, &mut d);
    let mass = m.body_subtreemass[0];
    let com = nalgebra::Vector3::from_column_slice(&d.subtree_com[..3]);
    let linear = mass * nalgebra::Vector3::from_column_slice(&d.subtree_linvel[..3]);
    let spin = nalgebra::Vector3::from_column_slice(&d.subtree_angmom[..3]);
    let angular = com.cross(&linear) + spin;
    linear.iter().chain(angular.iter()).copied().collect()
}

/// The model adrift: no gravity, no dampers, and springs only inside the tree. Armature would act
/// on the free base from outside, and between links it is an inertia without a place.
fn adrift(m: &Model) -> Model {
    let mut m = conservative(m);
    m.opt.disableflags |= DisableBit::Gravity as i32;
    m.dof_armature.fill(0.0);
    m
}

fn momentum_does_not_change_at_an_instant(m: &Model) {
    let m = adrift(m);
    let mut d = moving(&m, 7);
    mj_forward(&m, &mut d).unwrap();
    let at = |time: f64| {
        let mut shifted = d.clone();
        mj_integrate_pos(&m, &mut shifted.qpos, &d.qvel, time);
        for i in 0..m.nv {
            shifted.qvel[i] += time * d.qacc[i];
        }
        momentum(&m, &shifted)
    };
    let scale = largest(&momentum(&m, &d));
    let rate: Vec<f64> = at(CENTRAL)
        .iter()
        .zip(at(-CENTRAL))
        .map(|(a, b)| (a - b) / (2.0 * CENTRAL * scale))
        .collect();
    assert!(largest(&rate) < DIFFERENCE, "relative rate {rate:?}");
}
on_models!(momentum_does_not_change_at_an_instant:
    robots / humanoid, robots / quadruped, features / free, features / free_offset_inertia,
);

fn momentum_is_conserved(m: &Model) {
    let mut m = adrift(m);
    m.opt.timestep = 2.5e-4;
    let mut d = moving(&m, 8);
    let start = momentum(&m, &d);
    steps(&m, &mut d, 400);
    close("momentum", &momentum(&m, &d), &start, MOMENTUM_DRIFT);
}
on_models!(momentum_is_conserved:
    robots / humanoid, robots / quadruped, features / free, features / free_offset_inertia,
);

#[test]
fn tumbling_body_conserves_angular_momentum() {
    let m = adrift(&world(
        r#"<body pos="1 2 3"><freejoint/><geom type="box" size=".1 .2 .35"/></body>"#,
    ));
    let mut d = m.make_data();
    d.qvel.copy_from_slice(&[0.1, 0.2, -0.3, 0.05, 3.0, 0.05]);
    let (start, turn) = (momentum(&m, &d), d.qvel[3..].to_vec());
    steps(&m, &mut d, 2000);
    close("momentum", &momentum(&m, &d), &start, MOMENTUM_DRIFT);
    close("linear velocity", &d.qvel[..3], &[0.1, 0.2, -0.3], MOMENTUM_DRIFT);
    assert!((d.qvel[4] - turn[1]).abs() > 0.1, "rotation about the middle axis is unstable");
}
