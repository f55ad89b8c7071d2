//! Tables of fixed tendons and actuators (mj_tendon, mj_transmission, mj_fwdActuation).

use super::{FAR, array};
use crate::layout::ModelTables;
use sim_core::math::pose::Pose;
use sim_core::{ActuatorDofTerms, Model};
use sim_types::{DisableBit, DynType, Integrator, JointType, MINVAL, TransmissionType};

/// A term of a linear combination: index and coefficient.
pub(crate) type Term = (usize, f64);
/// An entry of the inertia matrix: row and column.
type Entry = [usize; 2];

/// Armature and damping of dofs and tendons, including the terms of actuators.
pub(crate) fn dof_terms(m: &Model) -> ActuatorDofTerms {
    let mut all = ActuatorDofTerms::new(m);
    let add = |sums: &mut [f64], own: &[f64]| sums.iter_mut().zip(own).for_each(|(s, x)| *s += x);
    let damp = |sums: &mut [[f64; 3]], linear: &[f64], poly: &[f64]| {
        for (sum, (c, poly)) in sums.iter_mut().zip(linear.iter().zip(poly.chunks_exact(2))) {
            add(sum, &[*c, poly[0], poly[1]]);
        }
    };
    add(&mut all.dof_armature, &m.dof_armature);
    add(&mut all.tendon_armature, &m.tendon_armature);
    damp(&mut all.dof_damping, &m.dof_damping, &m.dof_dampingpoly);
    damp(&mut all.tendon_damping, &m.tendon_damping, &m.tendon_dampingpoly);
    all
}

/// Joints of a fixed tendon with their coefficients, each joint once.
fn terms(m: &Model, tendon: usize) -> Vec<Term> {
    let first = m.tendon_adr[tendon] as usize;
    let mut terms: Vec<Term> = Vec::new();
    for a in first..first + m.tendon_num[tendon] as usize {
        let joint = m.wrap_objid[a] as usize;
        match terms.iter_mut().find(|term| term.0 == joint) {
            Some(term) => term.1 += m.wrap_prm[a],
            None => terms.push((joint, m.wrap_prm[a])),
        }
    }
    terms
}

/// Contribution of tendon armature to an entry of the inertia matrix.
pub(crate) fn tendon_armature(m: &Model, dof_terms: &ActuatorDofTerms, i: usize, j: usize) -> f64 {
    let share = |k: usize, dof: usize| {
        let found = terms(m, k).into_iter().find(|t| m.jnt_dofadr[t.0] as usize == dof);
        found.map_or(0.0, |term| term.1)
    };
    let of = |k: usize| match dof_terms.tendon_armature[k] {
        0.0 => 0.0,
        armature => armature * share(k, i) * share(k, j),
    };
    (0..m.ntendon).map(of).sum()
}

/// Off-diagonal entries of the inertia matrix to which tendon armature contributes.
pub(crate) fn tendon_armature_entries(
    m: &Model,
    dof_terms: &ActuatorDofTerms,
    t: &mut ModelTables,
) {
    let mut all: Vec<Entry> = Vec::new();
    for k in (0..m.ntendon).filter(|&k| dof_terms.tendon_armature[k] != 0.0) {
        let dofs: Vec<usize> =
            terms(m, k).iter().map(|term| m.jnt_dofadr[term.0] as usize).collect();
        for &i in &dofs {
            for &j in &dofs {
                if is_ancestor(m, j, i) && !all.contains(&[i, j]) {
                    all.push([i, j]);
                }
            }
        }
    }
    t.size("NTENDON_ARMATURE", all.len());
    t.indices("TENDON_ARMATURE_ROW", all.iter().map(|pair| pair[0]));
    t.indices("TENDON_ARMATURE_COLUMN", all.iter().map(|pair| pair[1]));
    t.scalars(
        "TENDON_ARMATURE",
        all.iter().map(|pair| tendon_armature(m, dof_terms, pair[0], pair[1])),
    );
}

