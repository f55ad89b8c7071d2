//! Normals of vertices, as sums over the faces around them (mjCMesh::MakeNormal).

use super::compile::MIN_VALUE;
use crate::asset::norm::normalize;
use sim_core::math::vec3::{Vec3, cross, dot, scale, sub};

/// A face whose normal has a smaller cosine with that of the vertex is on the other side of an edge.
const SHARP: f64 = 0.8;

/// One normal for each vertex; faces weigh by their area.
pub(super) fn make(points: &[Vec3], faces: &[[i32; 3]], smooth: bool) -> Vec<f32> {
    let flat: Vec<(Vec3, f64)> = faces
        .iter()
        .map(|f| {
            let [a, b, c] = f.map(|v| points[v as usize]);
            let mut normal = cross(sub(b, a), sub(c, a));
            let area = normalize(&mut normal);
            (normal, area)
        })
        .collect();
    let mut sum = vec![[0.0_f32; 3]; points.len()];
    for (face, &(normal, area)) in faces.iter().zip(&flat) {
        for &v in face {
            accumulate(&mut sum[v as usize], scale(normal, area));
        }
    }
    if !smooth {
        let mut across = vec![[0.0_f32; 3]; points.len()];
        for (face, &(normal, area)) in faces.iter().zip(&flat) {
            for &v in face {
                let mut at_vertex = sum[v as usize].map(f64::from);
                normalize(&mut at_vertex);
                if dot(normal, at_vertex) < SHARP {
                    accumulate(&mut across[v as usize], scale(normal, area));
                }
            }
        }
        for (sum, across) in sum.iter_mut().zip(&across) {
            for k in 0..3 {
                sum[k] -= across[k];
            }
        }
    }
    for n in &mut sum {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(length) > MIN_VALUE { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    sum.into_flattened()
}

/// Adds in double precision and rounds.
fn accumulate(sum: &mut [f32; 3], term: Vec3) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + term[k]) as f32;
    }
}
