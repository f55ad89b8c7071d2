//! `replicate` and `attach` elements.

use super::Reader;
use crate::error::ErrorKind;
use crate::limits::MAX_ELEMENTS;
use crate::schema::nearest;
use crate::spec::{
    AttachError, BodyId, Frame, FrameId, Orientation, Replicate, ReplicateError, Spec,
};
use crate::xml::NodeId;
use std::collections::HashMap;

/// Maximum `count` of `replicate`.
const MAX_COPIES: i32 = 1_000_000;

/// Index of the bodies read so far by name, which avoids a linear search per `attach`.
#[derive(Default)]
pub(super) struct BodyNames {
    names: HashMap<String, BodyId>,
    /// Number of bodies of the spec that are indexed.
    indexed: usize,
}

impl BodyNames {
    fn find(&mut self, spec: &Spec, name: &str) -> Option<BodyId> {
        for (i, body) in spec.bodies.iter().enumerate().skip(self.indexed) {
            self.names.entry(body.name.clone()).or_insert(BodyId(i));
        }
        self.indexed = spec.bodies.len();
        self.names.get(name).copied()
    }
}

impl Reader<'_> {
    /// Replaces the template of a `replicate` by its copies.
    pub(super) fn replicate(&mut self, id: NodeId, template: Replicate) {
        let mut count = 0;
        self.int(id, "count", &mut count);
        if !(0..=MAX_COPIES).contains(&count) {
            self.invalid(id, Some("count"), format!("must be between 0 and {MAX_COPIES}"));
            return;
        }
        if template.target.0 == 0
            && let Some(joint) = self.spec.bodies[template.template.0].joints.first()
        {
            let location = self.spec.location(joint.origin);
            let message = "the world cannot have joints or inertia: move it into a <body>";
            self.report.error(location, "joint", None, ErrorKind::Invalid(message.to_owned()));
            return;
        }
        let (mut offset, mut euler) = ([0.0; 3], [0.0; 3]);
        self.vector(id, "offset", &mut offset);
        self.vector(id, "euler", &mut euler);
        let sep = self.dom.attr(id, "sep").unwrap_or_default();

        let mut copies = Vec::with_capacity(usize::try_from(count).unwrap_or(0));
        let digits = count.to_string().len();
        let mut pos = [0.0; 3];
        for i in 0..count {
            let orientation = Orientation::Euler(euler.map(|angle| f64::from(i) * angle));
            let quat = match crate::compile::resolve(&self.spec.compiler, &orientation) {
                Ok(quat) => quat,
                Err((_, message)) => {
                    self.invalid(id, Some("euler"), message);
                    return;
                }
            };
            copies.push((format!("{sep}{i:0digits$}"), pos, quat));
            pos = crate::compile::translate_local(pos, quat, offset);
        }
        // The bodies of the template are renamed.
        self.body_names = BodyNames::default();
        let origin = self.origin(id);
        match template.close(&mut self.spec, &copies, origin, &self.loader.limits) {
            Ok(()) => {}
            Err(ReplicateError::Key(origin, (attribute, kind))) => {
                let location = self.spec.location(origin);
                self.report.error(location, "key", Some(attribute), kind);
            }
            Err(ReplicateError::TooMany(total)) => {
                let message = format!(
                    "copies, long names and references add up to {total} elements, which exceeds the maximum \
                     of {MAX_ELEMENTS}"
                );
                self.invalid(id, Some("count"), message);
            }
        }
    }

    /// Attaches a model asset or one of its bodies.
    pub(super) fn attach(&mut self, id: NodeId, body: BodyId, frame: Option<FrameId>) {
        let model = self.dom.attr(id, "model").unwrap_or_default();
        let prefix = self.dom.attr(id, "prefix").unwrap_or_default();
        let part = self.dom.attr(id, "body").filter(|name| !name.is_empty());
        let origin = self.origin(id);
        let frame = frame.unwrap_or_else(|| {
            self.spec.frames.push(Frame { origin, ..Frame::default() });
            FrameId(self.spec.frames.len() - 1)
        });
        if let Some(part) = part
            && let Some(present) = self.body_names.find(&self.spec, &format!("{prefix}{part}"))
        {
            // As in MuJoCo, a body that is already attached only moves to this frame.
            if self.spec.bodies[present.0].parent == body {
                self.spec.bodies[present.0].frame = Some(frame);
            } else {
                let message =
                    format!("the body `{prefix}{part}` is already attached to another body");
                self.invalid(id, Some("body"), message);
            }
            return;
        }
        let Some(child) = self.models.get(model) else {
            let suggestion =
                nearest(model, self.models.keys().map(String::as_str)).map(ToOwned::to_owned);
            let kind = ErrorKind::UnknownName { kind: "model", name: model.to_owned(), suggestion };
            self.error(id, Some("model"), kind);
            return;
        };
        // The existing bodies are searched for the names of the new ones.
        let expansion_cost = child.expansion_cost(prefix.len()) + self.spec.bodies.len() / 4;
        if let Err(total) = self.loader.limits.add_elements(expansion_cost) {
            let message = format!(
                "copies, long names and classes add up to {total} elements, which exceeds the maximum of {MAX_ELEMENTS}"
            );
            self.invalid(id, None, message);
            return;
        }
        match self.spec.attach(body, Some(frame), child, part, prefix, "") {
            Ok(_) => {}
            Err(AttachError::NoBody(name)) => {
                let known = child.bodies.iter().map(|b| b.name.as_str());
                let suggestion = nearest(&name, known).map(ToOwned::to_owned);
                self.error(
                    id,
                    Some("body"),
                    ErrorKind::UnknownName { kind: "body", name, suggestion },
                );
            }
            Err(error) => self.invalid(id, None, error.to_string()),
        }
    }
}
