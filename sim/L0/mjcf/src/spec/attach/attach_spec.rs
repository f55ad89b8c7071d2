//! Attaching a copy of another spec, or of one of its bodies (mjs_attach).

use super::super::key::ObjectKey;
use super::super::{Body, BodyId, FrameId, Key, Scope, Spec};
use super::keyframe::KeySizeError;
use super::reference::{References, SpecElement};
use super::subtree::{Affixes, Membership, Offsets, Subtree};
use crate::error::ErrorKind;
use crate::spec::DefaultId;
use sim_core::types::ObjType;
use std::collections::HashMap;

/// Error of attaching a spec.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// The body to attach to is not in this spec.
    #[error("there is no body {0} to attach to")]
    NoParent(usize),
    /// The attached spec has no body of this name.
    #[error("the attached model has no body named `{0}`")]
    NoBody(String),
    /// The attached spec has deformable bodies, which are positioned in its own world.
    #[error(
        "the attached model has deformable bodies, which cannot be attached: declare them in the \
         section `xpbd` of the parent model"
    )]
    Deformables,
    /// A keyframe of the attached spec does not match the sizes of that spec.
    #[error("keyframe `{key}` of the attached model, attribute \"{attribute}\": {kind}")]
    Key {
        /// Name of the keyframe.
        key: String,
        /// The vector of the wrong size.
        attribute: &'static str,
        /// The error.
        kind: ErrorKind,
    },
}

