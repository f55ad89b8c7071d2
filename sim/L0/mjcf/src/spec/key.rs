//! Keyframes (mjsKey).

use super::{BodyId, Origin, Spec};

/// A keyframe. Empty vectors stand for the reference state.
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
    /// State per object, once the tree has changed; replaces the vectors.
    pub(crate) saved: Option<Box<ObjectKey>>,
    pub origin: Origin,
}

/// The state of a keyframe stored per object, which is independent of changes of the tree. Objects that are not
/// listed have their reference state.
#[derive(Debug, Clone, Default)]
pub struct ObjectKey {
    /// Positions, by body and index in its list of joints; `None` if not specified.
    pub qpos: Option<Vec<(BodyId, usize, Vec<f64>)>>,
    /// Velocities, by body and index in its list of joints.
    pub qvel: Option<Vec<(BodyId, usize, Vec<f64>)>>,
    /// Activations, by actuator.
    pub act: Option<Vec<(usize, Vec<f64>)>>,
    /// Controls, by actuator.
    pub ctrl: Option<Vec<(usize, f64)>>,
    /// Positions of mocap bodies.
    pub mpos: Option<Vec<(BodyId, [f64; 3])>>,
    /// Orientations of mocap bodies.
    pub mquat: Option<Vec<(BodyId, [f64; 4])>>,
}

impl Key {
    /// Replaces the vectors by a state per object.
    #[must_use]
    pub fn objects(self, state: ObjectKey) -> Self {
        let Self { name, time, origin, .. } = self;
        Self { name, time, origin, saved: Some(Box::new(state)), ..Self::default() }
    }

    /// Whether the state is stored per object, and the vectors are empty.
    #[must_use]
    pub fn has_objects(&self) -> bool {
        self.saved.is_some()
    }
}

impl Spec {
    /// All keyframes in the order of the compiled model: those given as vectors, `None` for each that
    /// `size nkey` adds, and those that `replicate` and `attach` create. As in MuJoCo, the latter do
    /// not count towards `nkey`.
    pub(crate) fn keyframes(&self) -> impl Iterator<Item = Option<&Key>> {
        let created = self.keys.iter().filter(|key| key.saved.is_some()).map(Some);
        let given = self.keys.iter().filter(|key| key.saved.is_none()).map(Some);
        given.chain(std::iter::repeat_n(None, self.nkey() - self.keys.len())).chain(created)
    }

    /// Number of keyframes of the compiled model.
    pub(crate) fn nkey(&self) -> usize {
        let created = self.keys.iter().filter(|key| key.saved.is_some()).count();
        let given = self.keys.len() - created;
        created + given.max(usize::try_from(self.size.nkey).unwrap_or(0))
    }
}
