//! Compilation of geoms (mjCGeom): pose, size, mass, inertia and bounds.

use super::Context;
use super::asset::Assets;
use super::body::Frames;
use super::math::{EPS, Pose, Quat, Vec3, add, dot, normalize, rotate, sub, z_to};
use super::primitive;
use super::symbols::{NameMap, SymbolTable};
use crate::asset::Mesh;
use crate::asset::mesh::FitShape;
use crate::spec::{Geom, Orientation, Origin};
use sim_core::types::GeomType;

/// A compiled geom.
#[derive(Debug)]
pub(super) struct CompiledGeom<'a> {
    pub(super) spec: &'a Geom,
    pub(super) body: usize,
    /// Id of its mesh or height field.
    pub(super) data: Option<usize>,
    pub(super) material: Option<usize>,
    pub(super) pose: Pose,
    pub(super) size: Vec3,
    pub(super) aabb: [f64; 6],
    pub(super) rbound: f64,
    /// Mass that contributes to the body; 0 if the inertia of the body is given explicitly.
    pub(super) mass: f64,
    pub(super) inertia: Vec3,
}

pub(super) fn compile<'a>(
    context: &mut Context<'a, '_>,
    (frames, symbols, assets): (&Frames, &SymbolTable<'a>, &Assets<'a>),
    (body, is_static): (usize, bool),
    g: &'a Geom,
    infer_inertia: bool,
) -> CompiledGeom<'a> {
    context.check_user(g.origin, "geom", &g.user, context.spec.size.nuser_geom, "nuser_geom");
    check_type(context, g, is_static);
    let mesh_id = reference(context, symbols, &symbols.mesh, (g, "mesh"), &g.mesh);
    let hfield_id = reference(context, symbols, &symbols.hfield, (g, "hfield"), &g.hfield);
    let mesh = mesh_id.and_then(|id| assets.mesh(id));
    let (mut pose, mut size) = pose_and_size(
        context,
        (g.origin, "geom"),
        g.gtype,
        (g.pos, &g.orientation, g.fromto),
        g.size,
    );
    if let Some(mesh) = mesh {
        (pose, size) = apply_mesh(context, g, mesh, (pose, size));
    }
    check_size(context, (g.origin, "geom"), g.gtype, size);

    // A mesh to which a primitive was fitted does not affect the bounds and the mass.
    let is_mesh = matches!(g.gtype, GeomType::Mesh | GeomType::Sdf);
    let mesh = mesh.filter(|_| is_mesh);
    let field = hfield_id.map(|id| context.spec.hfields[id].size);
    let (aabb, rbound);
    if let Some(mesh) = mesh {
        size = std::array::from_fn(|k| mesh.aamm[k].abs().max(mesh.aamm[k + 3].abs()));
        aabb = primitive::center_and_half_sizes(mesh.aamm);
        rbound = dot(size, size).sqrt();
    } else if let Some([x, y, top, base]) = field {
        size = [x, y, 0.25 * top + 0.5 * base];
        aabb = primitive::center_and_half_sizes([-x, -y, -base, x, y, top]);
        rbound = (x * x + y * y + (top * top).max(base * base)).sqrt();
    } else {
        aabb = primitive::bounding_box(g.gtype, size);
        rbound = primitive::bounding_radius(g.gtype, size);
    }
    let (mass, inertia) = mass(context, g, size, mesh, infer_inertia);
    let mesh_material = mesh_id.map_or("", |id| assets.mesh_material(id));
    let material = if g.material.is_empty() { mesh_material } else { &g.material };
    CompiledGeom {
        spec: g,
        body,
        data: mesh_id.or(hfield_id),
        material: assets.material(context, symbols, material, (g.origin, "geom")),
        pose: frames.place(g.frame, pose),
        size,
        aabb,
        rbound,
        mass,
        inertia,
    }
}

/// Mass and principal moments that contribute to the body.
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
    let measure =
        mesh.map_or_else(|| primitive::volume_or_area(g.gtype, size, g.shellinertia), |m| m.volume);
    let mass = match g.mass {
        Some(mass) if measure > EPS => mass,
        Some(_) => 0.0,
        None => g.density * measure,
    };
    let mut inertia = [0.0; 3];
    if mass != 0.0 {
        inertia = match mesh {
            Some(mesh) => primitive::inertia(GeomType::Box, mesh.inertia_box, mass, false),
            None => primitive::inertia(g.gtype, size, mass, g.shellinertia),
        };
    }
    let attribute = if g.mass.is_some() { "mass" } else { "density" };
    if mass < 0.0 || (g.mass.is_none() && g.density < 0.0) {
        context.invalid(g.origin, "geom", Some(attribute), "must not be negative");
    }
    (mass, inertia)
}

