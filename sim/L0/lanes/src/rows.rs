//! Constraint rows of all lanes (`mj_makeConstraint`, `mj_referenceConstraint`): a row exists if some lane needs it;
//! its `D` is zero in the others.

use crate::math::{
    Vec3, add_scaled, cross, dot, normalize, rotation, select, splat, sub, translation,
};
use crate::plan::{ColumnSet, Equality, Friction, Limit, LimitSource, Pair, Plan, Reference};
use crate::work::{Block, BlockKind, ContactPoint, State, Work};
use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

/// Reads the contacts, the poses and the state. Writes the blocks, `jac`, `d`, `aref`, `constrained`.
#[inline(always)]
pub(crate) fn make_rows<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    w.blocks.clear();
    w.jac.clear();
    w.d.clear();
    w.aref.clear();
    w.constrained = V::Mask::none();
    let mut id = 0;
    for equality in &plan.equalities {
        add_equality(plan, id, equality, s, w);
        id += 1;
    }
    for friction in &plan.frictions {
        add_friction(plan, id, friction, s, w);
        id += 1;
    }
    for limit in &plan.limits {
        add_limit(plan, id, limit, s, w);
        id += 1;
    }
    for i in 0..w.contacts.len() {
        let contact = w.contacts[i];
        add_contact(plan, id + contact.pair, &contact, s, w);
    }
}

/// Value that a limit, an actuator or an equality acts on.
#[inline(always)]
fn value_of<V: Lanes>(source: LimitSource, s: &State<V>, w: &Work<V>) -> V {
    match source {
        LimitSource::Joint(qpos) => s.qpos[qpos],
        LimitSource::Tendon(i) => w.ten_length[i],
    }
}

/// Adds the row of two coupled joints or tendons, which all lanes have.
#[inline(always)]
fn add_equality<V: Lanes>(
    plan: &Plan,
    id: usize,
    equality: &Equality,
    s: &State<V>,
    w: &mut Work<V>,
) {
    let [a0, a1, a2, a3, a4] = equality.poly;
    let zero = V::zero();
    let offset = |k: usize, w: &Work<V>| {
        equality.terms[k]
            .map_or(zero, |(source, reference)| value_of(source, s, w) - V::splat(reference))
    };
    let (y, x) = (offset(0, w), offset(1, w));
    let (mut target, mut slope) = (zero, zero);
    if equality.terms[1].is_some() {
        let (c1, c2, c3, c4) = (V::splat(a1), V::splat(a2), V::splat(a3), V::splat(a4));
        let (two, three, four) = (V::splat(2.0), V::splat(3.0), V::splat(4.0));
        target = c1 * x + c2 * x * x + c3 * x * x * x + c4 * x * x * x * x;
        slope = c1 + two * c2 * x + three * c3 * x * x + four * c4 * x * x * x;
    }
    let jac = w.jac.len();
    for &[c1, c2] in &equality.coefficients {
        w.jac.push(V::splat(c1) - slope * V::splat(c2));
    }
    let all = V::Mask::all_lanes();
    let shape = Shape { kind: BlockKind::Equality, dim: 1, nrow: 1, friction: [0.0; 5], mu: 0.0 };
    let block = begin_block(&equality.cols, shape, jac, (id, all), w);
    gather_velocities(plan, &block, s, w);
    let velocity = row_velocity(&block, 0, w);
    let violation = y - V::splat(a0) - target;
    let imp = impedance(&equality.reference, violation);
    let r = regularisation(imp, equality.diag);
    let aref = aref(&equality.reference, velocity, imp, violation);
    push_row(w, all, V::splat(1.0) / r, aref);
}

/// Adds a row of dry friction, which all lanes have.
#[inline(always)]
fn add_friction<V: Lanes>(
    plan: &Plan,
    id: usize,
    friction: &Friction,
    s: &State<V>,
    w: &mut Work<V>,
) {
    let jac = w.jac.len();
    for &coefficient in &friction.coefficients {
        w.jac.push(V::splat(coefficient));
    }
    let all = V::Mask::all_lanes();
    let shape = Shape {
        kind: BlockKind::Friction,
        dim: 1,
        nrow: 1,
        friction: [friction.force; 5],
        mu: 0.0,
    };
    let block = begin_block(&friction.cols, shape, jac, (id, all), w);
    gather_velocities(plan, &block, s, w);
    let velocity = row_velocity(&block, 0, w);
    push_row(w, all, V::splat(friction.d), -(V::splat(friction.damping) * velocity));
}

