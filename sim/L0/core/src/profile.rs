//! Per-stage timers (`mjtTimer`), active with a clock callback or in builds with the feature `profile`.

use crate::{Data, Model};

/// A timed stage (`mjtTimer`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are MuJoCo's timers")]
pub enum Timer {
    Step,
    Forward,
    Inverse,
    Position,
    Velocity,
    Actuation,
    Constraint,
    Advance,
    PosKinematics,
    PosInertia,
    PosCollision,
    PosMake,
    PosProject,
}

impl Timer {
    /// Names of all timers.
    pub const ALL: [(&'static str, Self); 13] = [
        ("step", Self::Step),
        ("forward", Self::Forward),
        ("inverse", Self::Inverse),
        ("position", Self::Position),
        ("velocity", Self::Velocity),
        ("actuation", Self::Actuation),
        ("constraint", Self::Constraint),
        ("advance", Self::Advance),
        ("pos_kinematics", Self::PosKinematics),
        ("pos_inertia", Self::PosInertia),
        ("pos_collision", Self::PosCollision),
        ("pos_make", Self::PosMake),
        ("pos_project", Self::PosProject),
    ];
}

/// Accumulated time of one timer (`mjTimerStat`).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TimerStat {
    /// Accumulated time: seconds, or the unit of the clock callback.
    pub duration: f64,
    /// Number of calls.
    pub number: usize,
}

/// Current time; `None` if timers are off.
#[inline(always)]
fn now(m: &Model) -> Option<f64> {
    if let Some(clock) = &m.hooks.cb_time {
        return Some((**clock)());
    }
    #[cfg(feature = "profile")]
    {
        use std::sync::OnceLock;
        use std::time::Instant;
        static START: OnceLock<Instant> = OnceLock::new();
        Some(START.get_or_init(Instant::now).elapsed().as_secs_f64())
    }
    #[cfg(not(feature = "profile"))]
    None
}

/// Runs a stage and adds its duration to a timer.
#[inline(always)]
pub(crate) fn time<T>(m: &Model, d: &mut Data, timer: Timer, f: impl FnOnce(&mut Data) -> T) -> T {
    let start = now(m);
    let result = f(d);
    if let (Some(start), Some(end)) = (start, start.and_then(|_| now(m))) {
        let stat = &mut d.timer[timer as usize];
        stat.duration += end - start;
        stat.number += 1;
    }
    result
}
