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

/// Default `solref`: time constant (s) and damping ratio.
pub const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];
/// Default `solimp`: impedance at zero and full width, width (m), midpoint and power.
pub const DEFAULT_SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

impl Contact {
    /// A contact of two geoms with isotropic sliding friction and default solver parameters.
    ///
    /// `normal` points from the first geom to the second and need not be normalized; `depth` is the
    /// penetration, `-dist`. The contact has dimension 3 if `friction` is positive, else 1.
    ///
    /// ```
    /// use sim_types::Contact;
    /// let contact = Contact::new([0.3, 0.2, 0.1], [0.0, 0.0, 2.0], 0.01, 0, 1, 0.5);
    /// assert_eq!((contact.dim, contact.dist, contact.geom), (3, -0.01, [0, 1]));
    /// assert_eq!(contact.frame[..3], [0.0, 0.0, 1.0]);
    /// ```
    #[must_use]
    pub fn new(
        pos: impl Into<[f64; 3]>,
        normal: impl Into<[f64; 3]>,
        depth: f64,
        geom1: usize,
        geom2: usize,
        friction: f64,
    ) -> Self {
        let condim = if friction > 0.0 { 3 } else { 1 };
        let (solref, solimp) = (DEFAULT_SOLREF, DEFAULT_SOLIMP);
        Self::with_condim(
            pos, normal, depth, geom1, geom2, friction, 0.0, 0.0, condim, solref, solimp,
        )
    }

    /// A contact of two geoms with the given dimension, friction and solver parameters.
    ///
    /// The friction coefficients expand to two sliding, one torsional and two rolling ones. A `condim` that
    /// is not 1, 3, 4 or 6 is rounded up to the next of these, and values above 6 are reduced to 6.
    #[must_use]
    #[allow(clippy::too_many_arguments, reason = "the fields of a contact, in MuJoCo's order")]
    pub fn with_condim(
        pos: impl Into<[f64; 3]>,
        normal: impl Into<[f64; 3]>,
        depth: f64,
        geom1: usize,
        geom2: usize,
        sliding: f64,
        torsional: f64,
        rolling: f64,
        condim: i32,
        solref: [f64; 2],
        solimp: [f64; 5],
    ) -> Self {
        Self {
            dist: -depth,
            pos: pos.into(),
            frame: frame(normal.into()),
            friction: [sliding, sliding, torsional, rolling, rolling],
            solref,
            solimp,
            dim: match condim {
                ..=1 => 1,
                2 | 3 => 3,
                4 => 4,
                _ => 6,
            },
            geom: [geom1 as i32, geom2 as i32],
            ..Self::default()
        }
    }
}

/// Contact frame by rows: the normalized normal and two tangents, the first closest to the y axis, or to z
/// if the normal is close to y (`mju_makeFrame`). A zero normal counts as the x axis.
fn frame(normal: [f64; 3]) -> [f64; 9] {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let unit = |v: [f64; 3]| {
        let length = dot(v, v).sqrt();
        if length < crate::MINVAL { [1.0, 0.0, 0.0] } else { v.map(|c| c / length) }
    };
    let x = unit(normal);
    let hint = if x[1].abs() < 0.5 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let along = dot(x, hint);
    let y = unit([0, 1, 2].map(|k| hint[k] - along * x[k]));
    let z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimension_follows_from_friction() {
        let contact = |friction| Contact::new([0.0; 3], [0.0, 0.0, 1.0], 0.0, 2, 5, friction);
        assert_eq!((contact(0.5).dim, contact(0.0).dim), (3, 1));
        assert_eq!(contact(0.5).friction, [0.5, 0.5, 0.0, 0.0, 0.0]);
        assert_eq!((contact(0.5).geom, contact(0.5).exclude), ([2, 5], 0));
        assert_eq!(contact(0.5).solref, DEFAULT_SOLREF);
    }

    #[test]
    fn friction_expands_to_five_coefficients() {
        let (solref, solimp) = ([-100.0, -1.0], [0.8, 0.9, 0.01, 0.5, 2.0]);
        let normal = [0.0, 1.0, 0.0];
        let contact =
            Contact::with_condim([1.0; 3], normal, 0.02, 0, 1, 0.5, 0.01, 0.005, 6, solref, solimp);
        assert_eq!(contact.friction, [0.5, 0.5, 0.01, 0.005, 0.005]);
        assert_eq!((contact.dim, contact.dist), (6, -0.02));
        assert_eq!((contact.solref, contact.solimp), (solref, solimp));
    }

    #[test]
    fn invalid_dimensions_are_rounded() {
        let dim = |condim| {
            let (solref, solimp) = (DEFAULT_SOLREF, DEFAULT_SOLIMP);
            let x = [1.0, 0.0, 0.0];
            Contact::with_condim(x, x, 0.0, 0, 1, 1.0, 1.0, 1.0, condim, solref, solimp).dim
        };
        assert_eq!([-1, 0, 1, 2, 3, 4, 5, 6, 7].map(dim), [1, 1, 1, 3, 3, 4, 6, 6, 6]);
    }

    #[test]
    fn frame_is_a_rotation_whose_first_row_is_the_normal() {
        for normal in [[0.0, 0.0, 3.0], [0.0, -2.0, 0.0], [1.0, 2.0, -3.0], [0.3, 0.5, 0.1]] {
            let f = Contact::new([0.0; 3], normal, 0.0, 0, 1, 1.0).frame;
            let length = normal.iter().map(|c| c * c).sum::<f64>().sqrt();
            for i in 0..3 {
                assert!((f[i] - normal[i] / length).abs() < 1e-15);
                for j in 0..3 {
                    let dot: f64 = (0..3).map(|k| f[3 * i + k] * f[3 * j + k]).sum();
                    assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-15);
                }
            }
            let det = f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6])
                + f[2] * (f[3] * f[7] - f[4] * f[6]);
            assert!((det - 1.0).abs() < 1e-15);
        }
    }
}
