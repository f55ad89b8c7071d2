//! How far the constraints of a body are from being kept.

use crate::body::Body;
use crate::constraint::{Batches, Row};
use nalgebra::Vector3;

/// Constraints of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residual {
    /// Number of constraints.
    pub count: usize,
    /// The largest violation, without its sign.
    pub max: f64,
    /// Root of the mean of the squares.
    pub rms: f64,
}

/// Violations of the constraints by kind. Compliant constraints are violated under load: this is
/// the strain as much as the error.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Residuals {
    /// Change of length of edges, in m.
    pub distance: Residual,
    /// Change of curvature: rods in 1/m.
    pub bend: Residual,
    /// Change of curvature across the edges of a surface that is flat there, as edge length times
    /// angle, in m.
    pub hinge: Residual,
    /// Change of angle, in rad.
    pub angle: Residual,
    /// Change of volume of tetrahedra, in m³.
    pub volume: Residual,
    /// Change of volume of neo-Hookean tetrahedra, as a share.
    pub solid: Residual,
}

impl Body {
    /// How far the constraints are from being kept now.
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

fn of<R: Row>(batches: &Batches<R>, x: &[Vector3<f64>]) -> Residual {
    let (mut max, mut squares) = (0.0f64, 0.0);
    for row in batches.rows() {
        let value = row.value(x);
        max = max.max(value.abs());
        squares += value * value;
    }
    let count = batches.rows().len();
    let rms = if count > 0 { (squares / count as f64).sqrt() } else { 0.0 };
    Residual { count, max, rms }
}
