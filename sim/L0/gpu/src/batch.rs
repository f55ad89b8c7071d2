//! A batch of environments on the device.

use crate::GpuBatchError;
use crate::kernel::{Capacity, Kernel, Probe};
use mesh_gpu::{Access, Binding, Buffer, Context, Source, Timer};
use sim_core::Model;
use std::time::Duration;

/// Numbers that kernels compute with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    #[default]
    Single,
    /// 64 bits, for looking closely; not every device has them.
    Double,
}

impl Precision {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }
}

/// How a batch is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Numbers that kernels compute with.
    pub precision: Precision,
    /// Contacts that an environment has room for.
    pub contacts: Option<usize>,
    /// Rows of constraints that an environment has room for.
    pub rows: Option<usize>,
    /// Whether forces on dofs can be applied besides controls.
    pub applied: bool,
    /// Whether indices are checked as kernels run.
    pub checked: bool,
    /// Whether kernels do without subgroups even where the device has them.
    pub portable: bool,
    /// Whether everything that a step computes can be read, see [`GpuBatch::probe`].
    pub probe: bool,
    /// Lowest tolerance of the solver; by default 1e-6 in single precision.
    pub tolerance: Option<f64>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision: Precision::Single,
            contacts: None,
            rows: None,
            applied: false,
            checked: cfg!(debug_assertions),
            portable: false,
            probe: false,
            tolerance: None,
        }
    }
}

impl Options {
    pub(crate) fn tolerance(&self, m: &Model) -> f64 {
        let lowest = match self.precision {
            Precision::Single => 1e-6,
            Precision::Double => 1e-15,
        };
        m.opt.tolerance.max(self.tolerance.unwrap_or(lowest))
    }
}

/// What went wrong in an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// There were more contacts than room; the last ones were left out.
    pub contacts: bool,
    /// There were more rows than room; the last ones were left out.
    pub rows: bool,
    /// An acceleration was not finite; the environment stays where it was until it is reset.
    pub diverged: bool,
}

/// About the last step of an environment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What went wrong since the last reset.
    pub flags: Flags,
    /// Contacts with forces.
    pub contacts: usize,
    /// Rows of constraints.
    pub rows: usize,
    /// Iterations of the solver.
    pub iterations: usize,
}

#[derive(Debug)]
enum Numbers {
    Single(Buffer<f32>),
    Double(Buffer<f64>),
}

impl Numbers {
    fn new(
        gpu: &Context,
        precision: Precision,
        label: &str,
        values: &[f64],
    ) -> Result<Self, GpuBatchError> {
        Ok(match precision {
            Precision::Single => {
                let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
                Self::Single(Buffer::from_slice(gpu, label, &values)?)
            }
            Precision::Double => Self::Double(Buffer::from_slice(gpu, label, values)?),
        })
    }

    fn zeros(
        gpu: &Context,
        precision: Precision,
        label: &str,
        len: usize,
    ) -> Result<Self, GpuBatchError> {
        Ok(match precision {
            Precision::Single => Self::Single(Buffer::zeros(gpu, label, len)?),
            Precision::Double => Self::Double(Buffer::zeros(gpu, label, len)?),
        })
    }

    fn write(&self, gpu: &Context, start: usize, values: &[f64]) -> Result<(), GpuBatchError> {
        match self {
            Self::Single(buffer) => {
                let values: Vec<f32> = values.iter().map(|&v| v as f32).collect();
                buffer.write(gpu, start, &values)?;
            }
            Self::Double(buffer) => buffer.write(gpu, start, values)?,
        }
        Ok(())
    }

    fn read(&self, gpu: &Context) -> Result<Vec<f64>, GpuBatchError> {
        Ok(match self {
            Self::Single(buffer) => buffer.read(gpu)?.into_iter().map(f64::from).collect(),
            Self::Double(buffer) => buffer.read(gpu)?,
        })
    }

    fn raw(&self) -> RawBuffer<'_> {
        match self {
            Self::Single(buffer) => RawBuffer(buffer.raw()),
            Self::Double(buffer) => RawBuffer(buffer.raw()),
        }
    }
}

/// A buffer as a binding takes it.
struct RawBuffer<'a>(&'a mesh_gpu::Raw);

