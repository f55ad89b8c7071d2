//! Ray intersection with a flex (`mj_rayFlex`).

use super::SurfaceHit;
use super::mesh::triangle;
use super::shape::ray_geom;
use crate::flex::{edges, elements, vertices};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, quat, rows};
use crate::{Data, Model};
use sim_types::GeomType;

/// The parts of a flex that a ray can hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlexParts {
    /// Vertices as spheres; ignored if edges are included.
    pub vertices: bool,
    /// Edges as capsules.
    pub edges: bool,
    /// Faces of the element layer `layer`.
    pub faces: bool,
    /// The surface: faces of the outer layer, and edges.
    pub skin: bool,
    /// Layer of solid elements whose faces are included.
    pub layer: i32,
}

/// Intersection of a ray with a flex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlexHit {
    /// Distance in units of the length of the ray's vector.
    pub dist: f64,
    /// Nearest vertex of the flex.
    pub vertex: usize,
    /// Unit normal in world axes.
    pub normal: Vec3,
}

/// Faces of a tetrahedron.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

/// Returns the first intersection of a ray with the given parts of flex `f`; `None` if there is none.
///
/// Reads `flexvert_xpos`.
///
/// # Panics
///
/// If there is no flex `f`.
#[doc(alias = "mj_rayFlex")]
#[must_use]
pub fn mj_ray_flex(
    m: &Model,
    d: &Data,
    f: usize,
    parts: FlexParts,
    point: Vec3,
    vec: Vec3,
) -> Option<FlexHit> {
    let x = &rows::<3>(&d.flexvert_xpos)[vertices(m, f)];
    let (dim, radius) = (m.flex_dim[f], m.flex_radius[f]);
    intersects_bounds(x, radius, point, vec).then_some(())?;
    let mut best: Option<FlexHit> = None;
    let mut update = |hit: Option<SurfaceHit>, candidates: &[i32]| {
        let Some((dist, normal)) = hit.filter(|hit| hit.0 >= 0.0) else { return };
        if best.is_some_and(|best| dist >= best.dist) {
            return;
        }
        let at_hit = vec3::add_scaled(point, vec, dist);
        let distance = |v: i32| vec3::distance(x[v as usize], at_hit);
        let nearest =
            candidates.iter().copied().reduce(|a, b| if distance(b) < distance(a) { b } else { a });
        let vertex = nearest.map_or(0, |v| v as usize);
        best = Some(FlexHit { dist, vertex, normal: vec3::normalize(normal).0 });
    };
    let surface = dim > 1 && parts.skin;
    if parts.edges || surface {
        for e in edges(m, f) {
            let [a, b] = m.flex_edge.as_chunks::<2>().0[e];
            let (p, q) = (x[a as usize], x[b as usize]);
            let (axis, length) = vec3::normalize(vec3::sub(q, p));
            let middle = vec3::scale(vec3::add(p, q), 0.5);
            let mat = quat::to_mat(quat::from_z_axis(axis));
            let size = [radius, 0.5 * length, 0.0];
            // at equal distances the second vertex is the nearest
            update(ray_geom(GeomType::Capsule, middle, &mat, size, point, vec), &[b, a]);
        }
    } else if parts.vertices {
        for (v, p) in x.iter().enumerate() {
            let size = [radius, 0.0, 0.0];
            let hit = ray_geom(GeomType::Sphere, *p, &mat3::IDENTITY, size, point, vec);
            update(hit, &[v as i32]);
        }
    }
    if dim > 1 && (parts.faces || parts.skin) {
        let corners = at(&m.flex_dim, f) + 1;
        let layers = &m.flex_elemlayer[at(&m.flex_elemadr, f)..];
        for (element, &layer) in elements(m, f).chunks_exact(corners).zip(layers) {
            let hidden = if parts.skin { layer > 0 } else { layer != parts.layer };
            if dim == 3 && hidden {
                continue;
            }
            for face in &FACES[..if dim == 2 { 1 } else { 4 }] {
                let ids = face.map(|k| element[k]);
                update(triangle(&ids.map(|v| x[v as usize]), point, vec), &ids);
            }
        }
    }
    best
}

/// Whether a ray intersects the bounding box of points with a radius.
fn intersects_bounds(x: &[Vec3], radius: f64, point: Vec3, vec: Vec3) -> bool {
    let Some(&first) = x.first() else { return false };
    let (mut low, mut high) = (first, first);
    for p in x {
        for k in 0..3 {
            low[k] = low[k].min(p[k]);
            high[k] = high[k].max(p[k]);
        }
    }
    let middle = vec3::scale(vec3::add(low, high), 0.5);
    let size = vec3::scale(vec3::sub(high, low), 0.5).map(|half| half + radius);
    ray_geom(GeomType::Box, middle, &mat3::IDENTITY, size, point, vec).is_some()
}
