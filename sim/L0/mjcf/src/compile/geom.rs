//! Geoms: pose, size, mass, inertia and bounds.

use super::Context;
use super::body::Frames;
use super::math::{EPS, Pose, Quat, Vec3, normalize, sub, z_to};
use super::shape;
use crate::error::ErrorKind;
use crate::spec::{Geom, Orientation, Origin};
use sim_core::types::GeomType;

/// A compiled geom.
#[derive(Debug)]
pub(super) struct GeomOut<'a> {
    pub(super) spec: &'a Geom,
    pub(super) body: usize,
    pub(super) pose: Pose,
    pub(super) size: Vec3,
    pub(super) aabb: [f64; 6],
    pub(super) rbound: f64,
    /// Mass that counts for the body; 0 when the body's inertia is explicit.
    pub(super) mass: f64,
    pub(super) inertia: Vec3,
}

pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    frames: &Frames,
    (body, is_static): (usize, bool),
    g: &'a Geom,
    infer_inertia: bool,
) -> GeomOut<'a> {
    context.check_user(g.origin, "geom", &g.user, context.spec.size.nuser_geom, "nuser_geom");
    if !matches!(g.condim, 1 | 3 | 4 | 6) {
        context.invalid(
            g.origin,
            "geom",
            Some("condim"),
            format!("{} is not 1, 3, 4 or 6", g.condim),
        );
    }
    if matches!(g.gtype, GeomType::HField | GeomType::Mesh | GeomType::Sdf) {
        let kind = ErrorKind::Unsupported(format!("a geom of type {:?}", g.gtype));
        context.error(g.origin, "geom", Some("type"), kind);
    }
    if g.gtype == GeomType::Plane && !is_static {
        context.invalid(
            g.origin,
            "geom",
            Some("type"),
            "a plane must belong to a body that cannot move",
        );
    }
    let (pose, size) =
        place(context, (g.origin, "geom"), g.gtype, (g.pos, &g.orientation, g.fromto), g.size);
    check_size(context, (g.origin, "geom"), g.gtype, size);

    let measure = shape::measure(g.gtype, size, g.shellinertia);
    let (mut mass, mut inertia) = (0.0, [0.0; 3]);
    if infer_inertia {
        mass = match g.mass {
            Some(mass) if measure > EPS => mass,
            Some(_) => 0.0,
            None => g.density * measure,
        };
        if mass != 0.0 {
            inertia = shape::inertia(g.gtype, size, mass, g.shellinertia);
        }
        let attribute = if g.mass.is_some() { "mass" } else { "density" };
        if mass < 0.0 || (g.mass.is_none() && g.density < 0.0) {
            context.invalid(g.origin, "geom", Some(attribute), "cannot be negative");
        }
    }
    GeomOut {
        spec: g,
        body,
        pose: frames.place(g.frame, pose),
        size,
        aabb: shape::bounding_box(g.gtype, size),
        rbound: shape::bounding_radius(g.gtype, size),
        mass,
        inertia,
    }
}

/// Pose and size of a shape; `fromto` replaces position, orientation and length.
pub(super) fn place(
    context: &mut Context<'_, '_>,
    (origin, element): (Origin, &str),
    shape: GeomType,
    (pos, orientation, fromto): (Vec3, &Orientation, Option<[f64; 6]>),
    size: Vec3,
) -> (Pose, Vec3) {
    let Some([ax, ay, az, bx, by, bz]) = fromto else {
        let quat: Quat = context.orientation(origin, element, orientation);
        return (Pose { pos, quat }, size);
    };
    let long = matches!(
        shape,
        GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box
    );
    if !long {
        let message = "needs a capsule, cylinder, ellipsoid or box";
        context.invalid(origin, element, Some("fromto"), message);
    }
    if pos != [0.0; 3] {
        let message = "already gives the position: remove `pos`";
        context.invalid(origin, element, Some("fromto"), message);
    }
    let (a, b) = ([ax, ay, az], [bx, by, bz]);
    let mut direction = sub(a, b);
    let half = normalize(&mut direction) / 2.0;
    if half < EPS {
        context.invalid(origin, element, Some("fromto"), "the two points are too close");
    }
    let size = match shape {
        GeomType::Ellipsoid | GeomType::Box => [size[0], size[0], half],
        _ => [size[0], half, size[2]],
    };
    let middle = [(ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0];
    (Pose { pos: middle, quat: z_to(direction) }, size)
}

/// Checks the sizes that a shape needs.
pub(super) fn check_size(
    context: &mut Context<'_, '_>,
    (origin, element): (Origin, &str),
    shape: GeomType,
    size: Vec3,
) {
    if shape == GeomType::Plane {
        if size[2] <= 0.0 {
            let message = "the third number of a plane (the grid spacing) must be positive";
            context.invalid(origin, element, Some("size"), message);
        }
        return;
    }
    let count = shape::size_count(shape);
    if let Some(i) = size[..count].iter().position(|&s| s <= 0.0) {
        let message = format!(
            "number {} of the {count} that {} needs must be positive",
            i + 1,
            match shape {
                GeomType::Sphere => "a sphere",
                GeomType::Capsule => "a capsule",
                GeomType::Ellipsoid => "an ellipsoid",
                GeomType::Cylinder => "a cylinder",
                _ => "a box",
            }
        );
        context.invalid(origin, element, Some("size"), message);
    }
}
