//! A subtree and everything that refers to it, ready to be put into a spec.

use super::super::{
    Actuator, Body, BodyId, Equality, Exclude, Frame, FrameId, Pair, Sensor, Spec, Tendon, Tuple,
};
use super::refers::{Item, Names, Refers};
use crate::spec::{DefaultId, Origin};
use sim_core::types::ObjType;

/// A part of a model, with ids of its own.
#[derive(Debug, Default)]
pub(crate) struct Fragment {
    /// The bodies. What hangs on the first goes to the body that receives the fragment.
    pub(super) bodies: Vec<Body>,
    /// The frames, each after the one around it.
    pub(super) frames: Vec<Frame>,
    pub(super) pairs: Vec<Pair>,
    pub(super) excludes: Vec<Exclude>,
    pub(super) tendons: Vec<Tendon>,
    pub(super) equalities: Vec<Equality>,
    pub(super) actuators: Vec<Actuator>,
    /// Index of each actuator in the spec it comes from.
    pub(super) actuator_ids: Vec<usize>,
    pub(super) sensors: Vec<Sensor>,
    pub(super) tuples: Vec<Tuple>,
    /// Every name that changes when the fragment is copied.
    pub(super) names: Names,
}

/// How names change on the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Naming<'a> {
    pub(crate) prefix: &'a str,
    pub(crate) suffix: &'a str,
}

impl Naming<'_> {
    /// The new name; no name stays none.
    pub(super) fn apply(&self, name: &mut String) {
        if !name.is_empty() {
            name.insert_str(0, self.prefix);
            name.push_str(self.suffix);
        }
    }
}

/// What is added to the ids of elements that come from another spec; `None` within one spec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offsets {
    pub(crate) origin: u32,
    pub(crate) class: usize,
}

impl Offsets {
    pub(super) fn shift<T: Item>(&self, item: &mut T) {
        let origin = item.origin();
        *origin = Origin(origin.0.saturating_add(self.origin));
        if let Some(class) = item.class() {
            *class = DefaultId(class.0 + self.class);
        }
    }
}

/// What happens to an element of a list when a subtree is taken out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It has nothing to do with the subtree.
    Stays,
    /// It goes along.
    Goes,
    /// It cannot follow, because it also needs something that stays.
    Dropped,
}

impl Fragment {
    /// Collects the names in the subtree.
    pub(super) fn index(&mut self) {
        for body in &self.bodies {
            self.names.add(ObjType::Body, &body.name);
            body.joints.iter().for_each(|j| self.names.add(ObjType::Joint, &j.name));
            body.geoms.iter().for_each(|g| self.names.add(ObjType::Geom, &g.name));
            body.sites.iter().for_each(|s| self.names.add(ObjType::Site, &s.name));
            body.cameras.iter().for_each(|c| self.names.add(ObjType::Camera, &c.name));
            body.lights.iter().for_each(|l| self.names.add(ObjType::Light, &l.name));
        }
    }

    /// Whether an element refers to the subtree, and only to it.
    pub(super) fn fate<T: Refers>(&self, item: &mut T) -> Fate {
        let (mut inside, mut outside) = (false, false);
        item.references(&mut |kind, name| {
            if self.names.contains(kind, name) {
                inside = true;
            } else {
                outside = true;
            }
        });
        match (inside, outside) {
            (false, _) => Fate::Stays,
            (true, true) if !T::PARTIAL => Fate::Dropped,
            _ => Fate::Goes,
        }
    }

    /// Puts a copy into a body of `spec`; `frame` is put around it.
    ///
    /// Returns the id of the first new body.
    pub(crate) fn put(
        &self,
        spec: &mut Spec,
        target: BodyId,
        frame: Option<FrameId>,
        naming: Naming<'_>,
        offsets: Option<Offsets>,
    ) -> BodyId {
        let copy = Copy {
            names: &self.names,
            naming,
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
            target.joints.append(&mut new.joints);
            target.geoms.append(&mut new.geoms);
            target.sites.append(&mut new.sites);
            target.cameras.append(&mut new.cameras);
            target.lights.append(&mut new.lights);
            target.children.append(&mut new.children);
        }
        copy.list(&self.pairs, &mut spec.pairs);
        copy.list(&self.excludes, &mut spec.excludes);
        copy.list(&self.tendons, &mut spec.tendons);
        copy.list(&self.equalities, &mut spec.equalities);
        copy.list(&self.actuators, &mut spec.actuators);
        copy.list(&self.sensors, &mut spec.sensors);
        copy.list(&self.tuples, &mut spec.tuples);
        BodyId(copy.first_body)
    }
}

