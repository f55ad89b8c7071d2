//! Where to start: a table of states and of where the tips are there, made once.

use super::space::Space;
use super::target::Prepared;
use crate::Chain;
use crate::random::Random;
use sim_simd::dispatch;

/// States in the table.
const COUNT: usize = 512;
/// Distances that are computed at once.
const LANES: usize = 8;
/// Numbers of a pose: position and quaternion.
const POSE: usize = 7;

/// States, and the poses of all tips there.
#[derive(Debug, Clone)]
pub(crate) struct Seeds {
    /// Coordinates of one state.
    width: usize,
    states: Vec<f64>,
    /// For each tip and each block of states, rows of one number of the pose each.
    poses: Vec<[[f32; LANES]; POSE]>,
}

/// How far each state of the table is from the targets; infinite for those that have been taken.
#[derive(Debug, Clone)]
pub(crate) struct Distances(Vec<[f32; LANES]>);

impl Distances {
    pub(crate) fn new() -> Self {
        Self(vec![[f32::INFINITY; LANES]; COUNT / LANES])
    }
}

impl Seeds {
    /// A table of random states, from a seed.
    pub(crate) fn new(space: &Space, chains: &[Chain], extent: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let width = space.joints.iter().map(|joint| joint.kind.nq()).sum();
        let blocks = COUNT / LANES;
        let (mut states, mut poses) =
            (Vec::new(), vec![[[0.0; LANES]; POSE]; chains.len() * blocks]);
        let mut caches: Vec<_> = chains.iter().map(Chain::make_cache).collect();
        let mut q = vec![0.0; chains.first().map_or(0, Chain::nq)];
        for k in 0..COUNT {
            space.sample(&mut random, extent, &mut q);
            for joint in &space.joints {
                states.extend_from_slice(&q[joint.adr..joint.adr + joint.kind.nq()]);
            }
            for (end, (chain, cache)) in chains.iter().zip(&mut caches).enumerate() {
                // the lengths fit, so this cannot fail
                let Ok(tip) = chain.forward(&q, cache) else { continue };
                let block = &mut poses[end * blocks + k / LANES];
                for (row, x) in block.iter_mut().zip(tip.pos().iter().chain(&tip.quat())) {
                    row[k % LANES] = *x as f32;
                }
            }
        }
        Self { width, states, poses }
    }

    /// Computes how far every state is from the targets.
    pub(crate) fn measure(&self, targets: &[Prepared], distances: &mut Distances) {
        let seeds = self;
        dispatch!(measure(seeds: &Seeds, targets: &[Prepared], distances: &mut Distances));
    }

    /// Puts the nearest state that has not been taken into `q`; whether there is one.
    pub(crate) fn take(&self, space: &Space, distances: &mut Distances, q: &mut [f64]) -> bool {
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
        for joint in &space.joints {
            let (own, rest) = state.split_at(joint.kind.nq());
            q[joint.adr..joint.adr + own.len()].copy_from_slice(own);
            state = rest;
        }
        true
    }
}

/// Squares of weighted distances, with the chord of the angle in place of the angle.
#[inline(always)]
fn measure(seeds: &Seeds, targets: &[Prepared], distances: &mut Distances) {
    let blocks = distances.0.len();
    for (end, (target, poses)) in targets.iter().zip(seeds.poses.chunks_exact(blocks)).enumerate() {
        let [px, py, pz] = target.frame.pos().map(|x| x as f32);
        let [w, x, y, z] = target.frame.quat().map(|x| x as f32);
        let [far, turned] = target.weights.map(|w| (w * w) as f32);
        for (pose, distance) in poses.iter().zip(&mut distances.0) {
            for k in 0..LANES {
                let (dx, dy, dz) = (pose[0][k] - px, pose[1][k] - py, pose[2][k] - pz);
                let dot = pose[3][k] * w + pose[4][k] * x + pose[5][k] * y + pose[6][k] * z;
                let square = far * (dx * dx + dy * dy + dz * dz) + 4.0 * turned * (1.0 - dot * dot);
                distance[k] = if end == 0 { square } else { distance[k] + square };
            }
        }
    }
}
