//! `attach`: a copy of another spec, or of one of its bodies, becomes part of this one.

use super::super::key::SavedKey;
use super::super::{Body, BodyId, FrameId, Key, Scope, Spec};
use super::fragment::{Fate, Fragment, Naming, Offsets};
use super::keys::Misfit;
use super::refers::{Item, Refers};
use crate::error::ErrorKind;
use crate::spec::DefaultId;
use sim_core::types::ObjType;
use std::collections::HashMap;

/// Why a spec cannot be attached.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// The body to attach to is not in this spec.
    #[error("there is no body {0} to attach to")]
    NoParent(usize),
    /// The attached spec has no body of this name.
    #[error("the attached model has no body named `{0}`")]
    NoBody(String),
    /// The attached spec has deformable bodies, whose places are those of its own world.
    #[error(
        "the attached model has deformable bodies, which do not come along: declare them in the \
         section `xpbd` of the model that it is attached to"
    )]
    Deformables,
    /// A keyframe of the attached spec does not fit its own model.
    #[error("keyframe `{key}` of the attached model, attribute \"{attribute}\": {kind}")]
    Key {
        /// Name of the keyframe.
        key: String,
        /// The vector that does not fit.
        attribute: &'static str,
        /// What is wrong with it.
        kind: ErrorKind,
    },
}

impl Spec {
    /// Puts a copy of `child` into the body `parent`, and returns the id of its first body.
    ///
    /// With a body name, that body and everything below it is copied; without, everything in the
    /// child's world. What refers to the copied part comes along (contacts, equalities, tendons,
    /// actuators, sensors, tuples), and so do the child's assets, default classes, custom data and
    /// keyframes. All names get the prefix and the suffix. The child's compiler settings go on
    /// to hold for what it described; its options do not come along.
    ///
    /// ```
    /// use sim_mjcf::spec::BodyId;
    /// let arm = r#"<mujoco><worldbody><body name="arm"><joint name="j"/><geom size="1"/></body></worldbody>
    ///   <actuator><motor name="m" joint="j"/></actuator></mujoco>"#;
    /// let arm = sim_mjcf::parse_str(arm)?;
    /// let mut scene = sim_mjcf::Spec::default();
    /// for side in ["left_", "right_"] {
    ///     scene.attach(BodyId(0), None, &arm, Some("arm"), side, "").expect("there is an arm");
    /// }
    /// let model = scene.compile()?;
    /// assert_eq!((model.nbody, model.nu), (3, 2));
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    ///
    /// # Errors
    ///
    /// One of the bodies does not exist, the child has deformable bodies, or a keyframe of it is broken.
    pub fn attach(
        &mut self,
        parent: BodyId,
        frame: Option<FrameId>,
        child: &Self,
        body: Option<&str>,
        prefix: &str,
        suffix: &str,
    ) -> Result<BodyId, AttachError> {
        if parent.0 >= self.bodies.len() {
            return Err(AttachError::NoParent(parent.0));
        }
        let root = match body {
            None => BodyId(0),
            Some(name) => child
                .find_body(name)
                .filter(|id| id.0 > 0)
                .ok_or_else(|| AttachError::NoBody(name.to_owned()))?,
        };
        if !child.deformables.is_empty() {
            return Err(AttachError::Deformables);
        }
        let mut keys = Vec::new();
        for key in &child.keys {
            let saved = match &key.saved {
                Some(saved) => Ok((**saved).clone()),
                None => SavedKey::new(child, key),
            };
            keys.push(saved.map_err(|(attribute, kind): Misfit| AttachError::Key {
                key: key.name.clone(),
                attribute,
                kind,
            })?);
        }

        let naming = Naming { prefix, suffix };
        let offsets = self.adopt(child, naming);
        let (fragment, bodies) = self.fragment(child, root);
        let joints = self.bodies[parent.0].joints.len();
        let actuators = self.actuators.len();
        let first = fragment.put(self, parent, frame, naming, Some(offsets));
        let joint = |b: BodyId, j: usize| {
            Some(match bodies.get(&b)? {
                0 => (parent, joints + j),
                k => (BodyId(first.0 + k - 1), j),
            })
        };
        let actuator = |a: usize| fragment.actuator(a).map(|i| actuators + i);
        for (key, saved) in child.keys.iter().zip(&keys) {
            let origin = crate::spec::Origin(key.origin.0.saturating_add(offsets.origin));
            self.keys.push(Key {
                name: format!("{prefix}{}{suffix}", key.name),
                time: key.time,
                saved: Some(Box::new(saved.moved(&joint, &actuator))),
                origin,
                ..Key::default()
            });
        }
        Ok(first)
    }

