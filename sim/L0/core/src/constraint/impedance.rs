//! Impedance, stiffness and damping of constraint rows from `solref` and `solimp`
//! (`mj_makeImpedance`, `getimpedance`), and the regularisation `R` that follows.
//!
//! With impedance `d(r)`, reference stiffness `k` and damping `b`:
//!
//! ```text
//! aref = −b·(J v) − k·d(r)·r        R = (1 − d)/d · diagApprox
//! ```

use super::row::RowSet;
use sim_types::{ConstraintType, DisableBit, MAXIMP, MINIMP, MINVAL, Options};

/// `solref` that replaces one with mixed signs: time constant (s) and damping ratio.
pub const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Solver parameters of a constraint, clamped to their valid ranges (`getsolparam`).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolParams {
    /// Reference acceleration: time constant and damping ratio, or negative stiffness and damping.
    pub solref: [f64; 2],
    /// Reference acceleration of friction rows of elliptic contacts; zero means `solref`.
    pub solreffriction: [f64; 2],
    /// Impedance: `d0`, `dwidth`, `width`, `midpoint`, `power`.
    pub solimp: [f64; 5],
}

/// Reference stiffness and damping of a constraint row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// Stiffness `k`, 1/s².
    pub stiffness: f64,
    /// Damping `b`, 1/s.
    pub damping: f64,
}

/// Impedance and its derivative at a constraint violation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Impedance {
    /// Impedance `d(r)`, in (0, 1).
    pub imp: f64,
    /// Derivative of the impedance with respect to the violation.
    pub imp_p: f64,
}

impl SolParams {
    /// Parameters of a constraint without `solreffriction`.
    #[must_use]
    pub fn new(opt: &Options, solref: [f64; 2], solimp: [f64; 5]) -> Self {
        Self::with_friction(opt, solref, [0.0; 2], solimp)
    }

    /// Parameters of a contact.
    #[must_use]
    pub fn with_friction(
        opt: &Options,
        solref: [f64; 2],
        solreffriction: [f64; 2],
        solimp: [f64; 5],
    ) -> Self {
        let [d0, dwidth, width, midpoint, power] = solimp;
        let clamp_imp = |d: f64| d.clamp(MINIMP, MAXIMP);
        Self {
            solref: valid_solref(opt, solref, DEFAULT_SOLREF),
            solreffriction: valid_solref(opt, solreffriction, [0.0; 2]),
            solimp: [
                clamp_imp(d0),
                clamp_imp(dwidth),
                width.max(0.0),
                clamp_imp(midpoint),
                power.max(1.0),
            ],
        }
    }

    /// Stiffness and damping of `solref`, or of `solreffriction`.
    #[must_use]
    pub fn reference(&self, solref: [f64; 2]) -> Reference {
        let dwidth = self.solimp[1];
        let [timeconst, dampratio] = solref;
        let stiffness = if timeconst > 0.0 {
            let scaled = dwidth * dwidth * timeconst * timeconst * dampratio * dampratio;
            1.0 / scaled.max(MINVAL)
        } else {
            // direct format: −stiffness
            -timeconst / (dwidth * dwidth).max(MINVAL)
        };
        let damping = if dampratio > 0.0 {
            2.0 / (dwidth * timeconst).max(MINVAL)
        } else {
            // direct format: −damping
            -dampratio / dwidth.max(MINVAL)
        };
        Reference { stiffness, damping }
    }

    /// Impedance at a violation: a power spline from `d0` at 0 to `dwidth` at `width`
    /// (`getimpedance`).
    #[doc(alias = "getimpedance")]
    #[inline]
    #[must_use]
    pub fn impedance(&self, violation: f64) -> Impedance {
        let [d0, dwidth, width, midpoint, power] = self.solimp;
        if d0 == dwidth || width <= MINVAL {
            return Impedance { imp: 0.5 * (d0 + dwidth), imp_p: 0.0 };
        }
        let scaled = violation / width;
        let x = scaled.abs();
        if x >= 1.0 {
            return Impedance { imp: dwidth, imp_p: 0.0 };
        }
        if x <= 0.0 {
            return Impedance { imp: d0, imp_p: 0.0 };
        }
        let (y, y_p) = if power == 1.0 {
            (x, 1.0)
        } else if x <= midpoint {
            let a = 1.0 / pow(midpoint, power - 1.0);
            (a * pow(x, power), power * a * pow(x, power - 1.0))
        } else {
            let b = 1.0 / pow(1.0 - midpoint, power - 1.0);
            (1.0 - b * pow(1.0 - x, power), power * b * pow(1.0 - x, power - 1.0))
        };
        let sign = if scaled < 0.0 { -1.0 } else { 1.0 };
        Impedance { imp: d0 + y * (dwidth - d0), imp_p: y_p * sign * (dwidth - d0) / width }
    }

