//! Equality constraints between bodies or sites: `connect` (position) and `weld` (pose).

use super::super::chain::JacDifPair;
use super::super::row::RowSet;
use super::{common, data};
use crate::jacobian::jac_dot_mul_qvel;
use crate::math::quat::{self, Quat};
use crate::math::vec3::{Vec3, add as sum, scale, sub};
use crate::math::{at, mat3, rows, spatial};
use crate::{Data, Model};
use sim_types::NEQDATA;
use sim_types::{EqType, ObjType};

/// Global anchor points of a constraint and their bodies.
struct Anchors {
    points: [Vec3; 2],
    bodies: [usize; 2],
}

impl Anchors {
    fn of(m: &Model, d: &Data, i: usize) -> Self {
        let objects = [at(&m.eq_obj1id, i), at(&m.eq_obj2id, i)];
        if m.eq_objtype[i] != ObjType::Body {
            return Self {
                points: objects.map(|site| rows::<3>(&d.site_xpos)[site]),
                bodies: objects.map(|site| at(&m.site_bodyid, site)),
            };
        }
        let data = data(m, i);
        let local = [[data[0], data[1], data[2]], [data[3], data[4], data[5]]];
        // `weld` stores the anchor of the second body first
        let first = usize::from(m.eq_type[i] == EqType::Weld);
        let global = |body: usize, local: Vec3| {
            sum(mat3::mul_vec(&rows::<9>(&d.xmat)[body], local), rows::<3>(&d.xpos)[body])
        };
        Self {
            points: [global(objects[0], local[first]), global(objects[1], local[1 - first])],
            bodies: objects,
        }
    }
}

/// Orientation of the first side of a weld and inverse orientation of the second.
struct WeldRotation {
    first: Quat,
    inverse: Quat,
}

impl WeldRotation {
    fn of(m: &Model, d: &Data, i: usize, bodies: [usize; 2]) -> Self {
        let xquat = rows::<4>(&d.xquat);
        let (first, second) = if m.eq_objtype[i] == ObjType::Body {
            let data = data(m, i);
            (quat::mul(xquat[bodies[0]], relative_pose(data)), xquat[bodies[1]])
        } else {
            let site = |id: &[i32], body: usize| {
                quat::mul(xquat[body], rows::<4>(&m.site_quat)[at(id, i)])
            };
            (site(&m.eq_obj1id, bodies[0]), site(&m.eq_obj2id, bodies[1]))
        };
        Self { first, inverse: quat::conjugate(second) }
    }

    /// Derivative of the orientation error for a relative angular velocity.
    fn of_axis(&self, axis: Vec3) -> Vec3 {
        vector(quat::mul(quat::mul_axis(self.inverse, axis), self.first))
    }
}

fn relative_pose(data: &[f64; NEQDATA]) -> Quat {
    [data[6], data[7], data[8], data[9]]
}

fn vector([_, x, y, z]: Quat) -> Vec3 {
    [x, y, z]
}

/// Adds the rows of constraint `i`. Returns false if they are empty.
pub(super) fn add(m: &Model, d: &Data, i: usize, out: &mut RowSet) -> bool {
    let Anchors { points, bodies } = Anchors::of(m, d, i);
    let weld = m.eq_type[i] == EqType::Weld;
    let count = if weld { 6 } else { 3 };
    let torque_scale = data(m, i)[10];
    let rotation = weld.then(|| WeldRotation::of(m, d, i, bodies));
    out.merge_chains(m, bodies[0], bodies[1], true);
    let width = out.chain.len();
    let start = out.reserve(count, width);
    let jac_dif = JacDifPair::new(m, d, bodies, points);
    let cdof = rows::<6>(&d.cdof);
    {
        let RowSet { chain, colind, j, .. } = &mut *out;
        for (k, &link) in chain.iter().rev().enumerate() {
            colind.push(link.dof);
            // first minus second, opposite to contacts
            let (linear, angular) = jac_dif.column(cdof, link);
            for axis in 0..3 {
                j[start + axis * width + k] = -linear[axis];
            }
            if let Some(rotation) = &rotation {
                let error = rotation.of_axis(scale(angular, -1.0));
                for axis in 0..3 {
                    j[start + (3 + axis) * width + k] = 0.5 * error[axis] * torque_scale;
                }
            }
        }
    }
    let first = out.len();
    if !out.commit(start, count, &common(i)) {
        return false;
    }
    out.pos[first..first + 3].copy_from_slice(&sub(points[0], points[1]));
    if let Some(rotation) = &rotation {
        let error = vector(quat::mul(rotation.inverse, rotation.first));
        out.pos[first + 3..first + 6].copy_from_slice(&scale(error, torque_scale));
    }
    let weights = rows::<2>(&m.body_invweight0);
    for (k, diag) in out.diag[first..].iter_mut().enumerate() {
        let part = usize::from(k > 2);
        *diag = weights[bodies[0]][part] + weights[bodies[1]][part];
    }
    true
}

