//! Comparison of finite-difference derivatives (`mjd_transitionFD`, `mjd_inverseFD`). A difference quotient
//! amplifies rounding by the inverse of its step; the oracle records the noise of each matrix.

use super::Outcome;
use super::contacts::Contacts;
use super::stages::load_state;
use crate::{Archive, tolerance};
use sim_core::{
    Data, DerivativeError, Model, mj_forward, mj_fwd_position, mjd_inverse_fd, mjd_transition_fd,
};

/// Step of all differences, equal to the oracle's.
const EPS: f64 = 1e-6;

/// Compares every matrix of every recorded state. States at which the contacts of the two engines differ
/// are skipped; contacts have their own comparison.
pub(super) fn derivatives(archive: &Archive, m: &Model, out: &mut Outcome) {
    let mut m = m.clone();
    // as in the oracle: solvers run until they stop improving
    (m.opt.tolerance, m.opt.iterations, m.opt.ls_iterations) = (0.0, 200, 200);
    let mut d = m.make_data();
    let contacts = Contacts::of(archive, &m);
    let same = |k: usize| {
        let mut d = m.make_data();
        load_state(archive, &m, &mut d, k);
        mj_fwd_position(&m, &mut d);
        contacts.same(&d, k)
    };
    for k in (0..archive.count("fn/fd.A.0")).filter(|&k| same(k)) {
        for centered in [false, true] {
            load_state(archive, &m, &mut d, k);
            transition(archive, &m, &mut d, k, centered, out);
        }
    }
    for k in (0..archive.count("fn/fd.DfDq.0")).filter(|&k| same(k)) {
        for actuation in [false, true] {
            load_state(archive, &m, &mut d, k);
            inverse(archive, &m, &mut d, k, actuation, out);
        }
    }
}

fn transition(
    archive: &Archive,
    m: &Model,
    d: &mut Data,
    k: usize,
    centered: bool,
    out: &mut Outcome,
) {
    let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
    let mut ours = [nx * nx, nx * nu, ns * nx, ns * nu].map(|size| vec![0.0; size]);
    let [a, b, c, s] = ours.each_mut().map(|x| Some(&mut x[..]));
    let result = mjd_transition_fd(m, d, EPS, centered, a, b, c, s);
    for (name, matrix) in ["A", "B", "C", "D"].into_iter().zip(&ours) {
        let name = format!("{name}.{}", u8::from(centered));
        compare(archive, k, &name, result.as_ref().map(|()| &matrix[..]), 0.0, out);
    }
}

fn inverse(
    archive: &Archive,
    m: &Model,
    d: &mut Data,
    k: usize,
    actuation: bool,
    out: &mut Outcome,
) {
    let (nv, ns) = (m.nv, m.nsensordata);
    // as in the oracle: discrete inverse dynamics depends on the actuator forces of forward dynamics
    if let Err(error) = mj_forward(m, d) {
        return out.push("function", "inverse", f64::INFINITY, 0.0, error.to_string());
    }
    d.qacc.copy_from_slice(archive.row("fn/x", k));
    let mut ours = [nv, nv, nv, ns, ns, ns, m.nM].map(|width| vec![0.0; nv * width]);
    let [fq, fv, fa, sq, sv, sa, mq] = ours.each_mut().map(|x| Some(&mut x[..]));
    let result = mjd_inverse_fd(m, d, EPS, actuation, fq, fv, fa, sq, sv, sa, mq);
    let names = ["DfDq", "DfDv", "DfDa", "DsDq", "DsDv", "DsDa", "DmDq"];
    // with actuation, the oracle's sensors read the actuator forces of the previous column
    let compared = if actuation { 3 } else { names.len() };
    for (name, matrix) in names.into_iter().zip(&ours).take(compared) {
        // perturbed states may have the same inertia matrix, so its rounding is added
        let magnitude = if name == "DmDq" { largest(&d.M) } else { 0.0 };
        let name = format!("{name}.{}", u8::from(actuation));
        compare(archive, k, &name, result.as_ref().map(|()| &matrix[..]), magnitude, out);
    }
}

/// Compares one matrix. Beyond the tolerance, ten times the larger of two errors is allowed: the oracle's
/// noise, and the rounding of differenced values as large as `magnitude`.
fn compare(
    archive: &Archive,
    k: usize,
    name: &str,
    ours: Result<&[f64], &DerivativeError>,
    magnitude: f64,
    out: &mut Outcome,
) {
    let array = format!("fn/fd.{name}");
    if out.skips(archive, &array) {
        return;
    }
    let theirs = archive.row(&array, k);
    // NaN marks a state at which the oracle diverged
    if theirs.is_empty() || theirs.iter().any(|x| x.is_nan()) {
        return;
    }
    let ours = match ours {
        Ok(ours) => ours,
        Err(error) => {
            return out.push("function", name, f64::INFINITY, 0.0, error.to_string());
        }
    };
    let noise = archive.row(&format!("fn/fd_noise.{name}"), k).first().copied().unwrap_or(0.0);
    let noise = noise.max(f64::EPSILON * magnitude / EPS);
    let scale = largest(theirs).max(tolerance::MIN_SCALE);
    let allowed = tolerance::DIFFERENCE + tolerance::DRIFT_FACTOR * noise / scale;
    out.reals("function", &format!("finite difference {name}"), allowed, ours, theirs);
}

/// Largest magnitude of the entries.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |most, x| most.max(x.abs()))
}
