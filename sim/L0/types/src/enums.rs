//! Enums with MuJoCo's discriminants.

/// Declares a fieldless enum with explicit discriminants, its conversions and its default (the
/// first variant).
#[doc(hidden)]
#[macro_export]
macro_rules! numbered_enum {
    ($(#[$meta:meta])* $name:ident : $repr:ident { $first:ident = $first_value:literal $(, $variant:ident = $value:literal)* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
        #[repr($repr)]
        #[allow(missing_docs, reason = "the variants are named after MuJoCo's constants")]
        pub enum $name {
            #[default]
            $first = $first_value,
            $($variant = $value),*
        }

        impl $name {
            /// Every variant, in the order of its number.
            pub const ALL: &'static [Self] = &[Self::$first $(, Self::$variant)*];

            /// The variant with this number, if there is one.
            #[must_use]
            pub fn from_number(number: i32) -> Option<Self> {
                Self::ALL.iter().copied().find(|v| v.number() == number)
            }

            /// MuJoCo's number for this variant.
            #[must_use]
            pub const fn number(self) -> i32 {
                self as i32
            }
        }
    };
}

numbered_enum! {
    /// Joint type.
    #[doc(alias = "mjtJoint")]
    JointType: i32 {
        Free = 0,
        Ball = 1,
        Slide = 2,
        Hinge = 3,
    }
}

impl JointType {
    /// Position coordinates of the joint.
    #[must_use]
    pub const fn nq(self) -> usize {
        match self {
            Self::Free => 7,
            Self::Ball => 4,
            Self::Slide | Self::Hinge => 1,
        }
    }

    /// Degrees of freedom of the joint.
    #[must_use]
    pub const fn nv(self) -> usize {
        match self {
            Self::Free => 6,
            Self::Ball => 3,
            Self::Slide | Self::Hinge => 1,
        }
    }
}

numbered_enum! {
    /// Shape of a geom or site.
    #[doc(alias = "mjtGeom")]
    GeomType: i32 {
        Plane = 0,
        HField = 1,
        Sphere = 2,
        Capsule = 3,
        Ellipsoid = 4,
        Cylinder = 5,
        Box = 6,
        Mesh = 7,
        Sdf = 8,
    }
}

numbered_enum! {
    /// Camera projection.
    #[doc(alias = "mjtProjection")]
    Projection: i32 {
        Perspective = 0,
        Orthographic = 1,
    }
}

numbered_enum! {
    /// How a camera or light follows its body.
    #[doc(alias = "mjtCamLight")]
    CamLightMode: i32 {
        Fixed = 0,
        Track = 1,
        TrackCom = 2,
        TargetBody = 3,
        TargetBodyCom = 4,
    }
}

numbered_enum! {
    /// Kind of light source.
    #[doc(alias = "mjtLightType")]
    LightType: i32 {
        Spot = 0,
        Directional = 1,
        Point = 2,
        Image = 3,
    }
}

numbered_enum! {
    /// Kind of texture.
    #[doc(alias = "mjtTexture")]
    TextureType: i32 {
        TwoD = 0,
        Cube = 1,
        Skybox = 2,
    }
}

numbered_enum! {
    /// Colour encoding of a texture.
    #[doc(alias = "mjtColorSpace")]
    ColorSpace: i32 {
        Auto = 0,
        Linear = 1,
        Srgb = 2,
    }
}

numbered_enum! {
    /// Time-stepping scheme. `ImplicitEuler` (backward Euler with stiffness) is an extension.
    #[doc(alias = "mjtIntegrator")]
    Integrator: i32 {
        Euler = 0,
        Rk4 = 1,
        Implicit = 2,
        ImplicitFast = 3,
        ImplicitEuler = 100,
    }
}

impl Integrator {
    /// Implicit integration of spring and damper forces: another name of
    /// [`ImplicitEuler`](Self::ImplicitEuler), which solves `(M + h D + h² K) Δv = h (f − h K v)`.
    #[allow(non_upper_case_globals, reason = "used like a variant")]
    pub const ImplicitSpringDamper: Self = Self::ImplicitEuler;
}

numbered_enum! {
    /// Friction cone of contacts.
    #[doc(alias = "mjtCone")]
    Cone: i32 {
        Pyramidal = 0,
        Elliptic = 1,
    }
}

numbered_enum! {
    /// Storage of the constraint Jacobian.
    #[doc(alias = "mjtJacobian")]
    JacobianType: i32 {
        Dense = 0,
        Sparse = 1,
        Auto = 2,
    }
}

numbered_enum! {
    /// Constraint solver.
    #[doc(alias = "mjtSolver")]
    SolverType: i32 {
        Pgs = 0,
        Cg = 1,
        Newton = 2,
    }
}

numbered_enum! {
    /// Kind of equality constraint.
    #[doc(alias = "mjtEq")]
    EqType: i32 {
        Connect = 0,
        Weld = 1,
        Joint = 2,
        Tendon = 3,
        Flex = 4,
        FlexVert = 5,
        FlexStrain = 6,
        Distance = 7,
    }
}

numbered_enum! {
    /// Element of a tendon path.
    #[doc(alias = "mjtWrap")]
    WrapType: i32 {
        None = 0,
        Joint = 1,
        Pulley = 2,
        Site = 3,
        Sphere = 4,
        Cylinder = 5,
    }
}

numbered_enum! {
    /// Transmission of an actuator.
    #[doc(alias = "mjtTrn")]
    TransmissionType: i32 {
        Joint = 0,
        JointInParent = 1,
        SliderCrank = 2,
        Tendon = 3,
        Site = 4,
        Body = 5,
        Undefined = 1000,
    }
}

numbered_enum! {
    /// Activation dynamics of an actuator.
    #[doc(alias = "mjtDyn")]
    DynType: i32 {
        None = 0,
        Integrator = 1,
        Filter = 2,
        FilterExact = 3,
        Muscle = 4,
        DcMotor = 5,
        User = 6,
    }
}

numbered_enum! {
    /// Interpolation between the samples of a history buffer.
    #[doc(alias = "mjtInterp")]
    Interpolation: i32 {
        Zoh = 0,
        Linear = 1,
        Cubic = 2,
    }
}

numbered_enum! {
    /// Gain of an actuator.
    #[doc(alias = "mjtGain")]
    GainType: i32 {
        Fixed = 0,
        Affine = 1,
        Muscle = 2,
        DcMotor = 3,
        User = 4,
    }
}

numbered_enum! {
    /// Bias of an actuator.
    #[doc(alias = "mjtBias")]
    BiasType: i32 {
        None = 0,
        Affine = 1,
        Muscle = 2,
        DcMotor = 3,
        User = 4,
    }
}

numbered_enum! {
    /// Kind of model element.
    #[doc(alias = "mjtObj")]
    ObjType: i32 {
        Unknown = 0,
        Body = 1,
        XBody = 2,
        Joint = 3,
        Dof = 4,
        Geom = 5,
        Site = 6,
        Camera = 7,
        Light = 8,
        Flex = 9,
        Mesh = 10,
        Skin = 11,
        HField = 12,
        Texture = 13,
        Material = 14,
        Pair = 15,
        Exclude = 16,
        Equality = 17,
        Tendon = 18,
        Actuator = 19,
        Sensor = 20,
        Numeric = 21,
        Text = 22,
        Tuple = 23,
        Key = 24,
        Plugin = 25,
    }
}

impl ObjType {
    /// MJCF's name of the element; `None` for [`ObjType::Unknown`].
    #[doc(alias = "mju_type2Str")]
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Unknown => return None,
            Self::Body => "body",
            Self::XBody => "xbody",
            Self::Joint => "joint",
            Self::Dof => "dof",
            Self::Geom => "geom",
            Self::Site => "site",
            Self::Camera => "camera",
            Self::Light => "light",
            Self::Flex => "flex",
            Self::Mesh => "mesh",
            Self::Skin => "skin",
            Self::HField => "hfield",
            Self::Texture => "texture",
            Self::Material => "material",
            Self::Pair => "pair",
            Self::Exclude => "exclude",
            Self::Equality => "equality",
            Self::Tendon => "tendon",
            Self::Actuator => "actuator",
            Self::Sensor => "sensor",
            Self::Numeric => "numeric",
            Self::Text => "text",
            Self::Tuple => "tuple",
            Self::Key => "key",
            Self::Plugin => "plugin",
        })
    }
}

