//! Vectors, quaternions and spatial vectors whose components are lanes; the operations and their order are those of
//! `sim_core::math`.

use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

pub(crate) type Vec3<V> = [V; 3];
pub(crate) type Quat<V> = [V; 4];
pub(crate) type Mat3<V> = [V; 9];
pub(crate) type Vec6<V> = [V; 6];
pub(crate) type Inertia<V> = [V; 10];

/// A constant vector in all lanes.
#[inline(always)]
pub(crate) fn splat<V: Lanes, const N: usize>(x: &[f64; N]) -> [V; N] {
    // `array::map` is not always inlined
    let mut out = [V::zero(); N];
    for k in 0..N {
        out[k] = V::splat(x[k]);
    }
    out
}

#[inline(always)]
pub(crate) fn add<V: Lanes>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn sub<V: Lanes>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scale<V: Lanes>(a: Vec3<V>, s: V) -> Vec3<V> {
    [s * a[0], s * a[1], s * a[2]]
}

#[inline(always)]
pub(crate) fn add_scaled<V: Lanes>(a: Vec3<V>, b: Vec3<V>, s: V) -> Vec3<V> {
    [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]]
}

#[inline(always)]
pub(crate) fn dot<V: Lanes>(a: Vec3<V>, b: Vec3<V>) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross<V: Lanes>(a: Vec3<V>, b: Vec3<V>) -> Vec3<V> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Unit vector and norm; the x axis if the norm is below `MINVAL`.
#[inline(always)]
pub(crate) fn normalize<V: Lanes>(a: Vec3<V>) -> (Vec3<V>, V) {
    let length = dot(a, a).sqrt();
    let tiny = length.lt(V::splat(MINVAL));
    let inverse = V::splat(1.0) / length;
    let x = (inverse * a[0]).select(!tiny, V::splat(1.0));
    ([x, (inverse * a[1]).masked(!tiny), (inverse * a[2]).masked(!tiny)], length)
}

/// `a` in the lanes of the mask, `b` in the others.
#[inline(always)]
pub(crate) fn select<V: Lanes, const N: usize>(mask: V::Mask, a: [V; N], b: [V; N]) -> [V; N] {
    let mut out = b;
    for k in 0..N {
        out[k] = a[k].select(mask, b[k]);
    }
    out
}

