//! Keyframes.

use super::{BodyId, Origin};

/// A saved state. Empty vectors mean the reference state.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs, reason = "the fields are MJCF's attribute names")]
pub struct Key {
    pub name: String,
    pub time: f64,
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
    pub act: Vec<f64>,
    pub ctrl: Vec<f64>,
    pub mpos: Vec<f64>,
    pub mquat: Vec<f64>,
    /// The state by object, once the tree it was written for has changed; replaces the vectors.
    pub(crate) saved: Option<Box<SavedKey>>,
    pub origin: Origin,
}

/// A keyframe that stays with its objects while the tree around them changes.
#[derive(Debug, Clone, Default)]
pub(crate) struct SavedKey {
    /// Positions, by body and place in its list of joints; `None` when they were not given.
    pub(crate) qpos: Option<Vec<(BodyId, usize, Vec<f64>)>>,
    pub(crate) qvel: Option<Vec<(BodyId, usize, Vec<f64>)>>,
    /// Activations and controls, by actuator.
    pub(crate) act: Option<Vec<(usize, Vec<f64>)>>,
    pub(crate) ctrl: Option<Vec<(usize, f64)>>,
    /// Poses of bodies that the caller moves.
    pub(crate) mpos: Option<Vec<(BodyId, [f64; 3])>>,
    pub(crate) mquat: Option<Vec<(BodyId, [f64; 4])>>,
}
