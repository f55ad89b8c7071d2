//! Finite-difference derivatives of inverse dynamics (`mjd_inverseFD`).

use super::buffers::{Differences, Sample};
use super::difference::{Input, quotient, refill};
use super::error::{DerivativeError, check_length, check_step};
use super::transition::finite;
use crate::acceleration::Inertia;
use crate::actuation::mj_fwd_actuation;
use crate::forward::{position, velocity};
use crate::inverse::mj_inverse_skip;
use crate::{Data, Model};
use sim_types::{Integrator, SensorStage, StepError, Warning};

/// Differentiates inverse dynamics, `(f, s) = inverse(q, v, a)`, by forward differences with step
/// `eps`.
///
/// `f` is `qfrc_inverse`, minus `qfrc_actuator` with `actuation`; `s` is `sensordata`. The matrices are
/// row-major with one row for each perturbed dof, the transpose of the usual Jacobians: `DfDq`, `DfDv` and
/// `DfDa` are `nv × nv`, `DsDq`, `DsDv` and `DsDa` are `nv × nsensordata`, and `DmDq`, the derivative of `qM`,
/// is `nv × nM`. `None` skips a matrix.
///
/// On return `qpos`, `qvel` and `qacc` are restored; the computed fields of `d` are those of a perturbed
/// state.
///
/// # Errors
/// If the model uses RK4 or the no-slip solver, if a matrix has the wrong length, or if the state is not
/// finite.
#[doc(alias = "mjd_inverseFD")]
#[allow(non_snake_case, reason = "MuJoCo's argument names")]
pub fn mjd_inverse_fd(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
    DfDq: Option<&mut [f64]>,
    DfDv: Option<&mut [f64]>,
    DfDa: Option<&mut [f64]>,
    DsDq: Option<&mut [f64]>,
    DsDv: Option<&mut [f64]>,
    DsDa: Option<&mut [f64]>,
    DmDq: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let mut matrices = Matrices::new(m, eps, [DfDq, DfDv, DfDa], [DsDq, DsDv, DsDa], DmDq)?;
    let mut work = std::mem::take(&mut d.scratch.differences);
    let differences = Inverse { m, eps, actuation, sensors: matrices.sensors() };
    let result = differences.start(d, &mut work).and_then(|()| {
        matrices.inputs(m).try_for_each(|input| {
            differences.column(d, &mut work, input)?;
            matrices.store(input, &work.column);
            Ok(())
        })
    });
    restore(m, d, &work.saved);
    d.scratch.differences = work;
    Ok(result?)
}

