//! Comparison of one-step maps: the next state from identical states, with an allowance calibrated by the
//! oracle's own sensitivity to perturbations of the state.

use super::contacts::{groups, known_rule};
use crate::{Archive, tolerance};
use sim_core::{Data, Model, mj_fwd_position};

/// Result of comparing the one-step maps of a model.
#[derive(Debug, Clone, Default)]
pub struct OneStep {
    /// Number of states that were compared.
    pub states: usize,
    /// Number of states whose next state differs by more than allowed.
    pub differing: usize,
    /// Number of such states at which a rule of [`known`](crate::known) accepts the contacts of two geoms, on which
    /// the next state depends. They do not count as differing.
    pub known: usize,
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
        let start = d.clone();
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
        if difference > allowed && has_known_contacts(archive, m, start, k) {
            result.known += 1;
            continue;
        }
        result.ratio = result.ratio.max(difference / allowed);
        result.differing += usize::from(difference > allowed);
    }
    result
}

/// Whether a rule accepts a difference of the contacts of two boxes at state `k`, where `d` is.
fn has_known_contacts(archive: &Archive, m: &Model, mut d: Data, k: usize) -> bool {
    mj_fwd_position(m, &mut d);
    let recorded = archive.get("step/boxes").as_chunks::<4>().0;
    let theirs: Vec<([i32; 2], f64)> = recorded
        .iter()
        .filter(|row| row[0] as usize == k)
        .map(|&[_, one, two, dist]| ([one as i32, two as i32], dist))
        .collect();
    let ours = groups(0..d.contact.len(), |i| d.contact[i].geom);
    let of_ours = |pair: [i32; 2]| {
        let range = ours.iter().find(|group| group.0 == pair).map(|group| group.1.clone());
        range.map_or(&[][..], |range| &d.contact[range])
    };
    let dist_of =
        |pair: [i32; 2]| theirs.iter().find(|row| row.0 == pair).map_or(f64::INFINITY, |row| row.1);
    let mut pairs = theirs.iter().map(|row| row.0).chain(ours.iter().map(|group| group.0));
    pairs.any(|pair| known_rule(m, &d, pair, of_ours(pair), dist_of(pair)).is_some())
}
