//! Kinds of plugins by name.

use super::{Plugin, builtin, shapes};
use std::sync::Arc;

/// The kinds of plugins that models can use; by default those of MuJoCo.
///
/// ```
/// let plugins = sim_core::PluginRegistry::default();
/// assert!(plugins.get("mujoco.pid").is_some());
/// ```
#[derive(Debug, Clone)]
pub struct PluginRegistry(Arc<[Arc<dyn Plugin>]>);

impl Default for PluginRegistry {
    fn default() -> Self {
        let mut kinds = builtin::kinds();
        kinds.extend(shapes::kinds());
        Self(kinds.into())
    }
}

impl PluginRegistry {
    /// Adds a kind; it replaces one of the same name.
    #[doc(alias = "mjp_registerPlugin")]
    pub fn register(&mut self, plugin: impl Plugin + 'static) {
        let plugin: Arc<dyn Plugin> = Arc::new(plugin);
        let mut kinds = self.0.to_vec();
        match kinds.iter_mut().find(|kind| kind.name() == plugin.name()) {
            Some(kind) => *kind = plugin,
            None => kinds.push(plugin),
        }
        self.0 = kinds.into();
    }

    /// The kind with this name, and its index.
    #[doc(alias = "mjp_getPlugin")]
    #[must_use]
    pub fn get(&self, name: &str) -> Option<(usize, &dyn Plugin)> {
        let index = self.0.iter().position(|kind| kind.name() == name)?;
        Some((index, &*self.0[index]))
    }

    /// The names of all kinds.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|kind| kind.name())
    }

    /// All kinds, by index.
    pub(super) fn kinds(&self) -> &Arc<[Arc<dyn Plugin>]> {
        &self.0
    }
}
