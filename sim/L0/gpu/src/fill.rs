//! A model as tables: what each stage of a kernel reads.

use crate::drives;
use crate::pairs;
use crate::sensors::{self, Needs};
use crate::table::Tables;
use crate::teams::Teams;
use sim_core::Model;
use sim_core::math::pose::Pose;
use sim_types::{DisableBit, EnableBit, EqType, Integrator, JointType, ObjType};

/// Largest number that a range without end has; far from where single precision ends.
pub(crate) const FAR: f64 = 1e30;

/// All tables of a model.
pub(crate) fn tables(m: &Model, one_lane: bool) -> Result<(Tables, Needs), crate::GpuBatchError> {
    let mut t = Tables::default();
    sizes(m, &mut t);
    bodies(m, &mut t);
    joints(m, &mut t);
    dofs(m, &mut t);
    let teams = Teams::new(m, one_lane);
    teams.fill(&mut t);
    let tendons = drives::tendons(m, &mut t);
    drives::actuators(m, &tendons, &mut t);
    equality(m, &teams, &mut t);
    friction(m, &mut t);
    limits(m, &mut t);
    pairs::fill(m, &teams, &mut t)?;
    let needs = sensors::fill(m, &mut t)?;
    t.align();
    Ok((t, needs))
}

pub(crate) fn array<const N: usize>(values: &[f64], i: usize) -> [f64; N] {
    std::array::from_fn(|k| values[N * i + k])
}

/// Three numbers and one more.
fn joined([x, y, z]: [f64; 3], w: f64) -> [f64; 4] {
    [x, y, z, w]
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
}

fn bodies(m: &Model, t: &mut Tables) {
    let n = m.nbody;
    t.fours("BODY_POS", (0..n).map(|b| array::<3>(&m.body_pos, b)));
    t.fours("BODY_QUAT", (0..n).map(|b| array::<4>(&m.body_quat, b)));
    t.fours("BODY_IPOS", (0..n).map(|b| joined(m.inertial_frame(b).pos, m.body_mass[b])));
    t.fours("BODY_IQUAT", (0..n).map(|b| m.inertial_frame(b).quat));
    let inertia = |b: usize| joined(array(&m.body_inertia, b), m.body_gravcomp[b]);
    t.fours("BODY_INERTIA", (0..n).map(inertia));
    // passive forces are all off when springs and dampers both are
    let compensates = m.ngravcomp > 0
        && !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper));
    t.flag("GRAVCOMP", compensates);
    t.indices("BODY_PARENT", m.body_parentid.iter().map(|&p| p as usize));
    let tree = |b: usize| usize::try_from(m.body_treeid[b]).unwrap_or(usize::MAX);
    t.indices("BODY_TREE", (0..n).map(tree));
    let root =
        |b: usize| b > 0 && tree(b) != usize::MAX && tree(b) != tree(m.body_parentid[b] as usize);
    t.indices("BODY_ROOT", (0..n).map(|b| usize::from(root(b))));
    // bodies and their parents in a tree, leaves first
    let inner = (1..n).rev().filter(|&b| tree(b) != usize::MAX && !root(b));
    let pairs = inner.flat_map(|b| [b, m.body_parentid[b] as usize]);
    t.indices("SUBTREE", pairs.chain([usize::MAX]));
    let joints = |b: usize| m.body_jntadr[b].max(0) as usize | (m.body_jntnum[b] as usize) << 16;
    t.indices("BODY_JOINTS", (0..n).map(joints));
    let mocap = |b: usize| usize::try_from(m.body_mocapid[b]).unwrap_or(usize::MAX);
    t.constant("NMOCAP", m.nmocap);
    t.indices("BODY_MOCAP", (0..n).map(mocap));
    // the parent of each body, then the parent's parent, then twice as far up each time; none at the world
    let mut jump: Vec<usize> = m.body_parentid.iter().map(|&p| p as usize).collect();
    let mut jumps = Vec::new();
    while jump.iter().any(|&up| up > 0) {
        jumps.extend(jump.iter().map(|&up| if up > 0 { up } else { usize::MAX }));
        jump = jump.iter().map(|&up| jump[up]).collect();
    }
    t.constant("NJUMP", jumps.len() / n);
    t.indices("JUMP", jumps);
    // the dof nearest to a body of those that move it
    let mut last = vec![usize::MAX; n];
    for b in 1..n {
        let (first, count) = (m.body_dofadr[b], m.body_dofnum[b]);
        let own = (count > 0).then_some((first + count - 1) as usize);
        last[b] = own.unwrap_or(last[m.body_parentid[b] as usize]);
    }
    t.indices("BODY_LAST", last);
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
    t.fours("JNT_POS", (0..n).map(|j| array::<3>(&m.jnt_pos, j)));
    let zero = |j: usize| m.qpos0[m.jnt_qposadr[j] as usize];
    t.fours("JNT_AXIS", (0..n).map(|j| joined(array(&m.jnt_axis, j), zero(j))));
    let stiff = if m.opt.disabled(DisableBit::Spring) { 0.0 } else { 1.0 };
    t.numbers("JNT_STIFFNESS", m.jnt_stiffness.iter().map(|k| k * stiff));
    t.vectors("JNT_POLY", (0..n).map(|j| array::<2>(&m.jnt_stiffnesspoly, j).map(|k| k * stiff)));
    let poly = stiff != 0.0 && m.jnt_stiffnesspoly.iter().any(|&k| k != 0.0);
    t.flag("SPRING_POLY", poly);
    let lone = |j: usize| usize::from(moves_alone(m, j));
    t.flag("LONE", (0..n).any(|j| moves_alone(m, j)));
    t.indices("JNT_LONE", (0..n).map(lone));
    t.numbers("QPOS_SPRING", m.qpos_spring.iter().copied());
    let joint = |j: usize| {
        let (qpos, dof) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
        m.jnt_type[j] as usize | qpos << 2 | dof << 17
    };
    t.indices("JOINT", (0..n).map(joint));
    for (name, kind) in [
        ("FREE", JointType::Free),
        ("BALL", JointType::Ball),
        ("SLIDE", JointType::Slide),
        ("HINGE", JointType::Hinge),
    ] {
        t.constant(name, kind as usize);
        // what a model does not have is not in its text
        t.flag(&format!("HAS_{name}"), m.jnt_type.contains(&kind));
    }
}

