//! `worldbody` section.

use super::element::{Attributes, Document};
use super::{Writer, inertia_settings_differ, plugin};
use crate::spec::{
    Angle, Body, BodyId, Camera, DefaultId, FrameId, Geom, Inertial, Joint, Light, Orientation,
    Origin, Site, Spec, Tri,
};
use sim_core::types::{CamLightMode, GeomType, JointType, LightType, Projection, SleepPolicy};

impl<'a> Writer<'a> {
    pub(super) fn worldbody(&mut self, doc: &mut Document) {
        let alignfree = self.alignfree;
        let spec = self.spec;
        if let Some(j) = spec.joints_without_align().find(|j| spec.is_aligned(j) != alignfree) {
            let message =
                "free joints with settings of their own require both values of `alignfree`";
            self.inexpressible(j.origin, "joint", message);
        }
        let order = self.spec.depth_first();
        // The reader bounds the depth; the compiler rejects a spec that was edited into a loop.
        let mut ids = vec![0; self.spec.bodies.len()];
        for (id, body) in order.iter().enumerate() {
            ids[body.0] = id;
        }
        doc.section("worldbody", |doc| self.content(doc, BodyId(0), &ids));
    }

    /// Writes the elements of a body, each list in order, within their frames.
    fn content(&mut self, doc: &mut Document, id: BodyId, ids: &[usize]) {
        let body = &self.spec.bodies[id.0];
        plugin::child(doc, body.plugin.as_deref());
        let mut frames = Frames::default();
        for j in &body.joints {
            frames.enter(self, doc, j.frame);
            self.joint(doc, j);
        }
        for g in &body.geoms {
            frames.enter(self, doc, g.frame);
            let g = Geom { orientation: self.orientation(g.origin, g.orientation), ..g.clone() };
            let key = (g.name.as_str(), g.class, g.origin);
            if let Some(a) = self.class_attributes("geom", key, &geom(&g)) {
                doc.open("geom", &a);
                plugin::child(doc, g.plugin.as_deref());
                doc.close();
            }
        }
        for s in &body.sites {
            frames.enter(self, doc, s.frame);
            let s = Site { orientation: self.orientation(s.origin, s.orientation), ..s.clone() };
            self.class_element(doc, "site", (&s.name, s.class, s.origin), site(&s));
        }
        for c in &body.cameras {
            frames.enter(self, doc, c.frame);
            let c = Camera { orientation: self.orientation(c.origin, c.orientation), ..c.clone() };
            let mut attributes = camera(&c);
            attributes.word("target", &c.target);
            attributes.list("user", &c.user);
            self.class_element(doc, "camera", (&c.name, c.class, c.origin), attributes);
        }
        for l in &body.lights {
            frames.enter(self, doc, l.frame);
            let mut attributes = light(l);
            attributes.word("target", &l.target);
            attributes.word("texture", &l.texture);
            self.class_element(doc, "light", (&l.name, l.class, l.origin), attributes);
        }
        for &child in &body.children {
            let Some(inner) = self.spec.bodies.get(child.0) else { continue };
            frames.enter(self, doc, inner.frame);
            doc.open("body", &self.body(inner));
            self.inertial(doc, inner, ids[child.0]);
            self.content(doc, child, ids);
            doc.close();
        }
        frames.enter(self, doc, None);
    }

    /// Writes an element that has a default class.
    pub(super) fn class_element(
        &mut self,
        doc: &mut Document,
        kind: &str,
        (name, class, origin): (&str, DefaultId, Origin),
        attributes: Attributes,
    ) {
        if let Some(attributes) = self.class_attributes(kind, (name, class, origin), &attributes) {
            doc.element(kind, &attributes);
        }
    }

    /// Name, class and attributes of an element that differ from its class; reports an
    /// inexpressible element.
    pub(super) fn class_attributes(
        &mut self,
        kind: &str,
        (name, class, origin): (&str, DefaultId, Origin),
        attributes: &Attributes,
    ) -> Option<Attributes> {
        let mut all = Attributes::default();
        all.word("name", name);
        let Some(mut rest) = self.classes.attributes(kind, class, attributes) else {
            let message = "lacks an attribute that the main default class sets; MJCF cannot \
                           unset it";
            self.inexpressible(origin, kind, message);
            return None;
        };
        all.0.append(&mut rest.0);
        Some(all)
    }

