//! Tables of constraints (mj_makeConstraint): equalities, friction loss, limits, and their solver parameters.

use super::array;
use super::tree_groups::TreeGroups;
use crate::layout::ModelTables;
use sim_core::Model;
use sim_core::impedance::{Reference, SolParams};
use sim_core::math::pose::Pose;
use sim_types::{DisableBit, EqType, JointType, ObjType};

/// Rows that constraints other than contacts may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ConstraintSizes {
    /// Rows of equality constraints.
    pub ne: usize,
    /// Equality constraints between bodies: connect and weld.
    pub body_equalities: usize,
    /// Rows of friction loss.
    pub nf: usize,
    /// Joints and tendons with limits.
    pub limits: usize,
}

impl ConstraintSizes {
    pub(crate) fn new(m: &Model, groups: &TreeGroups, t: &mut ModelTables) -> Self {
        let (ne, body_equalities) = equality(m, groups, t);
        let nf = friction(m, ne, t);
        let limits = limits(m, t);
        Self { ne, body_equalities, nf, limits }
    }
}

/// Whether a kind of constraint is enabled.
fn enabled(m: &Model, bit: DisableBit) -> bool {
    !m.opt.disabled(DisableBit::Constraint) && !m.opt.disabled(bit)
}

/// Solver parameters of a constraint in the layout that kernels read: stiffness K (1/s²) and damping B (1/s) of the
/// reference acceleration, and `solimp`: dmin, dmax, width, midpoint, power.
pub(crate) fn sol_params(params: &SolParams) -> [f64; 7] {
    let Reference { stiffness, damping } = params.reference(params.solref);
    let [dmin, dmax, width, midpoint, power] = params.solimp;
    [stiffness, damping, dmin, dmax, width, midpoint, power]
}

/// Equality constraints that have rows.
pub(crate) fn active_equalities(m: &Model) -> Vec<usize> {
    let on = enabled(m, DisableBit::Equality);
    (0..m.neq).filter(|&e| on && m.eq_active0[e]).collect()
}

