//! Builder methods of spec elements: constructors, and a setter for every field.
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
    Actuator, ActuatorError, Angle, Body, BodyId, Camera, Compiler, CylinderParams, DcMotorParams,
    DefaultId, Deformable, Equality, Exclude, Flex, Frame, FrameId, Geom, HField, Inertial, Joint,
    Key, Light, Material, Mesh, MeshCollider, MeshInertia, MuscleParams, Numeric, Orientation,
    Pair, Sensor, ServoParams, Site, Skin, Spec, Tendon, Text, Texture, TextureType, Tri, Tuple,
    Wrap, WrapKind,
};
use sim_core::types::{
    BiasType, CamLightMode, DataType, DynType, EqType, GainType, GeomType, JointType, LightType,
    ObjType, Projection, SensorStage, SensorType, SleepPolicy, TransmissionType,
};
use std::sync::Arc;

/// Generates setters: `field: Type`, or `field: , some Type` for an optional field.
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
    /// The world body.
    pub const WORLD: Self = Self(0);
}

impl Body {
    /// Creates a body with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }

    /// Adds an element to the body.
    pub fn add(&mut self, item: impl BodyElement) -> &mut Self {
        item.add_to(self);
        self
    }
}

/// An element of a body.
pub trait BodyElement {
    /// Adds the element to a body.
    fn add_to(self, body: &mut Body);
}

/// An element outside the kinematic tree.
pub trait ModelElement {
    /// Adds the element to a spec.
    fn add_to(self, spec: &mut Spec);
}

macro_rules! impl_add_to {
    ($($item:ident: $trait:ident :: $method:ident, $owner:ident . $list:ident;)*) => {
        $(impl $trait for $item {
            fn $method(self, owner: &mut $owner) {
                owner.$list.push(self);
            }
        })*
    };
}

impl_add_to! {
    Joint: BodyElement::add_to, Body.joints;
    Geom: BodyElement::add_to, Body.geoms;
    Site: BodyElement::add_to, Body.sites;
    Camera: BodyElement::add_to, Body.cameras;
    Light: BodyElement::add_to, Body.lights;
    Mesh: ModelElement::add_to, Spec.meshes;
    HField: ModelElement::add_to, Spec.hfields;
    Texture: ModelElement::add_to, Spec.textures;
    Material: ModelElement::add_to, Spec.materials;
    Pair: ModelElement::add_to, Spec.pairs;
    Exclude: ModelElement::add_to, Spec.excludes;
    Equality: ModelElement::add_to, Spec.equalities;
    Tendon: ModelElement::add_to, Spec.tendons;
    Actuator: ModelElement::add_to, Spec.actuators;
    Sensor: ModelElement::add_to, Spec.sensors;
    Numeric: ModelElement::add_to, Spec.numerics;
    Text: ModelElement::add_to, Spec.texts;
    Tuple: ModelElement::add_to, Spec.tuples;
    Key: ModelElement::add_to, Spec.keys;
    Deformable: ModelElement::add_to, Spec.deformables;
    Flex: ModelElement::add_to, Spec.flexes;
    Skin: ModelElement::add_to, Spec.skins;
}

impl Joint {
    /// A hinge joint about an axis.
    #[must_use]
    pub fn hinge(axis: [f64; 3]) -> Self {
        Self::default().axis(axis)
    }

    /// A slide joint along an axis.
    #[must_use]
    pub fn slide(axis: [f64; 3]) -> Self {
        Self::default().jtype(JointType::Slide).axis(axis)
    }

    /// A ball joint.
    #[must_use]
    pub fn ball() -> Self {
        Self::default().jtype(JointType::Ball)
    }

    /// A free joint.
    #[must_use]
    pub fn free() -> Self {
        Self::default().jtype(JointType::Free)
    }
}

impl Geom {
    /// A sphere.
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

    /// An ellipsoid with the given semi-axes.
    #[must_use]
    pub fn ellipsoid(half: [f64; 3]) -> Self {
        Self::default().gtype(GeomType::Ellipsoid).size(half)
    }

    /// A box with the given half-sizes.
    #[must_use]
    pub fn cuboid(half: [f64; 3]) -> Self {
        Self::default().gtype(GeomType::Box).size(half)
    }

    /// A plane (half-space z < 0), rendered with the given half-sizes.
    #[must_use]
    pub fn plane(half: [f64; 2]) -> Self {
        Self::default().gtype(GeomType::Plane).size([half[0], half[1], 0.1])
    }

    /// A mesh geom that uses a mesh asset.
    #[must_use]
    pub fn of_mesh(name: impl Into<String>) -> Self {
        Self::default().gtype(GeomType::Mesh).mesh(name)
    }

