//! A test between the quick one and a search: boxes around geoms, turned with them.

use crate::math::{mat3, rows, vec3};
use crate::{Data, Model};

/// By how much the boxes around two geoms are farther apart than `margin`, along an axis of one of
/// them: the geoms are at least as far apart. Not positive if they are not.
#[doc(alias = "mj_collideOBB")]
pub(super) fn gap(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> f64 {
    let place = |g: usize| {
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
        (vec3::add(pos, mat3::mul_vec(mat, [x, y, z])), mat, half)
    };
    let ((pos1, mat1, half1), (pos2, mat2, half2)) = (place(g1), place(g2));
    let away = vec3::sub(pos2, pos1);
    let turn = mat3::mul(&mat3::transpose(mat1), mat2).map(f64::abs);
    // rounding must not part what touches
    let slack = margin + 1e-9 * (m.geom_rbound[g1] + m.geom_rbound[g2]);
    let (along1, reach2) = (mat3::mul_transpose_vec(mat1, away), mat3::mul_vec(&turn, half2));
    let (along2, reach1) =
        (mat3::mul_transpose_vec(mat2, away), mat3::mul_transpose_vec(&turn, half1));
    let mut gap = f64::NEG_INFINITY;
    for k in 0..3 {
        let one = along1[k].abs() - (half1[k] + reach2[k] + slack);
        let two = along2[k].abs() - (half2[k] + reach1[k] + slack);
        gap = gap.max(one).max(two);
    }
    gap
}
