//! Length ranges of actuators, found by pulling and pushing (`mj_setLengthRange`).
//!
//! The model is driven with a constant acceleration along the actuator, first one way and then the
//! other, with limits and equality constraints and nothing else, until its length settles.

mod impedance;
mod rows;
mod solve;

use crate::acceleration::{Inertia, mj_fwd_acceleration};
use crate::actuation::mj_fwd_actuation;
use crate::check::{mj_check_acc, mj_check_pos, mj_check_vel};
use crate::forward::{mj_fwd_position, mj_fwd_velocity};
use crate::inertia::mj_solve_m;
use crate::integrate::one_stage;
use crate::math::norm;
use crate::{Data, Model};
use rows::Rows;
use sim_types::{
    BiasType, DisableBit, EnableBit, GainType, LengthRangeMode, LengthRangeOptions, MINVAL,
    SensorStage, TransmissionType,
};

/// Most steps of one search; more are refused.
const MAX_STEPS: f64 = 200_000.0;
/// Shortest time constant of the decay of velocity (s).
const MIN_TIMECONST: f64 = 0.01;

/// Why the length range of an actuator could not be found.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthRangeError {
    /// The search needs something that is not built yet.
    #[error("the search for a length range does not know {what} yet; give a lengthrange")]
    Unsupported {
        /// The actuator.
        actuator: usize,
        /// What is missing.
        what: &'static str,
    },
    /// The search would take too long, or its time does not advance.
    #[error(
        "the search for a length range would take {steps} steps; raise its timestep or lower inttotal"
    )]
    Steps {
        /// The actuator.
        actuator: usize,
        /// Number of steps.
        steps: f64,
    },
    /// The state diverged.
    #[error(
        "the search for a length range is unstable; lower its timestep or accel, or give a lengthrange"
    )]
    Unstable {
        /// The actuator.
        actuator: usize,
    },
    /// The actuator cannot change its length.
    #[error("the length range found is empty: {} to {}; give a lengthrange", range[0], range[1])]
    Empty {
        /// The actuator.
        actuator: usize,
        /// Shortest and longest length.
        range: [f64; 2],
    },
    /// The length still changed when the time was over.
    #[error(
        "the search for a length range did not settle: lengths {} to {} in the end, for a range of {} to {}; raise inttotal, or limit the joints",
        eval[0], eval[1], range[0], range[1]
    )]
    NotSettled {
        /// The actuator.
        actuator: usize,
        /// Lengths during the last interval.
        eval: [f64; 2],
        /// Shortest and longest length.
        range: [f64; 2],
    },
}

impl LengthRangeError {
    /// The actuator that has no length range.
    #[must_use]
    pub const fn actuator(&self) -> usize {
        match self {
            Self::Unsupported { actuator, .. }
            | Self::Steps { actuator, .. }
            | Self::Unstable { actuator }
            | Self::Empty { actuator, .. }
            | Self::NotSettled { actuator, .. } => *actuator,
        }
    }
}

/// Sets the length ranges of all actuators that need one.
///
/// # Errors
/// The first actuator whose range could not be found, and why.
pub fn set_length_ranges(m: &mut Model, opt: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    if (0..m.nu).all(|i| skipped(m, i, opt)) {
        return Ok(());
    }
    let saved = m.opt.clone();
    m.opt.disableflags = [
        DisableBit::FrictionLoss,
        DisableBit::Contact,
        DisableBit::Spring,
        DisableBit::Damper,
        DisableBit::Gravity,
        DisableBit::Actuation,
    ]
    .into_iter()
    .fold(0, |flags, bit| flags | bit as i32);
    m.opt.enableflags &= !(EnableBit::Sleep as i32);
    if opt.timestep > 0.0 {
        m.opt.timestep = opt.timestep;
    }
    let mut d = m.make_data();
    let result = (0..m.nu).try_for_each(|i| mj_set_length_range(m, &mut d, i, opt));
    m.opt = saved;
    result
}

/// Sets `actuator_lengthrange` of one actuator, with the options of the model as they are.
///
/// # Errors
/// Why the range could not be found.
#[doc(alias = "mj_setLengthRange")]
pub fn mj_set_length_range(
    m: &mut Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if skipped(m, actuator, opt) {
        return Ok(());
    }
    if let Some(range) = target_limits(m, actuator).filter(|_| opt.uselimit) {
        m.actuator_lengthrange[2 * actuator..2 * actuator + 2].copy_from_slice(&range);
        return Ok(());
    }
    check(m, actuator, opt)?;
    let low = search(m, d, actuator, -1.0, opt)?;
    let high = search(m, d, actuator, 1.0, opt)?;
    let range = [low[0], high[1]];
    m.actuator_lengthrange[2 * actuator..2 * actuator + 2].copy_from_slice(&range);
    let span = range[1] - range[0];
    // not a number is empty too
    if span.is_nan() || span <= 0.0 {
        return Err(LengthRangeError::Empty { actuator, range });
    }
    for eval in [low, high] {
        if eval[1] - eval[0] > opt.tolrange * span {
            return Err(LengthRangeError::NotSettled { actuator, eval, range });
        }
    }
    Ok(())
}

