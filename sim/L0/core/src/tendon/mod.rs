//! Tendon lengths, Jacobians and paths (`mj_tendon`).
//!
//! A fixed tendon has length `Σ cᵢ qᵢ`. A spatial tendon is a polyline through sites that may wrap around
//! spheres and cylinders; a pulley divides the length of the segments after it by its divisor.

mod inertia;
mod wrap;

pub(crate) use inertia::{add_armature, add_bias};

use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows, rows_mut, spatial};
use crate::sleep::tendon_asleep;
use crate::{Data, Model};
use sim_types::WrapType;

/// Value of `wrap_obj` for a path point at a site.
const SITE: i32 = -1;
/// Value of `wrap_obj` for a pulley, which interrupts the path.
const PULLEY: i32 = -2;

/// Computes tendon lengths, Jacobians `∂length/∂q` and path points.
///
/// Reads `qpos`, `site_xpos`, `geom_xpos`, `geom_xmat`, `subtree_com`, `cdof`. Writes
/// `ten_length`, `ten_J`, `ten_wrapadr`, `ten_wrapnum`, `wrap_obj`, `wrap_xpos`.
pub fn mj_tendon(m: &Model, d: &mut Data) {
    if m.ntendon == 0 {
        return;
    }
    d.ten_length.fill(0.0);
    d.ten_J.fill(0.0);
    let mut path = Path { points: 0 };
    // dense Jacobian row, all zero between tendons
    let mut row = std::mem::take(&mut d.scratch.dof_row);
    let any_asleep = d.any_asleep(m);
    for i in 0..m.ntendon {
        if any_asleep && tendon_asleep(m, d, i) {
            continue;
        }
        let first = path.points;
        d.ten_wrapadr[i] = first as i32;
        if m.wrap_type[at(&m.tendon_adr, i)] == WrapType::Joint {
            fixed_tendon(m, d, i);
        } else {
            d.ten_length[i] = spatial_tendon(m, d, i, &mut path, &mut row);
            let start = at(&m.ten_J_rowadr, i);
            for adr in start..start + at(&m.ten_J_rownnz, i) {
                d.ten_J[adr] = std::mem::take(&mut row[at(&m.ten_J_colind, adr)]);
            }
        }
        d.ten_wrapnum[i] = (path.points - first) as i32;
    }
    d.scratch.dof_row = row;
}

/// `ten_velocity = ten_J q̇`. Reads `ten_J`, `qvel`; writes `ten_velocity`.
pub(crate) fn velocity(m: &Model, d: &mut Data) {
    let Data { ten_J, qvel, ten_velocity, .. } = d;
    for i in 0..m.ntendon {
        let start = at(&m.ten_J_rowadr, i);
        let end = start + at(&m.ten_J_rownnz, i);
        let row = ten_J[start..end].iter().zip(&m.ten_J_colind[start..end]);
        ten_velocity[i] = row.map(|(r, &dof)| r * qvel[dof as usize]).sum();
    }
}

/// Spring deflection of tendon `i`: signed distance of `ten_length` from the dead band
/// `tendon_lengthspring`, zero inside it.
pub(crate) fn spring_deflection(m: &Model, d: &Data, i: usize) -> f64 {
    let [low, high] = rows::<2>(&m.tendon_lengthspring)[i];
    let length = d.ten_length[i];
    if length > high {
        length - high
    } else if length < low {
        length - low
    } else {
        0.0
    }
}

/// Length and Jacobian of a fixed tendon, a weighted sum of joint positions.
fn fixed_tendon(m: &Model, d: &mut Data, i: usize) {
    let start = at(&m.ten_J_rowadr, i);
    let columns = &m.ten_J_colind[start..start + at(&m.ten_J_rownnz, i)];
    let adr = at(&m.tendon_adr, i);
    for w in adr..adr + at(&m.tendon_num, i) {
        let joint = at(&m.wrap_objid, w);
        d.ten_length[i] += m.wrap_prm[w] * d.qpos[at(&m.jnt_qposadr, joint)];
        // a joint that occurs twice has two equal columns: both coefficients go to the first
        let column = columns.partition_point(|&c| c < m.jnt_dofadr[joint]);
        d.ten_J[start + column] += m.wrap_prm[w];
    }
}

/// Write cursor of the path points of all tendons.
struct Path {
    /// Points written so far.
    points: usize,
}

