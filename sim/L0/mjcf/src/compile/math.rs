//! Small vector, quaternion and matrix operations of the compiler.
//!
//! Matrices are row-major; quaternions are (w, x, y, z).

pub(super) use crate::asset::normalize::{EPS, normalize};
pub(super) use sim_core::math::quat::{IDENTITY, Quat, conjugate, to_mat};
pub(super) use sim_core::math::vec3::{Vec3, add, cross, dot, sub};
use sim_core::math::{mat3, quat};

/// Tolerance for equal poses (`sameframe`).
const FRAME_EPS: f64 = 1e-6;
/// Convergence threshold of the eigenvalue iteration (`mju_eig3`).
const EIG_EPS: f64 = 1e-12;
const EIG_ITERATIONS: usize = 500;
/// Cosine and sine of 45 degrees, rounded to 15 digits as in MuJoCo, so that principal axes of meshes agree to
/// the last bit.
#[allow(clippy::approx_constant, reason = "the rounded constant is intended")]
const COS_45: f64 = 0.707_106_781_186_548;

/// Normalized product of two quaternions.
pub(super) fn mul_quat(a: Quat, b: Quat) -> Quat {
    let mut q = quat::mul(a, b);
    normalize(&mut q);
    q
}

/// Rotates a vector: v + 2 q × (w v + q × v).
pub(super) fn rotate(q: Quat, v: Vec3) -> Vec3 {
    let [w, x, y, z] = q;
    if v == [0.0; 3] || q == IDENTITY {
        return v;
    }
    let t = [
        w * v[0] + y * v[2] - z * v[1],
        w * v[1] + z * v[0] - x * v[2],
        w * v[2] + x * v[1] - y * v[0],
    ];
    add(v, cross([x, y, z], t).map(|c| 2.0 * c))
}

/// Position and orientation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    pub(super) pos: Vec3,
    pub(super) quat: Quat,
}

impl Pose {
    pub(super) const IDENTITY: Self = Self { pos: [0.0; 3], quat: IDENTITY };

    /// Composition `self * child`: transforms `child` from the frame `self` to its parent frame.
    pub(super) fn then(&self, child: Self) -> Self {
        Self {
            pos: add(self.pos, mat3::mul_vec(&to_mat(self.quat), child.pos)),
            quat: mul_quat(self.quat, child.quat),
        }
    }

    /// Inverse pose.
    pub(super) fn inverse(&self) -> Self {
        let quat = conjugate(self.quat);
        Self { pos: rotate(quat, self.pos).map(|x| -x), quat }
    }

    pub(super) fn same(&self, other: &Self) -> bool {
        same_pos(self.pos, other.pos) && same_quat(self.quat, other.quat)
    }
}

pub(super) fn same_pos(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < FRAME_EPS)
}

/// Whether two quaternions are the same rotation, up to sign.
pub(super) fn same_quat(a: Quat, b: Quat) -> bool {
    (0..4).all(|i| (a[i] - b[i]).abs() < FRAME_EPS)
        || (0..4).all(|i| (a[i] + b[i]).abs() < FRAME_EPS)
}

/// The smallest rotation that takes the z axis to `direction`, a unit vector.
pub(super) fn z_to(direction: Vec3) -> Quat {
    let mut axis = cross([0.0, 0.0, 1.0], direction);
    let sine = normalize(&mut axis);
    if sine < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    }
    let (s, c) = (sine.atan2(direction[2]) / 2.0).sin_cos();
    [c, s * axis[0], s * axis[1], s * axis[2]]
}

/// The rotation whose columns are the given orthonormal axes.
pub(super) fn from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    quat::from_mat(&[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]])
}

/// Inertia matrix (xx yy zz xy xz yz) of principal moments rotated by `quat`.
pub(super) fn rotated_inertia(moments: Vec3, quat: Quat) -> [f64; 6] {
    let r = to_mat(quat);
    let entry =
        |i: usize, j: usize| (0..3).map(|k| r[3 * i + k] * moments[k] * r[3 * j + k]).sum::<f64>();
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]
}

