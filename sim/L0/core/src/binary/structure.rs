//! Structural validation of a loaded model: consistency between arrays, such as element numbering along the
//! kinematic tree, sparsity patterns, tendon paths and sensor dimensions.
//!
//! The pipeline relies on these invariants without checking them.

use crate::Model;
use crate::set_const::tendon_columns;
use sim_types::{DynType, EqType, JointType, ObjType, SensorType, TransmissionType, WrapType};

/// Checks the structure of a model whose references are in range; returns the name of an invalid array.
pub(super) fn check(m: &Model) -> Result<(), String> {
    tree(m)?;
    inertia(m)?;
    tendons(m)?;
    actuators(m)?;
    for i in 0..m.nsensor {
        sensor(m, i)?;
    }
    for i in 0..m.neq {
        equality(m, i)?;
    }
    Ok(())
}

/// Returns the array name as an error unless the condition holds.
fn expect(holds: bool, name: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(name.to_owned()) }
}

/// Conversion of a value that was checked to be non-negative.
fn index(i: i32) -> usize {
    usize::try_from(i).unwrap_or(0)
}

/// Checks that joints, dofs, coordinates and geoms are numbered in the order of their bodies.
fn tree(m: &Model) -> Result<(), String> {
    let (mut jnt, mut dof, mut qpos, mut geom, mut trees) = (0, 0, 0, 0, 0);
    // last dof in the chain of each body
    let mut last = vec![-1; m.nbody];
    expect(m.nbody > 0, "nbody")?;
    let start = |count: i32, next: i32| if count > 0 { next } else { -1 };
    for b in 0..m.nbody {
        let parent = index(m.body_parentid[b]);
        let root = if parent == 0 { b as i32 } else { m.body_rootid[parent] };
        expect(m.body_rootid[b] == root, "body_rootid")?;
        let fixed = m.body_jntnum[b] == 0 && b > 0;
        let weld = if fixed { m.body_weldid[parent] } else { b as i32 };
        expect(m.body_weldid[b] == weld, "body_weldid")?;
        expect(m.body_jntadr[b] == start(m.body_jntnum[b], jnt), "body_jntadr")?;
        expect(m.body_dofadr[b] == start(m.body_dofnum[b], dof), "body_dofadr")?;
        expect(m.body_geomadr[b] == start(m.body_geomnum[b], geom), "body_geomadr")?;
        let before = dof;
        let mut above = if b == 0 { -1 } else { last[parent] };
        for _ in 0..m.body_jntnum[b] {
            let j = index(jnt);
            let (nq, nv) = (m.jnt_type[j].nq() as i32, m.jnt_type[j].nv() as i32);
            expect(m.jnt_bodyid[j] == b as i32, "jnt_bodyid")?;
            expect(m.jnt_qposadr[j] == qpos, "jnt_qposadr")?;
            expect(m.jnt_dofadr[j] == dof, "jnt_dofadr")?;
            for d in index(dof)..index(dof + nv) {
                expect(m.dof_bodyid[d] == b as i32, "dof_bodyid")?;
                expect(m.dof_jntid[d] == jnt, "dof_jntid")?;
                expect(m.dof_parentid[d] == above, "dof_parentid")?;
                trees += i32::from(above < 0);
                let same = above < 0 || m.dof_treeid[d] == m.dof_treeid[index(above)];
                expect(same && m.dof_treeid[d] < trees, "dof_treeid")?;
                above = d as i32;
            }
            (jnt, dof, qpos) = (jnt + 1, dof + nv, qpos + nq);
        }
        last[b] = above;
        expect(m.body_dofnum[b] == dof - before, "body_dofnum")?;
        for _ in 0..m.body_geomnum[b] {
            expect(m.geom_bodyid[index(geom)] == b as i32, "geom_bodyid")?;
            geom += 1;
        }
    }
    let counts = [(jnt, m.njnt), (dof, m.nv), (qpos, m.nq), (geom, m.ngeom), (trees, m.ntree)];
    expect(counts.iter().all(|&(found, n)| index(found) == n), "sizes")?;
    tree_ranges(m)
}

/// Checks that the dofs are partitioned into consecutive, non-empty ranges of trees.
fn tree_ranges(m: &Model) -> Result<(), String> {
    let mut next = 0;
    for t in 0..m.ntree {
        let (start, count) = (m.tree_dofadr[t], m.tree_dofnum[t]);
        expect(start == next && count > 0, "tree_dofadr")?;
        let dofs = index(start)..index(start + count);
        expect(m.dof_treeid[dofs].iter().all(|&tree| index(tree) == t), "dof_treeid")?;
        next += count;
    }
    expect(index(next) == m.nv, "tree_dofnum")?;
    for b in 0..m.nbody {
        let weld = index(m.body_weldid[b]);
        let moving = m.body_dofnum[weld] > 0;
        let tree = if moving { m.dof_treeid[index(m.body_dofadr[weld])] } else { -1 };
        expect(m.body_treeid[b] == tree, "body_treeid")?;
    }
    Ok(())
}

