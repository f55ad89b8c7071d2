//! A table of random configurations and their tip poses, from which solves without a good initial
//! guess start.

use super::target::WeightedTarget;
use super::variables::Variables;
use crate::Chain;
use crate::rng::Rng;
use sim_simd::dispatch;

/// Number of configurations in the table.
const COUNT: usize = 512;
/// SIMD lanes of the distance computation.
const LANES: usize = 8;
/// Components of a pose: position and quaternion.
const POSE: usize = 7;

/// Configurations, and the poses of all tips at each.
#[derive(Debug, Clone)]
pub(crate) struct StartTable {
    /// Number of coordinates of a configuration.
    width: usize,
    states: Vec<f64>,
    /// For each tip and each block of configurations, the pose components in structure-of-arrays
    /// layout.
    poses: Vec<[[f32; LANES]; POSE]>,
}

/// Squared distance of each configuration of the table from the targets; infinite for those already
/// used.
#[derive(Debug, Clone)]
pub(crate) struct Distances(Vec<[f32; LANES]>);

impl Distances {
    pub(crate) fn new() -> Self {
        Self(vec![[f32::INFINITY; LANES]; COUNT / LANES])
    }
}

impl StartTable {
    /// Samples the table.
    pub(crate) fn new(variables: &Variables, chains: &[Chain], extent: f64, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let width = variables.joints.iter().map(|joint| joint.kind.nq()).sum();
        let blocks = COUNT / LANES;
        let (mut states, mut poses) =
            (Vec::new(), vec![[[0.0; LANES]; POSE]; chains.len() * blocks]);
        let mut caches: Vec<_> = chains.iter().map(Chain::make_cache).collect();
        let mut q = vec![0.0; chains.first().map_or(0, Chain::nq)];
        for k in 0..COUNT {
            variables.sample(&mut rng, extent, &mut q);
            for joint in &variables.joints {
                states.extend_from_slice(&q[joint.adr..joint.adr + joint.kind.nq()]);
            }
            for (tip_index, (chain, cache)) in chains.iter().zip(&mut caches).enumerate() {
                // cannot fail: the lengths are those of the chain
                let Ok(tip) = chain.forward(&q, cache) else { continue };
                let block = &mut poses[tip_index * blocks + k / LANES];
                for (row, x) in block.iter_mut().zip(tip.pos().iter().chain(&tip.quat())) {
                    row[k % LANES] = *x as f32;
                }
            }
        }
        Self { width, states, poses }
    }

    /// Computes the distance of every configuration from the targets.
    pub(crate) fn compute_distances(&self, targets: &[WeightedTarget], distances: &mut Distances) {
        let table = self;
        dispatch!(
            compute_distances(
                table: &StartTable,
                targets: &[WeightedTarget],
                distances: &mut Distances
            )
        );
    }

    /// Writes the nearest configuration that has not been used to `q` and marks it as used; false if
    /// there is none.
    pub(crate) fn take_nearest(
        &self,
        variables: &Variables,
        distances: &mut Distances,
        q: &mut [f64],
    ) -> bool {
        let mut least = [f32::INFINITY; LANES];
        for block in &distances.0 {
            for (least, x) in least.iter_mut().zip(block) {
                *least = if *x < *least { *x } else { *least };
            }
        }
        let least = least.into_iter().fold(f32::INFINITY, f32::min);
        let found =
            distances.0.as_flattened_mut().iter_mut().enumerate().find(|(_, x)| **x == least);
        let Some((k, distance)) = found.filter(|_| least < f32::INFINITY) else { return false };
        *distance = f32::INFINITY;
        let Some(mut state) = self.states.chunks_exact(self.width.max(1)).nth(k) else {
            return false;
        };
        for joint in &variables.joints {
            let (own, rest) = state.split_at(joint.kind.nq());
            q[joint.adr..joint.adr + own.len()].copy_from_slice(own);
            state = rest;
        }
        true
    }
}

/// Weighted squared distances; the rotation angle `θ` is approximated by the chord `2 sin(θ/2)`.
#[inline(always)]
fn compute_distances(table: &StartTable, targets: &[WeightedTarget], distances: &mut Distances) {
    let blocks = distances.0.len();
    for (i, (target, poses)) in targets.iter().zip(table.poses.chunks_exact(blocks)).enumerate() {
        let [px, py, pz] = target.frame.pos().map(|x| x as f32);
        let [w, x, y, z] = target.frame.quat().map(|x| x as f32);
        let [position, rotation] = target.weights.map(|w| (w * w) as f32);
        for (pose, distance) in poses.iter().zip(&mut distances.0) {
            for k in 0..LANES {
                let (dx, dy, dz) = (pose[0][k] - px, pose[1][k] - py, pose[2][k] - pz);
                let dot = pose[3][k] * w + pose[4][k] * x + pose[5][k] * y + pose[6][k] * z;
                let square =
                    position * (dx * dx + dy * dy + dz * dz) + 4.0 * rotation * (1.0 - dot * dot);
                distance[k] = if i == 0 { square } else { distance[k] + square };
            }
        }
    }
}