#[inline(always)]
fn add_limit<V: Lanes>(plan: &Plan, id: usize, limit: &Limit, s: &State<V>, w: &mut Work<V>) {
    let value = value_of(limit.source, s, w);
    let margin = V::splat(limit.margin);
    let low = value - V::splat(limit.range[0]);
    let high = V::splat(limit.range[1]) - value;
    let low_active = if limit.sides[0] { low.lt(margin) } else { V::Mask::none() };
    let high_active = if limit.sides[1] { high.lt(margin) } else { V::Mask::none() };
    let mask = low_active | high_active;
    if !mask.any() {
        return;
    }
    let dist = low.select(low_active, high);
    let sign = V::splat(1.0).select(low_active, V::splat(-1.0));
    let jac = w.jac.len();
    for &coefficient in &limit.coefficients {
        w.jac.push(sign * V::splat(coefficient));
    }
    let shape = Shape { kind: BlockKind::OneSided, dim: 1, nrow: 1, friction: [0.0; 5], mu: 0.0 };
    let block = begin_block(&limit.cols, shape, jac, (id, mask), w);
    gather_velocities(plan, &block, s, w);
    let velocity = row_velocity(&block, 0, w);
    let violation = dist - margin;
    let imp = impedance(&limit.reference, violation);
    let r = regularisation(imp, limit.diag);
    push_row(w, mask, V::splat(1.0) / r, aref(&limit.reference, velocity, imp, violation));
}

/// Rows of a block.
struct Shape {
    kind: BlockKind,
    dim: usize,
    nrow: usize,
    friction: [f64; 5],
    mu: f64,
}

#[inline(always)]
fn begin_block<V: Lanes>(
    cols: &ColumnSet,
    shape: Shape,
    jac: usize,
    (id, lanes): (usize, V::Mask),
    w: &mut Work<V>,
) -> (usize, usize, usize) {
    w.blocks.push(Block {
        kind: shape.kind,
        dim: shape.dim,
        jac,
        cols: (cols.range.start, cols.range.end),
        is_path: false,
        weights: 0,
        row: w.d.len(),
        nrow: shape.nrow,
        friction: shape.friction,
        mu: shape.mu,
        mask: cols.mask,
        id: id as u32,
        lanes: lanes.bits(),
    });
    (jac, cols.range.start, cols.range.end)
}

/// `J q̇` of a row of the stored Jacobian; the velocities of its columns are in `jv`.
#[inline(always)]
fn row_velocity<V: Lanes>(
    &(jac, start, end): &(usize, usize, usize),
    row: usize,
    w: &Work<V>,
) -> V {
    let n = end - start;
    let mut sum = V::zero();
    for (j, v) in w.jac[jac + row * n..][..n].iter().zip(&w.jv[..n]) {
        sum += *j * *v;
    }
    sum
}

#[inline(always)]
fn push_row<V: Lanes>(w: &mut Work<V>, mask: V::Mask, d: V, aref: V) {
    w.constrained = w.constrained | mask;
    w.d.push(d.masked(mask));
    w.aref.push(aref.masked(mask));
}

/// `R = (1 − d)/d · diagApprox`.
#[inline(always)]
fn regularisation<V: Lanes>(imp: V, diag: f64) -> V {
    ((V::splat(1.0) - imp) * V::splat(diag) / imp).max(V::splat(MINVAL))
}

#[inline(always)]
fn aref<V: Lanes>(reference: &Reference, velocity: V, imp: V, violation: V) -> V {
    -(V::splat(reference.damping) * velocity) - V::splat(reference.stiffness) * imp * violation
}

/// Impedance at a violation (`getimpedance`).
#[inline(always)]
fn impedance<V: Lanes>(reference: &Reference, violation: V) -> V {
    let [d0, dwidth, width, midpoint, power] = reference.sol.solimp;
    if d0 == dwidth || width <= MINVAL {
        return V::splat(0.5 * (d0 + dwidth));
    }
    let one = V::splat(1.0);
    let x = violation.abs() / V::splat(width);
    let y = if power == 1.0 {
        x
    } else if power == 2.0 {
        let low = V::splat(1.0 / midpoint) * (x * x);
        let high = one - V::splat(1.0 / (1.0 - midpoint)) * ((one - x) * (one - x));
        low.select(x.le(V::splat(midpoint)), high)
    } else {
        let mut imp = V::zero();
        for lane in 0..V::COUNT {
            imp.set(lane, reference.sol.impedance(violation.get(lane)).imp);
        }
        return imp;
    };
    let imp = V::splat(d0) + y * V::splat(dwidth - d0);
    V::splat(dwidth).select(x.ge(one), imp)
}

/// Contact frame by rows, as `mju_makeFrame`.
#[inline(always)]
pub(crate) fn frame<V: Lanes>(contact: &ContactPoint<V>) -> [Vec3<V>; 3] {
    let x = contact.normal;
    let hint = if let Some(tangent) = contact.tangent {
        tangent
    } else {
        let half = V::splat(0.5);
        let flat = x[1].lt(half) & x[1].gt(-half);
        select(flat, splat(&[0.0, 1.0, 0.0]), splat(&[0.0, 0.0, 1.0]))
    };
    let (y, _) = normalize(add_scaled(hint, x, -dot(x, hint)));
    [x, y, cross(x, y)]
}