/// Tables of tendons. Returns the terms of each tendon.
pub(crate) fn tendons(m: &Model, t: &mut ModelTables) -> Vec<Vec<Term>> {
    let n = m.ntendon;
    let terms: Vec<Vec<Term>> = (0..n).map(|k| terms(m, k)).collect();
    t.offsets("TENDON_ADR", &terms);
    let all = || terms.iter().flatten();
    t.scalars("TENDON_COEF", all().map(|term| term.1));
    t.indices("TENDON_QPOS", all().map(|term| m.jnt_qposadr[term.0] as usize));
    t.indices("TENDON_DOF", all().map(|term| m.jnt_dofadr[term.0] as usize));
    let (spring, damper) =
        (!m.opt.disabled(DisableBit::Spring), !m.opt.disabled(DisableBit::Damper));
    // linear coefficient, then the two of stiffnesspoly
    let stiffness = |k: usize| match (spring, array::<2>(&m.tendon_stiffnesspoly, k)) {
        (true, [a, b]) => [m.tendon_stiffness[k], a, b],
        (false, _) => [0.0; 3],
    };
    t.components("TENDON_STIFFNESS", (0..n).map(stiffness));
    let dof_terms = dof_terms(m);
    let damping = |k: usize| if damper { dof_terms.tendon_damping[k] } else { [0.0; 3] };
    t.components("TENDON_DAMPING", (0..n).map(damping));
    t.scalars("TENDON_SPRING_MIN", (0..n).map(|k| m.tendon_lengthspring[2 * k]));
    t.scalars("TENDON_SPRING_MAX", (0..n).map(|k| m.tendon_lengthspring[2 * k + 1]));
    t.flag("TENDON_ACTFRC_LIMITED", m.tendon_actfrclimited.contains(&true));
    let force = range(&m.tendon_actfrcrange, |k| m.tendon_actfrclimited[k]);
    t.scalars("TENDON_ACTFRC_MIN", (0..n).map(|k| force(k)[0]));
    t.scalars("TENDON_ACTFRC_MAX", (0..n).map(|k| force(k)[1]));
    let mut dof_tendons = vec![Vec::new(); m.nv];
    for (k, terms) in terms.iter().enumerate() {
        for &(joint, coef) in terms {
            dof_tendons[m.jnt_dofadr[joint] as usize].push((k, coef));
        }
    }
    t.offsets("DOF_TENDON_ADR", &dof_tendons);
    t.scalars("DOF_TENDON_COEF", dof_tendons.iter().flatten().map(|term| term.1));
    t.indices("DOF_TENDON_ID", dof_tendons.iter().flatten().map(|term| term.0));
    terms
}

/// Whether the moment of an actuator is dense: it has many entries, or they depend on the state.
fn is_dense(m: &Model, i: usize) -> bool {
    let target = m.actuator_trnid[2 * i].max(0) as usize;
    match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            matches!(m.jnt_type[target], JointType::Ball | JointType::Free)
        }
        TransmissionType::Site => true,
        _ => false,
    }
}

/// Tables of actuators with dense moments: on ball and free joints, and on sites. Returns their number.
fn dense_moments(m: &Model, t: &mut ModelTables) -> usize {
    let all: Vec<usize> = (0..m.nu).filter(|&i| is_dense(m, i)).collect();
    t.size("NDENSE", all.len());
    t.indices("DENSE_ACT", all.iter().copied());
    let position = |i: usize| all.iter().position(|&other| other == i).unwrap_or(usize::MAX);
    t.indices("ACT_DENSE", (0..m.nu).map(position));
    for (name, code) in [("DENSE_BALL", 0), ("DENSE_FREE", 1), ("DENSE_SITE", 2)] {
        t.size(name, code);
    }
    let target = |i: usize| m.actuator_trnid[2 * i].max(0) as usize;
    let site = |i: usize| m.actuator_trntype[i] == TransmissionType::Site;
    let kind = |i: usize| match m.jnt_type.get(target(i)) {
        _ if site(i) => 2,
        Some(JointType::Free) => 1,
        _ => 0,
    };
    t.indices("DENSE_TYPE", all.iter().map(|&i| kind(i)));
    // joint: address of its rotation
    let rotation = |i: usize, first: i32, by: usize| match kind(i) {
        2 => 0,
        1 => first as usize + by,
        _ => first as usize,
    };
    let at = |i: usize, adr: &[i32]| adr.get(target(i)).copied().unwrap_or(0);
    t.indices("DENSE_QPOSADR", all.iter().map(|&i| rotation(i, at(i, &m.jnt_qposadr), 3)));
    t.indices("DENSE_DOFADR", all.iter().map(|&i| rotation(i, at(i, &m.jnt_dofadr), 3)));
    let parent = |i: usize| m.actuator_trntype[i] == TransmissionType::JointInParent;
    t.indices("DENSE_IN_PARENT", all.iter().map(|&i| usize::from(parent(i))));
    // site, reference site or world, and the frame of the gear
    let refsite = |i: usize| usize::try_from(m.actuator_trnid[2 * i + 1]).ok().filter(|_| site(i));
    let own = |i: usize| if site(i) { Some(target(i)) } else { None };
    let body = |s: Option<usize>| s.map_or(0, |s| m.site_bodyid[s] as usize);
    let pose = |s: Option<usize>| s.map_or(Pose::IDENTITY, |s| m.site_frame(s));
    t.indices("DENSE_BODY1", all.iter().map(|&i| body(refsite(i))));
    t.indices("DENSE_BODY2", all.iter().map(|&i| body(own(i))));
    t.vec4s("DENSE_POS1", all.iter().map(|&i| pose(refsite(i)).pos));
    t.vec4s("DENSE_POS2", all.iter().map(|&i| pose(own(i)).pos));
    t.vec4s("DENSE_QUAT1", all.iter().map(|&i| pose(refsite(i)).quat));
    t.vec4s("DENSE_QUAT2", all.iter().map(|&i| pose(own(i)).quat));
    t.indices("DENSE_HAS_REFSITE", all.iter().map(|&i| usize::from(refsite(i).is_some())));
    let gear = |i: usize, first: usize| -> [f64; 3] {
        std::array::from_fn(|k| m.actuator_gear[6 * i + first + k])
    };
    t.vec4s("DENSE_GEAR_LIN", all.iter().map(|&i| gear(i, 0)));
    t.vec4s("DENSE_GEAR_ROT", all.iter().map(|&i| gear(i, if kind(i) == 0 { 0 } else { 3 })));
    let simple = |i: usize| usize::from(m.M_rownnz[i] == 1);
    t.indices("DOF_SIMPLE", (0..m.nv).map(simple));
    all.len()
}

