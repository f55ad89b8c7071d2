//! Footprints: a stage reads only the fields that it declares, and writes exactly the fields whose table row
//! names it.
//!
//! All stages are evaluated once, on new data. Then every `f64` field that the stage does not read, its own
//! results included, is filled with NaN, and its own integer fields with [`GARBAGE`]. Running the stage alone
//! must restore its own fields bit by bit and leave all other fields unchanged.

use crate::models::{constrained, driven, model, steps};
use sim_core::field::FieldView;
use sim_core::types::Contact;
use sim_core::{
    Data, Model, Stage, mj_camlight, mj_collision, mj_com_pos, mj_com_vel, mj_factor_m, mj_forward,
    mj_fwd_acceleration, mj_fwd_actuation, mj_fwd_constraint, mj_fwd_velocity, mj_island,
    mj_kinematics, mj_make_constraint, mj_make_m, mj_passive, mj_project_constraint,
    mj_reference_constraint, mj_rne_post_constraint, mj_sensor_acc, mj_sensor_pos, mj_sensor_vel,
    mj_subtree_vel, mj_tendon, mj_transmission,
};

/// Value of the integer fields that a stage has to overwrite.
const GARBAGE: i32 = -77;

/// `Contact::exclude` of a contact that `mj_make_constraint` excluded because no dof moves its bodies.
const NO_DOFS: i32 = 3;

/// Arrays of which a stage writes only the part that is in use; the rest is zero. In `qM` these are the
/// off-diagonal entries of simple bodies.
const CAPACITY: [&str; 5] = ["wrap_obj", "wrap_xpos", "actuator_moment", "moment_colind", "qM"];

/// Models without constraints, in random states.
const SMOOTH: [&str; 12] = [
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
];

/// Models with contacts, limits, equality constraints, friction loss and tendons, after some steps.
const CONSTRAINED: [&str; 16] = [
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
];

