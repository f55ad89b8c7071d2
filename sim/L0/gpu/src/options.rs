//! How a batch is made.

use sim_core::Model;

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
    /// Contacts that an environment has room for; some two dozen for each tree if not said.
    pub contacts: Option<usize>,
    /// Rows of constraints that an environment has room for.
    pub rows: Option<usize>,
    /// Whether forces on dofs can be applied besides controls.
    pub applied: bool,
    /// Whether indices are checked as kernels run.
    pub checked: bool,
    /// Whether one lane does all the work of an environment. A kernel then needs no barriers, which is
    /// what drivers that run on a processor compile longest: it is ready in a fraction of the time. A
    /// card is slower with it.
    pub one_lane: bool,
    /// Whether kernels do without subgroups even where the device has them.
    pub portable: bool,
    /// Whether a first pass leaves environments whose boxes or convex solids are close to a second one,
    /// which a card that is full is faster with; if not said, where there are at least 256
    /// environments. Takes two kernels to compile instead of one.
    pub two_passes: Option<bool>,
    /// Whether everything that a step computes can be read, see
    /// [`GpuBatch::output`](crate::GpuBatch::output).
    pub probe: bool,
    /// Lowest tolerance of the solver; 1e-6 in single precision if not said.
    pub tolerance: Option<f64>,
    /// Reward and end of an episode, as WGSL: `fn reward() -> real` and `fn terminated() -> bool`.
    /// They may call `qpos(i)`, `qvel(i)`, `ctrl(i)`, `sensor(i)` and `time()`, with indices of type
    /// `u32`; every lane of a workgroup calls them. With a task, environments that end, reach the
    /// limit of steps or diverge go back to a state of the bank by themselves.
    pub task: Option<String>,
    /// Most steps of an episode.
    pub most_steps: Option<u32>,
    /// Decides which states of the bank resets take.
    pub seed: u32,
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
            two_passes: None,
            probe: false,
            tolerance: None,
            task: None,
            most_steps: None,
            seed: 0,
        }
    }
}

/// Environments from which on two passes are the rule.
const MANY: usize = 256;

impl Options {
    pub(crate) fn two_passes(&self, count: usize) -> bool {
        self.two_passes.unwrap_or(count >= MANY)
    }

    pub(crate) fn tolerance(&self, m: &Model) -> f64 {
        let lowest = match self.precision {
            Precision::Single => 1e-6,
            Precision::Double => 1e-15,
        };
        m.opt.tolerance.max(self.tolerance.unwrap_or(lowest))
    }
}
