//! Comparison of trajectories. The allowed drift is calibrated by the drift of the oracle's own perturbed
//! runs.

use crate::{Archive, tolerance};
use sim_core::types::Integrator;
use sim_core::{Data, Model};

/// Result of comparing a trajectory.
#[derive(Debug, Clone)]
pub struct Trajectory {
    /// Largest ratio of our drift to the allowed drift; passes up to 1.
    pub ratio: f64,
    /// Step of the largest ratio.
    pub step: usize,
    /// Our drift at that step, relative to the scale of the trajectory.
    pub drift: f64,
    /// The error that ended the comparison early, if any.
    pub error: Option<String>,
}

impl Trajectory {
    /// Whether the drift stays within the allowed drift.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.error.is_none() && self.ratio <= 1.0
    }
}

/// Simulates from the initial state and with the controls of the recorded trajectory `name`, and compares.
#[must_use]
pub fn trajectory(archive: &Archive, m: &Model, name: &str) -> Trajectory {
    let get = |field: &str| archive.get(&format!("traj/{name}/{field}")).to_vec();
    let number = |field: &str| archive.number(&format!("traj/{name}/{field}")).unwrap_or(0.0);
    let (steps, stride) = (number("steps") as usize, number("stride").max(1.0) as usize);
    let hold = number("hold").max(1.0) as usize;
    let (qpos, qvel, drift, scale) = (get("qpos"), get("qvel"), get("drift"), get("scale"));
    let ctrl = get("ctrl");

    let mut m = m.clone();
    if let Some(integrator) = Integrator::from_number(number("integrator") as i32) {
        m.opt.integrator = integrator;
    }
    let mut d = m.make_data();
    d.time = number("time");
    for field in ["qpos", "qvel", "act", "history", "qacc_warmstart", "mocap_pos", "mocap_quat"] {
        let start = get(&format!("start/{field}"));
        if let Some(array) = d.field_mut(field)
            && array.len() == start.len()
        {
            array.copy_from_slice(&start);
        }
    }

    let mut worst = Trajectory { ratio: 0.0, step: 0, drift: 0.0, error: None };
    let rows = steps / stride + 1;
    if scale.len() != 2 || drift.len() != rows {
        worst.error = Some("the recording has no such trajectory".into());
        return worst;
    }
    let controls = (steps.max(1) - 1) / hold + 1;
    if [qpos.len(), qvel.len()] != [rows * m.nq, rows * m.nv] || ctrl.len() < controls * m.nu {
        worst.error = Some("the recorded model has other sizes".into());
        return worst;
    }
    for step in 0..=steps {
        if step % stride == 0 {
            let row = step / stride;
            let q = distance(&d.qpos, &qpos[row * m.nq..][..m.nq]) / scale[0];
            let v = distance(&d.qvel, &qvel[row * m.nv..][..m.nv]) / scale[1];
            let ours = q.max(v);
            let allowed = tolerance::DRIFT_FACTOR * drift[row] + tolerance::DRIFT_OFFSET;
            if ours / allowed > worst.ratio {
                worst = Trajectory { ratio: ours / allowed, step, drift: ours, error: None };
            }
        }
        if step < steps {
            d.ctrl.copy_from_slice(&ctrl[step / hold * m.nu..][..m.nu]);
            if let Err(error) = d.step(&m) {
                worst.error = Some(format!("step {step}: {error}"));
                return worst;
            }
        }
    }
    let (drift, allowed) = memory(archive, &d, name);
    if drift / allowed > worst.ratio {
        worst = Trajectory { ratio: drift / allowed, step: steps, drift, error: None };
    }
    worst
}

/// Drift of `act` and `history` at the end of the trajectory, and the allowed drift.
fn memory(archive: &Archive, d: &Data, name: &str) -> (f64, f64) {
    let theirs = archive.get(&format!("traj/{name}/memory"));
    let drift = archive.number(&format!("traj/{name}/memory_drift")).unwrap_or(0.0);
    let ours: Vec<f64> = d.act.iter().chain(&d.history).copied().collect();
    let scale = theirs.iter().fold(tolerance::MIN_SCALE, |s, x| s.max(x.abs()));
    let allowed = tolerance::DRIFT_FACTOR * drift + tolerance::DRIFT_OFFSET;
    // models without activations and history have no such array
    let distance = if theirs.len() == ours.len() { distance(&ours, theirs) } else { f64::INFINITY };
    (distance / scale, allowed)
}

/// Largest absolute difference of two arrays; infinite if one is NaN.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |worst, (a, b)| {
        let e = (a - b).abs();
        if e.is_nan() { f64::INFINITY } else { f64::max(worst, e) }
    })
}
