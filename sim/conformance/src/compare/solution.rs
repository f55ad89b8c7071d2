//! Comparison of the constraint solver's result: the oracle's `qacc`, or one with a lower cost.

use super::Outcome;
use super::stages::spread;
use crate::{Archive, tolerance};
use sim_core::types::SolverType;
use sim_core::{Data, Model, Stage, mj_constraint_update, mj_mul_jac_vec, mj_mul_m, mj_sensor_acc};
use std::ops::Range;

/// The recorded solutions, one state after another.
pub(super) struct Solution<'a> {
    archive: &'a Archive,
    state: usize,
    /// First row of the state.
    row: usize,
}

impl<'a> Solution<'a> {
    pub(super) fn of(archive: &'a Archive) -> Self {
        Self { archive, state: 0, row: 0 }
    }

    /// Moves to the next state and returns the range of its rows.
    pub(super) fn advance(&mut self) -> Range<usize> {
        let counts = self.archive.get("efc/count");
        let rows = counts.get(self.state).map_or(0, |&n| n as usize);
        let rows = self.row..self.row + rows;
        (self.state, self.row) = (self.state + 1, rows.end);
        rows
    }

    /// Compares the solution of the next state, then replaces it by the oracle's, so that later stages
    /// can be compared with tight tolerances.
    pub(super) fn compare(&mut self, out: &mut Outcome, m: &Model, d: &mut Data, k: usize) {
        let stage = Stage::FwdConstraint.function();
        let theirs = self.archive.row("out/qacc", k);
        let force = self.archive.row("out/qfrc_constraint", k);
        let rows = self.advance();
        if d.nefc == 0 {
            let tolerance = tolerance::of(Stage::FwdConstraint).unwrap_or_default();
            out.reals(stage, "qacc", tolerance, &d.qacc, theirs);
            out.reals(stage, "qfrc_constraint", tolerance, &d.qfrc_constraint, force);
            return;
        }
        let mut found = Outcome::default();
        let spread = tolerance::DRIFT_FACTOR * spread(self.archive, "qacc", k);
        found.reals(stage, "qacc", tolerance::SOLVED + spread, &d.qacc, theirs);
        if let Some(difference) = found.differences.first_mut() {
            let ours = cost(m, d, &d.qacc.clone());
            let other = cost(m, d, theirs);
            if ours <= other {
                out.lower_cost += 1;
                found.differences.clear();
            } else {
                let more = format!("; the cost is {ours:e}, the oracle's {other:e}");
                difference.detail.push_str(&more);
            }
        }
        out.compared += 1;
        out.worst = out.worst.max(found.worst);
        out.differences.append(&mut found.differences);

        // forces follow from the acceleration
        d.qacc.copy_from_slice(theirs);
        cost(m, d, theirs);
        let all = self.archive.get("efc/force");
        // not so for PGS and the no-slip solver, which are dual
        if m.opt.solver != SolverType::Pgs && m.opt.noslip_iterations == 0 {
            let (by_row, by_dof) = rounding(d, theirs);
            if let Some(rows) = all.get(rows.clone()) {
                within(out, "efc_force", &d.efc_force, rows, &by_row);
            }
            within(out, "qfrc_constraint", &d.qfrc_constraint, force, &by_dof);
        }
        d.qfrc_constraint.copy_from_slice(force);
        if let Some(rows) = all.get(rows) {
            d.efc_force.copy_from_slice(rows);
        }
        d.flg_rnepost = false;
        mj_sensor_acc(m, d);
    }
}

/// The solver's cost at an acceleration: Gauss term plus constraint cost. Writes the constraint forces to
/// `d`.
fn cost(m: &Model, d: &mut Data, qacc: &[f64]) -> f64 {
    let mut jar = vec![0.0; d.nefc];
    mj_mul_jac_vec(d, qacc, &mut jar);
    for (jar, aref) in jar.iter_mut().zip(&d.efc_aref) {
        *jar -= aref;
    }
    let change: Vec<f64> = qacc.iter().zip(&d.qacc_smooth).map(|(a, b)| a - b).collect();
    let mut product = vec![0.0; m.nv];
    mj_mul_m(m, d, &change, &mut product);
    let gauss: f64 = change.iter().zip(&product).map(|(a, b)| 0.5 * a * b).sum();
    gauss + mj_constraint_update(m, d, &jar, false)
}

/// Bound on the rounding error of each row's force and of each dof's constraint force. The force of a
/// stiff row is a difference of large numbers times a large `efc_D`.
fn rounding(d: &Data, qacc: &[f64]) -> (Vec<f64>, Vec<f64>) {
    const ROUNDING: f64 = 1e-14;
    let mut by_dof = vec![0.0; qacc.len()];
    let by_row = (0..d.nefc)
        .map(|row| {
            let start = d.efc_J_rowadr[row] as usize;
            let entries = start..start + d.efc_J_rownnz[row] as usize;
            let dof = |k: usize| d.efc_J_colind[k] as usize;
            let terms: f64 = entries.clone().map(|k| (d.efc_J[k] * qacc[dof(k)]).abs()).sum();
            let error = ROUNDING * (d.efc_D[row] * (terms + d.efc_aref[row].abs()));
            for k in entries {
                let force = error + ROUNDING * d.efc_force[row].abs();
                by_dof[dof(k)] += d.efc_J[k].abs() * force;
            }
            error
        })
        .collect();
    (by_row, by_dof)
}

/// Compares forces with the usual tolerance; entries within their rounding bound count as equal.
fn within(out: &mut Outcome, field: &str, ours: &[f64], theirs: &[f64], rounding: &[f64]) {
    let stage = Stage::FwdConstraint.function();
    let ours: Vec<f64> = ours
        .iter()
        .zip(theirs)
        .zip(rounding)
        .map(|((&a, &b), &r)| if (a - b).abs() <= r { b } else { a })
        .collect();
    out.reals(stage, field, tolerance::SOLVED, &ours, theirs);
}
