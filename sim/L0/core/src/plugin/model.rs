//! Instances of plugins in a model.

use super::{
    Capabilities, Instance, PluginConfig, PluginError, PluginInstance, PluginRegistry,
    SignedDistance,
};
use crate::Model;
use std::ops::Range;

/// An instance of a plugin cannot be initialized.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("plugin instance {instance}: {error}")]
pub struct PluginInitError {
    /// Index of the instance.
    pub instance: usize,
    /// The error.
    pub error: PluginError,
}

impl Model {
    /// Creates the objects of all plugin instances from `plugin`, `plugin_attr` and the elements that use
    /// them. Call it after a change of these; data of the model need no change.
    ///
    /// `registry` must be the one with which the model was compiled or loaded.
    ///
    /// # Errors
    /// If an instance has an invalid configuration, or its kind is not registered. The model is unchanged
    /// then.
    #[doc(alias = "mj_initPlugin")]
    pub fn init_plugins(&mut self, registry: &PluginRegistry) -> Result<(), PluginInitError> {
        let before = std::mem::replace(&mut self.plugins.kinds, registry.kinds().clone());
        let instances: Result<Vec<_>, _> = (0..self.nplugin)
            .map(|instance| {
                self.make_instance(instance).map_err(|error| PluginInitError { instance, error })
            })
            .collect();
        match instances {
            Ok(instances) => {
                self.plugins.instances = instances.into();
                Ok(())
            }
            Err(error) => {
                self.plugins.kinds = before;
                Err(error)
            }
        }
    }

    fn make_instance(&self, instance: usize) -> Result<Instance, PluginError> {
        let index = self.plugin.get(instance).and_then(|&index| usize::try_from(index).ok());
        let kind = index.and_then(|index| self.plugins.kinds.get(index));
        let kind = kind.ok_or_else(|| PluginError::new("its plugin is not registered"))?;
        let nstate = kind.nstate(&self.plugin_config(instance))?;
        if self.plugin_statenum.get(instance).map(|&n| usize::try_from(n)) != Some(Ok(nstate)) {
            return Err(PluginError::new(format!("plugin_statenum must be {nstate}")));
        }
        let object = kind.init(self, instance)?;
        Ok(Instance { capabilities: kind.capabilities(), needstage: kind.needstage(), object })
    }

    /// Name of the plugin of an instance; `None` if there is no such instance.
    #[must_use]
    pub fn plugin_name(&self, instance: usize) -> Option<&str> {
        let index = usize::try_from(*self.plugin.get(instance)?).ok()?;
        Some(self.plugins.kinds.get(index)?.name())
    }

    /// What the plugin of an instance can compute; nothing if there is no such instance.
    #[must_use]
    pub fn plugin_capabilities(&self, instance: usize) -> Capabilities {
        self.plugins.instances.get(instance).map(|found| found.capabilities).unwrap_or_default()
    }

    /// The configuration of an instance; empty if there is no such instance.
    #[doc(alias = "mj_getPluginConfig")]
    #[must_use]
    pub fn plugin_config(&self, instance: usize) -> PluginConfig {
        let index = self.plugin.get(instance).and_then(|&index| usize::try_from(index).ok());
        let kind = index.and_then(|index| self.plugins.kinds.get(index));
        let start = self.plugin_attradr.get(instance).and_then(|&adr| usize::try_from(adr).ok());
        let bytes = start.and_then(|start| self.plugin_attr.get(start..));
        let (Some(kind), Some(bytes)) = (kind, bytes) else { return PluginConfig::default() };
        let values = bytes.split(|&byte| byte == 0).map(|value| std::str::from_utf8(value));
        let keys = kind.attributes().iter().copied();
        PluginConfig::new(keys.zip(values.map(Result::unwrap_or_default)))
    }

    /// Range of the state of an instance in `Data::plugin_state`; empty if there is no such instance.
    #[must_use]
    pub fn plugin_state_range(&self, instance: usize) -> Range<usize> {
        let entry =
            |array: &[i32]| array.get(instance).and_then(|&x| usize::try_from(x).ok()).unwrap_or(0);
        let start = entry(&self.plugin_stateadr);
        start..start + entry(&self.plugin_statenum)
    }

    /// The object of an instance; `None` if there is no such instance.
    #[must_use]
    pub fn plugin_object(&self, instance: usize) -> Option<&dyn PluginInstance> {
        self.plugins.object(i32::try_from(instance).ok()?)
    }

    /// The signed distance field of the plugin of a geom; `None` without one.
    #[doc(alias = "mjc_getSDF")]
    #[must_use]
    pub fn geom_signed_distance(&self, geom: usize) -> Option<&dyn SignedDistance> {
        self.plugins.signed_distance(*self.geom_plugin.get(geom)?)
    }
}
