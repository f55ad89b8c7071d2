//! Real time: when the next step is due, and the speed that is reached.

use std::time::{Duration, Instant};

/// Delay after which lost time is not caught up (s).
const MAX_DELAY: f64 = 0.1;
/// Period over which the speed is measured (s).
const WINDOW: f64 = 0.5;

/// Relates simulated time to wall-clock time.
#[derive(Debug)]
pub(crate) struct Clock {
    /// Simulated seconds per second.
    speed: f64,
    /// Wall-clock time and simulated time at which the current speed began; `None` while paused.
    origin: Option<(Instant, f64)>,
    window: Option<(Instant, f64, u64, Duration)>,
    factor: f64,
    step_time: f64,
}

impl Clock {
    pub(crate) fn new(speed: f64) -> Self {
        Self { speed, origin: None, window: None, factor: 0.0, step_time: 0.0 }
    }

    pub(crate) fn speed(&self) -> f64 {
        self.speed
    }

    /// Changes the speed; others than positive finite numbers are ignored.
    pub(crate) fn set_speed(&mut self, speed: f64) {
        if speed > 0.0 && speed.is_finite() {
            self.speed = speed;
            self.restart();
        }
    }

    /// Forgets the past: after a pause, a reset, or a change of the speed.
    pub(crate) fn restart(&mut self) {
        (self.origin, self.window, self.factor) = (None, None, 0.0);
    }

    /// Time until the next step is due; `None` if it is due. Time lost to slow steps is not caught up
    /// beyond [`MAX_DELAY`].
    pub(crate) fn until_due(&mut self, now: Instant, time: f64) -> Option<Duration> {
        let (start, from) = *self.origin.get_or_insert((now, time));
        let elapsed = now.saturating_duration_since(start).as_secs_f64();
        // wall-clock time by which the simulation is ahead
        let ahead = (time - from) / self.speed - elapsed;
        if ahead.is_nan() || ahead < -MAX_DELAY {
            self.origin = Some((now, time));
            return None;
        }
        (ahead > 0.0).then(|| Duration::from_secs_f64(ahead.min(1.0)))
    }

    /// Measures the speed: `spent` is the duration of the steps since the last call.
    pub(crate) fn measure(&mut self, now: Instant, time: f64, steps: u64, spent: Duration) {
        let (start, from, first, total) =
            *self.window.get_or_insert((now, time, steps, Duration::ZERO));
        let total = total + spent;
        let elapsed = now.saturating_duration_since(start).as_secs_f64();
        if elapsed < WINDOW {
            self.window = Some((start, from, first, total));
            return;
        }
        self.factor = (time - from) / elapsed;
        let count = steps.saturating_sub(first);
        if count > 0 {
            self.step_time = total.as_secs_f64() / count as f64;
        }
        self.window = None;
    }

    /// Measured simulated seconds per second.
    pub(crate) fn factor(&self) -> f64 {
        self.factor
    }

    /// Mean duration of a step (s).
    pub(crate) fn step_time(&self) -> f64 {
        self.step_time
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;
    use std::time::{Duration, Instant};

    #[test]
    fn steps_are_due_at_the_requested_speed() {
        let (mut clock, start) = (Clock::new(2.0), Instant::now());
        assert_eq!(clock.until_due(start, 0.0), None);
        // 0.01 s of simulated time take 0.005 s
        assert_eq!(clock.until_due(start, 0.01), Some(Duration::from_secs_f64(0.005)));
        assert_eq!(clock.until_due(start + Duration::from_millis(6), 0.01), None);
        clock.set_speed(0.0);
        clock.set_speed(f64::NAN);
        assert_eq!(clock.speed(), 2.0);
    }

    #[test]
    fn lost_time_is_not_caught_up() {
        let (mut clock, start) = (Clock::new(1.0), Instant::now());
        assert_eq!(clock.until_due(start, 0.0), None);
        let later = start + Duration::from_secs(5);
        assert_eq!(clock.until_due(later, 0.001), None);
        assert!(clock.until_due(later, 0.002).is_some());
    }

    #[test]
    fn the_real_time_factor_is_measured() {
        let (mut clock, start) = (Clock::new(1.0), Instant::now());
        let spent = Duration::from_millis(1);
        for k in 0..=100_u64 {
            let now = start + Duration::from_millis(10 * k);
            clock.measure(now, 0.005 * k as f64, k, spent);
        }
        assert!((clock.factor() - 0.5).abs() < 1e-9, "{}", clock.factor());
        assert!((clock.step_time() - 1e-3).abs() < 1e-4);
    }
}
