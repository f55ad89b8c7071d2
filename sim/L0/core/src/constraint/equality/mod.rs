//! Equality constraints: bodies tied together, and couplings of joints and tendons.

mod bodies;
mod scalar;

pub(crate) use bodies::for_each_tie;
pub(super) use bodies::subtract_drift;

use super::impedance::Softness;
use super::row::{Common, RowSet};
use crate::math::rows;
use crate::sleep::equality_sleeps;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit, EqType};

/// Numbers of `eq_data` for each constraint.
const NEQDATA: usize = 11;

/// Adds the rows of all active equality constraints.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::Equality) {
        return;
    }
    let sleepers = d.sleepers(m);
    for i in 0..m.neq {
        if !d.eq_active[i] || sleepers && equality_sleeps(m, d, i) {
            continue;
        }
        let first = out.len();
        let added = match m.eq_type[i] {
            EqType::Connect | EqType::Weld => bodies::add(m, d, i, out),
            EqType::Joint | EqType::Tendon => scalar::add(m, d, i, out),
            // elements of flexes are refused when a model is loaded
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain | EqType::Distance => false,
        };
        if added {
            let violation = violation(&out.pos[first..]);
            let (solref, solimp) = (rows::<2>(&m.eq_solref)[i], rows::<5>(&m.eq_solimp)[i]);
            out.soften(first, &Softness::new(m, solref, solimp), violation);
            out.settle(first);
        }
    }
}

/// One number for how far a constraint is violated.
fn violation(pos: &[f64]) -> f64 {
    match pos {
        [one] => *one,
        all => crate::math::norm(all),
    }
}

fn common(i: usize) -> Common {
    Common { kind: ConstraintType::Equality, id: i, margin: 0.0, frictionloss: 0.0 }
}

/// The numbers of a constraint.
fn data(m: &Model, i: usize) -> &[f64; NEQDATA] {
    &rows::<NEQDATA>(&m.eq_data)[i]
}
