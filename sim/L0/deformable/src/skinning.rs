//! Skeletal skinning: linear blend and dual quaternion skinning.
//!
//! Linear blending averages transforms as matrices: fast, but twisted joints collapse. Dual
//! quaternions average rigid transforms and stay rigid (Kavan, Collins, Žára, O'Sullivan 2007,
//! "Skinning with dual quaternions").

use crate::error::{DeformableError, length};
use nalgebra::{Isometry3, Matrix3, Quaternion, Vector3};

/// A bone of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// Name.
    pub name: String,
    /// Index of the parent bone, which precedes it; `None` for a root.
    pub parent: Option<usize>,
    /// Rest frame relative to the parent.
    pub rest: Isometry3<f64>,
}

/// Bones with their rest frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    /// World-to-bone transforms in the rest pose.
    to_bone: Vec<Isometry3<f64>>,
}

impl Skeleton {
    /// A skeleton of these bones, parents first.
    ///
    /// # Errors
    /// No bones, a parent that does not precede its child, or a frame that is not finite.
    pub fn new(bones: Vec<Bone>) -> Result<Self, DeformableError> {
        if bones.is_empty() {
            return Err(DeformableError::Empty { what: "bones" });
        }
        for (bone, b) in bones.iter().enumerate() {
            if b.parent.is_some_and(|parent| parent >= bone) {
                let message = "its parent must come before it";
                return Err(DeformableError::Bone { bone, message });
            }
            if !is_finite(&b.rest) {
                return Err(DeformableError::Bone { bone, message: "its frame is not finite" });
            }
        }
        let local: Vec<_> = bones.iter().map(|b| b.rest).collect();
        let mut skeleton = Self { to_bone: local.clone(), bones };
        let mut world = local.clone();
        skeleton.pose(&local, &mut world)?;
        skeleton.to_bone = world.iter().map(Isometry3::inverse).collect();
        Ok(skeleton)
    }

    /// The bones.
    #[must_use]
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// Index of the bone with this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.bones.iter().position(|b| b.name == name)
    }

    /// Computes world frames from frames relative to the parents.
    ///
    /// # Errors
    /// Slices whose length is not the number of bones.
    pub fn pose(
        &self,
        local: &[Isometry3<f64>],
        world: &mut [Isometry3<f64>],
    ) -> Result<(), DeformableError> {
        length("local frames", local.len(), self.bones.len())?;
        length("world frames", world.len(), self.bones.len())?;
        for (k, bone) in self.bones.iter().enumerate() {
            world[k] = bone.parent.map_or(local[k], |parent| world[parent] * local[k]);
        }
        Ok(())
    }
}

fn is_finite(frame: &Isometry3<f64>) -> bool {
    frame.translation.vector.iter().chain(frame.rotation.coords.iter()).all(|v| v.is_finite())
}

/// Influence of a bone on a vertex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// Index of the bone.
    pub bone: usize,
    /// Weight; the weights of a vertex are normalized to a sum of 1.
    pub weight: f64,
}

/// Method of averaging bone transforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SkinningMethod {
    /// Linear blend skinning: average of matrices.
    #[default]
    Linear,
    /// Dual quaternion skinning: average of rigid transforms.
    DualQuaternion,
}

/// A mesh that is deformed by the bones of a skeleton.
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use sim_deformable::{Bone, Influence, Skeleton, SkinnedMesh, SkinningMethod};
///
/// let bone = Bone { name: "arm".into(), parent: None, rest: Isometry3::identity() };
/// let skeleton = Skeleton::new(vec![bone])?;
/// let vertices = [Vector3::new(1.0, 0.0, 0.0)];
/// let mut skin = SkinnedMesh::new(&skeleton, &vertices, &[&[Influence { bone: 0, weight: 1.0 }]])?;
/// let mut moved = vertices;
/// let turn = Isometry3::rotation(Vector3::z() * std::f64::consts::FRAC_PI_2);
/// skin.deform(&[turn], SkinningMethod::DualQuaternion, &mut moved)?;
/// assert!((moved[0] - Vector3::y()).norm() < 1e-15);
/// # Ok::<(), sim_deformable::DeformableError>(())
/// ```
#[derive(Debug, Clone)]
pub struct SkinnedMesh {
    rest: Vec<Vector3<f64>>,
    /// Influences of all vertices, by decreasing weight per vertex.
    influences: Vec<Influence>,
    /// Start of the influences of each vertex, and the number of influences.
    starts: Vec<usize>,
    to_bone: Vec<Isometry3<f64>>,
    moves: Vec<Isometry3<f64>>,
    matrices: Vec<(Matrix3<f64>, Vector3<f64>)>,
    duals: Vec<[Quaternion<f64>; 2]>,
}

