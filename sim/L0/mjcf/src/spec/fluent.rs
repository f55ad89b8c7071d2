//! Building elements in code: constructors for the usual ones, and a setter for every field.
//!
//! ```
//! use sim_mjcf::spec::{Actuator, Body, BodyId, Geom, Joint, Sensor, Spec};
//! use sim_core::types::SensorType;
//!
//! let mut spec = Spec::new("pendulum");
//! let arm = spec.add_body(BodyId::WORLD, Body::new("arm").pos([0.0, 0.0, 1.0]));
//! spec.bodies[arm.0]
//!     .add(Joint::hinge([0.0, 1.0, 0.0]).name("swing").damping([0.1, 0.0, 0.0]))
//!     .add(Geom::capsule(0.05, [0.0; 3], [0.0, 0.0, -1.0]).mass(1.0));
//! spec.add(Actuator::motor("swing").name("drive").ctrlrange([-1.0, 1.0]));
//! spec.add(Sensor::on(SensorType::JointPos, "swing"));
//! let model = spec.compile()?;
//! assert_eq!((model.nv, model.nu, model.nsensor), (1, 1, 1));
//! # Ok::<(), sim_mjcf::Errors>(())
//! ```

use super::{
    Actuator, Angle, Body, BodyId, Camera, Compiler, DefaultId, Deformable, Equality, Exclude,
    Frame, FrameId, Geom, HField, Inertial, Joint, Key, Light, Material, Mesh, MeshCollider,
    MeshInertia, Numeric, Orientation, Pair, Sensor, Site, Spec, Tendon, Text, Texture,
    TextureType, Tri, Tuple, Wrap, WrapKind,
};
use sim_core::types::{
    BiasType, CamLightMode, DataType, DynType, EqType, GainType, GeomType, JointType, LightType,
    ObjType, Projection, SensorStage, SensorType, SleepPolicy, TransmissionType,
};
use std::sync::Arc;

/// A setter for each field: `field: Type`, `field: some Type` for an optional one.
macro_rules! setters {
    ($($item:ident { $($field:ident : $($ty:ty)? $(, some $some:ty)?;)* })*) => {
        $(impl $item {
            $(setters!(@one $field, $($ty)? $(, some $some)?);)*
        })*
    };
    (@one $field:ident, $ty:ty) => {
        #[doc = concat!("Sets `", stringify!($field), "`.")]
        #[must_use]
        pub fn $field(mut self, $field: impl Into<$ty>) -> Self {
            self.$field = $field.into();
            self
        }
    };
    (@one $field:ident, , some $some:ty) => {
        #[doc = concat!("Sets `", stringify!($field), "`.")]
        #[must_use]
        pub fn $field(mut self, $field: impl Into<$some>) -> Self {
            self.$field = Some($field.into());
            self
        }
    };
}

