//! `worldbody` section: bodies, frames, joints, geoms, sites, cameras, lights.

use super::Reader;
use super::attributes::Keywords;
use crate::error::ErrorKind;
use crate::spec::{
    Body, BodyId, Camera, DefaultId, Frame, FrameId, Geom, Inertial, Joint, Light, Orientation,
    Replicate, Site,
};
use crate::xml::NodeId;
use sim_core::types::{CamLightMode, GeomType, JointType, LightType, Projection, SleepPolicy};

/// An element on the traversal stack, and what its children inherit.
struct StackEntry {
    /// Remaining children, in reverse order.
    remaining: Vec<NodeId>,
    body: BodyId,
    frame: Option<FrameId>,
    class: DefaultId,
    /// Template of a `replicate`, which is complete once the children are read.
    template: Option<(NodeId, Replicate)>,
}

const MODES: Keywords<CamLightMode> = &[
    ("fixed", CamLightMode::Fixed),
    ("track", CamLightMode::Track),
    ("trackcom", CamLightMode::TrackCom),
    ("targetbody", CamLightMode::TargetBody),
    ("targetbodycom", CamLightMode::TargetBodyCom),
];

pub(super) const SHAPES: Keywords<GeomType> = &[
    ("plane", GeomType::Plane),
    ("hfield", GeomType::HField),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];

/// Camera output types, by bit (mjtCamOutBit).
const IMAGES: [&str; 5] = ["rgb", "depth", "distance", "normal", "segmentation"];