/// Tables of actuators. Returns the number of dense moments.
pub(crate) fn actuators(m: &Model, tendons: &[Vec<Term>], t: &mut ModelTables) -> usize {
    let n = m.nu;
    let terms: Vec<Vec<Term>> = (0..n)
        .map(|i| {
            let (target, gear) = (m.actuator_trnid[2 * i].max(0) as usize, m.actuator_gear[6 * i]);
            match m.actuator_trntype[i] {
                TransmissionType::Tendon => {
                    tendons[target].iter().map(|&(joint, coef)| (joint, gear * coef)).collect()
                }
                _ if is_dense(m, i) => Vec::new(),
                _ => vec![(target, gear)],
            }
        })
        .collect();
    t.offsets("ACT_MOMENT_ADR", &terms);
    let all = || terms.iter().flatten();
    t.scalars("ACT_MOMENT_COEF", all().map(|term| term.1));
    t.indices("ACT_MOMENT_QPOSADR", all().map(|term| m.jnt_qposadr[term.0] as usize));
    t.indices("ACT_MOMENT_DOF", all().map(|term| m.jnt_dofadr[term.0] as usize));
    let mut dof_acts = vec![Vec::new(); m.nv];
    for (i, terms) in terms.iter().enumerate() {
        for &(joint, coef) in terms {
            dof_acts[m.jnt_dofadr[joint] as usize].push((i, coef));
        }
    }
    t.offsets("DOF_ACT_ADR", &dof_acts);
    t.scalars("DOF_ACT_COEF", dof_acts.iter().flatten().map(|term| term.1));
    t.indices("DOF_ACT_ID", dof_acts.iter().flatten().map(|term| term.0));

    let tendon = |i: usize| match m.actuator_trntype[i] {
        TransmissionType::Tendon => m.actuator_trnid[2 * i] as usize,
        _ => usize::MAX,
    };
    t.indices("ACT_TENDON", (0..n).map(tendon));
    damping_pairs(m, tendons, &terms, t);
    let ndense = dense_moments(m, t);
    gains(m, t);
    ndense
}

