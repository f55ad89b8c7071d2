//! Tendons: lengths, Jacobians and paths (`mj_tendon`).

mod inertia;
mod wrap;

pub(crate) use inertia::{add_armature, add_bias};

use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows, rows_mut, spatial};
use crate::sleep::tendon_sleeps;
use crate::{Data, Model};
use sim_types::WrapType;

/// Marks a point of a path that lies on a site.
const SITE: i32 = -1;
/// Marks a break of a path at a pulley.
const PULLEY: i32 = -2;

/// Computes tendon lengths, their Jacobians and their paths.
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
    // a full row of the Jacobian, zero between tendons
    let mut row = std::mem::take(&mut d.scratch.dof_row);
    let sleepers = d.sleepers(m);
    for i in 0..m.ntendon {
        if sleepers && tendon_sleeps(m, d, i) {
            continue;
        }
        let first = path.points;
        d.ten_wrapadr[i] = first as i32;
        if m.wrap_type[at(&m.tendon_adr, i)] == WrapType::Joint {
            fixed(m, d, i);
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

/// `ten_velocity = ten_J q̇`.
pub(crate) fn velocity(m: &Model, d: &mut Data) {
    for i in 0..m.ntendon {
        let start = at(&m.ten_J_rowadr, i);
        let end = start + at(&m.ten_J_rownnz, i);
        let row = d.ten_J[start..end].iter().zip(&m.ten_J_colind[start..end]);
        d.ten_velocity[i] = row.map(|(r, &dof)| r * d.qvel[dof as usize]).sum();
    }
}

/// How far tendon `i` is beyond the band of lengths in which its spring is slack.
pub(crate) fn stretch(m: &Model, d: &Data, i: usize) -> f64 {
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

/// A weighted sum of joint positions.
fn fixed(m: &Model, d: &mut Data, i: usize) {
    let start = at(&m.ten_J_rowadr, i);
    let columns = &m.ten_J_colind[start..start + at(&m.ten_J_rownnz, i)];
    let adr = at(&m.tendon_adr, i);
    for w in adr..adr + at(&m.tendon_num, i) {
        let joint = at(&m.wrap_objid, w);
        d.ten_length[i] += m.wrap_prm[w] * d.qpos[at(&m.jnt_qposadr, joint)];
        // a joint that occurs twice has two columns, and the first takes both
        let column = columns.partition_point(|&c| c < m.jnt_dofadr[joint]);
        d.ten_J[start + column] += m.wrap_prm[w];
    }
}

/// Points written so far, over all tendons.
struct Path {
    points: usize,
}

impl Path {
    fn push(&mut self, d: &mut Data, object: i32, point: Vec3) {
        d.wrap_obj[self.points] = object;
        rows_mut::<3>(&mut d.wrap_xpos)[self.points] = point;
        self.points += 1;
    }
}

/// The length of a path through sites and around geoms; adds its derivative to `row`.
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
        // the last site before a pulley or the end is a point too
        if w == last || m.wrap_type[w + 1] == WrapType::Pulley {
            path.push(d, SITE, end.1);
        }
    }
    length
}

/// Body and position of the site at a place of the path.
fn site(m: &Model, d: &Data, w: usize) -> (usize, Vec3) {
    let site = at(&m.wrap_objid, w);
    (at(&m.site_bodyid, site), rows::<3>(&d.site_xpos)[site])
}

/// Length of the curve around the geom at a place of the path, and where it begins and ends;
/// `None` when the path misses the geom.
fn around_geom(m: &Model, d: &Data, w: usize, from: Vec3, to: Vec3) -> Option<(f64, [Vec3; 2])> {
    let geom = at(&m.wrap_objid, w);
    // a negative number means no side site
    let side = (m.wrap_prm[w] >= 0.0).then(|| rows::<3>(&d.site_xpos)[m.wrap_prm[w] as usize]);
    let object = wrap::Object {
        pos: rows::<3>(&d.geom_xpos)[geom],
        mat: rows::<9>(&d.geom_xmat)[geom],
        radius: m.geom_size[3 * geom],
        cylinder: m.wrap_type[w] == WrapType::Cylinder,
    };
    wrap::wrap(&object, from, to, side)
}

/// Adds the derivative of the distance between two points that move with bodies.
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
        // the power of a unit force along the tendon, for each dof
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
