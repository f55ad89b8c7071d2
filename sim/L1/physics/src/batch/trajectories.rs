//! Trajectories of a rollout in SIMD lanes ([`sim_lanes`]).

use super::environment::step as step_checked;
use super::lanes::Sensors;
use super::parallel::{Chunks, ChunksMut, Rows, split_parts};
use sim_core::types::{StateBits, StepError};
use sim_core::{Data, Model, mj_get_state, mj_sensors_from_motion, mj_set_state};
use sim_lanes::{LaneBatch, LaneModel, StepResults};

/// Open-loop trajectories of one model that are simulated in SIMD lanes; the building block of
/// [`rollout_in_lanes`](super::rollout_in_lanes).
#[derive(Debug, Clone, Copy)]
pub struct LaneTrajectories<'a> {
    /// The model of all trajectories.
    pub model: &'a Model,
    /// Its tables, see [`LaneTrajectories::lane_model`].
    pub lanes: &'a LaneModel,
    /// Number of steps.
    pub steps: usize,
    /// What a row of inputs sets, see [`LaneTrajectories::accepts`].
    pub inputs: StateBits,
}

/// Rows of some trajectories.
#[derive(Debug)]
pub struct TrajectoryRows<'a> {
    /// Initial states ([`StateBits::FULLPHYSICS`]).
    pub initial: Chunks<'a, f64>,
    /// Initial warm starts of the solver; of width zero if they are zero.
    pub warmstart: Chunks<'a, f64>,
    /// Inputs of all steps; of width zero if they are zero.
    pub inputs: Chunks<'a, f64>,
    /// States after all steps.
    pub states: ChunksMut<'a, f64>,
    /// Readings of the sensors in all steps; of width zero without sensors.
    pub sensordata: ChunksMut<'a, f64>,
    /// Index and error of the step that failed.
    pub errors: &'a mut [Option<(usize, StepError)>],
}

impl Rows for TrajectoryRows<'_> {
    fn split_rows(self, mid: usize) -> (Self, Self) {
        let (initial, initial2) = self.initial.split_rows(mid);
        let (warmstart, warmstart2) = self.warmstart.split_rows(mid);
        let (inputs, inputs2) = self.inputs.split_rows(mid);
        let (states, states2) = self.states.split_rows(mid);
        let (sensordata, sensordata2) = self.sensordata.split_rows(mid);
        let (errors, errors2) = self.errors.split_rows(mid);
        let right = Self {
            initial: initial2,
            warmstart: warmstart2,
            inputs: inputs2,
            states: states2,
            sensordata: sensordata2,
            errors: errors2,
        };
        (Self { initial, warmstart, inputs, states, sensordata, errors }, right)
    }
}

/// Row `k`.
fn row<'a>(rows: Chunks<'a, f64>, k: usize) -> &'a [f64] {
    &rows.values[k * rows.width..][..rows.width]
}

