//! Capacities of an environment, and the layout of its intermediate results.

use super::Pass;
use crate::Options;
use crate::model::KernelModel;
use sim_core::Model;
use sim_types::Cone;

/// Most constraint rows of a contact.
const MAX_CONTACT_ROWS: usize = 10;

/// Layout of the output of [`Options::probe`](crate::Options::probe).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probe {
    /// Reals of an environment's output before the probe: sensors and reward.
    pub start: usize,
    /// Reals of the probe per environment.
    pub len: usize,
    /// Name, offset and length of each array, such as `XPOS`, `QACC`, `M` or `J`.
    pub named: Vec<(&'static str, usize, usize)>,
    /// Distance between the rows of matrices.
    pub stride: usize,
    /// Column of each dof in matrices.
    pub columns: Vec<usize>,
}

/// Capacity of an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Constraint rows.
    pub rows: usize,
}

impl Capacity {
    pub(super) fn new(m: &Model, options: &Options, model: &KernelModel) -> Self {
        let collision = &model.collision;
        let possible = collision.npair * collision.max_pair_contacts();
        // a pair with a signed distance field may have many contacts
        let per_tree = match collision.has_fields(Pass::Single) {
            true => 24 + collision.max_long_contacts(),
            false => 24,
        };
        let default = per_tree * m.ntree.max(1);
        let contacts = options.contacts.unwrap_or(default).min(possible).max(1);
        let fixed = model.constraint.ne + model.constraint.nf;
        let limits = 2 * model.constraint.limits;
        let most = fixed + limits + MAX_CONTACT_ROWS * contacts.min(possible);
        let contact_rows = match (m.opt.cone, collision.max_condim) {
            (_, 0 | 1) => 1,
            (Cone::Elliptic, dim) => dim,
            (Cone::Pyramidal, dim) => 2 * (dim - 1),
        };
        let usual = fixed + limits.min(8 + m.nv / 4) + contact_rows * contacts.min(possible);
        // equality and friction rows always exist
        let rows = options.rows.unwrap_or(usual).min(most).max(fixed.max(1));
        Self { contacts, rows }
    }
}
