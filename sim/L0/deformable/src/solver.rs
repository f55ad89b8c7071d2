//! The XPBD solver: prediction, constraint projection and velocity update of each substep.
//!
//! ```text
//! v ← (v + h g) exp(−c h)        xₚ ← x        x ← x + h v
//! x ← projection of every constraint (constraint/mod.rs), then self-contacts
//! v ← (x − xₚ) / h
//! ```

use crate::body::{Body, DeformableBody};
use crate::collision::SelfContacts;
use crate::constraint::Substep;
use crate::error::{DeformableError, parameter};
use crate::particle::{LocalParticles, Particle};
use nalgebra::Vector3;

/// Settings of the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct XpbdConfig {
    /// Substeps per step. Each projects every constraint once; the error decreases with the square
    /// of the substep.
    pub substeps: usize,
    /// Velocity damping c, 1/s: velocities decay by `exp(−c·t)`.
    pub damping: f64,
    /// Speed below which all particles must be for the body to fall asleep, m/s; 0 disables sleep.
    pub sleep_speed: f64,
    /// Time for which they must be below it, s.
    pub sleep_time: f64,
}

impl Default for XpbdConfig {
    fn default() -> Self {
        Self { substeps: 10, damping: 0.0, sleep_speed: 0.0, sleep_time: 0.5 }
    }
}

/// Statistics of a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepInfo {
    /// Whether the body was asleep, or fell asleep at the end of the step.
    pub asleep: bool,
    /// Maximum particle speed at the end of the step, m/s.
    pub max_speed: f64,
    /// Candidate self-contacts: particle–particle or particle–triangle pairs within the detection
    /// distance.
    pub candidate_pairs: usize,
}

/// Steps deformable bodies by extended position-based dynamics (XPBD). It holds only scratch memory
/// between steps, so that one solver can step any number of bodies.
#[derive(Debug, Default)]
pub struct XpbdSolver {
    /// Settings.
    pub config: XpbdConfig,
    x: Vec<Particle>,
    previous: Vec<Particle>,
    velocity: Vec<[f64; 3]>,
    contacts: SelfContacts,
    /// State between [`XpbdSolver::begin_step`] and [`XpbdSolver::end_step`].
    pending: Option<PendingStep>,
    #[cfg(feature = "parallel")]
    shared: Vec<crate::particle::AtomicParticle>,
}

/// A step that is advanced substep by substep.
#[derive(Debug, Clone, Copy)]
struct PendingStep {
    params: SubstepParams,
    sub: Substep,
    dt: f64,
}

/// Constants of the substeps of one step.
#[derive(Debug, Clone, Copy)]
struct SubstepParams {
    h: f64,
    /// Velocity change by gravity per substep, m/s.
    gravity_velocity: [f64; 3],
    /// Factor of the velocity per substep by damping.
    velocity_factor: f64,
}

impl XpbdSolver {
    /// A solver with these settings.
    #[must_use]
    pub fn new(config: XpbdConfig) -> Self {
        Self { config, ..Self::default() }
    }

    /// Advances `body` by `dt` seconds.
    ///
    /// # Errors
    /// Settings or arguments out of range; a non-finite result, which leaves the body unchanged.
    pub fn step(
        &mut self,
        body: &mut dyn DeformableBody,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<StepInfo, DeformableError> {
        let body = body.body_mut();
        let Some((params, sub)) = self.begin(body, gravity, dt)? else {
            return Ok(StepInfo { asleep: true, ..StepInfo::default() });
        };
        for _ in 0..self.config.substeps {
            predict(params, &mut self.x, &mut self.previous, &mut self.velocity);
            body.constraints.solve(&mut self.x, &self.previous, sub);
            if body.contact_distance > 0.0 {
                self.contacts.solve(body, &LocalParticles::new(&mut self.x), &self.previous);
            }
            set_velocities(params.h, &self.x, &self.previous, &mut self.velocity);
        }
        self.finish(body, dt)
    }

    /// Like [`step`](Self::step), with bit-identical results, in parallel on rayon's current thread
    /// pool. Falls back to `step` for few threads or a small body.
    ///
    /// Particles are shared as atomic words, which are loaded one by one and not as vectors: one
    /// thread takes 2.3 times as long as `step`, two threads are no faster than it.
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
        let Some((params, sub)) = self.begin(body, gravity, dt)? else {
            return Ok(StepInfo { asleep: true, ..StepInfo::default() });
        };
        crate::parallel::share(&self.x, &mut self.shared);
        for _ in 0..self.config.substeps {
            crate::parallel::predict(
                |x, v| predict_one(params, x, v),
                &self.shared,
                &mut self.previous,
                &mut self.velocity,
            );
            body.constraints.solve_parallel(&self.shared, &self.previous, sub);
            if body.contact_distance > 0.0 {
                let cells = crate::particle::AtomicParticles(&self.shared);
                self.contacts.solve(body, &cells, &self.previous);
            }
            crate::parallel::set_velocities(
                |x, p| velocity_of(params.h.recip(), x, p),
                &self.shared,
                &self.previous,
                &mut self.velocity,
            );
        }
        crate::parallel::gather(&self.shared, &mut self.x);
        self.finish(body, dt)
    }

    /// Starts a step that is advanced substep by substep, so that other constraints can be
    /// projected between the substeps: call [`substep`](Self::substep) and
    /// [`end_substep`](Self::end_substep) `config.substeps` times, then
    /// [`end_step`](Self::end_step). Returns false if the body is asleep and is not stepped.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn begin_step(
        &mut self,
        body: &mut Body,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<bool, DeformableError> {
        self.pending = None;
        let Some((params, sub)) = self.begin(body, gravity, dt)? else { return Ok(false) };
        self.pending = Some(PendingStep { params, sub, dt });
        Ok(true)
    }

