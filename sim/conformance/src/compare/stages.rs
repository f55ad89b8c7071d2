//! Comparison of forward dynamics at random states: every array that a stage writes, in pipeline order.

use super::Outcome;
use super::constraints::Constraints;
use super::contacts::Contacts;
use super::functions::equally_short;
use super::solution::Solution;
use super::tendons;
use crate::{Archive, tolerance};
use sim_core::types::{SensorStage, SensorType, StepError};
use sim_core::{
    Data, FieldInfo, FieldView, Model, Stage, forward_with_contacts, mj_compare_fwd_inv,
    mj_energy_pos, mj_energy_vel, mj_rne_post_constraint, mj_subtree_vel,
};

/// Whether an array is compared elsewhere or not recorded: arrays whose length depends on the contacts or
/// constraints, and those with their own comparison.
pub(super) fn excluded(field: &FieldInfo) -> bool {
    field
        .shape
        .iter()
        .any(|dim| matches!(*dim, "nefc" | "ncon" | "nJ" | "nA" | "nisland" | "nidof"))
        || matches!(field.stage, Stage::Collision | Stage::Island)
        || field.name.starts_with("solver_")
        || matches!(field.name, "tendon_efcadr" | "qacc" | "qfrc_constraint")
        // compared as one dense matrix, see `moments`
        || MOMENT.contains(&field.name)
        // compared sensor by sensor, see `sensors`
        || field.name == "sensordata"
        // compared tendon by tendon
        || tendons::PATHS.contains(&field.name)
}

/// Copies the `k`-th recorded state to `d`.
pub(super) fn load_state(archive: &Archive, m: &Model, d: &mut Data, k: usize) {
    d.reset(m);
    d.time = archive.row("in/time", k).first().copied().unwrap_or(0.0);
    for name in archive.names("in/").collect::<Vec<_>>() {
        if let Some(field) = d.field_mut(name) {
            let row = archive.row(&format!("in/{name}"), k);
            if row.len() == field.len() {
                field.copy_from_slice(row);
            }
        }
    }
    for (active, &x) in d.eq_active.iter_mut().zip(archive.row("in/eq_active", k)) {
        *active = x != 0.0;
    }
}

/// Compares every stage at every recorded state. The first difference belongs to the first stage that
/// differs; a step error counts as a difference.
#[must_use]
pub fn stages(archive: &Archive, m: &Model) -> Outcome {
    let mut fields: Vec<&FieldInfo> = Data::FIELDS.iter().filter(|f| !excluded(f)).collect();
    fields.sort_by_key(|field| field.stage);
    let (smooth, constrained) =
        fields.split_at(fields.partition_point(|field| field.stage < Stage::FwdConstraint));
    let (before_collision, smooth) =
        smooth.split_at(smooth.partition_point(|field| field.stage < Stage::Collision));
    let mut contacts = Contacts::of(archive, m);
    let mut constraints = Constraints::of(archive);
    let mut solution = Solution::of(archive);
    let mut step_error = None;
    let mut out = Outcome::default();
    let mut d = m.make_data();
    for k in 0..archive.count("in/time") {
        load_state(archive, m, &mut d, k);
        // later stages continue with the oracle's contacts; ours have their own comparison
        d.contact = contacts.of_state(k);
        d.ncon = d.contact.len();
        let forward = forward_with_contacts(m, &mut d);
        mj_energy_pos(m, &mut d);
        mj_energy_vel(m, &mut d);
        mj_subtree_vel(m, &mut d);
        let accepted = tendons::compare(&mut out, archive, m, &d, k);
        tendons::adopt(archive, m, &mut d, k, &accepted);
        if accepted.iter().any(|&i| tendons::acts(m, i)) {
            // the stages that depend on these tendons are not compared
            let fields = before_collision.iter().chain(smooth);
            let fields = fields.filter(|field| tendons::independent(field.stage));
            fields.for_each(|field| compare_field(archive, &mut out, &d, field, k));
            contacts.compare(&mut out, m, &d);
            constraints.advance();
            solution.advance();
            if !out.agrees() {
                break;
            }
            continue;
        }
        before_collision.iter().for_each(|field| compare_field(archive, &mut out, &d, field, k));
        contacts.compare(&mut out, m, &d);
        smooth.iter().for_each(|field| compare_field(archive, &mut out, &d, field, k));
        moments(archive, &mut out, m, &d, k);
        constraints.compare(&mut out, m, &d);
        if !out.agrees() {
            break;
        }
        // position and velocity sensors do not depend on the constraint solver
        sensors(archive, &mut out, m, &d, k, true);
        match &forward {
            Ok(()) => {
                solution.compare(&mut out, m, &mut d, k);
                forward_against_inverse(archive, &mut out, m, &d, k);
                mj_rne_post_constraint(m, &mut d);
                constrained.iter().for_each(|f| compare_field(archive, &mut out, &d, f, k));
                sensors(archive, &mut out, m, &d, k, false);
            }
            // the stages before the solver are still compared at the other states
            Err(error) => step_error = Some(error.clone()),
        }
        if !out.agrees() {
            break;
        }
    }
    if let (Some(error), true) = (step_error, out.agrees()) {
        report_error(&mut out, &error);
    }
    out
}