    fn body(&self, b: &Body) -> Attributes {
        let mut a = Attributes::default();
        a.word("name", &b.name);
        if b.pos != [0.0; 3] {
            a.numbers("pos", &b.pos);
        }
        write_orientation(&mut a, self.orientation(b.origin, b.orientation));
        if b.mocap {
            a.boolean("mocap", true);
        }
        if b.gravcomp != 0.0 {
            a.number("gravcomp", b.gravcomp);
        }
        match b.sleep {
            SleepPolicy::Never => a.text("sleep", "never"),
            SleepPolicy::Allowed => a.text("sleep", "allowed"),
            SleepPolicy::Init => a.text("sleep", "init"),
            SleepPolicy::Auto | SleepPolicy::AutoNever | SleepPolicy::AutoAllowed => {}
        }
        a.list("user", &b.user);
        a
    }

    /// Inertia of a body: as specified, or as compiled if the settings require it.
    fn inertial(&mut self, doc: &mut Document, b: &Body, id: usize) {
        let own = self.spec.compiler_of(b.origin);
        let differs = inertia_settings_differ(own, &self.spec.compiler);
        let compiled = differs || self.spec.compiler.saveinertial;
        if let Some(m) = self.inertias.as_ref().filter(|_| compiled) {
            let mut a = Attributes::default();
            a.numbers("pos", &m.body_ipos[3 * id..3 * id + 3]);
            a.numbers("quat", &m.body_iquat[4 * id..4 * id + 4]);
            a.number("mass", m.body_mass[id]);
            a.numbers("diaginertia", &m.body_inertia[3 * id..3 * id + 3]);
            doc.element("inertial", &a);
            let main = &self.spec.compiler;
            let moments = &m.body_inertia[3 * id..3 * id + 3];
            let bounded = m.body_mass[id] < main.boundmass
                || moments.iter().any(|&moment| moment < main.boundinertia);
            if differs && bounded {
                let message =
                    "the main model has larger bounds of mass or inertia than an attached one";
                self.inexpressible(b.origin, "body", message);
            }
            if differs && main.inertiafromgeom == Tri::True {
                let message =
                    "the main model computes inertias from geoms, an attached one does not";
                self.inexpressible(b.origin, "body", message);
            }
        } else if let Some(given) = &b.inertial {
            doc.element("inertial", &self.explicit_inertia(given));
        }
    }

    fn explicit_inertia(&self, i: &Inertial) -> Attributes {
        let mut a = Attributes::default();
        a.numbers("pos", &i.pos);
        if i.fullinertia.is_none() {
            write_orientation(&mut a, self.orientation(i.origin, i.orientation));
        }
        a.number("mass", i.mass);
        if let Some(full) = i.fullinertia {
            a.numbers("fullinertia", &full);
        } else if let Some(moments) = i.diaginertia {
            a.numbers("diaginertia", &moments);
        }
        a
    }

    fn joint(&mut self, doc: &mut Document, j: &Joint) {
        if is_freejoint(j) {
            let mut a = Attributes::default();
            a.word("name", &j.name);
            if j.group != 0 {
                a.number("group", j.group);
            }
            // an attached model may have another `alignfree`
            let align = self.spec.is_aligned(j);
            if j.align != Tri::Auto || align != self.alignfree {
                a.boolean("align", align);
            }
            doc.element("freejoint", &a);
            return;
        }
        let j = self.converted_joint(j);
        self.class_element(doc, "joint", (&j.name, j.class, j.origin), joint(&j));
    }

    /// A joint of an attached model, converted to the angle unit and limits of the main model.
    fn converted_joint(&self, j: &Joint) -> Joint {
        let (source, main) = (self.spec.compiler_of(j.origin), &self.spec.compiler);
        let mut j = j.clone();
        if source.autolimits != main.autolimits {
            let resolve = |limited: Tri, range: [f64; 2]| match limited {
                Tri::Auto if range[0] < range[1] => Tri::True,
                Tri::Auto => Tri::False,
                given => given,
            };
            j.limited = resolve(j.limited, j.range);
            j.actfrclimited = resolve(j.actfrclimited, j.actfrcrange);
        }
        if source.angle != main.angle {
            let factor = match main.angle {
                Angle::Degree => 180.0 / std::f64::consts::PI,
                Angle::Radian => std::f64::consts::PI / 180.0,
            };
            // As in the compiler, a range without effect is not converted.
            let limited = match j.limited {
                Tri::Auto => j.range[0] < j.range[1],
                given => given == Tri::True,
            };
            if limited && matches!(j.jtype, JointType::Hinge | JointType::Ball) {
                j.range = j.range.map(|x| x * factor);
            }
            if j.jtype == JointType::Hinge {
                j.reference *= factor;
                j.springref *= factor;
            }
        }
        j
    }
}

/// Stack of open frames.
#[derive(Default)]
struct Frames(Vec<FrameId>);