    /// Takes over what a child has outside its tree: places, classes, assets, custom data.
    fn adopt(&mut self, child: &Self, naming: Naming<'_>) -> Offsets {
        let offsets = Offsets {
            origin: u32::try_from(self.places.len()).unwrap_or(u32::MAX),
            class: self.defaults.len(),
        };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (files, scopes) = (number(self.files.len()), number(self.attached.len()));
        self.files.extend(child.files.iter().cloned());
        let (compiler, directory) = (child.compiler.clone(), child.directory.clone());
        self.attached.push(Scope { compiler, directory });
        self.attached.extend(child.attached.iter().cloned());
        self.places.extend(child.places.iter().map(|place| {
            let mut place = *place;
            place.file += files;
            place.scope += scopes + 1;
            place
        }));

        for class in &child.defaults {
            let mut class = class.clone();
            naming.apply(&mut class.name);
            let parent = class.parent.map_or(0, |p| p.0 + offsets.class);
            class.parent = Some(DefaultId(parent));
            class.origin = crate::spec::Origin(class.origin.0.saturating_add(offsets.origin));
            class.set_class(DefaultId(self.defaults.len()));
            self.defaults.push(class);
        }
        for mesh in &child.meshes {
            let mut new = take(mesh, naming, offsets, |m| &m.file);
            naming.apply(&mut new.material);
            self.meshes.push(new);
        }
        for hfield in &child.hfields {
            self.hfields.push(take(hfield, naming, offsets, |h| &h.file));
        }
        for texture in &child.textures {
            self.textures.push(take(texture, naming, offsets, |t| &t.file));
        }
        for material in &child.materials {
            let mut new = take(material, naming, offsets, |_| "");
            new.textures.iter_mut().for_each(|name| naming.apply(name));
            self.materials.push(new);
        }
        self.numerics.extend(child.numerics.iter().map(|n| take(n, naming, offsets, |_| "")));
        self.texts.extend(child.texts.iter().map(|t| take(t, naming, offsets, |_| "")));
        offsets
    }

    /// A copy of a subtree of `child`, and the place in it of every body it contains.
    fn fragment(&self, child: &Self, root: BodyId) -> (Fragment, HashMap<BodyId, usize>) {
        let mut fragment = Fragment::default();
        let mut bodies = HashMap::new();
        if root.0 > 0 {
            fragment.bodies.push(Body { children: vec![BodyId(1)], ..Body::default() });
        }
        for id in child.subtree(root) {
            bodies.insert(id, fragment.bodies.len());
            fragment.bodies.push(child.bodies[id.0].clone());
        }
        let mut frames = Frames { child, new: HashMap::new(), list: Vec::new() };
        let skip = usize::from(root.0 > 0);
        for (i, body) in fragment.bodies.iter_mut().enumerate().skip(skip) {
            body.children.iter_mut().for_each(|c| *c = BodyId(bodies[c]));
            body.parent = if i == skip { BodyId(0) } else { BodyId(bodies[&body.parent]) };
            // The body that is asked for leaves the frames of its old parent behind.
            body.frame = if i == skip { None } else { frames.copy(body.frame) };
            body.joints.iter_mut().for_each(|j| j.frame = frames.copy(j.frame));
            body.geoms.iter_mut().for_each(|g| g.frame = frames.copy(g.frame));
            body.sites.iter_mut().for_each(|s| s.frame = frames.copy(s.frame));
            body.cameras.iter_mut().for_each(|c| c.frame = frames.copy(c.frame));
            body.lights.iter_mut().for_each(|l| l.frame = frames.copy(l.frame));
        }
        fragment.frames = frames.list;
        fragment.index();
        fragment.pairs = fragment.copies(&child.pairs, self).0;
        fragment.excludes = fragment.copies(&child.excludes, self).0;
        fragment.tendons = fragment.copies(&child.tendons, self).0;
        fragment.equalities = fragment.copies(&child.equalities, self).0;
        (fragment.actuators, fragment.actuator_ids) = fragment.copies(&child.actuators, self);
        fragment.sensors = fragment.copies(&child.sensors, self).0;
        fragment.tuples = fragment.copies(&child.tuples, self).0;
        (fragment, bodies)
    }
}

