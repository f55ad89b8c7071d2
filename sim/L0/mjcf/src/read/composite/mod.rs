//! `composite`: a cable, which is a chain of bodies along a curve (mjCComposite).
//!
//! The element is expanded when it is read: it adds bodies with ball joints, geoms and sites, excluded body
//! pairs, a text and, for boxes, a skin to the spec.

mod curve;
mod skin;

use super::Reader;
use super::attributes::Keywords;
use crate::spec::{
    Body, BodyId, Exclude, FrameId, Geom, Joint, Orientation, Origin, PluginRef, Site, Skin, Text,
};
use crate::xml::NodeId;
use curve::{Axis, Link, links};
use sim_core::math::quat;
use sim_core::types::{GeomType, JointType};

/// The attribute that an error concerns, and its message.
type Failure = (Option<&'static str>, String);

/// Visualization group of joints and sites.
const HIDDEN_GROUP: i32 = 3;

/// The plugin that cables support.
const CABLE_PLUGIN: &str = "mujoco.elasticity.cable";

/// Joint of the first body of a cable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Initial {
    /// A ball joint.
    Ball,
    /// A free joint.
    Free,
    /// No joint.
    None,
}

/// Types that MuJoCo no longer supports, and what replaces them.
const REMOVED: Keywords<&str> = &[
    ("particle", "<replicate>"),
    ("grid", "<flexcomp type=\"grid\">"),
    ("rope", "type=\"cable\""),
    ("loop", "<flexcomp type=\"circle\">"),
    ("cloth", "<flexcomp type=\"grid\" dim=\"2\">"),
];

/// A cable during expansion.
struct Cable {
    prefix: String,
    count: [i32; 3],
    /// Points given by the model, in single precision.
    vertex: Vec<f32>,
    curve: [Axis; 3],
    size: [f64; 3],
    offset: [f64; 3],
    quat: [f64; 4],
    initial: Initial,
    joint: Joint,
    geom: Geom,
    site: Site,
    skin: Skin,
    /// Whether the skin has texture coordinates.
    texcoord: bool,
    /// Vertices of the skin between two bodies.
    subgrid: i32,
    plugin: Option<Box<PluginRef>>,
    origin: Origin,
}

impl Cable {
    fn new(origin: Origin) -> Self {
        Self {
            prefix: String::new(),
            count: [1; 3],
            vertex: Vec::new(),
            curve: [Axis::Zero; 3],
            size: [1.0, 0.0, 0.0],
            offset: [0.0; 3],
            quat: quat::IDENTITY,
            initial: Initial::Ball,
            joint: Joint {
                jtype: JointType::Ball,
                group: HIDDEN_GROUP,
                origin,
                ..Joint::default()
            },
            geom: Geom { origin, ..Geom::default() },
            site: Site { group: HIDDEN_GROUP, origin, ..Site::default() },
            skin: Skin { rgba: [1.0; 4], origin, ..Skin::default() },
            texcoord: false,
            subgrid: 0,
            plugin: None,
            origin,
        }
    }

    /// Checks the attributes and returns the points of the cable.
    fn points(&self) -> Result<Vec<[f32; 3]>, Failure> {
        let fail = |attribute, message: &str| Err((attribute, message.to_owned()));
        let given = self.vertex.as_chunks::<3>().0;
        if self.count.iter().any(|&n| n < 1) {
            return fail(Some("count"), "must be positive");
        }
        if !given.is_empty() && self.count[0] > 1 {
            return fail(Some("vertex"), "cannot be combined with `count`");
        }
        if !self.vertex.len().is_multiple_of(3) {
            return fail(Some("vertex"), "requires a multiple of 3 numbers");
        }
        let count = if given.is_empty() { self.count[0] as usize } else { given.len() };
        if self.count[1..] != [1, 1] || count == 1 {
            let message =
                "a cable has one dimension: write count=\"N 1 1\" with N > 1, or `vertex`";
            return fail(None, message);
        }
        if count == 3 {
            let message = "a cable requires 2 points or at least 4";
            return fail(None, message);
        }
        if !matches!(self.geom.gtype, GeomType::Capsule | GeomType::Cylinder | GeomType::Box) {
            let message = "requires a <geom> of type \"capsule\", \"cylinder\" or \"box\"";
            return fail(None, message);
        }
        if !given.is_empty() {
            return Ok(given.to_vec());
        }
        if self.size.iter().all(|&s| s == 0.0) {
            return fail(Some("size"), "must have a number that is not zero");
        }
        Ok(curve::points(count, self.curve, self.size, self.quat))
    }