impl SkinnedMesh {
    /// A mesh with its vertices in the rest pose of the skeleton, m, and the influences of each
    /// vertex.
    ///
    /// # Errors
    /// Vertices that are not finite; weights that are negative, not finite or all zero; or bones
    /// that do not exist.
    pub fn new(
        skeleton: &Skeleton,
        vertices: &[Vector3<f64>],
        weights: &[&[Influence]],
    ) -> Result<Self, DeformableError> {
        length("lists of weights", weights.len(), vertices.len())?;
        if let Some(vertex) = vertices.iter().position(|x| !x.iter().all(|v| v.is_finite())) {
            return Err(DeformableError::NotFinite { vertex });
        }
        let n = skeleton.bones.len();
        let (mut influences, mut starts) = (Vec::new(), vec![0]);
        for (vertex, list) in weights.iter().enumerate() {
            let wrong = |message| DeformableError::Weights { vertex, message };
            if list.iter().any(|i| i.bone >= n) {
                return Err(wrong("there is no such bone"));
            }
            if list.iter().any(|i| !i.weight.is_finite() || i.weight < 0.0) {
                return Err(wrong("a weight is negative or not finite"));
            }
            let sum: f64 = list.iter().map(|i| i.weight).sum();
            if !(sum.is_finite() && sum > 0.0) {
                return Err(wrong("their sum must be above 0"));
            }
            let at = influences.len();
            let scaled = list.iter().map(|i| Influence { weight: i.weight / sum, ..*i });
            influences.extend(scaled.filter(|i| i.weight > 0.0));
            influences[at..].sort_by(|a, b| b.weight.total_cmp(&a.weight));
            starts.push(influences.len());
        }
        let rest = vertices.to_vec();
        let to_bone = skeleton.to_bone.clone();
        let moves = vec![Isometry3::identity(); n];
        let matrices = vec![(Matrix3::identity(), Vector3::zeros()); n];
        let duals = vec![[Quaternion::identity(), Quaternion::from_imag(Vector3::zeros())]; n];
        Ok(Self { rest, influences, starts, to_bone, moves, matrices, duals })
    }

    /// Number of vertices.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rest.len()
    }

    /// Whether there are no vertices.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Computes the vertices for the world frames of the bones.
    ///
    /// # Errors
    /// Slices whose length is not the number of bones or vertices.
    pub fn deform(
        &mut self,
        world: &[Isometry3<f64>],
        method: SkinningMethod,
        vertices: &mut [Vector3<f64>],
    ) -> Result<(), DeformableError> {
        length("world frames", world.len(), self.moves.len())?;
        length("vertices", vertices.len(), self.rest.len())?;
        for (k, m) in self.moves.iter_mut().enumerate() {
            *m = world[k] * self.to_bone[k];
        }
        match method {
            SkinningMethod::Linear => self.linear(vertices),
            SkinningMethod::DualQuaternion => self.dual_quaternion(vertices),
        }
        Ok(())
    }

    fn linear(&mut self, vertices: &mut [Vector3<f64>]) {
        for (matrix, m) in self.matrices.iter_mut().zip(&self.moves) {
            *matrix = (*m.rotation.to_rotation_matrix().matrix(), m.translation.vector);
        }
        for (v, out) in vertices.iter_mut().enumerate() {
            let mut sum = Vector3::zeros();
            for i in &self.influences[self.starts[v]..self.starts[v + 1]] {
                let (rotation, shift) = &self.matrices[i.bone];
                sum += i.weight * (rotation * self.rest[v] + shift);
            }
            *out = sum;
        }
    }

    fn dual_quaternion(&mut self, vertices: &mut [Vector3<f64>]) {
        for (dual, m) in self.duals.iter_mut().zip(&self.moves) {
            let q = *m.rotation.quaternion();
            *dual = [q, Quaternion::from_imag(m.translation.vector) * q * 0.5];
        }
        for (v, out) in vertices.iter_mut().enumerate() {
            let list = &self.influences[self.starts[v]..self.starts[v + 1]];
            // q and −q are the same rotation: use the sign nearest to the bone of the largest
            // weight
            let heaviest = self.duals[list[0].bone];
            let mut sum = [heaviest[0] * list[0].weight, heaviest[1] * list[0].weight];
            for i in &list[1..] {
                let dual = self.duals[i.bone];
                let flip = dual[0].coords.dot(&heaviest[0].coords) < 0.0;
                let weight = if flip { -i.weight } else { i.weight };
                sum[0] += dual[0] * weight;
                sum[1] += dual[1] * weight;
            }
            *out = apply(sum, self.rest[v]);
        }
    }
}

/// Transforms a point by a dual quaternion that need not be normalized.
fn apply([real, dual]: [Quaternion<f64>; 2], x: Vector3<f64>) -> Vector3<f64> {
    let n2 = real.norm_squared();
    let turned = real * Quaternion::from_imag(x) * real.conjugate();
    let shift = dual * real.conjugate() * 2.0;
    (turned.imag() + shift.imag()) / n2
}
