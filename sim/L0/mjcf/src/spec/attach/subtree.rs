//! A subtree and all elements that refer to it, to be inserted into a spec.

use super::super::{
    Actuator, Body, BodyId, Equality, Exclude, Flex, Frame, FrameId, Pair, PluginRef, Sensor, Skin,
    Spec, Tendon, Tuple,
};
use super::reference::{Names, References, SpecElement};
use crate::spec::{DefaultId, Origin};
use sim_core::types::ObjType;

/// A detached subtree with its own ids.
#[derive(Debug, Default)]
pub(crate) struct Subtree {
    /// The bodies. The elements of the first are inserted into the receiving body.
    pub(super) bodies: Vec<Body>,
    /// The frames, parents first.
    pub(super) frames: Vec<Frame>,
    pub(super) pairs: Vec<Pair>,
    pub(super) excludes: Vec<Exclude>,
    pub(super) flexes: Vec<Flex>,
    pub(super) skins: Vec<Skin>,
    pub(super) tendons: Vec<Tendon>,
    pub(super) equalities: Vec<Equality>,
    pub(super) actuators: Vec<Actuator>,
    /// Index of each actuator in the source spec.
    pub(super) actuator_ids: Vec<usize>,
    pub(super) sensors: Vec<Sensor>,
    pub(super) tuples: Vec<Tuple>,
    /// Names of all copied elements.
    pub(super) names: Names,
    /// Names of elements that are omitted because they also refer to elements outside.
    pub(super) omitted: Names,
}

/// Prefix and suffix of copied names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Affixes<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) suffix: &'a str,
}

impl Affixes<'_> {
    /// Applies the affixes, unless the name is empty.
    pub(super) fn apply(&self, name: &mut String) {
        if !name.is_empty() {
            name.insert_str(0, self.prefix);
            name.push_str(self.suffix);
        }
    }
}

/// Offsets of the origins and classes of elements from another spec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offsets {
    pub(crate) origin: u32,
    pub(crate) class: usize,
}

impl Offsets {
    /// Updates the origin and the instance name of a reference to a plugin.
    pub(super) fn shift_plugin(&self, plugin: &mut PluginRef, affixes: Affixes<'_>) {
        plugin.origin = Origin(plugin.origin.0.saturating_add(self.origin));
        affixes.apply(&mut plugin.instance);
    }

    pub(super) fn shift<T: SpecElement>(&self, item: &mut T) {
        let origin = item.origin();
        *origin = Origin(origin.0.saturating_add(self.origin));
        if let Some(class) = item.class() {
            *class = DefaultId(class.0 + self.class);
        }
    }
}

/// Relation of an element to a subtree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Membership {
    /// Refers to nothing in the subtree.
    Unrelated,
    /// Belongs to the subtree.
    Included,
    /// Refers to the subtree and to elements outside, so it cannot be copied.
    Partial,
}

impl Subtree {
    /// Collects the names of the elements of the bodies.
    pub(super) fn collect_names(&mut self) {
        for body in &self.bodies {
            self.names.add(ObjType::Body, &body.name);
            body.joints.iter().for_each(|j| self.names.add(ObjType::Joint, &j.name));
            body.geoms.iter().for_each(|g| self.names.add(ObjType::Geom, &g.name));
            body.sites.iter().for_each(|s| self.names.add(ObjType::Site, &s.name));
            body.cameras.iter().for_each(|c| self.names.add(ObjType::Camera, &c.name));
            body.lights.iter().for_each(|l| self.names.add(ObjType::Light, &l.name));
        }
    }

    /// Classifies an element by its references.
    pub(super) fn membership<T: References>(&self, item: &mut T) -> Membership {
        let (mut inside, mut outside) = (false, false);
        item.references(&mut |kind, name| {
            if self.names.contains(kind, name) {
                inside = true;
            } else {
                outside = true;
            }
        });
        match (inside, outside) {
            (false, _) => Membership::Unrelated,
            (true, true) if !T::PARTIAL => Membership::Partial,
            _ => Membership::Included,
        }
    }

    /// Inserts a copy into a body of `spec`, within `frame`.
    ///
    /// Returns the id of the first new body.
    pub(crate) fn insert_into(
        &self,
        spec: &mut Spec,
        target: BodyId,
        frame: Option<FrameId>,
        affixes: Affixes<'_>,
        offsets: Option<Offsets>,
    ) -> BodyId {
        let copy = Copier {
            names: &self.names,
            affixes,
            offsets,
            target,
            first_body: spec.bodies.len(),
            first_frame: spec.frames.len(),
            frame,
        };
        let outermost = self.outermost_frames();
        for (frame, outermost) in self.frames.iter().zip(outermost) {
            let mut new = frame.clone();
            copy.item(&mut new);
            let inner = frame.parent.map(|f| FrameId(f.0 + copy.first_frame));
            new.parent = if outermost { copy.frame } else { inner };
            spec.frames.push(new);
        }
        for (i, body) in self.bodies.iter().enumerate() {
            let mut new = body.clone();
            copy.body(&mut new, i == 0);
            if i > 0 {
                spec.bodies.push(new);
                continue;
            }
            let target = &mut spec.bodies[target.0];
            target.plugin = new.plugin.take().or_else(|| target.plugin.take());
            target.joints.append(&mut new.joints);
            target.geoms.append(&mut new.geoms);
            target.sites.append(&mut new.sites);
            target.cameras.append(&mut new.cameras);
            target.lights.append(&mut new.lights);
            target.children.append(&mut new.children);
        }
        copy.list(&self.pairs, &mut spec.pairs);
        copy.list(&self.excludes, &mut spec.excludes);
        copy.list(&self.flexes, &mut spec.flexes);
        copy.list(&self.skins, &mut spec.skins);
        copy.list(&self.tendons, &mut spec.tendons);
        copy.list(&self.equalities, &mut spec.equalities);
        copy.list(&self.actuators, &mut spec.actuators);
        copy.list(&self.sensors, &mut spec.sensors);
        copy.list(&self.tuples, &mut spec.tuples);
        BodyId(copy.first_body)
    }
}

