//! Constraint islands (`mj_island`): connected components of kinematic trees coupled by constraint
//! rows. Each island is an independent problem; unconstrained trees belong to none.

mod gather;

use crate::math::at;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit};

/// Finds the islands. Gathers their rows and inertia unless a single island contains all dofs.
///
/// Reads the rows, `M` and its factor. Writes `nisland`, `nidof` and the arrays of islands.
pub fn mj_island(m: &Model, d: &mut Data) {
    (d.nisland, d.nidof) = (0, 0);
    // contacts with deformable bodies are solved as one problem
    if d.nefc == 0 || m.opt.disabled(DisableBit::Island) || d.has_deformable_contacts() {
        return;
    }
    find_islands(m, d);
    if d.nisland == 0 {
        return;
    }
    order_trees(m, d);
    order_dofs(m, d);
    order_rows(m, d);
    if !d.one_island(m) {
        gather::inertia(m, d);
        gather::rows(d);
    }
}

impl Data {
    /// Whether all dofs are in one island: its arrays are those of the whole problem.
    pub(crate) fn one_island(&self, m: &Model) -> bool {
        self.nisland == 1 && self.nidof == m.nv
    }
}

/// Assigns trees to islands (`tree_island`) by union-find; islands are ordered by their first tree.
fn find_islands(m: &Model, d: &mut Data) {
    // union-find parent of each tree, −1 for unconstrained trees
    let root = &mut d.tree_island;
    root.clear();
    root.resize(m.ntree, -1);
    let mut same_columns = false;
    for row in 0..d.nefc {
        // rows of the same row supernode have the same trees
        let skip = same_columns;
        same_columns = d.efc_J_rowsuper[row] > 0;
        if skip {
            continue;
        }
        let start = d.efc_J_rowadr[row] as usize;
        let columns = &d.efc_J_colind[start..start + d.efc_J_rownnz[row] as usize];
        let Some(&first) = columns.first() else { continue };
        let mut tree = m.dof_treeid[first as usize];
        let mut group = find_root(root, tree);
        for &dof in &columns[1..] {
            let other = m.dof_treeid[dof as usize];
            if other != tree {
                tree = other;
                let joined = find_root(root, tree);
                // the lower tree becomes the root
                let (low, high) = (group.min(joined), group.max(joined));
                root[high as usize] = low;
                group = low;
            }
        }
    }
    // number the islands: a root precedes the other trees of its island
    for tree in 0..m.ntree {
        d.tree_island[tree] = match d.tree_island[tree] {
            -1 => -1,
            root if root as usize == tree => {
                d.nisland += 1;
                d.nisland as i32 - 1
            }
            root => d.tree_island[root as usize],
        };
    }
}

/// Root of the union-find set of `tree`; creates a set for a tree without one.
fn find_root(root: &mut [i32], tree: i32) -> i32 {
    let mut at = tree;
    if root[at as usize] < 0 {
        root[at as usize] = at;
    }
    while root[at as usize] != at {
        // path halving
        let next = root[at as usize];
        root[at as usize] = root[next as usize];
        at = root[at as usize];
    }
    at
}

/// Exclusive prefix sum.
fn prefix_sum(counts: &[i32], starts: &mut Vec<i32>) {
    starts.clear();
    let mut sum = 0;
    starts.extend(counts.iter().map(|count| {
        sum += count;
        sum - count
    }));
}

/// Counting sort of elements by island, those of no island last: `position[k]` is the sorted
/// position of element `k`, `index[p]` the element at position `p`.
fn counting_sort(
    islands: &[i32],
    starts: &[i32],
    rest: usize,
    next: &mut Vec<i32>,
    position: &mut Vec<i32>,
    index: &mut Vec<i32>,
) {
    next.clear();
    next.extend_from_slice(starts);
    next.push(rest as i32);
    position.resize(islands.len(), 0);
    index.resize(islands.len(), 0);
    let none = starts.len();
    if none == 1 && rest == islands.len() {
        // one island with all elements
        for list in [position, index] {
            list.iter_mut().zip(0..).for_each(|(entry, k)| *entry = k);
        }
        return;
    }
    for (k, &island) in islands.iter().enumerate() {
        let slot = &mut next[if island < 0 { none } else { island as usize }];
        position[k] = *slot;
        index[*slot as usize] = k as i32;
        *slot += 1;
    }
}

fn order_trees(m: &Model, d: &mut Data) {
    d.island_ntree.clear();
    d.island_ntree.resize(d.nisland, 0);
    let mut constrained = 0;
    for &island in &d.tree_island {
        if island >= 0 {
            d.island_ntree[island as usize] += 1;
            constrained += 1;
        }
    }
    prefix_sum(&d.island_ntree, &mut d.island_itreeadr);
    let mut position = std::mem::take(&mut d.scratch.island_index);
    let next = &mut d.scratch.island_cursor;
    counting_sort(
        &d.tree_island,
        &d.island_itreeadr,
        constrained,
        next,
        &mut position,
        &mut d.map_itree2tree,
    );
    d.scratch.island_index = position;
    debug_assert_eq!(d.map_itree2tree.len(), m.ntree);
}

fn order_dofs(m: &Model, d: &mut Data) {
    d.island_nv.clear();
    d.island_nv.resize(d.nisland, 0);
    d.dof_island.clear();
    d.dof_island.extend(m.dof_treeid.iter().map(|&tree| d.tree_island[tree as usize]));
    for (tree, &island) in d.tree_island.iter().enumerate() {
        if island >= 0 {
            d.island_nv[island as usize] += m.tree_dofnum[tree];
            d.nidof += at(&m.tree_dofnum, tree);
        }
    }
    prefix_sum(&d.island_nv, &mut d.island_idofadr);
    counting_sort(
        &d.dof_island,
        &d.island_idofadr,
        d.nidof,
        &mut d.scratch.island_cursor,
        &mut d.map_dof2idof,
        &mut d.map_idof2dof,
    );
    d.island_dofadr.clear();
    d.island_dofadr.extend(d.island_idofadr.iter().map(|&adr| d.map_idof2dof[adr as usize]));
}

fn order_rows(m: &Model, d: &mut Data) {
    for counts in [&mut d.island_ne, &mut d.island_nf, &mut d.island_nefc] {
        counts.clear();
        counts.resize(d.nisland, 0);
    }
    d.efc_island.clear();
    if d.nisland == 1 {
        d.efc_island.resize(d.nefc, 0);
        [d.island_ne[0], d.island_nf[0], d.island_nefc[0]] = [d.ne, d.nf, d.nefc].map(|n| n as i32);
    }
    for row in d.efc_island.len()..d.nefc {
        let first = d.efc_J_colind[d.efc_J_rowadr[row] as usize];
        let island = d.tree_island[at(&m.dof_treeid, first as usize)];
        d.efc_island.push(island);
        let island = island as usize;
        d.island_nefc[island] += 1;
        match d.efc_type[row] {
            ConstraintType::Equality => d.island_ne[island] += 1,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => {
                d.island_nf[island] += 1;
            }
            _ => {}
        }
    }
    prefix_sum(&d.island_nefc, &mut d.island_iefcadr);
    counting_sort(
        &d.efc_island,
        &d.island_iefcadr,
        d.nefc,
        &mut d.scratch.island_cursor,
        &mut d.map_efc2iefc,
        &mut d.map_iefc2efc,
    );
}
