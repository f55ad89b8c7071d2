//! Residuals of the constraints of a body.

use crate::body::Body;
use crate::constraint::{ColoredConstraints, Constraint};
use nalgebra::Vector3;

/// Residual of the constraints of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residual {
    /// Number of constraints.
    pub count: usize,
    /// Maximum absolute value.
    pub max: f64,
    /// Root mean square.
    pub rms: f64,
}

/// Residuals by kind of constraint. Compliant constraints have residuals under load: they measure
/// the strain as well as the solver error.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residuals {
    /// Change of edge length, m.
    pub distance: Residual,
    /// Change of curvature of rods, 1/m.
    pub bend: Residual,
    /// Change of curvature across the edges of a surface that is flat at rest, as edge length times
    /// angle, m.
    pub hinge: Residual,
    /// Change of dihedral angle, rad.
    pub angle: Residual,
    /// Change of volume of tetrahedra, m³.
    pub volume: Residual,
    /// Relative change of volume of neo-Hookean tetrahedra.
    pub solid: Residual,
}

impl Body {
    /// Residuals at the current positions.
    #[must_use]
    pub fn residuals(&self) -> Residuals {
        let (c, x) = (&self.constraints, &self.position);
        Residuals {
            distance: of(&c.distances, x),
            bend: of(&c.bends, x),
            hinge: of(&c.hinges, x),
            angle: of(&c.angles, x),
            volume: of(&c.volumes, x),
            solid: of(&c.solids, x),
        }
    }
}

fn of<R: Constraint>(constraints: &ColoredConstraints<R>, x: &[Vector3<f64>]) -> Residual {
    let (mut max, mut squares) = (0.0f64, 0.0);
    for constraint in constraints.as_slice() {
        let value = constraint.value(x);
        max = max.max(value.abs());
        squares += value * value;
    }
    let count = constraints.as_slice().len();
    let rms = if count > 0 { (squares / count as f64).sqrt() } else { 0.0 };
    Residual { count, max, rms }
}
