//! Particle–particle contacts (spheres).

use super::MAX_CONTACTS;
use super::hash_grid::HashGrid;
use super::response::{PreviousPositions, apply_correction};
use crate::body::Body;
use crate::particle::{ParticleStore, dot, scale, sub};
use nalgebra::Vector3;

/// A candidate contact: two particles and their minimum distance, m.
#[derive(Debug, Clone, Copy)]
pub(super) struct ParticlePair {
    at: [u32; 2],
    distance: f64,
}

/// Detects pairs within `detection_distance`, which is also the cell size of the grid.
pub(super) fn detect(
    body: &Body,
    at: &[Vector3<f64>],
    detection_distance: f64,
    grid: &HashGrid,
    pairs: &mut Vec<ParticlePair>,
) {
    for (i, &x) in at.iter().enumerate() {
        let limit = pairs.len() + MAX_CONTACTS;
        let c = grid.cell(x);
        for k in 0..27 {
            let offset = [k % 3, k / 3 % 3, k / 9];
            let cell = [c[0] + offset[0] - 1, c[1] + offset[1] - 1, c[2] + offset[2] - 1];
            let entries = grid.entries(grid.slot(cell));
            // slots are sorted by index; each pair is reported by its lower index
            let later = entries.partition_point(|&j| j as usize <= i);
            for &j in &entries[later..] {
                let y = at[j as usize];
                if (y - x).norm_squared() < detection_distance * detection_distance
                    && grid.is_in(y, cell)
                {
                    let rest_distance = (body.rest[j as usize] - body.rest[i]).norm();
                    let distance = body.contact_distance.min(rest_distance);
                    pairs.push(ParticlePair { at: [i as u32, j], distance });
                    if pairs.len() == limit {
                        break;
                    }
                }
            }
            if pairs.len() == limit {
                break;
            }
        }
    }
}

impl ParticlePair {
    pub(super) fn solve(
        &self,
        x: &impl ParticleStore,
        previous: &(impl PreviousPositions + ?Sized),
        friction: f64,
    ) {
        let [a, b] = self.at.map(|i| x.load(i));
        let d = sub(b, a);
        let length2 = dot(d, d);
        if length2 < self.distance * self.distance && length2 > 0.0 {
            let length = length2.sqrt();
            let n = scale(length.recip(), d);
            apply_correction(
                x,
                previous,
                self.at,
                [-1.0, 1.0],
                n,
                self.distance - length,
                friction,
            );
        }
    }
}