/// Environments of one model on the device.
#[derive(Debug)]
pub struct GpuBatch {
    gpu: Context,
    kernel: mesh_gpu::Kernel,
    binding: Binding,
    count: usize,
    sizes: Sizes,
    capacity: Capacity,
    probe: Probe,
    bytes: usize,
    states: Numbers,
    inputs: Numbers,
    out: Numbers,
    info: Buffer<u32>,
    run: Buffer<u32>,
    start: Vec<f64>,
    timer: Option<Timer>,
}

#[derive(Clone, Copy, Debug)]
struct Sizes {
    nq: usize,
    nv: usize,
    na: usize,
    nu: usize,
    state: usize,
    inputs: usize,
}

impl GpuBatch {
    /// `count` environments of a model at its reference configuration.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] names what the model needs and kernels cannot do.
    pub fn new(
        gpu: &Context,
        m: &Model,
        count: usize,
        options: &Options,
    ) -> Result<Self, GpuBatchError> {
        let double = options.precision == Precision::Double;
        if double && !gpu.has_f64() {
            let (adapter, what) = (gpu.name().to_string(), "it has no 64-bit numbers".to_string());
            return Err(mesh_gpu::GpuError::Unsupported { adapter, what }.into());
        }
        let subgroups = gpu.subgroup() == Some(32) && !options.portable && !double;
        let made = Kernel::new(m, options, subgroups)?;
        if made.bytes > gpu.workgroup_bytes() {
            let (need, have) = (made.bytes, gpu.workgroup_bytes());
            return Err(GpuBatchError::TooLarge { need, have, adapter: gpu.name().into() });
        }
        let capacity = Kernel::capacity(m, options, &made.tables);
        let kernel = gpu.kernel(&Source {
            label: "step",
            wgsl: &made.text,
            entry: "main",
            bindings: BINDINGS,
            checked: options.checked,
        })?;
        let precision = options.precision;
        let mut start = vec![0.0; made.state];
        start[1..1 + m.nq].copy_from_slice(&m.qpos0);
        let states = Numbers::new(gpu, precision, "states", &start.repeat(count))?;
        let inputs = Numbers::zeros(gpu, precision, "inputs", count * made.inputs)?;
        let probed = if options.probe { count * made.probe.len } else { 1 };
        let out = Numbers::zeros(gpu, precision, "out", probed)?;
        let numbers = Numbers::new(gpu, precision, "numbers", &made.tables.numbers)?;
        let indices = Buffer::from_slice(gpu, "indices", &made.tables.indices)?;
        let info = Buffer::zeros(gpu, "info", 4 * count)?;
        let run = Buffer::zeros(gpu, "run", 4)?;
        let scratch = Kernel::scratch(m, capacity, subgroups) * count;
        let scratch = Numbers::zeros(gpu, precision, "scratch", scratch)?;
        let binding = gpu.bind(
            &kernel,
            &[
                numbers.raw().0,
                indices.raw(),
                states.raw().0,
                inputs.raw().0,
                info.raw(),
                out.raw().0,
                run.raw(),
                scratch.raw().0,
            ],
        )?;
        let (state, inputs_size) = (made.state, made.inputs);
        let sizes = Sizes { nq: m.nq, nv: m.nv, na: m.na, nu: m.nu, state, inputs: inputs_size };
        Ok(Self {
            gpu: gpu.clone(),
            kernel,
            binding,
            count,
            sizes,
            capacity,
            probe: made.probe,
            bytes: made.bytes,
            states,
            inputs,
            out,
            info,
            run,
            start,
            timer: Timer::new(gpu),
        })
    }

    /// Environments.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Room for contacts and rows in each environment.
    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Bytes of workgroup memory that an environment takes while it is stepped.
    pub fn workgroup_bytes(&self) -> usize {
        self.bytes
    }

