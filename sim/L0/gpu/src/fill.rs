//! A model as tables: what each stage of a kernel reads.

use crate::pairs;
use crate::sensors::{self, Needs};
use crate::table::Tables;
use sim_core::Model;
use sim_types::{DisableBit, DynType, EqType, Integrator, JointType, ObjType, TransmissionType};

/// Largest number that a range without end has; far from where single precision ends.
pub(crate) const FAR: f64 = 1e30;

/// All tables of a model.
pub(crate) fn tables(m: &Model) -> Result<(Tables, Needs), crate::GpuBatchError> {
    let mut t = Tables::default();
    sizes(m, &mut t);
    bodies(m, &mut t);
    joints(m, &mut t);
    dofs(m, &mut t);
    let tendons = tendons(m, &mut t);
    actuators(m, &tendons, &mut t);
    equality(m, &mut t);
    friction(m, &mut t);
    limits(m, &mut t);
    pairs::fill(m, &mut t)?;
    let needs = sensors::fill(m, &mut t)?;
    Ok((t, needs))
}

pub(crate) fn array<const N: usize>(values: &[f64], i: usize) -> [f64; N] {
    std::array::from_fn(|k| values[N * i + k])
}

fn sizes(m: &Model, t: &mut Tables) {
    for (name, value) in [
        ("NQ", m.nq),
        ("NV", m.nv),
        ("NA", m.na),
        ("NU", m.nu),
        ("NBODY", m.nbody),
        ("NJNT", m.njnt),
        ("NTREE", m.ntree),
        ("NTENDON", m.ntendon),
        ("ITERATIONS", m.opt.iterations.max(0) as usize),
        ("LS_ITERATIONS", m.opt.ls_iterations.max(0) as usize),
    ] {
        t.constant(name, value);
    }
    let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
    t.numbers("GRAVITY", gravity);
    t.numbers("TIMESTEP", [m.opt.timestep]);
    t.numbers("IMPRATIO", [m.opt.impratio.max(1e-15)]);
    let inertia = m.stat.meaninertia.max(1e-15);
    t.numbers("SOLVER_SCALE", [1.0 / (inertia * m.nv.max(1) as f64)]);
    t.flag("WARM_START", !m.opt.disabled(DisableBit::WarmStart));
}

fn bodies(m: &Model, t: &mut Tables) {
    let n = m.nbody;
    t.vectors("BODY_POS", (0..n).map(|b| array::<3>(&m.body_pos, b)));
    t.vectors("BODY_QUAT", (0..n).map(|b| array::<4>(&m.body_quat, b)));
    t.vectors("BODY_IPOS", (0..n).map(|b| array::<3>(&m.body_ipos, b)));
    t.vectors("BODY_IQUAT", (0..n).map(|b| array::<4>(&m.body_iquat, b)));
    t.vectors("BODY_INERTIA", (0..n).map(|b| array::<3>(&m.body_inertia, b)));
    t.numbers("BODY_MASS", m.body_mass.iter().copied());
    // passive forces are all off when springs and dampers both are
    let compensates = m.ngravcomp > 0
        && !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper));
    t.flag("GRAVCOMP", compensates);
    t.numbers("BODY_GRAVCOMP", m.body_gravcomp.iter().copied());
    t.indices("BODY_PARENT", m.body_parentid.iter().map(|&p| p as usize));
    let tree = |b: usize| usize::try_from(m.body_treeid[b]).unwrap_or(usize::MAX);
    t.indices("BODY_TREE", (0..n).map(tree));
    let root =
        |b: usize| b > 0 && tree(b) != usize::MAX && tree(b) != tree(m.body_parentid[b] as usize);
    t.indices("BODY_ROOT", (0..n).map(|b| usize::from(root(b))));
    t.indices("BODY_JNT", (0..n).map(|b| m.body_jntadr[b].max(0) as usize));
    t.indices("BODY_NJNT", m.body_jntnum.iter().map(|&c| c as usize));
    let mut depth = vec![0; n];
    for b in 1..n {
        depth[b] = depth[m.body_parentid[b] as usize] + 1;
    }
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let levels: Vec<Vec<usize>> =
        (1..=deepest).map(|l| (0..n).filter(|&b| depth[b] == l).collect()).collect();
    t.constant("NLEVEL", levels.len());
    t.starts("LEVEL", &levels);
    t.indices("LEVEL_BODY", levels.into_iter().flatten());
    let words = m.nv.div_ceil(32);
    t.constant("CHAIN_WORDS", words);
    t.indices("BODY_CHAIN", (0..n).flat_map(|b| chain(m, b, words)));
}

