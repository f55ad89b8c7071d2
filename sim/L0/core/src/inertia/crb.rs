//! Composite rigid body algorithm (`mj_crb`).

use crate::math::{at, rows, rows_mut, spatial};
use crate::sleep::{AllTrees, AwakeSet, for_awake};
use crate::{Data, Model, tendon};
use sim_types::JointType;

/// Computes the joint-space inertia matrix.
///
/// Reads `cinert`, `cdof`, and `ten_J` if tendons have armature. Writes `crb`, `M`, and `qM` (the
/// same matrix in MuJoCo's legacy layout).
#[doc(alias = "mj_makeM")]
pub fn mj_make_m(m: &Model, d: &mut Data) {
    mj_crb(m, d);
    if m.plan.tendon_armature {
        tendon::add_armature(m, d);
    }
    for (value, &adr) in d.M.iter().zip(&m.mapM2M) {
        d.qM[adr as usize] = *value;
    }
}

/// Computes `crb` and `M` with the composite-rigid-body algorithm.
pub fn mj_crb(m: &Model, d: &mut Data) {
    // entries of qM that are not stored in M stay zero
    if std::mem::take(&mut d.scratch.no_matrix) {
        d.qM.fill(0.0);
    }
    for_awake!(crb(m, d));
}

#[inline(always)]
fn crb(m: &Model, d: &mut Data, set: impl AwakeSet) {
    let Data { cinert, cdof, crb, M, .. } = d;
    let crb = rows_mut::<10>(crb);
    accumulate(m, rows(cinert), crb, set);
    let cdof = rows::<6>(cdof);

    for i in set.dofs(m) {
        let start = at(&m.M_rowadr, i);
        if m.dof_simplenum[i] > 0 {
            M[start] = m.dof_M0[i];
            continue;
        }
        let len = at(&m.M_rownnz, i);
        let row = &mut M[start..start + len];
        let cols = &m.M_colind[start..start + len];
        // force on dof j that accelerates dof i: cdof_j · (crb · cdof_i)
        let force = spatial::mul_inertia(&crb[at(&m.dof_bodyid, i)], &cdof[i]);
        // the first three dofs of a free root are unit translations
        let mut unit = 0;
        if len > 3 && m.jnt_type[at(&m.dof_jntid, cols[0] as usize)] == JointType::Free {
            [row[0], row[1], row[2]] = spatial::translation(&force);
            unit = 3;
        }
        for (value, &j) in row[unit..].iter_mut().zip(&cols[unit..]) {
            *value = spatial::dot(&cdof[j as usize], &force);
        }
        row[len - 1] += m.dof_armature[i] + m.plan.actuator_terms.dof_armature[i];
    }
}

/// Composite inertia of the subtree of each body.
#[inline(always)]
pub(crate) fn composite_inertias(m: &Model, cinert: &[[f64; 10]], crb: &mut [[f64; 10]]) {
    accumulate(m, cinert, crb, AllTrees);
}

#[inline(always)]
fn accumulate<W: AwakeSet>(m: &Model, cinert: &[[f64; 10]], crb: &mut [[f64; 10]], set: W) {
    if W::ALL {
        crb.copy_from_slice(cinert);
    } else {
        for i in set.bodies(m) {
            crb[i] = cinert[i];
        }
    }
    let n = m.nbody;
    let (parentid, crb) = (&m.body_parentid[..n], &mut crb[..n]);
    for i in set.children(m).rev() {
        let parent = parentid[i] as usize;
        if parent > 0 {
            let child = crb[i];
            for k in 0..10 {
                crb[parent][k] += child[k];
            }
        }
    }
}
