//! Tendon structure: coupled trees, sleep policy and Jacobian sparsity.

use crate::Model;
use crate::math::at;
use sim_types::{SleepPolicy, WrapType};

/// `tendon_treenum`, `tendon_treeid`: the trees that each tendon couples. Needs `body_treeid`.
pub(super) fn trees(m: &mut Model) {
    // last tendon that visited each tree
    let mut visited = vec![usize::MAX; m.ntree];
    for i in 0..m.ntendon {
        let mut count = 0;
        m.tendon_treeid[2 * i..2 * i + 2].fill(-1);
        for w in path(m, i) {
            let tree = wrap_tree(m, w);
            let Ok(index) = usize::try_from(tree) else { continue };
            if visited[index] != i {
                visited[index] = i;
                if count < 2 {
                    m.tendon_treeid[2 * i + count] = tree;
                }
                count += 1;
            }
        }
        m.tendon_treenum[i] = count as i32;
    }
}

/// Sets trees that are coupled by a tendon with passive or actuator forces to never sleep.
pub(super) fn set_sleep_policy(m: &mut Model) {
    for i in 0..m.ntendon {
        let poly = |a: &[f64]| a[2 * i..2 * i + 2].iter().all(|&c| c == 0.0);
        let passive = m.tendon_stiffness[i] == 0.0
            && m.tendon_damping[i] == 0.0
            && poly(&m.tendon_stiffnesspoly)
            && poly(&m.tendon_dampingpoly)
            && m.tendon_actuatorid[i] == -1;
        if m.tendon_treenum[i] > 2 || (m.tendon_treenum[i] == 2 && !passive) {
            never_sleep(m, i);
        }
    }
}

/// Sets the automatic sleep policy of the trees on the path of a tendon to never.
pub(super) fn never_sleep(m: &mut Model, i: usize) {
    for w in path(m, i) {
        if let Ok(tree) = usize::try_from(wrap_tree(m, w))
            && m.tree_sleep_policy[tree] == SleepPolicy::Auto
        {
            m.tree_sleep_policy[tree] = SleepPolicy::AutoNever;
        }
    }
}

/// Sparsity of the tendon Jacobians.
pub(super) fn sparsity(m: &mut Model) {
    let mut adr = 0;
    let mut visited = vec![usize::MAX; m.nbody];
    let mut found = Vec::new();
    for i in 0..m.ntendon {
        columns(m, i, &mut visited, &mut found);
        m.ten_J_rowadr[i] = adr as i32;
        m.ten_J_rownnz[i] = found.len() as i32;
        m.ten_J_colind[adr..adr + found.len()].copy_from_slice(&found);
        adr += found.len();
    }
}

/// Columns of the Jacobian of tendon `i`: the dofs of a fixed tendon, or all dofs that move a site or
/// geom of a spatial tendon. `visited` holds the last tendon that visited each body.
pub(crate) fn columns(m: &Model, i: usize, visited: &mut [usize], columns: &mut Vec<i32>) {
    columns.clear();
    for w in path(m, i) {
        let object = m.wrap_objid[w] as usize;
        let mut body = match m.wrap_type[w] {
            WrapType::Joint => {
                columns.push(m.jnt_dofadr[object]);
                continue;
            }
            WrapType::Site => at(&m.site_bodyid, object),
            WrapType::Sphere | WrapType::Cylinder => at(&m.geom_bodyid, object),
            WrapType::Pulley | WrapType::None => continue,
        };
        while body > 0 && visited[body] != i {
            visited[body] = i;
            let first = m.body_dofadr[body].max(0);
            columns.extend(first..first + m.body_dofnum[body]);
            body = at(&m.body_parentid, body);
        }
    }
    columns.sort_unstable();
}

/// Path elements of a tendon.
fn path(m: &Model, i: usize) -> std::ops::Range<usize> {
    let adr = at(&m.tendon_adr, i);
    adr..adr + at(&m.tendon_num, i)
}

/// Tree of a path element, or −1.
fn wrap_tree(m: &Model, w: usize) -> i32 {
    let object = m.wrap_objid[w] as usize;
    let body = match m.wrap_type[w] {
        WrapType::Joint => m.jnt_bodyid[object],
        WrapType::Site => m.site_bodyid[object],
        WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[object],
        WrapType::Pulley | WrapType::None => return -1,
    };
    m.body_treeid[body as usize]
}