/// Active equality constraints. Returns their rows, and how many act between bodies.
fn equality(m: &Model, groups: &TreeGroups, t: &mut ModelTables) -> (usize, usize) {
    let all = active_equalities(m);
    let count = |e: usize| match m.eq_type[e] {
        EqType::Connect => 3,
        EqType::Weld => 6,
        _ => 1,
    };
    t.size("NEQ", all.len());
    let ne = all.iter().map(|&e| count(e)).sum();
    t.size("NE", ne);
    let body_equalities = all.iter().filter(|&&e| count(e) > 1).count();
    t.size("EQ_CONNECT", 0);
    t.size("EQ_WELD", 1);
    t.size("EQ_SCALAR", 2);
    let kind = |e: usize| match m.eq_type[e] {
        EqType::Connect => 0,
        EqType::Weld => 1,
        _ => 2,
    };
    t.indices("EQ_TYPE", all.iter().map(|&e| kind(e)));
    let mut row = 0;
    let rows: Vec<usize> = all
        .iter()
        .map(|&e| {
            row += count(e);
            row - count(e)
        })
        .collect();
    t.indices("EQ_ROW", rows);
    let ends: Vec<[BodyFrame; 2]> = all.iter().map(|&e| ends(m, e)).collect();
    t.indices("EQ_BODY1", ends.iter().map(|e| e[0].0));
    t.indices("EQ_BODY2", ends.iter().map(|e| e[1].0));
    let group = |e: usize| groups.of_equality(m, e).into_iter().flatten().next().unwrap_or(0);
    t.indices("EQ_GROUP", all.iter().map(|&e| group(e)));
    t.vec4s("EQ_POS1", ends.iter().map(|e| e[0].1.pos));
    t.vec4s("EQ_POS2", ends.iter().map(|e| e[1].1.pos));
    t.vec4s("EQ_QUAT1", ends.iter().map(|e| e[0].1.quat));
    t.vec4s("EQ_QUAT2", ends.iter().map(|e| e[1].1.quat));
    t.scalars("EQ_TORQUESCALE", all.iter().map(|&e| m.eq_data[11 * e + 10]));
    t.indices("EQ_OBJ1", all.iter().map(|&e| m.eq_obj1id[e] as usize));
    let two = |e: usize| usize::try_from(m.eq_obj2id[e]).unwrap_or(usize::MAX);
    t.indices("EQ_OBJ2", all.iter().map(|&e| two(e)));
    t.components(
        "EQ_POLYCOEF",
        all.iter().map(|&e| -> [f64; 5] { std::array::from_fn(|k| m.eq_data[11 * e + k]) }),
    );
    let ref0 = |e: usize, id: usize| match m.eq_type[e] {
        EqType::Joint if id < m.njnt => m.qpos0[m.jnt_qposadr[id] as usize],
        EqType::Tendon if id < m.ntendon => m.tendon_length0[id],
        _ => 0.0,
    };
    t.components(
        "EQ_REF0",
        all.iter().map(|&e| [ref0(e, m.eq_obj1id[e] as usize), ref0(e, two(e))]),
    );
    let parameters = all.iter().zip(&ends).map(|(&e, ends)| {
        let params = SolParams::new(&m.opt, array(&m.eq_solref, e), array(&m.eq_solimp, e));
        let [k, b, dmin, dmax, width, midpoint, power] = sol_params(&params);
        let invweight = |id: usize| match m.eq_type[e] {
            EqType::Joint if id < m.njnt => m.dof_invweight0[m.jnt_dofadr[id] as usize],
            EqType::Tendon if id < m.ntendon => m.tendon_invweight0[id],
            _ => 0.0,
        };
        let diag_approx = match kind(e) {
            2 => [invweight(m.eq_obj1id[e] as usize) + invweight(two(e)), 0.0],
            _ => [0, 1].map(|k| ends.iter().map(|end| m.body_invweight0[2 * end.0 + k]).sum()),
        };
        [k, b, dmin, dmax, width, midpoint, power, diag_approx[0], diag_approx[1]]
    });
    let parameters: Vec<[f64; 9]> = parameters.collect();
    t.vec4s("EQ_SOLPARAMS", parameters);
    (ne, body_equalities)
}

/// A body and a frame fixed to it.
pub(crate) type BodyFrame = (usize, Pose);

