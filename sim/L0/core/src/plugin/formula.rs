//! Closed forms of signed distance fields, for back ends that cannot call Rust code.

/// The formula of a [`SignedDistance`](super::SignedDistance) and its parameters (lengths in m, angles in rad).
///
/// A shader or another program evaluates the field from it. The formulas are those of the plugins
/// `mujoco.sdf.{bolt, bowl, gear, nut, torus}`; the axis of each shape is z.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum SignedDistanceFormula {
    /// A bolt with a thread and a hexagonal head.
    Bolt {
        /// Radius of the thread.
        radius: f64,
    },
    /// A hexagonal nut with a thread.
    Nut {
        /// Radius of the thread.
        radius: f64,
    },
    /// A spherical bowl.
    Bowl {
        /// Height of the rim above the centre of the sphere.
        height: f64,
        /// Radius of the sphere.
        radius: f64,
        /// Half the thickness of the wall.
        thickness: f64,
        /// Radius of the rim.
        width: f64,
    },
    /// A torus.
    Torus {
        /// Radius of the circle.
        major: f64,
        /// Radius of the tube.
        minor: f64,
    },
    /// A spur gear with involute teeth.
    Gear(GearFormula),
}

/// Parameters of the formula of a spur gear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GearFormula {
    /// Rotation about the axis (rad).
    pub alpha: f64,
    /// Diameter of the pitch circle.
    pub diameter: f64,
    /// Thickness along the axis.
    pub thickness: f64,
    /// Radius of the hole.
    pub inner: f64,
    /// Radius of the base circle.
    pub base: f64,
    /// Radius of the tips of the teeth.
    pub outer: f64,
    /// Height of a tooth.
    pub depth: f64,
    /// Angle between two teeth (rad).
    pub stride: f64,
    /// Angle of the gap between two teeth at the base circle (rad).
    pub shift: f64,
}
