//! Order of contacts on the CPU. Kernels group pairs by their narrow-phase function, and sequential algorithms over
//! contacts depend on their order.

use crate::layout::ModelTables;
use sim_core::{Model, contact_pairs};
use std::collections::HashMap;

/// Adds the position of each of the pairs in the contact order of the CPU engine.
pub(crate) fn pairs(m: &Model, geoms: &[[usize; 2]], t: &mut ModelTables) {
    let all = contact_pairs(m, usize::MAX).unwrap_or_default();
    let order: HashMap<[usize; 2], usize> =
        all.iter().enumerate().map(|(k, pair)| (pair.geoms, k)).collect();
    t.indices("PAIR_ORDER", geoms.iter().map(|pair| order.get(pair).copied().unwrap_or(0)));
}
