//! Per-stage timers with MuJoCo's names, in builds with the feature `profile`.

use crate::Data;

/// What is timed (`mjtTimer`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants are MuJoCo's timers")]
pub enum Timer {
    Step,
    Position,
    Velocity,
    Actuation,
    Constraint,
    Advance,
    PosKinematics,
    PosInertia,
}

impl Timer {
    /// Every timer with its name.
    pub const ALL: [(&'static str, Self); 8] = [
        ("step", Self::Step),
        ("position", Self::Position),
        ("velocity", Self::Velocity),
        ("actuation", Self::Actuation),
        ("constraint", Self::Constraint),
        ("advance", Self::Advance),
        ("pos_kinematics", Self::PosKinematics),
        ("pos_inertia", Self::PosInertia),
    ];
}

#[cfg(feature = "profile")]
mod clock {
    use super::Timer;
    use std::cell::RefCell;
    use std::time::Instant;

    thread_local! {
        static TIMES: RefCell<[f64; Timer::ALL.len()]> = const { RefCell::new([0.0; Timer::ALL.len()]) };
    }

    /// Runs `f` and adds its duration to the timer.
    pub(crate) fn time<T>(timer: Timer, f: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = f();
        let seconds = start.elapsed().as_secs_f64();
        TIMES.with_borrow_mut(|times| times[timer as usize] += seconds);
        result
    }

    /// Seconds spent in each timer on this thread since the last call.
    #[must_use]
    pub fn take_profile() -> [f64; Timer::ALL.len()] {
        TIMES.with_borrow_mut(std::mem::take)
    }
}

#[cfg(feature = "profile")]
pub use clock::take_profile;

/// Runs a stage, timing it in a profiling build.
#[inline(always)]
pub(crate) fn time<T>(d: &mut Data, timer: Timer, f: impl FnOnce(&mut Data) -> T) -> T {
    #[cfg(feature = "profile")]
    return clock::time(timer, || f(d));
    #[cfg(not(feature = "profile"))]
    {
        let _ = timer;
        f(d)
    }
}
