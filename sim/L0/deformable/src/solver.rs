//! The solver: substeps of prediction, projection and velocity.

use crate::body::{Body, DeformableBody};
use crate::cells::{Particle, Plain};
use crate::collide::SelfContacts;
use crate::constraint::Substep;
use crate::error::{DeformableError, parameter};
use nalgebra::Vector3;

/// How to step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct XpbdConfig {
    /// Substeps of a step. Each solves every constraint once: error falls and stiffness is met as
    /// they grow in number.
    pub substeps: usize,
    /// Drag of the surroundings, in 1/s: velocities fall by `exp(−damping·t)`.
    pub damping: f64,
    /// A body whose particles are all slower than this, in m/s, falls asleep; 0: never.
    pub sleep_speed: f64,
    /// How long it must be slow first, in s.
    pub sleep_time: f64,
}

impl Default for XpbdConfig {
    fn default() -> Self {
        Self { substeps: 10, damping: 0.0, sleep_speed: 0.0, sleep_time: 0.5 }
    }
}

/// What happened in a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepInfo {
    /// Whether the body slept, or fell asleep at the end.
    pub asleep: bool,
    /// Greatest speed of a particle at the end, in m/s.
    pub max_speed: f64,
    /// Pairs of the body's own particles, or of particles and triangles, near enough to touch.
    pub near_pairs: usize,
}

/// Steps deformable bodies by extended position-based dynamics. It keeps memory, and nothing else,
/// from one body to the next: one solver serves any number of bodies.
#[derive(Debug, Default)]
pub struct XpbdSolver {
    /// How to step.
    pub config: XpbdConfig,
    x: Vec<Particle>,
    previous: Vec<Particle>,
    velocity: Vec<[f64; 3]>,
    contacts: SelfContacts,
    /// The step that is being done in parts.
    parts: Option<Parts>,
    #[cfg(feature = "parallel")]
    shared: Vec<crate::cells::Words>,
}

/// A step that is done in parts.
#[derive(Debug, Clone, Copy)]
struct Parts {
    motion: Motion,
    sub: Substep,
    dt: f64,
}

/// Lengths and factors of one step.
#[derive(Debug, Clone, Copy)]
struct Motion {
    h: f64,
    /// Change of velocity in a substep.
    kick: [f64; 3],
    /// What drag leaves of a velocity.
    drag: f64,
}