/// A field or scalar: its name, the stage that writes it, and its bits.
type Row = (&'static str, Stage, Vec<u64>);

/// The members of contacts that `mj_make_constraint` writes: `mu`, `exclude` and `efc_address`.
const CONTACT_ROWS: &str = "contact rows";

/// A contact as `mj_collision` leaves it.
fn without_rows(contact: &Contact) -> Contact {
    let exclude = if contact.exclude == NO_DOFS { 0 } else { contact.exclude };
    Contact { mu: 0.0, exclude, efc_address: -1, ..*contact }
}

/// The debug form of a value as numbers.
fn text_bits(value: impl std::fmt::Debug) -> Vec<u64> {
    format!("{value:?}").bytes().map(u64::from).collect()
}

/// All fields and scalars of a data.
fn snapshot(d: &Data) -> Vec<Row> {
    let mut all = Vec::new();
    d.visit(&mut |row, view| {
        let bits = match view {
            FieldView::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
            FieldView::I32(v) => v.iter().map(|&x| u64::from(x.cast_unsigned())).collect(),
            FieldView::U8(v) => v.iter().map(|&x| u64::from(x)).collect(),
            // the debug form of a float is exact
            FieldView::Contact(v) => v.iter().map(without_rows).flat_map(text_bits).collect(),
            other => vec![other.len() as u64],
        };
        all.push((row.name, row.stage, bits));
    });
    let rows = d.contact.iter().flat_map(|c| text_bits((c.mu, c.exclude, c.efc_address)));
    all.push((CONTACT_ROWS, Stage::MakeConstraint, rows.collect()));
    for (name, stage, value) in [
        ("time", Stage::State, d.time.to_bits()),
        ("ncon", Stage::Collision, d.ncon as u64),
        ("ne", Stage::MakeConstraint, d.ne as u64),
        ("nf", Stage::MakeConstraint, d.nf as u64),
        ("nl", Stage::MakeConstraint, d.nl as u64),
        ("nefc", Stage::MakeConstraint, d.nefc as u64),
        ("nJ", Stage::MakeConstraint, d.nJ as u64),
        ("nA", Stage::ProjectConstraint, d.nA as u64),
        ("nisland", Stage::Island, d.nisland as u64),
        ("nidof", Stage::Island, d.nidof as u64),
        ("ntree_awake", Stage::Sleep, d.ntree_awake as u64),
        ("nbody_awake", Stage::Sleep, d.nbody_awake as u64),
        ("nparent_awake", Stage::Sleep, d.nparent_awake as u64),
        ("nv_awake", Stage::Sleep, d.nv_awake as u64),
    ] {
        all.push((name, stage, vec![value]));
    }
    all
}

/// Overwrites the integer fields of a stage, and empties its arrays that have variable length.
fn invalidate(d: &mut Data, stage: Stage) {
    match stage {
        Stage::Tendon => {
            for field in [&mut d.ten_wrapadr, &mut d.ten_wrapnum, &mut d.wrap_obj] {
                field.fill(GARBAGE);
            }
        }
        Stage::Transmission => {
            for field in [&mut d.moment_rownnz, &mut d.moment_rowadr, &mut d.moment_colind] {
                field.fill(GARBAGE);
            }
        }
        Stage::Collision => {
            d.contact.clear();
            d.ncon = 0;
        }
        Stage::MakeConstraint => {
            (d.ne, d.nf, d.nl, d.nefc, d.nJ) = (1, 2, 3, 4, 5);
            for contact in &mut d.contact {
                contact.mu = f64::NAN;
                contact.efc_address = GARBAGE;
                if contact.exclude == NO_DOFS {
                    contact.exclude = 0;
                }
            }
            d.efc_type.clear();
            for field in [
                &mut d.efc_id,
                &mut d.efc_J_rownnz,
                &mut d.efc_J_rowadr,
                &mut d.efc_J_rowsuper,
                &mut d.efc_J_colind,
                &mut d.tendon_efcadr,
            ] {
                field.clear();
            }
            d.efc_J.clear();
        }
        Stage::Island => {
            (d.nisland, d.nidof) = (7, 7);
            for field in [
                &mut d.tree_island,
                &mut d.island_ntree,
                &mut d.island_itreeadr,
                &mut d.map_itree2tree,
                &mut d.dof_island,
                &mut d.island_nv,
                &mut d.island_idofadr,
                &mut d.island_dofadr,
                &mut d.map_dof2idof,
                &mut d.map_idof2dof,
                &mut d.efc_island,
                &mut d.island_ne,
                &mut d.island_nf,
                &mut d.island_nefc,
                &mut d.island_iefcadr,
                &mut d.map_efc2iefc,
                &mut d.map_iefc2efc,
                &mut d.iM_colind,
                &mut d.iefc_J_colind,
            ] {
                field.fill(GARBAGE);
            }
        }
        _ => {}
    }
}

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
    for path in CONSTRAINED {
        let m = constrained(path);
        let d = evaluate_constrained(&m);
        ncon += d.ncon;
        ne += d.ne;
        nf += d.nf;
        nl += d.nl;
        ntendon += m.ntendon;
        nisland += d.nisland;
    }
    let counts = [ncon, ne, nf, nl, ntendon, nisland];
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
fn tendon() {
    check(
        &[Stage::Tendon],
        &["qpos", "site_xpos", "geom_xpos", "geom_xmat", "subtree_com", "cdof"],
        mj_tendon,
    );
}

#[test]
fn collision() {
    check(&[Stage::Collision], &["geom_xpos", "geom_xmat"], mj_collision);
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
    let reads = ["qpos", "qvel", "ten_length", "ten_velocity", "ten_J"];
    check(&[Stage::Passive], &reads, mj_passive);
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
        ],
        |m, d| {
            mj_sensor_pos(m, d);
            mj_sensor_vel(m, d);
            mj_sensor_acc(m, d);
        },
    );
}