    /// Takes `steps` steps in all environments; returns at once.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step(&mut self, steps: usize) -> Result<(), GpuBatchError> {
        self.dispatch(steps, false)
    }

    /// Takes steps and says how long the device took.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn step_timed(&mut self, steps: usize) -> Result<Option<Duration>, GpuBatchError> {
        self.dispatch(steps, true)?;
        Ok(match &self.timer {
            Some(timer) => Some(timer.elapsed(&self.gpu)?),
            None => None,
        })
    }

    fn dispatch(&mut self, steps: usize, timed: bool) -> Result<(), GpuBatchError> {
        let groups = u32::try_from(self.count).unwrap_or(u32::MAX);
        let steps = u32::try_from(steps).unwrap_or(u32::MAX);
        self.run.write(&self.gpu, 0, &[groups, steps, 0, 0])?;
        let timer = self.timer.as_ref().filter(|_| timed);
        self.gpu.run(&self.kernel, &self.binding, groups, 1, timer);
        Ok(())
    }

    /// Waits until everything asked for is done.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn wait(&self) -> Result<(), GpuBatchError> {
        Ok(self.gpu.wait()?)
    }

    /// Sets the controls of all environments, one after another.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times controls.
    pub fn set_ctrl(&mut self, ctrl: &[f64]) -> Result<(), GpuBatchError> {
        let (nu, n) = (self.sizes.nu, self.sizes.inputs);
        expect("ctrl", ctrl.len(), self.count * nu)?;
        let mut inputs = vec![0.0; self.count * n];
        for (to, from) in inputs.chunks_exact_mut(n).zip(ctrl.chunks_exact(nu.max(1))) {
            to[..nu].copy_from_slice(from);
        }
        self.inputs.write(&self.gpu, 0, &inputs)
    }

    /// Positions and velocities of all environments, one after another, as [`BatchResult`] has them.
    ///
    /// [`BatchResult`]: https://docs.rs/sim-physics
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn state(&self) -> Result<Vec<f64>, GpuBatchError> {
        let Sizes { nq, nv, state, .. } = self.sizes;
        let all = self.states.read(&self.gpu)?;
        Ok(all.chunks_exact(state).flat_map(|s| s[1..1 + nq + nv].iter().copied()).collect())
    }

    /// Sets positions and velocities of all environments, one after another; clears activations,
    /// warm starts and what went wrong.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there are more or fewer than environments times `nq + nv`.
    pub fn set_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        let Sizes { nq, nv, state: n, .. } = self.sizes;
        expect("state", state.len(), self.count * (nq + nv))?;
        let mut all = self.start.repeat(self.count);
        for (to, from) in all.chunks_exact_mut(n).zip(state.chunks_exact(nq + nv)) {
            to[1..1 + nq + nv].copy_from_slice(from);
        }
        self.states.write(&self.gpu, 0, &all)?;
        Ok(self.info.write(&self.gpu, 0, &vec![0; 4 * self.count])?)
    }

    /// Everything that is carried from step to step: time, positions, velocities, activations, warm
    /// start of each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn full_state(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.states.read(&self.gpu)
    }

    /// The same the other way round.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if there is more or less.
    pub fn set_full_state(&mut self, state: &[f64]) -> Result<(), GpuBatchError> {
        expect("state", state.len(), self.count * self.sizes.state)?;
        self.states.write(&self.gpu, 0, state)
    }

    /// Puts environments back to where they began.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Length`] if the mask has more or fewer entries than there are environments.
    pub fn reset_where(&mut self, mask: &[bool]) -> Result<(), GpuBatchError> {
        expect("mask", mask.len(), self.count)?;
        for (k, _) in mask.iter().enumerate().filter(|(_, reset)| **reset) {
            self.states.write(&self.gpu, k * self.sizes.state, &self.start)?;
            self.info.write(&self.gpu, 4 * k, &[0; 4])?;
        }
        Ok(())
    }

    /// About the last step of each environment.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn info(&self) -> Result<Vec<Info>, GpuBatchError> {
        let all = self.info.read(&self.gpu)?;
        let info = |i: &[u32]| Info {
            flags: Flags { contacts: i[0] & 1 != 0, rows: i[0] & 2 != 0, diverged: i[0] & 4 != 0 },
            contacts: i[1] as usize,
            rows: i[2] as usize,
            iterations: i[3] as usize,
        };
        Ok(all.chunks_exact(4).map(info).collect())
    }

    /// Where things are in what [`GpuBatch::probe`] returns.
    pub fn probe_layout(&self) -> &Probe {
        &self.probe
    }

    /// Everything that the last step computed before it moved, for each environment; empty without
    /// [`Options::probe`].
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Device`] if the device has failed.
    pub fn probe(&self) -> Result<Vec<f64>, GpuBatchError> {
        self.out.read(&self.gpu)
    }

    /// Activations of an environment.
    pub fn activations(&self) -> usize {
        self.sizes.na
    }
}

const BINDINGS: &[Access] = &[
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Read,
    Access::Write,
];

fn expect(what: &'static str, have: usize, want: usize) -> Result<(), GpuBatchError> {
    if have == want { Ok(()) } else { Err(GpuBatchError::Length { what, have, want }) }
}