/// The requested output matrices: derivatives of force and sensors with respect to position, velocity and
/// acceleration, and of the inertia with respect to position.
pub(super) struct Matrices<'a> {
    force: [Option<&'a mut [f64]>; 3],
    sensors: [Option<&'a mut [f64]>; 3],
    inertia: Option<&'a mut [f64]>,
}

impl<'a> Matrices<'a> {
    pub(super) fn new(
        m: &Model,
        eps: f64,
        force: [Option<&'a mut [f64]>; 3],
        sensors: [Option<&'a mut [f64]>; 3],
        inertia: Option<&'a mut [f64]>,
    ) -> Result<Self, DerivativeError> {
        if m.opt.integrator == Integrator::Rk4 {
            return Err(DerivativeError::RungeKutta);
        }
        if m.opt.noslip_iterations > 0 {
            return Err(DerivativeError::NoSlip);
        }
        check_step(eps)?;
        for (matrix, name) in force.iter().zip(["DfDq", "DfDv", "DfDa"]) {
            check_length(name, matrix.as_deref(), m.nv * m.nv)?;
        }
        for (matrix, name) in sensors.iter().zip(["DsDq", "DsDv", "DsDa"]) {
            check_length(name, matrix.as_deref(), m.nv * m.nsensordata)?;
        }
        check_length("DmDq", inertia.as_deref(), m.nv * m.nM)?;
        Ok(Self { force, sensors, inertia })
    }

    pub(super) fn sensors(&self) -> bool {
        self.sensors.iter().any(Option::is_some)
    }

    /// The inputs to perturb, in the order acceleration, velocity, position: an input evaluates only stages
    /// that all later inputs evaluate as well, so the results of skipped stages stay valid.
    pub(super) fn inputs(&self, m: &Model) -> impl Iterator<Item = Input> + use<> {
        let [pos, vel, acc] = [0, 1, 2].map(|k| {
            let inertia = k == 0 && self.inertia.is_some();
            let requested = inertia || self.force[k].is_some() || self.sensors[k].is_some();
            0..if requested { m.nv } else { 0 }
        });
        acc.map(Input::Acc).chain(vel.map(Input::Vel)).chain(pos.map(Input::Pos))
    }

    /// Writes the derivatives with respect to one input to their row.
    pub(super) fn store(&mut self, input: Input, row: &Sample) {
        let (k, i) = match input {
            Input::Pos(i) => (0, i),
            Input::Vel(i) => (1, i),
            Input::Acc(i) | Input::Ctrl(i) | Input::Act(i) => (2, i),
        };
        let write = |matrix: &mut Option<&mut [f64]>, values: &[f64]| {
            if let Some(matrix) = matrix {
                matrix[i * values.len()..][..values.len()].copy_from_slice(values);
            }
        };
        write(&mut self.force[k], &row.main);
        write(&mut self.sensors[k], &row.sensors);
        if k == 0 {
            write(&mut self.inertia, &row.inertia);
        }
    }
}

/// Settings common to all rows.
pub(super) struct Inverse<'a> {
    pub(super) m: &'a Model,
    pub(super) eps: f64,
    pub(super) actuation: bool,
    pub(super) sensors: bool,
}

impl Inverse<'_> {
    /// Saves the inputs and evaluates the unperturbed inverse dynamics.
    pub(super) fn start(&self, d: &mut Data, work: &mut Differences) -> Result<(), StepError> {
        refill(&mut work.saved, &[&d.qpos, &d.qvel, &d.qacc]);
        finite(d, Warning::BadQpos, &d.qpos)?;
        finite(d, Warning::BadQvel, &d.qvel)?;
        finite(d, Warning::BadQacc, &d.qacc)?;
        self.sample(d, &mut work.nominal, SensorStage::None)
    }

    /// Derivatives with respect to one input, written to `work.column`.
    pub(super) fn column(
        &self,
        d: &mut Data,
        work: &mut Differences,
        input: Input,
    ) -> Result<(), StepError> {
        let skip = input.skip_stage();
        let Differences { saved, nominal, plus, unit, column, .. } = work;
        input.perturb(self.m, d, unit, self.eps);
        self.sample(d, plus, skip)?;
        restore(self.m, d, saved);
        quotient(&mut column.main, &nominal.main, &plus.main, self.eps);
        quotient(&mut column.sensors, &nominal.sensors, &plus.sensors, self.eps);
        quotient(&mut column.inertia, &nominal.inertia, &plus.inertia, self.eps);
        Ok(())
    }

    /// Evaluates inverse dynamics without the stages up to `skip`, and stores the results in `sample`.
    fn sample(
        &self,
        d: &mut Data,
        sample: &mut Sample,
        skip: SensorStage,
    ) -> Result<(), StepError> {
        if skip == SensorStage::None {
            position(self.m, d, Inertia::Matrix, self.sensors);
        }
        if skip != SensorStage::Vel {
            velocity(self.m, d, self.sensors);
        }
        if self.actuation {
            // before mj_inverse_skip, because some sensors read the actuator forces
            mj_fwd_actuation(self.m, d);
        }
        mj_inverse_skip(self.m, d, SensorStage::Vel, !self.sensors)?;
        refill(&mut sample.main, &[&d.qfrc_inverse]);
        if self.actuation {
            for (force, actuator) in sample.main.iter_mut().zip(&d.qfrc_actuator) {
                *force -= actuator;
            }
        }
        let sensors: &[f64] = if self.sensors { &d.sensordata } else { &[] };
        refill(&mut sample.sensors, &[sensors]);
        refill(&mut sample.inertia, &[&d.qM]);
        Ok(())
    }
}

/// Restores `qpos`, `qvel` and `qacc`.
fn restore(m: &Model, d: &mut Data, saved: &[f64]) {
    let (qpos, rest) = saved.split_at(m.nq);
    let (qvel, qacc) = rest.split_at(m.nv);
    d.qpos.copy_from_slice(qpos);
    d.qvel.copy_from_slice(qvel);
    d.qacc.copy_from_slice(qacc);
}
