//! Compilation of plugins (mjCPlugin): instances, their configuration, and references of elements to them.
//!
//! Named instances and those of single elements are numbered in the order in which they were read.

use super::Context;
use super::body::Tree;
use super::lower::{id, optional};
use super::symbols::SymbolTable;
use crate::error::ErrorKind;
use crate::schema::nearest;
use crate::spec::{Origin, Plugin, PluginRef};
use sim_core::types::SensorStage;
use sim_core::{Capabilities, Model, ModelSizes, PluginConfig, PluginError, SignedDistance};
use std::collections::HashMap;
use std::sync::Arc;

/// Maximum number of state values of an instance, and of readings of a sensor.
const MAX_VALUES: usize = 1 << 28;

/// A compiled instance.
#[derive(Debug)]
pub(super) struct CompiledPlugin<'a> {
    pub(super) name: &'a str,
    plugin: &'a str,
    origin: Origin,
    /// Index of its plugin in the registry.
    kind: usize,
    config: PluginConfig,
    /// Values in the order of the plugin's attributes, each terminated by zero.
    attr: Vec<u8>,
    nstate: usize,
}

/// All instances.
#[derive(Debug, Default)]
pub(super) struct Plugins<'a> {
    pub(super) list: Vec<CompiledPlugin<'a>>,
    named: HashMap<&'a str, usize>,
    /// Instance of each element that has its own, by the address of its reference.
    own: HashMap<*const PluginRef, usize>,
}

/// Instances of the elements of the tree.
#[derive(Debug)]
pub(super) struct Users {
    bodies: Vec<Option<usize>>,
    geoms: Vec<Option<usize>>,
}

/// An instance before it is compiled.
struct Source<'a> {
    name: &'a str,
    plugin: &'a str,
    config: &'a [(String, String)],
    origin: Origin,
    /// The reference of the element that has it, if it is not named.
    element: Option<&'a PluginRef>,
}

/// Compiles all instances and reports errors.
pub(super) fn compile<'a>(context: &mut Context<'a, '_>, symbols: &SymbolTable<'a>) -> Plugins<'a> {
    let spec = context.spec;
    for extension in &spec.extensions {
        known(context, &extension.plugin, extension.origin);
    }
    let named = spec.plugins.iter().map(|p: &Plugin| Source {
        name: &p.name,
        plugin: &p.plugin,
        config: &p.config,
        origin: p.origin,
        element: None,
    });
    let bodies = || symbols.bodies.iter().map(|b| &spec.bodies[b.0]);
    let elements = (spec.meshes.iter().filter_map(|m| m.plugin.as_deref()))
        .chain(spec.actuators.iter().filter_map(|a| a.plugin.as_deref()))
        .chain(spec.sensors.iter().filter_map(|s| s.plugin.as_deref()))
        .chain(bodies().filter_map(|b| b.plugin.as_deref()))
        .chain(bodies().flat_map(|b| &b.geoms).filter_map(|g| g.plugin.as_deref()));
    let own = elements.filter(|p| p.instance.is_empty()).map(|p| Source {
        name: "",
        plugin: &p.plugin,
        config: &p.config,
        origin: p.origin,
        element: Some(p),
    });
    let mut sources: Vec<Source<'a>> = named.chain(own).collect();
    sources.sort_by_key(|source| source.origin.0);
    let mut plugins = Plugins::default();
    for source in sources {
        let Some(compiled) = instance(context, &source) else { continue };
        let index = plugins.list.len();
        match source.element {
            Some(element) => drop(plugins.own.insert(std::ptr::from_ref(element), index)),
            None if plugins.named.insert(source.name, index).is_some() => {
                let message = format!("repeated name `{}` of a plugin instance", source.name);
                context.invalid(source.origin, "instance", Some("name"), message);
            }
            None => {}
        }
        plugins.list.push(compiled);
    }
    plugins
}

