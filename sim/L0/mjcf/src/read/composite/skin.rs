//! Skin of a cable: two sheets of vertices that follow the bodies, joined at their borders.
//!
//! A sheet has one row of vertices for each point of the cable, or with `subgrid` more rows and columns with
//! bicubic weights.

use super::Cable;
use crate::spec::SkinBone;

/// Coefficients of the powers of the parameter in a cubic Hermite curve: one row for each power, columns for the
/// values at both ends and the slopes at both ends.
const HERMITE: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [-3.0, 3.0, -2.0, -1.0], [2.0, -2.0, 1.0, 1.0]];

/// Values and slopes at the ends of interval `i`, in rows, as combinations of the control values `i - 1` to `i + 2`.
/// Slopes are central differences, one-sided at the ends of the `count` values.
fn end_values(i: usize, count: usize) -> [[f64; 4]; 4] {
    let mut rows = [[0.0; 4]; 4];
    for end in 0..2 {
        let at = i + end;
        rows[end][at + 1 - i] = 1.0;
        let (before, after) = (at.saturating_sub(1), (at + 1).min(count - 1));
        let step = (after - before) as f64;
        rows[2 + end][after + 1 - i] += 1.0 / step;
        rows[2 + end][before + 1 - i] -= 1.0 / step;
    }
    rows
}

/// Bicubic weights of the control values around a point with parameters `x` and `y` of a patch.
///
/// The sums have the order of MuJoCo: values at the corners, their derivatives along x, along y and mixed. Weights
/// that are zero up to rounding errors are part of the model.
fn patch_weights([x, y]: [f64; 2], along: &[[f64; 4]; 4], across: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let powers = |t: f64| [1.0, t, t * t, t * t * t];
    let (px, py) = (powers(x), powers(y));
    let mut weights = [[0.0; 4]; 4];
    for kind in [[0, 0], [2, 0], [0, 2], [2, 2]] {
        for corner in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            let [u, v] = [kind[0] + corner[0], kind[1] + corner[1]];
            let mut influence = 0.0;
            for p in 0..4 {
                for q in 0..4 {
                    influence += (px[p] * py[q]) * (HERMITE[p][u] * HERMITE[q][v]);
                }
            }
            for (a, row) in weights.iter_mut().enumerate() {
                for (b, weight) in row.iter_mut().enumerate() {
                    *weight += influence * (along[u][a] * across[v][b]);
                }
            }
        }
    }
    weights
}

impl Cable {
    /// Completes the skin of a cable with `links` bodies.
    #[allow(clippy::cast_possible_truncation, reason = "skins are stored in single precision")]
    pub(super) fn skin(&mut self, links: usize) {
        let refined = self.subgrid > 0;
        let step = self.subgrid as usize + 1;
        // bones along and across the cable, and vertices along and across a sheet
        let [along, across] = [links + 1, if refined { 3 } else { 2 }];
        let [rows, columns] = [along, across].map(|n| (n - 1) * if refined { step } else { 1 } + 1);
        let sheet = rows * columns;
        let mut skin = std::mem::take(&mut self.skin);
        skin.name = format!("{}Skin", self.prefix);
        skin.inflate = (2.0 * self.geom.size[2]) as f32;
        skin.vertex = vec![0.0; 6 * sheet].into();
        if self.texcoord {
            let grid = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
            let one: Vec<f32> = grid
                .flat_map(|(i, j)| [i as f32 / (rows - 1) as f32, j as f32 / (columns - 1) as f32])
                .collect();
            skin.texcoord = [one.clone(), one].concat().into();
        }
        skin.face = faces(rows, columns).into();
        let mut influences: Vec<Vec<(usize, f64)>> = vec![Vec::new(); along * across];
        if refined {
            let inverse = 1.0 / step as f64;
            let mut add = |i: usize, j: usize, ti: usize, tj: usize| {
                let point = [ti as f64 * inverse, tj as f64 * inverse];
                let weights = patch_weights(point, &end_values(i, along), &end_values(j, across));
                let vertex = (i * step + ti) * columns + j * step + tj;
                for (a, row) in weights.iter().enumerate() {
                    for (b, &weight) in row.iter().enumerate().filter(|(_, weight)| **weight != 0.0)
                    {
                        // controls outside of the grid have weight 0
                        influences[(i + a - 1) * across + j + b - 1].push((vertex, weight));
                    }
                }
            };
            for i in 0..along - 1 {
                for j in 0..across - 1 {
                    // the last interval has its end too
                    for ti in 0..step + usize::from(i + 2 == along) {
                        for tj in 0..step + usize::from(j + 2 == across) {
                            add(i, j, ti, tj);
                        }
                    }
                }
            }
        } else {
            influences.iter_mut().enumerate().for_each(|(v, list)| list.push((v, 1.0)));
        }
        for (at, influences) in influences.iter().enumerate() {
            let (i, j) = (at / across, at % across);
            let x = if i + 1 == along { -2.0 * self.geom.size[0] } else { 0.0 };
            let side = 2.0 * j as f64 / (across - 1) as f64 - 1.0;
            let both = influences.iter().flat_map(|&(v, w)| [(v, w), (v + sheet, w)]);
            let (ids, weights): (Vec<i32>, Vec<f32>) =
                both.map(|(v, w)| (i32::try_from(v).unwrap_or(i32::MAX), w as f32)).unzip();
            skin.bones.push(SkinBone {
                body: self.name("B", i.min(links - 1), links),
                bindpos: [x as f32, (side * self.geom.size[1]) as f32, 0.0],
                vertid: ids.into(),
                vertweight: weights.into(),
                ..SkinBone::default()
            });
        }
        self.skin = skin;
    }
}

/// Triangles of both sheets and of the four borders between them.
fn faces(rows: usize, columns: usize) -> Vec<i32> {
    let sheet = rows * columns;
    let mut faces = Vec::new();
    let mut quad = |flipped: bool, corners: [usize; 4]| {
        let [a, b, c, d] = corners.map(|v| i32::try_from(v).unwrap_or(i32::MAX));
        faces.extend(if flipped { [a, c, b, a, d, c] } else { [a, b, c, a, c, d] });
    };
    let at = |i: usize, j: usize| i * columns + j;
    for (flipped, start) in [(false, 0), (true, sheet)] {
        for i in 0..rows - 1 {
            for j in 0..columns - 1 {
                let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                quad(flipped, corners.map(|v| start + v));
            }
        }
    }
    for (flipped, j) in [(true, 0), (false, columns - 1)] {
        for i in 0..rows - 1 {
            quad(flipped, [at(i, j), at(i + 1, j), sheet + at(i + 1, j), sheet + at(i, j)]);
        }
    }
    for (flipped, i) in [(false, 0), (true, rows - 1)] {
        for j in 0..columns - 1 {
            quad(flipped, [at(i, j), at(i, j + 1), sheet + at(i, j + 1), sheet + at(i, j)]);
        }
    }
    faces
}