impl XpbdSolver {
    /// A solver with these settings.
    #[must_use]
    pub fn new(config: XpbdConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// Moves `body` on by `dt` seconds.
    ///
    /// # Errors
    /// Settings or arguments out of their range; a step that comes to numbers that are not finite,
    /// which leaves the body as it was.
    pub fn step(
        &mut self,
        body: &mut dyn DeformableBody,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<StepInfo, DeformableError> {
        let body = body.body_mut();
        let Some((motion, sub)) = self.begin(body, gravity, dt)? else {
            return Ok(StepInfo { asleep: true, ..StepInfo::default() });
        };
        for _ in 0..self.config.substeps {
            predict(motion, &mut self.x, &mut self.previous, &mut self.velocity);
            body.constraints.solve(&mut self.x, &self.previous, sub);
            if body.contact_distance > 0.0 {
                self.contacts.solve(body, &Plain::new(&mut self.x), &self.previous);
            }
            set_velocities(motion.h, &self.x, &self.previous, &mut self.velocity);
        }
        self.finish(body, dt)
    }

    /// Like [`step`](Self::step), to the same bits, with the work shared among the threads of
    /// rayon's current pool, where that pays: with few threads or a small body it is `step`.
    ///
    /// Threads share particles as atomic words, which are loaded one by one and not as vectors: on
    /// one thread this takes 2.3 times as long as `step`, and on two it is no faster.
    ///
    /// # Errors
    /// As `step`.
    #[cfg(feature = "parallel")]
    pub fn step_parallel(
        &mut self,
        body: &mut (dyn DeformableBody + Send),
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<StepInfo, DeformableError> {
        let body = body.body_mut();
        if !crate::parallel::pays(body.len()) {
            return self.step(body, gravity, dt);
        }
        let Some((motion, sub)) = self.begin(body, gravity, dt)? else {
            return Ok(StepInfo { asleep: true, ..StepInfo::default() });
        };
        crate::parallel::share(&self.x, &mut self.shared);
        for _ in 0..self.config.substeps {
            crate::parallel::predict(
                |x, v| predict_one(motion, x, v),
                &self.shared,
                &mut self.previous,
                &mut self.velocity,
            );
            body.constraints.solve_parallel(&self.shared, &self.previous, sub);
            if body.contact_distance > 0.0 {
                let cells = crate::cells::Shared(&self.shared);
                self.contacts.solve(body, &cells, &self.previous);
            }
            crate::parallel::set_velocities(
                |x, p| velocity_of(motion.h.recip(), x, p),
                &self.shared,
                &self.previous,
                &mut self.velocity,
            );
        }
        crate::parallel::gather(&self.shared, &mut self.x);
        self.finish(body, dt)
    }

    /// Begins a step that is done substep by substep, so that others can act on the particles between
    /// them: [`substep`](Self::substep) and [`end_substep`](Self::end_substep) as often as
    /// `config.substeps` says, then [`end_step`](Self::end_step). False if the body sleeps on, and
    /// there is nothing to do.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn begin_step(
        &mut self,
        body: &mut Body,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<bool, DeformableError> {
        self.parts = None;
        let Some((motion, sub)) = self.begin(body, gravity, dt)? else { return Ok(false) };
        self.parts = Some(Parts { motion, sub, dt });
        Ok(true)
    }

    /// Moves the particles on and keeps the body's constraints. `accelerations` are added to gravity,
    /// one for each particle; those beyond the slice get none. Does nothing outside of a step.
    pub fn substep(&mut self, body: &mut Body, accelerations: &[Vector3<f64>]) {
        let Some(Parts { motion, sub, .. }) = self.parts.filter(|_| self.x.len() == body.len())
        else {
            return;
        };
        for ((v, a), x) in self.velocity.iter_mut().zip(accelerations).zip(&self.x) {
            if x[3] > 0.0 {
                *v = [v[0] + motion.h * a.x, v[1] + motion.h * a.y, v[2] + motion.h * a.z];
            }
        }
        predict(motion, &mut self.x, &mut self.previous, &mut self.velocity);
        body.constraints.solve(&mut self.x, &self.previous, sub);
        if body.contact_distance > 0.0 {
            self.contacts.solve(body, &Plain::new(&mut self.x), &self.previous);
        }
    }

    /// Particles of the step at hand, to move: position, and inverse mass as the fourth number.
    pub fn particles_mut(&mut self) -> &mut [[f64; 4]] {
        &mut self.x
    }

    /// The same, and where they were before the substep at hand.
    pub fn state_mut(&mut self) -> (&mut [[f64; 4]], &[[f64; 4]]) {
        (&mut self.x, &self.previous)
    }

    /// Ends a substep: velocities follow from where the particles came to.
    pub fn end_substep(&mut self) {
        if let Some(Parts { motion, .. }) = self.parts {
            set_velocities(motion.h, &self.x, &self.previous, &mut self.velocity);
        }
    }

    /// Ends a step, and moves the body to where the particles are.
    ///
    /// # Errors
    /// Numbers that are not finite, which leave the body as it was.
    pub fn end_step(&mut self, body: &mut Body) -> Result<StepInfo, DeformableError> {
        match self.parts.take().filter(|_| self.x.len() == body.len()) {
            Some(parts) => self.finish(body, parts.dt),
            None => Ok(StepInfo { asleep: body.sleep.asleep, ..StepInfo::default() }),
        }
    }

    /// Checks everything and loads the particles. `None` if the body sleeps on.
    fn begin(
        &mut self,
        body: &mut Body,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<Option<(Motion, Substep)>, DeformableError> {
        let XpbdConfig { substeps, damping, sleep_speed, sleep_time } = self.config;
        parameter("dt", dt, dt > 0.0, "finite and above 0")?;
        parameter("substeps", substeps as f64, substeps > 0, "at least 1")?;
        parameter("damping", damping, damping >= 0.0, "finite, not negative")?;
        parameter("sleep_speed", sleep_speed, sleep_speed >= 0.0, "finite, not negative")?;
        parameter("sleep_time", sleep_time, sleep_time >= 0.0, "finite, not negative")?;
        gravity.iter().try_for_each(|&g| parameter("gravity", g, true, "finite"))?;
        let h = dt / substeps as f64;
        parameter("substep", h, (h * h).recip().is_finite(), "long enough for its square")?;

        if body.sleep.gravity != gravity {
            body.sleep.gravity = gravity;
            body.wake();
        }
        if body.sleep.asleep {
            return Ok(None);
        }
        let sub = body.prepare(h);
        self.load(body, dt);
        self.contacts.forget();
        let kick = [h * gravity.x, h * gravity.y, h * gravity.z];
        Ok(Some((Motion { h, kick, drag: (-damping * h).exp() }, sub)))
    }

    fn load(&mut self, body: &Body, dt: f64) {
        let n = body.len();
        self.x.clear();
        self.velocity.clear();
        self.previous.resize(n, [0.0; 4]);
        for i in 0..n {
            let (x, w) = (body.position[i], body.inv_mass[i]);
            self.x.push([x.x, x.y, x.z, w]);
            // what is pinned goes to its target in a straight line
            let v = if w > 0.0 { body.velocity[i] } else { (body.target[i] - x) / dt };
            self.velocity.push([v.x, v.y, v.z]);
        }
    }

    /// Checks the result and hands it to the body.
    fn finish(&mut self, body: &mut Body, dt: f64) -> Result<StepInfo, DeformableError> {
        let mut fastest = 0.0f64;
        for (particle, (x, v)) in self.x.iter().zip(&self.velocity).enumerate() {
            let speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if !(x[0] + x[1] + x[2] + speed2).is_finite() {
                return Err(DeformableError::Diverged { particle });
            }
            fastest = fastest.max(speed2);
        }
        for i in 0..body.len() {
            let (x, v) = (self.x[i], self.velocity[i]);
            let pinned = body.inv_mass[i] == 0.0;
            body.position[i] = if pinned { body.target[i] } else { Vector3::new(x[0], x[1], x[2]) };
            body.velocity[i] = Vector3::from(v);
        }
        let max_speed = fastest.sqrt();
        let slow = max_speed < self.config.sleep_speed;
        body.sleep.calm = if slow { body.sleep.calm + dt } else { 0.0 };
        if slow && body.sleep.calm >= self.config.sleep_time {
            body.sleep.asleep = true;
            body.velocity.fill(Vector3::zeros());
        }
        let near_pairs = if body.contact_distance > 0.0 { self.contacts.len() } else { 0 };
        Ok(StepInfo { asleep: body.sleep.asleep, max_speed, near_pairs })
    }
}

/// Velocity under gravity and drag, and the place it leads to.
#[inline(always)]
fn predict_one(motion: Motion, x: Particle, v: &mut [f64; 3]) -> Particle {
    let Motion { h, kick, drag } = motion;
    if x[3] > 0.0 {
        *v = [(v[0] + kick[0]) * drag, (v[1] + kick[1]) * drag, (v[2] + kick[2]) * drag];
    }
    [x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2], x[3]]
}

fn predict(motion: Motion, x: &mut [Particle], previous: &mut [Particle], v: &mut [[f64; 3]]) {
    for ((x, p), v) in x.iter_mut().zip(previous).zip(v) {
        *p = *x;
        *x = predict_one(motion, *x, v);
    }
}

#[inline(always)]
fn velocity_of(inv_h: f64, x: Particle, p: Particle) -> [f64; 3] {
    [(x[0] - p[0]) * inv_h, (x[1] - p[1]) * inv_h, (x[2] - p[2]) * inv_h]
}

fn set_velocities(h: f64, x: &[Particle], previous: &[Particle], velocity: &mut [[f64; 3]]) {
    let inv_h = h.recip();
    for ((x, p), v) in x.iter().zip(previous).zip(velocity) {
        *v = velocity_of(inv_h, *x, *p);
    }
}