/// Checks the attributes required and forbidden by the type of a geom.
fn check_type(context: &mut Context<'_, '_>, g: &Geom, is_static: bool) {
    let mut invalid = |attribute, message: String| {
        context.invalid(g.origin, "geom", Some(attribute), message);
    };
    if !matches!(g.condim, 1 | 3 | 4 | 6) {
        invalid("condim", format!("must be 1, 3, 4 or 6, found {}", g.condim));
    }
    match g.gtype {
        GeomType::Mesh | GeomType::Sdf if g.mesh.is_empty() => {
            invalid("mesh", "is required: the name of a mesh in <asset>".to_owned());
        }
        GeomType::Mesh | GeomType::Sdf if g.shellinertia => {
            invalid("shellinertia", "set inertia=\"shell\" in the <mesh> asset instead".to_owned());
        }
        GeomType::HField if g.hfield.is_empty() => {
            invalid("hfield", "is required: the name of a height field in <asset>".to_owned());
        }
        GeomType::Plane if !is_static => {
            invalid("type", "a plane must belong to a static body".to_owned());
        }
        _ => {}
    }
    if g.gtype != GeomType::HField && !g.hfield.is_empty() {
        invalid("hfield", "requires type=\"hfield\"".to_owned());
    }
    if !g.mesh.is_empty() && g.fromto.is_some() {
        invalid("fromto", "cannot be combined with `mesh`".to_owned());
    }
}

/// Id of an asset that a geom refers to; reports an unknown name.
fn reference(
    context: &mut Context<'_, '_>,
    symbols: &SymbolTable<'_>,
    names: &NameMap<'_>,
    (g, kind): (&Geom, &'static str),
    name: &str,
) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    symbols.find(context, names, kind, name, (g.origin, "geom", kind))
}

/// Transforms a geom to the inertial frame of its mesh and fits a primitive to the mesh.
fn apply_mesh(
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
        // the setting of the main model also applies to the meshes of attached models
        let aabb = context.spec.compiler.fitaabb;
        let fitted = mesh.fit(shape, aabb, g.fitscale);
        for (to, from) in size.iter_mut().zip(fitted.size) {
            *to = from.unwrap_or(*to);
        }
        center = fitted.center;
    }
    let mesh_pose = Pose { pos: add(rotate(mesh.quat, center), mesh.pos), quat: mesh.quat };
    (pose.then(mesh_pose), size)
}

/// Pose and size of a geom or site; `fromto` overrides position, orientation and length.
pub(super) fn pose_and_size(
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
    let has_axis = matches!(
        shape,
        GeomType::Capsule | GeomType::Cylinder | GeomType::Ellipsoid | GeomType::Box
    );
    if !has_axis {
        let message = "requires a capsule, cylinder, ellipsoid or box";
        context.invalid(origin, element, Some("fromto"), message);
    }
    if pos != [0.0; 3] {
        let message = "defines the position: remove `pos`";
        context.invalid(origin, element, Some("fromto"), message);
    }
    let (a, b) = ([ax, ay, az], [bx, by, bz]);
    let mut direction = sub(a, b);
    let half = normalize(&mut direction) / 2.0;
    if half < EPS {
        context.invalid(origin, element, Some("fromto"), "the two points coincide");
    }
    let size = match shape {
        GeomType::Ellipsoid | GeomType::Box => [size[0], size[0], half],
        _ => [size[0], half, size[2]],
    };
    let center = [(ax + bx) / 2.0, (ay + by) / 2.0, (az + bz) / 2.0];
    (Pose { pos: center, quat: z_to(direction) }, size)
}

/// Checks that the sizes used by a shape are positive.
pub(super) fn check_size(
    context: &mut Context<'_, '_>,
    (origin, element): (Origin, &str),
    shape: GeomType,
    size: Vec3,
) {
    if shape == GeomType::Plane {
        if size[2] <= 0.0 {
            let message = "the third size of a plane (the grid spacing) must be positive";
            context.invalid(origin, element, Some("size"), message);
        }
        return;
    }
    let count = primitive::size_count(shape);
    if let Some(i) = size[..count].iter().position(|&s| s <= 0.0) {
        let message = format!(
            "value {} of the {count} sizes of {} must be positive",
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