impl Subtree {
    /// Which frames belong directly to the receiving body.
    fn outermost_frames(&self) -> Vec<bool> {
        let mut outermost = vec![false; self.frames.len()];
        let mut mark = |frame: Option<FrameId>| {
            let mut at = frame;
            // Parents precede their children, so this terminates.
            while let Some(id) = at {
                let parent = self.frames.get(id.0).and_then(|f| f.parent).filter(|p| p.0 < id.0);
                if parent.is_none()
                    && let Some(mark) = outermost.get_mut(id.0)
                {
                    *mark = true;
                }
                at = parent;
            }
        };
        if let Some(first) = self.bodies.first() {
            first.joints.iter().for_each(|j| mark(j.frame));
            first.geoms.iter().for_each(|g| mark(g.frame));
            first.sites.iter().for_each(|s| mark(s.frame));
            first.cameras.iter().for_each(|c| mark(c.frame));
            first.lights.iter().for_each(|l| mark(l.frame));
        }
        let children = self.bodies.iter().skip(1).filter(|b| b.parent.0 == 0);
        children.for_each(|b| mark(b.frame));
        outermost
    }
}

/// State of one copy operation.
struct Copier<'a> {
    names: &'a Names,
    affixes: Affixes<'a>,
    offsets: Option<Offsets>,
    target: BodyId,
    first_body: usize,
    first_frame: usize,
    frame: Option<FrameId>,
}

impl Copier<'_> {
    fn item<T: SpecElement>(&self, item: &mut T) {
        self.affixes.apply(item.name());
        if let Some(offsets) = self.offsets {
            offsets.shift(item);
        }
    }

    /// Renames a reference to a copied element.
    fn reference(&self, kind: ObjType, name: &mut String) {
        if self.names.contains(kind, name) {
            self.affixes.apply(name);
        }
    }

    /// Renames a reference to an asset, which is copied only from another spec.
    fn asset(&self, name: &mut String) {
        if self.offsets.is_some() {
            self.affixes.apply(name);
        }
    }

    /// Renames a reference to a plugin instance, which is copied only from another spec.
    fn plugin(&self, plugin: &mut Option<Box<PluginRef>>) {
        if let (Some(plugin), Some(offsets)) = (plugin, self.offsets) {
            offsets.shift_plugin(plugin, self.affixes);
        }
    }

    fn frame_id(&self, frame: Option<FrameId>) -> Option<FrameId> {
        frame.map_or(self.frame, |f| Some(FrameId(f.0 + self.first_frame)))
    }

    fn body_id(&self, body: BodyId) -> BodyId {
        if body.0 == 0 { self.target } else { BodyId(body.0 - 1 + self.first_body) }
    }

    /// Updates a copied body; the elements of the `first` are moved to the receiving body.
    fn body(&self, body: &mut Body, first: bool) {
        self.item(body);
        let inner = |frame: Option<FrameId>| frame.map(|f| FrameId(f.0 + self.first_frame));
        // The frame around the subtree applies to the elements of the receiving body.
        let outermost = body.parent.0 == 0;
        body.frame = if outermost { self.frame_id(body.frame) } else { inner(body.frame) };
        body.parent = self.body_id(body.parent);
        body.children.iter_mut().for_each(|child| *child = self.body_id(*child));
        if let (Some(inertial), Some(offsets)) = (&mut body.inertial, self.offsets) {
            inertial.origin = Origin(inertial.origin.0.saturating_add(offsets.origin));
        }
        self.plugin(&mut body.plugin);
        let new_frame = |frame| if first { self.frame_id(frame) } else { inner(frame) };
        for joint in &mut body.joints {
            self.item(joint);
            joint.frame = new_frame(joint.frame);
        }
        for geom in &mut body.geoms {
            self.item(geom);
            geom.frame = new_frame(geom.frame);
            self.asset(&mut geom.material);
            self.asset(&mut geom.mesh);
            self.asset(&mut geom.hfield);
            self.plugin(&mut geom.plugin);
        }
        for site in &mut body.sites {
            self.item(site);
            site.frame = new_frame(site.frame);
            self.asset(&mut site.material);
        }
        for camera in &mut body.cameras {
            self.item(camera);
            camera.frame = new_frame(camera.frame);
            self.reference(ObjType::Body, &mut camera.target);
        }
        for light in &mut body.lights {
            self.item(light);
            light.frame = new_frame(light.frame);
            self.reference(ObjType::Body, &mut light.target);
            self.asset(&mut light.texture);
        }
    }

    fn list<T: References>(&self, from: &[T], to: &mut Vec<T>) {
        for item in from {
            let mut new = item.clone();
            self.item(&mut new);
            new.references(&mut |kind, name| self.reference(kind, name));
            if let Some(plugin) = new.plugin() {
                self.plugin(plugin);
            }
            if let Some(offsets) = self.offsets {
                new.parts(&mut |origin| *origin = Origin(origin.0.saturating_add(offsets.origin)));
                new.asset().into_iter().for_each(|name| self.affixes.apply(name));
            }
            to.push(new);
        }
    }
}
