//! Finite-difference derivatives of the step (`mjd_transitionFD`).

use super::buffers::{Differences, Sample};
use super::difference::{Input, quotient, refill, state_quotient};
use super::error::{DerivativeError, check_length, check_step};
use crate::acceleration::Inertia;
use crate::forward::forward;
use crate::integrate::integrate_step;
use crate::math::first_bad;
use crate::state::{mj_get_state, mj_set_state};
use crate::supported::check_supported;
use crate::{Data, Model, mj_state_size};
use sim_types::{Integrator, SensorStage, StateBits, StepError, Warning};

/// Linearises a step about the current state: `dx⁺ = A dx + B du`, `ds = C dx + D du`.
///
/// `x` is `[position, velocity, activation]` in the tangent space, of dimension `nx = 2 nv + na`; `u` is
/// `ctrl` and `s` is `sensordata`, evaluated before the state advances. The matrices are row-major: `A` is
/// `nx × nx`, `B` is `nx × nu`, `C` is `nsensordata × nx`, `D` is `nsensordata × nu`. `None` skips a matrix.
///
/// `eps` is the finite-difference step (1e-6 is a good default); with `centered` central differences are used
/// instead of forward ones. A control at the end of its range is perturbed inwards; the columns of a control
/// outside its range are zero. For perturbed velocities and controls the earlier stages are skipped, and the
/// implicit integrators also keep their matrix, neglecting its dependence on the perturbation.
///
/// On return the state is restored; the computed fields of `d` are those of a perturbed state.
///
/// # Errors
/// If the model has delays or uses RK4, if a matrix has the wrong length, or if the state or a perturbed one
/// diverges in the step.
#[doc(alias = "mjd_transitionFD")]
#[allow(non_snake_case, reason = "control-theory names")]
pub fn mjd_transition_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    A: Option<&mut [f64]>,
    B: Option<&mut [f64]>,
    C: Option<&mut [f64]>,
    D: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let mut matrices = Matrices::new(m, eps, [A, B, C, D])?;
    let mut work = std::mem::take(&mut d.scratch.differences);
    let differences = Transition { m, eps, centered, sensors: matrices.sensors() };
    let result = differences.start(d, &mut work).and_then(|()| {
        matrices.inputs(m).try_for_each(|input| {
            differences.column(d, &mut work, input)?;
            matrices.store(m, input, &work.column);
            Ok(())
        })
    });
    restore(m, d, &work.saved);
    d.scratch.differences = work;
    Ok(result?)
}

/// The requested output matrices `A`, `B`, `C`, `D`.
pub(super) struct Matrices<'a>([Option<&'a mut [f64]>; 4]);

impl<'a> Matrices<'a> {
    pub(super) fn new(
        m: &Model,
        eps: f64,
        matrices: [Option<&'a mut [f64]>; 4],
    ) -> Result<Self, DerivativeError> {
        if m.opt.integrator == Integrator::Rk4 {
            return Err(DerivativeError::RungeKutta);
        }
        if m.nhistory > 0 {
            return Err(DerivativeError::Delay);
        }
        check_step(eps)?;
        let (nx, nu, ns) = (2 * m.nv + m.na, m.nu, m.nsensordata);
        let sizes = [("A", nx * nx), ("B", nx * nu), ("C", ns * nx), ("D", ns * nu)];
        for (matrix, (name, needed)) in matrices.iter().zip(sizes) {
            check_length(name, matrix.as_deref(), needed)?;
        }
        Ok(Self(matrices))
    }

    pub(super) fn sensors(&self) -> bool {
        self.0[2].is_some() || self.0[3].is_some()
    }

    /// The inputs to perturb, in the order control, activation, velocity, position: an input evaluates only
    /// stages that all later inputs evaluate as well, so the results of skipped stages stay valid.
    pub(super) fn inputs(&self, m: &Model) -> impl Iterator<Item = Input> + use<> {
        let [by_state, by_ctrl] = [0, 1].map(|k| self.0[k].is_some() || self.0[k + 2].is_some());
        let count = |requested: bool, n: usize| 0..if requested { n } else { 0 };
        count(by_ctrl, m.nu)
            .map(Input::Ctrl)
            .chain(count(by_state, m.na).map(Input::Act))
            .chain(count(by_state, m.nv).map(Input::Vel))
            .chain(count(by_state, m.nv).map(Input::Pos))
    }

    /// Writes the derivatives with respect to one input to their column.
    pub(super) fn store(&mut self, m: &Model, input: Input, column: &Sample) {
        let (k, i, width) = match input {
            Input::Ctrl(i) => (1, i, m.nu),
            Input::Pos(i) | Input::Acc(i) => (0, i, 2 * m.nv + m.na),
            Input::Vel(i) => (0, m.nv + i, 2 * m.nv + m.na),
            Input::Act(i) => (0, 2 * m.nv + i, 2 * m.nv + m.na),
        };
        for (k, values) in [(k, &column.main), (k + 2, &column.sensors)] {
            if let Some(matrix) = &mut self.0[k] {
                for (row, value) in matrix.chunks_exact_mut(width).zip(values) {
                    row[i] = *value;
                }
            }
        }
    }
}

/// Settings common to all columns.
pub(super) struct Transition<'a> {
    pub(super) m: &'a Model,
    pub(super) eps: f64,
    pub(super) centered: bool,
    pub(super) sensors: bool,
}

