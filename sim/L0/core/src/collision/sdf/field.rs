//! Signed distance of one shape in its own frame, and its gradient (`mjc_distance`, `mjc_gradient`).
//!
//! The formulas are MuJoCo's. Where they are not exact distances (ellipsoids, the interior of boxes), they
//! still vanish on the surface and increase outward.

use super::octree::Octree;
use crate::SignedDistance;
use crate::math::vec3::{Vec3, norm, normalize};
use sim_types::{GeomType, MAXVAL};

/// The signed distance field of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Field<'a> {
    /// Half-space below the plane z = 0.
    Plane,
    /// Radius.
    Sphere(f64),
    /// Radius and half-length.
    Capsule([f64; 2]),
    /// Semi-axes.
    Ellipsoid(Vec3),
    /// Radius and half-length.
    Cylinder([f64; 2]),
    /// Half-extents.
    Box(Vec3),
    /// Mesh, interpolated in an octree.
    Octree(Octree<'a>),
    /// Field of a plugin.
    Plugin(&'a dyn SignedDistance),
}

impl<'a> Field<'a> {
    /// The field of a shape; `None` for height fields and for meshes without an octree.
    pub(crate) fn of(kind: GeomType, size: Vec3, octree: Option<Octree<'a>>) -> Option<Self> {
        Some(match kind {
            GeomType::Plane => Self::Plane,
            GeomType::Sphere => Self::Sphere(size[0]),
            GeomType::Capsule => Self::Capsule([size[0], size[1]]),
            GeomType::Ellipsoid => Self::Ellipsoid(size),
            GeomType::Cylinder => Self::Cylinder([size[0], size[1]]),
            GeomType::Box => Self::Box(size),
            GeomType::Mesh | GeomType::Sdf => Self::Octree(octree?),
            _ => return None,
        })
    }

    /// Signed distance of a point, m.
    #[doc(alias = "mjc_distance")]
    pub(crate) fn distance(&self, x: Vec3) -> f64 {
        match *self {
            Self::Plane => x[2],
            Self::Sphere(radius) => norm(x) - radius,
            Self::Capsule([radius, half]) => norm(from_segment(x, half)) - radius,
            Self::Ellipsoid(size) => ellipsoid_distance(x, size),
            Self::Cylinder(size) => cylinder_distance(x, size),
            Self::Box(size) => box_distance(x, size),
            Self::Octree(ref tree) => tree.distance(x),
            Self::Plugin(field) => field.distance(x),
        }
    }

    /// Gradient of the distance; not always of unit length.
    #[doc(alias = "mjc_gradient")]
    pub(crate) fn gradient(&self, x: Vec3) -> Vec3 {
        match *self {
            Self::Plane => [0.0, 0.0, 1.0],
            Self::Sphere(_) => {
                let inverse = 1.0 / norm(x);
                x.map(|x| x * inverse)
            }
            Self::Capsule([_, half]) => {
                let a = from_segment(x, half);
                let length = norm(a);
                a.map(|a| a / length)
            }
            Self::Ellipsoid(size) => ellipsoid_gradient(x, size),
            Self::Cylinder(size) => cylinder_gradient(x, size),
            Self::Box(size) => box_gradient(x, size),
            Self::Octree(ref tree) => tree.gradient(x),
            Self::Plugin(field) => field.gradient(x),
        }
    }
}

#[inline(always)]
pub(super) fn ellipsoid_distance(x: Vec3, size: Vec3) -> f64 {
    let (_, _, k0, k1) = scaled(x, size);
    k0 * (k0 - 1.0) / k1
}

#[inline(always)]
pub(super) fn cylinder_distance(x: Vec3, [radius, half]: [f64; 2]) -> f64 {
    let a = [(x[0] * x[0] + x[1] * x[1]).sqrt() - radius, x[2].abs() - half];
    let b = a.map(|a| a.max(0.0));
    a[0].max(a[1]).min(0.0) + (b[0] * b[0] + b[1] * b[1]).sqrt()
}

/// Vector from the closest point of a segment along z.
#[inline(always)]
pub(super) fn from_segment(x: Vec3, half: f64) -> Vec3 {
    [x[0], x[1], x[2] - x[2].min(half).max(-half)]
}

/// A point divided by the semi-axes once and twice, and the norms of both.
#[inline(always)]
fn scaled(x: Vec3, size: Vec3) -> (Vec3, Vec3, f64, f64) {
    let a: Vec3 = std::array::from_fn(|k| x[k] / size[k]);
    let b: Vec3 = std::array::from_fn(|k| a[k] / size[k]);
    (a, b, norm(a), norm(b))
}

fn ellipsoid_gradient(x: Vec3, size: Vec3) -> Vec3 {
    let (_, b, k0, k1) = scaled(x, size);
    let (inverse0, inverse1) = (1.0 / k0, 1.0 / k1);
    let by_k0 = (2.0 * k0 - 1.0) * inverse1;
    let by_k1 = k0 * (k0 - 1.0) * inverse1 * inverse1;
    let gradient = std::array::from_fn(|k| {
        b[k] * inverse0 * by_k0 - b[k] * inverse1 / (size[k] * size[k]) * by_k1
    });
    normalize(gradient).0
}

fn cylinder_gradient(x: Vec3, [radius, half]: [f64; 2]) -> Vec3 {
    const TINY: f64 = 1.0 / MAXVAL;
    let (around, along) = ((x[0] * x[0] + x[1] * x[1]).sqrt(), x[2].abs());
    let a = [around - radius, along - half];
    let [side, end] = [around.max(TINY), along.max(TINY)];
    let unit = [x[0] / side, x[1] / side, x[2] / end];
    let beyond_side = a[0] > a[1];
    if a[usize::from(!beyond_side)] < 0.0 {
        return if beyond_side { [unit[0], unit[1], 0.0] } else { [0.0, 0.0, unit[2]] };
    }
    let b = a.map(|a| a.max(0.0));
    let length = (b[0] * b[0] + b[1] * b[1]).sqrt().max(TINY);
    [unit[0] * b[0] / length, unit[1] * b[0] / length, unit[2] * b[1] / length]
}

/// Outside, the distance to the surface; inside, the distance along a direction that changes from radial to
/// normal towards the surface.
fn box_distance(x: Vec3, size: Vec3) -> f64 {
    let a = excess(x, size);
    if a.iter().any(|&a| a >= 0.0) {
        return norm(a.map(|a| a.max(0.0))) + a[0].max(a[1].max(a[2])).min(0.0);
    }
    let b = outward(a, x, size);
    let depth: Vec3 = std::array::from_fn(|k| -a[k] / b[k].abs());
    -depth[0].min(depth[1].min(depth[2])) * norm(b)
}

fn box_gradient(x: Vec3, size: Vec3) -> Vec3 {
    let a = excess(x, size);
    if !a.iter().any(|&a| a >= 0.0) {
        return outward(a, x, size);
    }
    let b = a.map(|a| a.max(0.0));
    let length = norm(b);
    std::array::from_fn(|k| if a[k] > 0.0 { b[k] / length * x[k] / x[k].abs() } else { 0.0 })
}

/// Signed excess of each coordinate over the half-extent of a box.
#[inline(always)]
pub(super) fn excess(x: Vec3, size: Vec3) -> Vec3 {
    std::array::from_fn(|k| x[k].abs() - size[k])
}

/// Unit outward direction at a point inside a box.
fn outward(a: Vec3, x: Vec3, size: Vec3) -> Vec3 {
    let (unit, _) = normalize(std::array::from_fn(|k| -size[k] / a[k]));
    std::array::from_fn(|k| if x[k] < 0.0 { -unit[k] } else { unit[k] })
}