setters! {
    Body {
        name: String; pos: [f64; 3]; orientation: Orientation; mocap: bool; gravcomp: f64;
        sleep: SleepPolicy; frame: , some FrameId; inertial: , some Inertial; user: Arc<[f64]>;
    }
    Frame { name: String; parent: , some FrameId; pos: [f64; 3]; orientation: Orientation; }
    Inertial {
        pos: [f64; 3]; orientation: Orientation; mass: f64; diaginertia: , some [f64; 3];
        fullinertia: , some [f64; 6];
    }
    Joint {
        name: String; class: DefaultId; frame: , some FrameId; jtype: JointType; group: i32;
        pos: [f64; 3]; axis: [f64; 3]; align: Tri; springdamper: [f64; 2]; limited: Tri;
        actfrclimited: Tri; solref_limit: [f64; 2]; solimp_limit: [f64; 5];
        solref_friction: [f64; 2]; solimp_friction: [f64; 5]; stiffness: [f64; 3];
        range: [f64; 2]; actfrcrange: [f64; 2]; actgravcomp: bool; margin: f64; reference: f64;
        springref: f64; armature: f64; damping: [f64; 3]; frictionloss: f64; user: Arc<[f64]>;
    }
    Geom {
        name: String; class: DefaultId; frame: , some FrameId; gtype: GeomType; contype: i32;
        conaffinity: i32; condim: i32; group: i32; priority: i32; size: [f64; 3];
        friction: [f64; 3]; mass: , some f64; density: f64; shellinertia: bool; solmix: f64;
        solref: [f64; 2]; solimp: [f64; 5]; margin: f64; gap: f64; fromto: , some [f64; 6];
        pos: [f64; 3]; orientation: Orientation; rgba: [f32; 4]; material: String; mesh: String;
        hfield: String; fitscale: f64; fluidshape: bool; fluidcoef: [f64; 5]; user: Arc<[f64]>;
    }
    Site {
        name: String; class: DefaultId; frame: , some FrameId; stype: GeomType; group: i32;
        size: [f64; 3]; fromto: , some [f64; 6]; pos: [f64; 3]; orientation: Orientation;
        rgba: [f32; 4]; material: String; user: Arc<[f64]>;
    }
    Camera {
        name: String; class: DefaultId; frame: , some FrameId; mode: CamLightMode; target: String;
        projection: Projection; fovy: f64; ipd: f64; resolution: [i32; 2]; output: i32;
        pos: [f64; 3]; orientation: Orientation; focal: [f32; 2]; focalpixel: [f32; 2];
        principal: [f32; 2]; principalpixel: [f32; 2]; sensorsize: [f32; 2]; user: Arc<[f64]>;
    }
    Light {
        name: String; class: DefaultId; frame: , some FrameId; mode: CamLightMode; target: String;
        ltype: LightType; texture: String; castshadow: bool; active: bool; pos: [f64; 3];
        dir: [f64; 3]; bulbradius: f32; intensity: f32; range: f32; attenuation: [f32; 3];
        cutoff: f32; exponent: f32; ambient: [f32; 3]; diffuse: [f32; 3]; specular: [f32; 3];
    }
    Mesh {
        name: String; class: DefaultId; content_type: String; file: String; vertex: Arc<[f32]>;
        normal: Arc<[f32]>; texcoord: Arc<[f32]>; face: Arc<[i32]>; refpos: [f64; 3];
        refquat: [f64; 4]; scale: [f64; 3]; smoothnormal: bool; maxhullvert: i32;
        inertia: MeshInertia; collider: MeshCollider; builtin: String; params: Arc<[f64]>; material: String;
    }
    HField {
        name: String; content_type: String; file: String; nrow: i32; ncol: i32; size: [f64; 4];
        elevation: Arc<[f32]>;
    }
    Texture {
        name: String; ttype: TextureType; file: String; rgb1: [f64; 3]; rgb2: [f64; 3];
        width: i32; height: i32; nchannel: i32;
    }
    Material {
        name: String; class: DefaultId; texuniform: bool; texrepeat: [f32; 2]; emission: f32;
        specular: f32; shininess: f32; reflectance: f32; metallic: f32; roughness: f32;
        rgba: [f32; 4];
    }
    Pair {
        name: String; class: DefaultId; condim: i32; friction: [f64; 5]; solref: [f64; 2];
        solreffriction: [f64; 2]; solimp: [f64; 5]; margin: f64; gap: f64;
    }
    Equality { name: String; class: DefaultId; active: bool; solref: [f64; 2]; solimp: [f64; 5]; }
    Tendon {
        name: String; class: DefaultId; group: i32; limited: Tri; actfrclimited: Tri;
        range: [f64; 2]; actfrcrange: [f64; 2]; solref_limit: [f64; 2]; solimp_limit: [f64; 5];
        solref_friction: [f64; 2]; solimp_friction: [f64; 5]; frictionloss: f64;
        springlength: [f64; 2]; width: f64; material: String; margin: f64; stiffness: [f64; 3];
        damping: [f64; 3]; armature: f64; rgba: [f32; 4]; user: Arc<[f64]>;
    }
    Actuator {
        name: String; class: DefaultId; cranklength: f64; dyntype: DynType; gaintype: GainType;
        biastype: BiasType; dynprm: [f64; 10]; gainprm: [f64; 10]; biasprm: [f64; 10];
        actdim: i32; actearly: bool; group: i32; ctrllimited: Tri; forcelimited: Tri;
        actlimited: Tri; ctrlrange: [f64; 2]; forcerange: [f64; 2]; actrange: [f64; 2];
        lengthrange: [f64; 2]; gear: [f64; 6]; damping: [f64; 3]; armature: f64; nsample: i32;
        delay: f64; user: Arc<[f64]>;
    }
    Sensor {
        name: String; intprm: [i32; 3]; dim: i32; datatype: DataType; needstage: SensorStage;
        cutoff: f64; noise: f64; nsample: i32; delay: f64; interval: [f64; 2]; user: Arc<[f64]>;
    }
    Key {
        name: String; time: f64; qpos: Vec<f64>; qvel: Vec<f64>; act: Vec<f64>; ctrl: Vec<f64>;
        mpos: Vec<f64>; mquat: Vec<f64>;
    }
    Compiler {
        autolimits: bool; angle: Angle; eulerseq: String; meshdir: String; texturedir: String;
        inertiafromgeom: Tri; fusestatic: bool; discardvisual: bool; alignfree: bool;
    }
}

