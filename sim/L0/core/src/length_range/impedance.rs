//! From solver parameters to the softness and the reference acceleration of a constraint row.

use sim_types::{MAXIMP, MINIMP, MINVAL};

/// Softness and virtual spring of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Impedance {
    /// What is added to the diagonal of the inverse inertia.
    pub(super) r: f64,
    /// Stiffness of the reference, times impedance.
    pub(super) stiffness: f64,
    /// Damping of the reference.
    pub(super) damping: f64,
}

/// The impedance of a row at distance `pos` (less margin), whose approximate inverse inertia is
/// `diagonal`.
#[doc(alias = "mj_makeImpedance")]
pub(super) fn impedance(
    solref: [f64; 2],
    solimp: [f64; 5],
    pos: f64,
    diagonal: f64,
    timestep: f64,
) -> Impedance {
    let mut solref = solref;
    if (solref[0] > 0.0) != (solref[1] > 0.0) {
        solref = [0.02, 1.0];
    }
    if solref[0] > 0.0 {
        solref[0] = solref[0].max(2.0 * timestep);
    }
    let unit = |x: f64| x.clamp(MINIMP, MAXIMP);
    let [d0, dwidth, width, midpoint, power] = solimp;
    let (d0, dwidth, midpoint) = (unit(d0), unit(dwidth), unit(midpoint));
    let imp = curve([d0, dwidth, width.max(0.0), midpoint, power.max(1.0)], pos);
    let [ref0, ref1] = solref;
    let stiffness = if ref0 > 0.0 {
        1.0 / (dwidth * dwidth * ref0 * ref0 * ref1 * ref1).max(MINVAL)
    } else {
        -ref0 / (dwidth * dwidth).max(MINVAL)
    };
    let damping =
        if ref1 > 0.0 { 2.0 / (dwidth * ref0).max(MINVAL) } else { -ref1 / dwidth.max(MINVAL) };
    Impedance { r: ((1.0 - imp) * diagonal / imp).max(MINVAL), stiffness: stiffness * imp, damping }
}

/// The impedance rises from `d0` to `dwidth` over `width`, as two powers joined at the midpoint.
fn curve([d0, dwidth, width, midpoint, power]: [f64; 5], pos: f64) -> f64 {
    if d0 == dwidth || width <= MINVAL {
        return 0.5 * (d0 + dwidth);
    }
    let x = (pos / width).abs();
    if x >= 1.0 || x <= 0.0 {
        return if x >= 1.0 { dwidth } else { d0 };
    }
    let y = if power == 1.0 {
        x
    } else if x <= midpoint {
        x.powf(power) / midpoint.powf(power - 1.0)
    } else {
        1.0 - (1.0 - x).powf(power) / (1.0 - midpoint).powf(power - 1.0)
    };
    d0 + y * (dwidth - d0)
}
