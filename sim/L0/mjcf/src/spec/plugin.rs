//! Plugins: declared kinds, named instances, and references of elements to them (mjsPlugin).

use super::Origin;

/// A kind of plugin that a model uses (`extension/plugin`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Extension {
    /// Name of the plugin.
    pub plugin: String,
    /// Source location.
    pub origin: Origin,
}

/// An instance of a plugin to which elements refer by name (`extension/plugin/instance`).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plugin {
    /// Name of the instance.
    pub name: String,
    /// Name of the plugin.
    pub plugin: String,
    /// Keys and values of the configuration.
    pub config: Vec<(String, String)>,
    /// Source location.
    pub origin: Origin,
}

/// The plugin of a body, geom, mesh, actuator or sensor: a named instance, or an instance of its own.
///
/// ```
/// use sim_mjcf::spec::PluginRef;
/// let shared = PluginRef::instance("torus");
/// let own = PluginRef::new("mujoco.pid").with("kp", "4").with("kd", "0.4");
/// assert_eq!((shared.instance.as_str(), own.plugin.as_str()), ("torus", "mujoco.pid"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PluginRef {
    /// Name of the plugin; may be empty with a named instance.
    pub plugin: String,
    /// Name of the instance; empty for an instance of its own.
    pub instance: String,
    /// Keys and values of the configuration of an instance of its own.
    pub config: Vec<(String, String)>,
    /// Source location.
    pub origin: Origin,
}

impl PluginRef {
    /// A reference to a named instance.
    #[must_use]
    pub fn instance(name: impl Into<String>) -> Self {
        Self { instance: name.into(), ..Self::default() }
    }

    /// An instance of its own of a plugin.
    #[must_use]
    pub fn new(plugin: impl Into<String>) -> Self {
        Self { plugin: plugin.into(), ..Self::default() }
    }

    /// Sets a value of the configuration.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.config.push((key.into(), value.into()));
        self
    }
}