/// Whether a plugin is registered; reports an unknown name.
fn known(context: &mut Context<'_, '_>, name: &str, origin: Origin) -> bool {
    let registry = context.spec.loader.plugins();
    if registry.get(name).is_some() {
        return true;
    }
    let names: Vec<&str> = registry.names().collect();
    let hint = nearest(name, names.iter().copied());
    let hint = hint.map_or_else(String::new, |nearest| format!(" (did you mean `{nearest}`?)"));
    let message =
        format!("unknown plugin `{name}`{hint}; the known plugins are {}", names.join(", "));
    context.invalid(origin, "plugin", Some("plugin"), message);
    false
}

fn instance<'a>(context: &mut Context<'a, '_>, source: &Source<'a>) -> Option<CompiledPlugin<'a>> {
    let element = if source.element.is_some() { "plugin" } else { "instance" };
    let declared = context.spec.extensions.iter().any(|e| e.plugin == source.plugin);
    if !declared {
        let name = source.plugin;
        let message =
            format!("`{name}` is not declared: add <plugin plugin=\"{name}\"/> to <extension>");
        context.invalid(source.origin, element, Some("plugin"), message);
        return None;
    }
    let registry = context.spec.loader.plugins();
    // an unknown plugin is reported where it is declared
    let (kind, plugin) = registry.get(source.plugin)?;
    let keys = plugin.attributes();
    if let Some((key, _)) = source.config.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
        let suggestion = nearest(key, keys.iter().copied());
        let hint = suggestion.map_or_else(
            || format!("; its keys are {}", keys.join(", ")),
            |suggestion| format!("; did you mean `{suggestion}`?"),
        );
        let message = format!("`{key}` is not a key of {}{hint}", source.plugin);
        context.invalid(source.origin, "config", Some("key"), message);
        return None;
    }
    let value = |key: &str| source.config.iter().find(|entry| entry.0 == key).map_or("", |e| &e.1);
    let config = PluginConfig::new(keys.iter().map(|&key| (key, value(key))));
    let mut attr: Vec<u8> = Vec::new();
    for key in keys {
        attr.extend_from_slice(value(key).as_bytes());
        attr.push(0);
    }
    if keys.is_empty() {
        attr.push(0);
    }
    let nstate = match plugin.nstate(&config) {
        Ok(n) if n <= MAX_VALUES => n,
        Ok(n) => {
            let message = format!("{n} state values exceed the maximum of {MAX_VALUES}");
            context.invalid(source.origin, element, None, message);
            return None;
        }
        Err(error) => {
            report(context, source.origin, element, &error);
            return None;
        }
    };
    let (name, plugin, origin) = (source.name, source.plugin, source.origin);
    Some(CompiledPlugin { name, plugin, origin, kind, config, attr, nstate })
}

/// Reports an error of a plugin.
fn report(context: &mut Context<'_, '_>, origin: Origin, element: &str, error: &PluginError) {
    context.invalid(origin, element, None, error.to_string());
}

