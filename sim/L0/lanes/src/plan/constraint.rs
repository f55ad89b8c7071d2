//! Tables of dry friction and limits.

use super::{
    ColumnSet, Equality, Friction, Limit, LimitSource, Reference, Tendon, column_set, index,
};
use sim_core::Model;
use sim_core::impedance::SolParams;
use sim_core::math::rows;
use sim_types::{DisableBit, EqType, JointType, MINVAL};

/// Equality constraints that are active after a reset; [`LaneModel::accepts`](crate::LaneModel::accepts) rejects
/// environments in which others are.
pub(super) fn equalities(m: &Model, tendons: &[Tendon], columns: &mut Vec<u32>) -> Vec<Equality> {
    let mut all = Vec::new();
    if m.opt.disabled(DisableBit::Equality) || m.opt.disabled(DisableBit::Constraint) {
        return all;
    }
    for i in (0..m.neq).filter(|&i| m.eq_active0[i]) {
        let ids = [m.eq_obj1id[i], m.eq_obj2id[i]].map(|id| usize::try_from(id).ok());
        let mut diag = 0.0;
        let mut moments: [&[(usize, f64)]; 2] = [&[]; 2];
        let mut dofs = [[(0, 1.0)]; 2];
        let mut terms = [None; 2];
        for (k, id) in ids.into_iter().enumerate() {
            let Some(id) = id else { continue };
            if m.eq_type[i] == EqType::Joint {
                let (q, dof) = (index(&m.jnt_qposadr, id), index(&m.jnt_dofadr, id));
                terms[k] = Some((LimitSource::Joint(q), m.qpos0[q]));
                dofs[k] = [(dof, 1.0)];
                diag += m.dof_invweight0[dof];
            } else {
                terms[k] = Some((LimitSource::Tendon(id), m.tendon_length0[id]));
                moments[k] = &tendons[id].moment;
                diag += m.tendon_invweight0[id];
            }
        }
        for k in 0..2 {
            if let Some((LimitSource::Joint(_), _)) = terms[k] {
                moments[k] = &dofs[k];
            }
        }
        let mut union: Vec<usize> = moments.into_iter().flatten().map(|entry| entry.0).collect();
        union.sort_unstable();
        union.dedup();
        let coefficient = |k: usize, dof: usize| {
            moments[k].iter().filter(|entry| entry.0 == dof).map(|entry| entry.1).sum()
        };
        let (solref, solimp) = (rows::<2>(&m.eq_solref)[i], rows::<5>(&m.eq_solimp)[i]);
        let [a, b, c, d, e, ..] = rows::<11>(&m.eq_data)[i];
        all.push(Equality {
            terms,
            poly: [a, b, c, d, e],
            diag,
            reference: Reference::new(SolParams::new(&m.opt, solref, solimp)),
            coefficients: union.iter().map(|&dof| [0, 1].map(|k| coefficient(k, dof))).collect(),
            cols: column_set(union.into_iter(), columns),
        });
    }
    all
}

pub(super) fn frictions(m: &Model, tendons: &[Tendon], columns: &mut Vec<u32>) -> Vec<Friction> {
    let mut all = Vec::new();
    if m.opt.disabled(DisableBit::FrictionLoss) || m.opt.disabled(DisableBit::Constraint) {
        return all;
    }
    let row = |force: f64, sol: SolParams, diag: f64, coefficients: Vec<f64>, cols: ColumnSet| {
        let imp = sol.impedance(0.0).imp;
        let d = 1.0 / ((1.0 - imp) * diag / imp).max(MINVAL);
        Friction { force, d, damping: sol.reference(sol.solref).damping, coefficients, cols }
    };
    for i in (0..m.nv).filter(|&i| m.dof_frictionloss[i] != 0.0) {
        let sol = SolParams::new(&m.opt, rows::<2>(&m.dof_solref)[i], rows::<5>(&m.dof_solimp)[i]);
        let cols = column_set([i].into_iter(), columns);
        all.push(row(m.dof_frictionloss[i], sol, m.dof_invweight0[i], vec![1.0], cols));
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_frictionloss[i] > 0.0) {
        let (solref, solimp) =
            (rows::<2>(&m.tendon_solref_fri)[i], rows::<5>(&m.tendon_solimp_fri)[i]);
        let sol = SolParams::new(&m.opt, solref, solimp);
        let coefficients = tendons[i].moment.iter().map(|t| t.1).collect();
        let cols = column_set(tendons[i].moment.iter().map(|t| t.0), columns);
        all.push(row(m.tendon_frictionloss[i], sol, m.tendon_invweight0[i], coefficients, cols));
    }
    all
}

pub(super) fn limits(m: &Model, tendons: &[Tendon], columns: &mut Vec<u32>) -> Vec<Limit> {
    let mut all = Vec::new();
    if m.opt.disabled(DisableBit::Limit) || m.opt.disabled(DisableBit::Constraint) {
        return all;
    }
    let mut add = |limit: Limit| {
        // one row serves both sides if at most one can be active
        if limit.range[1] - limit.range[0] >= 2.0 * limit.margin {
            all.push(limit);
        } else {
            all.push(Limit { sides: [true, false], ..limit.clone() });
            all.push(Limit { sides: [false, true], ..limit });
        }
    };
    for j in (0..m.njnt).filter(|&j| m.jnt_limited[j]) {
        if !matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide) {
            continue;
        }
        let dof = index(&m.jnt_dofadr, j);
        let (solref, solimp) = (rows::<2>(&m.jnt_solref)[j], rows::<5>(&m.jnt_solimp)[j]);
        add(Limit {
            source: LimitSource::Joint(index(&m.jnt_qposadr, j)),
            sides: [true; 2],
            range: rows(&m.jnt_range)[j],
            margin: m.jnt_margin[j],
            diag: m.dof_invweight0[dof],
            reference: Reference::new(SolParams::new(&m.opt, solref, solimp)),
            coefficients: vec![1.0],
            cols: column_set([dof].into_iter(), columns),
        });
    }
    for i in (0..m.ntendon).filter(|&i| m.tendon_limited[i]) {
        let (solref, solimp) =
            (rows::<2>(&m.tendon_solref_lim)[i], rows::<5>(&m.tendon_solimp_lim)[i]);
        add(Limit {
            source: LimitSource::Tendon(i),
            sides: [true; 2],
            range: rows(&m.tendon_range)[i],
            margin: m.tendon_margin[i],
            diag: m.tendon_invweight0[i],
            reference: Reference::new(SolParams::new(&m.opt, solref, solimp)),
            coefficients: tendons[i].moment.iter().map(|t| t.1).collect(),
            cols: column_set(tendons[i].moment.iter().map(|t| t.0), columns),
        });
    }
    all
}