/// Both anchors of an equality constraint; joint (0) and tendon (1) equalities have their type in place of a body.
fn ends(m: &Model, e: usize) -> [BodyFrame; 2] {
    let objects = [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| id.max(0) as usize);
    let data = &m.eq_data[11 * e..11 * e + 11];
    if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld) {
        let tendon = usize::from(m.eq_type[e] == EqType::Tendon);
        return [(tendon, Pose::IDENTITY); 2];
    }
    if m.eq_objtype[e] != ObjType::Body {
        // orientations are those of the file, also where the frame coincides with the body frame
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

/// Friction loss of dofs, then of tendons, in the rows from `ne` on. Returns the number of rows.
fn friction(m: &Model, ne: usize, t: &mut ModelTables) -> usize {
    let on = enabled(m, DisableBit::FrictionLoss);
    let dofs: Vec<usize> = (0..m.nv).filter(|&i| on && m.dof_frictionloss[i] != 0.0).collect();
    let has_loss = |k: &usize| on && m.tendon_frictionloss[*k] > 0.0 && moves(m, *k);
    let tendons: Vec<usize> = (0..m.ntendon).filter(has_loss).collect();
    t.size("NF", dofs.len() + tendons.len());
    t.size("NF_DOF", dofs.len());
    t.indices("FRICTION_DOF", dofs.iter().chain(&tendons).copied());
    let row = |i: usize| dofs.iter().position(|&dof| dof == i).map_or(usize::MAX, |k| ne + k);
    t.indices("DOF_FRICTION_ROW", (0..m.nv).map(row));
    let losses = dofs.iter().map(|&i| m.dof_frictionloss[i]);
    t.scalars("FRICTIONLOSS", losses.chain(tendons.iter().map(|&k| m.tendon_frictionloss[k])));
    let mut parameters = Vec::new();
    for &i in &dofs {
        parameters.extend(sol_params(&SolParams::new(
            &m.opt,
            array(&m.dof_solref, i),
            array(&m.dof_solimp, i),
        )));
        parameters.push(m.dof_invweight0[i]);
    }
    for &k in &tendons {
        let (solref, solimp) = (array(&m.tendon_solref_fri, k), array(&m.tendon_solimp_fri, k));
        parameters.extend(sol_params(&SolParams::new(&m.opt, solref, solimp)));
        parameters.push(m.tendon_invweight0[k]);
    }
    t.vec4s("FRICTION_SOLPARAMS", parameters.as_chunks::<8>().0.iter().copied());
    dofs.len() + tendons.len()
}

/// Whether the length of a tendon depends on a dof; the others have no constraint rows.
fn moves(m: &Model, tendon: usize) -> bool {
    m.ten_J_rownnz[tendon] > 0
}

/// Joints (`false`), then tendons (`true`) that have limits.
pub(crate) fn limited(m: &Model) -> Vec<(bool, usize)> {
    let on = enabled(m, DisableBit::Limit);
    let joint = |&j: &usize| on && m.jnt_limited[j] && m.jnt_type[j] != JointType::Free;
    let joints = (0..m.njnt).filter(joint).map(|j| (false, j));
    let tendon = |&k: &usize| on && m.tendon_limited[k] && moves(m, k);
    let tendons = (0..m.ntendon).filter(tendon).map(|k| (true, k));
    joints.chain(tendons).collect()
}

/// Limits of joints, then of tendons. Returns their number.
fn limits(m: &Model, t: &mut ModelTables) -> usize {
    const TENDON: usize = 4;
    t.size("TENDON_LIMIT", TENDON);
    let (tendons, joints): (Vec<_>, Vec<_>) = limited(m).into_iter().partition(|l| l.0);
    let [tendons, joints] =
        [tendons, joints].map(|all| all.iter().map(|l| l.1).collect::<Vec<_>>());
    t.size("NLIMIT", joints.len() + tendons.len());
    let both = |joint: &dyn Fn(usize) -> usize, tendon: &dyn Fn(usize) -> usize| {
        let joints = joints.iter().map(|&j| joint(j));
        joints.chain(tendons.iter().map(|&k| tendon(k))).collect::<Vec<_>>()
    };
    t.indices("LIMIT_TYPE", both(&|j| m.jnt_type[j] as usize, &|_| TENDON));
    t.indices("LIMIT_QPOSADR", both(&|j| m.jnt_qposadr[j] as usize, &|k| k));
    t.indices("LIMIT_DOF", both(&|j| m.jnt_dofadr[j] as usize, &|k| k));
    let range = |j: usize| {
        let [low, high] = array::<2>(&m.jnt_range, j);
        // a ball joint has one limit, the larger of the two
        if m.jnt_type[j] == JointType::Ball { [0.0, low.max(high)] } else { [low, high] }
    };
    let with = |[low, high]: [f64; 2], margin: f64| [low, high, margin];
    let of_joints = joints.iter().map(|&j| with(range(j), m.jnt_margin[j]));
    let of_tendons = tendons.iter().map(|&k| with(array(&m.tendon_range, k), m.tendon_margin[k]));
    t.vec4s("LIMIT_RANGE", of_joints.chain(of_tendons).collect::<Vec<_>>());
    let mut parameters = Vec::new();
    for &j in &joints {
        parameters.extend(sol_params(&SolParams::new(
            &m.opt,
            array(&m.jnt_solref, j),
            array(&m.jnt_solimp, j),
        )));
        parameters.push(m.dof_invweight0[m.jnt_dofadr[j] as usize]);
    }
    for &k in &tendons {
        let (solref, solimp) = (array(&m.tendon_solref_lim, k), array(&m.tendon_solimp_lim, k));
        parameters.extend(sol_params(&SolParams::new(&m.opt, solref, solimp)));
        parameters.push(m.tendon_invweight0[k]);
    }
    t.vec4s("LIMIT_SOLPARAMS", parameters.as_chunks::<8>().0.iter().copied());
    joints.len() + tendons.len()
}
