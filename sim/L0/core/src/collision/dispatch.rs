//! Pair table of the narrow phase: the routine for every pair of geom types (`mjCOLLISIONFUNC`).

use super::manifold::Manifold;
use super::narrow::{
    box_box, capsule_box, capsule_capsule, plane_box, plane_capsule, plane_cylinder, plane_sphere,
    sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere,
};
use super::shape::Shape;
use sim_types::GeomType;

/// A closed-form routine: two shapes in the order of their types, the margin, the output.
pub(crate) type Analytic = fn(&Shape, &Shape, f64, &mut Manifold);

/// Narrow-phase routine of a pair.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Routine {
    /// The pair of types has no collision routine.
    Never,
    /// Closed form.
    Analytic(Analytic),
    /// A plane and a convex shape, by support points.
    PlaneConvex,
    /// A height field and a convex shape, prism by prism.
    HField,
    /// Two convex shapes, by GJK and EPA.
    Convex,
    /// The triangles of a mesh and a signed distance field.
    MeshSdf,
    /// Two signed distance fields.
    Sdf,
    /// Triangles of one or two meshes instead of their convex hulls.
    Triangles,
}

impl Routine {
    /// The routine of two geom types, the lower type first.
    #[inline]
    pub(crate) fn of(low: GeomType, high: GeomType) -> Self {
        TABLE[low as usize][high as usize]
    }
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

/// The routine of each pair of types. Pairs are ordered by type, so only the upper triangle is used.
/// A height field and a signed distance field have no routine, as in MuJoCo.
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
