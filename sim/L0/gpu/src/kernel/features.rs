//! Features and sizes of a kernel that follow from the model.

use super::MANY_DOFS;
use crate::model::KernelModel;
use crate::model::tree_groups::GROUP_LANES;
use sim_core::Model;
use sim_types::{Cone, SolverType};

/// Most dofs of the border of a Hessian that is updated from iteration to iteration.
const MAX_STORED_BORDER: usize = 8;

/// Whether the solver is CG; others are Newton's method, which has the same minimum.
pub(super) fn conjugate(m: &Model) -> bool {
    m.opt.solver == SolverType::Cg
}

/// Whether friction forces are corrected after the solver.
pub(crate) fn has_noslip(m: &Model) -> bool {
    m.opt.noslip_iterations > 0
}

/// Rows of the Hessian in the storage buffer, with more dofs than lanes, or where contacts can couple tree groups.
pub(super) fn hessian_rows(m: &Model, model: &KernelModel) -> usize {
    let groups = &model.groups;
    let in_memory = m.nv > groups.lanes() + groups.border() || groups.len() > 1;
    if in_memory || incremental_hessian(m, model) { m.nv } else { 0 }
}

/// Whether the gradient is updated from iteration to iteration: the cost is quadratic as long as no row changes its
/// state.
pub(super) fn incremental_gradient(m: &Model, model: &KernelModel) -> bool {
    model.groups.len() == 1 && m.opt.cone != Cone::Elliptic && !conjugate(m)
}

/// Whether the Hessian may be updated too, if matrices are in storage. With few dofs it is assembled as fast; with a
/// border of 18 dofs, storing it makes a step of talos 7 % slower, which needs one iteration.
pub(super) fn incremental_hessian(m: &Model, model: &KernelModel) -> bool {
    let groups = &model.groups;
    let small = m.nv <= GROUP_LANES + groups.border().min(MAX_STORED_BORDER);
    let registers = groups.lanes() == GROUP_LANES && small;
    incremental_gradient(m, model) && registers && m.nv > MANY_DOFS
}

pub(super) fn state_size(m: &Model) -> usize {
    1 + m.nq + 2 * m.nv + m.na + m.nhistory
}

/// Entries of a reduction over the workgroup: one for each subgroup, or for each lane.
pub(super) fn exchange(model: &KernelModel, subgroups: bool) -> usize {
    match subgroups {
        true if model.groups.lanes() == GROUP_LANES => 0,
        true => model.groups.lanes() / GROUP_LANES,
        false => model.groups.lanes(),
    }
}
