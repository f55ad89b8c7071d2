//! ModelTables of bodies, joints and dofs (mj_kinematics, mj_comPos, mj_crb, mj_rne, mj_passive).

use super::actuation::{dof_terms, tendon_armature, tendon_armature_entries};
use super::{FAR, array};
use crate::layout::ModelTables;
use sim_core::Model;
use sim_types::{DisableBit, EnableBit, Integrator, JointType, MINVAL};

/// Appends a fourth component.
fn append([x, y, z]: [f64; 3], w: f64) -> [f64; 4] {
    [x, y, z, w]
}

/// Sizes and global options.
pub(crate) fn sizes(m: &Model, t: &mut ModelTables) {
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
        t.size(name, value);
    }
    let gravity = if m.opt.disabled(DisableBit::Gravity) { [0.0; 3] } else { m.opt.gravity };
    t.scalars("GRAVITY", gravity);
    t.scalars("TIMESTEP", [m.opt.timestep]);
    t.scalars("IMPRATIO", [m.opt.impratio.max(MINVAL)]);
    let inertia = m.stat.meaninertia.max(MINVAL);
    t.scalars("SOLVER_SCALE", [1.0 / (inertia * m.nv.max(1) as f64)]);
}

/// Tables of bodies.
pub(crate) fn bodies(m: &Model, t: &mut ModelTables) {
    let n = m.nbody;
    t.vec4s("BODY_POS", (0..n).map(|b| array::<3>(&m.body_pos, b)));
    t.vec4s("BODY_QUAT", (0..n).map(|b| array::<4>(&m.body_quat, b)));
    t.vec4s("BODY_IPOS", (0..n).map(|b| append(m.inertial_frame(b).pos, m.body_mass[b])));
    t.vec4s("BODY_IQUAT", (0..n).map(|b| m.inertial_frame(b).quat));
    let inertia = |b: usize| append(array(&m.body_inertia, b), m.body_gravcomp[b]);
    t.vec4s("BODY_INERTIA", (0..n).map(inertia));
    // springs and dampers both disabled: no passive forces at all, gravity compensation included
    let compensates = m.ngravcomp > 0
        && !(m.opt.disabled(DisableBit::Spring) && m.opt.disabled(DisableBit::Damper));
    t.flag("GRAVCOMP", compensates);
    t.indices("BODY_PARENT", m.body_parentid.iter().map(|&p| p as usize));
    let tree = |b: usize| usize::try_from(m.body_treeid[b]).unwrap_or(usize::MAX);
    t.indices("BODY_TREE", (0..n).map(tree));
    let root =
        |b: usize| b > 0 && tree(b) != usize::MAX && tree(b) != tree(m.body_parentid[b] as usize);
    t.indices("BODY_ROOT", (0..n).map(|b| usize::from(root(b))));
    // (body, parent) pairs within a tree, leaves first, and a sentinel
    let inner = (1..n).rev().filter(|&b| tree(b) != usize::MAX && !root(b));
    let pairs = inner.flat_map(|b| [b, m.body_parentid[b] as usize]);
    t.indices("SUBTREE_PAIRS", pairs.chain([usize::MAX]));
    let joints = |b: usize| m.body_jntadr[b].max(0) as usize | (m.body_jntnum[b] as usize) << 16;
    t.indices("BODY_JNT_PACKED", (0..n).map(joints));
    let mocap = |b: usize| usize::try_from(m.body_mocapid[b]).unwrap_or(usize::MAX);
    t.size("NMOCAP", m.nmocap);
    t.indices("BODY_MOCAP", (0..n).map(mocap));
    // ancestors at distance 1, 2, 4, …; none beyond the world (pointer jumping)
    let mut ancestor: Vec<usize> = m.body_parentid.iter().map(|&p| p as usize).collect();
    let mut ancestors = Vec::new();
    while ancestor.iter().any(|&up| up > 0) {
        ancestors.extend(ancestor.iter().map(|&up| if up > 0 { up } else { usize::MAX }));
        ancestor = ancestor.iter().map(|&up| ancestor[up]).collect();
    }
    t.size("NANCESTOR", ancestors.len() / n);
    t.indices("ANCESTOR", ancestors);
    // last dof on the path from the root to each body
    let mut last = vec![usize::MAX; n];
    for b in 1..n {
        let (first, count) = (m.body_dofadr[b], m.body_dofnum[b]);
        let own = (count > 0).then_some((first + count - 1) as usize);
        last[b] = own.unwrap_or(last[m.body_parentid[b] as usize]);
    }
    t.indices("BODY_LAST_DOF", last);
    t.size("DOF_MASK_WORDS", m.nv.div_ceil(32));
    t.indices("BODY_DOF_MASK", (0..n).flat_map(|b| dof_mask(m, b)));
}