/// Compares the differences of forward and inverse dynamics (`solver_fwdinv`) at the oracle's solution, which
/// are recorded if the flag `fwdinv` is enabled. Their rounding error is that of the forces.
fn forward_against_inverse(archive: &Archive, out: &mut Outcome, m: &Model, d: &Data, k: usize) {
    if archive.count("fwdinv") == 0 {
        return;
    }
    let mut d = d.clone();
    mj_compare_fwd_inv(m, &mut d);
    let theirs = archive.row("fwdinv", k);
    let forces = d.qfrc_constraint.iter().chain(&d.qfrc_applied);
    let largest = forces.fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
    let scale = theirs.iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
    let tolerance = tolerance::FUNCTION * (largest / scale).max(1.0);
    out.reals("mj_compare_fwd_inv", "solver_fwdinv", tolerance, &d.solver_fwdinv, theirs);
}

/// Arrays of the sparse matrix of moment arms.
pub(super) const MOMENT: [&str; 4] =
    ["moment_rownnz", "moment_rowadr", "moment_colind", "actuator_moment"];

/// Compares the moment arms as a dense matrix: MuJoCo omits entries that are exactly zero, and rounding
/// decides which are.
fn moments(archive: &Archive, out: &mut Outcome, m: &Model, d: &Data, k: usize) {
    let Some(tolerance) = tolerance::of(Stage::Transmission) else { return };
    let ours = dense_moments(m, d);
    let row = |name: &str| archive.row(&format!("out/{name}"), k);
    let theirs = dense([m.nu, m.nv], MOMENT.map(row));
    out.reals(Stage::Transmission.function(), "actuator_moment", tolerance, &ours, &theirs);
}

/// Our moment arms as a dense matrix.
pub(super) fn dense_moments(m: &Model, d: &Data) -> Vec<f64> {
    let integers = |a: &[i32]| a.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
    let sparsity = [&d.moment_rownnz, &d.moment_rowadr, &d.moment_colind].map(|a| integers(a));
    let [rownnz, rowadr, colind] = &sparsity;
    dense([m.nu, m.nv], [rownnz, rowadr, colind, &d.actuator_moment])
}

/// Expands a sparse nu × nv matrix to dense. Entries out of range are skipped, so that they show as
/// differences.
pub(super) fn dense(
    [nu, nv]: [usize; 2],
    [rownnz, rowadr, colind, values]: [&[f64]; 4],
) -> Vec<f64> {
    let mut matrix = vec![0.0; nu * nv];
    for (i, (&count, &start)) in rownnz.iter().zip(rowadr).enumerate().take(nu) {
        for adr in start as usize..(start + count) as usize {
            if let (Some(&dof), Some(&value)) = (colind.get(adr), values.get(adr))
                && (dof as usize) < nv
            {
                matrix[i * nv + dof as usize] = value;
            }
        }
    }
    matrix
}

