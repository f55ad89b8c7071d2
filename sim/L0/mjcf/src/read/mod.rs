//! Reader: XML tree to [`Spec`], with default classes applied (mjXReader).
//!
//! The tree has been validated against the schema, so numbers parse and keywords are known; only
//! conditions beyond the schema are checked here.

mod actuator;
mod asset;
mod attach;
mod attributes;
mod composite;
mod contact;
mod custom;
mod defaults;
mod equality;
mod flex;
mod flexcomp;
mod keyframe;
mod length_range;
mod plugin;
mod sensor;
mod settings;
mod shortcut;
mod skin;
mod tendon;
mod tree;
mod xpbd;

pub(crate) use sensor::sensor_element;

use crate::Loader;
use crate::error::{ErrorKind, Report};
use crate::schema::nearest;
use crate::spec::{DefaultId, Origin, OriginRecord, Spec};
use crate::xml::{Dom, NodeId};
use std::collections::HashMap;

/// Reader of one section.
type Section<'a> = fn(&mut Reader<'a>, NodeId);

/// Reads a validated tree.
pub(crate) fn read<'a>(
    dom: &'a Dom,
    root: NodeId,
    loader: &'a Loader,
    directory: &str,
    report: &'a mut Report,
) -> Spec {
    let mut reader = Reader::new(dom, loader, empty_spec(dom, root, directory), report);
    if let Some(name) = dom.attr(root, "model") {
        name.clone_into(&mut reader.spec.modelname);
    }
    // MuJoCo's order: settings, default classes, then the elements that use them.
    let sections: [(&str, Section<'a>); 19] = [
        ("compiler", Reader::compiler),
        ("compiler", Reader::length_range),
        ("option", Reader::option),
        ("size", Reader::size),
        ("visual", Reader::visual),
        ("statistic", Reader::statistic),
        ("default", Reader::defaults),
        ("extension", Reader::extension),
        ("custom", Reader::custom),
        ("asset", Reader::assets),
        ("deformable", Reader::flexes_and_skins),
        ("contact", Reader::contact),
        ("equality", Reader::equalities),
        ("tendon", Reader::tendons),
        ("actuator", Reader::actuators),
        ("sensor", Reader::sensors),
        ("keyframe", Reader::keyframes),
        ("worldbody", Reader::worldbody),
        ("xpbd", Reader::xpbd),
    ];
    for (name, section) in sections {
        for child in dom.children(root).filter(|&c| dom.node(c).name == name) {
            section(&mut reader, child);
        }
    }
    reader.spec
}

/// An empty spec with the files of a document.
pub(crate) fn empty_spec(dom: &Dom, root: NodeId, directory: &str) -> Spec {
    let mut spec = Spec { directory: directory.to_owned(), ..Spec::default() };
    spec.files.extend(dom.sources.iter().map(|source| source.name.as_str().into()));
    spec.origin = origin(dom, root, &mut spec);
    spec.bodies[0].origin = spec.origin;
    spec
}

/// Records the source location of an element.
pub(crate) fn origin(dom: &Dom, id: NodeId, spec: &mut Spec) -> Origin {
    let node = dom.node(id);
    let (line, column) = dom.sources[node.file.0].line_column(node.offset);
    // The first file stands for elements without a file.
    let file = u32::try_from(node.file.0 + 1).unwrap_or(0);
    let index = spec.origins.len();
    spec.origins.push(OriginRecord { file, line, column, scope: 0 });
    Origin(u32::try_from(index).unwrap_or(0))
}

/// Reads a validated `compiler`, `option` or `size` element into a spec of another format.
pub(crate) fn settings(dom: &Dom, id: NodeId, spec: &mut Spec, report: &mut Report) {
    let loader = Loader::default();
    let mut reader = Reader::new(dom, &loader, std::mem::take(spec), report);
    match reader.name(id) {
        "compiler" => {
            reader.compiler(id);
            reader.length_range(id);
        }
        "option" => reader.option(id),
        "size" => reader.size(id),
        _ => {}
    }
    *spec = reader.spec;
}

/// Reader state: the spec under construction.
struct Reader<'a> {
    dom: &'a Dom,
    loader: &'a Loader,
    /// Models that can be attached, by name.
    models: HashMap<String, Spec>,
    body_names: attach::BodyNames,
    spec: Spec,
    /// The default classes of the spec by name.
    classes: HashMap<String, DefaultId>,
    report: &'a mut Report,
}

impl<'a> Reader<'a> {
    fn new(dom: &'a Dom, loader: &'a Loader, spec: Spec, report: &'a mut Report) -> Self {
        let classes = (0..).map(DefaultId).zip(&spec.defaults).map(|(id, d)| (d.name.clone(), id));
        let classes = classes.collect();
        let (models, body_names) = (HashMap::new(), attach::BodyNames::default());
        Reader { dom, loader, models, body_names, classes, spec, report }
    }

    /// The name of an element.
    fn name(&self, id: NodeId) -> &'a str {
        &self.dom.node(id).name
    }

    /// The children of an element.
    fn children(&self, id: NodeId) -> Vec<NodeId> {
        self.dom.children(id).collect()
    }

    /// Reports an error at an attribute, or at the element.
    fn error(&mut self, id: NodeId, attribute: Option<&str>, kind: ErrorKind) {
        let location = match attribute {
            Some(name) => self.dom.attr_location(id, name),
            None => self.dom.location(id),
        };
        self.report.error(location, &self.dom.node(id).name, attribute, kind);
    }

    /// Reports an invalid value.
    fn invalid(&mut self, id: NodeId, attribute: Option<&str>, message: impl Into<String>) {
        self.error(id, attribute, ErrorKind::Invalid(message.into()));
    }

    /// Records the source location of an element.
    fn origin(&mut self, id: NodeId) -> Origin {
        origin(self.dom, id, &mut self.spec)
    }

    /// The default class named by an attribute; reports an unknown name.
    fn class(&mut self, id: NodeId, attribute: &str) -> Option<DefaultId> {
        let name = self.dom.attr(id, attribute)?;
        let class = self.classes.get(name).copied();
        if class.is_none() && !self.report.is_full() {
            let known = self.spec.defaults.iter().map(|d| d.name.as_str());
            let suggestion = nearest(name, known).map(ToOwned::to_owned);
            let kind =
                ErrorKind::UnknownName { kind: "default class", name: name.to_owned(), suggestion };
            self.error(id, Some(attribute), kind);
        }
        class
    }
}
