//! 4 × 4 matrices in column-major order: rigid transforms, projections and reflections.

use crate::tessellation::{cross, dot, normalize};

/// A 4 × 4 matrix; `m[c]` is column `c`.
pub(crate) type Mat4 = [[f32; 4]; 4];

/// The identity.
pub(crate) const IDENTITY: Mat4 =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// The product `a b`.
pub(crate) fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    b.map(|column| transform(a, column))
}

/// The product of a matrix and a vector.
pub(crate) fn transform(a: &Mat4, v: [f32; 4]) -> [f32; 4] {
    [0, 1, 2, 3].map(|r| (0..4).map(|k| a[k][r] * v[k]).sum())
}

/// Rotation with the row-major matrix `mat`, then translation by `pos`.
pub(crate) fn pose(pos: [f32; 3], mat: [f32; 9]) -> Mat4 {
    [
        [mat[0], mat[3], mat[6], 0.0],
        [mat[1], mat[4], mat[7], 0.0],
        [mat[2], mat[5], mat[8], 0.0],
        [pos[0], pos[1], pos[2], 1.0],
    ]
}

/// Scaling by `s` in the frame of `m`: `m S`.
pub(crate) fn scaled(m: &Mat4, s: [f32; 3]) -> Mat4 {
    let column = |k: usize| m[k].map(|x| x * s[k]);
    [column(0), column(1), column(2), m[3]]
}

/// Translation by `t` in the frame of `m`: `m T`.
pub(crate) fn translated(m: &Mat4, t: [f32; 3]) -> Mat4 {
    [m[0], m[1], m[2], transform(m, [t[0], t[1], t[2], 1.0])]
}

/// Columns of a positive multiple of the inverse transpose of the upper left 3 × 3 block, which transforms
/// normals. Zero scales are allowed.
pub(crate) fn normal_matrix(m: &Mat4) -> [[f32; 4]; 3] {
    let c = [m[0], m[1], m[2]].map(|v| [v[0], v[1], v[2]]);
    // columns of different lengths, which would underflow in a product, are normalised before
    let length = c.map(|v| dot(v, v).sqrt().max(1e-20));
    let u = [0, 1, 2].map(|k| c[k].map(|x| x / length[k]));
    let cofactor = [cross(u[1], u[2]), cross(u[2], u[0]), cross(u[0], u[1])];
    // inverse scale, relative to the smallest, so that it stays finite
    let least = length.into_iter().fold(f32::INFINITY, f32::min);
    [0, 1, 2].map(|k| {
        let v = cofactor[k].map(|x| x * (least / length[k]));
        [v[0], v[1], v[2], 0.0]
    })
}

/// View from `eye` in the direction `forward`; the camera looks along its negative z axis.
pub(crate) fn look_at(eye: [f32; 3], forward: [f32; 3], up: [f32; 3]) -> Mat4 {
    let f = normalize(forward);
    let s = normalize(cross(f, up));
    let u = normalize(cross(s, f));
    [
        [s[0], u[0], -f[0], 0.0],
        [s[1], u[1], -f[1], 0.0],
        [s[2], u[2], -f[2], 0.0],
        [-dot(s, eye), -dot(u, eye), dot(f, eye), 1.0],
    ]
}

/// Bounds of a viewing volume at the near plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frustum {
    pub left: f32,
    pub right: f32,
    pub bottom: f32,
    pub top: f32,
    pub near: f32,
    pub far: f32,
}

impl Frustum {
    /// Symmetric volume with the vertical field of view `fovy` in degrees and aspect ratio 1.
    pub(crate) fn perspective(fovy: f32, near: f32, far: f32) -> Self {
        let h = ((f64::from(fovy) / 360.0 * std::f64::consts::PI).tan() * f64::from(near)) as f32;
        Self { left: -h, right: h, bottom: -h, top: h, near, far }
    }

    /// Perspective projection with reversed depth: 1 at the near plane, 0 at the far plane.
    pub(crate) fn project(&self) -> Mat4 {
        let Self { left: l, right: r, bottom: b, top: t, near: n, far: f } = *self;
        [
            [2.0 * n / (r - l), 0.0, 0.0, 0.0],
            [0.0, 2.0 * n / (t - b), 0.0, 0.0],
            [(r + l) / (r - l), (t + b) / (t - b), n / (f - n), -1.0],
            [0.0, 0.0, n / (f - n) * f, 0.0],
        ]
    }

