//! Tables of geoms that take part in collision detection.

use crate::layout::ModelTables;
use crate::model::array;
use sim_core::Model;
use sim_types::GeomType;

/// Adds the tables of `geoms`: body, pose, size and bounding box.
pub(super) fn add_tables(m: &Model, geoms: &[usize], t: &mut ModelTables) {
    t.indices("GEOM_BODY", geoms.iter().map(|&g| m.geom_bodyid[g] as usize));
    t.vec4s("GEOM_POS", geoms.iter().map(|&g| m.geom_frame(g).pos));
    t.vec4s("GEOM_QUAT", geoms.iter().map(|&g| m.geom_frame(g).quat));
    // a sphere has no size but its radius
    let size = |g: usize| match m.geom_type[g] {
        GeomType::Sphere => [m.geom_size[3 * g], 0.0, 0.0],
        _ => array::<3>(&m.geom_size, g),
    };
    t.vec4s("GEOM_SIZE", geoms.iter().map(|&g| size(g)));
    let aabb =
        |g: usize, k: usize| std::array::from_fn::<f64, 3, _>(|c| m.geom_aabb[6 * g + 3 * k + c]);
    t.vec4s("GEOM_AABB_CENTER", geoms.iter().map(|&g| aabb(g, 0)));
    t.vec4s("GEOM_AABB_HALF", geoms.iter().map(|&g| aabb(g, 1)));
}