numbered_enum! {
    /// Kind of sensor.
    #[doc(alias = "mjtSensor")]
    SensorType: i32 {
        Touch = 0,
        Accelerometer = 1,
        Velocimeter = 2,
        Gyro = 3,
        Force = 4,
        Torque = 5,
        Magnetometer = 6,
        Rangefinder = 7,
        CamProjection = 8,
        JointPos = 9,
        JointVel = 10,
        TendonPos = 11,
        TendonVel = 12,
        ActuatorPos = 13,
        ActuatorVel = 14,
        ActuatorFrc = 15,
        JointActFrc = 16,
        TendonActFrc = 17,
        BallQuat = 18,
        BallAngVel = 19,
        JointLimitPos = 20,
        JointLimitVel = 21,
        JointLimitFrc = 22,
        TendonLimitPos = 23,
        TendonLimitVel = 24,
        TendonLimitFrc = 25,
        FramePos = 26,
        FrameQuat = 27,
        FrameXAxis = 28,
        FrameYAxis = 29,
        FrameZAxis = 30,
        FrameLinVel = 31,
        FrameAngVel = 32,
        FrameLinAcc = 33,
        FrameAngAcc = 34,
        SubtreeCom = 35,
        SubtreeLinVel = 36,
        SubtreeAngMom = 37,
        InsideSite = 38,
        GeomDist = 39,
        GeomNormal = 40,
        GeomFromTo = 41,
        Contact = 42,
        EPotential = 43,
        EKinetic = 44,
        Clock = 45,
        Tactile = 46,
        Plugin = 47,
        User = 48,
    }
}