/// The dofs that move a body, as bits.
fn chain(m: &Model, body: usize, words: usize) -> Vec<usize> {
    let mut bits = vec![0; words];
    let mut b = body;
    while b > 0 {
        let first = m.body_dofadr[b].max(0) as usize;
        for d in first..first + m.body_dofnum[b] as usize {
            bits[d / 32] |= 1 << (d % 32);
        }
        b = m.body_parentid[b] as usize;
    }
    bits
}

fn joints(m: &Model, t: &mut Tables) {
    let n = m.njnt;
    t.vectors("JNT_POS", (0..n).map(|j| array::<3>(&m.jnt_pos, j)));
    t.vectors("JNT_AXIS", (0..n).map(|j| array::<3>(&m.jnt_axis, j)));
    t.numbers("JNT_Q0", (0..n).map(|j| m.qpos0[m.jnt_qposadr[j] as usize]));
    let stiff = if m.opt.disabled(DisableBit::Spring) { 0.0 } else { 1.0 };
    t.numbers("JNT_STIFFNESS", m.jnt_stiffness.iter().map(|k| k * stiff));
    t.numbers("QPOS_SPRING", m.qpos_spring.iter().copied());
    t.indices("JNT_TYPE", m.jnt_type.iter().map(|&kind| kind as usize));
    t.indices("JNT_QPOS", m.jnt_qposadr.iter().map(|&a| a as usize));
    t.indices("JNT_DOF", m.jnt_dofadr.iter().map(|&a| a as usize));
    for (name, kind) in [
        ("FREE", JointType::Free),
        ("BALL", JointType::Ball),
        ("SLIDE", JointType::Slide),
        ("HINGE", JointType::Hinge),
    ] {
        t.constant(name, kind as usize);
    }
}

fn dofs(m: &Model, t: &mut Tables) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    let damping = |i: usize| if damper { m.dof_damping[i] } else { 0.0 };
    t.numbers("DOF_ARMATURE", m.dof_armature.iter().copied());
    t.numbers("DOF_DAMPING", (0..m.nv).map(damping));
    let implicit = m.opt.integrator == Integrator::ImplicitFast;
    let own = implicit || !m.opt.disabled(DisableBit::EulerDamp);
    let of_tendons = |i: usize| if implicit && damper { tendon_damping(m, i) } else { 0.0 };
    let whole = |i: usize| if own { damping(i) } else { 0.0 } + of_tendons(i);
    t.numbers("DOF_IMPLICIT", (0..m.nv).map(whole));
    t.flag("IMPLICIT", implicit);
    t.flag("DAMPED", implicit || own && (0..m.nv).any(|i| damping(i) > 0.0));
    let range = |i: usize| {
        let j = m.dof_jntid[i] as usize;
        let scalar = matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide);
        let limited = scalar && m.jnt_actfrclimited[j];
        if limited { array::<2>(&m.jnt_actfrcrange, j) } else { [-FAR, FAR] }
    };
    t.numbers("DOF_LOWEST", (0..m.nv).map(|i| range(i)[0]));
    t.numbers("DOF_HIGHEST", (0..m.nv).map(|i| range(i)[1]));
    let code = |v: &i32| usize::try_from(*v).unwrap_or(usize::MAX);
    t.indices("DOF_BODY", m.dof_bodyid.iter().map(code));
    t.indices("DOF_PARENT", m.dof_parentid.iter().map(code));
    t.indices("DOF_TREE", m.dof_treeid.iter().map(code));
}