impl BodyId {
    /// The world, which every model has.
    pub const WORLD: Self = Self(0);
}

impl Body {
    /// A body with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }

    /// Adds something that hangs on the body.
    pub fn add(&mut self, item: impl Attached) -> &mut Self {
        item.attach(self);
        self
    }
}

/// What can hang on a body.
pub trait Attached {
    /// Adds it to the body.
    fn attach(self, body: &mut Body);
}

/// What stands outside the tree of bodies.
pub trait Listed {
    /// Adds it to the spec.
    fn list(self, spec: &mut Spec);
}

macro_rules! lists {
    ($($item:ident: $trait:ident :: $method:ident, $owner:ident . $list:ident;)*) => {
        $(impl $trait for $item {
            fn $method(self, owner: &mut $owner) {
                owner.$list.push(self);
            }
        })*
    };
}

lists! {
    Joint: Attached::attach, Body.joints;
    Geom: Attached::attach, Body.geoms;
    Site: Attached::attach, Body.sites;
    Camera: Attached::attach, Body.cameras;
    Light: Attached::attach, Body.lights;
    Mesh: Listed::list, Spec.meshes;
    HField: Listed::list, Spec.hfields;
    Texture: Listed::list, Spec.textures;
    Material: Listed::list, Spec.materials;
    Pair: Listed::list, Spec.pairs;
    Exclude: Listed::list, Spec.excludes;
    Equality: Listed::list, Spec.equalities;
    Tendon: Listed::list, Spec.tendons;
    Actuator: Listed::list, Spec.actuators;
    Sensor: Listed::list, Spec.sensors;
    Numeric: Listed::list, Spec.numerics;
    Text: Listed::list, Spec.texts;
    Tuple: Listed::list, Spec.tuples;
    Key: Listed::list, Spec.keys;
    Deformable: Listed::list, Spec.deformables;
}

impl Joint {
    /// A joint that turns about an axis.
    #[must_use]
    pub fn hinge(axis: [f64; 3]) -> Self {
        Self::default().axis(axis)
    }

    /// A joint that slides along an axis.
    #[must_use]
    pub fn slide(axis: [f64; 3]) -> Self {
        Self::default().jtype(JointType::Slide).axis(axis)
    }

    /// A joint that turns in any direction.
    #[must_use]
    pub fn ball() -> Self {
        Self::default().jtype(JointType::Ball)
    }

    /// A joint that leaves its body free.
    #[must_use]
    pub fn free() -> Self {
        Self::default().jtype(JointType::Free)
    }
}

