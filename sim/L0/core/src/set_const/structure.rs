//! Constants computed from the model structure.

use super::{flex, tendon};
use crate::Model;
use crate::math::at;
use sim_types::{SleepPolicy, TransmissionType};

pub(super) fn set(m: &mut Model) {
    subtree_mass(m);
    m.ngravcomp = m.body_gravcomp.iter().filter(|&&g| g > 0.0).count();
    damped_targets(m);
    trees(m);
    tendon::trees(m);
    tendon::sparsity(m);
    flex::set(m);
    sleep_policy(m);
}

/// `body_subtreemass`.
fn subtree_mass(m: &mut Model) {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for i in (1..m.nbody).rev() {
        let parent = at(&m.body_parentid, i);
        m.body_subtreemass[parent] += m.body_subtreemass[i];
    }
}

/// `jnt_actuatorid`, `tendon_actuatorid`: the actuator that adds damping or armature; −1 none, −2
/// several.
fn damped_targets(m: &mut Model) {
    m.jnt_actuatorid.fill(-1);
    m.tendon_actuatorid.fill(-1);
    for i in 0..m.nu {
        let inert = m.actuator_damping[i] == 0.0
            && m.actuator_armature[i] == 0.0
            && m.actuator_dampingpoly[2 * i..2 * i + 2].iter().all(|&c| c == 0.0);
        if inert {
            continue;
        }
        let target = at(&m.actuator_trnid, 2 * i);
        let slot = match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => {
                &mut m.jnt_actuatorid[target]
            }
            TransmissionType::Tendon => &mut m.tendon_actuatorid[target],
            _ => continue,
        };
        *slot = if *slot == -1 { i as i32 } else { -2 };
    }
}

/// Tree of each body, and bodies and dofs of each tree.
fn trees(m: &mut Model) {
    for i in 0..m.nbody {
        let weld = at(&m.body_weldid, i);
        m.body_treeid[i] =
            if m.body_dofnum[weld] > 0 { m.dof_treeid[at(&m.body_dofadr, weld)] } else { -1 };
    }
    m.tree_bodynum.fill(0);
    m.tree_dofnum.fill(0);
    for i in 1..m.nbody {
        if let Ok(tree) = usize::try_from(m.body_treeid[i]) {
            if m.tree_bodynum[tree] == 0 {
                m.tree_bodyadr[tree] = i as i32;
            }
            m.tree_bodynum[tree] += 1;
        }
    }
    for i in 0..m.nv {
        let tree = at(&m.dof_treeid, i);
        if m.tree_dofnum[tree] == 0 {
            m.tree_dofadr[tree] = i as i32;
        }
        m.tree_dofnum[tree] += 1;
    }
}

/// Resolves the automatic sleep policy: never for actuated trees, allowed for others.
fn sleep_policy(m: &mut Model) {
    for i in 0..m.nu {
        let target = at(&m.actuator_trnid, 2 * i);
        let body = match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => at(&m.jnt_bodyid, target),
            TransmissionType::Site | TransmissionType::SliderCrank => at(&m.site_bodyid, target),
            TransmissionType::Body => target,
            TransmissionType::Tendon => {
                tendon::never_sleep(m, target);
                continue;
            }
            TransmissionType::Undefined => continue,
        };
        if let Ok(tree) = usize::try_from(m.body_treeid[body])
            && m.tree_sleep_policy[tree] == SleepPolicy::Auto
        {
            m.tree_sleep_policy[tree] = SleepPolicy::AutoNever;
        }
    }
    tendon::set_sleep_policy(m);
    flex::set_sleep_policy(m);
    for policy in &mut m.tree_sleep_policy {
        if *policy == SleepPolicy::Auto {
            *policy = SleepPolicy::AutoAllowed;
        }
    }
}