impl Spec {
    /// Attaches a copy of `child` to the body `parent`, and returns the id of its first body.
    ///
    /// With a body name, the subtree of that body is copied, otherwise the whole world of the
    /// child. Elements that refer to the subtree (contacts, equalities, tendons, actuators,
    /// sensors, tuples) are copied with it, as are assets, default classes, custom data and
    /// keyframes. All names get the prefix and the suffix. The child's compiler settings remain in
    /// effect for its elements; its options are not copied.
    ///
    /// ```
    /// use sim_mjcf::spec::BodyId;
    /// let arm = r#"<mujoco><worldbody><body name="arm"><joint name="j"/><geom size="1"/></body></worldbody>
    ///   <actuator><motor name="m" joint="j"/></actuator></mujoco>"#;
    /// let arm = sim_mjcf::parse_str(arm)?;
    /// let mut scene = sim_mjcf::Spec::default();
    /// for side in ["left_", "right_"] {
    ///     scene.attach(BodyId(0), None, &arm, Some("arm"), side, "").expect("the arm exists");
    /// }
    /// let model = scene.compile()?;
    /// assert_eq!((model.nbody, model.nu), (3, 2));
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A body does not exist, the child has deformable bodies, or a keyframe has the wrong size.
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
                None => ObjectKey::new(child, key),
            };
            keys.push(saved.map_err(|(attribute, kind): KeySizeError| AttachError::Key {
                key: key.name.clone(),
                attribute,
                kind,
            })?);
        }

        let affixes = Affixes { prefix, suffix };
        let offsets = self.copy_globals(child, affixes);
        let (subtree, bodies) = self.copy_subtree(child, root);
        let joints = self.bodies[parent.0].joints.len();
        let actuators = self.actuators.len();
        let first = subtree.insert_into(self, parent, frame, affixes, Some(offsets));
        let joint = |b: BodyId, j: usize| {
            Some(match bodies.get(&b)? {
                0 => (parent, joints + j),
                k => (BodyId(first.0 + k - 1), j),
            })
        };
        let actuator = |a: usize| subtree.actuator(a).map(|i| actuators + i);
        for (key, saved) in child.keys.iter().zip(&keys) {
            let origin = crate::spec::Origin(key.origin.0.saturating_add(offsets.origin));
            self.keys.push(Key {
                name: format!("{prefix}{}{suffix}", key.name),
                time: key.time,
                saved: Some(Box::new(saved.with_ids(&joint, &actuator))),
                origin,
                ..Key::default()
            });
        }
        Ok(first)
    }

    /// Copies what a child has outside its tree: origins, default classes, assets, custom data.
    fn copy_globals(&mut self, child: &Self, affixes: Affixes<'_>) -> Offsets {
        let offsets = Offsets {
            origin: u32::try_from(self.origins.len()).unwrap_or(u32::MAX),
            class: self.defaults.len(),
        };
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (files, scopes) = (number(self.files.len()), number(self.scopes.len()));
        self.files.extend(child.files.iter().cloned());
        let (compiler, directory) = (child.compiler.clone(), child.directory.clone());
        self.scopes.push(Scope { compiler, directory });
        self.scopes.extend(child.scopes.iter().cloned());
        self.origins.extend(child.origins.iter().map(|place| {
            let mut place = *place;
            place.file += files;
            place.scope += scopes + 1;
            place
        }));

        for class in &child.defaults {
            let mut class = class.clone();
            affixes.apply(&mut class.name);
            let parent = class.parent.map_or(0, |p| p.0 + offsets.class);
            class.parent = Some(DefaultId(parent));
            class.origin = crate::spec::Origin(class.origin.0.saturating_add(offsets.origin));
            class.set_class(DefaultId(self.defaults.len()));
            self.defaults.push(class);
        }
        for mesh in &child.meshes {
            let mut new = renamed_copy(mesh, affixes, offsets, |m| &m.file);
            affixes.apply(&mut new.material);
            if let Some(plugin) = &mut new.plugin {
                offsets.shift_plugin(plugin, affixes);
            }
            self.meshes.push(new);
        }
        // a skin whose file cannot be read is reported when the model is compiled
        for skin in child.skins.iter().filter(|s| s.inline(child).is_none()) {
            self.skins.push(renamed_copy(skin, affixes, offsets, |s| &s.file));
        }
        for hfield in &child.hfields {
            self.hfields.push(renamed_copy(hfield, affixes, offsets, |h| &h.file));
        }
        for texture in &child.textures {
            self.textures.push(renamed_copy(texture, affixes, offsets, |t| &t.file));
        }
        for material in &child.materials {
            let mut new = renamed_copy(material, affixes, offsets, |_| "");
            new.textures.iter_mut().for_each(|name| affixes.apply(name));
            self.materials.push(new);
        }
        for extension in &child.extensions {
            if !self.extensions.iter().any(|e| e.plugin == extension.plugin) {
                let mut new = extension.clone();
                new.origin = crate::spec::Origin(new.origin.0.saturating_add(offsets.origin));
                self.extensions.push(new);
            }
        }
        self.plugins
            .extend(child.plugins.iter().map(|p| renamed_copy(p, affixes, offsets, |_| "")));
        self.numerics
            .extend(child.numerics.iter().map(|n| renamed_copy(n, affixes, offsets, |_| "")));
        self.texts.extend(child.texts.iter().map(|t| renamed_copy(t, affixes, offsets, |_| "")));
        offsets
    }

    /// A copy of a subtree of `child`, and the index in it of every copied body.
    fn copy_subtree(&self, child: &Self, root: BodyId) -> (Subtree, HashMap<BodyId, usize>) {
        let mut subtree = Subtree::default();
        let mut bodies = HashMap::new();
        if root.0 > 0 {
            subtree.bodies.push(Body { children: vec![BodyId(1)], ..Body::default() });
        }
        for id in child.subtree(root) {
            bodies.insert(id, subtree.bodies.len());
            subtree.bodies.push(child.bodies[id.0].clone());
        }
        let mut frames = Frames { child, new: HashMap::new(), list: Vec::new() };
        let skip = usize::from(root.0 > 0);
        for (i, body) in subtree.bodies.iter_mut().enumerate().skip(skip) {
            body.children.iter_mut().for_each(|c| *c = BodyId(bodies[c]));
            body.parent = if i == skip { BodyId(0) } else { BodyId(bodies[&body.parent]) };
            // The root of the subtree is detached from the frames of its parent.
            body.frame = if i == skip { None } else { frames.copy(body.frame) };
            body.joints.iter_mut().for_each(|j| j.frame = frames.copy(j.frame));
            body.geoms.iter_mut().for_each(|g| g.frame = frames.copy(g.frame));
            body.sites.iter_mut().for_each(|s| s.frame = frames.copy(s.frame));
            body.cameras.iter_mut().for_each(|c| c.frame = frames.copy(c.frame));
            body.lights.iter_mut().for_each(|l| l.frame = frames.copy(l.frame));
        }
        subtree.frames = frames.list;
        subtree.collect_names();
        subtree.pairs = subtree.copies(&child.pairs, self).0;
        subtree.excludes = subtree.copies(&child.excludes, self).0;
        subtree.flexes = subtree.copies(&child.flexes, self).0;
        let skins: Vec<_> = child.skins.iter().filter_map(|s| s.inline(child)).collect();
        subtree.skins = subtree.copies(&skins, self).0;
        subtree.tendons = subtree.copies(&child.tendons, self).0;
        subtree.equalities = subtree.copies(&child.equalities, self).0;
        (subtree.actuators, subtree.actuator_ids) = subtree.copies(&child.actuators, self);
        subtree.sensors = subtree.copies(&child.sensors, self).0;
        subtree.tuples = subtree.copies(&child.tuples, self).0;
        (subtree, bodies)
    }
}