/// Whether a free joint's tree is one body, which moves by a rule of its own under implicit integration.
fn moves_alone(m: &Model, j: usize) -> bool {
    let body = m.jnt_bodyid[j] as usize;
    m.opt.integrator == Integrator::ImplicitFast
        && !m.opt.enabled(EnableBit::InvDiscrete)
        && m.jnt_type[j] == JointType::Free
        && m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[j] as usize] as usize] == 6
        && m.body_subtreemass[body] == m.body_mass[body]
}

fn dofs(m: &Model, t: &mut Tables) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    let lent = drives::with_lent(m);
    let damping = |i: usize| if damper { lent.dof_damping[i] } else { [0.0; 3] };
    let armature = |i: usize| lent.dof_armature[i] + drives::tendon_armature(m, &lent, i, i);
    t.numbers("DOF_ARMATURE", (0..m.nv).map(armature));
    drives::tied(m, &lent, t);
    // the linear coefficient, and two of higher order
    t.vectors("DOF_DAMPING", (0..m.nv).map(damping));
    t.flag("DAMPER_POLY", (0..m.nv).any(|i| damping(i)[1..] != [0.0; 2]));
    let implicit = m.opt.integrator == Integrator::ImplicitFast;
    let own = !m.opt.disabled(DisableBit::EulerDamp);
    t.flag("IMPLICIT", implicit);
    let damped = |i: usize| damping(i)[0] > 0.0 || damping(i)[1..] != [0.0; 2];
    t.flag("DAMPED", implicit || own && (0..m.nv).any(damped));
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
    t.indices("DOF_TREE", m.dof_treeid.iter().map(code));
    let opens = |i: usize| {
        let j = m.dof_jntid[i] as usize;
        let at = i - m.jnt_dofadr[j] as usize;
        at == 0 || m.jnt_type[j] == JointType::Free && at == 3
    };
    let up = |i: usize| code(&m.dof_parentid[i]).min(0xffff) | usize::from(opens(i)) << 16;
    t.indices("DOF_UP", (0..m.nv).map(up));
    // gravity compensation that actuators bear, which is lost where there are none
    t.flag("BEARS", m.jnt_actgravcomp.contains(&true));
    t.flag("BORNE", m.nu > 0 && !m.opt.disabled(DisableBit::Actuation));
    let borne = |i: usize| m.jnt_actgravcomp[m.dof_jntid[i] as usize];
    t.indices("DOF_BORNE", (0..m.nv).map(|i| usize::from(borne(i))));
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