/// Checks the pattern of `M`: a row stores the dof and all its ancestors, or only the diagonal; in the latter
/// case the same holds for all its descendants.
fn inertia(m: &Model) -> Result<(), String> {
    let (mut adr, mut full) = (0, 0);
    let mut depth = vec![0; m.nv];
    let mut diagonal = vec![false; m.nv];
    for i in 0..m.nv {
        let parent = usize::try_from(m.dof_parentid[i]).ok();
        depth[i] = parent.map_or(1, |p| depth[p] + 1);
        diagonal[i] = m.M_rownnz[i] == 1 && depth[i] > 1;
        expect(diagonal[i] || !parent.is_some_and(|p| diagonal[p]), "M_rownnz")?;
        expect(m.M_rownnz[i] == depth[i] || diagonal[i], "M_rownnz")?;
        expect(m.M_rowadr[i] == adr && m.dof_Madr[i] == full, "M_rowadr")?;
        adr += m.M_rownnz[i];
        full += depth[i];
        expect(index(adr) <= m.nC, "M_rowadr")?;
        let mut column = i as i32;
        for k in (index(m.M_rowadr[i])..index(adr)).rev() {
            expect(m.M_colind[k] == column, "M_colind")?;
            column = if column < 0 { -1 } else { m.dof_parentid[index(column)] };
        }
    }
    expect(index(adr) == m.nC && index(full) == m.nM, "nC")
}

/// Checks that paths go from site to site, and that the columns of `ten_J` are the dofs that move them.
fn tendons(m: &Model) -> Result<(), String> {
    use WrapType::{Cylinder, Joint, None, Pulley, Site, Sphere};
    let mut visited = vec![usize::MAX; m.nbody];
    let (mut columns, mut adr, mut wraps) = (Vec::new(), 0, 0);
    for i in 0..m.ntendon {
        let start = index(m.tendon_adr[i]);
        let path = start..start + index(m.tendon_num[i]);
        expect(start == wraps && !path.is_empty(), "tendon_adr")?;
        wraps = path.end;
        let kinds = &m.wrap_type[path.clone()];
        for (k, w) in path.enumerate() {
            let is_site = |k: Option<usize>| k.and_then(|k| kinds.get(k)) == Some(&Site);
            let valid = match kinds[k] {
                Joint => kinds[0] == Joint,
                None => false,
                _ if kinds[0] == Joint => false,
                Site | Pulley => true,
                Sphere | Cylinder => is_site(k.checked_sub(1)) && is_site(Some(k + 1)),
            };
            expect(valid, "wrap_type")?;
            if matches!(kinds[k], Sphere | Cylinder) {
                let side = m.wrap_prm[w];
                let valid = side == -1.0 || (side >= 0.0 && side < m.nsite as f64);
                expect(valid, "wrap_prm")?;
            }
        }
        tendon_columns(m, i, &mut visited, &mut columns);
        let end = adr + columns.len();
        let same = index(m.ten_J_rowadr[i]) == adr
            && m.ten_J_rownnz[i] as usize == columns.len()
            && m.ten_J_colind.get(adr..end) == Some(&columns[..]);
        expect(same, "ten_J_colind")?;
        adr = end;
    }
    expect(wraps == m.nwrap && adr == m.nJten, "nJten")
}

/// Checks the targets, activations and history buffers of actuators, and the capacity for their moments.
fn actuators(m: &Model) -> Result<(), String> {
    let mut moments = 0;
    let mut dofs = vec![0_u8; m.nv];
    for i in 0..m.nu {
        let [target, second] = [m.actuator_trnid[2 * i], m.actuator_trnid[2 * i + 1]];
        expect(target >= 0, "actuator_trnid")?;
        moments += match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => {
                m.jnt_type[index(target)].nv()
            }
            TransmissionType::Tendon => m.ten_J_rownnz[index(target)] as usize,
            TransmissionType::Site => {
                let other = usize::try_from(second).ok();
                moving_dofs(m, &mut dofs, index(target), other, |both| both != 3)
            }
            TransmissionType::SliderCrank => {
                expect(second >= 0, "actuator_trnid")?;
                moving_dofs(m, &mut dofs, index(target), Some(index(second)), |_| true)
            }
            TransmissionType::Body => m.nv,
            TransmissionType::Undefined => return Err("actuator_trntype".to_owned()),
        };
        let needs_state = !matches!(m.actuator_dyntype[i], DynType::None | DynType::DcMotor);
        let has_state = m.actuator_actnum[i] > 0;
        expect(has_state || !needs_state, "actuator_actnum")?;
        expect(has_state == (m.actuator_actadr[i] >= 0), "actuator_actadr")?;
        history(m, m.actuator_historyadr[i], m.actuator_history[2 * i], 1, "actuator_historyadr")?;
    }
    expect(moments <= m.nJmom, "nJmom")
}

