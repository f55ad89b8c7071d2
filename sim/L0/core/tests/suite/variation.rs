//! Model variations: exchanging a variation equals using the edited model.

use crate::models::load;
use sim_core::{Model, SizeMismatch, mj_step};

const ARM: &str = r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 .3"><joint name="a" axis="0 1 0" range="-10 10" frictionloss=".1"/>
    <geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
    <body pos=".4 0 0" gravcomp=".5"><joint name="b" axis="0 1 0" stiffness="1"/>
    <geom name="tip" type="box" size=".1 .1 .1"/><site name="s"/></body></body>
    <body pos="0 1 .1"><freejoint/><geom size=".1"/></body></worldbody>
    <tendon><fixed stiffness="2"><joint joint="a" coef="1"/></fixed></tendon>
    <actuator><position joint="a" kp="3" ctrlrange="-1 1"/>
    <general joint="b" dyntype="filter" dynprm=".1" gainprm="2" forcerange="-5 5"/></actuator>
    </mujoco>"#;

/// An array with its name and accessor.
type Array = (&'static str, fn(&mut Model) -> &mut Vec<f64>);

macro_rules! arrays {
    ($($name:ident),*) => { &[$((stringify!($name), |m| &mut m.$name)),*] };
}

/// Arrays that are commonly randomized, with and without precomputed quantities.
const ARRAYS: &[Array] = arrays![
    actuator_acc0,
    actuator_biasprm,
    actuator_ctrlrange,
    actuator_dynprm,
    actuator_forcerange,
    actuator_gainprm,
    actuator_gear,
    actuator_length0,
    body_gravcomp,
    body_inertia,
    body_invweight0,
    body_ipos,
    body_mass,
    body_pos,
    body_subtreemass,
    dof_M0,
    dof_armature,
    dof_damping,
    dof_frictionloss,
    dof_invweight0,
    geom_friction,
    geom_margin,
    geom_pos,
    geom_size,
    geom_solimp,
    geom_solmix,
    geom_solref,
    jnt_axis,
    jnt_pos,
    jnt_range,
    jnt_stiffness,
    qpos0,
    qpos_spring,
    site_pos,
    tendon_invweight0,
    tendon_length0,
    tendon_stiffness
];

/// Checks that both models step bit-identically.
#[track_caller]
fn check_same_steps(a: &Model, b: &Model, name: &str) {
    let (mut ours, mut theirs) = (a.make_data(), b.make_data());
    for _ in 0..100 {
        ours.ctrl.fill(0.3);
        theirs.ctrl.fill(0.3);
        mj_step(a, &mut ours).unwrap();
        mj_step(b, &mut theirs).unwrap();
    }
    assert_eq!(ours.qpos, theirs.qpos, "{name}");
    assert_eq!(ours.qvel, theirs.qvel, "{name}");
}

#[test]
fn exchanged_model_equals_the_edited_one() {
    let base = load(ARM);
    for (name, array) in ARRAYS {
        let mut edited = base.clone();
        array(&mut edited).iter_mut().for_each(|x| *x *= 1.1);
        edited.refresh();
        let mut variation = base.variation(&edited).unwrap();
        let changed: Vec<_> = variation.fields().collect();
        // scaling does not change an array of zeros
        assert!(changed.is_empty() || changed == [*name], "{changed:?}");
        let mut model = base.clone();
        for _ in 0..2 {
            model.exchange(&mut variation);
            check_same_steps(&model, &edited, name);
            model.exchange(&mut variation);
            check_same_steps(&model, &base, name);
        }
    }
}

#[test]
fn options_are_exchanged() {
    let base = load(ARM);
    let mut edited = base.clone();
    edited.opt.timestep *= 0.5;
    let mut variation = base.variation(&edited).unwrap();
    assert_eq!((variation.fields().count(), variation.bytes()), (0, 0));
    let mut model = base.clone();
    model.exchange(&mut variation);
    check_same_steps(&model, &edited, "timestep");
}

#[test]
fn models_of_different_sizes_are_rejected() {
    let (base, other) = (load(ARM), load("<mujoco/>"));
    assert_eq!(base.variation(&other).unwrap_err(), SizeMismatch);
    // exchanging a variation of a model with different sizes does nothing
    let mut edited = base.clone();
    edited.body_mass[1] = 7.0;
    let mut model = other.clone();
    model.exchange(&mut base.variation(&edited).unwrap());
    assert_eq!(model.body_mass, other.body_mass);
}
