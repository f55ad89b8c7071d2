//! Recursive Newton–Euler algorithm (`mj_rne`), and its variant after the constraint solver
//! (`mj_rnePostConstraint`).
//!
//! Featherstone, *Rigid Body Dynamics Algorithms* (2008), chapter 5, in the com-based frame:
//!
//! ```text
//! root to leaves:  a_i = a_parent + Ṡ_i q̇_i + S_i q̈_i,   f_i = I_i a_i + v_i ×* I_i v_i
//! leaves to root:  f_parent += f_i,   τ_i = S_iᵀ f_i
//! ```

mod post_constraint;

pub(crate) use post_constraint::rne_from_external_wrenches;
pub use post_constraint::{mj_external_wrenches, mj_rne_post_constraint};

use crate::math::{at, rows, rows_mut, spatial};
use crate::sleep::{AllTrees, AwakeSet, for_awake};
use crate::{Data, Model};
use sim_types::{DisableBit, Options};

/// Unconstrained inverse dynamics: `M q̈ + c` with `with_acceleration`, otherwise the bias force `c`
/// (Coriolis, centrifugal and gravity forces), to `result` of length `nv`.
///
/// Reads `cdof`, `cdof_dot`, `cinert`, `cvel`, `qvel`, and `qacc` with `with_acceleration`. Writes no field.
pub fn mj_rne(m: &Model, d: &mut Data, with_acceleration: bool, result: &mut [f64]) {
    let Data { qvel, qacc, cdof, cdof_dot, cinert, cvel, scratch, .. } = d;
    let acc = rows_mut::<6>(&mut scratch.body_a);
    let frc = rows_mut::<6>(&mut scratch.body_b);
    let qacc = with_acceleration.then_some(qacc.as_slice());
    recursion(
        m,
        AllTrees,
        qvel,
        qacc,
        rows(cdof),
        rows(cdof_dot),
        rows(cinert),
        rows(cvel),
        acc,
        frc,
        result,
    );
}

/// Computes the bias force. Reads `qvel`, `cdof`, `cdof_dot`, `cinert`, `cvel`; writes `qfrc_bias`.
pub(crate) fn bias(m: &Model, d: &mut Data) {
    for_awake!(bias_recursion(m, d));
}

#[inline(always)]
fn bias_recursion(m: &Model, d: &mut Data, set: impl AwakeSet) {
    let Data { qvel, cdof, cdof_dot, cinert, cvel, qfrc_bias, scratch, .. } = d;
    let acc = rows_mut::<6>(&mut scratch.body_a);
    let frc = rows_mut::<6>(&mut scratch.body_b);
    recursion(
        m,
        set,
        qvel,
        None,
        rows(cdof),
        rows(cdof_dot),
        rows(cinert),
        rows(cvel),
        acc,
        frc,
        qfrc_bias,
    );
}

/// Spatial acceleration of the world, `[0, −gravity]`: gravity enters as an upward acceleration of the root.
pub(crate) fn world_acceleration(opt: &Options) -> spatial::Vec6 {
    if opt.disabled(DisableBit::Gravity) {
        [0.0; 6]
    } else {
        [0.0, 0.0, 0.0, -opt.gravity[0], -opt.gravity[1], -opt.gravity[2]]
    }
}

/// Spatial force of the Newton–Euler equation, `I a + v ×* (I v)`.
#[inline(always)]
pub(crate) fn newton_euler(
    inertia: &spatial::Inertia,
    acc: &spatial::Vec6,
    vel: &spatial::Vec6,
) -> spatial::Vec6 {
    let momentum = spatial::mul_inertia(inertia, vel);
    spatial::add(&spatial::mul_inertia(inertia, acc), &spatial::cross_force(vel, &momentum))
}

/// The two passes of the algorithm over a set of trees; `acc` and `frc` are scratch of length `nbody`.
#[inline(always)]
fn recursion(
    m: &Model,
    set: impl AwakeSet,
    qvel: &[f64],
    qacc: Option<&[f64]>,
    cdof: &[[f64; 6]],
    cdof_dot: &[[f64; 6]],
    cinert: &[[f64; 10]],
    cvel: &[[f64; 6]],
    acc: &mut [[f64; 6]],
    frc: &mut [[f64; 6]],
    result: &mut [f64],
) {
    // equal slice lengths let the compiler remove bounds checks from the loops
    let n = m.nbody;
    let (parent, dofadr) = (&m.body_parentid[..n], &m.body_dofadr[..n]);
    let (dofnum, cinert, cvel) = (&m.body_dofnum[..n], &cinert[..n], &cvel[..n]);
    let (acc, frc) = (&mut acc[..n], &mut frc[..n]);

    // root to leaves: accelerations and Newton–Euler forces
    acc[0] = world_acceleration(&m.opt);
    frc[0] = [0.0; 6];
    for i in set.moving(m) {
        let mut a = acc[parent[i] as usize];
        let first = dofadr[i].max(0) as usize;
        for k in first..first + dofnum[i] as usize {
            spatial::add_scaled(&mut a, &cdof_dot[k], qvel[k]);
            if let Some(qacc) = qacc {
                spatial::add_scaled(&mut a, &cdof[k], qacc[k]);
            }
        }
        acc[i] = a;
        frc[i] = newton_euler(&cinert[i], &a, &cvel[i]);
    }

    // leaves to root: accumulate the forces of children
    for i in set.moving(m).rev() {
        let parent = parent[i] as usize;
        if parent > 0 {
            frc[parent] = spatial::add(&frc[parent], &frc[i]);
        }
    }
    let (bodyid, cdof, result) = (&m.dof_bodyid[..m.nv], &cdof[..m.nv], &mut result[..m.nv]);
    for k in set.dofs(m) {
        result[k] = spatial::dot(&cdof[k], &frc[at(bodyid, k)]);
    }
}