impl Frames {
    /// Closes and opens frames until `frame` is the innermost.
    fn enter(&mut self, writer: &Writer<'_>, doc: &mut Document, frame: Option<FrameId>) {
        let mut path = Vec::new();
        let mut at = frame;
        while let Some(id) = at
            && path.len() <= writer.spec.frames.len()
        {
            path.push(id);
            at = writer.spec.frames.get(id.0).and_then(|f| f.parent);
        }
        path.reverse();
        let common = self.0.iter().zip(&path).take_while(|(a, b)| a == b).count();
        while self.0.len() > common {
            self.0.pop();
            doc.close();
        }
        for id in path.into_iter().skip(common) {
            let mut a = Attributes::default();
            // A frame may be written several times, so its name is omitted.
            if let Some(f) = writer.spec.frames.get(id.0) {
                if f.pos != [0.0; 3] {
                    a.numbers("pos", &f.pos);
                }
                write_orientation(&mut a, writer.orientation(f.origin, f.orientation));
            }
            doc.open("frame", &a);
            self.0.push(id);
        }
    }
}

/// Writes an orientation unless it is the identity.
fn write_orientation(a: &mut Attributes, orientation: Orientation) {
    if orientation != Orientation::default() {
        a.orientation(&orientation);
    }
}

/// Whether a joint can be written as `freejoint`: only that has `align`, and default classes do not apply to it.
fn is_freejoint(j: &Joint) -> bool {
    let plain = Joint {
        name: j.name.clone(),
        class: j.class,
        frame: j.frame,
        group: j.group,
        align: j.align,
        origin: j.origin,
        jtype: JointType::Free,
        ..Joint::default()
    };
    j.jtype == JointType::Free && joint(j).0 == joint(&plain).0
}

impl Spec {
    /// Whether the frame of a free body with this joint is aligned with its inertial frame.
    fn is_aligned(&self, j: &Joint) -> bool {
        match j.align {
            Tri::Auto => self.compiler_of(j.origin).alignfree,
            align => align == Tri::True,
        }
    }

    /// The free joints that `alignfree` of the saved model applies to, because they cannot be written as
    /// `freejoint`.
    fn joints_without_align(&self) -> impl Iterator<Item = &Joint> {
        let leaves = self.bodies.iter().filter(|b| b.children.is_empty() && b.joints.len() == 1);
        let joints = leaves.flat_map(|b| &b.joints);
        joints.filter(|j| j.jtype == JointType::Free && !is_freejoint(j))
    }

    /// `alignfree` of the saved model: that of the main model, unless all free joints that it applies to require
    /// the other value.
    pub(super) fn saved_alignfree(&self) -> bool {
        let main = self.compiler.alignfree;
        let mut others = self.joints_without_align().map(|j| self.is_aligned(j)).peekable();
        main != (others.peek().is_some() && others.all(|align| align != main))
    }
}

/// All attributes of a joint except its name.
pub(super) fn joint(j: &Joint) -> Attributes {
    let mut a = Attributes::default();
    a.text(
        "type",
        match j.jtype {
            JointType::Free => "free",
            JointType::Ball => "ball",
            JointType::Slide => "slide",
            JointType::Hinge => "hinge",
        },
    );
    a.number("group", j.group);
    a.numbers("pos", &j.pos);
    a.numbers("axis", &j.axis);
    a.numbers("springdamper", &j.springdamper);
    a.tri("limited", j.limited);
    a.tri("actuatorfrclimited", j.actfrclimited);
    a.numbers("solreflimit", &j.solref_limit);
    a.numbers("solimplimit", &j.solimp_limit);
    a.numbers("solreffriction", &j.solref_friction);
    a.numbers("solimpfriction", &j.solimp_friction);
    a.numbers("stiffness", &j.stiffness);
    a.numbers("range", &j.range);
    a.numbers("actuatorfrcrange", &j.actfrcrange);
    a.boolean("actuatorgravcomp", j.actgravcomp);
    a.number("margin", j.margin);
    a.number("ref", j.reference);
    a.number("springref", j.springref);
    a.number("armature", j.armature);
    a.numbers("damping", &j.damping);
    a.number("frictionloss", j.frictionloss);
    a.list("user", &j.user);
    a
}

const fn shape(shape: GeomType) -> &'static str {
    match shape {
        GeomType::Plane => "plane",
        GeomType::HField => "hfield",
        GeomType::Sphere => "sphere",
        GeomType::Capsule => "capsule",
        GeomType::Ellipsoid => "ellipsoid",
        GeomType::Cylinder => "cylinder",
        GeomType::Box => "box",
        GeomType::Mesh => "mesh",
        GeomType::Sdf => "sdf",
    }
}

