//! Among solutions, the better one: near a posture, or far from limits.
//!
//! A chain with more joints than its target has directions can move without its tip. Once the
//! targets are met, steps towards `Σ w (q − r)²` are taken along with those that keep them met:
//! `minimise ½ ‖e − J x‖² + ½ λ ‖x − x₀‖²` with a small `λ`, where `x₀` goes straight to what is
//! preferred. A step counts only if the targets are met after it and the sum is smaller.

use super::descend::{Ending, Patience, assemble_at};
use super::program::{Memory, Program};
use super::space::Space;
use super::{Solver, Workspace};
use sim_core::types::JointType;

/// Where each unknown is preferred, and how strongly; nothing is preferred for balls and free joints.
#[derive(Debug, Clone)]
pub(super) struct Preference {
    reference: Vec<f64>,
    weight: Vec<f64>,
}

/// Steps of this kind in one search.
const MAX_STEPS: usize = 30;
/// Damping next to the mean of the matrix's diagonal.
const DAMPING: f64 = 1e-8;
/// An improvement by less than this share ends the search.
const ENOUGH: f64 = 1e-4;
/// Share of the promised improvement that a step has to reach: less, and steps go to and fro.
const ARMIJO: f64 = 0.25;
/// Steps back to the targets after one of these.
const BACK: Patience = Patience { iterations: 6, slow: usize::MAX };

impl Preference {
    pub(super) fn new(space: &Space) -> Self {
        Self { reference: vec![0.0; space.stride], weight: vec![0.0; space.stride] }
    }

    /// Adds `weight (q − reference)²`; the sum of two squares is a square about their mean.
    fn add(&mut self, at: usize, reference: f64, weight: f64) {
        let sum = self.weight[at] + weight;
        if sum > 0.0 {
            self.reference[at] = (self.weight[at] * self.reference[at] + weight * reference) / sum;
            self.weight[at] = sum;
        }
    }

    /// Prefers a state.
    pub(super) fn add_posture(&mut self, space: &Space, qpos: &[f64], weight: f64) {
        for joint in &space.joints {
            if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
                self.add(joint.at, qpos[joint.adr], weight);
            }
        }
    }

    /// Prefers the middle between limits, in units of half their distance.
    pub(super) fn add_middle(&mut self, space: &Space, weight: f64) {
        for joint in &space.joints {
            let [low, high] = joint.range;
            let half = 0.5 * (high - low);
            if joint.kind != JointType::Ball && half.is_finite() && half > 0.0 {
                self.add(joint.at, 0.5 * (low + high), weight / (half * half));
            }
        }
    }

    /// How much better a step along `x` promises to be, to first order; never negative.
    fn promise(&self, space: &Space, q: &[f64], x: &[f64]) -> f64 {
        let of = |at: usize, q: f64| 2.0 * self.weight[at] * (self.reference[at] - q) * x[at];
        space.joints.iter().map(|joint| of(joint.at, q[joint.adr])).sum::<f64>().max(0.0)
    }

    fn value(&self, space: &Space, q: &[f64]) -> f64 {
        let of = |at: usize, q: f64| self.weight[at] * (q - self.reference[at]).powi(2);
        space.joints.iter().map(|joint| of(joint.at, q[joint.adr])).sum()
    }
}

impl Solver {
    /// Moves from a solution to a better one, as far as the targets allow. Returns the steps.
    pub(super) fn improve(&self, preference: &Preference, work: &mut Workspace) -> usize {
        let mut iterations = 0;
        for _ in 0..MAX_STEPS {
            let value = preference.value(&self.space, &work.q);
            self.towards(preference, work);
            let promise = preference.promise(&self.space, &work.q, &work.preferred);
            work.best.copy_from_slice(&work.q);
            let mut better = None;
            for share in [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125] {
                let Workspace { q, best, preferred, .. } = work;
                self.space.go(best, preferred, share, q);
                let attempt = self.descend(work, BACK);
                iterations += attempt.iterations + 1;
                let found = preference.value(&self.space, &work.q);
                if attempt.ending == Ending::Met && found < value - ARMIJO * share * promise {
                    better = Some(found);
                    break;
                }
            }
            let Some(found) = better else {
                work.q.copy_from_slice(&work.best);
                break;
            };
            if found > (1.0 - ENOUGH) * value {
                break;
            }
        }
        self.evaluate(work);
        iterations
    }

    /// The step to what is preferred that leaves the tips where they are.
    fn towards(&self, preference: &Preference, work: &mut Workspace) {
        let (n, stride) = (self.space.n, self.space.stride);
        self.evaluate(work);
        assemble_at(self, work);
        self.space.room(&work.q, &mut work.low, &mut work.high);
        let mean = (0..n).map(|i| work.h[i * stride + i]).sum::<f64>() / n.max(1) as f64;
        let damping = DAMPING * mean.max(f64::MIN_POSITIVE);
        let largest = preference.weight.iter().fold(f64::MIN_POSITIVE, |a, b| a.max(*b));
        for joint in &self.space.joints {
            let (w, r) = (preference.weight[joint.at], preference.reference[joint.at]);
            work.g[joint.at] -= damping * w / largest * (work.q[joint.adr] - r);
        }
        let Workspace { h, g, low, high, matrix, point, side, preferred, .. } = work;
        let program = Program { n, stride, h, g, low, high, damping };
        program.solve(&mut Memory { matrix, point, side }, preferred);
    }
}