/// A copy of an element outside the tree. An asset without a name takes that of its file.
fn take<T: Item + Clone>(
    item: &T,
    naming: Naming<'_>,
    offsets: Offsets,
    file: impl Fn(&T) -> &str,
) -> T {
    let mut new = item.clone();
    if new.name().is_empty() {
        *new.name() = crate::spec::asset_name(file(item)).to_owned();
    }
    naming.apply(new.name());
    offsets.shift(&mut new);
    new
}

/// The frames of a child that its copied elements are in.
struct Frames<'a> {
    child: &'a Spec,
    new: HashMap<FrameId, FrameId>,
    list: Vec<super::super::Frame>,
}

impl Frames<'_> {
    fn copy(&mut self, frame: Option<FrameId>) -> Option<FrameId> {
        // The frames around this one, innermost first, as far as they are not copied yet.
        let mut around = Vec::new();
        let mut at = frame;
        while let Some(id) = at
            && !self.new.contains_key(&id)
            && around.len() < self.child.frames.len()
        {
            around.push(id);
            at = self.child.frames.get(id.0)?.parent;
        }
        for id in around.into_iter().rev() {
            let mut frame = self.child.frames.get(id.0)?.clone();
            frame.parent = frame.parent.and_then(|p| self.new.get(&p).copied());
            self.new.insert(id, FrameId(self.list.len()));
            self.list.push(frame);
        }
        self.new.get(&frame?).copied()
    }
}

impl Fragment {
    /// Copies what refers to the subtree, or to nothing at all, and the indices of the originals.
    fn copies<T: Refers>(&mut self, list: &[T], parent: &Spec) -> (Vec<T>, Vec<usize>) {
        let (mut copies, mut ids) = (Vec::new(), Vec::new());
        for (i, item) in list.iter().enumerate() {
            let mut item = item.clone();
            let goes = match self.fate(&mut item) {
                Fate::Goes => {
                    // A reference to something that stays must find it in the parent.
                    let mut found = true;
                    item.references(&mut |kind, name| {
                        found &= self.names.contains(kind, name) || parent.has(kind, name);
                    });
                    found
                }
                Fate::Stays => {
                    let mut free = true;
                    item.references(&mut |_, _| free = false);
                    free
                }
                Fate::Dropped => false,
            };
            if goes {
                self.names.add(T::KIND, item.name());
                copies.push(item);
                ids.push(i);
            }
        }
        (copies, ids)
    }
}

impl Spec {
    /// Whether there is a body or geom of this name, or another object a partner can be.
    fn has(&self, kind: ObjType, name: &str) -> bool {
        let on_bodies = |f: &dyn Fn(&Body) -> bool| self.bodies.iter().any(f);
        match kind {
            ObjType::Body | ObjType::XBody => on_bodies(&|b| b.name == name),
            ObjType::Geom => on_bodies(&|b| b.geoms.iter().any(|g| g.name == name)),
            ObjType::Site => on_bodies(&|b| b.sites.iter().any(|s| s.name == name)),
            ObjType::Camera => on_bodies(&|b| b.cameras.iter().any(|c| c.name == name)),
            _ => false,
        }
    }
}
