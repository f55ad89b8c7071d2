//! Equality constraint rows (`mj_instantiateEquality`): `connect`, `weld`, `joint`, `tendon`, `flex`,
//! `flexvert`, `flexstrain`.

mod bodies;
mod flex;
mod scalar;

pub(crate) use bodies::for_each_connect_weld;
pub(super) use bodies::subtract_jdotv;

use super::impedance::SolParams;
use super::row::{RowInfo, RowSet};
use crate::math::rows;
use crate::sleep::equality_asleep;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit, EqType, NEQDATA};

/// Adds the rows of all active equality constraints.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::Equality) {
        return;
    }
    let any_asleep = d.any_asleep(m);
    for i in 0..m.neq {
        if !d.eq_active[i] || any_asleep && equality_asleep(m, d, i) {
            continue;
        }
        let first = out.len();
        let added = match m.eq_type[i] {
            EqType::Connect | EqType::Weld => bodies::add(m, d, i, out),
            EqType::Joint | EqType::Tendon => scalar::add(m, d, i, out),
            EqType::Flex | EqType::FlexVert | EqType::FlexStrain => {
                flex::add(m, d, i, out);
                false
            }
            EqType::Distance => false,
        };
        if added {
            let violation = violation(&out.pos[first..]);
            let (solref, solimp) = (rows::<2>(&m.eq_solref)[i], rows::<5>(&m.eq_solimp)[i]);
            out.make_impedance(first, &SolParams::new(&m.opt, solref, solimp), violation);
            out.finish_diag_approx(first);
        }
    }
}

/// Norm of the violation of all rows; signed for a scalar constraint.
fn violation(pos: &[f64]) -> f64 {
    match pos {
        [one] => *one,
        all => crate::math::norm(all),
    }
}

fn common(i: usize) -> RowInfo {
    RowInfo { kind: ConstraintType::Equality, id: i, margin: 0.0, frictionloss: 0.0 }
}

/// `eq_data` of constraint `i`.
fn data(m: &Model, i: usize) -> &[f64; NEQDATA] {
    &rows::<NEQDATA>(&m.eq_data)[i]
}