    /// Orthographic projection with reversed depth.
    pub(crate) fn orthographic(&self) -> Mat4 {
        let Self { left: l, right: r, bottom: b, top: t, near: n, far: f } = *self;
        [
            [2.0 / (r - l), 0.0, 0.0, 0.0],
            [0.0, 2.0 / (t - b), 0.0, 0.0],
            [0.0, 0.0, 1.0 / (f - n), 0.0],
            [-(r + l) / (r - l), -(t + b) / (t - b), f / (f - n), 1.0],
        ]
    }
}

/// Reflection at the plane through `pos` with the z axis of the row-major matrix `mat` as normal.
pub(crate) fn reflection(pos: [f32; 3], mat: [f32; 9]) -> Mat4 {
    let n = [mat[2], mat[5], mat[8]];
    let distance = 2.0 * dot(n, pos);
    let column = |c: usize| {
        let mut v = n.map(|x| -2.0 * x * n[c]);
        v[c] += 1.0;
        [v[0], v[1], v[2], 0.0]
    };
    [column(0), column(1), column(2), [n[0] * distance, n[1] * distance, n[2] * distance, 1.0]]
}

/// A unit vector perpendicular to `v`, the up direction of a light.
pub(crate) fn perpendicular(v: [f32; 3]) -> [f32; 3] {
    let first = cross(v, [-1.0, 0.0, 0.0]);
    if dot(first, first) > 0.01 { normalize(first) } else { normalize(cross(v, [0.0, 1.0, 0.0])) }
}

#[cfg(test)]
mod tests {
    use super::{
        Frustum, IDENTITY, look_at, mul, normal_matrix, pose, reflection, scaled, transform,
    };

    fn close(a: [f32; 4], b: [f32; 4]) {
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5), "{a:?} {b:?}");
    }

    #[test]
    fn depth_is_reversed() {
        let volume =
            Frustum { left: -1.0, right: 1.0, bottom: -1.0, top: 1.0, near: 0.5, far: 20.0 };
        for projection in [volume.project(), volume.orthographic()] {
            let depth = |z: f32| {
                let v = transform(&projection, [0.0, 0.0, -z, 1.0]);
                v[2] / v[3]
            };
            assert!((depth(0.5) - 1.0).abs() < 1e-6 && depth(20.0).abs() < 1e-6);
        }
    }

    #[test]
    fn reflection_is_an_involution_that_fixes_the_plane() {
        let mat = [0.6, 0.0, 0.8, 0.0, 1.0, 0.0, -0.8, 0.0, 0.6];
        let r = reflection([1.0, 2.0, 3.0], mat);
        let twice = mul(&r, &r);
        (0..4).for_each(|k| close(twice[k], IDENTITY[k]));
        close(transform(&r, [1.0, 2.0, 3.0, 1.0]), [1.0, 2.0, 3.0, 1.0]);
        close(transform(&r, [1.0 + 0.8, 2.0, 3.6, 1.0]), [1.0 - 0.8, 2.0, 2.4, 1.0]);
    }

    #[test]
    fn normals_stay_perpendicular_to_scaled_surfaces() {
        let m = scaled(
            &pose([1.0, 2.0, 3.0], [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
            [2.0, 0.1, 5.0],
        );
        let n = normal_matrix(&m);
        let normal = [0, 1, 2].map(|r| n[0][r] + n[1][r] + n[2][r]);
        for tangent in [[1.0, -1.0, 0.0, 0.0], [0.0, 1.0, -1.0, 0.0]] {
            let t = transform(&m, tangent);
            let product: f32 = (0..3).map(|k| t[k] * normal[k]).sum();
            assert!(product.abs() < 1e-5, "{product}");
        }
    }

    #[test]
    fn camera_looks_along_negative_z() {
        let v = look_at([1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]);
        close(transform(&v, [1.0, 3.0, 0.0, 1.0]), [0.0, 0.0, -3.0, 1.0]);
        close(transform(&v, [1.0, 3.0, 1.0, 1.0]), [0.0, 1.0, -3.0, 1.0]);
    }
}
