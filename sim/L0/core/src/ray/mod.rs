//! Rays: what a line of sight meets first (`mj_ray`, `mj_multiRay`).
//!
//! Distances are in units of the ray's vector, so for a unit vector in metres. A ray sees the
//! shapes as drawn: planes from their front within their rectangle, meshes by their triangles; and
//! distance fields by their zeros.

mod hfield;
mod mesh;
mod sdf;
mod shape;

pub use shape::ray_geom;

use crate::math::vec3::{self, Vec3};
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::{GeomType, MINVAL};

/// Which geoms a ray can meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayFilter {
    /// Geom groups that are seen; groups beyond count as the nearest. `None` sees all.
    pub groups: Option<[bool; 6]>,
    /// Whether geoms that are fixed to the world are seen.
    pub fixed: bool,
    /// A body whose geoms are not seen.
    pub exclude: Option<usize>,
}

impl Default for RayFilter {
    fn default() -> Self {
        Self { groups: None, fixed: true, exclude: None }
    }
}

/// What a ray meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// Distance in units of the ray's vector.
    pub dist: f64,
    /// The geom.
    pub geom: usize,
    /// Normal of its surface there, unit length, in world axes.
    pub normal: Vec3,
}

/// A ray that meets a surface: distance and normal.
pub type Met = (f64, Vec3);

impl RayFilter {
    /// Whether the geom is seen.
    #[must_use]
    fn sees(&self, m: &Model, geom: usize) -> bool {
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

/// The first geom that a ray from `point` along `vec` meets. A vector without length meets nothing.
///
/// Reads `geom_xpos`, `geom_xmat`.
#[must_use]
pub fn mj_ray(m: &Model, d: &Data, point: Vec3, vec: Vec3, filter: &RayFilter) -> Option<RayHit> {
    if vec3::norm(vec) < MINVAL {
        return None;
    }
    let mut best = None;
    for geom in (0..m.ngeom).filter(|&geom| filter.sees(m, geom)) {
        nearer(m, d, geom, point, vec, &mut best);
    }
    best
}

/// Casts many rays from one point; a hit or `None` for each. Geoms whose bounding sphere begins
/// beyond `cutoff` are left out.
///
/// # Panics
/// If there is less room for results than there are rays.
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
    for geom in (0..m.ngeom).filter(|&geom| filter.sees(m, geom)) {
        let radius = m.geom_rbound[geom];
        let to = vec3::sub(centres[geom], point);
        let square = vec3::dot(to, to);
        if radius > 0.0 && square.sqrt() > cutoff + radius {
            continue;
        }
        for (vec, hit) in vecs.iter().zip(&mut *hits) {
            let (along, length) = (vec3::dot(to, *vec), vec3::dot(*vec, *vec));
            // outside of the bounding sphere and not pointing at it
            let aside = square - radius * radius;
            let misses =
                radius > 0.0 && aside > 0.0 && (along <= 0.0 || along * along < aside * length);
            if !misses && length >= MINVAL {
                nearer(m, d, geom, point, *vec, hit);
            }
        }
    }
}

/// Replaces the best hit if the ray meets this geom before.
fn nearer(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3, best: &mut Option<RayHit>) {
    let limit = best.map_or(f64::INFINITY, |hit| hit.dist);
    if let Some((dist, normal)) = mj_ray_geom(m, d, geom, point, vec, limit)
        && dist < limit
    {
        *best = Some(RayHit { dist, geom, normal });
    }
}

/// Where a ray meets one geom, if before `limit`.
fn mj_ray_geom(
    m: &Model,
    d: &Data,
    geom: usize,
    point: Vec3,
    vec: Vec3,
    limit: f64,
) -> Option<Met> {
    match m.geom_type[geom] {
        GeomType::Mesh => mesh::meet(m, d, geom, point, vec, limit),
        GeomType::Sdf => sdf::meet(m, d, geom, point, vec),
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

/// Where a ray meets the triangles of a mesh geom. `None` also for geoms of other kinds.
#[doc(alias = "mj_rayMesh")]
#[must_use]
pub fn mj_ray_mesh(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3) -> Option<Met> {
    (m.geom_type[geom] == GeomType::Mesh)
        .then(|| mesh::meet(m, d, geom, point, vec, f64::INFINITY))?
}

/// Where a ray meets a height-field geom. `None` also for geoms of other kinds.
#[doc(alias = "mj_rayHfield")]
#[must_use]
pub fn mj_ray_hfield(m: &Model, d: &Data, geom: usize, point: Vec3, vec: Vec3) -> Option<Met> {
    (m.geom_type[geom] == GeomType::HField).then(|| hfield::meet(m, d, geom, point, vec))?
}

/// A ray in the frame of a geom.
fn to_local(pos: Vec3, mat: &mat3::Mat3, point: Vec3, vec: Vec3) -> (Vec3, Vec3) {
    let local = mat3::mul_transpose_vec(mat, vec3::sub(point, pos));
    (local, mat3::mul_transpose_vec(mat, vec))
}