/// Inertia matrix of a point mass at `at` (parallel-axis term).
pub(super) fn point_inertia(mass: f64, at: Vec3) -> [f64; 6] {
    let [x, y, z] = at;
    [
        mass * (y * y + z * z),
        mass * (x * x + z * z),
        mass * (x * x + y * y),
        -mass * x * y,
        -mass * x * z,
        -mass * y * z,
    ]
}

/// Principal moments in decreasing order, and the orientation of the principal axes (mju_eig3).
///
/// Jacobi's method with the rotation stored as a quaternion: each iteration eliminates the largest
/// off-diagonal entry of (Rᵀ A) R by a rotation about the third axis. The order of operations is MuJoCo's: the
/// normal of a polygon with nearly collinear vertices amplifies the rounding of the principal axes.
pub(crate) fn principal_axes(full: [f64; 6]) -> (Vec3, Quat) {
    let [xx, yy, zz, xy, xz, yz] = full;
    let matrix = [xx, xy, xz, xy, yy, yz, xz, yz, zz];
    let mut quat = IDENTITY;
    let mut values = [0.0; 3];
    for _ in 0..EIG_ITERATIONS {
        let r = to_mat(quat);
        let d = mat3::mul(&mat3::mul(&mat3::transpose(&r), &matrix), &r);
        values = [d[0], d[4], d[8]];

        // Largest off-diagonal entry: row, column, and rotation axis.
        let (row, col, axis) = if d[1].abs() > d[2].abs() && d[1].abs() > d[5].abs() {
            (0, 1, 2)
        } else if d[2].abs() > d[5].abs() {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let off = d[3 * row + col];
        if off.abs() < EIG_EPS {
            break;
        }
        let tau = (d[4 * col] - d[4 * row]) / (2.0 * off);
        let tangent = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        if cosine > 1.0 - EIG_EPS {
            break;
        }
        // Sine of half the rotation angle; its sign is opposite about y.
        let half = (0.5 - 0.5 * cosine).sqrt();
        let half = if (tau >= 0.0) == (axis == 1) { half } else { -half };
        let mut rotation = [(1.0 - half * half).sqrt(), 0.0, 0.0, 0.0];
        rotation[axis + 1] = half;
        normalize(&mut rotation);
        quat = mul_quat(quat, rotation);
    }

    // Sort by three swaps of adjacent values, each a rotation by 90 degrees.
    for lead in [0, 1, 0] {
        if values[lead] + EIG_EPS < values[lead + 1] {
            values.swap(lead, lead + 1);
            let mut rotation = [COS_45, 0.0, 0.0, 0.0];
            rotation[(lead + 2) % 3 + 1] = COS_45;
            quat = mul_quat(quat, rotation);
        }
    }
    (values, quat)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn principal_axes_reconstruct_the_matrix(v in proptest::array::uniform6(-1.0f64..1.0)) {
            let full = [v[0] + 4.0, v[1] + 4.0, v[2] + 4.0, v[3], v[4], v[5]];
            let (moments, quat) = principal_axes(full);
            prop_assert!(moments[0] >= moments[1] - EIG_EPS && moments[1] >= moments[2] - EIG_EPS);
            for (a, b) in rotated_inertia(moments, quat).iter().zip(full) {
                // The iteration stops at rotations of about a microradian, as the reference does.
                prop_assert!((a - b).abs() < 1e-5);
            }
        }

        #[test]
        fn z_to_rotates_z_to_the_direction(v in proptest::array::uniform3(-1.0f64..1.0)) {
            let mut v = v;
            if normalize(&mut v) > 0.0 {
                let z = rotate(z_to(v), [0.0, 0.0, 1.0]);
                prop_assert!(sub(z, v).iter().all(|e| e.abs() < 1e-9));
            }
        }

        #[test]
        fn from_axes_inverts_to_mat(v in proptest::array::uniform4(-1.0f64..1.0)) {
            let mut q = v;
            if normalize(&mut q) > 0.0 {
                let m = to_mat(q);
                let back = from_axes([m[0], m[3], m[6]], [m[1], m[4], m[7]], [m[2], m[5], m[8]]);
                prop_assert!(same_quat(q, back));
            }
        }
    }
}