/// All attributes of a geom except its name.
pub(super) fn geom(g: &Geom) -> Attributes {
    let mut a = Attributes::default();
    a.text("type", shape(g.gtype));
    a.word("mesh", &g.mesh);
    a.word("hfield", &g.hfield);
    a.word("material", &g.material);
    a.numbers("size", &g.size);
    a.numbers("pos", &g.pos);
    a.orientation(&g.orientation);
    if let Some(points) = g.fromto {
        a.numbers("fromto", &points);
    }
    a.number("fitscale", g.fitscale);
    a.number("contype", g.contype);
    a.number("conaffinity", g.conaffinity);
    a.number("condim", g.condim);
    a.number("group", g.group);
    a.number("priority", g.priority);
    a.numbers("friction", &g.friction);
    if let Some(mass) = g.mass {
        a.number("mass", mass);
    }
    a.number("density", g.density);
    a.boolean("shellinertia", g.shellinertia);
    a.number("solmix", g.solmix);
    a.numbers("solref", &g.solref);
    a.numbers("solimp", &g.solimp);
    a.number("margin", g.margin);
    a.number("gap", g.gap);
    a.numbers("rgba", &g.rgba);
    a.text("fluidshape", if g.fluidshape { "ellipsoid" } else { "none" });
    a.numbers("fluidcoef", &g.fluidcoef);
    a.list("user", &g.user);
    a
}

/// All attributes of a site except its name.
pub(super) fn site(s: &Site) -> Attributes {
    let mut a = Attributes::default();
    a.text("type", shape(s.stype));
    a.word("material", &s.material);
    a.numbers("size", &s.size);
    a.numbers("pos", &s.pos);
    a.orientation(&s.orientation);
    if let Some(points) = s.fromto {
        a.numbers("fromto", &points);
    }
    a.number("group", s.group);
    a.numbers("rgba", &s.rgba);
    a.list("user", &s.user);
    a
}

const fn mode(mode: CamLightMode) -> &'static str {
    match mode {
        CamLightMode::Fixed => "fixed",
        CamLightMode::Track => "track",
        CamLightMode::TrackCom => "trackcom",
        CamLightMode::TargetBody => "targetbody",
        CamLightMode::TargetBodyCom => "targetbodycom",
    }
}

/// Attributes of a camera that a default class can set.
pub(super) fn camera(c: &Camera) -> Attributes {
    let mut a = Attributes::default();
    a.text(
        "projection",
        match c.projection {
            Projection::Perspective => "perspective",
            Projection::Orthographic => "orthographic",
        },
    );
    a.text("mode", mode(c.mode));
    a.numbers("pos", &c.pos);
    a.orientation(&c.orientation);
    a.number("ipd", c.ipd);
    a.numbers("resolution", &c.resolution);
    let images = ["rgb", "depth", "distance", "normal", "segmentation"];
    let chosen: Vec<&str> = images
        .iter()
        .enumerate()
        .filter(|(i, _)| c.output >> i & 1 == 1)
        .map(|(_, w)| *w)
        .collect();
    if !chosen.is_empty() {
        a.text("output", chosen.join(" "));
    }
    // `fovy` and `sensorsize` are mutually exclusive.
    if c.sensorsize == [0.0; 2] {
        a.number("fovy", c.fovy);
    } else {
        a.exclusive("fovy", "sensorsize", &c.sensorsize);
        a.numbers("focal", &c.focal);
        a.numbers("focalpixel", &c.focalpixel);
        a.numbers("principal", &c.principal);
        a.numbers("principalpixel", &c.principalpixel);
    }
    a
}

/// Attributes of a light that a default class can set.
pub(super) fn light(l: &Light) -> Attributes {
    let mut a = Attributes::default();
    a.text(
        "type",
        match l.ltype {
            LightType::Spot => "spot",
            LightType::Directional => "directional",
            LightType::Point => "point",
            LightType::Image => "image",
        },
    );
    a.text("mode", mode(l.mode));
    a.boolean("castshadow", l.castshadow);
    a.boolean("active", l.active);
    a.numbers("pos", &l.pos);
    a.numbers("dir", &l.dir);
    a.number("bulbradius", l.bulbradius);
    a.number("intensity", l.intensity);
    a.number("range", l.range);
    a.numbers("attenuation", &l.attenuation);
    a.number("cutoff", l.cutoff);
    a.number("exponent", l.exponent);
    a.numbers("ambient", &l.ambient);
    a.numbers("diffuse", &l.diffuse);
    a.numbers("specular", &l.specular);
    a
}