/// Number of dofs that move one or two sites and satisfy `counts`, which gets a mask: bit 0 if the dof moves
/// the first site, bit 1 if it moves the second.
fn moving_dofs(
    m: &Model,
    dofs: &mut [u8],
    first: usize,
    second: Option<usize>,
    counts: impl Fn(u8) -> bool,
) -> usize {
    let last = |site: usize| {
        let weld = index(m.body_weldid[index(m.site_bodyid[site])]);
        let count = m.body_dofnum[weld];
        if count > 0 { m.body_dofadr[weld] + count - 1 } else { -1 }
    };
    let mut chain = |site: usize, bit: u8| {
        let mut dof = last(site);
        while let Ok(d) = usize::try_from(dof) {
            dofs[d] |= bit;
            dof = m.dof_parentid[d];
        }
    };
    chain(first, 1);
    second.into_iter().for_each(|site| chain(site, 2));
    dofs.iter_mut().map(std::mem::take).filter(|&d| d > 0 && counts(d)).count()
}

/// Checks that a history buffer is inside `history`: user value, cursor, sample times and values.
fn history(m: &Model, adr: i32, samples: i32, dim: usize, name: &str) -> Result<(), String> {
    let Ok(samples @ 1..) = usize::try_from(samples) else {
        return expect(adr == -1, name);
    };
    let length = samples.saturating_mul(dim + 1).saturating_add(2);
    expect(adr >= 0 && index(adr).saturating_add(length) <= m.nhistory, name)
}

/// Checks that a sensor is attached to an object type that it supports and has the matching dimension.
fn sensor(m: &Model, i: usize) -> Result<(), String> {
    use SensorType as S;
    let (object, reference) = (m.sensor_objtype[i], m.sensor_reftype[i]);
    let dim = index(m.sensor_dim[i]);
    let kind = m.sensor_type[i];
    let framed = |kind| {
        use ObjType::{Body, Camera, Geom, Site, XBody};
        matches!(kind, Body | XBody | Geom | Site | Camera)
    };
    let (supported, expected) = match kind {
        S::Touch => (object == ObjType::Site, 1),
        S::Accelerometer | S::Velocimeter | S::Gyro | S::Force | S::Torque | S::Magnetometer => {
            (object == ObjType::Site, 3)
        }
        S::CamProjection => (object == ObjType::Site && reference == ObjType::Camera, 2),
        S::JointPos | S::JointVel | S::JointActFrc => (object == ObjType::Joint, 1),
        S::JointLimitPos | S::JointLimitVel | S::JointLimitFrc => (object == ObjType::Joint, 1),
        S::BallQuat => (object == ObjType::Joint, 4),
        S::BallAngVel => (object == ObjType::Joint, 3),
        S::TendonPos | S::TendonVel | S::TendonActFrc => (object == ObjType::Tendon, 1),
        S::TendonLimitPos | S::TendonLimitVel | S::TendonLimitFrc => (object == ObjType::Tendon, 1),
        S::ActuatorPos | S::ActuatorVel | S::ActuatorFrc => (object == ObjType::Actuator, 1),
        S::FrameQuat => (framed(object), 4),
        S::FramePos | S::FrameXAxis | S::FrameYAxis | S::FrameZAxis => (framed(object), 3),
        S::FrameLinVel | S::FrameAngVel | S::FrameLinAcc | S::FrameAngAcc => (framed(object), 3),
        S::SubtreeCom | S::SubtreeLinVel | S::SubtreeAngMom => (object == ObjType::Body, 3),
        S::InsideSite => (framed(object) && reference == ObjType::Site, 1),
        S::GeomDist => (true, 1),
        S::GeomNormal => (true, 3),
        S::GeomFromTo => (true, 6),
        S::EPotential | S::EKinetic | S::Clock => (true, 1),
        // the dimension depends on the parameters of the sensor
        _ => (true, dim),
    };
    expect(supported, "sensor_objtype")?;
    expect(dim == expected, "sensor_dim")?;
    expect(reference == ObjType::Unknown || m.sensor_refid[i] >= 0, "sensor_refid")?;
    let relative = reference == ObjType::Unknown || framed(reference);
    expect(relative || !framed(object), "sensor_reftype")?;
    if object == ObjType::Joint && m.sensor_objid[i] >= 0 {
        let ball = m.jnt_type[index(m.sensor_objid[i])] == JointType::Ball;
        expect(ball || !matches!(kind, S::BallQuat | S::BallAngVel), "sensor_objid")?;
    }
    history(m, m.sensor_historyadr[i], m.sensor_history[2 * i], dim, "sensor_historyadr")
}

/// Checks that an equality constraint refers to objects of its type.
fn equality(m: &Model, i: usize) -> Result<(), String> {
    let (first, second) = (m.eq_obj1id[i], m.eq_obj2id[i]);
    let limit = match m.eq_type[i] {
        EqType::Joint => m.njnt,
        EqType::Tendon => m.ntendon,
        EqType::Flex | EqType::FlexVert | EqType::FlexStrain => m.nflex,
        EqType::Connect | EqType::Weld => {
            let known = matches!(m.eq_objtype[i], ObjType::Body | ObjType::Site);
            return expect(known && first >= 0 && second >= 0, "eq_obj1id");
        }
        _ => return Ok(()),
    };
    let inside = |id: i32| usize::try_from(id).is_ok_and(|id| id < limit);
    expect(inside(first) && (second == -1 || inside(second)), "eq_obj1id")
}
