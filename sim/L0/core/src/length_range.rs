//! Actuator length ranges by simulation (`mj_setLengthRange`).
//!
//! A joint force with constant acceleration norm is applied along the actuator's moment arm, first in
//! the negative and then in the positive direction, until the actuator length converges. Only
//! limits and equality constraints act besides.

use crate::acceleration::{Inertia, mj_fwd_acceleration};
use crate::actuation::mj_fwd_actuation;
use crate::check::{mj_check_acc, mj_check_pos, mj_check_vel};
use crate::forward::{mj_fwd_position, mj_fwd_velocity};
use crate::inertia::mj_solve_m;
use crate::integrate::integrate_step;
use crate::math::norm;
use crate::solve::fwd_constraint;
use crate::{Data, Model};
use sim_types::{
    BiasType, DisableBit, EnableBit, GainType, LengthRangeMode, LengthRangeOptions, MINVAL,
    SensorStage, StepError, TransmissionType,
};

/// Maximum number of steps of one search.
const MAX_STEPS: f64 = 200_000.0;
/// Lower bound of the time constant of the velocity decay, s.
const MIN_TIMECONST: f64 = 0.01;

/// Failure of the length range search of an actuator.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LengthRangeError {
    /// The search needs too many steps, or the timestep is not positive.
    #[error(
        "the search for a length range would take {steps} steps; raise its timestep or lower inttotal"
    )]
    Steps {
        /// Index of the actuator.
        actuator: usize,
        /// Number of steps.
        steps: f64,
    },
    /// The state diverged.
    #[error(
        "the search for a length range is unstable; lower its timestep or accel, or give a lengthrange"
    )]
    Unstable {
        /// Index of the actuator.
        actuator: usize,
    },
    /// The actuator length does not change.
    #[error("the length range found is empty: {} to {}; give a lengthrange", range[0], range[1])]
    Empty {
        /// Index of the actuator.
        actuator: usize,
        /// Minimum and maximum length.
        range: [f64; 2],
    },
    /// The length did not converge within `inttotal`.
    #[error(
        "the search for a length range did not converge: lengths {} to {} in the last interval, for a range of {} to {}; raise inttotal, or limit the joints",
        eval[0], eval[1], range[0], range[1]
    )]
    NotConverged {
        /// Index of the actuator.
        actuator: usize,
        /// Minimum and maximum length during the last interval.
        eval: [f64; 2],
        /// Minimum and maximum length.
        range: [f64; 2],
    },
}

impl LengthRangeError {
    /// Index of the actuator without length range.
    #[must_use]
    pub const fn actuator(&self) -> usize {
        match self {
            Self::Steps { actuator, .. }
            | Self::Unstable { actuator }
            | Self::Empty { actuator, .. }
            | Self::NotConverged { actuator, .. } => *actuator,
        }
    }
}

/// Computes `actuator_lengthrange` of all actuators selected by `opt`, with the model options that
/// the MuJoCo compiler uses: springs, damping, gravity, friction loss, contacts and actuation are
/// disabled, and the timestep is `opt.timestep`.
///
/// # Errors
/// The failure of the first actuator whose search failed.
pub fn set_length_ranges(m: &mut Model, opt: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    if (0..m.nu).all(|i| is_skipped(m, i, opt)) {
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

/// Computes `actuator_lengthrange` of one actuator, with the model options unchanged.
///
/// # Errors
/// [`LengthRangeError`] if the search failed.
#[doc(alias = "mj_setLengthRange")]
pub fn mj_set_length_range(
    m: &mut Model,
    d: &mut Data,
    actuator: usize,
    opt: &LengthRangeOptions,
) -> Result<(), LengthRangeError> {
    if is_skipped(m, actuator, opt) {
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
    // NaN counts as empty
    if span.is_nan() || span <= 0.0 {
        return Err(LengthRangeError::Empty { actuator, range });
    }
    for eval in [low, high] {
        if eval[1] - eval[0] > opt.tolrange * span {
            return Err(LengthRangeError::NotConverged { actuator, eval, range });
        }
    }
    Ok(())
}

/// Whether the length range of an actuator is not computed: not selected by the mode, or given.
fn is_skipped(m: &Model, i: usize, opt: &LengthRangeOptions) -> bool {
    let muscle =
        m.actuator_gaintype[i] == GainType::Muscle || m.actuator_biastype[i] == BiasType::Muscle;
    let user = m.actuator_gaintype[i] == GainType::User || m.actuator_biastype[i] == BiasType::User;
    let selected = match opt.mode {
        LengthRangeMode::None => false,
        LengthRangeMode::Muscle => muscle,
        LengthRangeMode::MuscleUser => muscle || user,
        LengthRangeMode::All => true,
    };
    let given = m.actuator_lengthrange[2 * i] < m.actuator_lengthrange[2 * i + 1];
    !selected || (opt.useexisting && given)
}

/// Limits of the joint or tendon of an actuator.
///
/// As in MuJoCo 3.8.0, the target is read from `actuator_trnid[i]` although the array has two entries
/// per actuator, so that it is correct for the first actuator only.
fn target_limits(m: &Model, i: usize) -> Option<[f64; 2]> {
    let target = usize::try_from(m.actuator_trnid[i]).ok()?;
    let (limited, ranges) = match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => (&m.jnt_limited, &m.jnt_range),
        TransmissionType::Tendon => (&m.tendon_limited, &m.tendon_range),
        _ => return None,
    };
    limited.get(target)?.then(|| [ranges[2 * target], ranges[2 * target + 1]])
}

/// Checks the number of steps of the search.
fn check(m: &Model, actuator: usize, opt: &LengthRangeOptions) -> Result<(), LengthRangeError> {
    let steps = opt.inttotal / m.opt.timestep;
    if steps.is_nan() || steps > MAX_STEPS || m.opt.timestep <= 0.0 {
        return Err(LengthRangeError::Steps { actuator, steps });
    }
    Ok(())
}

/// Minimum and maximum length during the last interval of a search in one direction.
fn search(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
) -> Result<[f64; 2], LengthRangeError> {
    d.reset(m);
    let mut eval = None;
    while d.time < opt.inttotal {
        let before = d.time;
        let stepped = step(m, d, actuator, direction, opt);
        // divergence resets the data and its time
        if stepped.is_err() || d.time <= before {
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

/// One step with a force along the actuator (`mj_step1`, force, `mj_step2`), without sensors.
fn step(
    m: &Model,
    d: &mut Data,
    actuator: usize,
    direction: f64,
    opt: &LengthRangeOptions,
) -> Result<(), StepError> {
    let decay = (-m.opt.timestep / opt.timeconst.max(MIN_TIMECONST)).exp();
    d.qvel.iter_mut().for_each(|v| *v *= decay);
    mj_check_pos(m, d)?;
    mj_check_vel(m, d)?;
    mj_fwd_position(m, d);
    mj_fwd_velocity(m, d);
    apply_force(m, d, actuator, direction, opt);
    mj_fwd_actuation(m, d);
    mj_fwd_acceleration(m, d);
    fwd_constraint(m, d);
    mj_check_acc(m, d)?;
    integrate_step(m, d, Inertia::Matrix, SensorStage::None);
    Ok(())
}

/// Sets `qfrc_applied` to the force along the moment arm whose joint acceleration has norm `accel`.
fn apply_force(m: &Model, d: &mut Data, actuator: usize, direction: f64, opt: &LengthRangeOptions) {
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
