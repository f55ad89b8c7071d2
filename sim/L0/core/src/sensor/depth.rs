//! How far a point is from the surface of a geom, negative inside, as the tactile sensor measures it.

use crate::math::vec3::{self, Vec3};
use crate::math::{mat3, rows};
use crate::{Data, Model};
use sim_types::GeomType;

/// Levels after which the search in an octree gives up: those that are built are far less deep.
const DEEPEST: usize = 100;

/// The signed distance of a world position from a geom; nothing for height fields, and for meshes
/// without an octree.
pub(super) fn depth(m: &Model, d: &Data, geom: usize, point: Vec3) -> Option<f64> {
    let away = vec3::sub(point, rows::<3>(&d.geom_xpos)[geom]);
    let x = mat3::mul_transpose_vec(&rows::<9>(&d.geom_xmat)[geom], away);
    let size = rows::<3>(&m.geom_size)[geom];
    Some(match m.geom_type[geom] {
        GeomType::Plane => x[2],
        GeomType::Sphere => vec3::norm(x) - size[0],
        GeomType::Capsule => {
            let beyond = x[2] - x[2].max(-size[1]).min(size[1]);
            vec3::norm([x[0], x[1], beyond]) - size[0]
        }
        GeomType::Ellipsoid => {
            let near: Vec3 = std::array::from_fn(|k| x[k] / size[k]);
            let slope: Vec3 = std::array::from_fn(|k| near[k] / size[k]);
            let (k0, k1) = (vec3::norm(near), vec3::norm(slope));
            k0 * (k0 - 1.0) / k1
        }
        GeomType::Cylinder => {
            let side = x[0].hypot(x[1]) - size[0];
            let cap = x[2].abs() - size[1];
            side.max(cap).min(0.0) + side.max(0.0).hypot(cap.max(0.0))
        }
        GeomType::Box => in_box(size, x),
        GeomType::Mesh | GeomType::Sdf => {
            in_octree(m, usize::try_from(m.geom_dataid[geom]).ok()?, x)?
        }
        _ => return None,
    })
}

/// Outside, the distance; inside, how far it is to a face along a direction that turns from radial
/// at the centre to the normal at a face.
fn in_box(size: Vec3, x: Vec3) -> f64 {
    let beyond: Vec3 = std::array::from_fn(|k| x[k].abs() - size[k]);
    if beyond.iter().any(|&a| a >= 0.0) {
        return vec3::norm(beyond.map(|a| a.max(0.0)));
    }
    let (way, _) = vec3::normalize(std::array::from_fn(|k| -size[k] / beyond[k]));
    let steps = (0..3).map(|k| -beyond[k] / way[k].abs());
    -steps.fold(f64::INFINITY, f64::min) * vec3::norm(way)
}

/// The distance that an octree stores at the corners of its cells, interpolated. Outside of the
/// root, the distance to the root is added to that of the nearest point within.
fn in_octree(m: &Model, mesh: usize, mut x: Vec3) -> Option<f64> {
    const INWARD: f64 = 1e-6;
    let root = usize::try_from(*m.mesh_octadr.get(mesh)?).ok()?;
    let cells = rows::<6>(&m.oct_aabb).get(root..)?;
    let [cx, cy, cz, half @ ..] = *cells.first()?;
    let away = vec3::sub(x, [cx, cy, cz]);
    let beyond: Vec3 = std::array::from_fn(|k| away[k].abs() - half[k]);
    let mut outside = 0.0;
    if beyond.iter().any(|&q| q > 0.0) {
        for k in 0..3 {
            if beyond[k] >= 0.0 {
                outside += beyond[k] * beyond[k];
                x[k] -= (beyond[k] + INWARD).copysign(away[k]);
            }
        }
    }
    let children = m.oct_child.as_chunks::<8>().0.get(root..)?;
    let mut node = 0;
    for _ in 0..DEEPEST {
        let [cx, cy, cz, half @ ..] = *cells.get(node)?;
        let centre = [cx, cy, cz];
        let at: Vec3 = std::array::from_fn(|k| (x[k] - (centre[k] - half[k])) / (2.0 * half[k]));
        let below = children.get(node)?;
        if below.iter().all(|&child| child == -1) {
            let values = rows::<8>(&m.oct_coeff).get(root + node)?;
            let share = |j: usize, k: usize| if j >> k & 1 == 1 { at[k] } else { 1.0 - at[k] };
            let weighted = values.iter().enumerate();
            let sum: f64 =
                weighted.map(|(j, value)| share(j, 0) * share(j, 1) * share(j, 2) * value).sum();
            return Some(sum + outside.sqrt());
        }
        let upper = |k: usize| usize::from(at[k] >= 0.5);
        node = usize::try_from(below[4 * upper(2) + 2 * upper(1) + upper(0)]).ok()?;
    }
    None
}
