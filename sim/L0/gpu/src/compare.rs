//! Comparison of a kernel with the CPU engine: one step from random states, field by field.

use crate::{Context, GpuBatch, GpuBatchError, Options, Precision};
use sim_core::{Data, Model, inertia_matrix, mj_forward, mj_step};
use sim_types::{DynType, JointType, SolverType, StepError};

/// Differences between the kernel of a model and the CPU engine over one step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepComparison {
    /// Fields with their largest difference, relative to the largest value of the field or to one.
    pub worst: Vec<(&'static str, f64)>,
    /// Largest number of constraint rows.
    pub rows: usize,
}

impl StepComparison {
    /// The field with the largest difference.
    #[must_use]
    pub fn worst_field(&self) -> Option<(&'static str, f64)> {
        self.worst.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn note(&mut self, name: &'static str, difference: f64) {
        match self.worst.iter_mut().find(|(known, _)| *known == name) {
            Some((_, worst)) if *worst >= difference => {}
            Some((_, worst)) => *worst = difference,
            None => self.worst.push((name, difference)),
        }
    }
}

/// Why a comparison was not possible.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The batch could not be created or stepped.
    #[error(transparent)]
    Gpu(#[from] GpuBatchError),
    /// The CPU engine could not step the model.
    #[error(transparent)]
    Cpu(#[from] StepError),
    /// An environment exceeded its capacity or diverged.
    #[error("environment {env} has exceeded its capacity or diverged: {info:?}")]
    Overflow {
        /// The environment.
        env: usize,
        /// Its statistics.
        info: crate::Info,
    },
}

/// Steps `states` random states of a model once on the device and on the CPU and compares positions, inertia, forces,
/// accelerations, sensors and the next state.
///
/// In double precision both solvers iterate until they reach the minimum of the constraint problem; differences are
/// then rounding errors.
///
/// # Errors
///
/// See [`CompareError`].
pub fn compare_step(
    gpu: &Context,
    m: &Model,
    states: usize,
    options: &Options,
) -> Result<StepComparison, CompareError> {
    let mut m = m.clone();
    if options.precision == Precision::Double {
        m.opt.tolerance = 1e-13;
        m.opt.iterations = m.opt.iterations.max(100);
        m.opt.ls_iterations = m.opt.ls_iterations.max(50);
        if m.opt.solver == SolverType::Pgs {
            // kernels minimise the primal problem, which PGS approaches slowly
            m.opt.solver = SolverType::Newton;
        }
    }
    let options = Options { probe: true, ..options.clone() };
    let mut batch = GpuBatch::new(gpu, &m, states, &options)?;
    let mut datas: Vec<Data> = (0..states).map(|k| random_state(&m, k as u64)).collect();
    let flat = |f: &dyn Fn(&Data) -> Vec<f64>| datas.iter().flat_map(f).collect::<Vec<f64>>();
    batch.set_full_state(&flat(&full_state))?;
    batch.set_ctrl(&flat(&|d| d.ctrl.clone()))?;
    batch.set_mocap(&flat(&mocap_poses))?;
    batch.step(1)?;
    let (out, after, info) = (batch.output()?, batch.full_state()?, batch.info()?);
    let width = batch.probe_layout().start + batch.probe_layout().len;
    let mut result = StepComparison::default();
    for (k, d) in datas.iter_mut().enumerate() {
        let flags = info[k].flags;
        if flags.contacts || flags.rows || flags.diverged {
            return Err(CompareError::Overflow { env: k, info: info[k] });
        }
        mj_forward(&m, d)?;
        result.rows = result.rows.max(d.nefc);
        result.note("rows", (info[k].rows as f64 - d.nefc as f64).abs());
        compare_fields(&m, d, &batch, &out[k * width..][..width], &mut result);
        mj_step(&m, d)?;
        let ours = &after[k * after.len() / states..][1..];
        let (qpos, rest) = ours.split_at(m.nq);
        result.note("qpos", difference(qpos, &d.qpos));
        result.note("qvel", difference(&rest[..m.nv], &d.qvel));
        result.note("act", difference(&rest[m.nv..m.nv + m.na], &d.act));
        if m.nhistory > 0 {
            result.note("history", difference(&rest[2 * m.nv + m.na..][..m.nhistory], &d.history));
        }
    }
    Ok(result)
}

/// Compares the probe and the sensors of an environment with the results of `mj_forward`.
fn compare_fields(
    m: &Model,
    d: &Data,
    batch: &GpuBatch,
    outputs: &[f64],
    result: &mut StepComparison,
) {
    let layout = batch.probe_layout();
    let (sensors, probe) = (&outputs[..m.nsensordata], &outputs[layout.start..]);
    let field = |name: &str| {
        let found = layout.named.iter().find(|(known, ..)| *known == name);
        found.map_or(&[][..], |&(_, start, len)| &probe[start..start + len])
    };
    result.note("xpos", difference(field("XPOS"), &d.xpos));
    let rows = field("M").chunks_exact(layout.stride.max(1));
    let ours: Vec<f64> = rows.flat_map(|row| layout.columns.iter().map(|&c| row[c])).collect();
    result.note("M", difference(&ours, inertia_matrix(m, d).as_slice()));
    result.note("qfrc_smooth", difference(field("QFRC_SMOOTH"), &d.qfrc_smooth));
    result.note("qacc", difference(field("QACC"), &d.qacc));
    result.note("sensordata", difference(sensors, &d.sensordata));
}

/// Largest difference relative to the largest value, or to one if all are smaller.
fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    if ours.len() != theirs.len() {
        return f64::INFINITY;
    }
    let size = theirs.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
    let worst = |worst: f64, (a, b): (&f64, &f64)| {
        if a.is_nan() { f64::INFINITY } else { worst.max((a - b).abs()) }
    };
    ours.iter().zip(theirs).fold(0.0, worst) / size
}

/// Time, positions, velocities, activations, the warm start and the buffers of delays, as
/// [`GpuBatch::set_full_state`] expects them.
fn full_state(d: &Data) -> Vec<f64> {
    [&[d.time][..], &d.qpos, &d.qvel, &d.act, &d.qacc_warmstart, &d.history].concat()
}

/// Poses of the mocap bodies, as [`GpuBatch::set_mocap`] expects them.
#[must_use]
pub fn mocap_poses(d: &Data) -> Vec<f64> {
    let poses = d.mocap_pos.chunks_exact(3).zip(d.mocap_quat.chunks_exact(4));
    poses.flat_map(|(pos, quat)| [pos, quat].concat()).collect()
}

/// Deterministic random numbers between -1 and 1.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self(seed);
        (0..8).for_each(|_| _ = random.next());
        random
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A random state near the reference configuration, with random velocities, activations, controls and mocap poses.
#[must_use]
pub fn random_state(m: &Model, seed: u64) -> Data {
    let mut random = Random::new(seed);
    let mut d = m.make_data();
    for q in &mut d.qpos {
        *q += 0.2 * random.next();
    }
    for v in &mut d.qvel {
        *v = 0.5 * random.next();
    }
    for u in &mut d.ctrl {
        *u = 0.5 * random.next();
    }
    for x in d.mocap_pos.iter_mut().chain(&mut d.mocap_quat) {
        *x += 0.1 * random.next();
    }
    // the bristles of a DC motor at such activations would accelerate it beyond all bounds
    for i in (0..m.nu).filter(|&i| m.actuator_dyntype[i] != DynType::DcMotor) {
        let first = m.actuator_actadr[i].max(0) as usize;
        for a in &mut d.act[first..first + m.actuator_actnum[i].max(0) as usize] {
            *a = 0.5 + 0.4 * random.next();
        }
    }
    random_histories(m, &mut d, &mut random);
    for j in 0..m.njnt {
        let adr = m.jnt_qposadr[j] as usize;
        let quat = match m.jnt_type[j] {
            JointType::Free => &mut d.qpos[adr + 3..adr + 7],
            JointType::Ball => &mut d.qpos[adr..adr + 4],
            _ => continue,
        };
        let norm = quat.iter().map(|x| x * x).sum::<f64>().sqrt();
        quat.iter_mut().for_each(|x| *x /= norm);
    }
    d
}

/// Sets the samples of delayed controls and sensors; their times stay those of a reset.
fn random_histories(m: &Model, d: &mut Data, random: &mut Random) {
    let controls = (0..m.nu).map(|i| (m.actuator_history[2 * i], m.actuator_historyadr[i], 1));
    let dims = m.sensor_dim.iter();
    let sensors = dims.zip(m.sensor_history.chunks_exact(2)).zip(&m.sensor_historyadr);
    let sensors = sensors.map(|((&dim, history), &adr)| (history[0], adr, dim));
    for (samples, adr, dim) in controls.chain(sensors).filter(|buffer| buffer.0 > 0) {
        // after the user value, the slot of the newest sample and the times
        let [samples, adr, dim] = [samples, adr, dim].map(|n| n.max(0) as usize);
        for value in &mut d.history[adr + 2 + samples..][..samples * dim] {
            *value = 0.5 * random.next();
        }
    }
}