    /// Name of an element of body `i` of `count`.
    fn name(&self, kind: &str, i: usize, count: usize) -> String {
        let prefix = &self.prefix;
        match i {
            0 => format!("{prefix}{kind}_first"),
            i if i + 1 == count => format!("{prefix}{kind}_last"),
            i => format!("{prefix}{kind}_{i}"),
        }
    }

    /// Body `i` of `count` without its place in the tree.
    fn body(&self, i: usize, count: usize, link: &Link, start: [f64; 3]) -> Body {
        let mut body = Body {
            name: self.name("B", i, count),
            pos: start,
            orientation: Orientation::Quat(link.quat),
            plugin: self.plugin.clone(),
            origin: self.origin,
            ..Body::default()
        };
        let mut geom = Geom { name: format!("{}G{i}", self.prefix), ..self.geom.clone() };
        if geom.gtype == GeomType::Box {
            geom.size[0] = link.length / 2.0;
            geom.pos = [link.length / 2.0, 0.0, 0.0];
        } else {
            geom.fromto = Some([0.0, 0.0, 0.0, link.length, 0.0, 0.0]);
        }
        body.geoms.push(geom);
        let mut joint = Joint { name: self.name("J", i, count), ..self.joint.clone() };
        if i == 0 && self.initial == Initial::Free {
            joint.jtype = JointType::Free;
            joint.damping = [0.0; 3];
            joint.armature = 0.0;
            joint.frictionloss = 0.0;
        }
        if i > 0 || self.initial != Initial::None {
            body.joints.push(joint);
        }
        let site = |name, x| Site { name, pos: [x, 0.0, 0.0], ..self.site.clone() };
        if i == 0 {
            body.sites.push(site(self.name("S", 0, count), 0.0));
        } else if i + 1 == count {
            body.sites.push(site(self.name("S", i, count), link.length));
        }
        body
    }
}

