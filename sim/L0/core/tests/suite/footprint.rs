//! Footprints: a stage reads only the fields that it declares, and writes exactly the fields whose table row
//! names it.
//!
//! All stages are evaluated once, on new data. Then every `f64` field that the stage does not read, its own
//! results included, is filled with NaN, and its own integer fields with an invalid value. Running the stage alone
//! must restore its own fields bit by bit and leave all other fields unchanged.

mod snapshot;

use crate::models::{constrained, driven, model, steps};
use sim_core::{
    Data, Model, Stage, mj_camlight, mj_collision, mj_com_pos, mj_com_vel, mj_factor_m, mj_flex,
    mj_forward, mj_fwd_acceleration, mj_fwd_actuation, mj_fwd_constraint, mj_fwd_velocity,
    mj_island, mj_kinematics, mj_make_constraint, mj_make_m, mj_passive, mj_project_constraint,
    mj_reference_constraint, mj_rne_post_constraint, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel,
    mj_subtree_vel, mj_tendon, mj_transmission,
};
use snapshot::{CONTACT_ROWS, Row, invalidate, snapshot};

/// Arrays of which a stage writes only the part that is in use; the rest is zero. In `qM` these are the
/// off-diagonal entries of simple bodies, in the arrays of flexes the edges of rigid and interpolated flexes, and the
/// Jacobians and vertex strains that no constraint or force needs.
const CAPACITY: [&str; 10] = [
    "wrap_obj",
    "wrap_xpos",
    "actuator_moment",
    "moment_colind",
    "qM",
    "flexedge_length",
    "flexedge_J",
    "flexedge_velocity",
    "flexvert_length",
    "flexvert_J",
];

/// Models without constraints, in random states.
const SMOOTH: [&str; 15] = [
    "robots/arm6",
    "robots/humanoid",
    "features/energy_flag",
    "features/cameras_lights",
    "features/affine_actuators",
    "features/actuator_damping_armature",
    "features/transmission_tendon",
    "features/transmission_refsite",
    "features/actuator_activation",
    "features/dcmotor_combined",
    "features/delay_interpolation",
    "features/sensor_history",
    "features/flex_cells",
    "features/flex_solids",
    "features/flex_surfaces",
];

/// Models with contacts, limits, equality constraints, friction loss and tendons, after some steps.
const CONSTRAINED: [&str; 23] = [
    "robots/humanoid",
    "robots/quadruped",
    "robots/hand",
    "constraints/condim3_pyramidal",
    "constraints/condim6_elliptic",
    "constraints/connect_bodies",
    "constraints/weld_sites",
    "constraints/joint_equality",
    "constraints/tendon_equality",
    "constraints/frictionloss_dof",
    "constraints/frictionloss_tendon",
    "constraints/limits_ball",
    "constraints/limits_slide_hinge",
    "constraints/limits_tendon",
    "constraints/islands",
    "features/tendon_wrap_sphere",
    "features/flex_cloth",
    "features/flex_cloth_pins",
    "features/flex_passive",
    "features/flex_rope",
    "features/flex_self",
    "features/flex_strain",
    "features/flex_vert",
];

/// Data of a model without constraints in a random state, all stages evaluated.
fn evaluate_smooth(m: &Model) -> Data {
    let mut d = driven(m, 71);
    evaluate(m, &mut d);
    d
}

/// Data of a model with constraints in the state after some steps, all stages evaluated. The data is new, so
/// that it contains nothing from the steps before.
fn evaluate_constrained(m: &Model) -> Data {
    let mut before = driven(m, 71);
    before.qpos.copy_from_slice(&m.qpos0);
    steps(m, &mut before, 40);
    let mut d = driven(m, 72);
    d.qpos.clone_from(&before.qpos);
    d.qvel.clone_from(&before.qvel);
    d.act.clone_from(&before.act);
    evaluate(m, &mut d);
    d
}

fn evaluate(m: &Model, d: &mut Data) {
    mj_forward(m, d).unwrap();
    mj_subtree_vel(m, d);
    mj_rne_post_constraint(m, d);
}

/// Runs a stage with all fields poisoned except `reads`, on every model with and without constraints.
#[track_caller]
fn check(own: &[Stage], reads: &[&str], run: impl Fn(&Model, &mut Data)) {
    let smooth = SMOOTH.iter().map(|path| (path, model(path), false));
    let with_rows = CONSTRAINED.iter().map(|path| (path, constrained(path), true));
    let mut written = 0;
    for (path, m, is_constrained) in smooth.chain(with_rows) {
        let mut d = if is_constrained { evaluate_constrained(&m) } else { evaluate_smooth(&m) };
        if own.contains(&Stage::ProjectConstraint) {
            mj_project_constraint(&m, &mut d);
        }
        let truth = snapshot(&d);
        for row in Data::FIELDS.iter().filter(|row| !reads.contains(&row.name)) {
            if let Some(values) = d.field_mut(row.name) {
                values.fill(f64::NAN);
            }
        }
        own.iter().for_each(|&stage| invalidate(&mut d, stage));
        let before = snapshot(&d);
        run(&m, &mut d);
        for ((row, before), truth) in snapshot(&d).iter().zip(&before).zip(&truth) {
            written += check_row(path, own, row, before, truth);
        }
    }
    assert!(written > 0, "no model has a field of {own:?}");
}

