//! Tables of tendons and actuators.

use super::{LimitSource, index};
use sim_core::Model;
use sim_core::math::rows;
use sim_types::{BiasType, DynType, GainType, MINVAL, TransmissionType};

/// A fixed tendon.
#[derive(Debug, Clone)]
pub(crate) struct Tendon {
    /// Entries of `qpos` and coefficients.
    pub terms: Vec<(usize, f64)>,
    /// Dofs and coefficients.
    pub moment: Vec<(usize, f64)>,
    /// Range of lengths without spring force.
    pub lengthspring: [f64; 2],
    /// Linear and polynomial coefficients; absent if all are zero.
    pub stiffness: Option<[f64; 3]>,
    pub damping: Option<[f64; 3]>,
    /// Entries of `M` that damping changes, see [`rank_one`].
    pub squares: Vec<(usize, f64)>,
}

/// Activation dynamics of an actuator.
#[derive(Debug, Clone)]
pub(crate) struct Dynamics {
    /// Index of the activation.
    pub act: usize,
    /// Time constant of a filter; absent for an integrator.
    pub filter: Option<f64>,
    /// Change of the activation over a step per unit of its rate.
    pub factor: f64,
    pub actrange: Option<[f64; 2]>,
    /// Whether the force uses the activation at the end of the step.
    pub is_early: bool,
}

/// An actuator on a scalar joint or a fixed tendon.
#[derive(Debug, Clone)]
pub(crate) struct Actuator {
    pub target: LimitSource,
    pub gear: f64,
    /// Dofs and moment arms.
    pub moment: Vec<(usize, f64)>,
    /// Entries of `M` that the derivative of its force changes, see [`rank_one`].
    pub squares: Vec<(usize, f64)>,
    pub dynamics: Option<Dynamics>,
    pub gain: [f64; 3],
    pub bias: [f64; 3],
    pub is_affine: bool,
    pub ctrlrange: Option<[f64; 2]>,
    pub forcerange: Option<[f64; 2]>,
}

/// Entries of `M` and the products of two moment arms that are added there; products of dofs on different branches
/// have no entry and are dropped.
fn rank_one(m: &Model, moment: &[(usize, f64)]) -> Vec<(usize, f64)> {
    let mut entries = Vec::new();
    for &(p, vp) in moment {
        let (start, len) = (index(&m.M_rowadr, p), index(&m.M_rownnz, p));
        for &(q, vq) in moment.iter().filter(|&&(q, _)| q <= p) {
            let columns = &m.M_colind[start..start + len];
            if let Some(k) = columns.iter().position(|&c| c as usize == q) {
                entries.push((start + k, vp * vq));
            }
        }
    }
    entries
}

pub(super) fn tendon(m: &Model, i: usize) -> Tendon {
    let adr = index(&m.tendon_adr, i);
    let (mut terms, mut moment): (Vec<_>, Vec<(usize, f64)>) = (Vec::new(), Vec::new());
    for w in adr..adr + index(&m.tendon_num, i) {
        let joint = index(&m.wrap_objid, w);
        terms.push((index(&m.jnt_qposadr, joint), m.wrap_prm[w]));
        let dof = index(&m.jnt_dofadr, joint);
        match moment.iter_mut().find(|(d, _)| *d == dof) {
            Some((_, sum)) => *sum += m.wrap_prm[w],
            None => moment.push((dof, m.wrap_prm[w])),
        }
    }
    moment.sort_by_key(|&(dof, _)| dof);
    let coefficients = |linear: f64, poly: &[f64]| {
        let [a, b] = rows::<2>(poly)[i];
        Some([linear, a, b]).filter(|all| *all != [0.0; 3])
    };
    Tendon {
        squares: rank_one(m, &moment),
        terms,
        moment,
        lengthspring: rows(&m.tendon_lengthspring)[i],
        stiffness: coefficients(m.tendon_stiffness[i], &m.tendon_stiffnesspoly),
        damping: coefficients(m.tendon_damping[i], &m.tendon_dampingpoly),
    }
}

pub(super) fn actuator(m: &Model, tendons: &[Tendon], i: usize) -> Actuator {
    let target = index(&m.actuator_trnid, 2 * i);
    let gear = m.actuator_gear[6 * i];
    let (source, moment) = if m.actuator_trntype[i] == TransmissionType::Tendon {
        let moment = tendons[target].moment.iter().map(|&(dof, c)| (dof, gear * c)).collect();
        (LimitSource::Tendon(target), moment)
    } else {
        let qpos = index(&m.jnt_qposadr, target);
        (LimitSource::Joint(qpos), vec![(index(&m.jnt_dofadr, target), gear)])
    };
    let prm = |all: &[f64], affine: bool, fixed: bool| {
        let p = rows::<10>(all)[i];
        if affine {
            [p[0], p[1], p[2]]
        } else if fixed {
            [p[0], 0.0, 0.0]
        } else {
            [0.0; 3]
        }
    };
    let (gain_affine, bias_affine) =
        (m.actuator_gaintype[i] == GainType::Affine, m.actuator_biastype[i] == BiasType::Affine);
    Actuator {
        target: source,
        gear,
        squares: rank_one(m, &moment),
        moment,
        dynamics: dynamics(m, i),
        gain: prm(&m.actuator_gainprm, gain_affine, true),
        bias: prm(&m.actuator_biasprm, bias_affine, false),
        is_affine: gain_affine || bias_affine,
        ctrlrange: m.actuator_ctrllimited[i].then(|| rows::<2>(&m.actuator_ctrlrange)[i]),
        forcerange: m.actuator_forcelimited[i].then(|| rows::<2>(&m.actuator_forcerange)[i]),
    }
}

fn dynamics(m: &Model, i: usize) -> Option<Dynamics> {
    let act = usize::try_from(m.actuator_actadr[i]).ok()?;
    let (kind, h) = (m.actuator_dyntype[i], m.opt.timestep);
    let tau = rows::<10>(&m.actuator_dynprm)[i][0].max(MINVAL);
    Some(Dynamics {
        act,
        filter: (kind != DynType::Integrator).then_some(tau),
        factor: if kind == DynType::FilterExact { tau * (1.0 - (-h / tau).exp()) } else { h },
        actrange: m.actuator_actlimited[i].then(|| rows::<2>(&m.actuator_actrange)[i]),
        is_early: m.actuator_actearly[i],
    })
}