    /// A height field geom that uses a height field asset.
    #[must_use]
    pub fn of_hfield(name: impl Into<String>) -> Self {
        Self::default().gtype(GeomType::HField).hfield(name)
    }
}

impl Site {
    /// A site with a name and a position.
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

    /// A mesh from vertices (three numbers each) and triangles; without triangles the convex hull.
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
    /// A material with a name and a color.
    #[must_use]
    pub fn new(name: impl Into<String>, rgba: [f32; 4]) -> Self {
        Self::default().name(name).rgba(rgba)
    }
}

impl Actuator {
    fn new(
        trntype: TransmissionType,
        target: impl Into<String>,
        set: impl FnOnce(&mut Self) -> Result<(), ActuatorError>,
    ) -> Self {
        let mut actuator = Self { trntype, target: target.into(), ..Self::default() };
        actuator.error = set(&mut actuator).err();
        actuator
    }

    /// A general actuator of a joint: `dyntype`, `gaintype`, `biastype` and their parameters are
    /// set by the setters.
    #[must_use]
    pub fn general(joint: impl Into<String>) -> Self {
        Self::new(TransmissionType::Joint, joint, |_| Ok(()))
    }

    /// A motor of a joint: the control is the force.
    #[must_use]
    pub fn motor(joint: impl Into<String>) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| {
            a.set_to_motor();
            Ok(())
        })
    }

    /// A position servo of a joint with gains `kp` and `kv`: the control is the target position.
    ///
    /// A negative `kv` is an error, which the compiler reports.
    #[must_use]
    pub fn position(joint: impl Into<String>, kp: f64, kv: f64) -> Self {
        let params = ServoParams { kp: Some(kp), kv: Some(kv), ..ServoParams::default() };
        Self::new(TransmissionType::Joint, joint, |a| a.set_to_position(&params))
    }

    /// A velocity servo of a joint with gain `kv`: the control is the target velocity.
    #[must_use]
    pub fn velocity(joint: impl Into<String>, kv: f64) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| {
            a.set_to_velocity(Some(kv));
            Ok(())
        })
    }

    /// An integrated-velocity servo of a joint with gains `kp` and `kv`: the activation is the
    /// target position, within `actrange`, and the control is its velocity.
    ///
    /// ```
    /// use sim_mjcf::spec::{Actuator, Body, BodyId, Geom, Joint, Spec};
    /// let mut spec = Spec::new("lift");
    /// let body = spec.add_body(BodyId::WORLD, Body::new("platform"));
    /// spec.bodies[body.0].add(Joint::slide([0.0, 0.0, 1.0]).name("lift")).add(Geom::sphere(0.1));
    /// spec.add(Actuator::intvelocity("lift", 100.0, 10.0).actrange([0.0, 2.0]));
    /// assert_eq!(spec.compile()?.na, 1);
    /// # Ok::<(), sim_mjcf::Errors>(())
    /// ```
    #[must_use]
    pub fn intvelocity(joint: impl Into<String>, kp: f64, kv: f64) -> Self {
        let params = ServoParams { kp: Some(kp), kv: Some(kv), ..ServoParams::default() };
        Self::new(TransmissionType::Joint, joint, |a| a.set_to_int_velocity(&params))
    }

    /// An active damper of a joint: the force is −`kv` × velocity × control. Requires a
    /// `ctrlrange`.
    #[must_use]
    pub fn damper(joint: impl Into<String>, kv: f64) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| a.set_to_damper(kv))
    }

    /// A pneumatic or hydraulic cylinder of a joint.
    #[must_use]
    pub fn cylinder(joint: impl Into<String>, params: &CylinderParams) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| {
            a.set_to_cylinder(params);
            Ok(())
        })
    }

    /// A muscle of a joint; muscles usually act on a [`tendon`](Self::tendon).
    ///
    /// ```
    /// use sim_mjcf::spec::{Actuator, MuscleParams};
    /// let muscle = Actuator::muscle("elbow", &MuscleParams { force: Some(500.0), ..Default::default() });
    /// assert_eq!(muscle.gainprm[2], 500.0);
    /// ```
    #[must_use]
    pub fn muscle(joint: impl Into<String>, params: &MuscleParams) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| a.set_to_muscle(params))
    }

    /// Adhesion of a body. Requires a `ctrlrange`.
    #[must_use]
    pub fn adhesion(body: impl Into<String>, gain: f64) -> Self {
        Self::new(TransmissionType::Body, body, |a| a.set_to_adhesion(Some(gain)))
    }

    /// A DC motor of a joint.
    ///
    /// ```
    /// use sim_mjcf::spec::{Actuator, DcMotorParams};
    /// let params = DcMotorParams { motorconst: [0.05, 0.0], resistance: 2.0, ..Default::default() };
    /// assert_eq!(Actuator::dcmotor("wheel", &params).error, None);
    /// ```
    #[must_use]
    pub fn dcmotor(joint: impl Into<String>, params: &DcMotorParams) -> Self {
        Self::new(TransmissionType::Joint, joint, |a| a.set_to_dc_motor(params))
    }

    /// Sets a tendon as the transmission target.
    #[must_use]
    pub fn tendon(mut self, tendon: impl Into<String>) -> Self {
        (self.trntype, self.target) = (TransmissionType::Tendon, tendon.into());
        self
    }

    /// Sets a site as the transmission target, in the frame of `refsite` unless it is empty.
    #[must_use]
    pub fn site(mut self, site: impl Into<String>, refsite: impl Into<String>) -> Self {
        (self.trntype, self.target) = (TransmissionType::Site, site.into());
        self.refsite = refsite.into();
        self
    }
}

