//! `extension` section, and the plugins of elements.

use super::Writer;
use super::element::{Attributes, Document};
use crate::spec::PluginRef;

impl Writer<'_> {
    /// Writes the plugins with their named instances.
    pub(super) fn extension(&self, doc: &mut Document) {
        let spec = self.spec;
        doc.section("extension", |doc| {
            let mut written: Vec<&str> = Vec::new();
            // instances are numbered in the order in which they are read
            for group in spec.plugins.chunk_by(|a, b| a.plugin == b.plugin) {
                open(doc, &group[0].plugin);
                for instance in group {
                    let mut a = Attributes::default();
                    a.text("name", instance.name.as_str());
                    doc.open("instance", &a);
                    config(doc, &instance.config);
                    doc.close();
                }
                doc.close();
                written.push(&group[0].plugin);
            }
            for extension in &spec.extensions {
                if !written.contains(&extension.plugin.as_str()) {
                    open(doc, &extension.plugin);
                    doc.close();
                }
            }
        });
    }
}

fn open(doc: &mut Document, plugin: &str) {
    let mut a = Attributes::default();
    a.text("plugin", plugin);
    doc.open("plugin", &a);
}

/// Writes the values of a configuration.
pub(super) fn config(doc: &mut Document, config: &[(String, String)]) {
    for (key, value) in config {
        let mut a = Attributes::default();
        a.text("key", key.as_str());
        a.text("value", value.as_str());
        doc.element("config", &a);
    }
}

/// Attributes of a reference to a plugin.
pub(super) fn attributes(plugin: &PluginRef, a: &mut Attributes) {
    a.word("plugin", &plugin.plugin);
    a.word("instance", &plugin.instance);
}

/// Writes the plugin of an element as its child.
pub(super) fn child(doc: &mut Document, plugin: Option<&PluginRef>) {
    let Some(plugin) = plugin else { return };
    let mut a = Attributes::default();
    attributes(plugin, &mut a);
    doc.open("plugin", &a);
    config(doc, &plugin.config);
    doc.close();
}
