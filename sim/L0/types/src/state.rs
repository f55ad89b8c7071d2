//! Components of the simulation state (`mjtState`).

use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

/// Set of state components, with MuJoCo's bits (`mjtState`).
///
/// ```
/// use sim_types::StateBits;
/// let sig = StateBits::QPOS | StateBits::QVEL;
/// assert_eq!(sig.bits(), 6);
/// assert!(StateBits::PHYSICS.contains(sig));
/// assert_eq!(StateBits::from_bits(1 << 14), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct StateBits(u32);

impl StateBits {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// Simulated time.
    pub const TIME: Self = Self(1 << 0);
    /// Positions.
    pub const QPOS: Self = Self(1 << 1);
    /// Velocities.
    pub const QVEL: Self = Self(1 << 2);
    /// Activations of actuators.
    pub const ACT: Self = Self(1 << 3);
    /// History buffers of controls and sensors.
    pub const HISTORY: Self = Self(1 << 4);
    /// Warm-start acceleration of the constraint solver.
    pub const WARMSTART: Self = Self(1 << 5);
    /// Controls.
    pub const CTRL: Self = Self(1 << 6);
    /// Applied joint forces.
    pub const QFRC_APPLIED: Self = Self(1 << 7);
    /// Applied forces and torques on bodies.
    pub const XFRC_APPLIED: Self = Self(1 << 8);
    /// Activation of equality constraints.
    pub const EQ_ACTIVE: Self = Self(1 << 9);
    /// Positions of mocap bodies.
    pub const MOCAP_POS: Self = Self(1 << 10);
    /// Orientations of mocap bodies.
    pub const MOCAP_QUAT: Self = Self(1 << 11);
    /// User data.
    pub const USERDATA: Self = Self(1 << 12);
    /// State of plugins.
    pub const PLUGIN: Self = Self(1 << 13);

    /// Physics state: positions, velocities, activations, history.
    pub const PHYSICS: Self = Self(Self::QPOS.0 | Self::QVEL.0 | Self::ACT.0 | Self::HISTORY.0);
    /// [`PHYSICS`](Self::PHYSICS) with time and plugins.
    pub const FULLPHYSICS: Self = Self(Self::TIME.0 | Self::PHYSICS.0 | Self::PLUGIN.0);
    /// User inputs.
    pub const USER: Self = Self(
        Self::CTRL.0
            | Self::QFRC_APPLIED.0
            | Self::XFRC_APPLIED.0
            | Self::EQ_ACTIVE.0
            | Self::MOCAP_POS.0
            | Self::MOCAP_QUAT.0
            | Self::USERDATA.0,
    );
    /// Complete state: all inputs of the next step.
    pub const INTEGRATION: Self = Self(Self::FULLPHYSICS.0 | Self::USER.0 | Self::WARMSTART.0);

    /// Number of components (`mjNSTATE`).
    pub const COUNT: u32 = 14;

    /// The set with these bits; `None` if an undefined bit is set.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        if bits < 1 << Self::COUNT { Some(Self(bits)) } else { None }
    }

    /// The bits as an integer.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether every component of `other` is in this set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Iterates over the components in the order of the state vector.
    pub fn parts(self) -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(|k| Self(1 << k)).filter(move |&part| self.contains(part))
    }
}

impl BitOr for StateBits {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for StateBits {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for StateBits {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for StateBits {
    type Output = Self;

    fn not(self) -> Self {
        Self(!self.0 & Self::INTEGRATION.0)
    }
}

/// Error of reading or writing a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// The length of the state vector does not match the requested components.
    #[error("the state vector has {given} entries, but the requested components have {needed}")]
    Length {
        /// Size of the requested components.
        needed: usize,
        /// Length of the vector.
        given: usize,
    },
    /// Requested components are missing in the source.
    #[error(
        "the source has the components {source_bits:#x}, which do not contain {wanted_bits:#x}"
    )]
    NotContained {
        /// Components of the source.
        source_bits: u32,
        /// Requested components.
        wanted_bits: u32,
    },
    /// The data was created for a model with different sizes.
    #[error("the data does not belong to this model: their sizes differ")]
    OtherModel,
    /// There is no keyframe with this index.
    #[error("there is no keyframe {key}: the model has {nkey}; raise <size nkey=\"{}\"/>", key.saturating_add(1))]
    NoKeyframe {
        /// Requested index.
        key: usize,
        /// Number of keyframes.
        nkey: usize,
    },
}