/// Gains, biases, ranges and activation dynamics of actuators.
fn gains(m: &Model, t: &mut ModelTables) {
    let n = m.nu;
    let off = |i: usize| {
        let group = m.actuator_group[i];
        m.opt.disabled(DisableBit::Actuation)
            || (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
    };
    let affine = |i: usize, kind: usize, prm: &[f64]| match (off(i), kind) {
        (true, _) => [0.0; 3],
        (false, 0) => [prm[10 * i], 0.0, 0.0],
        (false, _) => [prm[10 * i], prm[10 * i + 1], prm[10 * i + 2]],
    };
    let gain = |i: usize| affine(i, m.actuator_gaintype[i] as usize, &m.actuator_gainprm);
    let bias = |i: usize| match m.actuator_biastype[i] as usize {
        0 => [0.0; 3],
        kind => affine(i, kind, &m.actuator_biasprm),
    };
    let clamps = !m.opt.disabled(DisableBit::ClampCtrl);
    let ctrl = range(&m.actuator_ctrlrange, |i| clamps && m.actuator_ctrllimited[i]);
    // three coefficients and a bound of ctrl
    let with = |[a, b, c]: [f64; 3], bound: f64| [a, b, c, bound];
    t.vec4s("ACT_GAINPRM", (0..n).map(|i| with(gain(i), ctrl(i)[0])));
    t.vec4s("ACT_BIASPRM", (0..n).map(|i| with(bias(i), ctrl(i)[1])));
    let force = range(&m.actuator_forcerange, |i| m.actuator_forcelimited[i]);
    let act = range(&m.actuator_actrange, |i| m.actuator_actlimited[i]);
    let both = |i: usize| [force(i)[0], force(i)[1], act(i)[0], act(i)[1]];
    t.vec4s("ACT_RANGE", (0..n).map(both));
    let h = m.opt.timestep;
    let step = |i: usize| {
        let tau = m.actuator_dynprm[10 * i].max(MINVAL);
        match m.actuator_dyntype[i] {
            _ if off(i) => 0.0,
            DynType::Filter => h / tau,
            DynType::FilterExact => 1.0 - (-h / tau).exp(),
            _ => h,
        }
    };
    t.scalars("ACT_DYN_STEP", (0..n).map(step));
    let filters =
        |i: usize| matches!(m.actuator_dyntype[i], DynType::Filter | DynType::FilterExact);
    t.indices("ACT_FILTER", (0..n).map(|i| usize::from(filters(i))));
    t.indices("ACT_EARLY", (0..n).map(|i| usize::from(m.actuator_actearly[i])));
    let adr = |i: usize| usize::try_from(m.actuator_actadr[i]).unwrap_or(usize::MAX);
    t.indices("ACT_ADR", (0..n).map(adr));
}

/// Entries (dof, ancestor dof) of the inertia matrix that implicitfast changes by the velocity derivatives of tendon and
/// actuator forces. For each entry the sources (actuators, then tendons) with the product of the two coefficients.
fn damping_pairs(m: &Model, tendons: &[Vec<Term>], moments: &[Vec<Term>], t: &mut ModelTables) {
    let mut pairs: Vec<(Entry, Vec<Term>)> = Vec::new();
    let damping = dof_terms(m).tendon_damping;
    let damps = |k: usize| !m.opt.disabled(DisableBit::Damper) && damping[k] != [0.0; 3];
    let sources = moments.iter().chain(tendons).enumerate();
    for (source, terms) in sources.filter(|(k, _)| *k < m.nu || damps(k - m.nu)) {
        for &(one, a) in terms {
            for &(two, b) in terms {
                let [i, j] = [one, two].map(|joint| m.jnt_dofadr[joint] as usize);
                if !is_ancestor(m, j, i) {
                    continue;
                }
                match pairs.iter_mut().find(|(pair, _)| *pair == [i, j]) {
                    Some((_, products)) => products.push((source, a * b)),
                    None => pairs.push(([i, j], vec![(source, a * b)])),
                }
            }
        }
    }
    if m.opt.integrator != Integrator::ImplicitFast {
        pairs.clear();
    }
    let lists: Vec<Vec<Term>> = pairs.iter().map(|(_, list)| list.clone()).collect();
    t.size("NDAMPING_PAIR", pairs.len());
    t.offsets("DAMPING_PAIR_ADR", &lists);
    t.indices("DAMPING_PAIR_ROW", pairs.iter().map(|(pair, _)| pair[0]));
    t.indices("DAMPING_PAIR_COLUMN", pairs.iter().map(|(pair, _)| pair[1]));
    t.indices("DAMPING_PAIR_SOURCE", lists.iter().flatten().map(|term| term.0));
    t.scalars("DAMPING_PAIR_COEF", lists.iter().flatten().map(|term| term.1));
}

/// Whether `upper` is an ancestor of a dof and the inertia matrix has an entry for both.
fn is_ancestor(m: &Model, upper: usize, dof: usize) -> bool {
    if m.M_rownnz[dof] == 1 {
        return false; // simple dofs have a diagonal entry only
    }
    let mut at = m.dof_parentid[dof];
    while at >= 0 && at as usize != upper {
        at = m.dof_parentid[at as usize];
    }
    at >= 0
}

/// Range of element `i`, unbounded where `on` is false.
fn range(all: &[f64], on: impl Fn(usize) -> bool) -> impl Fn(usize) -> [f64; 2] {
    move |i: usize| if on(i) { array::<2>(all, i) } else { [-FAR, FAR] }
}