/// Whether an actuator keeps the length range that it has.
fn skipped(m: &Model, i: usize, opt: &LengthRangeOptions) -> bool {
    let muscle =
        m.actuator_gaintype[i] == GainType::Muscle || m.actuator_biastype[i] == BiasType::Muscle;
    let user = m.actuator_gaintype[i] == GainType::User || m.actuator_biastype[i] == BiasType::User;
    let wanted = match opt.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::MuscleUser => muscle || user,
        LengthRangeMode::All => true,
    };
    let given = m.actuator_lengthrange[2 * i] < m.actuator_lengthrange[2 * i + 1];
    !wanted || (opt.useexisting && given)
}

/// The limits of an actuator's joint or tendon.
///
/// As in MuJoCo 3.8.0, the target is looked up with one number for each actuator in a list that
/// has two, so that it is the right one for the first actuator only.
fn target_limits(m: &Model, i: usize) -> Option<[f64; 2]> {
    let target = usize::try_from(m.actuator_trnid[i]).ok()?;
    let (limited, ranges) = match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => (&m.jnt_limited, &m.jnt_range),
        TransmissionType::Tendon => (&m.tendon_limited, &m.tendon_range),
        _ => return None,
    };
    limited.get(target)?.then(|| [ranges[2 * target], ranges[2 * target + 1]])
}

/// Refuses what the search cannot do.
fn check(m: &Model, actuator: usize, opt: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    let steps = opt.inttotal / m.opt.timestep;
    if steps.is_nan() || steps > MAX_STEPS || m.opt.timestep <= 0.0 {
        return Err(LengthRangeError::Steps { actuator, steps });
    }
    let unsupported = |what| Err(LengthRangeError::Unsupported { actuator, what });
    match (0..m.neq).filter(|&i| m.eq_active0[i]).find_map(|i| rows::unsupported(m.eq_type[i])) {
        Some(what) => unsupported(what),
        None => Ok(()),
    }
}

/// Shortest and longest length during the last interval of a search in one direction.
fn search(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
) -> Result<[f64; 2], LengthRangeError> {
    d.reset(m);
    let mut rows = Rows::default();
    let mut eval = None;
    while d.time < opt.inttotal {
        let before = d.time;
        let stepped = step(m, d, actuator, direction, opt, &mut rows);
        // after trouble, time starts again
        if stepped.is_none() || d.time <= before {
            return Err(LengthRangeError::Unstable { actuator });
        }
        if d.time > opt.inttotal - opt.interval {
            let length = d.actuator_length[actuator];
            let [low, high] = eval.unwrap_or([length; 2]);
            eval = Some([length.min(low), length.max(high)]);
        }
    }
    Ok(eval.unwrap_or_default())
}

/// One step under a force along the actuator; `None` when it cannot be taken.
fn step(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
    rows: &mut Rows,
) -> Option<()> {
    let decay = (-m.opt.timestep / opt.timeconst.max(MIN_TIMECONST)).exp();
    d.qvel.iter_mut().for_each(|v| *v *= decay);
    mj_check_pos(m, d).ok()?;
    mj_check_vel(m, d).ok()?;
    mj_fwd_position(m, d);
    mj_fwd_velocity(m, d);
    pull(m, d, actuator, direction, opt);
    mj_fwd_actuation(m, d);
    mj_fwd_acceleration(m, d);
    rows.collect(m, d);
    solve::constrained_acceleration(m, d, rows);
    mj_check_acc(m, d).ok()?;
    one_stage(m, d, Inertia::Matrix, SensorStage::None);
    Some(())
}

/// Applies the force along the moment arm that gives the wanted acceleration.
fn pull(m: &Model, d: &mut Data, actuator: usize, direction: f64, opt: &LengthRangeOptions) {
    let mut force = std::mem::take(&mut d.qfrc_applied);
    let start = d.moment_rowadr[actuator] as usize;
    let row = start..start + d.moment_rownnz[actuator] as usize;
    let fill = |force: &mut [f64], d: &Data, scale: f64| {
        force.fill(0.0);
        for adr in row.clone() {
            force[d.moment_colind[adr] as usize] += scale * d.actuator_moment[adr];
        }
    };
    fill(&mut force, d, 1.0);
    mj_solve_m(m, d, &mut force);
    let acceleration = norm(&force);
    fill(&mut force, d, direction * opt.accel / acceleration.max(MINVAL));
    let size = norm(&force);
    if opt.maxforce > 0.0 && size > opt.maxforce {
        force.iter_mut().for_each(|f| *f *= opt.maxforce / size.max(MINVAL));
    }
    d.qfrc_applied = force;
}
