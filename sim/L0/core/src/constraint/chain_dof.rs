//! Element of the merged kinematic chain of two bodies.

/// A dof in the merged chain of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChainDof {
    /// Index of the dof.
    pub dof: i32,
    /// Whether it moves the first body.
    pub first: bool,
    /// Whether it moves the second body.
    pub second: bool,
}