impl LaneTrajectories<'_> {
    /// The tables of a model; `None` if it has a feature that lanes do not simulate, or sensors that do not follow from
    /// the motion of the bodies ([`sim_core::motion_sensor_inputs`]), because their readings are a result of a rollout.
    #[must_use]
    pub fn lane_model(model: &Model) -> Option<LaneModel> {
        match Sensors::of(model) {
            Sensors::Scalar => None,
            _ => LaneModel::new(model).ok(),
        }
    }

    /// Whether lanes simulate these inputs: controls and `qfrc_applied`.
    #[must_use]
    pub fn accepts(inputs: StateBits) -> bool {
        let known = StateBits::CTRL.bits() | StateBits::QFRC_APPLIED.bits();
        inputs.bits() & !known == 0
    }

    /// Simulates all trajectories on the threads of the current pool.
    pub fn simulate_parallel(&self, rows: TrajectoryRows<'_>) {
        /// Parts per thread, to balance the load; a long part shares more rows between its lanes.
        const PARTS_PER_THREAD: usize = 4;
        let (count, threads) = (rows.errors.len(), rayon::current_num_threads());
        let width = self.lanes.lanes();
        let parts = if threads == 1 { 1 } else { PARTS_PER_THREAD * threads };
        let grain = count.div_ceil(parts).max(width);
        split_parts(count, width, rows, grain, &|_, part| self.simulate(part, || true));
    }

    /// Simulates trajectories on the calling thread, while `keep_going` is true.
    pub fn simulate(&self, rows: TrajectoryRows<'_>, mut keep_going: impl FnMut() -> bool) {
        let TrajectoryRows { initial, warmstart, inputs, states, sensordata, errors } = rows;
        let (count, steps, nstate) = (errors.len(), self.steps, initial.width);
        let mut batch = self.lanes.make_batch(count);
        for k in 0..count {
            batch.set_state(k, row(initial, k));
            if warmstart.width > 0 {
                batch.set_qacc_warmstart(k, row(warmstart, k));
            }
        }
        let input_width = inputs.width / steps.max(1);
        let mut scalar = None;
        let width = sensordata.width / steps.max(1);
        let sensors = if width > 0 { Sensors::of(self.model) } else { Sensors::None };
        let mut lane_data = (sensors != Sensors::None).then(|| self.model.make_data());
        for step in 0..steps {
            if !keep_going() {
                return;
            }
            for k in (0..count).filter(|_| input_width > 0) {
                self.set_inputs(
                    &mut batch,
                    k,
                    &row(inputs, k)[step * input_width..][..input_width],
                );
            }
            let readings = |k: usize| {
                k * sensordata.width + step * width..k * sensordata.width + (step + 1) * width
            };
            let failed = match (&mut lane_data, sensors) {
                (Some(d), Sensors::Motion(needed)) => {
                    batch.step_with_results(self.model, needed.wrenches, |k, results| {
                        let d = match results {
                            StepResults::Scalar(d) => d,
                            StepResults::Lane(results, lane) => {
                                results.store(lane, d);
                                mj_sensors_from_motion(self.model, d);
                                &*d
                            }
                        };
                        sensordata.values[readings(k)].copy_from_slice(&d.sensordata);
                    })
                }
                _ => batch.step_with_model(self.model),
            };
            for k in failed {
                if errors[k].is_none() {
                    let input = &row(inputs, k)[step * input_width..][..input_width];
                    let d = scalar.get_or_insert_with(|| self.model.make_data());
                    errors[k] = self.step_scalar(&mut batch, k, input, d).map(|e| (step, e));
                    if width > 0 {
                        sensordata.values[readings(k)].copy_from_slice(&d.sensordata);
                    }
                }
            }
            for k in 0..count {
                let row = &mut states.values[k * states.width..][..states.width];
                match &errors[k] {
                    // a failed trajectory repeats its last state
                    Some((failed, _)) if *failed < step => {
                        row.copy_within(failed * nstate..(failed + 1) * nstate, step * nstate);
                        let row =
                            &mut sensordata.values[k * sensordata.width..][..sensordata.width];
                        row.copy_within(failed * width..(failed + 1) * width, step * width);
                    }
                    _ => batch.state(k, &mut row[step * nstate..][..nstate]),
                }
            }
        }
    }

    fn set_inputs(&self, batch: &mut LaneBatch, k: usize, input: &[f64]) {
        let mut rest = input;
        if self.inputs.contains(StateBits::CTRL) {
            let (ctrl, after) = rest.split_at(self.model.nu);
            batch.set_ctrl(k, ctrl);
            rest = after;
        }
        if self.inputs.contains(StateBits::QFRC_APPLIED) {
            batch.set_qfrc_applied(k, rest);
        }
    }

    /// Steps a trajectory that lanes report as diverged by the scalar engine, which has the error and the state after
    /// it.
    fn step_scalar(
        &self,
        batch: &mut LaneBatch,
        k: usize,
        input: &[f64],
        d: &mut Data,
    ) -> Option<StepError> {
        let (m, full) = (self.model, StateBits::FULLPHYSICS);
        let mut state = vec![0.0; 1 + m.nq + m.nv + m.na];
        batch.state(k, &mut state);
        d.reset(m);
        // the lengths are those of the model
        let _ = mj_set_state(m, d, &state, full);
        if !input.is_empty() {
            let _ = mj_set_state(m, d, input, self.inputs);
        }
        batch.qacc_warmstart(k, &mut d.qacc_warmstart);
        let error = step_checked(m, d).err();
        let _ = mj_get_state(m, d, &mut state, full);
        batch.set_state(k, &state);
        batch.set_qacc_warmstart(k, &d.qacc_warmstart);
        error
    }
}
