//! Ranges of controls and forces.

use crate::Model;
use crate::math::{at, rows};

/// Clamps every limited entry to its range. Not-a-number stays as it is.
pub(super) fn range(values: &mut [f64], ranges: &[f64], limited: &[bool]) {
    for ((value, [low, high]), &limited) in values.iter_mut().zip(rows::<2>(ranges)).zip(limited) {
        if limited {
            if *value < *low {
                *value = *low;
            } else if *value > *high {
                *value = *high;
            }
        }
    }
}

/// Clamps the total actuator force on each scalar joint that limits it.
pub(super) fn joints(m: &Model, qfrc: &mut [f64]) {
    let ranges = rows::<2>(&m.jnt_actfrcrange);
    for j in 0..m.njnt {
        if m.jnt_actfrclimited[j] {
            let dof = at(&m.jnt_dofadr, j);
            qfrc[dof] = qfrc[dof].max(ranges[j][0]).min(ranges[j][1]);
        }
    }
}
