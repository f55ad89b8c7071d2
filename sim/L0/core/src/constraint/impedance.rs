//! How soft each row is, and what it is steered by (`mj_makeImpedance`): from `solref`, `solimp`, the
//! violation and the estimated inertia.

use super::row::RowSet;
use crate::Model;
use sim_types::{ConstraintType, DisableBit};

/// Bounds of an impedance.
const IMPEDANCE: [f64; 2] = [0.0001, 0.9999];
/// What stands for zero in a denominator.
const TINY: f64 = 1e-15;
/// Time constant and damping ratio where a file mixes the two formats.
const DEFAULT_REFERENCE: [f64; 2] = [0.02, 1.0];

/// How a constraint reacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Softness {
    /// `solref`, checked.
    reference: [f64; 2],
    /// `solreffriction`, checked; zeros for none.
    friction: [f64; 2],
    /// `solimp`, within its bounds.
    impedance: [f64; 5],
}

impl Softness {
    /// From the parameters of a model element or contact.
    pub(super) fn new(m: &Model, solref: [f64; 2], solimp: [f64; 5]) -> Self {
        Self::with_friction(m, solref, [0.0; 2], solimp)
    }

    /// The same with `solreffriction`.
    pub(super) fn with_friction(
        m: &Model,
        solref: [f64; 2],
        solreffriction: [f64; 2],
        solimp: [f64; 5],
    ) -> Self {
        let checked = |values: [f64; 2], default: [f64; 2]| {
            let mut values = if (values[0] > 0.0) == (values[1] > 0.0) { values } else { default };
            if values[0] > 0.0 && !m.opt.disabled(DisableBit::RefSafe) {
                values[0] = values[0].max(2.0 * m.opt.timestep);
            }
            values
        };
        let bounded = |x: f64| x.clamp(IMPEDANCE[0], IMPEDANCE[1]);
        Self {
            reference: checked(solref, DEFAULT_REFERENCE),
            friction: checked(solreffriction, [0.0; 2]),
            impedance: [
                bounded(solimp[0]),
                bounded(solimp[1]),
                solimp[2].max(0.0),
                bounded(solimp[3]),
                solimp[4].max(1.0),
            ],
        }
    }

    /// Stiffness and damping towards the reference, from one of the two pairs of parameters.
    fn spring(&self, [first, second]: [f64; 2]) -> [f64; 2] {
        let width = self.impedance[1];
        let stiffness = if first > 0.0 {
            1.0 / (width * width * first * first * second * second).max(TINY)
        } else {
            -first / (width * width).max(TINY)
        };
        let damping =
            if second > 0.0 { 2.0 / (width * first).max(TINY) } else { -second / width.max(TINY) };
        [stiffness, damping]
    }

    /// The acceleration that a contact is steered towards, along its normal and two tangents,
    /// from its violation and velocity.
    pub(super) fn contact_reference(&self, violation: f64, velocity: [f64; 3]) -> [f64; 3] {
        let [stiffness, damping] = self.spring(self.reference);
        let [impedance, _] = self.at(violation);
        let tangent =
            if self.friction == [0.0; 2] { damping } else { self.spring(self.friction)[1] };
        let normal = -damping * velocity[0] - stiffness * impedance * violation;
        [normal, -tangent * velocity[1], -tangent * velocity[2]]
    }

    /// The impedance at a violation, and its slope.
    fn at(&self, violation: f64) -> [f64; 2] {
        let [low, high, width, middle, exponent] = self.impedance;
        if low == high || width <= TINY {
            return [0.5 * (low + high), 0.0];
        }
        let signed = violation / width;
        let x = signed.abs();
        if x >= 1.0 {
            return [high, 0.0];
        }
        if x <= 0.0 {
            return [low, 0.0];
        }
        let (y, slope) = if exponent == 1.0 {
            (x, 1.0)
        } else if x <= middle {
            let a = 1.0 / power(middle, exponent - 1.0);
            (a * power(x, exponent), exponent * a * power(x, exponent - 1.0))
        } else {
            let b = 1.0 / power(1.0 - middle, exponent - 1.0);
            let rest = 1.0 - x;
            (1.0 - b * power(rest, exponent), exponent * b * power(rest, exponent - 1.0))
        };
        let sign = if signed < 0.0 { -1.0 } else { 1.0 };
        [low + y * (high - low), slope * sign * (high - low) / width]
    }
}

/// A power; those of the default parameters are common.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        base
    } else if exponent == 2.0 {
        base * base
    } else {
        base.powf(exponent)
    }
}

impl RowSet {
    /// Completes the rows from `first` on, which belong to one constraint: `diag` holds their
    /// estimated inertia; `violation` is the distance from where the constraint begins to act.
    pub(super) fn soften(&mut self, first: usize, softness: &Softness, violation: f64) {
        let [impedance, slope] = softness.at(violation);
        let normal = softness.spring(softness.reference);
        for row in first..self.len() {
            let elliptic_friction =
                self.kind[row] == ConstraintType::ContactElliptic && row > first;
            let dry = matches!(
                self.kind[row],
                ConstraintType::FrictionDof | ConstraintType::FrictionTendon
            );
            let [mut stiffness, damping] = if elliptic_friction && softness.friction != [0.0; 2] {
                softness.spring(softness.friction)
            } else {
                normal
            };
            if dry || elliptic_friction {
                stiffness = 0.0;
            }
            self.kbip[4 * row..4 * row + 4]
                .copy_from_slice(&[stiffness, damping, impedance, slope]);
            self.r[row] = ((1.0 - impedance) * self.diag[row] / impedance).max(TINY);
        }
    }

    /// Spreads the softness of a contact's normal over its other rows; returns the coefficient of
    /// the regularised cone.
    pub(super) fn spread_over_cone(
        &mut self,
        first: usize,
        impratio: f64,
        friction: &[f64],
    ) -> f64 {
        let normal = self.r[first];
        let tangent = normal / impratio.max(TINY);
        let mu = friction[0] * (tangent / normal).sqrt();
        if self.kind[first] == ConstraintType::ContactElliptic {
            // R times the square of friction is the same in all directions
            self.r[first + 1] = tangent;
            for (r, f) in self.r[first + 2..].iter_mut().zip(&friction[1..]) {
                *r = tangent * friction[0] * friction[0] / (f * f);
            }
        } else {
            self.r[first..].fill(2.0 * mu * mu * normal);
        }
        mu
    }

    /// The last quantities of the rows from `first` on: they follow from `R`.
    pub(super) fn settle(&mut self, first: usize) {
        for row in first..self.len() {
            let impedance = self.kbip[4 * row + 2];
            self.d[row] = 1.0 / self.r[row];
            self.diag[row] = self.r[row] * impedance / (1.0 - impedance);
        }
    }
}
