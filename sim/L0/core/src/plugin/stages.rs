//! Calls of plugins from the stages of the pipeline.

use super::Capabilities;
use crate::{Data, Model};
use sim_types::SensorStage;

/// Calls `f` with every instance that has a capability.
fn each(m: &Model, capability: Capabilities, mut f: impl FnMut(&dyn super::PluginInstance)) {
    for instance in m.plugins.instances.iter() {
        if instance.capabilities.contains(capability) {
            f(&*instance.object);
        }
    }
}

/// Resets the state of all instances.
pub(crate) fn reset(m: &Model, d: &mut Data) {
    for (i, instance) in m.plugins.instances.iter().enumerate() {
        if let Some(state) = d.plugin_state.get_mut(m.plugin_state_range(i)) {
            instance.object.reset(m, state);
        }
    }
}

/// Adds the passive forces of plugins to `qfrc_passive`.
pub(crate) fn passive(m: &Model, d: &mut Data) {
    each(m, Capabilities::PASSIVE, |plugin| plugin.compute(m, d, Capabilities::PASSIVE));
}

/// Computes `act_dot` of the actuators of plugins.
pub(crate) fn act_dot(m: &Model, d: &mut Data) {
    each(m, Capabilities::ACTUATOR, |plugin| plugin.actuator_act_dot(m, d));
}

/// Computes `actuator_force` of the actuators of plugins, in disabled groups too, as in MuJoCo.
pub(crate) fn actuators(m: &Model, d: &mut Data) {
    each(m, Capabilities::ACTUATOR, |plugin| plugin.compute(m, d, Capabilities::ACTUATOR));
}

/// Whether instance `i` computes sensors of a stage.
pub(crate) fn senses(m: &Model, i: usize, stage: SensorStage) -> bool {
    m.plugins.instances.get(i).is_some_and(|instance| {
        let needstage = match instance.needstage {
            SensorStage::None => SensorStage::Pos,
            stage => stage,
        };
        needstage == stage && instance.capabilities.contains(Capabilities::SENSOR)
    })
}

/// Computes the sensors of instance `i`.
pub(crate) fn sense(m: &Model, d: &mut Data, i: usize) {
    if let Some(instance) = m.plugins.instances.get(i) {
        instance.object.compute(m, d, Capabilities::SENSOR);
    }
}

/// Advances the state of all instances.
pub(crate) fn advance(m: &Model, d: &mut Data) {
    for instance in m.plugins.instances.iter() {
        instance.object.advance(m, d);
    }
}