impl Fragment {
    /// Which frames hang on the receiving body itself, with no other around them.
    fn outermost_frames(&self) -> Vec<bool> {
        let mut outermost = vec![false; self.frames.len()];
        let mut mark = |frame: Option<FrameId>| {
            let mut at = frame;
            // A frame comes after the one around it, so this ends.
            while let Some(id) = at {
                let around = self.frames.get(id.0).and_then(|f| f.parent).filter(|p| p.0 < id.0);
                if around.is_none()
                    && let Some(mark) = outermost.get_mut(id.0)
                {
                    *mark = true;
                }
                at = around;
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

/// One copy in progress.
struct Copy<'a> {
    names: &'a Names,
    naming: Naming<'a>,
    offsets: Option<Offsets>,
    target: BodyId,
    first_body: usize,
    first_frame: usize,
    frame: Option<FrameId>,
}

impl Copy<'_> {
    fn item<T: Item>(&self, item: &mut T) {
        self.naming.apply(item.name());
        if let Some(offsets) = self.offsets {
            offsets.shift(item);
        }
    }

    /// Renames a reference to something that is copied along.
    fn reference(&self, kind: ObjType, name: &mut String) {
        if self.names.contains(kind, name) {
            self.naming.apply(name);
        }
    }

    /// Renames a reference to an asset, which comes along only from another spec.
    fn asset(&self, name: &mut String) {
        if self.offsets.is_some() {
            self.naming.apply(name);
        }
    }

    fn frame_id(&self, frame: Option<FrameId>) -> Option<FrameId> {
        frame.map_or(self.frame, |f| Some(FrameId(f.0 + self.first_frame)))
    }

    fn body_id(&self, body: BodyId) -> BodyId {
        if body.0 == 0 { self.target } else { BodyId(body.0 - 1 + self.first_body) }
    }

    /// Copies a body; `first` is the one whose content goes to the receiving body.
    fn body(&self, body: &mut Body, first: bool) {
        self.item(body);
        let inner = |frame: Option<FrameId>| frame.map(|f| FrameId(f.0 + self.first_frame));
        // The frame around the fragment holds what hangs on the receiving body itself.
        let outermost = body.parent.0 == 0;
        body.frame = if outermost { self.frame_id(body.frame) } else { inner(body.frame) };
        body.parent = self.body_id(body.parent);
        body.children.iter_mut().for_each(|child| *child = self.body_id(*child));
        if let (Some(inertial), Some(offsets)) = (&mut body.inertial, self.offsets) {
            inertial.origin = Origin(inertial.origin.0.saturating_add(offsets.origin));
        }
        let place = |frame| if first { self.frame_id(frame) } else { inner(frame) };
        for joint in &mut body.joints {
            self.item(joint);
            joint.frame = place(joint.frame);
        }
        for geom in &mut body.geoms {
            self.item(geom);
            geom.frame = place(geom.frame);
            self.asset(&mut geom.material);
            self.asset(&mut geom.mesh);
            self.asset(&mut geom.hfield);
        }
        for site in &mut body.sites {
            self.item(site);
            site.frame = place(site.frame);
            self.asset(&mut site.material);
        }
        for camera in &mut body.cameras {
            self.item(camera);
            camera.frame = place(camera.frame);
            self.reference(ObjType::Body, &mut camera.target);
        }
        for light in &mut body.lights {
            self.item(light);
            light.frame = place(light.frame);
            self.reference(ObjType::Body, &mut light.target);
            self.asset(&mut light.texture);
        }
    }

    fn list<T: Refers>(&self, from: &[T], to: &mut Vec<T>) {
        for item in from {
            let mut new = item.clone();
            self.item(&mut new);
            new.references(&mut |kind, name| self.reference(kind, name));
            if let Some(offsets) = self.offsets {
                new.parts(&mut |origin| *origin = Origin(origin.0.saturating_add(offsets.origin)));
                new.asset().into_iter().for_each(|name| self.naming.apply(name));
            }
            to.push(new);
        }
    }
}
