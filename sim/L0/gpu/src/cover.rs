//! What a model may need and kernels cannot do: each is refused by name.

use crate::GpuBatchError;
use sim_core::Model;
use sim_types::{
    BiasType, DynType, EnableBit, EqType, GainType, Integrator, JointType, TransmissionType,
    WrapType,
};

/// Refuses a model that needs what kernels cannot do.
pub(crate) fn check(m: &Model) -> Result<(), GpuBatchError> {
    options(m)?;
    bodies(m)?;
    tendons(m)?;
    actuators(m)?;
    for e in 0..m.neq {
        if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld | EqType::Joint | EqType::Tendon)
        {
            return refuse(format!("equality constraint {e} is a {:?}", m.eq_type[e]), ELSEWHERE);
        }
    }
    Ok(())
}

const ELSEWHERE: &str = "step it with `BatchSim`";

fn refuse(what: impl Into<String>, instead: &'static str) -> Result<(), GpuBatchError> {
    Err(GpuBatchError::Unsupported { what: what.into(), instead })
}

fn options(m: &Model) -> Result<(), GpuBatchError> {
    if m.nv == 0 {
        return refuse("it has no joints", "there is nothing to step");
    }
    if !matches!(m.opt.integrator, Integrator::Euler | Integrator::ImplicitFast) {
        let what = format!("its integrator is {:?}", m.opt.integrator);
        return refuse(what, "write integrator=\"Euler\" or \"implicitfast\"");
    }
    if m.opt.noslip_iterations > 0 {
        return refuse("it asks for noslip iterations", "write noslip_iterations=\"0\"");
    }
    if m.opt.density != 0.0 || m.opt.viscosity != 0.0 {
        return refuse("it moves in a fluid", ELSEWHERE);
    }
    if m.opt.enabled(EnableBit::Sleep) {
        return refuse("its bodies may sleep", "write <flag sleep=\"disable\"/>");
    }
    let hooks = &m.hooks;
    let called = hooks.cb_control.is_some()
        || hooks.cb_passive.is_some()
        || hooks.cb_contactfilter.is_some()
        || hooks.cb_act_dyn.is_some()
        || hooks.cb_act_gain.is_some()
        || hooks.cb_act_bias.is_some();
    if called { refuse("it calls functions of yours", ELSEWHERE) } else { Ok(()) }
}

fn bodies(m: &Model) -> Result<(), GpuBatchError> {
    if !m.deformables.is_empty() {
        return refuse("it has deformable bodies", ELSEWHERE);
    }
    if m.nmocap > 0 {
        return refuse("it has mocap bodies", ELSEWHERE);
    }
    if m.jnt_actgravcomp.contains(&true) {
        return refuse("a joint takes gravity compensation for actuator force", ELSEWHERE);
    }
    if m.jnt_stiffnesspoly.iter().chain(&m.dof_dampingpoly).any(|&c| c != 0.0) {
        return refuse("a joint has a spring or damper of higher order", ELSEWHERE);
    }
    // these move by a rule of their own under implicit integration
    let alone = |j: usize| {
        let body = m.jnt_bodyid[j] as usize;
        m.jnt_type[j] == JointType::Free
            && !m.body_parentid.iter().enumerate().any(|(b, &p)| b > 0 && p as usize == body)
    };
    if m.opt.integrator == Integrator::ImplicitFast && (0..m.njnt).any(alone) {
        return refuse("implicitfast moves single free bodies", "write integrator=\"Euler\"");
    }
    Ok(())
}

fn tendons(m: &Model) -> Result<(), GpuBatchError> {
    for t in 0..m.ntendon {
        let first = m.tendon_adr[t] as usize;
        let path = &m.wrap_type[first..first + m.tendon_num[t] as usize];
        if path.iter().any(|&kind| kind != WrapType::Joint) {
            return refuse(format!("tendon {t} goes through space"), ELSEWHERE);
        }
        if m.tendon_armature[t] != 0.0 {
            return refuse(format!("tendon {t} has armature"), ELSEWHERE);
        }
        if m.tendon_frictionloss[t] != 0.0 {
            return refuse(format!("tendon {t} has dry friction"), ELSEWHERE);
        }
        if m.tendon_actfrclimited[t] {
            return refuse(format!("tendon {t} limits the force of its actuators"), ELSEWHERE);
        }
    }
    if m.tendon_stiffnesspoly.iter().chain(&m.tendon_dampingpoly).any(|&c| c != 0.0) {
        return refuse("a tendon has a spring or damper of higher order", ELSEWHERE);
    }
    Ok(())
}

fn actuators(m: &Model) -> Result<(), GpuBatchError> {
    for i in 0..m.nu {
        let target = m.actuator_trnid[2 * i].max(0) as usize;
        let drives = match m.actuator_trntype[i] {
            TransmissionType::Joint | TransmissionType::JointInParent => {
                matches!(m.jnt_type[target], JointType::Hinge | JointType::Slide)
            }
            TransmissionType::Tendon => true,
            _ => false,
        };
        if !drives {
            let what = format!("actuator {i} does not drive a hinge, a slide or a fixed tendon");
            return refuse(what, ELSEWHERE);
        }
        let plain = matches!(m.actuator_gaintype[i], GainType::Fixed | GainType::Affine)
            && matches!(m.actuator_biastype[i], BiasType::None | BiasType::Affine)
            && matches!(
                m.actuator_dyntype[i],
                DynType::None | DynType::Integrator | DynType::Filter | DynType::FilterExact
            )
            && m.actuator_plugin[i] < 0
            && m.actuator_actnum[i] <= 1;
        if !plain {
            return refuse(format!("actuator {i} is a muscle, a motor or your own"), ELSEWHERE);
        }
        if m.actuator_historyadr[i] >= 0 || m.actuator_delay[i] != 0.0 {
            return refuse(format!("actuator {i} acts with delay"), ELSEWHERE);
        }
        let lent = m.actuator_armature[i] != 0.0
            || m.actuator_damping[i] != 0.0
            || m.actuator_dampingpoly[2 * i..2 * i + 2].iter().any(|&c| c != 0.0);
        if lent {
            return refuse(format!("actuator {i} has armature or damping of its own"), ELSEWHERE);
        }
    }
    Ok(())
}
