//! Parsed URDF, before conversion to a spec.
//!
//! It includes data that the simulator does not use: velocity limits, safety controllers,
//! calibrations.

use sim_mjcf::spec::{Origin, Spec};
use sim_mjcf::{Location, Warning};

/// A robot: links and the joints between them.
///
/// ```
/// let robot = sim_urdf::Robot::parse_str(
///     r#"<robot name="door">
///          <link name="wall"/>
///          <link name="leaf"/>
///          <joint name="hinge" type="revolute">
///            <parent link="wall"/> <child link="leaf"/> <axis xyz="0 0 1"/>
///            <limit lower="0" upper="1.5" effort="20" velocity="2"/>
///          </joint>
///        </robot>"#,
/// )?;
/// let hinge = robot.joint("hinge").unwrap();
/// assert_eq!(hinge.limit.unwrap().velocity, Some(2.0));
/// assert_eq!(robot.links()[hinge.child].name, "leaf");
/// # Ok::<(), sim_urdf::Errors>(())
/// ```
#[derive(Debug, Clone)]
pub struct Robot {
    pub(crate) name: String,
    pub(crate) links: Vec<Link>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) materials: Vec<Material>,
    /// Parent joint of each link.
    pub(crate) parent_joints: Vec<Option<usize>>,
    /// Settings of the `<mujoco>` block, source locations, and the loader.
    pub(crate) base: Spec,
}

impl Robot {
    /// Name; empty if not specified.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Links in file order.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Joints in file order.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// All named materials with a color or texture, the first with each name.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// The link with this name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The joint with this name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }

    /// Parent joint of a link; `None` for a root.
    #[must_use]
    pub fn parent_joint(&self, link: usize) -> Option<usize> {
        self.parent_joints.get(link).copied().flatten()
    }

    /// Links without a parent joint; a valid robot has one.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.links.len()).filter(|&link| self.parent_joints[link].is_none())
    }

    /// Warnings of parsing.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.base.warnings
    }

    /// Source location of an element.
    #[must_use]
    pub fn location(&self, origin: Origin) -> Location {
        self.base.location(origin)
    }
}

/// A rigid body.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Name.
    pub name: String,
    /// Mass and inertia.
    pub inertial: Option<Inertial>,
    /// Visual and collision shapes, in file order.
    pub shapes: Vec<Shape>,
    /// Source location.
    pub origin: Origin,
}

/// Position, m, and roll, pitch and yaw about fixed axes, rad.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pose {
    /// Position.
    pub xyz: [f64; 3],
    /// Roll, pitch, yaw.
    pub rpy: [f64; 3],
}

/// Mass and inertia of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Inertial {
    /// Center of mass and frame of the inertia.
    pub pose: Pose,
    /// Mass.
    pub mass: f64,
    /// Inertia matrix: xx yy zz xy xz yz.
    pub inertia: [f64; 6],
    /// Source location.
    pub origin: Origin,
}

/// Purpose of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Visualization.
    Visual,
    /// Collision.
    Collision,
}

/// A shape of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Name; empty for none.
    pub name: String,
    /// Purpose.
    pub role: Role,
    /// Pose in the link.
    pub pose: Pose,
    /// Geometry; `None` if that of a discarded visual is invalid.
    pub geometry: Option<Geometry>,
    /// Material, if specified.
    pub material: Option<Material>,
    /// Source location.
    pub origin: Origin,
}

/// Geometry of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// A box with edge lengths.
    Box([f64; 3]),
    /// A cylinder about z.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Cylinder { radius: f64, length: f64 },
    /// A sphere.
    #[allow(missing_docs, reason = "the field is URDF's attribute name")]
    Sphere { radius: f64 },
    /// A capsule about z; `length` is that of the cylinder.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Capsule { radius: f64, length: f64 },
    /// A triangle mesh from a file.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Mesh { filename: String, scale: [f64; 3], origin: Origin },
}

/// A color or texture, or a reference to a material by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name; may be empty inside a `visual`.
    pub name: String,
    /// Color.
    pub rgba: Option<[f32; 4]>,
    /// File of the texture.
    pub texture: Option<String>,
    /// Source location.
    pub origin: Origin,
}

/// Joint types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Hinge with limits.
    Revolute,
    /// Hinge without limits.
    Continuous,
    /// Slide along the axis.
    Prismatic,
    /// No degree of freedom.
    Fixed,
    /// Six degrees of freedom.
    Floating,
    /// Translation in a plane and rotation about its normal, the axis.
    Planar,
    /// Rotation about all axes; not in every dialect of URDF.
    Spherical,
}

impl JointKind {
    /// All types with their URDF names.
    pub const ALL: [(&'static str, Self); 7] = [
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
        ("fixed", Self::Fixed),
        ("floating", Self::Floating),
        ("planar", Self::Planar),
        ("spherical", Self::Spherical),
    ];

    /// URDF name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether it has a single degree of freedom.
    #[must_use]
    pub const fn is_scalar(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }

    /// Whether it has an axis.
    #[must_use]
    pub const fn has_axis(self) -> bool {
        self.is_scalar() || matches!(self, Self::Planar)
    }
}

/// A joint between two links.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: JointKind,
    /// Index of the parent link.
    pub parent: usize,
    /// Index of the child link.
    pub child: usize,
    /// Pose of the child frame in the parent link.
    pub pose: Pose,
    /// Axis in the child frame.
    pub axis: [f64; 3],
    /// Limits.
    pub limit: Option<Limit>,
    /// Damping and friction.
    pub dynamics: Option<Dynamics>,
    /// Mimicked joint.
    pub mimic: Option<Mimic>,
    /// Soft limits of a controller; not simulated.
    pub safety_controller: Option<SafetyController>,
    /// Reference positions; not simulated.
    pub calibration: Option<Calibration>,
    /// Source location.
    pub origin: Origin,
}

/// Limits of a joint; `None` if not specified.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limit {
    /// Minimum position.
    pub lower: Option<f64>,
    /// Maximum position.
    pub upper: Option<f64>,
    /// Maximum actuator force or torque.
    pub effort: Option<f64>,
    /// Maximum velocity; not simulated.
    pub velocity: Option<f64>,
    /// Source location.
    pub origin: Origin,
}

/// Damping and friction of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dynamics {
    /// Viscous damping coefficient.
    pub damping: f64,
    /// Coulomb friction force or torque.
    pub friction: f64,
}

/// Mimic relation: position = multiplier × position of the other joint + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Mimic {
    /// The other joint.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Offset.
    pub offset: f64,
    /// Source location.
    pub origin: Origin,
}

/// Soft limits of a controller.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields are URDF's attribute names")]
pub struct SafetyController {
    pub soft_lower_limit: f64,
    pub soft_upper_limit: f64,
    pub k_position: f64,
    pub k_velocity: f64,
}

/// Positions at which a reference sensor switches.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[allow(missing_docs, reason = "the fields are URDF's attribute names")]
pub struct Calibration {
    pub rising: Option<f64>,
    pub falling: Option<f64>,
}
