//! Quantities of a model that follow from its reference configuration (`mj_setConst`).

use crate::Model;

/// Computes the constants that depend on other model fields, at `qpos0`.
#[doc(alias = "mj_setConst")]
pub fn mj_set_const(_m: &mut Model) {}
