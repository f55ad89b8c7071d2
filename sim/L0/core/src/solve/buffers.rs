//! Buffers of the constraint solvers.

use crate::data::heap_bytes;
use sim_constraint::{ContactRows, Info, StartCosts, Workspace};

/// Temporary memory of the constraint stage.
#[derive(Debug, Default)]
pub(crate) struct Solver {
    /// Workspace of the whole system.
    pub workspace: Workspace,
    /// Workspace of each island; islands often keep their sparsity between steps.
    pub island_workspaces: Vec<Workspace>,
    /// Contacts with more than one row.
    pub contacts: Vec<ContactRows>,
    /// The same contacts sorted by island, with rows relative to the island.
    pub island_contacts: Vec<ContactRows>,
    /// Index of the first contact of each island, and the total count.
    pub island_start: Vec<usize>,
    /// Cone Hessians of `contacts`, for [`super::mj_constraint_update`].
    pub cone_hessians: Vec<[f64; 36]>,
    /// Result summary of each island.
    pub infos: Vec<Info>,
    /// Costs of each island at the starting points.
    pub costs: Vec<Option<StartCosts>>,
    /// `efc_b` and `qacc_warmstart`, in island order.
    pub b: Vec<f64>,
    pub warm: Vec<f64>,
}

impl Clone for Solver {
    /// Nothing in it is kept between solves.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Solver {
    /// Heap memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let spaces = self.island_workspaces.iter().map(Workspace::bytes).sum::<usize>();
        self.workspace.bytes()
            + spaces
            + heap_bytes(&self.island_workspaces)
            + heap_bytes(&self.contacts)
            + heap_bytes(&self.island_contacts)
            + heap_bytes(&self.island_start)
            + heap_bytes(&self.infos)
            + heap_bytes(&self.cone_hessians)
            + heap_bytes(&self.costs)
            + heap_bytes(&self.b)
            + heap_bytes(&self.warm)
    }
}
