//! Tables of fixed tendons and actuators (mj_tendon, mj_transmission, mj_fwdActuation).

use super::kinematics::is_implicit;
use super::spatial_tendon::is_spatial;
use super::{FAR, array};
use crate::layout::ModelTables;
use sim_core::math::pose::Pose;
use sim_core::{ActuatorDofTerms, Model};
use sim_types::{
    BiasType, DisableBit, DynType, GainType, Integrator, JointType, MINVAL, TransmissionType,
};
use std::ops::Range;

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

/// Joints of a fixed tendon with their coefficients, each joint once; none for a spatial tendon.
fn terms(m: &Model, tendon: usize) -> Vec<Term> {
    let first = m.tendon_adr[tendon] as usize;
    let mut terms: Vec<Term> = Vec::new();
    if is_spatial(m, tendon) {
        return terms;
    }
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
        TransmissionType::Site | TransmissionType::SliderCrank => true,
        TransmissionType::Tendon => is_spatial(m, target),
        _ => false,
    }
}

/// Tables of actuators with dense moments: on ball and free joints, sites, slider-cranks and spatial tendons. Returns
/// their number.
fn dense_moments(m: &Model, t: &mut ModelTables) -> usize {
    let all: Vec<usize> = (0..m.nu).filter(|&i| is_dense(m, i)).collect();
    t.size("NDENSE", all.len());
    t.indices("DENSE_ACT", all.iter().copied());
    let position = |i: usize| all.iter().position(|&other| other == i).unwrap_or(usize::MAX);
    t.indices("ACT_DENSE", (0..m.nu).map(position));
    for (name, code) in [
        ("DENSE_BALL", 0),
        ("DENSE_FREE", 1),
        ("DENSE_SITE", 2),
        ("DENSE_SLIDERCRANK", 3),
        ("DENSE_TENDON", 4),
    ] {
        t.size(name, code);
    }
    let target = |i: usize| m.actuator_trnid[2 * i].max(0) as usize;
    let slider = |i: usize| m.actuator_trntype[i] == TransmissionType::SliderCrank;
    let site = |i: usize| m.actuator_trntype[i] == TransmissionType::Site || slider(i);
    let kind = |i: usize| match (m.actuator_trntype[i], m.jnt_type.get(target(i))) {
        (TransmissionType::Site, _) => 2,
        (TransmissionType::SliderCrank, _) => 3,
        (TransmissionType::Tendon, _) => 4,
        (_, Some(JointType::Free)) => 1,
        _ => 0,
    };
    t.indices("DENSE_TYPE", all.iter().map(|&i| kind(i)));
    // joint: address of its rotation
    let rotation = |i: usize, first: i32, by: usize| match kind(i) {
        0 => first as usize,
        1 => first as usize + by,
        _ => 0,
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
    // rotational gears of joints and sites, the rod of a slider-crank
    let rotational = |i: usize| match kind(i) {
        0 => gear(i, 0),
        3 => [m.actuator_cranklength[i], 0.0, 0.0],
        _ => gear(i, 3),
    };
    t.vec4s("DENSE_GEAR_ROT", all.iter().map(|&i| rotational(i)));
    let simple = |i: usize| usize::from(m.M_rownnz[i] == 1);
    t.indices("DOF_SIMPLE", (0..m.nv).map(simple));
    // implicitfast has the sparsity of the inertia matrix, implicit that of qDeriv
    let full = m.opt.integrator == Integrator::Implicit;
    t.indices("DOF_DERIV_DIAGONAL", (0..m.nv).map(|i| if full { 0 } else { simple(i) }));
    all.len()
}

/// Tables of actuators. Returns the numbers of dense moments and of damping pairs.
pub(crate) fn actuators(m: &Model, tendons: &[Vec<Term>], t: &mut ModelTables) -> (usize, usize) {
    let n = m.nu;
    let terms: Vec<Vec<Term>> = (0..n)
        .map(|i| {
            let (target, gear) = (m.actuator_trnid[2 * i].max(0) as usize, m.actuator_gear[6 * i]);
            match m.actuator_trntype[i] {
                _ if is_dense(m, i) => Vec::new(),
                TransmissionType::Body => Vec::new(),
                TransmissionType::Tendon => {
                    tendons[target].iter().map(|&(joint, coef)| (joint, gear * coef)).collect()
                }
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
    let damping_pairs = damping_pairs(m, tendons, &terms, t);
    let ndense = dense_moments(m, t);
    gains(m, t);
    (ndense, damping_pairs)
}

/// Gains, biases, ranges and activation dynamics of actuators.
fn gains(m: &Model, t: &mut ModelTables) {
    let n = m.nu;
    let off = |i: usize| {
        let group = m.actuator_group[i];
        m.opt.disabled(DisableBit::Actuation)
            || (0..=30).contains(&group) && m.opt.disableactuator & (1 << group) != 0
    };
    let gain = |i: usize| match m.actuator_gaintype[i] {
        _ if off(i) => [0.0; 3],
        GainType::Fixed => [m.actuator_gainprm[10 * i], 0.0, 0.0],
        GainType::Affine => std::array::from_fn(|k| m.actuator_gainprm[10 * i + k]),
        // evaluated by functions of their own; without a callback the gain of a user actuator is one
        GainType::Muscle | GainType::DcMotor | GainType::User => [1.0, 0.0, 0.0],
    };
    let bias = |i: usize| match m.actuator_biastype[i] {
        BiasType::Affine if !off(i) => std::array::from_fn(|k| m.actuator_biasprm[10 * i + k]),
        _ => [0.0; 3],
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
    activation_dynamics(m, &off, t);
    muscles(m, &off, t);
    dc_motors(m, t);
    t.indices("ACT_EARLY", (0..n).map(|i| usize::from(m.actuator_actearly[i])));
    // the input of the gain is the last activation
    let last = |i: usize| activations(m, i).last().unwrap_or(usize::MAX);
    t.indices("ACT_ADR", (0..n).map(last));
    let owner = |a: usize| (0..n).find(|&i| activations(m, i).contains(&a)).unwrap_or(0);
    t.indices("ACT_OWNER", (0..m.na).map(owner));
}

/// Addresses of the activations of an actuator.
fn activations(m: &Model, i: usize) -> Range<usize> {
    let start = usize::try_from(m.actuator_actadr[i]).unwrap_or(0);
    let count = if m.actuator_actadr[i] < 0 { 0 } else { m.actuator_actnum[i].max(0) as usize };
    start..start + count
}

/// Parameters of the activation dynamics; `off` tells which actuators are disabled.
fn activation_dynamics(m: &Model, off: &dyn Fn(usize) -> bool, t: &mut ModelTables) {
    for (name, code) in
        [("DYN_NONE", 0), ("DYN_INTEGRATOR", 1), ("DYN_FILTER", 2), ("DYN_MUSCLE", 3)]
    {
        t.size(name, code);
    }
    let kind = |i: usize| match m.actuator_dyntype[i] {
        DynType::Integrator => 1,
        DynType::Filter | DynType::FilterExact => 2,
        DynType::Muscle => 3,
        DynType::None | DynType::User | DynType::DcMotor => 0,
    };
    t.indices("ACT_DYN_TYPE", (0..m.nu).map(kind));
    let h = m.opt.timestep;
    let row = |i: usize| {
        let prm: [f64; 10] = array(&m.actuator_dynprm, i);
        let tau = prm[0].max(MINVAL);
        // change over a step for a unit rate
        let step = match m.actuator_dyntype[i] {
            _ if off(i) => 0.0,
            DynType::FilterExact => tau * (1.0 - (-h / tau).exp()),
            _ => h,
        };
        match m.actuator_dyntype[i] {
            DynType::Muscle => [prm[0], step, prm[1], prm[2]],
            _ => [1.0 / tau, step, 0.0, 0.0],
        }
    };
    t.vec4s("ACT_DYN", (0..m.nu).map(row));
}

/// Whether an actuator has the gain, bias or activation dynamics of a muscle.
pub(crate) fn has_muscle(m: &Model) -> bool {
    m.actuator_gaintype.contains(&GainType::Muscle)
        || m.actuator_biastype.contains(&BiasType::Muscle)
        || m.actuator_dyntype.contains(&DynType::Muscle)
}

/// Parameters of muscles.
fn muscles(m: &Model, off: &dyn Fn(usize) -> bool, t: &mut ModelTables) {
    let count = if has_muscle(m) { m.nu } else { 0 };
    let kind = |i: usize| {
        let gain = m.actuator_gaintype[i] == GainType::Muscle && !off(i);
        let bias = m.actuator_biastype[i] == BiasType::Muscle && !off(i);
        usize::from(gain) | usize::from(bias) << 1
    };
    t.indices("ACT_MUSCLE", (0..count).map(kind));
    // range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax
    let normalized = |i: usize, prm: &[f64; 10]| {
        let [start, end] = array::<2>(&m.actuator_lengthrange, i);
        let optimal = (end - start) / (prm[1] - prm[0]).max(MINVAL);
        let peak = if prm[2] < 0.0 { prm[3] / m.actuator_acc0[i].max(MINVAL) } else { prm[2] };
        ([start, 1.0 / optimal.max(MINVAL), prm[0], -peak], (optimal * prm[6]).max(MINVAL))
    };
    let gain = |i: usize| {
        let prm = array::<10>(&m.actuator_gainprm, i);
        let (row, max_velocity) = normalized(i, &prm);
        [row, [prm[4], prm[5], 1.0 / max_velocity, prm[8]]]
    };
    let bias = |i: usize| {
        let prm = array::<10>(&m.actuator_biasprm, i);
        [normalized(i, &prm).0, [prm[5], prm[7], 0.0, 0.0]]
    };
    t.vec4s("ACT_MUSCLE_GAIN", (0..count).flat_map(gain));
    t.vec4s("ACT_MUSCLE_BIAS", (0..count).flat_map(bias));
}

/// Whether an actuator is a DC motor.
pub(crate) fn has_dc_motor(m: &Model) -> bool {
    m.actuator_gaintype.contains(&GainType::DcMotor)
}

/// Parameters of DC motors, and the activations of their parts.
fn dc_motors(m: &Model, t: &mut ModelTables) {
    let motors: Vec<usize> =
        (0..m.nu).filter(|&i| m.actuator_gaintype[i] == GainType::DcMotor).collect();
    let count = if motors.is_empty() { 0 } else { m.nu };
    let position = |i: usize| motors.iter().position(|&k| k == i).unwrap_or(usize::MAX);
    t.indices("ACT_MOTOR", (0..count).map(position));
    let prm = |i: usize| {
        let [dynamics, gain, bias] = [&m.actuator_dynprm, &m.actuator_gainprm, &m.actuator_biasprm]
            .map(|all| array::<10>(all, i));
        (dynamics, gain, bias)
    };
    t.scalars(
        "MOTOR_PRM",
        motors.iter().flat_map(|&i| {
            let (dynamics, gain, bias) = prm(i);
            [dynamics, gain, bias].concat()
        }),
    );
    // slew rate, integral, temperature, bristle, current: the enabled ones in this order
    let slots = |i: usize| {
        let (dynamics, gain, _) = prm(i);
        let mut next = activations(m, i).start;
        [dynamics[7], gain[5], dynamics[2], dynamics[5], dynamics[0]].map(|parameter| {
            let slot = if parameter > 0.0 { next } else { usize::MAX };
            next += usize::from(parameter > 0.0);
            slot
        })
    };
    t.indices("MOTOR_SLOT", motors.iter().flat_map(|&i| slots(i)));
    // derivative of the force with respect to velocity: back-EMF, controller, bristle damping
    let derivative = |i: usize| {
        let (dynamics, gain, _) = prm(i);
        let (k, resistance) = (gain[1], gain[0].max(MINVAL));
        let controller = match gain[8] as i32 {
            i32::MIN..=0 => 0.0,
            1 => -gain[6],
            _ => -gain[4],
        };
        let current_torque = match dynamics[0] {
            tau if tau > 0.0 => {
                k * (controller - k) * (1.0 - (-m.opt.timestep / tau).exp()) / resistance
            }
            _ => k * (controller - k) / resistance,
        };
        current_torque - dynamics[6].max(0.0)
    };
    t.scalars("MOTOR_DERIV", motors.iter().map(|&i| derivative(i)));
}

/// Entries (dof, ancestor dof) of the inertia matrix that implicitfast changes by the velocity derivatives of tendon and
/// actuator forces. For each entry the sources (actuators, then tendons) with the product of the two coefficients. Returns
/// their number.
fn damping_pairs(
    m: &Model,
    tendons: &[Vec<Term>],
    moments: &[Vec<Term>],
    t: &mut ModelTables,
) -> usize {
    let mut pairs: Vec<(Entry, Vec<Term>)> = Vec::new();
    let damping = dof_terms(m).tendon_damping;
    let damps = |k: usize| !m.opt.disabled(DisableBit::Damper) && damping[k] != [0.0; 3];
    let sources = moments.iter().chain(tendons).enumerate();
    for (source, terms) in sources.filter(|(k, _)| *k < m.nu || damps(k - m.nu)) {
        for &(one, a) in terms {
            for &(two, b) in terms {
                let [i, j] = [one, two].map(|joint| m.jnt_dofadr[joint] as usize);
                let full = m.opt.integrator == Integrator::Implicit;
                if !(is_ancestor(m, j, i) || full && above(m, j, i)) {
                    continue;
                }
                match pairs.iter_mut().find(|(pair, _)| *pair == [i, j]) {
                    Some((_, products)) => products.push((source, a * b)),
                    None => pairs.push(([i, j], vec![(source, a * b)])),
                }
            }
        }
    }
    if !is_implicit(m) {
        pairs.clear();
    }
    let lists: Vec<Vec<Term>> = pairs.iter().map(|(_, list)| list.clone()).collect();
    t.size("NDAMPING_PAIR", pairs.len());
    t.offsets("DAMPING_PAIR_ADR", &lists);
    t.indices("DAMPING_PAIR_ROW", pairs.iter().map(|(pair, _)| pair[0]));
    t.indices("DAMPING_PAIR_COLUMN", pairs.iter().map(|(pair, _)| pair[1]));
    t.indices("DAMPING_PAIR_SOURCE", lists.iter().flatten().map(|term| term.0));
    t.scalars("DAMPING_PAIR_COEF", lists.iter().flatten().map(|term| term.1));
    pairs.len()
}

/// Whether `upper` is an ancestor of a dof and the inertia matrix has an entry for both.
fn is_ancestor(m: &Model, upper: usize, dof: usize) -> bool {
    // simple dofs have a diagonal entry only
    m.M_rownnz[dof] != 1 && above(m, upper, dof)
}

/// Whether `upper` is an ancestor of a dof.
fn above(m: &Model, upper: usize, dof: usize) -> bool {
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