impl Reader<'_> {
    /// Reads and expands a `composite` of a body. An enclosing frame applies to the first body.
    pub(super) fn composite(
        &mut self,
        id: NodeId,
        body: BodyId,
        frame: Option<FrameId>,
        origin: Origin,
    ) {
        let mut removed = "";
        self.keyword(id, "type", REMOVED, &mut removed);
        if !removed.is_empty() {
            let message = format!("was removed from MuJoCo: use {removed}");
            self.invalid(id, Some("type"), message);
            return;
        }
        let mut cable = Cable::new(origin);
        self.cable_attributes(id, &mut cable);
        if let Err((attribute, message)) = self.expand_cable(cable, body, frame) {
            self.invalid(id, attribute, message);
        }
    }

    fn cable_attributes(&mut self, id: NodeId, c: &mut Cable) {
        self.text(id, "prefix", &mut c.prefix);
        for (to, from) in c.count.iter_mut().zip(self.ints(id, "count")) {
            *to = from;
        }
        c.vertex = self.singles(id, "vertex").unwrap_or_default().to_vec();
        self.vector(id, "size", &mut c.size);
        self.vector(id, "offset", &mut c.offset);
        self.vector(id, "quat", &mut c.quat);
        c.initial = match self.dom.attr(id, "initial").unwrap_or_default() {
            "free" => Initial::Free,
            "none" => Initial::None,
            _ => Initial::Ball,
        };
        match curve::axes(self.dom.attr(id, "curve").unwrap_or_default()) {
            Ok(axes) => c.curve = axes,
            Err(message) => self.invalid(id, Some("curve"), message),
        }
        let mut joints = 0;
        for child in self.children(id) {
            match self.name(child) {
                "joint" => {
                    joints += 1;
                    if joints > 1 {
                        self.invalid(
                            child,
                            None,
                            "a cable has one kind of joint: remove the second",
                        );
                    }
                    self.cable_joint(child, &mut c.joint);
                }
                // the schema admits only some of the attributes here
                "geom" => self.geom(child, &mut c.geom),
                "site" => {
                    self.int(child, "group", &mut c.site.group);
                    self.vector(child, "size", &mut c.site.size);
                    self.text(child, "material", &mut c.site.material);
                    self.vector32(child, "rgba", &mut c.site.rgba);
                }
                "skin" => {
                    self.boolean(child, "texcoord", &mut c.texcoord);
                    self.text(child, "material", &mut c.skin.material);
                    self.int(child, "group", &mut c.skin.group);
                    self.vector32(child, "rgba", &mut c.skin.rgba);
                    self.int(child, "subgrid", &mut c.subgrid);
                    if !(0..=100).contains(&c.subgrid) {
                        self.invalid(child, Some("subgrid"), "must be between 0 and 100");
                        c.subgrid = 0;
                    }
                    if !(0..6).contains(&c.skin.group) {
                        self.invalid(child, Some("group"), "must be between 0 and 5");
                    }
                }
                "plugin" => {
                    let mut plugin = self.plugin_ref(child);
                    if plugin.plugin != CABLE_PLUGIN {
                        let message = format!("a cable supports only plugin=\"{CABLE_PLUGIN}\"");
                        self.invalid(child, Some("plugin"), message);
                    }
                    self.share_plugin(&mut plugin, || format!("composite{}", c.prefix));
                    c.plugin = Some(plugin);
                }
                _ => {}
            }
        }
    }

    /// As in MuJoCo, `type`, `limited`, `solreffix` and `solimpfix` have no effect.
    fn cable_joint(&self, id: NodeId, j: &mut Joint) {
        self.int(id, "group", &mut j.group);
        self.vector(id, "stiffness", &mut j.stiffness);
        self.vector(id, "damping", &mut j.damping);
        self.real(id, "armature", &mut j.armature);
        self.vector(id, "axis", &mut j.axis);
        self.vector(id, "range", &mut j.range);
        self.real(id, "margin", &mut j.margin);
        self.vector(id, "solreflimit", &mut j.solref_limit);
        self.vector(id, "solimplimit", &mut j.solimp_limit);
        self.real(id, "frictionloss", &mut j.frictionloss);
        self.vector(id, "solreffriction", &mut j.solref_friction);
        self.vector(id, "solimpfriction", &mut j.solimp_friction);
    }

    fn expand_cable(
        &mut self,
        mut cable: Cable,
        parent: BodyId,
        frame: Option<FrameId>,
    ) -> Result<(), Failure> {
        let requested = usize::try_from(cable.count[0]).unwrap_or(0).max(cable.vertex.len() / 3);
        let rows = cable.subgrid as usize + 1;
        if let Err(total) = self.loader.limits.add_elements(requested.saturating_mul(rows * rows)) {
            let message = format!("the model expands to {total} elements, which is too many");
            return Err((None, message));
        }
        let points = cable.points()?;
        let links = links(&points);
        let (mut parent, count) = (parent, links.len());
        for (i, link) in links.iter().enumerate() {
            let start = match i {
                0 => std::array::from_fn(|k| f64::from(points[0][k]) + cable.offset[k]),
                i => [links[i - 1].length, 0.0, 0.0],
            };
            let mut body = cable.body(i, count, link, start);
            body.parent = parent;
            body.frame = if i == 0 { frame } else { None };
            let child = BodyId(self.spec.bodies.len());
            self.spec.bodies.push(body);
            self.spec.bodies[parent.0].children.push(child);
            parent = child;
            if i > 0 {
                self.spec.excludes.push(Exclude {
                    body1: cable.name("B", i - 1, count),
                    body2: cable.name("B", i, count),
                    origin: cable.origin,
                    ..Exclude::default()
                });
            }
        }
        let prefix = &cable.prefix;
        self.spec.texts.push(Text {
            name: format!("composite_{prefix}"),
            data: format!("rope_{prefix}"),
            origin: cable.origin,
        });
        if cable.geom.gtype == GeomType::Box {
            cable.skin(count);
            self.spec.skins.push(cable.skin);
        }
        Ok(())
    }
}