/// Subtracts `J̇ v` (`mj_Jdotv`) from the rows of `connect` and `weld`.
pub(in super::super) fn subtract_jdotv(m: &Model, d: &Data, result: &mut [f64]) {
    let mut row = 0;
    while row < d.ne {
        let i = d.efc_id[row] as usize;
        if !matches!(m.eq_type[i], EqType::Connect | EqType::Weld) {
            row += 1;
            continue;
        }
        let Anchors { points, bodies } = Anchors::of(m, d, i);
        let [one, two] = [0, 1].map(|k| jac_dot_mul_qvel(m, d, bodies[k], points[k]));
        for axis in 0..3 {
            result[row + axis] -= one.0[axis] - two.0[axis];
        }
        row += 3;
        if m.eq_type[i] == EqType::Weld {
            let jdotv = weld_jdotv(m, d, i, bodies, sub(one.1, two.1));
            for axis in 0..3 {
                result[row + axis] -= jdotv[axis];
            }
            row += 3;
        }
    }
}

/// Calls `f(bodies, points, wrench)` for every `connect` and `weld`. The wrench (torque, force) acts
/// on the first body, its opposite on the second; the torque is the row force, not rotated.
pub(crate) fn for_each_connect_weld(
    m: &Model,
    d: &Data,
    mut f: impl FnMut([usize; 2], [Vec3; 2], &[f64; 6]),
) {
    let mut row = 0;
    while row < d.ne.min(d.efc_force.len()) {
        let i = d.efc_id[row] as usize;
        let count = match m.eq_type[i] {
            EqType::Connect => 3,
            EqType::Weld => 6,
            _ => 1,
        };
        if count > 1 {
            let Anchors { points, bodies } = Anchors::of(m, d, i);
            let mut wrench = [0.0; 6];
            let force = &d.efc_force[row..row + count];
            wrench[3..].copy_from_slice(&force[..3]);
            wrench[..count - 3].copy_from_slice(&force[3..]);
            f(bodies, points, &wrench);
        }
        row += count;
    }
}

/// The jdotv of a weld's orientation; `angular_acc` is that of the bodies' angular velocities.
fn weld_jdotv(m: &Model, d: &Data, i: usize, bodies: [usize; 2], angular_acc: Vec3) -> Vec3 {
    let rotation = WeldRotation::of(m, d, i, bodies);
    let [one, two] = bodies.map(|body| spatial::rotation(&rows::<6>(&d.cvel)[body]));
    let relative = sub(one, two);
    let xquat = rows::<4>(&d.xquat);
    // quaternion derivatives of the two orientations
    let (first_rate, inverse_rate) = if m.eq_objtype[i] == ObjType::Body {
        let rate = quat::derivative(xquat[bodies[0]], one);
        (
            quat::mul(rate, relative_pose(data(m, i))),
            quat::conjugate(quat::derivative(xquat[bodies[1]], two)),
        )
    } else {
        (
            quat::derivative(rotation.first, one),
            quat::conjugate(quat::derivative(quat::conjugate(rotation.inverse), two)),
        )
    };
    let product = |a: Quat, axis: Vec3, b: Quat| vector(quat::mul(quat::mul_axis(a, axis), b));
    let terms = sum(
        sum(
            product(inverse_rate, relative, rotation.first),
            product(rotation.inverse, angular_acc, rotation.first),
        ),
        product(rotation.inverse, relative, first_rate),
    );
    scale(terms, 0.5 * data(m, i)[10])
}
