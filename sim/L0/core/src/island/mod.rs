//! Groups of trees that interact through constraints (`mj_island`): each is solved by itself, and what
//! no constraint touches needs no solver.

mod gather;

use crate::math::at;
use crate::{Data, Model};
use sim_types::{ConstraintType, DisableBit};

/// Finds the islands, and gathers their rows and inertia when there are several, or when some dofs
/// are in none.
///
/// Reads the rows, `M` and its factor. Writes `nisland`, `nidof` and the arrays of islands.
pub fn mj_island(m: &Model, d: &mut Data) {
    (d.nisland, d.nidof) = (0, 0);
    // what deformable bodies touch is solved as a whole
    if d.nefc == 0 || m.opt.disabled(DisableBit::Island) || d.has_deformable_contacts() {
        return;
    }
    discover(m, d);
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

/// Assigns trees to islands: `tree_island`, numbered by the lowest tree of each.
fn discover(m: &Model, d: &mut Data) {
    // for each tree another of its group, or itself for the one that stands for the group; -1 for
    // trees without constraints
    let leader = &mut d.tree_island;
    leader.clear();
    leader.resize(m.ntree, -1);
    let mut same_columns = false;
    for row in 0..d.nefc {
        // rows with the same columns as the one before tell nothing new
        let skip = same_columns;
        same_columns = d.efc_J_rowsuper[row] > 0;
        if skip {
            continue;
        }
        let start = d.efc_J_rowadr[row] as usize;
        let columns = &d.efc_J_colind[start..start + d.efc_J_rownnz[row] as usize];
        let Some(&first) = columns.first() else { continue };
        let mut tree = m.dof_treeid[first as usize];
        let mut group = find(leader, tree);
        for &dof in &columns[1..] {
            let other = m.dof_treeid[dof as usize];
            if other != tree {
                tree = other;
                let joined = find(leader, tree);
                // the lower tree leads
                let (low, high) = (group.min(joined), group.max(joined));
                leader[high as usize] = low;
                group = low;
            }
        }
    }
    // from leaders to numbers: a leader comes before its followers
    for tree in 0..m.ntree {
        d.tree_island[tree] = match d.tree_island[tree] {
            -1 => -1,
            leader if leader as usize == tree => {
                d.nisland += 1;
                d.nisland as i32 - 1
            }
            leader => d.tree_island[leader as usize],
        };
    }
}

/// The tree that leads the group of `tree`; a tree without a group begins one.
fn find(leader: &mut [i32], tree: i32) -> i32 {
    let mut at = tree;
    if leader[at as usize] < 0 {
        leader[at as usize] = at;
    }
    while leader[at as usize] != at {
        // halve the way for the next search
        let next = leader[at as usize];
        leader[at as usize] = leader[next as usize];
        at = leader[at as usize];
    }
    at
}

/// Fills `starts` with the sums of `counts` before each entry.
fn accumulate(counts: &[i32], starts: &mut Vec<i32>) {
    starts.clear();
    let mut sum = 0;
    starts.extend(counts.iter().map(|count| {
        sum += count;
        sum - count
    }));
}

/// Sorts elements by island, those of none last: `place[k]` says where element `k` goes, `element[p]`
/// what is at place `p`.
fn sort(
    islands: &[i32],
    starts: &[i32],
    rest: usize,
    next: &mut Vec<i32>,
    place: &mut Vec<i32>,
    element: &mut Vec<i32>,
) {
    next.clear();
    next.extend_from_slice(starts);
    next.push(rest as i32);
    place.resize(islands.len(), 0);
    element.resize(islands.len(), 0);
    let none = starts.len();
    for (k, &island) in islands.iter().enumerate() {
        let slot = &mut next[if island < 0 { none } else { island as usize }];
        place[k] = *slot;
        element[*slot as usize] = k as i32;
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
    accumulate(&d.island_ntree, &mut d.island_itreeadr);
    let mut place = std::mem::take(&mut d.scratch.island_index);
    let next = &mut d.scratch.island_cursor;
    sort(&d.tree_island, &d.island_itreeadr, constrained, next, &mut place, &mut d.map_itree2tree);
    d.scratch.island_index = place;
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
    accumulate(&d.island_nv, &mut d.island_idofadr);
    sort(
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
    for row in 0..d.nefc {
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
    accumulate(&d.island_nefc, &mut d.island_iefcadr);
    sort(
        &d.efc_island,
        &d.island_iefcadr,
        d.nefc,
        &mut d.scratch.island_cursor,
        &mut d.map_efc2iefc,
        &mut d.map_iefc2efc,
    );
}
