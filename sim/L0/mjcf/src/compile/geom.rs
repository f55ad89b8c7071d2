//! Geoms: pose, size, mass, inertia and bounds.

use super::Context;
use super::asset::Assets;
use super::body::Frames;
use super::math::{EPS, Pose, Quat, Vec3, add, dot, normalize, rotate, sub, z_to};
use super::order::{Names, Order};
use super::shape;
use crate::asset::Mesh;
use crate::asset::mesh::FitShape;
use crate::spec::{Geom, Orientation, Origin};
use sim_core::types::GeomType;

/// A compiled geom.
#[derive(Debug)]
pub(super) struct GeomOut<'a> {
    pub(super) spec: &'a Geom,
    pub(super) body: usize,
    /// Its mesh or height field.
    pub(super) data: Option<usize>,
    pub(super) material: Option<usize>,
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
    (frames, order, assets): (&Frames, &Order<'a>, &Assets<'a>),
    (body, is_static): (usize, bool),
    g: &'a Geom,
    infer_inertia: bool,
) -> GeomOut<'a> {
    context.check_user(g.origin, "geom", &g.user, context.spec.size.nuser_geom, "nuser_geom");
    check_kind(context, g, is_static);
    let mesh_id = reference(context, order, &order.mesh, (g, "mesh"), &g.mesh);
    let hfield_id = reference(context, order, &order.hfield, (g, "hfield"), &g.hfield);
    let mesh = mesh_id.and_then(|id| assets.mesh(id));
    let (mut pose, mut size) =
        place(context, (g.origin, "geom"), g.gtype, (g.pos, &g.orientation, g.fromto), g.size);
    if let Some(mesh) = mesh {
        (pose, size) = place_mesh(context, g, mesh, (pose, size));
    }
    check_size(context, (g.origin, "geom"), g.gtype, size);

    // A mesh that another shape was fitted to has done its part.
    let solid = matches!(g.gtype, GeomType::Mesh | GeomType::Sdf);
    let mesh = mesh.filter(|_| solid);
    let field = hfield_id.map(|id| context.spec.hfields[id].size);
    let (aabb, rbound);
    if let Some(mesh) = mesh {
        size = std::array::from_fn(|k| mesh.aamm[k].abs().max(mesh.aamm[k + 3].abs()));
        aabb = shape::center_and_half(mesh.aamm);
        rbound = dot(size, size).sqrt();
    } else if let Some([x, y, top, base]) = field {
        size = [x, y, 0.25 * top + 0.5 * base];
        aabb = shape::center_and_half([-x, -y, -base, x, y, top]);
        rbound = (x * x + y * y + (top * top).max(base * base)).sqrt();
    } else {
        aabb = shape::bounding_box(g.gtype, size);
        rbound = shape::bounding_radius(g.gtype, size);
    }
    let (mass, inertia) = mass(context, g, size, mesh, infer_inertia);
    let lent = mesh_id.map_or("", |id| assets.mesh_material(id));
    let material = if g.material.is_empty() { lent } else { &g.material };
    GeomOut {
        spec: g,
        body,
        data: mesh_id.or(hfield_id),
        material: assets.material(context, order, material, (g.origin, "geom")),
        pose: frames.place(g.frame, pose),
        size,
        aabb,
        rbound,
        mass,
        inertia,
    }
}

/// Mass and principal moments, as far as they count for the body.
fn mass(
    context: &mut Context<'_, '_>,
    g: &Geom,
    size: Vec3,
    mesh: Option<&Mesh>,
    infer_inertia: bool,
) -> (f64, Vec3) {
    if !infer_inertia {
        return (0.0, [0.0; 3]);
    }
    let measure = mesh.map_or_else(|| shape::measure(g.gtype, size, g.shellinertia), |m| m.volume);
    let mass = match g.mass {
        Some(mass) if measure > EPS => mass,
        Some(_) => 0.0,
        None => g.density * measure,
    };
    let mut inertia = [0.0; 3];
    if mass != 0.0 {
        inertia = match mesh {
            Some(mesh) => shape::inertia(GeomType::Box, mesh.inertia_box, mass, false),
            None => shape::inertia(g.gtype, size, mass, g.shellinertia),
        };
    }
    let attribute = if g.mass.is_some() { "mass" } else { "density" };
    if mass < 0.0 || (g.mass.is_none() && g.density < 0.0) {
        context.invalid(g.origin, "geom", Some(attribute), "cannot be negative");
    }
    (mass, inertia)
}

/// What a geom of each type must and must not have.
fn check_kind(context: &mut Context<'_, '_>, g: &Geom, is_static: bool) {
    let mut invalid = |attribute, message: String| {
        context.invalid(g.origin, "geom", Some(attribute), message);
    };
    if !matches!(g.condim, 1 | 3 | 4 | 6) {
        invalid("condim", format!("{} is not 1, 3, 4 or 6", g.condim));
    }
    match g.gtype {
        GeomType::Mesh | GeomType::Sdf if g.mesh.is_empty() => {
            invalid("mesh", "is missing: name one of the meshes in <asset>".to_owned());
        }
        GeomType::Mesh | GeomType::Sdf if g.shellinertia => {
            invalid("shellinertia", "set inertia=\"shell\" in the <mesh> asset instead".to_owned());
        }
        GeomType::HField if g.hfield.is_empty() => {
            invalid("hfield", "is missing: name one of the height fields in <asset>".to_owned());
        }
        GeomType::Plane if !is_static => {
            invalid("type", "a plane must belong to a body that cannot move".to_owned());
        }
        _ => {}
    }
    if g.gtype != GeomType::HField && !g.hfield.is_empty() {
        invalid("hfield", "needs type=\"hfield\"".to_owned());
    }
    if !g.mesh.is_empty() && g.fromto.is_some() {
        invalid("fromto", "cannot be used together with `mesh`".to_owned());
    }
}

/// The id of an asset that a geom names; reports an unknown one.
fn reference(
    context: &mut Context<'_, '_>,
    order: &Order<'_>,
    names: &Names<'_>,
    (g, kind): (&Geom, &'static str),
    name: &str,
) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    order.find(context, names, kind, name, (g.origin, "geom", kind))
}

/// A mesh moves its geom to the mesh's own frame; another shape is fitted to it.
fn place_mesh(
    context: &mut Context<'_, '_>,
    g: &Geom,
    mesh: &Mesh,
    (pose, mut size): (Pose, Vec3),
) -> (Pose, Vec3) {
    let shape = match g.gtype {
        GeomType::Sphere => Some(FitShape::Sphere),
        GeomType::Capsule => Some(FitShape::Capsule),
        GeomType::Cylinder => Some(FitShape::Cylinder),
        GeomType::Ellipsoid => Some(FitShape::Ellipsoid),
        GeomType::Box => Some(FitShape::Box),
        GeomType::Mesh | GeomType::Sdf => None,
        GeomType::Plane | GeomType::HField => {
            let message =
                "cannot be fitted to a mesh: use a sphere, capsule, cylinder, ellipsoid or box";
            context.invalid(g.origin, "geom", Some("type"), message);
            None
        }
    };
    let mut center = [0.0; 3];
    if let Some(shape) = shape {
        let aabb = context.spec.compiler_of(g.origin).fitaabb;
        let fitted = mesh.fit(shape, aabb, g.fitscale);
        for (to, from) in size.iter_mut().zip(fitted.size) {
            *to = from.unwrap_or(*to);
        }
        center = fitted.center;
    }
    let own = Pose { pos: add(rotate(mesh.quat, center), mesh.pos), quat: mesh.quat };
    (pose.then(own), size)
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
