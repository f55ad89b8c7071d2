//! Tables of rangefinders (mj_ray): visible geoms, and the quantities that a sensor reports.

use super::super::array;
use crate::GpuBatchError;
use crate::layout::ModelTables;
use sim_core::{Model, RayFields};
use sim_types::{GeomType, ObjType};

/// Geom types that rays can hit, with the names of their codes.
const TYPES: [(GeomType, &str); 6] = [
    (GeomType::Plane, "RAY_PLANE"),
    (GeomType::Sphere, "RAY_SPHERE"),
    (GeomType::Capsule, "RAY_CAPSULE"),
    (GeomType::Ellipsoid, "RAY_ELLIPSOID"),
    (GeomType::Cylinder, "RAY_CYLINDER"),
    (GeomType::Box, "RAY_BOX"),
];

/// Quantities of a rangefinder at a site: whether the distance comes first, and one vector, in the code that kernels
/// read. `None` for a camera or several vectors.
pub(super) fn selected_fields(m: &Model, sensor: usize) -> Option<usize> {
    let fields = RayFields::from_bits(m.sensor_intprm[3 * sensor]);
    let vectors = [fields.dir, fields.origin, fields.point, fields.normal];
    let vector = vectors.iter().position(Option::is_some).map_or(0, |k| k + 1);
    let simple = m.sensor_objtype[sensor] == ObjType::Site
        && vectors.iter().flatten().count() <= 1
        && fields.depth.is_none();
    simple.then_some(usize::from(fields.dist.is_some()) | vector << 1)
}

/// Adds the tables of the geoms that rays can hit, if there are `rangefinders`.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] for a visible geom that is not a primitive.
pub(super) fn geoms(
    m: &Model,
    rangefinders: bool,
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    for (code, (_, name)) in TYPES.iter().enumerate() {
        t.size(name, code);
    }
    for (code, name) in ["RAY_DIR", "RAY_ORIGIN", "RAY_POINT", "RAY_NORMAL"].iter().enumerate() {
        t.size(name, code + 1);
    }
    let code = |g: usize| TYPES.iter().position(|(kind, _)| *kind == m.geom_type[g]);
    let visible = |g: &usize| {
        let alpha = match usize::try_from(m.geom_matid[*g]) {
            Ok(material) => m.mat_rgba[4 * material + 3],
            Err(_) => m.geom_rgba[4 * g + 3],
        };
        rangefinders && alpha != 0.0
    };
    let all: Vec<usize> = (0..m.ngeom).filter(visible).collect();
    if let Some(&g) = all.iter().find(|&&g| code(g).is_none()) {
        let what = format!("rangefinders may hit geom {g}, a {:?}", m.geom_type[g]);
        let instead = "write <flag sensor=\"disable\"/> to step it without sensors";
        return Err(GpuBatchError::Unsupported { what, instead });
    }
    t.size("NRAYGEOM", all.len());
    t.indices("RAY_BODY", all.iter().map(|&g| m.geom_bodyid[g] as usize));
    t.indices("RAY_TYPE", all.iter().map(|&g| code(g).unwrap_or(usize::MAX)));
    t.vec4s("RAY_POS", all.iter().map(|&g| m.geom_frame(g).pos));
    t.vec4s("RAY_QUAT", all.iter().map(|&g| m.geom_frame(g).quat));
    t.vec4s("RAY_SIZE", all.iter().map(|&g| array::<3>(&m.geom_size, g)));
    Ok(())
}
