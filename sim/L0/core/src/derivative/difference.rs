//! What finite differences share: buffers, quotients, and the inputs that are nudged.

use crate::support::mj_differentiate_pos;
use crate::{Data, Model, mj_integrate_pos};
use sim_types::SensorStage;

/// Buffers of finite differences. They are sized when first used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Differences {
    /// Everything that is restored after a nudge.
    pub saved: Vec<f64>,
    /// The result without a nudge, and with one forward and one backward.
    pub here: Sample,
    pub plus: Sample,
    pub minus: Sample,
    /// A unit velocity.
    pub unit: Vec<f64>,
    /// Derivatives by one input.
    pub column: Sample,
}

/// Results of one evaluation: the next state or force, the sensors, the inertia matrix.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample {
    pub main: Vec<f64>,
    pub sensors: Vec<f64>,
    pub inertia: Vec<f64>,
}

/// One number that the results are differentiated by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Input {
    Ctrl(usize),
    Act(usize),
    Acc(usize),
    Vel(usize),
    Pos(usize),
}

impl Input {
    /// The last stage that does not depend on this input.
    pub(super) fn leaves(self) -> SensorStage {
        match self {
            Self::Ctrl(_) | Self::Act(_) | Self::Acc(_) => SensorStage::Vel,
            Self::Vel(_) => SensorStage::Pos,
            Self::Pos(_) => SensorStage::None,
        }
    }

    /// Adds `by` to this input; positions move along their dof.
    pub(super) fn nudge(self, m: &Model, d: &mut Data, unit: &mut Vec<f64>, by: f64) {
        match self {
            Self::Ctrl(i) => d.ctrl[i] += by,
            Self::Act(i) => d.act[i] += by,
            Self::Acc(i) => d.qacc[i] += by,
            Self::Vel(i) => d.qvel[i] += by,
            Self::Pos(i) => {
                unit.clear();
                unit.resize(m.nv, 0.0);
                unit[i] = 1.0;
                mj_integrate_pos(m, &mut d.qpos, unit, by);
            }
        }
    }
}

/// `(to − from) / h`.
pub(super) fn quotient(result: &mut Vec<f64>, from: &[f64], to: &[f64], h: f64) {
    let inverse = 1.0 / h;
    result.clear();
    result.extend(from.iter().zip(to).map(|(from, to)| inverse * (to - from)));
}

/// The same for states: positions differ by a velocity.
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

/// Overwrites a buffer, keeping its memory.
pub(super) fn refill(buffer: &mut Vec<f64>, parts: &[&[f64]]) {
    buffer.clear();
    parts.iter().for_each(|part| buffer.extend_from_slice(part));
}
