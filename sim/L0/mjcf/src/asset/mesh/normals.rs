//! Vertex normals as area-weighted means of face normals (mjCMesh::MakeNormal).

use super::compile::MIN_VALUE;
use crate::asset::normalize::normalize;
use sim_core::math::vec3::{Vec3, cross, dot, scale, sub};

/// Minimum cosine between a face normal and the vertex normal; below it the edge is sharp.
const MIN_SMOOTH_COSINE: f64 = 0.8;

/// One normal per vertex. Unless `smooth`, faces beyond a sharp edge do not contribute.
pub(super) fn make(points: &[Vec3], faces: &[[i32; 3]], smooth: bool) -> Vec<f32> {
    let face_normals: Vec<(Vec3, f64)> = faces
        .iter()
        .map(|f| {
            let [a, b, c] = f.map(|v| points[v as usize]);
            let mut normal = cross(sub(b, a), sub(c, a));
            let area = normalize(&mut normal);
            (normal, area)
        })
        .collect();
    let mut sum = vec![[0.0_f32; 3]; points.len()];
    for (face, &(normal, area)) in faces.iter().zip(&face_normals) {
        for &v in face {
            accumulate(&mut sum[v as usize], scale(normal, area));
        }
    }
    if !smooth {
        let mut sharp = vec![[0.0_f32; 3]; points.len()];
        for (face, &(normal, area)) in faces.iter().zip(&face_normals) {
            for &v in face {
                let mut at_vertex = sum[v as usize].map(f64::from);
                normalize(&mut at_vertex);
                if dot(normal, at_vertex) < MIN_SMOOTH_COSINE {
                    accumulate(&mut sharp[v as usize], scale(normal, area));
                }
            }
        }
        for (sum, sharp) in sum.iter_mut().zip(&sharp) {
            for k in 0..3 {
                sum[k] -= sharp[k];
            }
        }
    }
    for n in &mut sum {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(length) > MIN_VALUE { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    sum.into_flattened()
}

/// Adds in double precision and rounds to single.
fn accumulate(sum: &mut [f32; 3], term: Vec3) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + term[k]) as f32;
    }
}
