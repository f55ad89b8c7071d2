//! Particles against particles, as spheres.

use super::MOST;
use super::grid::Grid;
use super::push::{Past, push};
use crate::body::Body;
use crate::cells::{Cells, dot, scale, sub};
use nalgebra::Vector3;

/// A pair of particles and how near they may come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    at: [u32; 2],
    distance: f64,
}

/// Finds the pairs within `reach`, which is also the size of the grid's cells.
pub(super) fn find(
    body: &Body,
    at: &[Vector3<f64>],
    reach: f64,
    grid: &Grid,
    pairs: &mut Vec<Pair>,
) {
    for (i, &x) in at.iter().enumerate() {
        let most = pairs.len() + MOST;
        let c = grid.cell(x);
        for k in 0..27 {
            let near = [k % 3, k / 3 % 3, k / 9];
            let cell = [c[0] + near[0] - 1, c[1] + near[1] - 1, c[2] + near[2] - 1];
            let entries = grid.entries(grid.slot(cell));
            // a slot has its particles in order, and each pair is met twice
            let later = entries.partition_point(|&j| j as usize <= i);
            for &j in &entries[later..] {
                let y = at[j as usize];
                if (y - x).norm_squared() < reach * reach && grid.is_in(y, cell) {
                    let apart = (body.rest[j as usize] - body.rest[i]).norm();
                    let distance = body.contact_distance.min(apart);
                    pairs.push(Pair { at: [i as u32, j], distance });
                    if pairs.len() == most {
                        break;
                    }
                }
            }
            if pairs.len() == most {
                break;
            }
        }
    }
}

impl Pair {
    pub(super) fn solve(&self, x: &impl Cells, past: &(impl Past + ?Sized), friction: f64) {
        let [a, b] = self.at.map(|i| x.load(i));
        let d = sub(b, a);
        let length2 = dot(d, d);
        if length2 < self.distance * self.distance && length2 > 0.0 {
            let length = length2.sqrt();
            let n = scale(length.recip(), d);
            push(x, past, self.at, [-1.0, 1.0], n, self.distance - length, friction);
        }
    }
}
