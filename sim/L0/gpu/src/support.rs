//! Support check: features that kernels do not support are errors that name them.

use crate::GpuBatchError;
use sim_core::{Capabilities, Model};
use sim_types::{DisableBit, EqType, Integrator, TransmissionType};

/// Checks that kernels support all features of a model.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] names the first unsupported feature.
pub(crate) fn check(m: &Model) -> Result<(), GpuBatchError> {
    options(m)?;
    bodies(m)?;
    actuators(m)?;
    for e in 0..m.neq {
        if !matches!(m.eq_type[e], EqType::Connect | EqType::Weld | EqType::Joint | EqType::Tendon)
        {
            return unsupported(
                format!("equality constraint {e} is a {:?}", m.eq_type[e]),
                USE_CPU,
            );
        }
    }
    Ok(())
}

const USE_CPU: &str = "step it with `BatchSim`";

fn unsupported(what: impl Into<String>, instead: &'static str) -> Result<(), GpuBatchError> {
    Err(GpuBatchError::Unsupported { what: what.into(), instead })
}

fn options(m: &Model) -> Result<(), GpuBatchError> {
    if m.opt.integrator == Integrator::ImplicitEuler {
        return unsupported("its integrator is ImplicitEuler", "write integrator=\"implicit\"");
    }
    if m.opt.iterations <= 0 && !m.opt.disabled(DisableBit::WarmStart) {
        return unsupported("its solver has no iterations", "write iterations=\"1\" or more");
    }
    if m.nhistory > 0 && m.opt.integrator == Integrator::Rk4 {
        return unsupported("delays with Runge–Kutta", "write integrator=\"implicitfast\"");
    }
    let hooks = &m.hooks;
    let has_callbacks = hooks.cb_control.is_some()
        || hooks.cb_passive.is_some()
        || hooks.cb_contactfilter.is_some()
        || hooks.cb_act_dyn.is_some()
        || hooks.cb_act_gain.is_some()
        || hooks.cb_act_bias.is_some();
    if has_callbacks { unsupported("it has callbacks", USE_CPU) } else { Ok(()) }
}

/// Most coordinates, bodies or geoms: tables pack two indices into a word.
const MAX_INDEX: usize = 0x7fff;

fn bodies(m: &Model) -> Result<(), GpuBatchError> {
    for (count, what) in [(m.nq, "coordinates"), (m.nbody, "bodies"), (m.ngeom, "geoms")] {
        if count > MAX_INDEX {
            return unsupported(format!("it has {count} {what}, more than {MAX_INDEX}"), USE_CPU);
        }
    }
    if !m.deformables.is_empty() {
        return unsupported("it has deformable bodies", USE_CPU);
    }
    for instance in 0..m.nplugin {
        let name = m.plugin_name(instance).unwrap_or("unknown");
        if m.plugin_capabilities(instance) != Capabilities::SDF {
            return unsupported(format!("it has plugins (`{name}`)"), USE_CPU);
        }
    }
    if m.nflex > 0 {
        return unsupported("it has flexes", USE_CPU);
    }
    Ok(())
}

fn actuators(m: &Model) -> Result<(), GpuBatchError> {
    for i in 0..m.nu {
        let transmission = matches!(
            m.actuator_trntype[i],
            TransmissionType::Joint
                | TransmissionType::JointInParent
                | TransmissionType::Tendon
                | TransmissionType::Site
                | TransmissionType::SliderCrank
                | TransmissionType::Body
        );
        if !transmission {
            let what = format!("actuator {i} has a {:?} transmission", m.actuator_trntype[i]);
            return unsupported(what, USE_CPU);
        }
    }
    Ok(())
}
