//! Fallback of the contact solver: projected Gauss–Seidel over the contact blocks.

use super::{ContactBlock, ContactWorkspace};
use crate::vector;

/// One sweep: minimises over the force of each contact in turn. Maintains `work.y = Bᵀ λ`.
pub(super) fn sweep(
    contacts: &[ContactBlock<'_>],
    forces: &mut [[f64; 3]],
    work: &mut ContactWorkspace,
) {
    let ContactWorkspace { b, y, blocks, .. } = work;
    let nv = y.len();
    for (i, (contact, block)) in contacts.iter().zip(blocks).enumerate() {
        let rows = &b[3 * i * nv..3 * (i + 1) * nv];
        let row = |k: usize| &rows[k * nv..(k + 1) * nv];
        let old = forces[i];
        let gradient = [0, 1, 2].map(|k| vector::dot(row(k), y) - contact.rhs[k]);
        let new = block.minimise(old, gradient, 1);
        for k in 0..3 {
            vector::add_scaled(y, row(k), new[k] - old[k]);
        }
        forces[i] = new;
    }
}
