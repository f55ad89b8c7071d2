//! One contact point between two geoms.

/// A contact found by collision detection (`mjContact`).
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(non_snake_case, reason = "MuJoCo's field names")]
pub struct Contact {
    /// Distance between the nearest points; negative when the shapes overlap.
    pub dist: f64,
    /// World position halfway between the nearest points.
    pub pos: [f64; 3],
    /// Contact frame by rows: normal from the first geom to the second, then two tangents.
    pub frame: [f64; 9],
    /// The contact exerts force while `dist` is below this.
    pub includemargin: f64,
    /// Sliding (2), torsional and rolling (2) friction.
    pub friction: [f64; 5],
    /// Reference acceleration parameters along the normal.
    pub solref: [f64; 2],
    /// Reference acceleration parameters along the tangents; zero means those of the normal.
    pub solreffriction: [f64; 2],
    /// Impedance parameters.
    pub solimp: [f64; 5],
    /// Friction coefficient of the regularised cone.
    pub mu: f64,
    /// Hessian of the elliptic cone's cost, 6 × 6.
    pub H: [f64; 36],
    /// Number of force dimensions: 1, 3, 4 or 6.
    pub dim: i32,
    /// The two geoms, or -1 for a flex.
    pub geom: [i32; 2],
    /// The two flexes, or -1 for a geom.
    pub flex: [i32; 2],
    /// Flex elements, or -1.
    pub elem: [i32; 2],
    /// Flex vertices, or -1.
    pub vert: [i32; 2],
    /// Why the contact has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive.
    pub exclude: i32,
    /// First constraint row, or -1.
    pub efc_address: i32,
}

impl Default for Contact {
    fn default() -> Self {
        Self {
            dist: 0.0,
            pos: [0.0; 3],
            frame: [0.0; 9],
            includemargin: 0.0,
            friction: [0.0; 5],
            solref: [0.0; 2],
            solreffriction: [0.0; 2],
            solimp: [0.0; 5],
            mu: 0.0,
            H: [0.0; 36],
            dim: 0,
            geom: [-1; 2],
            flex: [-1; 2],
            elem: [-1; 2],
            vert: [-1; 2],
            exclude: 0,
            efc_address: -1,
        }
    }
}