/// Checks one field after the stage; returns 1 if the stage wrote it.
#[track_caller]
fn check_row(path: &str, own: &[Stage], row: &Row, before: &Row, truth: &Row) -> usize {
    let (name, stage, bits) = row;
    if *name == CONTACT_ROWS && own.contains(&Stage::Collision) {
        return 0; // new contacts have no rows yet
    }
    if !own.contains(stage) {
        assert_eq!(bits, &before.2, "{path}: {name} belongs to {stage:?}");
        return 0;
    }
    assert_eq!(bits.len(), truth.2.len(), "{path}: {name} has another length");
    for (k, (&now, (&then, &right))) in bits.iter().zip(before.2.iter().zip(&truth.2)).enumerate() {
        let unused = CAPACITY.contains(name) && right == 0 && now == then;
        assert!(now == right || unused, "{path}: {name}[{k}] was not restored");
    }
    usize::from(!bits.is_empty())
}

/// The constrained models cover contacts and every type of constraint row.
#[test]
fn constrained_models_have_all_types_of_rows() {
    let (mut ncon, mut ne, mut nf, mut nl, mut ntendon, mut nisland) = (0, 0, 0, 0, 0, 0);
    let mut nflex_contacts = 0;
    for path in CONSTRAINED {
        let m = constrained(path);
        let d = evaluate_constrained(&m);
        ncon += d.ncon;
        ne += d.ne;
        nf += d.nf;
        nl += d.nl;
        ntendon += m.ntendon;
        nisland += d.nisland;
        nflex_contacts += d.contact.iter().filter(|c| c.flex.iter().any(|&f| f >= 0)).count();
    }
    let counts = [ncon, ne, nf, nl, ntendon, nisland, nflex_contacts];
    assert!(counts.iter().all(|&n| n > 3), "{counts:?}");
}

#[test]
fn kinematics() {
    check(&[Stage::Kinematics], &["qpos", "mocap_pos", "mocap_quat"], mj_kinematics);
}

#[test]
fn com_pos() {
    check(&[Stage::ComPos], &["xipos", "ximat", "xmat", "xanchor", "xaxis"], mj_com_pos);
}

#[test]
fn camlight() {
    check(&[Stage::Camlight], &["xpos", "xquat", "xmat", "subtree_com"], mj_camlight);
}

#[test]
fn flex() {
    check(&[Stage::Flex], &["xpos", "xmat", "subtree_com", "cdof"], mj_flex);
}

#[test]
fn tendon() {
    check(
        &[Stage::Tendon],
        &["qpos", "site_xpos", "geom_xpos", "geom_xmat", "subtree_com", "cdof"],
        mj_tendon,
    );
}

#[test]
fn collision() {
    check(
        &[Stage::Collision],
        &[
            "geom_xpos",
            "geom_xmat",
            // bodies, vertices and bounding boxes of flexes
            "xipos",
            "ximat",
            "flexvert_xpos",
            "flexelem_aabb",
            "bvh_aabb_dyn",
        ],
        mj_collision,
    );
}

#[test]
fn make_constraint() {
    check(
        &[Stage::MakeConstraint],
        &[
            "qpos",
            "xpos",
            "xquat",
            "xmat",
            "site_xpos",
            "subtree_com",
            "cdof",
            "ten_length",
            "ten_J",
            "flexvert_xpos",
            "flexvert_length",
            "flexvert_J",
            "flexedge_length",
            "flexedge_J",
        ],
        mj_make_constraint,
    );
}

#[test]
fn island() {
    check(
        &[Stage::Island],
        &["M", "qLD", "qLDiagInv", "efc_J", "efc_frictionloss", "efc_D", "efc_R"],
        mj_island,
    );
}

#[test]
fn project_constraint() {
    check(
        &[Stage::ProjectConstraint],
        &["qLD", "qLDiagInv", "efc_J", "efc_R"],
        mj_project_constraint,
    );
}

#[test]
fn reference_constraint() {
    check(
        &[Stage::ReferenceConstraint],
        &[
            "qvel",
            "efc_J",
            "efc_KBIP",
            "efc_pos",
            "efc_margin",
            "xpos",
            "xquat",
            "xmat",
            "site_xpos",
            "subtree_com",
            "cdof",
            "cdof_dot",
            "cvel",
        ],
        mj_reference_constraint,
    );
}

