//! Where to start: a table of states and of where the tips are there, made once.

use super::space::Space;
use super::target::Prepared;
use crate::random::Random;
use crate::{Chain, Frame};
use sim_core::math::vec3;

/// States in the table.
const COUNT: usize = 128;
/// How many of them, nearest first, a search can ask for.
pub(super) const NEAREST: usize = 16;

/// States, and the poses of all tips there.
#[derive(Debug, Clone)]
pub(crate) struct Seeds {
    /// Coordinates of one state.
    width: usize,
    states: Vec<f64>,
    tips: Vec<Frame>,
}

/// The nearest states of the table: their distance and number.
pub(crate) type Nearest = [(f64, usize); NEAREST];

impl Seeds {
    /// A table of random states, from a seed.
    pub(crate) fn new(space: &Space, chains: &[Chain], extent: f64, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let width = space.joints.iter().map(|joint| joint.coordinates()).sum();
        let (mut states, mut tips) = (Vec::new(), Vec::new());
        let mut caches: Vec<_> = chains.iter().map(Chain::make_cache).collect();
        let mut q = vec![0.0; chains.first().map_or(0, Chain::nq)];
        for _ in 0..COUNT {
            space.sample(&mut random, extent, &mut q);
            for joint in &space.joints {
                states.extend_from_slice(&q[joint.adr..joint.adr + joint.coordinates()]);
            }
            for (chain, cache) in chains.iter().zip(&mut caches) {
                // the lengths fit, so this cannot fail
                tips.extend(chain.forward(&q, cache));
            }
        }
        Self { width, states, tips }
    }

    /// Looks for the states whose tips are nearest to the targets.
    pub(crate) fn nearest(&self, targets: &[Prepared], found: &mut Nearest) {
        found.fill((f64::INFINITY, usize::MAX));
        for (k, tips) in self.tips.chunks_exact(targets.len().max(1)).enumerate() {
            let distance = tips.iter().zip(targets).map(|(tip, target)| apart(tip, target)).sum();
            if distance < found[NEAREST - 1].0 {
                let at = found.partition_point(|(d, _)| *d <= distance);
                found[at..].rotate_right(1);
                found[at] = (distance, k);
            }
        }
    }

    /// Puts state `k` into `q`; whether there is one.
    pub(crate) fn put(&self, space: &Space, k: usize, q: &mut [f64]) -> bool {
        let Some(mut state) = self.states.chunks_exact(self.width.max(1)).nth(k) else {
            return false;
        };
        for joint in &space.joints {
            let (own, rest) = state.split_at(joint.coordinates());
            q[joint.adr..joint.adr + own.len()].copy_from_slice(own);
            state = rest;
        }
        true
    }
}

/// Square of the weighted distance, with the angle's chord in place of the angle.
#[inline(always)]
fn apart(tip: &Frame, target: &Prepared) -> f64 {
    let [w, u] = target.weights;
    let offset = vec3::sub(tip.pos(), target.frame.pos());
    let trace: f64 = (0..3).map(|k| vec3::dot(tip.axis(k), target.frame.axis(k))).sum();
    w * w * vec3::dot(offset, offset) + u * u * (3.0 - trace)
}
