//! Dry friction of dofs and tendons.

use super::impedance::Softness;
use super::row::{Common, RowSet};
use crate::math::{at, rows};
use crate::sleep::tendon_sleeps;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit};

/// Adds the rows of dry friction.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::FrictionLoss) {
        return;
    }
    let finish = |out: &mut RowSet, softness: Softness, diag: f64| {
        let row = out.len() - 1;
        out.diag[row] = diag;
        out.soften(row, &softness, 0.0);
        out.settle(row);
    };
    let sleepers = d.sleepers(m);
    for i in (0..m.nv).filter(|&i| m.dof_frictionloss[i] != 0.0) {
        if sleepers && d.tree_awake[at(&m.dof_treeid, i)] == 0 {
            continue;
        }
        let common = Common {
            kind: ConstraintType::FrictionDof,
            id: i,
            margin: 0.0,
            frictionloss: m.dof_frictionloss[i],
        };
        out.push([i as i32], [1.0], &common);
        let (solref, solimp) = (rows::<2>(&m.dof_solref)[i], rows::<5>(&m.dof_solimp)[i]);
        finish(out, Softness::new(m, solref, solimp), m.dof_invweight0[i]);
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_frictionloss[i] > 0.0) {
        if sleepers && tendon_sleeps(m, d, i) {
            continue;
        }
        let common = Common {
            kind: ConstraintType::FrictionTendon,
            id: i,
            margin: 0.0,
            frictionloss: m.tendon_frictionloss[i],
        };
        let row = super::tendon_row(m, i);
        let added = out.push(
            m.ten_J_colind[row.clone()].iter().copied(),
            d.ten_J[row].iter().copied(),
            &common,
        );
        if added {
            super::mark_tendon(d, i, out.len() - 1);
            let solref = rows::<2>(&m.tendon_solref_fri)[i];
            let solimp = rows::<5>(&m.tendon_solimp_fri)[i];
            finish(out, Softness::new(m, solref, solimp), m.tendon_invweight0[i]);
        }
    }
}
