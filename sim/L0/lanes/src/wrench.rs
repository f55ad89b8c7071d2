//! Contact wrenches on the bodies (`cfrc_ext` of `mj_rnePostConstraint`).

use crate::math::{Vec3, Vec6, add_scaled, cross, join, sub};
use crate::plan::Plan;
use crate::rows;
use crate::solver;
use crate::work::{Block, ContactPoint, Work};
use sim_simd::lanes::Lanes;

/// Reads the contacts and the results of the solver. Writes `cfrc_ext`: the wrench of all contacts of a body about the
/// centre of mass of its tree.
#[inline(always)]
pub(crate) fn external_wrenches<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    let zero = V::zero();
    w.cfrc_ext.fill([zero; 6]);
    // blocks of contacts are the last ones, in the order of the contacts
    let first = w.blocks.len() - w.contacts.len();
    for i in 0..w.contacts.len() {
        let (contact, block) = (w.contacts[i], w.blocks[first + i]);
        let force = match block.dim {
            1 => padded(solver::contact_force::<V, 1>(plan, &block, w)),
            3 => padded(solver::contact_force::<V, 3>(plan, &block, w)),
            4 => padded(solver::contact_force::<V, 4>(plan, &block, w)),
            _ => solver::contact_force::<V, 6>(plan, &block, w),
        };
        let force = force.map(|value| value.masked(contact.mask));
        add_contact(plan, &contact, &block, &force, w);
    }
}

#[inline(always)]
fn padded<V: Lanes, const D: usize>(force: [V; D]) -> [V; 6] {
    let mut all = [V::zero(); 6];
    all[..D].copy_from_slice(&force);
    all
}

/// Adds a force, given along the contact frame, to the second body, and subtracts it from the first.
#[inline(always)]
fn add_contact<V: Lanes>(
    plan: &Plan,
    contact: &ContactPoint<V>,
    block: &Block,
    force: &[V; 6],
    w: &mut Work<V>,
) {
    let zero = [V::zero(); 3];
    let frame = rows::frame(contact);
    let mut linear: Vec3<V> = zero;
    let mut torque: Vec3<V> = zero;
    for axis in 0..block.dim.min(3) {
        linear = add_scaled(linear, frame[axis], force[axis]);
    }
    for axis in 3..block.dim {
        torque = add_scaled(torque, frame[axis - 3], force[axis]);
    }
    let pair = &plan.pairs[contact.pair];
    for side in 0..2 {
        let body = plan.geoms[pair.geoms[side]].body;
        if body == 0 {
            continue;
        }
        let arm = sub(contact.pos, w.com[pair.roots[side]]);
        let moment = cross(arm, linear);
        let wrench: Vec6<V> =
            join([torque[0] + moment[0], torque[1] + moment[1], torque[2] + moment[2]], linear);
        for (sum, value) in w.cfrc_ext[body].iter_mut().zip(wrench) {
            *sum = if side == 0 { *sum - value } else { *sum + value };
        }
    }
}