impl Plugins<'_> {
    /// Instance of an element, `None` without one; reports an unknown name and a missing capability.
    pub(super) fn find(
        &self,
        context: &mut Context<'_, '_>,
        reference: Option<&PluginRef>,
        (capability, what): (Capabilities, &str),
    ) -> Option<usize> {
        let reference = reference?;
        let (origin, name) = (reference.origin, reference.instance.as_str());
        let index = if name.is_empty() {
            *self.own.get(&std::ptr::from_ref(reference))?
        } else {
            let Some(&index) = self.named.get(name) else {
                let suggestion = nearest(name, self.named.keys().copied()).map(ToOwned::to_owned);
                let kind = ErrorKind::UnknownName {
                    kind: "plugin instance",
                    name: name.to_owned(),
                    suggestion,
                };
                context.error(origin, "plugin", Some("instance"), kind);
                return None;
            };
            index
        };
        let instance = &self.list[index];
        if !reference.plugin.is_empty() && reference.plugin != instance.plugin {
            let message = format!("the instance `{name}` belongs to {}", instance.plugin);
            context.invalid(origin, "plugin", Some("plugin"), message);
            return None;
        }
        let (_, kind) = context.spec.loader.plugins().get(instance.plugin)?;
        if !kind.capabilities().contains(capability) {
            let message = format!("{} does not provide {what}", instance.plugin);
            context.invalid(origin, "plugin", Some("plugin"), message);
            return None;
        }
        Some(index)
    }

    /// Number of readings and stage of a sensor of an instance.
    pub(super) fn sensor(
        &self,
        context: &mut Context<'_, '_>,
        index: usize,
        origin: Origin,
    ) -> Option<(usize, SensorStage)> {
        let instance = self.list.get(index)?;
        let (_, kind) = context.spec.loader.plugins().get(instance.plugin)?;
        match kind.nsensordata(&instance.config) {
            Ok(n) if n <= MAX_VALUES => Some((n, kind.needstage())),
            Ok(n) => {
                let message = format!("{n} readings exceed the maximum of {MAX_VALUES}");
                context.invalid(origin, "plugin", None, message);
                None
            }
            Err(error) => {
                report(context, origin, "plugin", &error);
                None
            }
        }
    }

    /// The signed distance field of an instance; reports an invalid configuration.
    pub(super) fn signed_distance(
        &self,
        context: &mut Context<'_, '_>,
        index: usize,
        origin: Origin,
    ) -> Option<Arc<dyn SignedDistance>> {
        let instance = self.list.get(index)?;
        let (_, kind) = context.spec.loader.plugins().get(instance.plugin)?;
        match kind.signed_distance(&instance.config) {
            Ok(field) => field,
            Err(error) => {
                report(context, origin, "plugin", &error);
                None
            }
        }
    }

    /// Sets the sizes of the model's arrays.
    pub(super) fn sizes(&self, s: &mut ModelSizes) {
        s.nplugin = self.list.len();
        s.npluginattr = self.list.iter().map(|p| p.attr.len()).sum();
        s.npluginstate = self.list.iter().map(|p| p.nstate).sum();
    }

    /// Instances of the bodies and geoms of the tree.
    pub(super) fn users(&self, context: &mut Context<'_, '_>, tree: &Tree<'_>) -> Users {
        let passive = (Capabilities::PASSIVE, "passive forces");
        let sdf = (Capabilities::SDF, "distance fields");
        let mut find = |plugin: &Option<Box<PluginRef>>, capability| {
            self.find(context, plugin.as_deref(), capability)
        };
        Users {
            bodies: tree.bodies.iter().map(|b| find(&b.spec.plugin, passive)).collect(),
            geoms: tree.geoms.iter().map(|g| find(&g.spec.plugin, sdf)).collect(),
        }
    }

    /// Fills the plugin arrays of the model.
    pub(super) fn lower(&self, users: &Users, m: &mut Model) {
        for (plugin, &instance) in m.body_plugin.iter_mut().zip(&users.bodies) {
            *plugin = optional(instance);
        }
        for (plugin, &instance) in m.geom_plugin.iter_mut().zip(&users.geoms) {
            *plugin = optional(instance);
        }
        let (mut attr, mut state) = (0, 0);
        for (i, p) in self.list.iter().enumerate() {
            m.plugin[i] = id(p.kind);
            m.plugin_attradr[i] = id(attr);
            m.plugin_attr[attr..attr + p.attr.len()].copy_from_slice(&p.attr);
            attr += p.attr.len();
            m.plugin_stateadr[i] = id(state);
            m.plugin_statenum[i] = id(p.nstate);
            state += p.nstate;
        }
    }

    /// Creates the objects of all instances; reports errors at the instance.
    pub(super) fn init(&self, context: &mut Context<'_, '_>, m: &mut Model) {
        if let Err(error) = m.init_plugins(context.spec.loader.plugins()) {
            let Some(instance) = self.list.get(error.instance) else { return };
            let element = if instance.name.is_empty() { "plugin" } else { "instance" };
            report(context, instance.origin, element, &error.error);
        }
    }
}
