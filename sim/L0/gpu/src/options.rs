//! Options of a batch.

use sim_core::Model;
use sim_types::DisableBit;

/// Floating-point precision of kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// 32 bits.
    #[default]
    Single,
    /// 64 bits, for debugging and comparison; not every device supports it.
    Double,
}

impl Precision {
    pub(crate) fn bytes(self) -> usize {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// The WGSL type.
    pub(crate) fn wgsl(self) -> &'static str {
        match self {
            Self::Single => "f32",
            Self::Double => "f64",
        }
    }
}

/// Whether kernels of a single subgroup synchronise their accesses to storage buffers.
///
/// Such kernels keep matrices in storage buffers that lanes write and other lanes of the same subgroup read. WGSL
/// requires a `storageBarrier()` in between. On NVIDIA GPUs the lanes of a subgroup observe each other's writes after
/// a `workgroupBarrier()` alone, and omitting the storage barrier is faster. Kernels with several subgroups per
/// workgroup, and kernels without subgroup operations, always contain the barriers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StorageBarriers {
    /// Omit the barriers within a subgroup. Kernels with subgroup operations then run on NVIDIA GPUs only; other
    /// devices use the portable kernels.
    #[default]
    Assumed,
    /// Emit every barrier that WGSL requires. Kernels with subgroup operations then run on every device with
    /// subgroups of 32.
    Explicit,
}

/// Functions of the user that take part in a step, as WGSL source. They are evaluated in every step, and in every stage
/// of the Runge–Kutta integrator, by the lane of the actuator or dof. They may call `qpos(i)`, `qvel(i)`, `ctrl(i)` (the
/// input of the batch) and `time()`, with indices of type `u32`. Numbers have the type `real`. Names of further functions
/// must differ between the sources, because all belong to one module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Callbacks {
    /// `fn mjcb_control(i: u32) -> real`: the control of actuator `i`, instead of `ctrl(i)`. Control ranges and delays
    /// apply to it.
    pub control: Option<String>,
    /// `fn mjcb_passive(i: u32) -> real`: a generalised force on dof `i` that is added to the passive forces.
    pub passive: Option<String>,
}

impl Callbacks {
    /// The passive callback, which is not called if springs and dampers are disabled, as in `mj_passive`.
    pub(crate) fn passive(&self, m: &Model) -> Option<&str> {
        let disabled = |bit| m.opt.disabled(bit);
        let all = disabled(DisableBit::Spring) && disabled(DisableBit::Damper);
        self.passive.as_deref().filter(|_| !all)
    }
}

/// Options of a [`GpuBatch`](crate::GpuBatch).
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Floating-point precision.
    pub precision: Precision,
    /// Contact capacity of an environment; by default 24 for each kinematic tree, and those of one pair more if geoms with
    /// signed distance fields may collide.
    pub contacts: Option<usize>,
    /// Constraint-row capacity of an environment; by default derived from the contact capacity.
    pub rows: Option<usize>,
    /// Whether generalised forces can be applied in addition to controls
    /// ([`GpuBatch::set_applied`](crate::GpuBatch::set_applied)).
    pub applied: bool,
    /// Whether kernels check array indices.
    pub checked: bool,
    /// Whether one lane does all the work of an environment. Such a kernel has no barriers, whose compilation takes
    /// most of the time with software drivers, so that it compiles in a fraction of the time. It is slower on a GPU.
    pub one_lane: bool,
    /// Whether kernels avoid subgroup operations even if the device supports them.
    pub portable: bool,
    /// Storage synchronisation within a subgroup.
    pub storage_barriers: StorageBarriers,
    /// Whether a first kernel pass suspends environments with box or convex geoms close to each other, a second pass
    /// tests these pairs, one lane each, and a third one resumes the environments. By default this is used from 32
    /// environments on. Three kernels have to be compiled instead of one.
    pub two_passes: Option<bool>,
    /// Environments that have scratch memory at the same time: matrices, and arrays of models that exceed workgroup
    /// memory. If the batch has more, a step consists of several dispatches, one after another. By default as many as
    /// fit the largest buffer of the device.
    pub scratch_environments: Option<usize>,
    /// Whether intermediate results of a step can be read, see [`GpuBatch::output`](crate::GpuBatch::output).
    pub probe: bool,
    /// Lower bound of the solver tolerance; by default 1e-6 in single precision.
    pub tolerance: Option<f64>,
    /// Reward and termination as WGSL functions: `fn reward() -> real` and `fn terminated() -> bool`. They may call
    /// `qpos(i)`, `qvel(i)`, `ctrl(i)`, `sensor(i)` and `time()`, with indices of type `u32`; every lane of a workgroup
    /// calls them. With a task, environments that terminate, reach [`Options::max_episode_steps`] or diverge are reset
    /// automatically to a state of the initial-state table.
    pub task: Option<String>,
    /// Functions that take part in a step.
    pub callbacks: Callbacks,
    /// Length of an episode, after which it is truncated.
    pub max_episode_steps: Option<u32>,
    /// Seed of the choice of initial states.
    pub seed: u32,
    /// Whether other APIs on the same GPU, such as CUDA, can import states, inputs, outputs and statistics; see
    /// [`GpuBatch::shared_memory`](crate::GpuBatch::shared_memory). Requires Vulkan on Linux.
    pub shared: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            precision: Precision::Single,
            contacts: None,
            rows: None,
            applied: false,
            checked: cfg!(debug_assertions),
            one_lane: false,
            portable: false,
            storage_barriers: StorageBarriers::Assumed,
            two_passes: None,
            scratch_environments: None,
            probe: false,
            tolerance: None,
            task: None,
            callbacks: Callbacks::default(),
            max_episode_steps: None,
            seed: 0,
            shared: false,
        }
    }
}

/// Environments from which on several passes are the default.
const TWO_PASSES_MIN: usize = 32;

impl Options {
    pub(crate) fn two_passes(&self, count: usize) -> bool {
        self.two_passes.unwrap_or(count >= TWO_PASSES_MIN)
    }

    /// Most lanes of a workgroup on a device that allows `available`.
    pub(crate) fn max_lanes(&self, available: usize) -> usize {
        if self.one_lane { 1 } else { available }
    }

    /// Solver tolerance of a model.
    pub(crate) fn tolerance(&self, m: &Model) -> f64 {
        let lowest = match self.precision {
            Precision::Single => 1e-6,
            Precision::Double => 1e-15,
        };
        m.opt.tolerance.max(self.tolerance.unwrap_or(lowest))
    }
}