/// Bit mask of the dofs that move a body, in words of 32 bits.
pub(super) fn dof_mask(m: &Model, body: usize) -> Vec<usize> {
    let mut bits = vec![0; m.nv.div_ceil(32)];
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

/// Tables of joints.
pub(crate) fn joints(m: &Model, t: &mut ModelTables) {
    let n = m.njnt;
    t.vec4s("JNT_POS", (0..n).map(|j| array::<3>(&m.jnt_pos, j)));
    let zero = |j: usize| m.qpos0[m.jnt_qposadr[j] as usize];
    t.vec4s("JNT_AXIS", (0..n).map(|j| append(array(&m.jnt_axis, j), zero(j))));
    let stiff = if m.opt.disabled(DisableBit::Spring) { 0.0 } else { 1.0 };
    t.scalars("JNT_STIFFNESS", m.jnt_stiffness.iter().map(|k| k * stiff));
    t.components(
        "JNT_STIFFNESSPOLY",
        (0..n).map(|j| array::<2>(&m.jnt_stiffnesspoly, j).map(|k| k * stiff)),
    );
    let poly = stiff != 0.0 && m.jnt_stiffnesspoly.iter().any(|&k| k != 0.0);
    t.flag("SPRING_POLY", poly);
    let single = |j: usize| usize::from(is_single_free_body(m, j));
    t.flag("SINGLE_FREE_BODY", has_single_free_bodies(m));
    t.indices("JNT_SINGLE_BODY", (0..n).map(single));
    t.scalars("QPOS_SPRING", m.qpos_spring.iter().copied());
    let joint = |j: usize| {
        let (qpos, dof) = (m.jnt_qposadr[j] as usize, m.jnt_dofadr[j] as usize);
        m.jnt_type[j] as usize | qpos << 2 | dof << 17
    };
    t.indices("JNT_PACKED", (0..n).map(joint));
    for (name, present, kind) in [
        ("FREE", "HAS_FREE", JointType::Free),
        ("BALL", "HAS_BALL", JointType::Ball),
        ("SLIDE", "HAS_SLIDE", JointType::Slide),
        ("HINGE", "HAS_HINGE", JointType::Hinge),
    ] {
        t.size(name, kind as usize);
        // the compiler removes the code of joint types that the model does not have
        t.flag(present, m.jnt_type.contains(&kind));
    }
}

/// Whether the integrator is implicit in velocity.
pub(crate) fn is_implicit(m: &Model) -> bool {
    matches!(m.opt.integrator, Integrator::Implicit | Integrator::ImplicitFast)
}

/// Whether the midpoint rule advances any tree.
pub(crate) fn has_single_free_bodies(m: &Model) -> bool {
    (0..m.njnt).any(|j| is_single_free_body(m, j))
}

/// Whether the tree of a free joint is a single body, which the implicit integrators advance by the midpoint rule.
fn is_single_free_body(m: &Model, j: usize) -> bool {
    let body = m.jnt_bodyid[j] as usize;
    is_implicit(m)
        && !m.opt.enabled(EnableBit::InvDiscrete)
        && m.jnt_type[j] == JointType::Free
        && m.tree_dofnum[m.dof_treeid[m.jnt_dofadr[j] as usize] as usize] == 6
        && m.body_subtreemass[body] == m.body_mass[body]
}

/// Tables of dofs.
pub(crate) fn dofs(m: &Model, t: &mut ModelTables) {
    let damper = !m.opt.disabled(DisableBit::Damper);
    let terms = dof_terms(m);
    let damping = |i: usize| if damper { terms.dof_damping[i] } else { [0.0; 3] };
    let armature = |i: usize| terms.dof_armature[i] + tendon_armature(m, &terms, i, i);
    t.scalars("DOF_ARMATURE", (0..m.nv).map(armature));
    tendon_armature_entries(m, &terms, t);
    // linear coefficient, then the two of dampingpoly
    t.components("DOF_DAMPING", (0..m.nv).map(damping));
    t.flag("DAMPER_POLY", (0..m.nv).any(|i| damping(i)[1..] != [0.0; 2]));
    let implicit = is_implicit(m);
    let euler = m.opt.integrator == Integrator::Euler && !m.opt.disabled(DisableBit::EulerDamp);
    t.flag("FORCE_DERIVATIVES", implicit);
    let damped = |i: usize| damping(i)[0] > 0.0 || damping(i)[1..] != [0.0; 2];
    t.flag("IMPLICIT_DAMPING", implicit || euler && (0..m.nv).any(damped));
    let range = |i: usize| {
        let j = m.dof_jntid[i] as usize;
        let scalar = matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide);
        let limited = scalar && m.jnt_actfrclimited[j];
        if limited { array::<2>(&m.jnt_actfrcrange, j) } else { [-FAR, FAR] }
    };
    t.scalars("DOF_ACTFRC_MIN", (0..m.nv).map(|i| range(i)[0]));
    t.scalars("DOF_ACTFRC_MAX", (0..m.nv).map(|i| range(i)[1]));
    let code = |v: &i32| usize::try_from(*v).unwrap_or(usize::MAX);
    t.indices("DOF_BODY", m.dof_bodyid.iter().map(code));
    t.indices("DOF_TREE", m.dof_treeid.iter().map(code));
    let starts = |i: usize| {
        let j = m.dof_jntid[i] as usize;
        let at = i - m.jnt_dofadr[j] as usize;
        at == 0 || m.jnt_type[j] == JointType::Free && at == 3
    };
    let up = |i: usize| code(&m.dof_parentid[i]).min(0xffff) | usize::from(starts(i)) << 16;
    t.indices("DOF_PARENT_PACKED", (0..m.nv).map(up));
    // gravity compensation through actuators has no effect without actuation
    t.flag("HAS_ACTGRAVCOMP", m.jnt_actgravcomp.contains(&true));
    t.flag("ACTUATION_ENABLED", m.nu > 0 && !m.opt.disabled(DisableBit::Actuation));
    let actgravcomp = |i: usize| m.jnt_actgravcomp[m.dof_jntid[i] as usize];
    t.indices("DOF_ACTGRAVCOMP", (0..m.nv).map(|i| usize::from(actgravcomp(i))));
}