#[inline(always)]
fn add_contact<V: Lanes>(
    plan: &Plan,
    id: usize,
    contact: &ContactPoint<V>,
    s: &State<V>,
    w: &mut Work<V>,
) {
    let pair = &plan.pairs[contact.pair];
    let (dim, n) = (pair.dim, pair.chain.len());
    let jac = w.jac.len();
    w.jac.resize(jac + dim * n, V::zero());
    let (kind, nrow) = match (dim, plan.elliptic) {
        (1, _) => (BlockKind::OneSided, 1),
        (_, false) => (BlockKind::Pyramid, 2 * (dim - 1)),
        (_, true) => (BlockKind::Elliptic, dim),
    };
    let shape = Shape { kind, dim, nrow, friction: pair.friction, mu: pair.mu };
    let block = begin_block(&pair.cols, shape, jac, (id, contact.mask), w);
    if dim == 1 {
        normal_jacobian(pair, contact, jac, w);
    } else {
        frame_jacobian(pair, contact, jac, w);
    }
    gather_velocities(plan, &block, s, w);
    let violation = contact.dist - V::splat(pair.includemargin);
    let imp = impedance(&pair.reference, violation);
    let r = regularisation(imp, pair.diag);
    let normal = row_velocity(&block, 0, w);
    let one = V::splat(1.0);
    let mask = contact.mask;
    match kind {
        BlockKind::Pyramid => {
            let d = one / (V::splat(2.0 * pair.mu * pair.mu) * r);
            for axis in 1..dim {
                let tangent = V::splat(pair.friction[axis - 1]) * row_velocity(&block, axis, w);
                let plus = aref(&pair.reference, normal + tangent, imp, violation);
                let minus = aref(&pair.reference, normal - tangent, imp, violation);
                push_row(w, mask, d, plus);
                push_row(w, mask, d, minus);
            }
        }
        _ => {
            push_row(w, mask, one / r, aref(&pair.reference, normal, imp, violation));
            // R·friction² is equal in all directions
            let tangent = r / V::splat(plan.impratio.max(MINVAL));
            for axis in 1..dim {
                let ratio = pair.friction[0] / pair.friction[axis - 1];
                let velocity = row_velocity(&block, axis, w);
                let aref = -(V::splat(pair.friction_damping) * velocity);
                push_row(w, mask, one / (tangent * V::splat(ratio * ratio)), aref);
            }
        }
    }
}

/// Copies the velocities of the columns of a block to `jv`.
#[inline(always)]
fn gather_velocities<V: Lanes>(
    plan: &Plan,
    &(_, start, end): &(usize, usize, usize),
    s: &State<V>,
    w: &mut Work<V>,
) {
    let cols = &plan.columns[start..end];
    if w.jv.len() < cols.len() {
        w.jv.resize(cols.len(), V::zero());
    }
    for (out, &col) in w.jv.iter_mut().zip(cols) {
        *out = s.qvel[col as usize];
    }
}

/// Jacobian of the normal of a frictionless contact.
#[inline(always)]
fn normal_jacobian<V: Lanes>(pair: &Pair, contact: &ContactPoint<V>, jac: usize, w: &mut Work<V>) {
    let normal = contact.normal;
    // wrench of a unit force along the normal
    let torque1 = cross(sub(contact.pos, w.com[pair.roots[0]]), normal);
    let torque2 = cross(sub(contact.pos, w.com[pair.roots[1]]), normal);
    for (out, link) in w.jac[jac..].iter_mut().zip(&pair.chain) {
        let motion = &w.cdof[link.dof];
        let torque = if link.is_first { torque1 } else { torque2 };
        let value = match link.unit {
            Some(axis) => normal[axis as usize % 3],
            None => dot(rotation(motion), torque) + dot(translation(motion), normal),
        };
        *out = if link.is_first { -value } else { value };
    }
}

/// Jacobian along the normal, two tangents, and about these axes.
#[inline(always)]
fn frame_jacobian<V: Lanes>(pair: &Pair, contact: &ContactPoint<V>, jac: usize, w: &mut Work<V>) {
    let frame = frame(contact);
    let offset1 = sub(contact.pos, w.com[pair.roots[0]]);
    let offset2 = sub(contact.pos, w.com[pair.roots[1]]);
    let n = pair.chain.len();
    let (row0, rest) = w.jac[jac..].split_at_mut(n);
    let (row1, rest) = rest.split_at_mut(n);
    let (row2, rest) = rest.split_at_mut(n);
    for (k, link) in pair.chain.iter().enumerate() {
        let mut values = if let Some(axis) = link.unit {
            let axis = axis as usize % 3;
            [frame[0][axis], frame[1][axis], frame[2][axis]]
        } else {
            let motion = &w.cdof[link.dof];
            let offset = if link.is_first { offset1 } else { offset2 };
            let arm = cross(rotation(motion), offset);
            let linear = [motion[3] + arm[0], motion[4] + arm[1], motion[5] + arm[2]];
            [dot(frame[0], linear), dot(frame[1], linear), dot(frame[2], linear)]
        };
        if link.is_first {
            values = [-values[0], -values[1], -values[2]];
        }
        (row0[k], row1[k], row2[k]) = (values[0], values[1], values[2]);
    }
    // torsion and rolling
    for axis in 3..pair.dim {
        for (k, link) in pair.chain.iter().enumerate() {
            let value = dot(frame[axis - 3], rotation(&w.cdof[link.dof]));
            rest[(axis - 3) * n + k] = if link.is_first { -value } else { value };
        }
    }
}
