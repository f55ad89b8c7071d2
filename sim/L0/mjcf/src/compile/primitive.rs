//! Volume or surface area, inertia and bounds of geometric primitives (mjCGeom).

use super::math::Vec3;
use sim_core::types::{GeomType, MAXVAL};
use std::f64::consts::PI;

/// Number of sizes that a shape uses.
pub(super) const fn size_count(shape: GeomType) -> usize {
    match shape {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
        GeomType::HField | GeomType::Mesh | GeomType::Sdf => 0,
    }
}

/// Volume, or surface area of a shell.
pub(super) fn volume_or_area(shape: GeomType, size: Vec3, shell: bool) -> f64 {
    let [a, b, c] = size;
    match (shape, shell) {
        (GeomType::Sphere, false) => 4.0 * PI * a * a * a / 3.0,
        (GeomType::Sphere, true) => 4.0 * PI * a * a,
        (GeomType::Capsule, false) => PI * (a * a * 2.0 * b + 4.0 * a * a * a / 3.0),
        (GeomType::Capsule, true) => 4.0 * PI * a * a + 2.0 * PI * a * 2.0 * b,
        (GeomType::Cylinder, false) => PI * a * a * 2.0 * b,
        (GeomType::Cylinder, true) => 2.0 * PI * a * a + 2.0 * PI * a * 2.0 * b,
        (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, true) => {
            // Thomsen's formula for the area of an ellipsoid.
            let p = 1.6075;
            let mean = ((a * b).powf(p) + (b * c).powf(p) + (c * a).powf(p)) / 3.0;
            4.0 * PI * mean.powf(1.0 / p)
        }
        (GeomType::Box | GeomType::HField, false) => a * b * c * 8.0,
        (GeomType::Box | GeomType::HField, true) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Principal moments of inertia about the center.
pub(super) fn inertia(shape: GeomType, size: Vec3, mass: f64, shell: bool) -> Vec3 {
    let [a, b, c] = size;
    match shape {
        GeomType::Sphere => [2.0 * mass * a * a / if shell { 3.0 } else { 5.0 }; 3],
        GeomType::Capsule if shell => capsule_shell(a, b, mass),
        GeomType::Capsule => capsule_solid(a, b, mass),
        GeomType::Cylinder if shell => cylinder_shell(a, b, mass),
        GeomType::Cylinder => {
            let transverse = mass * (3.0 * a * a + 4.0 * b * b) / 12.0;
            [transverse, transverse, mass * a * a / 2.0]
        }
        GeomType::Ellipsoid if shell => ellipsoid_shell(size, mass),
        GeomType::Ellipsoid => solid_moments(size, mass, 5.0),
        GeomType::Box | GeomType::HField if shell => box_shell(size, mass),
        GeomType::Box | GeomType::HField => solid_moments([a, b, c], mass, 3.0),
        _ => [0.0; 3],
    }
}

/// m (s_j² + s_k²) / divisor on each axis.
fn solid_moments(s: Vec3, mass: f64, divisor: f64) -> Vec3 {
    let q = [s[0] * s[0], s[1] * s[1], s[2] * s[2]];
    [mass * (q[1] + q[2]) / divisor, mass * (q[0] + q[2]) / divisor, mass * (q[0] + q[1]) / divisor]
}

/// Solid capsule: a cylinder and two hemispheres.
fn capsule_solid(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let sphere = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - sphere;
    let sphere_inertia = 2.0 * sphere * radius * radius / 5.0;
    let transverse = cylinder * (3.0 * radius * radius + height * height) / 12.0
        + sphere_inertia
        + sphere * height * (3.0 * radius + 2.0 * height) / 8.0;
    [transverse, transverse, cylinder * radius * radius / 2.0 + sphere_inertia]
}

fn capsule_shell(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let (sphere_area, cylinder_area) = (4.0 * PI * radius * radius, 2.0 * PI * radius * height);
    let sphere = mass * sphere_area / (sphere_area + cylinder_area);
    let cylinder = mass - sphere;
    let sphere_inertia = 2.0 * sphere * radius * radius / 3.0;
    // The center of mass of a hemispherical shell is at half its radius.
    let inner = radius / 2.0;
    let outer = half + inner;
    let transverse = cylinder * (6.0 * radius * radius + height * height) / 12.0
        + sphere_inertia
        + sphere * (outer * outer - inner * inner);
    [transverse, transverse, cylinder * radius * radius + sphere_inertia]
}

fn cylinder_shell(radius: f64, half: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half;
    let (disk_area, cylinder_area) = (PI * radius * radius, 2.0 * PI * radius * height);
    let disk = mass * disk_area / (2.0 * disk_area + cylinder_area);
    let cylinder = mass - 2.0 * disk;
    let transverse = cylinder * (6.0 * radius * radius + height * height) / 12.0
        + 2.0 * (disk * radius * radius / 4.0 + disk * half * half);
    [transverse, transverse, cylinder * radius * radius + 2.0 * (disk * radius * radius / 2.0)]
}

/// Thin shell as the difference of two solids, the outer one larger by 1e-6.
fn ellipsoid_shell(size: Vec3, mass: f64) -> Vec3 {
    let outer = size.map(|s| s + 1e-6);
    let volume = |s: Vec3| volume_or_area(GeomType::Ellipsoid, s, false);
    let (inner_volume, outer_volume) = (volume(size), volume(outer));
    let density = mass / (outer_volume - inner_volume);
    let inside = solid_moments(size, inner_volume * density, 5.0);
    let whole = solid_moments(outer, outer_volume * density, 5.0);
    [whole[0] - inside[0], whole[1] - inside[1], whole[2] - inside[2]]
}

/// Box shell: three pairs of rectangles.
fn box_shell(size: Vec3, mass: f64) -> Vec3 {
    let edge = size.map(|s| 2.0 * s);
    let area = |k: usize| edge[(k + 1) % 3] * edge[(k + 2) % 3];
    let total = 2.0 * (area(0) + area(1) + area(2));
    let mut moments = [0.0; 3];
    for k in 0..3 {
        // The two faces normal to axis k.
        let face = mass * area(k) / total;
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let (li, lj) = (edge[i] * edge[i], edge[j] * edge[j]);
        let distance_squared = size[k] * size[k];
        moments[k] += 2.0 * face * (li + lj) / 12.0;
        moments[i] += 2.0 * face * (lj / 12.0 + distance_squared);
        moments[j] += 2.0 * face * (li / 12.0 + distance_squared);
    }
    moments
}

/// `geom_rbound`: radius of the bounding sphere about the center; 0 for a plane.
pub(super) fn bounding_radius(shape: GeomType, size: Vec3) -> f64 {
    let [a, b, c] = size;
    match shape {
        GeomType::Sphere => a,
        GeomType::Capsule => a + b,
        GeomType::Cylinder => (a * a + b * b).sqrt(),
        GeomType::Ellipsoid => a.max(b).max(c),
        GeomType::Box => (a * a + b * b + c * c).sqrt(),
        _ => 0.0,
    }
}

/// `geom_aabb`: bounding box in the local frame, as center and half-sizes.
pub(super) fn bounding_box(shape: GeomType, size: Vec3) -> [f64; 6] {
    let [a, b, c] = size;
    let [x, y, z] = match shape {
        GeomType::Sphere => [a, a, a],
        GeomType::Capsule => [a, a, a + b],
        GeomType::Cylinder => [a, a, b],
        // The bounding box of a plane is the half-space below it.
        GeomType::Plane => return [0.0, 0.0, -0.5 * MAXVAL, MAXVAL, MAXVAL, 0.5 * MAXVAL],
        _ => [a, b, c],
    };
    [0.0, 0.0, 0.0, x, y, z]
}

/// Converts a box from (min, max) to center and half-sizes.
pub(super) fn center_and_half_sizes(corners: [f64; 6]) -> [f64; 6] {
    std::array::from_fn(|k| match k {
        0..3 => (corners[k + 3] + corners[k]) / 2.0,
        _ => (corners[k] - corners[k - 3]) / 2.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares shells with the difference of two nearly equal solids.
    #[test]
    fn shell_inertia_is_the_limit_of_thin_solids() {
        let size = [0.3, 0.2, 0.4];
        let e = 1e-5;
        for shape in [GeomType::Sphere, GeomType::Capsule, GeomType::Cylinder, GeomType::Box] {
            // A thicker capsule has the same axis length.
            let thickness = if shape == GeomType::Capsule { [e, 0.0, 0.0] } else { [e, e, e] };
            let outer = [size[0] + thickness[0], size[1] + thickness[1], size[2] + thickness[2]];
            let (v0, v1) =
                (volume_or_area(shape, size, false), volume_or_area(shape, outer, false));
            let density = 1.0 / (v1 - v0);
            let (i0, i1) = (
                inertia(shape, size, v0 * density, false),
                inertia(shape, outer, v1 * density, false),
            );
            let shell = inertia(shape, size, 1.0, true);
            for k in 0..3 {
                assert!((i1[k] - i0[k] - shell[k]).abs() < 1e-4, "{shape:?} axis {k}");
            }
        }
    }
}
