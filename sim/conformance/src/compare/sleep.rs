//! Comparison of a run from rest with sleeping enabled: `tree_asleep` at each step, and all arrays at the
//! end, including those of sleeping trees.

use super::Outcome;
use super::stages::{MOMENT, dense, dense_moments};
use crate::{Archive, tolerance};
use sim_core::types::StepError;
use sim_core::{Data, FieldView, Model, Stage, mj_forward};

/// Repeats the recorded run and compares it; `None` when the recording has none.
#[must_use]
pub fn sleep(archive: &Archive, m: &Model) -> Option<Outcome> {
    let &[start, stop, body, fx, fy, fz, kick, dof, speed] = archive.get("sleep/push") else {
        return None;
    };
    let theirs = archive.get("sleep/asleep");
    let (body, dof) = (body as usize, dof as usize);
    let mut out = Outcome::default();
    let mut d = m.make_data();
    let mut ours = Vec::with_capacity(theirs.len());
    for k in 0..theirs.len() / m.ntree.max(1) {
        let step = k as f64;
        let force = if (start..stop).contains(&step) { [fx, fy, fz] } else { [0.0; 3] };
        d.xfrc_applied[6 * body..6 * body + 3].copy_from_slice(&force);
        if step == kick {
            d.qvel[dof] += speed;
        }
        if let Err(error) = d.step(m) {
            report_step_error(&mut out, &error);
            return Some(out);
        }
        ours.extend(d.tree_asleep.iter().map(|&x| f64::from(x)));
    }
    out.integers("mj_sleep", "tree_asleep at each step", ours.into_iter(), theirs);
    if let Err(error) = mj_forward(m, &mut d) {
        report_step_error(&mut out, &error);
    }
    compare_end(archive, &mut out, m, &d);
    Some(out)
}

fn report_step_error(out: &mut Outcome, error: &StepError) {
    out.push("mj_step", "step", f64::INFINITY, 0.0, error.to_string());
}

/// Compares the arrays at the end of the run with the solver's tolerance, plus the allowed multiple of the change
/// of the array in the oracle's own perturbed runs.
fn compare_end(archive: &Archive, out: &mut Outcome, m: &Model, d: &Data) {
    let theirs = |name: &str| archive.get(&format!("sleep/out/{name}"));
    let spread = |name: &str| archive.number(&format!("sleep/spread/{name}")).unwrap_or(0.0);
    let tolerance = |name: &str| tolerance::SOLVED + tolerance::DRIFT_FACTOR * spread(name);
    d.visit(&mut |row, view| {
        let theirs = theirs(row.name);
        // computed on demand, or by the previous step
        let lazy = matches!(
            row.stage,
            Stage::SubtreeVel | Stage::RnePostConstraint | Stage::Inverse | Stage::Integrate
        );
        if theirs.is_empty() || lazy || MOMENT.contains(&row.name) {
            return;
        }
        match view {
            FieldView::F64(ours) => {
                out.reals(row.stage.function(), row.name, tolerance(row.name), ours, theirs);
            }
            FieldView::I32(ours) => {
                let ours = ours.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
                out.integers(row.stage.function(), row.name, ours.into_iter(), theirs);
            }
            _ => {}
        }
    });
    // MuJoCo omits entries that are exactly zero, see `stages`
    if !theirs("actuator_moment").is_empty() {
        let name = "actuator_moment";
        let (ours, theirs) = (dense_moments(m, d), dense([m.nu, m.nv], MOMENT.map(theirs)));
        out.reals(Stage::Transmission.function(), name, tolerance(name), &ours, &theirs);
    }
}