#[test]
fn make_m() {
    check(&[Stage::MakeM], &["cinert", "cdof", "ten_J"], mj_make_m);
}

#[test]
fn factor_m() {
    check(&[Stage::FactorM], &["M"], mj_factor_m);
}

#[test]
fn transmission() {
    check(
        &[Stage::Transmission],
        &["qpos", "xquat", "site_xpos", "site_xmat", "subtree_com", "cdof", "ten_length", "ten_J"],
        mj_transmission,
    );
}

#[test]
fn com_vel() {
    check(&[Stage::ComVel], &["cdof", "qvel"], mj_com_vel);
}

#[test]
fn passive() {
    check(
        &[Stage::Passive],
        &[
            "qpos",
            "qvel",
            "ten_length",
            "ten_velocity",
            "ten_J",
            // elasticity of flexes, and contacts that are passive forces
            "xpos",
            "xmat",
            "subtree_com",
            "cdof",
            "flexvert_xpos",
            "flexedge_length",
            "flexedge_velocity",
            "flexedge_J",
        ],
        mj_passive,
    );
}

/// The driver of the velocity stage: the stages that it calls, and the bias force, which only it computes.
#[test]
fn fwd_velocity() {
    check(
        &[
            Stage::FwdVelocity,
            Stage::ComVel,
            Stage::Passive,
            Stage::ReferenceConstraint,
            Stage::Rne,
        ],
        &[
            "efc_J",
            "efc_KBIP",
            "efc_pos",
            "efc_margin",
            "xpos",
            "xquat",
            "xmat",
            "qpos",
            "qvel",
            "actuator_moment",
            "cdof",
            "cinert",
            "subtree_com",
            "site_xpos",
            "ten_length",
            "ten_J",
            "flexvert_xpos",
            "flexedge_length",
            "flexedge_J",
        ],
        mj_fwd_velocity,
    );
}

#[test]
fn fwd_actuation() {
    check(
        &[Stage::FwdActuation],
        &["ctrl", "act", "history", "actuator_length", "actuator_velocity", "actuator_moment"],
        mj_fwd_actuation,
    );
}

#[test]
fn fwd_acceleration() {
    check(
        &[Stage::FwdAcceleration],
        &[
            "qfrc_passive",
            "qfrc_bias",
            "qfrc_applied",
            "qfrc_actuator",
            "xfrc_applied",
            "xipos",
            "subtree_com",
            "cdof",
            "qLD",
            "qLDiagInv",
        ],
        mj_fwd_acceleration,
    );
}

#[test]
fn fwd_constraint() {
    check(
        &[Stage::FwdConstraint],
        &[
            "qacc_smooth",
            "qfrc_smooth",
            "qacc_warmstart",
            "M",
            "qLD",
            "qLDiagInv",
            "efc_J",
            "efc_frictionloss",
            "efc_D",
            "efc_R",
            "efc_aref",
            "iM",
            "iLD",
            "iLDiagInv",
            "iefc_J",
            "iefc_frictionloss",
            "iefc_D",
            "iefc_R",
        ],
        |m, d| {
            mj_fwd_constraint(m, d).unwrap();
        },
    );
}

#[test]
fn subtree_vel() {
    check(&[Stage::SubtreeVel], &["xipos", "ximat", "cvel", "subtree_com"], mj_subtree_vel);
}

#[test]
fn rne_post_constraint() {
    check(
        &[Stage::RnePostConstraint],
        &[
            "qvel",
            "qacc",
            "xfrc_applied",
            "xipos",
            "subtree_com",
            "cdof",
            "cdof_dot",
            "cinert",
            "cvel",
            "efc_force",
            "xpos",
            "xmat",
            "site_xpos",
        ],
        mj_rne_post_constraint,
    );
}

/// Sensors may call for quantities that are computed on demand; here those are up to date.
#[test]
fn sensors() {
    check(
        &[Stage::Sensor],
        &[
            "history",
            "qpos",
            "qvel",
            "xpos",
            "xquat",
            "xmat",
            "xipos",
            "ximat",
            "site_xpos",
            "site_xmat",
            "geom_xpos",
            "geom_xmat",
            "cam_xpos",
            "cam_xmat",
            "subtree_com",
            "subtree_linvel",
            "subtree_angmom",
            "cvel",
            "cacc",
            "cfrc_int",
            "actuator_length",
            "actuator_velocity",
            "actuator_force",
            "qfrc_actuator",
            "energy",
            "efc_force",
        ],
        |m, d| {
            mj_sensor_pos(m, d);
            mj_sensor_vel(m, d);
            mj_sensor_acc(m, d);
        },
    );
}
