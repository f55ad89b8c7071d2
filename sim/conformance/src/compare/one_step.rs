//! Comparison of one-step maps: the next state from identical states, with an allowance calibrated by the
//! oracle's own sensitivity to perturbations of the state.

use crate::{Archive, tolerance};
use sim_core::Model;

/// Result of comparing the one-step maps of a model.
#[derive(Debug, Clone, Default)]
pub struct OneStep {
    /// Number of states that were compared.
    pub states: usize,
    /// Number of states whose next state differs by more than allowed.
    pub differing: usize,
    /// Largest ratio of the difference to the allowance.
    pub ratio: f64,
}

/// Takes one step from every recorded state and compares the next state.
#[must_use]
pub fn one_step(archive: &Archive, m: &Model) -> OneStep {
    let get = |name: &str| archive.get(&format!("step/{name}")).to_vec();
    let (drift, qpos, qvel, act) = (get("drift"), get("qpos"), get("qvel"), get("act"));
    let scale = get("scale");
    let mut result = OneStep::default();
    for (k, &drift) in drift.iter().enumerate() {
        let mut d = m.make_data();
        d.time = get("time").get(k).copied().unwrap_or(0.0);
        for field in crate::compare::STATE {
            let rows = get(&format!("start/{field}"));
            if let Some(array) = d.field_mut(field) {
                let n = array.len();
                if let Some(row) = rows.get(k * n..(k + 1) * n) {
                    array.copy_from_slice(row);
                }
            }
        }
        let stepped = d.step(m).is_ok();
        let row = |all: &[f64], n: usize| all.get(k * n..(k + 1) * n).map(<[f64]>::to_vec);
        let expected = [row(&qpos, m.nq), row(&qvel, m.nv), row(&act, m.na)];
        let ours = [&d.qpos, &d.qvel, &d.act];
        let mut difference = if stepped { 0.0_f64 } else { f64::INFINITY };
        for (part, (ours, expected)) in ours.into_iter().zip(&expected).enumerate() {
            let scale = scale.get(3 * k + part).copied().unwrap_or(1.0);
            let distance = |expected: &Vec<f64>| {
                let pairs = ours.iter().zip(expected);
                pairs.fold(0.0_f64, |worst, (a, b)| {
                    let off = (a - b).abs() / scale;
                    worst.max(if off.is_nan() { f64::INFINITY } else { off })
                })
            };
            difference = difference.max(expected.as_ref().map_or(f64::INFINITY, distance));
        }
        let allowed = tolerance::DRIFT_FACTOR * drift + tolerance::DRIFT_OFFSET;
        result.states += 1;
        result.ratio = result.ratio.max(difference / allowed);
        result.differing += usize::from(difference > allowed);
    }
    result
}
