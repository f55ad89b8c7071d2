//! A robot as its URDF file says it, before it becomes a spec.
//!
//! What the simulator has no use for is here all the same: velocity limits, safety controllers,
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
    /// The joint above each link.
    pub(crate) above: Vec<Option<usize>>,
    /// Settings of the `<mujoco>` block, the places of the elements, and the loader.
    pub(crate) base: Spec,
}

impl Robot {
    /// Its name; empty when the file gives none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The links, in the order of the file.
    #[must_use]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The joints, in the order of the file.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Every material with a name and a colour or a texture, the first of each name.
    #[must_use]
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// The link of this name.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.name == name)
    }

    /// The joint of this name.
    #[must_use]
    pub fn joint(&self, name: &str) -> Option<&Joint> {
        self.joints.iter().find(|joint| joint.name == name)
    }

    /// The joint that holds a link; `None` for a root.
    #[must_use]
    pub fn joint_above(&self, link: usize) -> Option<usize> {
        self.above.get(link).copied().flatten()
    }

    /// The links that hang on no joint; a good file has one.
    pub fn roots(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.links.len()).filter(|&link| self.above[link].is_none())
    }

    /// What is worth a second look, found while reading.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.base.warnings
    }

    /// Where an element is in its file.
    #[must_use]
    pub fn location(&self, origin: Origin) -> Location {
        self.base.location(origin)
    }
}

/// A rigid part of a robot.
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// Name.
    pub name: String,
    /// Mass and inertia.
    pub inertial: Option<Inertial>,
    /// What it looks like and what it collides with, in the order of the file.
    pub shapes: Vec<Shape>,
    /// Where it is defined.
    pub origin: Origin,
}

/// A position, and roll, pitch and yaw about the fixed axes, in radians.
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
    /// The centre of mass, and the frame in which the inertia is given.
    pub pose: Pose,
    /// Mass.
    pub mass: f64,
    /// Inertia matrix: xx yy zz xy xz yz.
    pub inertia: [f64; 6],
    /// Where it is defined.
    pub origin: Origin,
}

/// What a shape is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// To be seen.
    Visual,
    /// To collide.
    Collision,
}

/// A shape of a link.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Name; empty for none.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Where it is in the link.
    pub pose: Pose,
    /// Its form; `None` where that of a visual is broken and visuals are left out.
    pub geometry: Option<Geometry>,
    /// What it looks like, as far as it says so itself.
    pub material: Option<Material>,
    /// Where it is defined.
    pub origin: Origin,
}

/// The form of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
    /// Three edges.
    Box([f64; 3]),
    /// About z.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Cylinder { radius: f64, length: f64 },
    /// A ball.
    #[allow(missing_docs, reason = "the field is URDF's attribute name")]
    Sphere { radius: f64 },
    /// A cylinder about z with half a ball on each end; the length is the cylinder's.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Capsule { radius: f64, length: f64 },
    /// Triangles from a file.
    #[allow(missing_docs, reason = "the fields are URDF's attribute names")]
    Mesh { filename: String, scale: [f64; 3], origin: Origin },
}

/// A colour or a texture, or the name of one that is defined elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Name; may be empty inside a `visual`.
    pub name: String,
    /// Colour.
    pub rgba: Option<[f32; 4]>,
    /// File of the texture.
    pub texture: Option<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// How a joint moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Turns about its axis between two limits.
    Revolute,
    /// Turns about its axis.
    Continuous,
    /// Slides along its axis.
    Prismatic,
    /// Does not move.
    Fixed,
    /// Moves in all six ways.
    Floating,
    /// Slides in a plane and turns about its axis, the plane's normal.
    Planar,
    /// Turns about all axes; not in every dialect of URDF.
    Spherical,
}

impl JointKind {
    /// Every kind with its name in URDF.
    pub const ALL: [(&'static str, Self); 7] = [
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
        ("fixed", Self::Fixed),
        ("floating", Self::Floating),
        ("planar", Self::Planar),
        ("spherical", Self::Spherical),
    ];

    /// Its name in URDF.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether one number says where it is.
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
    /// How it moves.
    pub kind: JointKind,
    /// Index of the link that holds it.
    pub parent: usize,
    /// Index of the link that it holds.
    pub child: usize,
    /// Where it is in its parent; the frame of its child.
    pub pose: Pose,
    /// Axis, in the frame of its child.
    pub axis: [f64; 3],
    /// Limits.
    pub limit: Option<Limit>,
    /// Damping and dry friction.
    pub dynamics: Option<Dynamics>,
    /// The joint that it follows.
    pub mimic: Option<Mimic>,
    /// Soft limits of a controller. The simulator does not use them.
    pub safety_controller: Option<SafetyController>,
    /// Reference positions. The simulator does not use them.
    pub calibration: Option<Calibration>,
    /// Where it is defined.
    pub origin: Origin,
}

/// Limits of a joint; what the file does not give is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limit {
    /// Least position.
    pub lower: Option<f64>,
    /// Greatest position.
    pub upper: Option<f64>,
    /// Greatest force or torque of actuators.
    pub effort: Option<f64>,
    /// Greatest speed. The simulator does not enforce it.
    pub velocity: Option<f64>,
    /// Where it is defined.
    pub origin: Origin,
}

/// Damping and dry friction of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Dynamics {
    /// Force per speed.
    pub damping: f64,
    /// Force of dry friction.
    pub friction: f64,
}

/// position = multiplier × position of the other joint + offset.
#[derive(Debug, Clone, PartialEq)]
pub struct Mimic {
    /// The other joint.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Offset.
    pub offset: f64,
    /// Where it is defined.
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
