//! Ray casting (`mj_ray`, `mj_multiRay`).
//!
//! Distances are in units of the length of the ray's vector: metres for a unit vector. Rays intersect the
//! visual shapes: the front side of a plane's rectangle, the triangles of a mesh, the zero level set of a
//! signed distance field.

mod flex;
mod hfield;
mod hit;
mod mesh;
mod sdf;
mod shape;
mod skin;

pub use flex::{FlexHit, FlexParts, mj_ray_flex};
pub use hit::RayHit;
pub use shape::ray_geom;
pub use skin::ray_skin;

use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::{GeomType, MINVAL};

/// Selects the geoms that a ray can hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayFilter {
    /// Included geom groups, with group indices clamped to 0..=5; `None` includes all.
    pub groups: Option<[bool; 6]>,
    /// Whether static geoms are included (`flg_static`).
    pub fixed: bool,
    /// A body whose geoms are excluded (`bodyexclude`).
    pub exclude: Option<usize>,
}

impl Default for RayFilter {
    fn default() -> Self {
        Self { groups: None, fixed: true, exclude: None }
    }
}

/// Intersection of a ray with a surface: distance, in units of the length of the ray's vector, and unit
/// normal in world axes.
pub type SurfaceHit = (f64, Vec3);

impl RayFilter {
    /// Whether the geom is included; invisible geoms (alpha 0) never are.
    #[must_use]
    fn includes(&self, m: &Model, geom: usize) -> bool {
        let body = at(&m.geom_bodyid, geom);
        let alpha = match usize::try_from(m.geom_matid[geom]) {
            Ok(material) => m.mat_rgba[4 * material + 3],
            Err(_) => m.geom_rgba[4 * geom + 3],
        };
        let group = m.geom_group[geom].clamp(0, 5) as usize;
        self.exclude != Some(body)
            && alpha != 0.0
            && (self.fixed || m.body_weldid[body] != 0)
            && self.groups.is_none_or(|groups| groups[group])
    }
}

/// Returns the first geom hit by a ray from `point` along `vec`; `None` if there is none or `vec` is zero.
///
/// Reads `geom_xpos`, `geom_xmat`.
#[must_use]
pub fn mj_ray(m: &Model, d: &Data, point: Vec3, vec: Vec3, filter: &RayFilter) -> Option<RayHit> {
    if vec3::norm(vec) < MINVAL {
        return None;
    }
    let mut best = None;
    let (centres, square) = (rows::<3>(&d.geom_xpos), vec3::dot(vec, vec));
    for (geom, centre) in centres.iter().enumerate().take(m.ngeom) {
        let missed = misses_sphere(vec3::sub(*centre, point), m.geom_rbound[geom], vec, square)
            && m.geom_type[geom] != GeomType::Sdf;
        if !missed && filter.includes(m, geom) {
            update_hit(m, d, geom, point, vec, &mut best);
        }
    }
    best
}

/// Whether a ray misses a sphere, from outside of it, by more than rounding errors; false for radius zero, which stands
/// for an unbounded geom. `to` is the centre of the sphere relative to the origin of the ray, `length` the squared length
/// of `vec`.
#[inline]
fn misses_sphere(to: Vec3, radius: f64, vec: Vec3, length: f64) -> bool {
    let square = vec3::dot(to, to);
    let power = square - (1.000_001 * radius * radius + 1e-12 * square);
    let along = vec3::dot(to, vec);
    radius > 0.0 && power > 0.0 && (along <= 0.0 || along * along < power * length)
}

/// Casts many rays from one point and writes the hit of each to `hits`. Geoms whose bounding sphere is
/// farther than `cutoff` are ignored.
///
/// # Panics
/// If `hits` is shorter than `vecs`.
#[doc(alias = "mj_multiRay")]
pub fn mj_multi_ray(
    m: &Model,
    d: &Data,
    point: Vec3,
    vecs: &[Vec3],
    filter: &RayFilter,
    cutoff: f64,
    hits: &mut [Option<RayHit>],
) {
    let hits = &mut hits[..vecs.len()];
    hits.fill(None);
    let centres = rows::<3>(&d.geom_xpos);
    for geom in (0..m.ngeom).filter(|&geom| filter.includes(m, geom)) {
        let radius = m.geom_rbound[geom];
        let to = vec3::sub(centres[geom], point);
        let square = vec3::dot(to, to);
        if radius > 0.0 && square.sqrt() > cutoff + radius {
            continue;
        }
        for (vec, hit) in vecs.iter().zip(&mut *hits) {
            let (along, length) = (vec3::dot(to, *vec), vec3::dot(*vec, *vec));
            // the origin is outside the bounding sphere and the ray misses it
            let power = square - radius * radius;
            let misses =
                radius > 0.0 && power > 0.0 && (along <= 0.0 || along * along < power * length);
            if !misses && length >= MINVAL {
                update_hit(m, d, geom, point, *vec, hit);
            }
        }
    }
}

/// Replaces `best` if the ray hits this geom closer.
fn update_hit(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3, best: &mut Option<RayHit>) {
    let limit = best.map_or(f64::INFINITY, |hit| hit.dist);
    if let Some((dist, normal)) = mj_ray_geom(m, d, geom, point, vec, limit)
        && dist < limit
    {
        *best = Some(RayHit { dist, geom, normal });
    }
}

/// Intersection of a ray with one geom; meshes only report hits closer than `limit`.
fn mj_ray_geom(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
    limit: f64,
) -> Option<SurfaceHit> {
    match m.geom_type[geom] {
        GeomType::Mesh => mesh::intersect(m, d, geom, point, vec, limit),
        GeomType::Sdf => sdf::intersect(m, d, geom, point, vec),
        GeomType::HField => mj_ray_hfield(m, d, geom, point, vec),
        kind => ray_geom(
            kind,
            rows::<3>(&d.geom_xpos)[geom],
            &rows::<9>(&d.geom_xmat)[geom],
            rows::<3>(&m.geom_size)[geom],
            point,
            vec,
        ),
    }
}

/// Returns the first intersection of a ray with the triangles of a mesh geom; `None` for other geom types.
#[doc(alias = "mj_rayMesh")]
#[must_use]
pub fn mj_ray_mesh(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3) -> Option<SurfaceHit> {
    (m.geom_type[geom] == GeomType::Mesh)
        .then(|| mesh::intersect(m, d, geom, point, vec, f64::INFINITY))?
}

/// Returns the first intersection of a ray with a height-field geom; `None` for other geom types.
#[doc(alias = "mj_rayHfield")]
#[must_use]
pub fn mj_ray_hfield(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
) -> Option<SurfaceHit> {
    (m.geom_type[geom] == GeomType::HField).then(|| hfield::intersect(m, d, geom, point, vec))?
}

/// Transforms a ray to the frame of a geom.
fn to_local(pos: Vec3, mat: &mat3::Mat3, point: Vec3, vec: Vec3) -> (Vec3, Vec3) {
    let local = mat3::mul_transpose_vec(mat, vec3::sub(point, pos));
    (local, mat3::mul_transpose_vec(mat, vec))
}
