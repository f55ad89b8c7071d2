//! `extension` section, and the `plugin` element of bodies, geoms, meshes, actuators and sensors.

use super::Reader;
use crate::error::ErrorKind;
use crate::spec::{Extension, Plugin, PluginRef};
use crate::xml::NodeId;

impl Reader<'_> {
    pub(super) fn extension(&mut self, section: NodeId) {
        for id in self.children(section) {
            let mut extension = Extension { origin: self.origin(id), ..Extension::default() };
            self.text(id, "plugin", &mut extension.plugin);
            for child in self.children(id) {
                let (plugin, origin) = (extension.plugin.clone(), self.origin(child));
                let mut instance = Plugin { plugin, origin, ..Plugin::default() };
                if !self.text(child, "name", &mut instance.name) || instance.name.is_empty() {
                    self.error(child, Some("name"), ErrorKind::MissingAttribute);
                }
                instance.config = self.plugin_config(child);
                self.spec.plugins.push(instance);
            }
            self.spec.extensions.push(extension);
        }
    }

    /// Keys and values of the `config` children of an element.
    fn plugin_config(&mut self, id: NodeId) -> Vec<(String, String)> {
        let mut config: Vec<(String, String)> = Vec::new();
        for child in self.children(id) {
            let [mut key, mut value] = [String::new(), String::new()];
            for (attribute, target) in [("key", &mut key), ("value", &mut value)] {
                if !self.text(child, attribute, target) {
                    self.error(child, Some(attribute), ErrorKind::MissingAttribute);
                }
            }
            if config.iter().any(|entry| entry.0 == key) {
                self.invalid(child, Some("key"), format!("`{key}` is set twice"));
            }
            config.push((key, value));
        }
        config
    }

    /// The plugin of an element with the attributes `plugin` and `instance`.
    pub(super) fn plugin_ref(&mut self, id: NodeId) -> Box<PluginRef> {
        let mut plugin = PluginRef { origin: self.origin(id), ..PluginRef::default() };
        self.text(id, "plugin", &mut plugin.plugin);
        self.text(id, "instance", &mut plugin.instance);
        plugin.config = self.plugin_config(id);
        if plugin.plugin.is_empty() && plugin.instance.is_empty() {
            self.invalid(id, None, "requires `plugin` or `instance`");
        }
        if !plugin.instance.is_empty() && !plugin.config.is_empty() {
            let message =
                "a named instance is configured in <extension>: remove the <config> elements";
            self.invalid(id, Some("instance"), message);
        }
        Box::new(plugin)
    }

    /// Names an instance so that several elements can refer to it.
    pub(super) fn share_plugin(&mut self, plugin: &mut PluginRef, name: impl FnOnce() -> String) {
        if plugin.instance.is_empty() {
            plugin.instance = name();
            self.spec.plugins.push(Plugin {
                name: plugin.instance.clone(),
                plugin: plugin.plugin.clone(),
                config: std::mem::take(&mut plugin.config),
                origin: plugin.origin,
            });
        }
    }

    /// The plugin among the children of an element.
    pub(super) fn plugin_child(&mut self, id: NodeId) -> Option<Box<PluginRef>> {
        let children = self.children(id).into_iter();
        let mut plugins = children.filter(|&child| self.dom.node(child).name == "plugin");
        let (first, second) = (plugins.next()?, plugins.next());
        if let Some(second) = second {
            let parent = self.name(id).to_owned();
            self.error(second, None, ErrorKind::Repeated { parent });
        }
        Some(self.plugin_ref(first))
    }
}
