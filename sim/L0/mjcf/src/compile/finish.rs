//! Final passes on a filled model: sparsity, trees, mass scaling, `mj_setConst`, statistics, visualization
//! settings.

use super::body::Tree;
use super::lower::index;
use super::sparse;
use super::visual::visual;
use crate::spec::Spec;
use sim_core::types::MINVAL;
use sim_core::{Model, mj_set_const};

/// Computes all derived fields of a model.
pub(super) fn finish(spec: &Spec, tree: &Tree<'_>, m: &mut Model) {
    m.body_simple = sparse::body_simple(tree);
    sparse::lower(tree, m);
    trees(m);
    sleep_policy(tree, m);
    total_mass(spec.compiler.settotalmass, m);
    mj_set_const(m);
    spring_dampers(tree, m);
    statistic(spec, m);
    m.vis = visual(spec);
}

/// Computes `dof_treeid`; [`mj_set_const`] derives the other tree fields from it.
fn trees(m: &mut Model) {
    let mut tree = -1;
    for i in 0..m.nv {
        tree += i32::from(m.dof_parentid[i] < 0);
        m.dof_treeid[i] = tree;
    }
}

/// Sleep policy of each tree, from its first moving body.
fn sleep_policy(tree: &Tree<'_>, m: &mut Model) {
    for (i, b) in tree.bodies.iter().enumerate().filter(|(_, b)| b.dofnum > 0) {
        let dof = index(m.body_dofadr[i]);
        if m.dof_parentid[dof] < 0 {
            m.tree_sleep_policy[index(m.dof_treeid[dof])] = b.spec.sleep;
        }
    }
}

/// Scales masses and inertias to `settotalmass`.
fn total_mass(total: f64, m: &mut Model) {
    if total <= 0.0 {
        return;
    }
    let sum: f64 = m.body_mass[1..].iter().sum();
    let scale = (total / sum.max(MINVAL)).max(MINVAL);
    for mass in &mut m.body_mass[1..] {
        *mass *= scale;
    }
    for inertia in &mut m.body_inertia[3..] {
        *inertia *= scale;
    }
}

/// Joint stiffness and damping from `springdamper` (time constant, damping ratio), with the inertia
/// in the reference configuration.
fn spring_dampers(tree: &Tree<'_>, m: &mut Model) {
    for (j, joint) in tree.joints.iter().enumerate() {
        let [timeconst, ratio] = joint.spec.springdamper;
        if timeconst <= 0.0 || ratio <= 0.0 {
            continue;
        }
        let dofs = index(m.jnt_dofadr[j])..index(m.jnt_dofadr[j]) + joint.nv();
        let mobility: f64 = m.dof_invweight0[dofs.clone()].iter().sum();
        let count = dofs.len() as f64;
        let inertia = count / mobility.max(MINVAL);
        m.jnt_stiffness[j] = inertia / (timeconst * timeconst * ratio * ratio).max(MINVAL);
        m.dof_damping[dofs].fill(2.0 * inertia / timeconst.max(MINVAL));
    }
}

/// Overrides computed statistics by those of `<statistic>`.
fn statistic(spec: &Spec, m: &mut Model) {
    let s = &spec.statistic;
    let stat = &mut m.stat;
    stat.meaninertia = s.meaninertia.unwrap_or(stat.meaninertia);
    stat.meanmass = s.meanmass.unwrap_or(stat.meanmass);
    stat.meansize = s.meansize.unwrap_or(stat.meansize);
    stat.extent = s.extent.unwrap_or(stat.extent);
    stat.center = s.center.unwrap_or(stat.center);
}