impl Path {
    /// Appends a point to `wrap_obj` and `wrap_xpos`.
    fn push(&mut self, d: &mut Data, object: i32, point: Vec3) {
        d.wrap_obj[self.points] = object;
        rows_mut::<3>(&mut d.wrap_xpos)[self.points] = point;
        self.points += 1;
    }
}

/// Length of a path through sites and around geoms; adds its gradient with respect to `q` to `row`.
fn spatial_tendon(m: &Model, d: &mut Data, i: usize, path: &mut Path, row: &mut [f64]) -> f64 {
    let adr = at(&m.tendon_adr, i);
    let last = adr + at(&m.tendon_num, i) - 1;
    let (mut length, mut divisor) = (0.0, 1.0);
    let mut w = adr;
    while w < last {
        if m.wrap_type[w] == WrapType::Pulley {
            divisor = m.wrap_prm[w];
            path.push(d, PULLEY, [0.0; 3]);
        }
        if m.wrap_type[w] == WrapType::Pulley || m.wrap_type[w + 1] == WrapType::Pulley {
            w += 1;
            continue;
        }
        let wrapped = m.wrap_type[w + 1] != WrapType::Site;
        let next = w + 1 + usize::from(wrapped);
        let (start, end) = (site(m, d, w), site(m, d, next));
        path.push(d, SITE, start.1);
        let around = if wrapped { around_geom(m, d, w + 1, start.1, end.1) } else { None };
        if let Some((curve, [enter, leave])) = around {
            let geom = m.wrap_objid[w + 1];
            let body = at(&m.geom_bodyid, geom as usize);
            path.push(d, geom, enter);
            path.push(d, geom, leave);
            let straight = vec3::distance(start.1, enter) + curve;
            length += (straight + vec3::distance(leave, end.1)) / divisor;
            segment(m, d, start, (body, enter), divisor, row);
            segment(m, d, (body, leave), end, divisor, row);
        } else {
            length += vec3::distance(start.1, end.1) / divisor;
            segment(m, d, start, end, divisor, row);
        }
        w = next;
        // the last site before a pulley or the end of the path
        if w == last || m.wrap_type[w + 1] == WrapType::Pulley {
            path.push(d, SITE, end.1);
        }
    }
    length
}

/// Body and world position of the site of wrap entry `w`.
fn site(m: &Model, d: &Data, w: usize) -> (usize, Vec3) {
    let site = at(&m.wrap_objid, w);
    (at(&m.site_bodyid, site), rows::<3>(&d.site_xpos)[site])
}

/// Length and end points of the curve around the geom of wrap entry `w`; `None` if the path does not wrap.
fn around_geom(m: &Model, d: &Data, w: usize, from: Vec3, to: Vec3) -> Option<(f64, [Vec3; 2])> {
    let geom = at(&m.wrap_objid, w);
    // -1: no side site
    let side = (m.wrap_prm[w] >= 0.0).then(|| rows::<3>(&d.site_xpos)[m.wrap_prm[w] as usize]);
    let wrap_geom = wrap::WrapGeom {
        pos: rows::<3>(&d.geom_xpos)[geom],
        mat: rows::<9>(&d.geom_xmat)[geom],
        radius: m.geom_size[3 * geom],
        cylinder: m.wrap_type[w] == WrapType::Cylinder,
    };
    wrap::wrap(&wrap_geom, from, to, side)
}

/// Adds to `row` the gradient of the distance between two points fixed to bodies: `uᵀ (J_to − J_from)`,
/// with `u` the unit vector from the first to the second.
fn segment(
    m: &Model,
    d: &Data,
    from: (usize, Vec3),
    to: (usize, Vec3),
    divisor: f64,
    row: &mut [f64],
) {
    if from.0 == to.0 {
        return;
    }
    let (direction, _) = vec3::normalize(vec3::sub(to.1, from.1));
    let cdof = rows::<6>(&d.cdof);
    for ((mut body, point), sign) in [(from, -1.0), (to, 1.0)] {
        // generalized force of a unit force along the tendon
        let com = rows::<3>(&d.subtree_com)[at(&m.body_rootid, body)];
        let wrench = spatial::join(vec3::cross(vec3::sub(point, com), direction), direction);
        while body > 0 {
            let first = m.body_dofadr[body].max(0) as usize;
            for k in first..first + m.body_dofnum[body] as usize {
                row[k] += sign * spatial::dot(&cdof[k], &wrench) / divisor;
            }
            body = at(&m.body_parentid, body);
        }
    }
}