/// Compares `sensordata` sensor by sensor: with `early` the sensors of the position and velocity stages,
/// otherwise those of the acceleration stage. User sensors are skipped.
fn sensors(archive: &Archive, out: &mut Outcome, m: &Model, d: &Data, k: usize, early: bool) {
    let theirs = archive.row("out/sensordata", k);
    let Some(tolerance) = tolerance::of(Stage::Sensor) else { return };
    for i in 0..m.nsensor {
        let (adr, dim) = (m.sensor_adr[i] as usize, m.sensor_dim[i] as usize);
        let now = early == matches!(m.sensor_needstage[i], SensorStage::Pos | SensorStage::Vel);
        let other = m.sensor_type[i] == SensorType::User;
        if now && !other && theirs.len() == d.sensordata.len() {
            let name = format!("sensordata of {:?}", m.sensor_type[i]);
            let range = adr..adr + dim;
            let (ours, theirs) = (&d.sensordata[range.clone()], &theirs[range]);
            // the shortest segment between parallel faces is not unique
            let segment = m.sensor_type[i] == SensorType::GeomFromTo;
            if !(segment && equally_short(ours, theirs)) {
                let precision = precision(m.sensor_type[i], m.nmesh > 0);
                let spread = spread(archive, "sensordata", k);
                let tolerance = tolerance.max(precision) + tolerance::DRIFT_FACTOR * spread;
                out.reals("mj_sensor", &name, tolerance, ours, theirs);
            }
        }
    }
}

/// Smallest possible relative tolerance of a sensor in a model with or without meshes.
pub(super) fn precision(kind: SensorType, meshes: bool) -> f64 {
    use SensorType as S;
    match kind {
        // mesh vertices are stored in single precision
        S::Rangefinder | S::Tactile if meshes => tolerance::MODEL_F32,
        // iterative, as contacts are
        S::GeomDist | S::GeomNormal | S::GeomFromTo | S::Contact => tolerance::ITERATIVE,
        _ => 0.0,
    }
}

/// Largest relative change of an array of the oracle by rounding errors of the state, if it is recorded.
pub(super) fn spread(archive: &Archive, field: &str, k: usize) -> f64 {
    archive.row(&format!("spread/out/{field}"), k).first().copied().unwrap_or(0.0)
}

fn compare_field(archive: &Archive, out: &mut Outcome, d: &Data, field: &FieldInfo, k: usize) {
    let (Some(tolerance), Some(view)) = (tolerance::of(field.stage), d.field(field.name)) else {
        return;
    };
    let array = format!("out/{}", field.name);
    if out.skips(archive, &array) {
        return;
    }
    let theirs = archive.row(&array, k);
    let tolerance = tolerance + tolerance::DRIFT_FACTOR * spread(archive, field.name, k);
    let stage = field.stage.function();
    match view {
        // internal forces are differences of external ones, whose scale determines the rounding
        FieldView::F64(ours) if field.name == "cfrc_int" => {
            let largest = |scale: f64, x: &f64| scale.max(x.abs());
            let external = d.cfrc_ext.iter().fold(0.0, largest);
            let internal = theirs.iter().fold(tolerance::MIN_SCALE, largest);
            let tolerance = tolerance * (external / internal).max(1.0);
            out.reals(stage, field.name, tolerance, ours, theirs);
        }
        FieldView::F64(ours) => out.reals(stage, field.name, tolerance, ours, theirs),
        FieldView::I32(ours) => {
            out.integers(stage, field.name, ours.iter().map(|&x| f64::from(x)), theirs);
        }
        FieldView::U8(ours) => {
            out.integers(stage, field.name, ours.iter().map(|&x| f64::from(x)), theirs);
        }
        FieldView::F32(_) | FieldView::I64(_) | FieldView::Contact(_) => {}
    }
}

fn report_error(out: &mut Outcome, error: &StepError) {
    let stage = Stage::FwdConstraint.function();
    out.push(stage, "qacc", f64::INFINITY, 0.0, error.to_string());
}
