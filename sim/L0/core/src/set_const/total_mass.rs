//! Total mass of a model (`mj_getTotalmass`, `mj_setTotalmass`).

use crate::Model;
use sim_types::MINVAL;

/// Sum of all body masses.
#[doc(alias = "mj_getTotalmass")]
#[must_use]
pub fn mj_get_totalmass(m: &Model) -> f64 {
    m.body_mass.iter().sum()
}

/// Scales all body masses and inertias to a total mass of `newmass`.
///
/// Only `body_mass` and `body_inertia` change: call [`crate::mj_set_const`] afterwards to update the
/// constants that depend on them.
#[doc(alias = "mj_setTotalmass")]
pub fn mj_set_totalmass(m: &mut Model, newmass: f64) {
    let scale = (newmass / mj_get_totalmass(m).max(MINVAL)).max(MINVAL);
    for x in m.body_mass.iter_mut().chain(&mut m.body_inertia) {
        *x *= scale;
    }
}