impl Geom {
    /// A ball.
    #[must_use]
    pub fn sphere(radius: f64) -> Self {
        Self::default().size([radius, 0.0, 0.0])
    }

    /// A capsule between two points.
    #[must_use]
    pub fn capsule(radius: f64, from: [f64; 3], to: [f64; 3]) -> Self {
        let [[a, b, c], [d, e, f]] = [from, to];
        let size = [radius, 0.0, 0.0];
        Self::default().gtype(GeomType::Capsule).size(size).fromto([a, b, c, d, e, f])
    }

    /// A cylinder along z.
    #[must_use]
    pub fn cylinder(radius: f64, half_height: f64) -> Self {
        Self::default().gtype(GeomType::Cylinder).size([radius, half_height, 0.0])
    }

    /// An ellipsoid with these half axes.
    #[must_use]
    pub fn ellipsoid(half: [f64; 3]) -> Self {
        Self::default().gtype(GeomType::Ellipsoid).size(half)
    }

    /// A box with these half sizes.
    #[must_use]
    pub fn cuboid(half: [f64; 3]) -> Self {
        Self::default().gtype(GeomType::Box).size(half)
    }

    /// The half space below z = 0, drawn as a rectangle with these half sizes.
    #[must_use]
    pub fn plane(half: [f64; 2]) -> Self {
        Self::default().gtype(GeomType::Plane).size([half[0], half[1], 0.1])
    }

    /// A mesh of the spec's assets.
    #[must_use]
    pub fn of_mesh(name: impl Into<String>) -> Self {
        Self::default().gtype(GeomType::Mesh).mesh(name)
    }

    /// A height field of the spec's assets.
    #[must_use]
    pub fn of_hfield(name: impl Into<String>) -> Self {
        Self::default().gtype(GeomType::HField).hfield(name)
    }
}

impl Site {
    /// A site with a name, at a place.
    #[must_use]
    pub fn new(name: impl Into<String>, pos: [f64; 3]) -> Self {
        Self::default().name(name).pos(pos)
    }
}

impl Mesh {
    /// A mesh from a file.
    #[must_use]
    pub fn from_file(file: impl Into<String>) -> Self {
        Self::default().file(file)
    }

    /// A mesh from vertices (three numbers each) and triangles; no triangles mean the convex hull.
    #[must_use]
    pub fn from_vertices(
        name: impl Into<String>,
        vertex: impl Into<Arc<[f32]>>,
        face: impl Into<Arc<[i32]>>,
    ) -> Self {
        Self::default().name(name).vertex(vertex).face(face)
    }
}

impl Material {
    /// A material with a name and a colour.
    #[must_use]
    pub fn new(name: impl Into<String>, rgba: [f32; 4]) -> Self {
        Self::default().name(name).rgba(rgba)
    }
}

impl Actuator {
    fn on(trntype: TransmissionType, target: impl Into<String>) -> Self {
        Self { trntype, target: target.into(), ..Self::default() }
    }

    /// A motor on a joint: the control is the force.
    #[must_use]
    pub fn motor(joint: impl Into<String>) -> Self {
        Self::on(TransmissionType::Joint, joint)
    }

    /// A servo on a joint: the control is the position, `kp` and `kv` its gains.
    #[must_use]
    pub fn position(joint: impl Into<String>, kp: f64, kv: f64) -> Self {
        let mut servo = Self::on(TransmissionType::Joint, joint).biastype(BiasType::Affine);
        servo.gainprm[0] = kp;
        servo.biasprm[1..3].copy_from_slice(&[-kp, -kv]);
        servo
    }

    /// A servo on a joint: the control is the velocity, `kv` its gain.
    #[must_use]
    pub fn velocity(joint: impl Into<String>, kv: f64) -> Self {
        let mut servo = Self::on(TransmissionType::Joint, joint).biastype(BiasType::Affine);
        servo.gainprm[0] = kv;
        servo.biasprm[2] = -kv;
        servo
    }

