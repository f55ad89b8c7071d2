//! Edges of a flexible body: what holds two neighbours together, or keeps four from twisting.

/// One elastic edge. A stiffness of `f64::INFINITY` makes it rigid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FlexEdge {
    /// Keeps the length of an edge along the weave, the rod or the side of an element.
    Stretch {
        /// The two particles.
        ends: [u32; 2],
        /// Length at rest.
        rest: f64,
        /// Force per length, N/m.
        stiffness: f64,
    },
    /// Keeps the length of a diagonal, and with it the angle between the edges around it.
    Shear {
        /// The two particles.
        ends: [u32; 2],
        /// Length at rest.
        rest: f64,
        /// Force per length, N/m.
        stiffness: f64,
    },
    /// Keeps the angle that the particles `sides` make around the edge between `ends`.
    Twist {
        /// The edge.
        ends: [u32; 2],
        /// One more particle of each of the two planes that share the edge.
        sides: [u32; 2],
        /// Angle at rest: 0 when all four lie in a plane with the sides on either side of the edge.
        rest: f64,
        /// Torque per angle, N·m.
        stiffness: f64,
    },
}

impl FlexEdge {
    /// The particles it touches, and how many of the four they are.
    #[must_use]
    pub fn particles(&self) -> ([u32; 4], usize) {
        match *self {
            Self::Stretch { ends: [a, b], .. } | Self::Shear { ends: [a, b], .. } => {
                ([a, b, 0, 0], 2)
            }
            Self::Twist { ends: [a, b], sides: [c, d], .. } => ([a, b, c, d], 4),
        }
    }

    /// Length or angle at rest.
    #[must_use]
    pub fn rest(&self) -> f64 {
        match *self {
            Self::Stretch { rest, .. } | Self::Shear { rest, .. } | Self::Twist { rest, .. } => {
                rest
            }
        }
    }

    /// N/m, or N·m for a twist.
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        match *self {
            Self::Stretch { stiffness, .. }
            | Self::Shear { stiffness, .. }
            | Self::Twist { stiffness, .. } => stiffness,
        }
    }
}