impl Sensor {
    /// A sensor of an object of the type that the sensor requires, such as a joint or a site; a
    /// body if several types are possible.
    #[must_use]
    pub fn on(stype: SensorType, object: impl Into<String>) -> Self {
        let objtype = crate::compile::sensor_objtype(stype).unwrap_or(ObjType::Body);
        let intprm = match stype {
            SensorType::Rangefinder => [1, 0, 0],
            SensorType::Contact => [1, 0, 1],
            _ => [0; 3],
        };
        let (element, objname) = (crate::read::sensor_element(stype), object.into());
        Self { stype, element, objtype, objname, intprm, ..Self::default() }
    }

    /// Sets the sensed object.
    #[must_use]
    pub fn object(mut self, kind: ObjType, name: impl Into<String>) -> Self {
        (self.objtype, self.objname) = (kind, name.into());
        self
    }

    /// Sets the reference object.
    ///
    /// ```
    /// use sim_core::types::{ObjType, SensorType};
    /// use sim_mjcf::spec::Sensor;
    /// let sensor = Sensor::on(SensorType::FramePos, "hand").relative_to(ObjType::Site, "camera");
    /// assert_eq!(sensor.refname, "camera");
    /// ```
    #[must_use]
    pub fn relative_to(mut self, kind: ObjType, name: impl Into<String>) -> Self {
        (self.reftype, self.refname) = (kind, name.into());
        self
    }
}

impl Tendon {
    /// A spatial tendon.
    #[must_use]
    pub fn spatial(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }

    /// A fixed tendon: a linear combination of joint positions.
    #[must_use]
    pub fn fixed(name: impl Into<String>) -> Self {
        Self { element: "fixed", ..Self::default() }.name(name)
    }

    /// Adds a path element.
    #[must_use]
    pub fn wrap(mut self, kind: WrapKind) -> Self {
        self.path.push(Wrap { kind, origin: super::Origin::default() });
        self
    }

    /// Adds a site to the path.
    #[must_use]
    pub fn site(self, site: impl Into<String>) -> Self {
        self.wrap(WrapKind::Site { site: site.into() })
    }

    /// Adds a joint with a coefficient.
    #[must_use]
    pub fn joint(self, joint: impl Into<String>, coef: f64) -> Self {
        self.wrap(WrapKind::Joint { joint: joint.into(), coef })
    }
}

impl Equality {
    fn of(etype: EqType, element: &'static str, objtype: ObjType, names: [String; 2]) -> Self {
        let [name1, name2] = names;
        Self { etype, element, objtype, name1, name2, ..Self::default() }
    }

    /// A connect constraint: the point `anchor` in the frame of `body1` coincides in both bodies.
    #[must_use]
    pub fn connect(body1: impl Into<String>, body2: impl Into<String>, anchor: [f64; 3]) -> Self {
        let names = [body1.into(), body2.into()];
        let mut e = Self::of(EqType::Connect, "connect", ObjType::Body, names);
        e.data[..3].copy_from_slice(&anchor);
        e
    }

    /// A weld constraint with the relative pose of the reference configuration.
    #[must_use]
    pub fn weld(body1: impl Into<String>, body2: impl Into<String>) -> Self {
        let names = [body1.into(), body2.into()];
        let mut e = Self::of(EqType::Weld, "weld", ObjType::Body, names);
        e.data[..3].fill(0.0);
        e
    }

    /// A joint constraint: the first joint is a polynomial of the second.
    #[must_use]
    pub fn joint(joint1: impl Into<String>, joint2: impl Into<String>, polycoef: [f64; 5]) -> Self {
        let names = [joint1.into(), joint2.into()];
        let mut e = Self::of(EqType::Joint, "joint", ObjType::Unknown, names);
        e.data[..5].copy_from_slice(&polycoef);
        e
    }
}

impl Key {
    /// Creates a keyframe with a name.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self::default().name(name)
    }
}
