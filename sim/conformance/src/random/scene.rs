//! The names that a generated model has defined so far, to which later elements refer.

use super::element::Element;
use super::rng::Rng;
use std::collections::BTreeMap;

/// A joint to which other elements may refer.
#[derive(Debug, Clone)]
pub struct JointName {
    pub name: String,
    pub kind: &'static str,
    pub limited: bool,
}

/// Names of the elements of a model.
#[derive(Debug, Default)]
pub struct Scene {
    pub bodies: Vec<String>,
    pub joints: Vec<JointName>,
    pub geoms: Vec<String>,
    /// Geoms around which tendons may wrap.
    pub wrap_geoms: Vec<String>,
    pub sites: Vec<String>,
    pub cameras: Vec<String>,
    pub tendons: Vec<String>,
    /// Tendons with limits.
    pub limited_tendons: Vec<String>,
    pub actuators: Vec<String>,
    pub meshes: Vec<String>,
    pub hfields: Vec<String>,
    pub materials: Vec<String>,
    /// Default classes.
    pub classes: Vec<String>,
    /// Whether the model has a `replicate`, which multiplies sensors without an object in 3.8.0.
    pub replicated: bool,
    /// Number of positions of the joints so far; this and the following sizes are those of a keyframe, which
    /// `replicate` and `attach` do not change.
    pub nq: usize,
    /// Number of velocities of the joints so far.
    pub nv: usize,
    /// Number of mocap bodies so far.
    pub nmocap: usize,
    /// Number of activations so far.
    pub na: usize,
    /// Whether the number of activations is unknown, so that there are no keyframes.
    pub unknown_sizes: bool,
    /// Sites that a `replicate` copies.
    pub copied_sites: Vec<String>,
    /// Whether the model is one that another attaches.
    sub_model: bool,
    /// Rigid body of each named body, geom and site: 0 for those that no joint moves.
    rigid: BTreeMap<String, usize>,
    /// Rigid body of the elements that are added now.
    pub group: usize,
    groups: usize,
    counter: usize,
}

impl Scene {
    /// An empty scene of a model that another attaches.
    pub fn sub_model() -> Self {
        Self { sub_model: true, ..Self::default() }
    }

    /// A new unique name.
    pub fn name(&mut self, prefix: &str) -> String {
        self.counter += 1;
        // a letter at the end: `replicate` of 3.8.0 takes a name with a number appended for a copy; another
        // one in sub-models, whose references 3.8.0 also resolves without the prefix
        let letter = if self.sub_model { 'y' } else { 'x' };
        format!("{prefix}{}{letter}", self.counter)
    }

    /// Begins a body with its own dofs: what is placed next moves relative to what was placed before.
    pub fn new_group(&mut self) {
        self.groups += 1;
        self.group = self.groups;
    }

    /// Records that an element is attached to the current body.
    pub fn place(&mut self, name: &str) {
        self.rigid.insert(name.to_owned(), self.group);
    }

    /// Whether the named body, geom or site moves relative to the world: its body or an ancestor has
    /// joints.
    pub fn moves(&self, name: &str) -> bool {
        self.rigid.get(name).is_some_and(|&group| group > 0)
    }

    /// Whether all elements belong to the same rigid body.
    pub fn same_body<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> bool {
        let mut bodies = names.into_iter().map(|name| self.rigid.get(name));
        let first = bodies.next();
        bodies.all(|body| Some(body) == first)
    }

    /// Two names of elements of which at least one moves; of the same rigid body only if `same`.
    pub fn two_placed(&self, rng: &mut Rng, names: &[String], same: bool) -> Option<[String; 2]> {
        let (a, b) = (rng.pick(names)?, rng.pick(names)?);
        let [first, second] = [a, b].map(|name| self.rigid.get(name).copied().unwrap_or(0));
        let allowed = a != b && (first != second || same && first > 0);
        allowed.then(|| [a.clone(), b.clone()])
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, name: String, kind: &'static str, limited: bool) {
        let (nq, nv) = match kind {
            "free" => (7, 6),
            "ball" => (4, 3),
            _ => (1, 1),
        };
        self.nq += nq;
        self.nv += nv;
        self.joints.push(JointName { name, kind, limited });
    }

    /// Name of a joint with one dof.
    pub fn scalar_joint(&self, rng: &mut Rng) -> Option<JointName> {
        let scalar: Vec<&JointName> =
            self.joints.iter().filter(|j| matches!(j.kind, "hinge" | "slide")).collect();
        rng.pick(&scalar).map(|joint| (*joint).clone())
    }

    /// Name of a ball joint.
    pub fn ball_joint(&self, rng: &mut Rng) -> Option<String> {
        let balls: Vec<&JointName> = self.joints.iter().filter(|j| j.kind == "ball").collect();
        rng.pick(&balls).map(|joint| joint.name.clone())
    }

    /// Name of a hinge, slide or ball joint with limits.
    pub fn limited_joint(&self, rng: &mut Rng) -> Option<String> {
        let limited: Vec<&JointName> = self.joints.iter().filter(|j| j.limited).collect();
        rng.pick(&limited).map(|joint| joint.name.clone())
    }

    /// Whether the target of an actuator is a joint or tendon with limits.
    pub fn limited_target(&self, actuator: &Element) -> bool {
        let joint = actuator.get("joint");
        self.joints.iter().any(|j| j.limited && Some(j.name.as_str()) == joint)
            || self.limited_tendons.iter().any(|name| Some(name.as_str()) == actuator.get("tendon"))
    }

    /// Type and name of an object with a frame.
    pub fn frame_object(&self, rng: &mut Rng) -> Option<(&'static str, String)> {
        let kind = rng.word(&["body", "xbody", "geom", "site", "camera"]);
        let list = match kind {
            "geom" => &self.geoms,
            "site" => &self.sites,
            "camera" => &self.cameras,
            _ => &self.bodies,
        };
        rng.pick(list).map(|name| (kind, name.clone()))
    }
}
