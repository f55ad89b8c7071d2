//! Shared parts of the finite-difference derivatives: buffers, difference quotients, perturbed inputs.

use crate::support::mj_differentiate_pos;
use crate::{Data, Model, mj_integrate_pos};
use sim_types::SensorStage;

/// A scalar input with respect to which the outputs are differentiated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    /// `ctrl[i]`.
    Ctrl(usize),
    /// `act[i]`.
    Act(usize),
    /// `qacc[i]`.
    Acc(usize),
    /// `qvel[i]`.
    Vel(usize),
    /// Position along dof `i`.
    Pos(usize),
}

impl Input {
    /// The last pipeline stage that does not depend on this input, so that it can be skipped.
    pub(super) fn skip_stage(self) -> SensorStage {
        match self {
            Self::Ctrl(_) | Self::Act(_) | Self::Acc(_) => SensorStage::Vel,
            Self::Vel(_) => SensorStage::Pos,
            Self::Pos(_) => SensorStage::None,
        }
    }

    /// Adds `step` to this input; positions are integrated along their dof.
    pub(super) fn perturb(self, m: &Model, d: &mut Data, unit: &mut Vec<f64>, step: f64) {
        match self {
            Self::Ctrl(i) => d.ctrl[i] += step,
            Self::Act(i) => d.act[i] += step,
            Self::Acc(i) => d.qacc[i] += step,
            Self::Vel(i) => d.qvel[i] += step,
            Self::Pos(i) => {
                unit.clear();
                unit.resize(m.nv, 0.0);
                unit[i] = 1.0;
                mj_integrate_pos(m, &mut d.qpos, unit, step);
            }
        }
    }
}

/// `result = (to − from) / h`.
pub(super) fn quotient(result: &mut Vec<f64>, from: &[f64], to: &[f64], h: f64) {
    let inverse = 1.0 / h;
    result.clear();
    result.extend(from.iter().zip(to).map(|(from, to)| inverse * (to - from)));
}

/// As [`quotient`] for states `[qpos, qvel, act]`, with the positions subtracted in the tangent space.
pub(super) fn state_quotient(m: &Model, result: &mut Vec<f64>, from: &[f64], to: &[f64], h: f64) {
    if m.nq == m.nv {
        return quotient(result, from, to, h);
    }
    result.clear();
    result.resize(m.nv, 0.0);
    mj_differentiate_pos(m, result, h, &from[..m.nq], &to[..m.nq]);
    let inverse = 1.0 / h;
    result.extend(from[m.nq..].iter().zip(&to[m.nq..]).map(|(from, to)| inverse * (to - from)));
}

/// Replaces the content of a buffer by the concatenation of `parts`, reusing its memory.
pub(super) fn refill(buffer: &mut Vec<f64>, parts: &[&[f64]]) {
    buffer.clear();
    parts.iter().for_each(|part| buffer.extend_from_slice(part));
}