numbered_enum! {
    /// Pipeline stage after which a sensor can be evaluated.
    #[doc(alias = "mjtStage")]
    SensorStage: i32 {
        None = 0,
        Pos = 1,
        Vel = 2,
        Acc = 3,
    }
}

numbered_enum! {
    /// Data type of a sensor, which determines the effect of its cutoff.
    #[doc(alias = "mjtDataType")]
    DataType: i32 {
        Real = 0,
        Positive = 1,
        Axis = 2,
        Quaternion = 3,
    }
}

numbered_enum! {
    /// Which frame of its body an element coincides with.
    #[doc(alias = "mjtSameFrame")]
    SameFrame: u8 {
        None = 0,
        Body = 1,
        Inertia = 2,
        BodyRot = 3,
        InertiaRot = 4,
    }
}

numbered_enum! {
    /// Whether a kinematic tree may fall asleep.
    #[doc(alias = "mjtSleepPolicy")]
    SleepPolicy: i32 {
        Auto = 0,
        AutoNever = 1,
        AutoAllowed = 2,
        Never = 3,
        Allowed = 4,
        Init = 5,
    }
}

numbered_enum! {
    /// Type of a constraint row.
    #[doc(alias = "mjtConstraint")]
    ConstraintType: i32 {
        Equality = 0,
        FrictionDof = 1,
        FrictionTendon = 2,
        LimitJoint = 3,
        LimitTendon = 4,
        ContactFrictionless = 5,
        ContactPyramidal = 6,
        ContactElliptic = 7,
    }
}

numbered_enum! {
    /// State of a constraint row: the active branch of its cost function.
    #[doc(alias = "mjtConstraintState")]
    ConstraintState: i32 {
        Satisfied = 0,
        Quadratic = 1,
        LinearNeg = 2,
        LinearPos = 3,
        Cone = 4,
    }
}

numbered_enum! {
    /// Warning raised by a step.
    #[doc(alias = "mjtWarning")]
    Warning: i32 {
        Inertia = 0,
        ContactFull = 1,
        CnstrFull = 2,
        BadQpos = 3,
        BadQvel = 4,
        BadQacc = 5,
        BadCtrl = 6,
        Solver = 7,
    }
}

/// The message of a warning; its index (`WarningStat::lastinfo`) is reported apart.
impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Inertia => "the inertia matrix is singular or nearly singular",
            Self::ContactFull => "the contact buffer is full, contacts were dropped",
            Self::CnstrFull => "the constraint buffer is full, constraints were dropped",
            Self::BadQpos => "NaN, infinite or too large value in qpos",
            Self::BadQvel => "NaN, infinite or too large value in qvel",
            Self::BadQacc => "NaN, infinite or too large value in qacc",
            Self::BadCtrl => "NaN, infinite or too large value in ctrl",
            Self::Solver => "non-positive pivot or non-finite value in the constraint solver",
        })
    }
}
