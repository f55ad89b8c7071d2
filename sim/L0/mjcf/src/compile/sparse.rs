//! Sparsity of the joint-space inertia M, of its symmetric form D, and of the body-dof matrix B.
//!
//! Dof j is in row i of M when j is an ancestor of i (or i itself). Rows of *simple* dofs keep only
//! their diagonal in M, but not in D.

use super::body::Tree;
use super::lower::{id, index};
use super::nontree::NonTreeElements;
use super::tendon::CompiledTendon;
use sim_core::types::WrapType;
use sim_core::{Model, ModelSizes};

/// `dof_parentid`: parent of each dof, −1 at the root of a tree.
pub(super) fn dof_parents(tree: &Tree<'_>) -> Vec<i32> {
    let mut parents = Vec::new();
    let mut last = vec![-1; tree.bodies.len()];
    for (b, body) in tree.bodies.iter().enumerate() {
        let mut parent = if b == 0 { -1 } else { last[body.parent] };
        for _ in 0..body.dofnum {
            parents.push(parent);
            parent = id(parents.len()) - 1;
        }
        last[b] = parent;
    }
    parents
}

/// `body_simple`: 1 if the inertia block of the body is diagonal, 2 if it also has only slide
/// joints.
pub(super) fn body_simple(tree: &Tree<'_>) -> Vec<u8> {
    use super::math::{EPS, Pose, same_pos};
    use sim_core::types::JointType;
    let mut simple = vec![0; tree.bodies.len()];
    for (b, body) in tree.bodies.iter().enumerate() {
        let parent = &tree.bodies[body.parent];
        let child_of_static = body.parent == 0 || (parent.parent == 0 && parent.dofnum == 0);
        simple[b] = u8::from(body.inertial.same(&Pose::IDENTITY) && child_of_static);
        // A body with children is never simple, except the world.
        if body.parent > 0 {
            simple[body.parent] = 0;
        }
        let joints = &tree.joints[body.joints.clone()];
        let mut rotated = false;
        for j in joints {
            let scalar = matches!(j.spec.jtype, JointType::Hinge | JointType::Slide);
            let aligned = j.axis.iter().filter(|x| x.abs() > EPS).count() == 1;
            if rotated || !same_pos(j.pos, [0.0; 3]) || (scalar && !aligned) {
                simple[b] = 0;
            }
            rotated |= j.is_rotational();
        }
        if simple[b] > 0
            && body.dofnum > 0
            && joints.iter().all(|j| j.spec.jtype == JointType::Slide)
        {
            simple[b] = 2;
        }
    }
    simple
}

/// `dof_simplenum`: number of consecutive simple dofs starting at each dof.
fn simple_runs(tree: &Tree<'_>, simple: &[u8]) -> Vec<i32> {
    let mut runs: Vec<i32> = Vec::new();
    let mut run = 0;
    for (b, body) in tree.bodies.iter().enumerate().rev() {
        for _ in 0..body.dofnum {
            run = if simple[b] > 0 { run + 1 } else { 0 };
            runs.push(run);
        }
    }
    runs.reverse();
    runs
}

/// The ancestors of a dof, itself first.
fn chain(parents: &[i32], dof: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(dof), |&d| usize::try_from(parents[d]).ok())
}

/// Sets `nM`, `nC`, `nD`, `nB` and `ntree`.
pub(super) fn sizes(tree: &Tree<'_>, nontree: &NonTreeElements<'_>, s: &mut ModelSizes) {
    let parents = dof_parents(tree);
    let mut simple = body_simple(tree);
    for body in nontree.tendons.iter().flat_map(CompiledTendon::coupled) {
        simple[body] = 0;
    }
    let runs = simple_runs(tree, &simple);
    s.ntree = parents.iter().filter(|&&p| p < 0).count();
    let depth: Vec<usize> = (0..s.nv).map(|i| chain(&parents, i).count()).collect();
    s.nM = depth.iter().sum();
    s.nD = 2 * s.nM - s.nv;
    s.nC = (0..s.nv).map(|i| if runs[i] > 0 { 1 } else { depth[i] }).sum();
    s.nB = if s.nv == 0 { 0 } else { body_rows(tree).iter().map(Vec::len).sum() };
}