fn equality(m: &Model, teams: &Teams, t: &mut Tables) {
    let on = made(m, DisableBit::Equality);
    let all: Vec<usize> = (0..m.neq).filter(|&e| on && m.eq_active0[e]).collect();
    let count = |e: usize| match m.eq_type[e] {
        EqType::Connect => 3,
        EqType::Weld => 6,
        _ => 1,
    };
    t.constant("NEQ", all.len());
    t.constant("NE", all.iter().map(|&e| count(e)).sum());
    // those that hold bodies
    t.constant("NHOLD", all.iter().filter(|&&e| count(e) > 1).count());
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
    let ends: Vec<[Placed; 2]> = all.iter().map(|&e| ends(m, e)).collect();
    t.indices("EQ_BODY1", ends.iter().map(|e| e[0].0));
    t.indices("EQ_BODY2", ends.iter().map(|e| e[1].0));
    let team = |e: usize| teams.of_equality(m, e).into_iter().flatten().next().unwrap_or(0);
    t.indices("EQ_TEAM", all.iter().map(|&e| team(e)));
    t.fours("EQ_POS1", ends.iter().map(|e| e[0].1.pos));
    t.fours("EQ_POS2", ends.iter().map(|e| e[1].1.pos));
    t.fours("EQ_QUAT1", ends.iter().map(|e| e[0].1.quat));
    t.fours("EQ_QUAT2", ends.iter().map(|e| e[1].1.quat));
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
    let parameters = all.iter().zip(&ends).map(|(&e, ends)| {
        let [a, b, c, d, w, x, y] = softness(m, array(&m.eq_solref, e), array(&m.eq_solimp, e));
        let weight = |id: usize| match m.eq_type[e] {
            EqType::Joint if id < m.njnt => m.dof_invweight0[m.jnt_dofadr[id] as usize],
            EqType::Tendon if id < m.ntendon => m.tendon_invweight0[id],
            _ => 0.0,
        };
        let weights = match kind(e) {
            2 => [weight(m.eq_obj1id[e] as usize) + weight(two(e)), 0.0],
            _ => [0, 1].map(|k| ends.iter().map(|end| m.body_invweight0[2 * end.0 + k]).sum()),
        };
        [a, b, c, d, w, x, y, weights[0], weights[1]]
    });
    let parameters: Vec<[f64; 9]> = parameters.collect();
    t.fours("EQ_PRM", parameters);
}

/// A body and a frame on it.
pub(crate) type Placed = (usize, Pose);

/// Both sides of a constraint between bodies; couplings have tendons (1) or joints (0) in place of a body.
fn ends(m: &Model, e: usize) -> [Placed; 2] {
    let objects = [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| id.max(0) as usize);
    let data = &m.eq_data[11 * e..11 * e + 11];
    if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld) {
        let tendon = usize::from(m.eq_type[e] == EqType::Tendon);
        return [(tendon, Pose::IDENTITY); 2];
    }
    if m.eq_objtype[e] != ObjType::Body {
        // quaternions are those of the file, also where frames coincide
        return objects.map(|site| {
            let pose = Pose { quat: array(&m.site_quat, site), ..m.site_frame(site) };
            (m.site_bodyid[site] as usize, pose)
        });
    }
    let (a, b) = ([data[0], data[1], data[2]], [data[3], data[4], data[5]]);
    // a weld stores the anchor of the second body first
    let weld = m.eq_type[e] == EqType::Weld;
    let (one, two) = if weld { (b, a) } else { (a, b) };
    let mut pose = Pose { pos: one, ..Pose::IDENTITY };
    if weld {
        pose.quat = [data[6], data[7], data[8], data[9]];
    }
    [(objects[0], pose), (objects[1], Pose { pos: two, ..Pose::IDENTITY })]
}

fn friction(m: &Model, t: &mut Tables) {
    let on = made(m, DisableBit::FrictionLoss);
    let dofs: Vec<usize> = (0..m.nv).filter(|&i| on && m.dof_frictionloss[i] != 0.0).collect();
    let rubs = |k: &usize| on && m.tendon_frictionloss[*k] > 0.0;
    let tendons: Vec<usize> = (0..m.ntendon).filter(rubs).collect();
    t.constant("NF", dofs.len() + tendons.len());
    t.constant("NF_DOF", dofs.len());
    t.indices("FRICTION_DOF", dofs.iter().chain(&tendons).copied());
    let losses = dofs.iter().map(|&i| m.dof_frictionloss[i]);
    t.numbers("FRICTION_LOSS", losses.chain(tendons.iter().map(|&k| m.tendon_frictionloss[k])));
    let mut parameters = Vec::new();
    for &i in &dofs {
        parameters.extend(softness(m, array(&m.dof_solref, i), array(&m.dof_solimp, i)));
        parameters.push(m.dof_invweight0[i]);
    }
    for &k in &tendons {
        let (solref, solimp) = (array(&m.tendon_solref_fri, k), array(&m.tendon_solimp_fri, k));
        parameters.extend(softness(m, solref, solimp));
        parameters.push(m.tendon_invweight0[k]);
    }
    t.fours("FRICTION_PRM", parameters.as_chunks::<8>().0.iter().copied());
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
    let with = |[low, high]: [f64; 2], margin: f64| [low, high, margin];
    let of_joints = joints.iter().map(|&j| with(range(j), m.jnt_margin[j]));
    let of_tendons = tendons.iter().map(|&k| with(array(&m.tendon_range, k), m.tendon_margin[k]));
    t.fours("LIMIT_RANGE", of_joints.chain(of_tendons).collect::<Vec<_>>());
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
    t.fours("LIMIT_PRM", parameters.as_chunks::<8>().0.iter().copied());
}