    /// Predicts the positions and projects the constraints of the body. `accelerations` are added
    /// to gravity, one per particle, m/s²; missing ones are zero. Without effect outside of a step.
    pub fn substep(&mut self, body: &mut Body, accelerations: &[Vector3<f64>]) {
        let Some(PendingStep { params, sub, .. }) =
            self.pending.filter(|_| self.x.len() == body.len())
        else {
            return;
        };
        for ((v, a), x) in self.velocity.iter_mut().zip(accelerations).zip(&self.x) {
            if x[3] > 0.0 {
                *v = [v[0] + params.h * a.x, v[1] + params.h * a.y, v[2] + params.h * a.z];
            }
        }
        predict(params, &mut self.x, &mut self.previous, &mut self.velocity);
        body.constraints.solve(&mut self.x, &self.previous, sub);
        if body.contact_distance > 0.0 {
            self.contacts.solve(body, &LocalParticles::new(&mut self.x), &self.previous);
        }
    }

    /// Particles of the current step, mutable: position, m, and inverse mass, 1/kg.
    pub fn particles_mut(&mut self) -> &mut [[f64; 4]] {
        &mut self.x
    }

    /// The same, and the particles before the current substep.
    pub fn state_mut(&mut self) -> (&mut [[f64; 4]], &[[f64; 4]]) {
        (&mut self.x, &self.previous)
    }

    /// Ends a substep: derives velocities from the change of positions.
    pub fn end_substep(&mut self) {
        if let Some(PendingStep { params, .. }) = self.pending {
            set_velocities(params.h, &self.x, &self.previous, &mut self.velocity);
        }
    }

    /// Ends a step and writes positions and velocities to the body.
    ///
    /// # Errors
    /// A non-finite result, which leaves the body unchanged.
    pub fn end_step(&mut self, body: &mut Body) -> Result<StepInfo, DeformableError> {
        match self.pending.take().filter(|_| self.x.len() == body.len()) {
            Some(pending) => self.finish(body, pending.dt),
            None => Ok(StepInfo { asleep: body.sleep.asleep, ..StepInfo::default() }),
        }
    }

    /// Validates the arguments and loads the particles. `None` if the body is asleep.
    fn begin(
        &mut self,
        body: &mut Body,
        gravity: Vector3<f64>,
        dt: f64,
    ) -> Result<Option<(SubstepParams, Substep)>, DeformableError> {
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
        self.contacts.invalidate();
        let gravity_velocity = [h * gravity.x, h * gravity.y, h * gravity.z];
        Ok(Some((
            SubstepParams { h, gravity_velocity, velocity_factor: (-damping * h).exp() },
            sub,
        )))
    }

    fn load(&mut self, body: &Body, dt: f64) {
        let n = body.len();
        self.x.clear();
        self.velocity.clear();
        self.previous.resize(n, [0.0; 4]);
        for i in 0..n {
            let (x, w) = (body.position[i], body.inv_mass[i]);
            self.x.push([x.x, x.y, x.z, w]);
            // a pinned particle moves to its target at constant velocity
            let v = if w > 0.0 { body.velocity[i] } else { (body.target[i] - x) / dt };
            self.velocity.push([v.x, v.y, v.z]);
        }
    }

    /// Validates the result and writes it to the body.
    fn finish(&mut self, body: &mut Body, dt: f64) -> Result<StepInfo, DeformableError> {
        let mut max_speed_squared = 0.0f64;
        for (particle, (x, v)) in self.x.iter().zip(&self.velocity).enumerate() {
            let speed2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
            if !(x[0] + x[1] + x[2] + speed2).is_finite() {
                return Err(DeformableError::Diverged { particle });
            }
            max_speed_squared = max_speed_squared.max(speed2);
        }
        for i in 0..body.len() {
            let (x, v) = (self.x[i], self.velocity[i]);
            let pinned = body.inv_mass[i] == 0.0;
            body.position[i] = if pinned { body.target[i] } else { Vector3::new(x[0], x[1], x[2]) };
            body.velocity[i] = Vector3::from(v);
        }
        let max_speed = max_speed_squared.sqrt();
        let slow = max_speed < self.config.sleep_speed;
        body.sleep.slow_time = if slow { body.sleep.slow_time + dt } else { 0.0 };
        if slow && body.sleep.slow_time >= self.config.sleep_time {
            body.sleep.asleep = true;
            body.velocity.fill(Vector3::zeros());
        }
        let candidate_pairs = if body.contact_distance > 0.0 { self.contacts.len() } else { 0 };
        Ok(StepInfo { asleep: body.sleep.asleep, max_speed, candidate_pairs })
    }
}

/// Updates the velocity by gravity and damping and returns the predicted particle.
#[inline(always)]
fn predict_one(params: SubstepParams, x: Particle, v: &mut [f64; 3]) -> Particle {
    let SubstepParams { h, gravity_velocity, velocity_factor } = params;
    if x[3] > 0.0 {
        *v = [
            (v[0] + gravity_velocity[0]) * velocity_factor,
            (v[1] + gravity_velocity[1]) * velocity_factor,
            (v[2] + gravity_velocity[2]) * velocity_factor,
        ];
    }
    [x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2], x[3]]
}

fn predict(
    params: SubstepParams,
    x: &mut [Particle],
    previous: &mut [Particle],
    v: &mut [[f64; 3]],
) {
    for ((x, p), v) in x.iter_mut().zip(previous).zip(v) {
        *p = *x;
        *x = predict_one(params, *x, v);
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