/// Sparsity of B: for each body the dofs of its ancestors and of its subtree.
fn body_rows(tree: &Tree<'_>) -> Vec<Vec<i32>> {
    let n = tree.bodies.len();
    let mut first = vec![0; n];
    let mut end = vec![0; n];
    let mut dofs = 0;
    for (b, body) in tree.bodies.iter().enumerate() {
        first[b] = dofs;
        dofs += body.dofnum;
        end[b] = dofs;
    }
    // Bodies are in depth-first order, so a subtree's dofs are contiguous.
    let mut last = end.clone();
    for b in (1..n).rev() {
        let parent = tree.bodies[b].parent;
        last[parent] = last[parent].max(last[b]);
    }
    (0..n)
        .map(|b| {
            let mut row: Vec<i32> = (first[b]..last[b]).map(id).collect();
            let mut ancestor = tree.bodies[b].parent;
            while ancestor > 0 {
                row.extend((first[ancestor]..end[ancestor]).map(id));
                ancestor = tree.bodies[ancestor].parent;
            }
            row.sort_unstable();
            row
        })
        .collect()
}

/// Fills `dof_simplenum`, `dof_Madr`, the CSR structures of M, D and B, and the maps between them.
pub(super) fn lower(tree: &Tree<'_>, m: &mut Model) {
    let nv = m.nv;
    let parents = m.dof_parentid.clone();
    clear_coupled(m);
    m.dof_simplenum = simple_runs(tree, &m.body_simple);

    // Legacy layout of M: the ancestors of each dof, itself first.
    let mut adr = 0;
    for i in 0..nv {
        m.dof_Madr[i] = id(adr);
        adr += chain(&parents, i).count();
    }

    // M: ancestors in increasing order; D: its symmetric completion.
    let mut m_rows: Vec<Vec<usize>> = Vec::with_capacity(nv);
    let mut d_rows: Vec<Vec<usize>> = vec![Vec::new(); nv];
    for i in 0..nv {
        let full: Vec<usize> = chain(&parents, i).collect();
        for &j in &full {
            d_rows[i].push(j);
            if j != i {
                d_rows[j].push(i);
            }
        }
        let mut row = if m.dof_simplenum[i] > 0 { vec![i] } else { full };
        row.sort_unstable();
        m_rows.push(row);
    }
    for row in &mut d_rows {
        row.sort_unstable();
    }
    csr(&m_rows, &mut m.M_rownnz, &mut m.M_rowadr, &mut m.M_colind);
    csr(&d_rows, &mut m.D_rownnz, &mut m.D_rowadr, &mut m.D_colind);
    if nv > 0 {
        let b_rows: Vec<Vec<usize>> =
            body_rows(tree).into_iter().map(|row| row.into_iter().map(index).collect()).collect();
        csr(&b_rows, &mut m.B_rownnz, &mut m.B_rowadr, &mut m.B_colind);
    }

    let find = |rows: &[Vec<usize>], adr: &[i32], i: usize, j: usize| {
        rows[i].binary_search(&j).map_or(-1, |k| adr[i] + id(k))
    };
    let mut k = 0;
    for (i, row) in d_rows.iter().enumerate() {
        m.D_diag[i] = row.binary_search(&i).map_or(0, id);
        for &j in row {
            m.mapM2D[k] = find(&m_rows, &m.M_rowadr, i.max(j), i.min(j));
            k += 1;
        }
    }
    k = 0;
    for (i, row) in m_rows.iter().enumerate() {
        for &j in row {
            m.mapD2M[k] = find(&d_rows, &m.D_rowadr, i, j);
            let depth = chain(&parents, i).position(|d| d == j).unwrap_or(0);
            m.mapM2M[k] = m.dof_Madr[i] + id(depth);
            k += 1;
        }
    }
}

/// Clears `body_simple` of bodies that a tendon with armature couples.
fn clear_coupled(m: &mut Model) {
    for t in 0..m.ntendon {
        let adr = index(m.tendon_adr[t]);
        for w in adr..adr + index(m.tendon_num[t]) {
            let object = index(m.wrap_objid[w]);
            let body = match m.wrap_type[w] {
                _ if m.tendon_armature[t] == 0.0 => continue,
                WrapType::Site => m.site_bodyid[object],
                WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[object],
                _ => continue,
            };
            m.body_simple[index(body)] = 0;
        }
    }
}

/// Fills a CSR structure from lists of columns.
fn csr(rows: &[Vec<usize>], rownnz: &mut [i32], rowadr: &mut [i32], colind: &mut [i32]) {
    let mut adr = 0;
    for (i, row) in rows.iter().enumerate() {
        rownnz[i] = id(row.len());
        rowadr[i] = id(adr);
        for (to, &j) in colind[adr..].iter_mut().zip(row) {
            *to = id(j);
        }
        adr += row.len();
    }
}
