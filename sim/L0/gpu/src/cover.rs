//! What a model may need and kernels cannot do: each is refused by name.

use crate::GpuBatchError;
use sim_core::Model;
use sim_types::{
    BiasType, DisableBit, DynType, EnableBit, EqType, GainType, Integrator, TransmissionType,
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
    if m.opt.iterations <= 0 && !m.opt.disabled(DisableBit::WarmStart) {
        return refuse("its solver has no iterations", "write iterations=\"1\" or more");
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

/// Most coordinates, bodies or geoms: tables keep two indices in a word.
const MOST: usize = 0x7fff;

fn bodies(m: &Model) -> Result<(), GpuBatchError> {
    for (count, what) in [(m.nq, "coordinates"), (m.nbody, "bodies"), (m.ngeom, "geoms")] {
        if count > MOST {
            return refuse(format!("it has {count} {what}, more than {MOST}"), ELSEWHERE);
        }
    }
    if !m.deformables.is_empty() {
        return refuse("it has deformable bodies", ELSEWHERE);
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
    }
    Ok(())
}

fn actuators(m: &Model) -> Result<(), GpuBatchError> {
    for i in 0..m.nu {
        let drives = matches!(
            m.actuator_trntype[i],
            TransmissionType::Joint
                | TransmissionType::JointInParent
                | TransmissionType::Tendon
                | TransmissionType::Site
        );
        if !drives {
            let what = format!("actuator {i} drives a {:?}", m.actuator_trntype[i]);
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
    }
    Ok(())
}