/// What tendons damp of a dof by itself.
fn tendon_damping(m: &Model, dof: usize) -> f64 {
    let of = |k: usize| -> f64 {
        let first = m.tendon_adr[k] as usize;
        let path = first..first + m.tendon_num[k] as usize;
        let share = |a: usize| match m.jnt_dofadr[m.wrap_objid[a] as usize] as usize == dof {
            true => m.wrap_prm[a],
            false => 0.0,
        };
        let share: f64 = path.map(share).sum();
        m.tendon_damping[k] * share * share
    };
    (0..m.ntendon).map(of).sum()
}

/// A joint or an actuator in a sum: which, and how much of it.
type Term = (usize, f64);
/// Two dofs.
type Pair = [usize; 2];

/// Returns the joints of each tendon.
fn tendons(m: &Model, t: &mut Tables) -> Vec<Vec<Term>> {
    let n = m.ntendon;
    let terms: Vec<Vec<Term>> = (0..n)
        .map(|k| {
            let first = m.tendon_adr[k] as usize;
            let path = first..first + m.tendon_num[k] as usize;
            path.map(|a| (m.wrap_objid[a] as usize, m.wrap_prm[a])).collect()
        })
        .collect();
    t.starts("TENDON", &terms);
    let all = || terms.iter().flatten();
    t.numbers("TENDON_COEF", all().map(|term| term.1));
    t.indices("TENDON_QPOS", all().map(|term| m.jnt_qposadr[term.0] as usize));
    t.indices("TENDON_DOF", all().map(|term| m.jnt_dofadr[term.0] as usize));
    let (spring, damper) =
        (!m.opt.disabled(DisableBit::Spring), !m.opt.disabled(DisableBit::Damper));
    let on = |value: f64, on: bool| if on { value } else { 0.0 };
    t.numbers("TENDON_STIFFNESS", m.tendon_stiffness.iter().map(|&k| on(k, spring)));
    t.numbers("TENDON_DAMPING", m.tendon_damping.iter().map(|&k| on(k, damper)));
    t.numbers("TENDON_LOW", (0..n).map(|k| m.tendon_lengthspring[2 * k]));
    t.numbers("TENDON_HIGH", (0..n).map(|k| m.tendon_lengthspring[2 * k + 1]));
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

fn actuators(m: &Model, tendons: &[Vec<Term>], t: &mut Tables) {
    let n = m.nu;
    let terms: Vec<Vec<Term>> = (0..n)
        .map(|i| {
            let (target, gear) = (m.actuator_trnid[2 * i] as usize, m.actuator_gear[6 * i]);
            match m.actuator_trntype[i] {
                TransmissionType::Tendon => {
                    tendons[target].iter().map(|&(joint, coef)| (joint, gear * coef)).collect()
                }
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
    t.vectors(
        "GAIN",
        (0..n).map(|i| affine(i, m.actuator_gaintype[i] as usize, &m.actuator_gainprm)),
    );
    let bias = |i: usize| match m.actuator_biastype[i] as usize {
        0 => [0.0; 3],
        kind => affine(i, kind, &m.actuator_biasprm),
    };
    t.vectors("BIAS_PRM", (0..n).map(bias));
    let clamps = !m.opt.disabled(DisableBit::ClampCtrl);
    ranges(t, ["CTRL_LOW", "CTRL_HIGH"], n, &m.actuator_ctrlrange, |i| {
        clamps && m.actuator_ctrllimited[i]
    });
    ranges(t, ["FORCE_LOW", "FORCE_HIGH"], n, &m.actuator_forcerange, |i| {
        m.actuator_forcelimited[i]
    });
    ranges(t, ["ACT_LOW", "ACT_HIGH"], n, &m.actuator_actrange, |i| m.actuator_actlimited[i]);
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
/// damping and that of actuators on it couple them. For each pair the actuators, or none for the
/// tendon itself, with the product of the two dofs' shares.
fn couples(m: &Model, tendons: &[Vec<Term>], drives: &[Vec<Term>], t: &mut Tables) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    let mut pairs: Vec<(Pair, Vec<Term>)> = Vec::new();
    let sources = tendons
        .iter()
        .enumerate()
        .map(|(k, terms)| (usize::MAX, if damper { -m.tendon_damping[k] } else { 0.0 }, terms))
        .chain(drives.iter().enumerate().map(|(i, terms)| (i, 1.0, terms)));
    for (source, factor, terms) in sources.filter(|(_, factor, _)| *factor != 0.0) {
        for &(one, a) in terms {
            for &(two, b) in terms {
                let [i, j] = [one, two].map(|joint| m.jnt_dofadr[joint] as usize);
                if !above(m, j, i) {
                    continue;
                }
                let product = (source, factor * a * b);
                match pairs.iter_mut().find(|(pair, _)| *pair == [i, j]) {
                    Some((_, products)) => products.push(product),
                    None => pairs.push(([i, j], vec![product])),
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
    t.indices("COUPLE_ACT", lists.iter().flatten().map(|term| term.0));
    t.numbers("COUPLE_COEF", lists.iter().flatten().map(|term| term.1));
}

/// Whether a dof moves another one's body and is not that one.
fn above(m: &Model, upper: usize, dof: usize) -> bool {
    let mut at = m.dof_parentid[dof];
    while at >= 0 && at as usize != upper {
        at = m.dof_parentid[at as usize];
    }
    at >= 0
}

fn ranges(t: &mut Tables, names: [&str; 2], n: usize, all: &[f64], on: impl Fn(usize) -> bool) {
    let range = |i: usize| if on(i) { array::<2>(all, i) } else { [-FAR, FAR] };
    t.numbers(names[0], (0..n).map(|i| range(i)[0]));
    t.numbers(names[1], (0..n).map(|i| range(i)[1]));
}

/// Whether rows of a kind are made at all.
fn made(m: &Model, bit: DisableBit) -> bool {
    !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(bit)
}

/// Stiffness, damping and impedance of a row, from its `solref` and `solimp`.
pub(crate) fn softness(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> [f64; 7] {
    let bounded = |x: f64| x.clamp(0.0001, 0.9999);
    let imp = [
        bounded(solimp[0]),
        bounded(solimp[1]),
        solimp[2].max(0.0),
        bounded(solimp[3]),
        solimp[4].max(1.0),
    ];
    let [stiffness, damping] = spring(m, solref, imp[1], [0.02, 1.0]);
    [stiffness, damping, imp[0], imp[1], imp[2], imp[3], imp[4]]
}

/// Stiffness and damping of a `solref`, or of another where its two numbers contradict each other.
pub(crate) fn spring(m: &Model, solref: [f64; 2], width: f64, other: [f64; 2]) -> [f64; 2] {
    let [mut time, ratio] = if (solref[0] > 0.0) == (solref[1] > 0.0) { solref } else { other };
    if time > 0.0 && !m.opt.disabled(DisableBit::RefSafe) {
        time = time.max(2.0 * m.opt.timestep);
    }
    let tiny = 1e-15;
    let stiffness = if time > 0.0 {
        1.0 / (width * width * time * time * ratio * ratio).max(tiny)
    } else {
        -time / (width * width).max(tiny)
    };
    let damping =
        if ratio > 0.0 { 2.0 / (width * time).max(tiny) } else { -ratio / width.max(tiny) };
    [stiffness, damping]
}

fn equality(m: &Model, t: &mut Tables) {
    let on = made(m, DisableBit::Equality);
    let all: Vec<usize> = (0..m.neq).filter(|&e| on && m.eq_active0[e]).collect();
    let count = |e: usize| match m.eq_type[e] {
        EqType::Connect => 3,
        EqType::Weld => 6,
        _ => 1,
    };
    t.constant("NEQ", all.len());
    t.constant("NE", all.iter().map(|&e| count(e)).sum());
    t.constant("EQ_CONNECT", 0);
    t.constant("EQ_WELD", 1);
    t.constant("EQ_COUPLE", 2);
    let kind = |e: usize| match m.eq_type[e] {
        EqType::Connect => 0,
        EqType::Weld => 1,
        _ => 2,
    };
    t.indices("EQ_KIND", all.iter().map(|&e| kind(e)));
    let mut row = 0;
    let rows: Vec<usize> = all
        .iter()
        .map(|&e| {
            row += count(e);
            row - count(e)
        })
        .collect();
    t.indices("EQ_ROW", rows);
    let ends: Vec<[End; 2]> = all.iter().map(|&e| ends(m, e)).collect();
    t.indices("EQ_BODY1", ends.iter().map(|e| e[0].body));
    t.indices("EQ_BODY2", ends.iter().map(|e| e[1].body));
    t.vectors("EQ_POS1", ends.iter().map(|e| e[0].pos));
    t.vectors("EQ_POS2", ends.iter().map(|e| e[1].pos));
    t.vectors("EQ_QUAT1", ends.iter().map(|e| e[0].quat));
    t.vectors("EQ_QUAT2", ends.iter().map(|e| e[1].quat));
    t.numbers("EQ_TORQUE", all.iter().map(|&e| m.eq_data[11 * e + 10]));
    t.indices("EQ_ONE", all.iter().map(|&e| m.eq_obj1id[e] as usize));
    let two = |e: usize| usize::try_from(m.eq_obj2id[e]).unwrap_or(usize::MAX);
    t.indices("EQ_TWO", all.iter().map(|&e| two(e)));
    t.vectors(
        "EQ_POLY",
        all.iter().map(|&e| -> [f64; 5] { std::array::from_fn(|k| m.eq_data[11 * e + k]) }),
    );
    let zero = |e: usize, id: usize| match m.eq_type[e] {
        EqType::Joint if id < m.njnt => m.qpos0[m.jnt_qposadr[id] as usize],
        EqType::Tendon if id < m.ntendon => m.tendon_length0[id],
        _ => 0.0,
    };
    t.vectors("EQ_ZERO", all.iter().map(|&e| [zero(e, m.eq_obj1id[e] as usize), zero(e, two(e))]));
    let parameters = all.iter().zip(&ends).flat_map(|(&e, ends)| {
        let soft = softness(m, array(&m.eq_solref, e), array(&m.eq_solimp, e));
        let weight = |id: usize| match m.eq_type[e] {
            EqType::Joint if id < m.njnt => m.dof_invweight0[m.jnt_dofadr[id] as usize],
            EqType::Tendon if id < m.ntendon => m.tendon_invweight0[id],
            _ => 0.0,
        };
        let weights = match kind(e) {
            2 => [weight(m.eq_obj1id[e] as usize) + weight(two(e)), 0.0],
            _ => [0, 1].map(|k| ends.iter().map(|end| m.body_invweight0[2 * end.body + k]).sum()),
        };
        soft.into_iter().chain(weights)
    });
    let parameters: Vec<f64> = parameters.collect();
    t.numbers("EQ_PRM", parameters);
}

/// One side of a constraint between bodies; for couplings `body` tells tendons (1) from joints (0).
struct End {
    body: usize,
    pos: [f64; 3],
    quat: [f64; 4],
}

fn ends(m: &Model, e: usize) -> [End; 2] {
    const IDENTITY: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
    let objects = [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| id.max(0) as usize);
    let data = &m.eq_data[11 * e..11 * e + 11];
    let end = |body: usize, pos: [f64; 3], quat: [f64; 4]| End { body, pos, quat };
    if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld) {
        let tendon = usize::from(m.eq_type[e] == EqType::Tendon);
        return [0, 1].map(|_| end(tendon, [0.0; 3], IDENTITY));
    }
    if m.eq_objtype[e] != ObjType::Body {
        return objects.map(|site| {
            end(m.site_bodyid[site] as usize, array(&m.site_pos, site), array(&m.site_quat, site))
        });
    }
    let (a, b) = ([data[0], data[1], data[2]], [data[3], data[4], data[5]]);
    // a weld stores the anchor of the second body first
    let weld = m.eq_type[e] == EqType::Weld;
    let (one, two) = if weld { (b, a) } else { (a, b) };
    let pose = if weld { [data[6], data[7], data[8], data[9]] } else { IDENTITY };
    [end(objects[0], one, pose), end(objects[1], two, IDENTITY)]
}

fn friction(m: &Model, t: &mut Tables) {
    let on = made(m, DisableBit::FrictionLoss);
    let all: Vec<usize> = (0..m.nv).filter(|&i| on && m.dof_frictionloss[i] != 0.0).collect();
    t.constant("NF", all.len());
    t.indices("FRICTION_DOF", all.iter().copied());
    t.numbers("FRICTION_LOSS", all.iter().map(|&i| m.dof_frictionloss[i]));
    let parameters: Vec<f64> = all
        .iter()
        .flat_map(|&i| {
            let soft = softness(m, array(&m.dof_solref, i), array(&m.dof_solimp, i));
            soft.into_iter().chain([m.dof_invweight0[i]])
        })
        .collect();
    t.numbers("FRICTION_PRM", parameters);
}

/// Joints, then tendons (`true`) that have limits.
pub(crate) fn limited(m: &Model) -> Vec<(bool, usize)> {
    let on = made(m, DisableBit::Limit);
    let joint = |&j: &usize| on && m.jnt_limited[j] && m.jnt_type[j] != JointType::Free;
    let joints = (0..m.njnt).filter(joint).map(|j| (false, j));
    let tendons = (0..m.ntendon).filter(|&k| on && m.tendon_limited[k]).map(|k| (true, k));
    joints.chain(tendons).collect()
}

fn limits(m: &Model, t: &mut Tables) {
    const TENDON: usize = 4;
    t.constant("TENDON_LIMIT", TENDON);
    let (tendons, joints): (Vec<_>, Vec<_>) = limited(m).into_iter().partition(|l| l.0);
    let [tendons, joints] =
        [tendons, joints].map(|all| all.iter().map(|l| l.1).collect::<Vec<_>>());
    t.constant("NLIMIT", joints.len() + tendons.len());
    let both = |joint: &dyn Fn(usize) -> usize, tendon: &dyn Fn(usize) -> usize| {
        let joints = joints.iter().map(|&j| joint(j));
        joints.chain(tendons.iter().map(|&k| tendon(k))).collect::<Vec<_>>()
    };
    t.indices("LIMIT_KIND", both(&|j| m.jnt_type[j] as usize, &|_| TENDON));
    t.indices("LIMIT_QPOS", both(&|j| m.jnt_qposadr[j] as usize, &|k| k));
    t.indices("LIMIT_DOF", both(&|j| m.jnt_dofadr[j] as usize, &|k| k));
    let range = |j: usize| {
        let [low, high] = array::<2>(&m.jnt_range, j);
        // a ball has one limit, the larger of the two
        if m.jnt_type[j] == JointType::Ball { [0.0, low.max(high)] } else { [low, high] }
    };
    for (side, name) in ["LIMIT_LOW", "LIMIT_HIGH"].into_iter().enumerate() {
        let joints = joints.iter().map(|&j| range(j)[side]);
        let tendons = tendons.iter().map(|&k| m.tendon_range[2 * k + side]);
        t.numbers(name, joints.chain(tendons).collect::<Vec<_>>());
    }
    let margins = joints.iter().map(|&j| m.jnt_margin[j]);
    let margins: Vec<f64> = margins.chain(tendons.iter().map(|&k| m.tendon_margin[k])).collect();
    t.numbers("LIMIT_MARGIN", margins);
    let mut parameters = Vec::new();
    for &j in &joints {
        parameters.extend(softness(m, array(&m.jnt_solref, j), array(&m.jnt_solimp, j)));
        parameters.push(m.dof_invweight0[m.jnt_dofadr[j] as usize]);
    }
    for &k in &tendons {
        let (solref, solimp) = (array(&m.tendon_solref_lim, k), array(&m.tendon_solimp_lim, k));
        parameters.extend(softness(m, solref, solimp));
        parameters.push(m.tendon_invweight0[k]);
    }
    t.numbers("LIMIT_PRM", parameters);
}
