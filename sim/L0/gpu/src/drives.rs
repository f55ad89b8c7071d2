//! Tables of tendons and of what actuators drive.

use crate::fill::{FAR, array};
use crate::table::Tables;
use sim_core::math::pose::Pose;
use sim_core::{ActuatorDofTerms, Model};
use sim_types::{DisableBit, DynType, Integrator, JointType, TransmissionType};

/// A joint or an actuator in a sum: which, and how much of it.
pub(crate) type Term = (usize, f64);
/// Two dofs.
type Pair = [usize; 2];

/// Armature and damping of dofs and tendons, with what actuators lend them.
pub(crate) fn with_lent(m: &Model) -> ActuatorDofTerms {
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

/// The joints of a tendon and how much of each, every joint once.
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

/// What the armature of tendons adds to an entry of the inertia matrix.
pub(crate) fn tendon_armature(m: &Model, lent: &ActuatorDofTerms, i: usize, j: usize) -> f64 {
    let share = |k: usize, dof: usize| {
        let found = terms(m, k).into_iter().find(|t| m.jnt_dofadr[t.0] as usize == dof);
        found.map_or(0.0, |term| term.1)
    };
    let of = |k: usize| match lent.tendon_armature[k] {
        0.0 => 0.0,
        armature => armature * share(k, i) * share(k, j),
    };
    (0..m.ntendon).map(of).sum()
}

/// Entries of the inertia matrix beside its diagonal that the armature of tendons adds to.
pub(crate) fn tied(m: &Model, lent: &ActuatorDofTerms, t: &mut Tables) {
    let mut all: Vec<Pair> = Vec::new();
    for k in (0..m.ntendon).filter(|&k| lent.tendon_armature[k] != 0.0) {
        let dofs: Vec<usize> =
            terms(m, k).iter().map(|term| m.jnt_dofadr[term.0] as usize).collect();
        for &i in &dofs {
            for &j in &dofs {
                if above(m, j, i) && !all.contains(&[i, j]) {
                    all.push([i, j]);
                }
            }
        }
    }
    t.constant("NTIED", all.len());
    t.indices("TIED_ROW", all.iter().map(|pair| pair[0]));
    t.indices("TIED_COLUMN", all.iter().map(|pair| pair[1]));
    t.numbers("TIED_ARMATURE", all.iter().map(|pair| tendon_armature(m, lent, pair[0], pair[1])));
}

/// Returns the joints of each tendon.
pub(crate) fn tendons(m: &Model, t: &mut Tables) -> Vec<Vec<Term>> {
    let n = m.ntendon;
    let terms: Vec<Vec<Term>> = (0..n).map(|k| terms(m, k)).collect();
    t.starts("TENDON", &terms);
    let all = || terms.iter().flatten();
    t.numbers("TENDON_COEF", all().map(|term| term.1));
    t.indices("TENDON_QPOS", all().map(|term| m.jnt_qposadr[term.0] as usize));
    t.indices("TENDON_DOF", all().map(|term| m.jnt_dofadr[term.0] as usize));
    let (spring, damper) =
        (!m.opt.disabled(DisableBit::Spring), !m.opt.disabled(DisableBit::Damper));
    // the linear coefficient, and two of higher order
    let stiffness = |k: usize| match (spring, array::<2>(&m.tendon_stiffnesspoly, k)) {
        (true, [a, b]) => [m.tendon_stiffness[k], a, b],
        (false, _) => [0.0; 3],
    };
    t.vectors("TENDON_STIFFNESS", (0..n).map(stiffness));
    let lent = with_lent(m);
    let damping = |k: usize| if damper { lent.tendon_damping[k] } else { [0.0; 3] };
    t.vectors("TENDON_DAMPING", (0..n).map(damping));
    t.numbers("TENDON_LOW", (0..n).map(|k| m.tendon_lengthspring[2 * k]));
    t.numbers("TENDON_HIGH", (0..n).map(|k| m.tendon_lengthspring[2 * k + 1]));
    t.flag("TENDON_CLAMPS", m.tendon_actfrclimited.contains(&true));
    let force = range(&m.tendon_actfrcrange, |k| m.tendon_actfrclimited[k]);
    t.numbers("TENDON_LOWEST", (0..n).map(|k| force(k)[0]));
    t.numbers("TENDON_HIGHEST", (0..n).map(|k| force(k)[1]));
    let mut pulls = vec![Vec::new(); m.nv];
    for (k, terms) in terms.iter().enumerate() {
        for &(joint, coef) in terms {
            pulls[m.jnt_dofadr[joint] as usize].push((k, coef));
        }
    }
    t.starts("PULL", &pulls);
    t.numbers("PULL_COEF", pulls.iter().flatten().map(|term| term.1));
    t.indices("PULL_TENDON", pulls.iter().flatten().map(|term| term.0));
    terms
}

/// Whether an actuator acts on many dofs, or by how much depends on the state.
fn is_wide(m: &Model, i: usize) -> bool {
    let target = m.actuator_trnid[2 * i].max(0) as usize;
    match m.actuator_trntype[i] {
        TransmissionType::Joint | TransmissionType::JointInParent => {
            matches!(m.jnt_type[target], JointType::Ball | JointType::Free)
        }
        TransmissionType::Site => true,
        _ => false,
    }
}

/// Actuators with a moment of their own for each dof: on ball and free joints, on sites.
pub(crate) fn wide(m: &Model, t: &mut Tables) {
    let all: Vec<usize> = (0..m.nu).filter(|&i| is_wide(m, i)).collect();
    t.constant("NWIDE", all.len());
    t.indices("WIDE_ACT", all.iter().copied());
    let place = |i: usize| all.iter().position(|&other| other == i).unwrap_or(usize::MAX);
    t.indices("ACT_WIDE", (0..m.nu).map(place));
    for (name, code) in [("WIDE_BALL", 0), ("WIDE_FREE", 1), ("WIDE_SITE", 2)] {
        t.constant(name, code);
    }
    let target = |i: usize| m.actuator_trnid[2 * i].max(0) as usize;
    let site = |i: usize| m.actuator_trntype[i] == TransmissionType::Site;
    let kind = |i: usize| match m.jnt_type.get(target(i)) {
        _ if site(i) => 2,
        Some(JointType::Free) => 1,
        _ => 0,
    };
    t.indices("WIDE_KIND", all.iter().map(|&i| kind(i)));
    // a joint: where its rotation is
    let turns = |i: usize, first: i32, by: usize| match kind(i) {
        2 => 0,
        1 => first as usize + by,
        _ => first as usize,
    };
    let at = |i: usize, adr: &[i32]| adr.get(target(i)).copied().unwrap_or(0);
    t.indices("WIDE_QPOS", all.iter().map(|&i| turns(i, at(i, &m.jnt_qposadr), 3)));
    t.indices("WIDE_DOF", all.iter().map(|&i| turns(i, at(i, &m.jnt_dofadr), 3)));
    let parent = |i: usize| m.actuator_trntype[i] == TransmissionType::JointInParent;
    t.indices("WIDE_IN_PARENT", all.iter().map(|&i| usize::from(parent(i))));
    // a site: itself, the one it refers to or the world, and the axes that the gear is in
    let referred = |i: usize| usize::try_from(m.actuator_trnid[2 * i + 1]).ok().filter(|_| site(i));
    let own = |i: usize| if site(i) { Some(target(i)) } else { None };
    let body = |s: Option<usize>| s.map_or(0, |s| m.site_bodyid[s] as usize);
    let pose = |s: Option<usize>| s.map_or(Pose::IDENTITY, |s| m.site_frame(s));
    t.indices("WIDE_BODY1", all.iter().map(|&i| body(referred(i))));
    t.indices("WIDE_BODY2", all.iter().map(|&i| body(own(i))));
    t.fours("WIDE_POS1", all.iter().map(|&i| pose(referred(i)).pos));
    t.fours("WIDE_POS2", all.iter().map(|&i| pose(own(i)).pos));
    t.fours("WIDE_QUAT1", all.iter().map(|&i| pose(referred(i)).quat));
    t.fours("WIDE_QUAT2", all.iter().map(|&i| pose(own(i)).quat));
    t.indices("WIDE_REFERS", all.iter().map(|&i| usize::from(referred(i).is_some())));
    let gear = |i: usize, first: usize| -> [f64; 3] {
        std::array::from_fn(|k| m.actuator_gear[6 * i + first + k])
    };
    t.fours("WIDE_FORCE", all.iter().map(|&i| gear(i, 0)));
    t.fours("WIDE_TORQUE", all.iter().map(|&i| gear(i, if kind(i) == 0 { 0 } else { 3 })));
    let alone = |i: usize| usize::from(m.M_rownnz[i] == 1);
    t.indices("DOF_ALONE", (0..m.nv).map(alone));
}

/// What actuators drive, and how hard.
pub(crate) fn actuators(m: &Model, tendons: &[Vec<Term>], t: &mut Tables) {
    let n = m.nu;
    let terms: Vec<Vec<Term>> = (0..n)
        .map(|i| {
            let (target, gear) = (m.actuator_trnid[2 * i].max(0) as usize, m.actuator_gear[6 * i]);
            match m.actuator_trntype[i] {
                TransmissionType::Tendon => {
                    tendons[target].iter().map(|&(joint, coef)| (joint, gear * coef)).collect()
                }
                _ if is_wide(m, i) => Vec::new(),
                _ => vec![(target, gear)],
            }
        })
        .collect();
    t.starts("DRIVEN", &terms);
    let all = || terms.iter().flatten();
    t.numbers("DRIVEN_COEF", all().map(|term| term.1));
    t.indices("DRIVEN_QPOS", all().map(|term| m.jnt_qposadr[term.0] as usize));
    t.indices("DRIVEN_DOF", all().map(|term| m.jnt_dofadr[term.0] as usize));
    let mut drives = vec![Vec::new(); m.nv];
    for (i, terms) in terms.iter().enumerate() {
        for &(joint, coef) in terms {
            drives[m.jnt_dofadr[joint] as usize].push((i, coef));
        }
    }
    t.starts("DRIVE", &drives);
    t.numbers("DRIVE_COEF", drives.iter().flatten().map(|term| term.1));
    t.indices("DRIVE_ACT", drives.iter().flatten().map(|term| term.0));

    let tendon = |i: usize| match m.actuator_trntype[i] {
        TransmissionType::Tendon => m.actuator_trnid[2 * i] as usize,
        _ => usize::MAX,
    };
    t.indices("ACT_TENDON", (0..n).map(tendon));
    couples(m, tendons, &terms, t);
    wide(m, t);
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
    // three factors, and a bound of the control behind them
    let with = |[a, b, c]: [f64; 3], bound: f64| [a, b, c, bound];
    t.fours("GAIN", (0..n).map(|i| with(gain(i), ctrl(i)[0])));
    t.fours("BIAS_PRM", (0..n).map(|i| with(bias(i), ctrl(i)[1])));
    let force = range(&m.actuator_forcerange, |i| m.actuator_forcelimited[i]);
    let act = range(&m.actuator_actrange, |i| m.actuator_actlimited[i]);
    let both = |i: usize| [force(i)[0], force(i)[1], act(i)[0], act(i)[1]];
    t.fours("ACT_RANGE", (0..n).map(both));
    let h = m.opt.timestep;
    let time = |i: usize| {
        let tau = m.actuator_dynprm[10 * i].max(1e-15);
        match m.actuator_dyntype[i] {
            _ if off(i) => 0.0,
            DynType::Filter => h / tau,
            DynType::FilterExact => 1.0 - (-h / tau).exp(),
            _ => h,
        }
    };
    t.numbers("ACT_TIME", (0..n).map(time));
    let filters =
        |i: usize| matches!(m.actuator_dyntype[i], DynType::Filter | DynType::FilterExact);
    t.indices("ACT_FILTER", (0..n).map(|i| usize::from(filters(i))));
    t.indices("ACT_EARLY", (0..n).map(|i| usize::from(m.actuator_actearly[i])));
    let adr = |i: usize| usize::try_from(m.actuator_actadr[i]).unwrap_or(usize::MAX);
    t.indices("ACT_ADR", (0..n).map(adr));
}

/// Pairs of dofs, one above the other in a tree, that a tendon joins: under implicit integration its
/// damping and that of actuators on it couple them. For each pair the actuators, and behind them the
/// tendons, with the product of the two dofs' shares.
fn couples(m: &Model, tendons: &[Vec<Term>], drives: &[Vec<Term>], t: &mut Tables) {
    let mut pairs: Vec<(Pair, Vec<Term>)> = Vec::new();
    let damping = with_lent(m).tendon_damping;
    let damps = |k: usize| !m.opt.disabled(DisableBit::Damper) && damping[k] != [0.0; 3];
    let sources = drives.iter().chain(tendons).enumerate();
    for (source, terms) in sources.filter(|(k, _)| *k < m.nu || damps(k - m.nu)) {
        for &(one, a) in terms {
            for &(two, b) in terms {
                let [i, j] = [one, two].map(|joint| m.jnt_dofadr[joint] as usize);
                if !above(m, j, i) {
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
    t.constant("NCOUPLE", pairs.len());
    t.starts("COUPLE", &lists);
    t.indices("COUPLE_ROW", pairs.iter().map(|(pair, _)| pair[0]));
    t.indices("COUPLE_COLUMN", pairs.iter().map(|(pair, _)| pair[1]));
    t.indices("COUPLE_BY", lists.iter().flatten().map(|term| term.0));
    t.numbers("COUPLE_COEF", lists.iter().flatten().map(|term| term.1));
}

/// Whether a dof moves another one's body and is not that one, and the inertia matrix has an entry for both.
fn above(m: &Model, upper: usize, dof: usize) -> bool {
    if m.M_rownnz[dof] == 1 {
        return false; // what is so simple has no entry for it
    }
    let mut at = m.dof_parentid[dof];
    while at >= 0 && at as usize != upper {
        at = m.dof_parentid[at as usize];
    }
    at >= 0
}

fn range(all: &[f64], on: impl Fn(usize) -> bool) -> impl Fn(usize) -> [f64; 2] {
    move |i: usize| if on(i) { array::<2>(all, i) } else { [-FAR, FAR] }
}