impl Transition<'_> {
    /// Saves the state and evaluates the unperturbed step.
    pub(super) fn start(&self, d: &mut Data, work: &mut Differences) -> Result<(), StepError> {
        check_supported(self.m)?;
        work.saved.resize(mj_state_size(self.m, restored()), 0.0);
        // cannot fail: the length is the model's
        let _ = mj_get_state(self.m, d, &mut work.saved, restored());
        d.deformable_state(&mut work.saved);
        self.sample(d, &mut work.nominal, SensorStage::None)?;
        restore(self.m, d, &work.saved);
        Ok(())
    }

    /// Derivatives with respect to one input, written to `work.column`.
    pub(super) fn column(
        &self,
        d: &mut Data,
        work: &mut Differences,
        input: Input,
    ) -> Result<(), StepError> {
        let Self { m, eps, .. } = *self;
        let (forward, backward) = self.directions(d, input);
        let skip = input.skip_stage();
        let Differences { saved, nominal, plus, minus, unit, column, .. } = work;
        for (used, step, sample) in [(forward, eps, &mut *plus), (backward, -eps, &mut *minus)] {
            if used {
                input.perturb(m, d, unit, step);
                self.sample(d, sample, skip)?;
                restore(m, d, saved);
            }
        }
        let (from, to, h) = match (forward, backward) {
            (true, false) => (&*nominal, &*plus, eps),
            (false, true) => (&*minus, &*nominal, eps),
            (true, true) => (&*minus, &*plus, 2.0 * eps),
            (false, false) => (&*nominal, &*nominal, eps),
        };
        state_quotient(m, &mut column.main, &from.main, &to.main, h);
        quotient(&mut column.sensors, &from.sensors, &to.sensors, h);
        Ok(())
    }

    /// Whether an input is perturbed forward and backward; a control stays inside its range.
    fn directions(&self, d: &Data, input: Input) -> (bool, bool) {
        let Input::Ctrl(i) = input else { return (true, self.centered) };
        let inside = |x: f64| {
            let [low, high] =
                [self.m.actuator_ctrlrange[2 * i], self.m.actuator_ctrlrange[2 * i + 1]];
            !self.m.actuator_ctrllimited[i] || (low..=high).contains(&x)
        };
        let here = inside(d.ctrl[i]);
        let forward = here && inside(d.ctrl[i] + self.eps);
        (forward, (self.centered || !forward) && here && inside(d.ctrl[i] - self.eps))
    }

    /// Evaluates a step without the stages up to `skip`, and stores its results in `sample`.
    fn sample(
        &self,
        d: &mut Data,
        sample: &mut Sample,
        skip: SensorStage,
    ) -> Result<(), StepError> {
        let m = self.m;
        finite(d, Warning::BadQpos, &d.qpos)?;
        finite(d, Warning::BadQvel, &d.qvel)?;
        forward(m, d, skip, Inertia::Matrix, self.sensors);
        finite(d, Warning::BadQacc, &d.qacc)?;
        integrate_step(m, d, Inertia::Matrix, skip);
        refill(&mut sample.main, &[&d.qpos, &d.qvel, &d.act]);
        let sensors: &[f64] = if self.sensors { &d.sensordata } else { &[] };
        refill(&mut sample.sensors, &[sensors]);
        Ok(())
    }
}

/// The state components that are saved and restored around each perturbation.
fn restored() -> StateBits {
    StateBits::FULLPHYSICS | StateBits::CTRL | StateBits::WARMSTART
}

/// Restores the state saved by [`Transition::start`].
fn restore(m: &Model, d: &mut Data, saved: &[f64]) {
    // cannot fail: the vector was taken from this data
    let (rigid, deformable) = saved.split_at(mj_state_size(m, restored()));
    let _ = mj_set_state(m, d, rigid, restored());
    if !deformable.is_empty() {
        let _ = d.set_deformable_state(deformable);
    }
}

/// Returns an error if a value is NaN or too large. Unlike in a step, the state is not reset.
pub(super) fn finite(d: &Data, warning: Warning, values: &[f64]) -> Result<(), StepError> {
    match first_bad(values) {
        Some(index) => Err(StepError::Diverged { warning, index, time: d.time }),
        None => Ok(()),
    }
}