    /// Acts on a tendon instead.
    #[must_use]
    pub fn tendon(mut self, tendon: impl Into<String>) -> Self {
        (self.trntype, self.target) = (TransmissionType::Tendon, tendon.into());
        self
    }

    /// Acts on a site instead, in the frame of another site if one is named.
    #[must_use]
    pub fn site(mut self, site: impl Into<String>, refsite: impl Into<String>) -> Self {
        (self.trntype, self.target) = (TransmissionType::Site, site.into());
        self.refsite = refsite.into();
        self
    }
}

impl Sensor {
    /// A sensor on an object of the kind that such sensors are attached to: a joint, a site and so
    /// on; on a body when there are several.
    #[must_use]
    pub fn on(stype: SensorType, object: impl Into<String>) -> Self {
        let objtype = crate::compile::sensed_kind(stype).unwrap_or(ObjType::Body);
        let intprm = match stype {
            SensorType::Rangefinder => [1, 0, 0],
            SensorType::Contact => [1, 0, 1],
            _ => [0; 3],
        };
        let (element, objname) = (crate::read::sensor_element(stype), object.into());
        Self { stype, element, objtype, objname, intprm, ..Self::default() }
    }

    /// Attaches the sensor to an object of a kind.
    #[must_use]
    pub fn object(mut self, kind: ObjType, name: impl Into<String>) -> Self {
        (self.objtype, self.objname) = (kind, name.into());
        self
    }

    /// Measures relative to an object of a kind.
    #[must_use]
    pub fn relative_to(mut self, kind: ObjType, name: impl Into<String>) -> Self {
        (self.reftype, self.refname) = (kind, name.into());
        self
    }
}

impl Tendon {
    /// A tendon along a path of sites and geoms.
    #[must_use]
    pub fn spatial(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }

    /// A weighted sum of joint positions.
    #[must_use]
    pub fn fixed(name: impl Into<String>) -> Self {
        Self { element: "fixed", ..Self::default() }.name(name)
    }

    /// Adds a stretch of the path.
    #[must_use]
    pub fn via(mut self, kind: WrapKind) -> Self {
        self.path.push(Wrap { kind, origin: super::Origin::default() });
        self
    }

    /// Adds a site to the path.
    #[must_use]
    pub fn site(self, site: impl Into<String>) -> Self {
        self.via(WrapKind::Site { site: site.into() })
    }

    /// Adds a joint to the sum.
    #[must_use]
    pub fn joint(self, joint: impl Into<String>, coef: f64) -> Self {
        self.via(WrapKind::Joint { joint: joint.into(), coef })
    }
}

impl Equality {
    fn of(etype: EqType, element: &'static str, objtype: ObjType, names: [String; 2]) -> Self {
        let [name1, name2] = names;
        Self { etype, element, objtype, name1, name2, ..Self::default() }
    }

    /// Keeps a point of one body at a point of another; `anchor` is in the first body's frame.
    #[must_use]
    pub fn connect(body1: impl Into<String>, body2: impl Into<String>, anchor: [f64; 3]) -> Self {
        let names = [body1.into(), body2.into()];
        let mut e = Self::of(EqType::Connect, "connect", ObjType::Body, names);
        e.data[..3].copy_from_slice(&anchor);
        e
    }

    /// Keeps two bodies as they are to each other in the reference configuration.
    #[must_use]
    pub fn weld(body1: impl Into<String>, body2: impl Into<String>) -> Self {
        let names = [body1.into(), body2.into()];
        let mut e = Self::of(EqType::Weld, "weld", ObjType::Body, names);
        e.data[..3].fill(0.0);
        e
    }

    /// Keeps a joint at a polynomial of another.
    #[must_use]
    pub fn joint(joint1: impl Into<String>, joint2: impl Into<String>, polycoef: [f64; 5]) -> Self {
        let names = [joint1.into(), joint2.into()];
        let mut e = Self::of(EqType::Joint, "joint", ObjType::Unknown, names);
        e.data[..5].copy_from_slice(&polycoef);
        e
    }
}

impl Key {
    /// A keyframe with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }
}
