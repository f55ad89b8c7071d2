//! Elastic edges of a deformable body: stretch, shear and twist.

/// An elastic edge. A stiffness of `f64::INFINITY` makes it rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FlexEdge {
    /// Resists a change of length along the weave, the rod or the edge of an element.
    Stretch {
        /// The two particles.
        ends: [u32; 2],
        /// Rest length, m.
        rest: f64,
        /// Stiffness, N/m.
        stiffness: f64,
    },
    /// Resists a change of length of a diagonal, and thereby shear of the edges around it.
    Shear {
        /// The two particles.
        ends: [u32; 2],
        /// Rest length, m.
        rest: f64,
        /// Stiffness, N/m.
        stiffness: f64,
    },
    /// Resists a change of the dihedral angle at the edge between `ends`.
    Twist {
        /// The shared edge.
        ends: [u32; 2],
        /// The opposite particle of each of the two planes that share the edge.
        sides: [u32; 2],
        /// Rest angle, rad: 0 if all four particles are coplanar with `sides` on opposite sides of
        /// the edge.
        rest: f64,
        /// Stiffness, N·m/rad.
        stiffness: f64,
    },
}

impl FlexEdge {
    /// Its particles, and their number; unused entries are 0.
    #[must_use]
    pub fn particles(&self) -> ([u32; 4], usize) {
        match *self {
            Self::Stretch { ends: [a, b], .. } | Self::Shear { ends: [a, b], .. } => {
                ([a, b, 0, 0], 2)
            }
            Self::Twist { ends: [a, b], sides: [c, d], .. } => ([a, b, c, d], 4),
        }
    }

    /// Rest length, m, or rest angle, rad.
    #[must_use]
    pub fn rest(&self) -> f64 {
        match *self {
            Self::Stretch { rest, .. } | Self::Shear { rest, .. } | Self::Twist { rest, .. } => {
                rest
            }
        }
    }

    /// Stiffness, N/m, or N·m/rad for a twist.
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        match *self {
            Self::Stretch { stiffness, .. }
            | Self::Shear { stiffness, .. }
            | Self::Twist { stiffness, .. } => stiffness,
        }
    }
}