impl Reader<'_> {
    pub(super) fn worldbody(&mut self, section: NodeId) {
        self.spec.bodies[0].origin = self.origin(section);
        let open = |reader: &Self, id, body, frame, class| {
            let mut remaining = reader.children(id);
            remaining.reverse();
            StackEntry { remaining, body, frame, class, template: None }
        };
        let mut stack = vec![open(self, section, BodyId(0), None, DefaultId(0))];
        while let Some(top) = stack.last_mut() {
            let (body, frame, class) = (top.body, top.frame, top.class);
            let Some(id) = top.remaining.pop() else {
                if let Some((id, template)) = top.template {
                    self.replicate(id, template);
                }
                stack.pop();
                continue;
            };
            match self.name(id) {
                "body" => {
                    let class = self.class(id, "childclass").unwrap_or(class);
                    let child = self.body(id, body, frame, class);
                    stack.push(open(self, id, child, None, class));
                }
                "frame" => {
                    let class = self.class(id, "childclass").unwrap_or(class);
                    let inner = self.frame(id, frame);
                    stack.push(open(self, id, body, Some(inner), class));
                }
                "replicate" => {
                    let class = self.class(id, "childclass").unwrap_or(class);
                    let template = Replicate::open(&mut self.spec, body, frame);
                    let inner = open(self, id, template.template, None, class);
                    stack.push(StackEntry { template: Some((id, template)), ..inner });
                }
                "attach" => self.attach(id, body, frame),
                _ => self.body_element(id, body, frame, class),
            }
        }
    }

    /// Reads an element of a body.
    fn body_element(&mut self, id: NodeId, body: BodyId, frame: Option<FrameId>, class: DefaultId) {
        let class = self.class(id, "class").unwrap_or(class);
        let origin = self.origin(id);
        let name = self.name(id);
        if body.0 == 0 && matches!(name, "joint" | "freejoint" | "inertial") {
            self.invalid(
                id,
                None,
                "the world cannot have joints or inertia: move it into a <body>",
            );
            return;
        }
        match name {
            "inertial" => self.inertial(id, body),
            "joint" => {
                let mut joint =
                    Joint { frame, origin, ..self.spec.defaults[class.0].joint.clone() };
                self.joint(id, &mut joint);
                self.spec.bodies[body.0].joints.push(joint);
            }
            "freejoint" => {
                // A free joint ignores default classes.
                let mut joint = Joint { frame, origin, jtype: JointType::Free, ..Joint::default() };
                self.text(id, "name", &mut joint.name);
                self.int(id, "group", &mut joint.group);
                self.tri(id, "align", &mut joint.align);
                self.spec.bodies[body.0].joints.push(joint);
            }
            "geom" => {
                let mut geom = Geom { frame, origin, ..self.spec.defaults[class.0].geom.clone() };
                self.geom(id, &mut geom);
                self.spec.bodies[body.0].geoms.push(geom);
            }
            "site" => {
                let mut site = Site { frame, origin, ..self.spec.defaults[class.0].site.clone() };
                self.site(id, &mut site);
                self.spec.bodies[body.0].sites.push(site);
            }
            "camera" => {
                let mut camera =
                    Camera { frame, origin, ..self.spec.defaults[class.0].camera.clone() };
                self.camera(id, &mut camera);
                self.spec.bodies[body.0].cameras.push(camera);
            }
            "plugin" => {
                let plugin = self.plugin_ref(id);
                // with frames a body can contain several
                if self.spec.bodies[body.0].plugin.replace(plugin).is_some() {
                    self.error(id, None, ErrorKind::Repeated { parent: "body".to_owned() });
                }
            }
            "flexcomp" => self.flexcomp(id, body, origin),
            "composite" => self.composite(id, body, frame, origin),
            "light" => {
                let mut light =
                    Light { frame, origin, ..self.spec.defaults[class.0].light.clone() };
                self.light(id, &mut light);
                self.spec.bodies[body.0].lights.push(light);
            }
            _ => {}
        }
    }

    fn body(
        &mut self,
        id: NodeId,
        parent: BodyId,
        frame: Option<FrameId>,
        childclass: DefaultId,
    ) -> BodyId {
        let origin = self.origin(id);
        let mut body = Body { parent, frame, childclass, origin, ..Body::default() };
        self.text(id, "name", &mut body.name);
        self.vector(id, "pos", &mut body.pos);
        self.orientation(id, &mut body.orientation);
        self.user(id, &mut body.user);
        self.real(id, "gravcomp", &mut body.gravcomp);
        self.boolean(id, "mocap", &mut body.mocap);
        self.keyword(
            id,
            "sleep",
            &[
                ("auto", SleepPolicy::Auto),
                ("never", SleepPolicy::Never),
                ("allowed", SleepPolicy::Allowed),
                ("init", SleepPolicy::Init),
            ],
            &mut body.sleep,
        );
        let child = BodyId(self.spec.bodies.len());
        self.spec.bodies.push(body);
        self.spec.bodies[parent.0].children.push(child);
        child
    }

    fn frame(&mut self, id: NodeId, parent: Option<FrameId>) -> FrameId {
        let mut frame = Frame { parent, origin: self.origin(id), ..Frame::default() };
        self.text(id, "name", &mut frame.name);
        self.vector(id, "pos", &mut frame.pos);
        self.orientation(id, &mut frame.orientation);
        self.spec.frames.push(frame);
        FrameId(self.spec.frames.len() - 1)
    }

    fn inertial(&mut self, id: NodeId, body: BodyId) {
        let mut inertial = Inertial { origin: self.origin(id), ..Inertial::default() };
        self.vector(id, "pos", &mut inertial.pos);
        self.real(id, "mass", &mut inertial.mass);
        self.orientation(id, &mut inertial.orientation);
        inertial.diaginertia = self.array(id, "diaginertia");
        inertial.fullinertia = self.array(id, "fullinertia");
        if inertial.fullinertia.is_some() {
            // As in MuJoCo, these attributes may be present but empty, except `quat`.
            let oriented = ["axisangle", "xyaxes", "zaxis", "euler"];
            if self.dom.attr(id, "quat").is_some()
                || oriented.iter().any(|a| self.numbers(id, a).is_some())
            {
                let message = "determines the orientation: remove the orientation attribute";
                self.invalid(id, Some("fullinertia"), message);
            }
            if inertial.diaginertia.is_some_and(|d| d != [0.0; 3]) {
                self.invalid(id, Some("fullinertia"), "cannot be combined with `diaginertia`");
            }
        }
        // With frames a body can contain several, of which MuJoCo reads the last.
        if self.spec.bodies[body.0].inertial.is_some() {
            self.error(id, None, ErrorKind::Repeated { parent: "body".to_owned() });
        }
        self.spec.bodies[body.0].inertial = Some(inertial);
    }

    pub(super) fn joint(&mut self, id: NodeId, j: &mut Joint) {
        self.text(id, "name", &mut j.name);
        self.keyword(
            id,
            "type",
            &[
                ("free", JointType::Free),
                ("ball", JointType::Ball),
                ("slide", JointType::Slide),
                ("hinge", JointType::Hinge),
            ],
            &mut j.jtype,
        );
        self.int(id, "group", &mut j.group);
        self.tri(id, "limited", &mut j.limited);
        self.tri(id, "actuatorfrclimited", &mut j.actfrclimited);
        self.vector(id, "solreflimit", &mut j.solref_limit);
        self.vector(id, "solimplimit", &mut j.solimp_limit);
        self.vector(id, "solreffriction", &mut j.solref_friction);
        self.vector(id, "solimpfriction", &mut j.solimp_friction);
        self.vector(id, "pos", &mut j.pos);
        self.vector(id, "axis", &mut j.axis);
        self.vector(id, "springdamper", &mut j.springdamper);
        self.vector(id, "stiffness", &mut j.stiffness);
        self.vector(id, "range", &mut j.range);
        self.vector(id, "actuatorfrcrange", &mut j.actfrcrange);
        self.real(id, "margin", &mut j.margin);
        self.real(id, "ref", &mut j.reference);
        self.real(id, "springref", &mut j.springref);
        self.real(id, "armature", &mut j.armature);
        self.vector(id, "damping", &mut j.damping);
        self.real(id, "frictionloss", &mut j.frictionloss);
        self.boolean(id, "actuatorgravcomp", &mut j.actgravcomp);
        self.user(id, &mut j.user);
    }

    pub(super) fn geom(&mut self, id: NodeId, g: &mut Geom) {
        self.text(id, "name", &mut g.name);
        self.keyword(id, "type", SHAPES, &mut g.gtype);
        self.vector(id, "size", &mut g.size);
        self.int(id, "contype", &mut g.contype);
        self.int(id, "conaffinity", &mut g.conaffinity);
        self.int(id, "condim", &mut g.condim);
        self.int(id, "group", &mut g.group);
        self.int(id, "priority", &mut g.priority);
        self.vector(id, "friction", &mut g.friction);
        self.real(id, "solmix", &mut g.solmix);
        self.vector(id, "solref", &mut g.solref);
        self.vector(id, "solimp", &mut g.solimp);
        self.real(id, "margin", &mut g.margin);
        self.real(id, "gap", &mut g.gap);
        self.vector32(id, "rgba", &mut g.rgba);
        self.text(id, "material", &mut g.material);
        self.text(id, "mesh", &mut g.mesh);
        self.text(id, "hfield", &mut g.hfield);
        self.real(id, "fitscale", &mut g.fitscale);
        self.keyword(id, "fluidshape", &[("none", false), ("ellipsoid", true)], &mut g.fluidshape);
        self.vector(id, "fluidcoef", &mut g.fluidcoef);
        self.user(id, &mut g.user);
        if let Some([mass]) = self.array(id, "mass") {
            g.mass = Some(mass);
        }
        self.real(id, "density", &mut g.density);
        self.boolean(id, "shellinertia", &mut g.shellinertia);
        self.pose(id, &mut g.pos, &mut g.orientation, &mut g.fromto);
        g.plugin = self.plugin_child(id);
    }

    pub(super) fn site(&mut self, id: NodeId, s: &mut Site) {
        self.text(id, "name", &mut s.name);
        self.keyword(id, "type", SHAPES, &mut s.stype);
        self.vector(id, "size", &mut s.size);
        self.int(id, "group", &mut s.group);
        self.vector32(id, "rgba", &mut s.rgba);
        self.text(id, "material", &mut s.material);
        self.user(id, &mut s.user);
        self.pose(id, &mut s.pos, &mut s.orientation, &mut s.fromto);
    }

    /// Position, orientation and `fromto`.
    fn pose(
        &mut self,
        id: NodeId,
        pos: &mut [f64; 3],
        orientation: &mut Orientation,
        fromto: &mut Option<[f64; 6]>,
    ) {
        self.vector(id, "pos", pos);
        self.orientation(id, orientation);
        if let Some(points) = self.array(id, "fromto") {
            *fromto = Some(points);
        }
    }

    pub(super) fn camera(&mut self, id: NodeId, c: &mut Camera) {
        self.text(id, "name", &mut c.name);
        self.text(id, "target", &mut c.target);
        self.keyword(id, "mode", MODES, &mut c.mode);
        self.vector(id, "pos", &mut c.pos);
        self.orientation(id, &mut c.orientation);
        self.real(id, "ipd", &mut c.ipd);
        self.keyword(
            id,
            "projection",
            &[("perspective", Projection::Perspective), ("orthographic", Projection::Orthographic)],
            &mut c.projection,
        );
        self.vector32(id, "principalpixel", &mut c.principalpixel);
        self.vector32(id, "principal", &mut c.principal);
        self.vector32(id, "focalpixel", &mut c.focalpixel);
        self.vector32(id, "focal", &mut c.focal);
        for (to, from) in c.resolution.iter_mut().zip(self.ints(id, "resolution")) {
            *to = from;
        }
        let output = self.dom.attr(id, "output").unwrap_or_default();
        let words: Vec<&str> = output.split_ascii_whitespace().collect();
        if !words.is_empty() {
            c.output = 0;
            for (bit, image) in IMAGES.iter().enumerate() {
                c.output |= i32::from(words.contains(image)) << bit;
            }
        }
        self.vector32(id, "sensorsize", &mut c.sensorsize);
        if self.real(id, "fovy", &mut c.fovy) && self.numbers(id, "sensorsize").is_some() {
            self.invalid(id, Some("fovy"), "is determined by `sensorsize`; remove one of them");
        }
        // As in MuJoCo, a camera does not inherit user data from its class.
        c.user = self.numbers(id, "user").unwrap_or_default().into();
    }

    pub(super) fn light(&mut self, id: NodeId, l: &mut Light) {
        self.text(id, "name", &mut l.name);
        self.text(id, "target", &mut l.target);
        self.text(id, "texture", &mut l.texture);
        self.keyword(id, "mode", MODES, &mut l.mode);
        let directional = self.keyword(
            id,
            "directional",
            &[("false", LightType::Spot), ("true", LightType::Directional)],
            &mut l.ltype,
        );
        let typed = self.keyword(
            id,
            "type",
            &[
                ("spot", LightType::Spot),
                ("directional", LightType::Directional),
                ("point", LightType::Point),
                ("image", LightType::Image),
            ],
            &mut l.ltype,
        );
        if directional && typed {
            self.invalid(id, Some("directional"), "is redundant with `type`; keep `type`");
        }
        self.boolean(id, "castshadow", &mut l.castshadow);
        self.boolean(id, "active", &mut l.active);
        self.vector(id, "pos", &mut l.pos);
        self.vector(id, "dir", &mut l.dir);
        for (name, target) in [
            ("bulbradius", &mut l.bulbradius),
            ("intensity", &mut l.intensity),
            ("range", &mut l.range),
            ("cutoff", &mut l.cutoff),
            ("exponent", &mut l.exponent),
        ] {
            self.real32(id, name, target);
        }
        self.vector32(id, "attenuation", &mut l.attenuation);
        self.vector32(id, "ambient", &mut l.ambient);
        self.vector32(id, "diffuse", &mut l.diffuse);
        self.vector32(id, "specular", &mut l.specular);
    }
}
