//! Dry friction rows of dofs and tendons (`mj_instantiateFriction`).

use super::impedance::SolParams;
use super::row::{RowInfo, RowSet};
use crate::math::{at, rows};
use crate::sleep::tendon_asleep;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit};

/// Whether a dof or tendon has dry friction.
pub(super) fn exists(m: &Model) -> bool {
    m.dof_frictionloss.iter().any(|&loss| loss != 0.0)
        || m.tendon_frictionloss.iter().any(|&loss| loss > 0.0)
}

/// Adds the dry friction rows.
pub(super) fn add(m: &Model, d: &mut Data, out: &mut RowSet) {
    if m.opt.disabled(DisableBit::FrictionLoss) {
        return;
    }
    let finish = |out: &mut RowSet, params: SolParams, diag: f64| {
        let row = out.len() - 1;
        out.diag[row] = diag;
        out.make_impedance(row, &params, 0.0);
        out.finish_diag_approx(row);
    };
    let any_asleep = d.any_asleep(m);
    for i in (0..m.nv).filter(|&i| m.dof_frictionloss[i] != 0.0) {
        if any_asleep && d.tree_awake[at(&m.dof_treeid, i)] == 0 {
            continue;
        }
        let common = RowInfo {
            kind: ConstraintType::FrictionDof,
            id: i,
            margin: 0.0,
            frictionloss: m.dof_frictionloss[i],
        };
        out.push([i as i32], [1.0], &common);
        let (solref, solimp) = (rows::<2>(&m.dof_solref)[i], rows::<5>(&m.dof_solimp)[i]);
        finish(out, SolParams::new(&m.opt, solref, solimp), m.dof_invweight0[i]);
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_frictionloss[i] > 0.0) {
        if any_asleep && tendon_asleep(m, d, i) {
            continue;
        }
        let common = RowInfo {
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
            super::set_tendon_efcadr(d, i, out.len() - 1);
            let solref = rows::<2>(&m.tendon_solref_fri)[i];
            let solimp = rows::<5>(&m.tendon_solimp_fri)[i];
            finish(out, SolParams::new(&m.opt, solref, solimp), m.tendon_invweight0[i]);
        }
    }
}
