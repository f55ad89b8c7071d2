//! Ray intersection with primitives (`mju_rayGeom`): planes, spheres, capsules, ellipsoids, cylinders, boxes.

use super::{SurfaceHit, to_local};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::{GeomType, MINVAL};

/// Returns the first intersection of a ray with a primitive; `None` for other geom types.
#[doc(alias = "mju_rayGeom")]
#[must_use]
pub fn ray_geom(
    kind: GeomType,
    pos: Vec3,
    mat: &Mat3,
    size: Vec3,
    point: Vec3,
    vec: Vec3,
) -> Option<SurfaceHit> {
    let (p, v) = to_local(pos, mat, point, vec);
    let (x, normal) = match kind {
        GeomType::Plane => plane(size, p, v),
        GeomType::Sphere => sphere(size[0], p, v),
        GeomType::Capsule => capsule(size, p, v),
        GeomType::Ellipsoid => ellipsoid(size, p, v),
        GeomType::Cylinder => cylinder(size, p, v),
        GeomType::Box => first_face(&box_faces(size, p, v)),
        _ => None,
    }?;
    Some((x, mat3::mul_vec(mat, normal)))
}

/// Roots of `a x² + 2 b x + c`, the smaller first; `None` if they are not real.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    (discriminant >= 0.0 && a >= MINVAL).then(|| {
        let root = discriminant.sqrt();
        [(-b - root) / a, (-b + root) / a]
    })
}

/// The smallest nonnegative root.
fn first_root(a: f64, b: f64, c: f64) -> Option<f64> {
    roots(a, b, c)?.into_iter().find(|&x| x >= 0.0)
}

/// The closer of two hits.
fn nearer(a: Option<SurfaceHit>, b: Option<SurfaceHit>) -> Option<SurfaceHit> {
    match (a, b) {
        (Some(first), Some(second)) if second.0 < first.0 => b,
        (Some(_), _) => a,
        (None, _) => b,
    }
}

fn unit(v: Vec3) -> Vec3 {
    vec3::normalize(v).0
}

/// Only the front side, within the plane's rectangle if it has one.
fn plane(size: Vec3, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    if v[2] > -MINVAL {
        return None;
    }
    let x = -p[2] / v[2];
    let at = vec3::add_scaled(p, v, x);
    let within = |k: usize| size[k] <= 0.0 || at[k].abs() <= size[k];
    (x >= 0.0 && within(0) && within(1)).then_some((x, [0.0, 0.0, 1.0]))
}

fn sphere(radius: f64, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let x = first_root(vec3::dot(v, v), vec3::dot(v, p), vec3::dot(p, p) - radius * radius)?;
    Some((x, unit(vec3::add_scaled(p, v, x))))
}

/// Lateral surface of a capsule or cylinder.
fn lateral_surface(size: Vec3, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let a = v[0] * v[0] + v[1] * v[1];
    let b = v[0] * p[0] + v[1] * p[1];
    let c = p[0] * p[0] + p[1] * p[1] - size[0] * size[0];
    let x = first_root(a, b, c)?;
    let at = vec3::add_scaled(p, v, x);
    (at[2].abs() <= size[1]).then(|| (x, unit([at[0], at[1], 0.0])))
}

fn capsule(size: Vec3, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let mut best = lateral_surface(size, p, v);
    for side in [1.0, -1.0] {
        let centre = [p[0], p[1], p[2] - side * size[1]];
        let c = vec3::dot(centre, centre) - size[0] * size[0];
        for x in roots(vec3::dot(v, v), vec3::dot(v, centre), c).into_iter().flatten() {
            // only the outer hemisphere is part of the surface
            if x >= 0.0 && side * (p[2] + x * v[2]) >= size[1] {
                best = nearer(best, Some((x, unit(vec3::add_scaled(centre, v, x)))));
            }
        }
    }
    best
}

fn ellipsoid(size: Vec3, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let s = size.map(|s| 1.0 / (s * s));
    let product = |a: Vec3, b: Vec3| s[0] * a[0] * b[0] + s[1] * a[1] * b[1] + s[2] * a[2] * b[2];
    let x = first_root(product(v, v), product(v, p), product(p, p) - 1.0)?;
    let at = vec3::add_scaled(p, v, x);
    Some((x, unit([s[0] * at[0], s[1] * at[1], s[2] * at[2]])))
}

fn cylinder(size: Vec3, p: Vec3, v: Vec3) -> Option<SurfaceHit> {
    let mut best = None;
    if v[2].abs() > MINVAL {
        for side in [-1.0, 1.0] {
            let x = (side * size[1] - p[2]) / v[2];
            let at = vec3::add_scaled(p, v, x);
            if x >= 0.0 && at[0] * at[0] + at[1] * at[1] <= size[0] * size[0] {
                best = nearer(best, Some((x, [0.0, 0.0, side])));
            }
        }
    }
    nearer(best, lateral_surface(size, p, v))
}

/// Parameters of the intersections with the six faces of a box: by axis, lower face first.
pub(super) fn box_faces(size: Vec3, p: Vec3, v: Vec3) -> [Option<f64>; 6] {
    let mut faces = [None; 6];
    for axis in 0..3 {
        if v[axis].abs() <= MINVAL {
            continue;
        }
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        for (side, face) in [(-1.0, 2 * axis), (1.0, 2 * axis + 1)] {
            let x = (side * size[axis] - p[axis]) / v[axis];
            let within = |k: usize| (p[k] + x * v[k]).abs() <= size[k];
            if x >= 0.0 && within(a) && within(b) {
                faces[face] = Some(x);
            }
        }
    }
    faces
}

/// The normal of a face of a box.
pub(super) fn face_normal(face: usize) -> Vec3 {
    let mut normal = [0.0; 3];
    normal[face / 2] = if face.is_multiple_of(2) { -1.0 } else { 1.0 };
    normal
}

/// The first intersected face.
pub(super) fn first_face(faces: &[Option<f64>; 6]) -> Option<SurfaceHit> {
    let hit = |(face, x): (usize, &Option<f64>)| x.map(|x| (x, face_normal(face)));
    faces.iter().enumerate().map(hit).fold(None, nearer)
}
