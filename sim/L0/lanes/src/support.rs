//! Check for model features that lanes do not simulate.

use crate::plan::{MAX_PAIRS, Routine, merged_chain};
use sim_core::fluid::{Medium, has_ellipsoids};
use sim_core::{Model, contact_pairs};
use sim_types::{
    BiasType, Cone, DisableBit, DynType, EnableBit, EqType, GainType, Integrator, JointType,
    SolverType, TransmissionType, WrapType,
};

/// A model feature that lanes do not simulate.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{feature} is not simulated in lanes")]
pub struct Unsupported {
    /// The feature, in words.
    pub feature: String,
}

fn unless(is_supported: bool, feature: impl Into<String>) -> Result<(), Unsupported> {
    if is_supported { Ok(()) } else { Err(Unsupported { feature: feature.into() }) }
}

/// Whether environments of a model can be stepped in lanes.
///
/// # Errors
/// The first feature that is not supported.
pub fn supports(m: &Model) -> Result<(), Unsupported> {
    options(m)?;
    tree(m)?;
    forces(m)?;
    constraints(m)?;
    collisions(m)
}

fn options(m: &Model) -> Result<(), Unsupported> {
    let opt = &m.opt;
    unless(opt.solver != SolverType::Cg, "the solver Cg")?;
    let dual_cone = opt.solver == SolverType::Pgs && opt.cone == Cone::Elliptic;
    unless(!dual_cone, "the solver Pgs with elliptic cones")?;
    let integrator = opt.integrator;
    let known = [Integrator::Euler, Integrator::Rk4, Integrator::ImplicitFast];
    unless(known.contains(&integrator), format!("the integrator {integrator:?}"))?;
    if integrator == Integrator::ImplicitFast {
        // the scalar engine integrates single free bodies by the implicit midpoint rule
        let single = (0..m.njnt).any(|j| {
            let tree = m.body_treeid[m.jnt_bodyid[j].max(0) as usize].max(0) as usize;
            m.jnt_type[j] == JointType::Free && m.tree_dofnum[tree] == 6
        });
        unless(!single, "the integrator ImplicitFast with a single free body")?;
    }
    unless(opt.noslip_iterations == 0, "the no-slip solver")?;
    for (name, bit) in EnableBit::ALL {
        unless(!opt.enabled(bit), format!("the flag `{name}`"))?;
    }
    if Medium::of(m).is_some() {
        let ellipsoids = (1..m.nbody).any(|body| has_ellipsoids(m, body));
        unless(!ellipsoids, "the ellipsoid model of a fluid")?;
        let implicit = integrator == Integrator::ImplicitFast;
        unless(!implicit, "the integrator ImplicitFast with a fluid")?;
    }
    Ok(())
}

fn tree(m: &Model) -> Result<(), Unsupported> {
    unless((1..=64).contains(&m.nv), format!("a model with {} dofs", m.nv))?;
    unless(m.nflex == 0, "a flex")?;
    unless(m.nmocap == 0, "a mocap body")?;
    unless(m.nplugin == 0, "a plugin")?;
    unless(m.ngravcomp == 0, "gravity compensation")
}

fn forces(m: &Model) -> Result<(), Unsupported> {
    unless(m.nhistory == 0, "a delayed actuator or sensor")?;
    unless(m.opt.disableactuator == 0, "a disabled actuator group")?;
    for i in 0..m.nu {
        let target = m.actuator_trnid[2 * i].max(0) as usize;
        let scalar = match m.actuator_trntype[i] {
            TransmissionType::Joint => {
                matches!(m.jnt_type[target], JointType::Hinge | JointType::Slide)
            }
            TransmissionType::Tendon => true,
            _ => false,
        };
        unless(scalar, format!("the transmission of actuator {i}"))?;
        let dynamics = match m.actuator_dyntype[i] {
            DynType::None => m.actuator_actadr[i] < 0,
            DynType::Integrator | DynType::Filter | DynType::FilterExact => {
                m.actuator_actnum[i] == 1
            }
            _ => false,
        };
        unless(dynamics, format!("the dynamics of actuator {i}"))?;
        let gain = matches!(m.actuator_gaintype[i], GainType::Fixed | GainType::Affine);
        unless(gain, format!("the gain of actuator {i}"))?;
        let bias = matches!(m.actuator_biastype[i], BiasType::None | BiasType::Affine);
        unless(bias, format!("the bias of actuator {i}"))?;
    }
    for j in 0..m.njnt {
        let scalar = matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide);
        let spring = m.jnt_stiffness[j] != 0.0 || m.jnt_stiffnesspoly[2 * j..2 * j + 2] != [0.0; 2];
        unless(scalar || !spring, format!("the spring of joint {j}"))?;
        unless(!m.jnt_actgravcomp[j], format!("`actgravcomp` of joint {j}"))?;
    }
    for i in 0..m.ntendon {
        let first = m.tendon_adr[i].max(0) as usize;
        let fixed = m.wrap_type.get(first) == Some(&WrapType::Joint);
        unless(fixed, format!("the spatial tendon {i}"))?;
        unless(m.tendon_armature[i] == 0.0, format!("the armature of tendon {i}"))?;
        unless(!m.tendon_actfrclimited[i], format!("`actfrcrange` of tendon {i}"))?;
        let term = m.tendon_actuatorid[i] == -1;
        unless(term, format!("an actuator with damping or armature on tendon {i}"))?;
    }
    let hooks = &m.hooks;
    let hooked = hooks.cb_passive.is_some()
        || hooks.cb_control.is_some()
        || hooks.cb_contactfilter.is_some()
        || hooks.cb_sensor.is_some();
    unless(!hooked, "a callback")
}

fn constraints(m: &Model) -> Result<(), Unsupported> {
    if m.opt.disabled(DisableBit::Constraint) {
        return Ok(());
    }
    if !m.opt.disabled(DisableBit::Equality) {
        for i in (0..m.neq).filter(|&i| m.eq_active0[i]) {
            let kind = m.eq_type[i];
            let scalar = matches!(kind, EqType::Joint | EqType::Tendon);
            unless(scalar, format!("the equality constraint {i} of type {kind:?}"))?;
        }
    }
    let ball = (0..m.njnt).any(|j| m.jnt_limited[j] && m.jnt_type[j] == JointType::Ball);
    unless(!ball || m.opt.disabled(DisableBit::Limit), "the limit of a ball joint")
}

fn collisions(m: &Model) -> Result<(), Unsupported> {
    if m.opt.disabled(DisableBit::Constraint) || m.opt.disabled(DisableBit::Contact) {
        return Ok(());
    }
    let pairs = contact_pairs(m, MAX_PAIRS)
        .ok_or_else(|| Unsupported { feature: format!("more than {MAX_PAIRS} geom pairs") })?;
    for pair in pairs {
        let kinds = pair.geoms.map(|g| m.geom_type[g]);
        let routine = Routine::of(kinds[0], kinds[1]);
        unless(routine.is_some(), format!("a contact of {:?} and {:?}", kinds[0], kinds[1]))?;
        let triangles = pair.geoms.iter().any(|&g| {
            let mesh = usize::try_from(m.geom_dataid[g]).ok();
            mesh.is_some_and(|mesh| m.mesh_triangles.get(mesh) == Some(&true))
        });
        unless(!triangles, "a mesh that collides by its triangles")?;
        let bodies = pair.geoms.map(|g| m.geom_bodyid[g].max(0) as usize);
        unless(!merged_chain(m, bodies).is_empty(), "a contact of geoms that move together")?;
    }
    Ok(())
}