/// A copy of an element outside the tree. The name of an unnamed asset is derived from its file.
fn renamed_copy<T: SpecElement + Clone>(
    item: &T,
    affixes: Affixes<'_>,
    offsets: Offsets,
    file: impl Fn(&T) -> &str,
) -> T {
    let mut new = item.clone();
    if new.name().is_empty() {
        *new.name() = crate::spec::asset_name(file(item)).to_owned();
    }
    affixes.apply(new.name());
    offsets.shift(&mut new);
    new
}

/// Copies the frames of a child that contain copied elements.
struct Frames<'a> {
    child: &'a Spec,
    new: HashMap<FrameId, FrameId>,
    list: Vec<super::super::Frame>,
}

impl Frames<'_> {
    fn copy(&mut self, frame: Option<FrameId>) -> Option<FrameId> {
        // The ancestors of this frame that are not copied yet, innermost first.
        let mut ancestors = Vec::new();
        let mut at = frame;
        while let Some(id) = at
            && !self.new.contains_key(&id)
            && ancestors.len() < self.child.frames.len()
        {
            ancestors.push(id);
            at = self.child.frames.get(id.0)?.parent;
        }
        for id in ancestors.into_iter().rev() {
            let mut frame = self.child.frames.get(id.0)?.clone();
            frame.parent = frame.parent.and_then(|p| self.new.get(&p).copied());
            self.new.insert(id, FrameId(self.list.len()));
            self.list.push(frame);
        }
        self.new.get(&frame?).copied()
    }
}

impl Subtree {
    /// Copies the elements that refer to the subtree or to nothing, and returns their indices.
    fn copies<T: References>(&mut self, list: &[T], parent: &Spec) -> (Vec<T>, Vec<usize>) {
        let (mut copies, mut ids) = (Vec::new(), Vec::new());
        for (i, item) in list.iter().enumerate() {
            let mut item = item.clone();
            let included = match self.membership(&mut item) {
                Membership::Included => {
                    // References to elements outside the subtree must exist in the parent.
                    let mut found = true;
                    item.references(&mut |kind, name| {
                        found &= self.names.contains(kind, name) || parent.has(kind, name);
                    });
                    found
                }
                Membership::Unrelated => {
                    let mut free = true;
                    item.references(&mut |_, _| free = false);
                    free
                }
                Membership::Partial => false,
            };
            if included {
                self.names.add(T::KIND, item.name());
                copies.push(item);
                ids.push(i);
            }
        }
        (copies, ids)
    }
}

impl Spec {
    /// Whether a body, geom, site or camera of this name exists.
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
