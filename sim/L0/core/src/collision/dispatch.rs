//! Which routine finds the contacts of which pair of shapes, as a table.

use super::narrow::{
    box_box, capsule_box, capsule_capsule, plane_box, plane_capsule, plane_cylinder, plane_sphere,
    sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere,
};
use super::shape::Shape;
use super::touch::Touches;
use crate::Model;
use sim_types::GeomType;

/// A routine in closed form: two shapes in the order of their types, the margin, the contacts.
pub(crate) type Analytic = fn(&Shape, &Shape, f64, &mut Touches);

/// How the contacts of a pair are found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Routine {
    /// The shapes never touch.
    Never,
    /// In closed form.
    Analytic(Analytic),
    /// A plane and the lowest points of a convex shape.
    PlaneConvex,
    /// The prisms of a height field and a convex shape.
    HField,
    /// Two convex shapes.
    Convex,
    /// The triangles of a mesh and a signed distance.
    MeshSdf,
    /// Two signed distances.
    Sdf,
    /// The triangles of a mesh, or of two, instead of their hulls.
    Triangles,
}

impl Routine {
    /// The routine of two geoms, the one of the lower type first.
    #[inline]
    pub(crate) fn between(m: &Model, g1: usize, g2: usize) -> Self {
        match Self::of(m.geom_type[g1], m.geom_type[g2]) {
            Self::PlaneConvex | Self::HField | Self::Convex
                if has_triangles(m, g1) || has_triangles(m, g2) =>
            {
                Self::Triangles
            }
            routine => routine,
        }
    }

    /// The routine of two types, the lower first.
    #[inline]
    pub(crate) fn of(low: GeomType, high: GeomType) -> Self {
        TABLE[low as usize][high as usize]
    }
}

/// Whether a geom collides by the triangles of its mesh.
pub(crate) fn has_triangles(m: &Model, geom: usize) -> bool {
    let mesh = usize::try_from(m.geom_dataid[geom]).ok();
    m.geom_type[geom] == GeomType::Mesh
        && mesh.is_some_and(|mesh| m.mesh_triangles.get(mesh) == Some(&true))
}

const NO: Routine = Routine::Never;
const CVX: Routine = Routine::Convex;
const PCX: Routine = Routine::PlaneConvex;
const HF: Routine = Routine::HField;
const SDF: Routine = Routine::Sdf;
const MSD: Routine = Routine::MeshSdf;
const PS: Routine = Routine::Analytic(plane_sphere);
const PC: Routine = Routine::Analytic(plane_capsule);
const PY: Routine = Routine::Analytic(plane_cylinder);
const PB: Routine = Routine::Analytic(plane_box);
const SS: Routine = Routine::Analytic(sphere_sphere);
const SC: Routine = Routine::Analytic(sphere_capsule);
const SY: Routine = Routine::Analytic(sphere_cylinder);
const SB: Routine = Routine::Analytic(sphere_box);
const CC: Routine = Routine::Analytic(capsule_capsule);
const CB: Routine = Routine::Analytic(capsule_box);
const BB: Routine = Routine::Analytic(box_box);

/// The routine of each pair of types; a pair comes in the order of its types, so half is empty.
/// A height field and a distance field never touch, as in the reference engine.
#[doc(alias = "mjCOLLISIONFUNC")]
#[rustfmt::skip]
const TABLE: [[Routine; 9]; 9] = [
    //             plane hfield sphere capsule ellipsoid cylinder box  mesh sdf
    /* plane     */ [NO,  NO,    PS,    PC,     PCX,      PY,      PB,  PCX, PCX],
    /* hfield    */ [NO,  NO,    HF,    HF,     HF,       HF,      HF,  HF,  NO],
    /* sphere    */ [NO,  NO,    SS,    SC,     CVX,      SY,      SB,  CVX, SDF],
    /* capsule   */ [NO,  NO,    NO,    CC,     CVX,      CVX,     CB,  CVX, SDF],
    /* ellipsoid */ [NO,  NO,    NO,    NO,     CVX,      CVX,     CVX, CVX, SDF],
    /* cylinder  */ [NO,  NO,    NO,    NO,     NO,       CVX,     CVX, CVX, SDF],
    /* box       */ [NO,  NO,    NO,    NO,     NO,       NO,      BB,  CVX, SDF],
    /* mesh      */ [NO,  NO,    NO,    NO,     NO,       NO,      NO,  CVX, MSD],
    /* sdf       */ [NO,  NO,    NO,    NO,     NO,       NO,      NO,  NO,  SDF],
];
