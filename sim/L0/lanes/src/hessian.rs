//! Hessian `M + Jᵀ D J` of all lanes and its `LᵀDL` factor along one elimination tree.
//!
//! The tree is that of the union of the patterns of all lanes. Each row stores the complete path to the root, so
//! that the row of an ancestor is a prefix of the row of its descendants.

use crate::plan::Plan;
use crate::work::{Block, Weights, Work};
use sim_simd::lanes::Lanes;
use sim_types::MINVAL;

/// Elimination tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    /// Length of the path to the root.
    depth: Vec<u32>,
    /// Address of the row of each dof; its diagonal is at `rowadr + depth`.
    rowadr: Vec<u32>,
    /// Ancestors of each dof, from the root, and the addresses of their rows; at the address of its own row.
    path: Vec<u32>,
    pathadr: Vec<u32>,
    mask: Vec<u64>,
    parent: Vec<i32>,
}

/// Finds the elimination tree of the rows in `w.blocks`.
#[inline(always)]
pub(crate) fn analyze<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    let n = plan.nv;
    let Tree { depth, rowadr, path, pathadr, mask, parent } = &mut w.tree;
    mask.clear();
    mask.extend_from_slice(&plan.m_mask);
    for block in &w.blocks {
        // the elimination of its last column couples all columns of a block
        let last = 63 - block.mask.leading_zeros() as usize;
        mask[last] |= block.mask & !(1 << last);
    }
    parent.clear();
    parent.resize(n, -1);
    for k in (0..n).rev() {
        let set = mask[k];
        if set != 0 {
            let p = 63 - set.leading_zeros() as usize;
            parent[k] = p as i32;
            mask[p] |= set & !(1 << p);
        }
    }
    depth.clear();
    rowadr.clear();
    path.clear();
    pathadr.clear();
    for k in 0..n {
        let start = path.len();
        rowadr.push(start as u32);
        if let Ok(p) = usize::try_from(parent[k]) {
            let (from, len) = (rowadr[p] as usize, depth[p] as usize);
            path.extend_from_within(from..from + len);
            path.push(p as u32);
            pathadr.extend_from_within(from..from + len);
            pathadr.push(rowadr[p]);
        }
        depth.push((path.len() - start) as u32);
        // the diagonal entry
        path.push(k as u32);
        pathadr.push(start as u32);
    }
    for block in &mut w.blocks {
        let last = 63 - block.mask.leading_zeros() as usize;
        block.is_path = depth[last] as usize + 1 == block.cols.1 - block.cols.0;
    }
}

/// Sets `h` to the inertia matrix.
#[inline(always)]
pub(crate) fn set_inertia<V: Lanes>(plan: &Plan, w: &mut Work<V>) {
    let tree = &w.tree;
    w.h[..tree.path.len()].fill(V::zero());
    for (i, row) in plan.inertia.iter().enumerate() {
        let out = &mut w.h[tree.rowadr[i] as usize..][..=tree.depth[i] as usize];
        let cols = &plan.m_colind[row.start..][..row.len];
        for (value, &j) in w.m[row.start..].iter().zip(cols) {
            out[tree.depth[j] as usize] = *value;
        }
    }
}

/// Adds `Jᵀ W J` of a block of `D` rows to `h`.
#[inline(always)]
pub(crate) fn add_block<V: Lanes, const D: usize>(
    plan: &Plan,
    tree: &Tree,
    block: &Block,
    jac: &[V],
    weights: &Weights<V>,
    h: &mut [V],
) {
    let cols = &plan.columns[block.cols.0..block.cols.1];
    let n = cols.len();
    let jac = &jac[block.jac..][..D * n];
    let mut rows = [&jac[..0]; D];
    for r in 0..D {
        rows[r] = &jac[r * n..][..n];
    }
    for (i, &ci) in cols.iter().enumerate() {
        // column i of W J
        let mut scaled = [V::zero(); D];
        for r in 0..D {
            for c in 0..D {
                let (low, high) = if r < c { (r, c) } else { (c, r) };
                scaled[r] += weights[high * (high + 1) / 2 + low] * rows[c][i];
            }
        }
        let ci = ci as usize;
        let out = &mut h[tree.rowadr[ci] as usize..][..=tree.depth[ci] as usize];
        if block.is_path {
            for (j, out) in out.iter_mut().enumerate().take(i + 1) {
                let mut sum = *out;
                for r in 0..D {
                    sum += scaled[r] * rows[r][j];
                }
                *out = sum;
            }
        } else {
            for j in 0..=i {
                let out = &mut out[tree.depth[cols[j] as usize] as usize];
                let mut sum = *out;
                for r in 0..D {
                    sum += scaled[r] * rows[r][j];
                }
                *out = sum;
            }
        }
    }
}

/// Copies `h` to `l` and factors it.
#[inline(always)]
pub(crate) fn factor<V: Lanes>(w: &mut Work<V>) {
    let Work { tree, h, l, l_diag_inv, .. } = w;
    let entries = tree.path.len();
    l[..entries].copy_from_slice(&h[..entries]);
    for k in (0..tree.depth.len()).rev() {
        let (start, depth) = (tree.rowadr[k] as usize, tree.depth[k] as usize);
        let (above, rest) = l.split_at_mut(start);
        let row = &mut rest[..=depth];
        let pivot = row[depth];
        let pivot = pivot.select(pivot.ge(V::splat(MINVAL)), V::splat(MINVAL));
        let inverse = V::splat(1.0) / pivot;
        l_diag_inv[k] = inverse;
        let adr = &tree.pathadr[start..][..depth];
        for a in 0..depth {
            let f = row[a] * inverse;
            let target = &mut above[adr[a] as usize..][..=a];
            for (t, r) in target.iter_mut().zip(&row[..=a]) {
                *t -= f * *r;
            }
        }
        for value in &mut row[..depth] {
            *value = *value * inverse;
        }
    }
}

/// `x ← H⁻¹ x`.
#[inline(always)]
pub(crate) fn solve<V: Lanes>(tree: &Tree, l: &[V], diag_inv: &[V], x: &mut [V]) {
    let n = tree.depth.len();
    for k in (0..n).rev() {
        let (start, depth) = (tree.rowadr[k] as usize, tree.depth[k] as usize);
        let value = x[k];
        for (l, &j) in l[start..].iter().zip(&tree.path[start..][..depth]) {
            x[j as usize] -= *l * value;
        }
    }
    for (x, inverse) in x.iter_mut().zip(diag_inv) {
        *x = *x * *inverse;
    }
    for k in 0..n {
        let (start, depth) = (tree.rowadr[k] as usize, tree.depth[k] as usize);
        let mut sum = x[k];
        for (l, &j) in l[start..].iter().zip(&tree.path[start..][..depth]) {
            sum -= *l * x[j as usize];
        }
        x[k] = sum;
    }
}
