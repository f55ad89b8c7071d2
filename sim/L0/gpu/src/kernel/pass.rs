//! Parts of a step, each of which is a kernel.

/// Part of a step that a kernel computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// All of it.
    Single = 0,
    /// All of it, unless long narrow-phase functions are needed or tree groups are coupled: such environments are
    /// suspended.
    First = 1,
    /// The long narrow-phase functions of suspended environments.
    NarrowPhase = 2,
    /// The rest of the step of suspended environments.
    Second = 3,
}

impl Pass {
    /// Whether the kernel contains the long narrow-phase functions.
    pub(crate) fn has_long(self) -> bool {
        matches!(self, Self::Single | Self::NarrowPhase)
    }

    /// Whether the kernel contains the short narrow-phase functions.
    pub(crate) fn has_short(self) -> bool {
        self != Self::NarrowPhase
    }
}