    /// Reference acceleration of a contact along its normal and two tangents.
    pub(super) fn contact_aref(&self, violation: f64, velocity: [f64; 3]) -> [f64; 3] {
        let Reference { stiffness, damping } = self.reference(self.solref);
        let Impedance { imp, .. } = self.impedance(violation);
        let tangent = if self.solreffriction == [0.0; 2] {
            damping
        } else {
            self.reference(self.solreffriction).damping
        };
        let normal = -damping * velocity[0] - stiffness * imp * violation;
        [normal, -tangent * velocity[1], -tangent * velocity[2]]
    }
}

/// Replaces a `solref` with mixed signs by `default`, and bounds the time constant from below by
/// twice the timestep unless `refsafe` is disabled.
fn valid_solref(opt: &Options, solref: [f64; 2], default: [f64; 2]) -> [f64; 2] {
    let mut solref = if (solref[0] > 0.0) == (solref[1] > 0.0) { solref } else { default };
    if solref[0] > 0.0 && !opt.disabled(DisableBit::RefSafe) {
        solref[0] = solref[0].max(2.0 * opt.timestep);
    }
    solref
}

/// `base^exponent`, with the exponents 1 and 2 of the default parameters as special cases.
fn pow(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        base
    } else if exponent == 2.0 {
        base * base
    } else {
        base.powf(exponent)
    }
}

impl RowSet {
    /// Sets `KBIP` and `R` of the rows from `first` on, which belong to one constraint, from
    /// `diagApprox` and the constraint violation `pos − margin` (`mj_makeImpedance`).
    pub(super) fn make_impedance(&mut self, first: usize, params: &SolParams, violation: f64) {
        let Impedance { imp, imp_p } = params.impedance(violation);
        let normal = params.reference(params.solref);
        for row in first..self.len() {
            let elliptic_friction =
                self.kind[row] == ConstraintType::ContactElliptic && row > first;
            let friction_loss = matches!(
                self.kind[row],
                ConstraintType::FrictionDof | ConstraintType::FrictionTendon
            );
            let Reference { mut stiffness, damping } =
                if elliptic_friction && params.solreffriction != [0.0; 2] {
                    params.reference(params.solreffriction)
                } else {
                    normal
                };
            if friction_loss || elliptic_friction {
                stiffness = 0.0;
            }
            self.kbip[4 * row..4 * row + 4].copy_from_slice(&[stiffness, damping, imp, imp_p]);
            self.r[row] = ((1.0 - imp) * self.diag[row] / imp).max(MINVAL);
        }
    }

    /// [`make_impedance`](Self::make_impedance) and [`finish_diag_approx`](Self::finish_diag_approx) of the rows from
    /// `first` on, each of which is an equality constraint of its own whose violation is its position.
    pub(super) fn make_scalar_impedances(&mut self, first: usize, params: &SolParams) {
        let Reference { stiffness, damping } = params.reference(params.solref);
        let Self { pos, diag, kbip, r, d, .. } = self;
        let kbip = &mut kbip.as_chunks_mut::<4>().0[first..];
        let (diag, r, d) = (&mut diag[first..], &mut r[first..], &mut d[first..]);
        let rows = pos[first..].iter().zip(diag).zip(kbip).zip(r).zip(d);
        for ((((&pos, diag), kbip), r), d) in rows {
            let Impedance { imp, imp_p } = params.impedance(pos);
            *kbip = [stiffness, damping, imp, imp_p];
            *r = ((1.0 - imp) * *diag / imp).max(MINVAL);
            *d = 1.0 / *r;
            *diag = *r * imp / (1.0 - imp);
        }
    }

    /// Sets `R` of the friction rows of a contact from `R` of its normal and `impratio`. Returns the
    /// friction coefficient `μ` of the regularised cone.
    pub(super) fn regularize_cone(&mut self, first: usize, impratio: f64, friction: &[f64]) -> f64 {
        let normal = self.r[first];
        let tangent = normal / impratio.max(MINVAL);
        let mu = friction[0] * (tangent / normal).sqrt();
        if self.kind[first] == ConstraintType::ContactElliptic {
            // R·friction² is equal in all directions
            self.r[first + 1] = tangent;
            for (r, f) in self.r[first + 2..].iter_mut().zip(&friction[1..]) {
                *r = tangent * friction[0] * friction[0] / (f * f);
            }
        } else {
            self.r[first..].fill(2.0 * mu * mu * normal);
        }
        mu
    }

    /// Sets `D = 1/R` and adjusts `diagApprox` to the final `R`, for the rows from `first` on.
    pub(super) fn finish_diag_approx(&mut self, first: usize) {
        for row in first..self.len() {
            let imp = self.kbip[4 * row + 2];
            self.d[row] = 1.0 / self.r[row];
            self.diag[row] = self.r[row] * imp / (1.0 - imp);
        }
    }
}