#[inline(always)]
pub(crate) fn quat_mul<V: Lanes>(a: Quat<V>, b: Quat<V>) -> Quat<V> {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

/// `q` scaled to unit length; the identity if its length is below `MINVAL`.
#[inline(always)]
pub(crate) fn quat_normalize<V: Lanes>(q: Quat<V>) -> Quat<V> {
    let square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    let one = V::splat(1.0);
    let excess = square - one;
    let mut factor = one - V::splat(0.5) * excess;
    let near = excess.abs().lt(V::splat(1e-8));
    if !(!near).any() {
        return [factor * q[0], factor * q[1], factor * q[2], factor * q[3]];
    }
    let length = square.sqrt();
    factor = factor.select(near, one / length);
    let tiny = length.lt(V::splat(MINVAL));
    let scaled = [factor * q[0], factor * q[1], factor * q[2], factor * q[3]];
    select(tiny, [one, V::zero(), V::zero(), V::zero()], scaled)
}

#[inline(always)]
pub(crate) fn quat_rotate<V: Lanes>(q: Quat<V>, v: Vec3<V>) -> Vec3<V> {
    let axis = [q[1], q[2], q[3]];
    let t = scale(cross(axis, v), V::splat(2.0));
    add(add_scaled(v, t, q[0]), cross(axis, t))
}

#[inline(always)]
pub(crate) fn quat_to_mat<V: Lanes>(q: Quat<V>) -> Mat3<V> {
    let [w, x, y, z] = q;
    let two = V::splat(2.0);
    let (ww, xx, yy, zz) = (w * w, x * x, y * y, z * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    [
        ww + xx - yy - zz,
        two * (xy - wz),
        two * (xz + wy),
        two * (xy + wz),
        ww - xx + yy - zz,
        two * (yz - wx),
        two * (xz - wy),
        two * (yz + wx),
        ww - xx - yy + zz,
    ]
}

#[inline(always)]
pub(crate) fn mat_mul_vec<V: Lanes>(a: &Mat3<V>, v: Vec3<V>) -> Vec3<V> {
    [
        a[0] * v[0] + a[1] * v[1] + a[2] * v[2],
        a[3] * v[0] + a[4] * v[1] + a[5] * v[2],
        a[6] * v[0] + a[7] * v[1] + a[8] * v[2],
    ]
}

/// `Aᵀ v`.
#[inline(always)]
pub(crate) fn mat_mul_transposed_vec<V: Lanes>(a: &Mat3<V>, v: Vec3<V>) -> Vec3<V> {
    [
        a[0] * v[0] + a[3] * v[1] + a[6] * v[2],
        a[1] * v[0] + a[4] * v[1] + a[7] * v[2],
        a[2] * v[0] + a[5] * v[1] + a[8] * v[2],
    ]
}

/// `A B` with a constant `B`.
#[inline(always)]
pub(crate) fn mat_mul_const<V: Lanes>(a: &Mat3<V>, b: &[f64; 9]) -> Mat3<V> {
    let mut c = [V::zero(); 9];
    for row in 0..3 {
        for col in 0..3 {
            c[3 * row + col] = a[3 * row] * V::splat(b[col])
                + a[3 * row + 1] * V::splat(b[3 + col])
                + a[3 * row + 2] * V::splat(b[6 + col]);
        }
    }
    c
}

#[inline(always)]
pub(crate) fn spatial_dot<V: Lanes>(a: &Vec6<V>, b: &Vec6<V>) -> V {
    let even = a[0] * b[0] + a[2] * b[2] + a[4] * b[4];
    let odd = a[1] * b[1] + a[3] * b[3] + a[5] * b[5];
    even + odd
}

/// `a += s b`.
#[inline(always)]
pub(crate) fn spatial_add_scaled<V: Lanes>(a: &mut Vec6<V>, b: &Vec6<V>, s: V) {
    for k in 0..6 {
        a[k] += s * b[k];
    }
}

#[inline(always)]
pub(crate) fn join<V: Lanes>(r: Vec3<V>, t: Vec3<V>) -> Vec6<V> {
    [r[0], r[1], r[2], t[0], t[1], t[2]]
}

#[inline(always)]
pub(crate) fn rotation<V: Lanes>(v: &Vec6<V>) -> Vec3<V> {
    [v[0], v[1], v[2]]
}

#[inline(always)]
pub(crate) fn translation<V: Lanes>(v: &Vec6<V>) -> Vec3<V> {
    [v[3], v[4], v[5]]
}

#[inline(always)]
pub(crate) fn cross_motion<V: Lanes>(vel: &Vec6<V>, v: &Vec6<V>) -> Vec6<V> {
    let (w, u) = (rotation(vel), translation(vel));
    let (r, t) = (rotation(v), translation(v));
    join(cross(w, r), add(cross(w, t), cross(u, r)))
}

#[inline(always)]
pub(crate) fn cross_force<V: Lanes>(vel: &Vec6<V>, f: &Vec6<V>) -> Vec6<V> {
    let (w, u) = (rotation(vel), translation(vel));
    let (r, t) = (rotation(f), translation(f));
    join(add(cross(w, r), cross(u, t)), cross(w, t))
}

#[inline(always)]
pub(crate) fn mul_inertia<V: Lanes>(i: &Inertia<V>, v: &Vec6<V>) -> Vec6<V> {
    [
        i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
        i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
        i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
        i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
        i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
        i[7] * v[0] - i[6] * v[1] + i[9] * v[5],
    ]
}

/// Spatial inertia about the frame's origin of a body with constant principal moments and mass.
#[inline(always)]
pub(crate) fn inertia_about<V: Lanes>(
    principal: &[f64; 3],
    r: &Mat3<V>,
    offset: Vec3<V>,
    mass: f64,
) -> Inertia<V> {
    let [a, b, c] = splat::<V, 3>(principal);
    let [x, y, z] = offset;
    let mass = V::splat(mass);
    let (p0, p1, p2) = (r[0] * a, r[1] * b, r[2] * c);
    let (q0, q1, q2) = (r[3] * a, r[4] * b, r[5] * c);
    let (s0, s1, s2) = (r[6] * a, r[7] * b, r[8] * c);
    let (mx, my, mz) = (mass * x, mass * y, mass * z);
    [
        p0 * r[0] + p1 * r[1] + p2 * r[2] + my * y + mz * z,
        q0 * r[3] + q1 * r[4] + q2 * r[5] + mx * x + mz * z,
        s0 * r[6] + s1 * r[7] + s2 * r[8] + mx * x + my * y,
        p0 * r[3] + p1 * r[4] + p2 * r[5] - mx * y,
        p0 * r[6] + p1 * r[7] + p2 * r[8] - mx * z,
        q0 * r[6] + q1 * r[7] + q2 * r[8] - my * z,
        mx,
        my,
        mz,
        mass,
    ]
}
