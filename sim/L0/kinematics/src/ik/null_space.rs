//! Null-space objective of redundant chains: stay close to a posture or to mid-range.
//!
//! Once the targets are reached, `Σ wᵢ (qᵢ − rᵢ)²` is reduced by steps in the null space of the
//! Jacobian: `minimize ½ ‖e − J x‖² + ½ λ ‖x − x₀‖²` with a small `λ`, where `x₀` is the step to the
//! reference `r`. Each step is followed by a few iterations back to the targets; it is accepted if
//! they are reached and the objective has decreased sufficiently.

use super::box_qp::{BoxQp, Scratch};
use super::levenberg_marquardt::{Limits, Termination, assemble_unspecialized};
use super::variables::Variables;
use super::{Solver, Workspace};
use sim_core::types::JointType;

/// The objective `Σ wᵢ (qᵢ − rᵢ)²` over hinges and slides.
#[derive(Debug, Clone)]
pub(super) struct NullSpaceObjective {
    reference: Vec<f64>,
    weight: Vec<f64>,
}

/// Maximum number of null-space steps.
const MAX_STEPS: usize = 30;
/// Damping relative to the mean diagonal of `JᵀJ`.
const DAMPING: f64 = 1e-8;
/// A relative decrease below this terminates the iteration.
const MIN_DECREASE: f64 = 1e-4;
/// Sufficient-decrease parameter; smaller values let the iterates oscillate.
const ARMIJO: f64 = 0.25;
/// Limits of the iterations back to the targets.
const CORRECTION: Limits = Limits { iterations: 6, slow_steps: usize::MAX };

impl NullSpaceObjective {
    pub(super) fn new(variables: &Variables) -> Self {
        let zeros = vec![0.0; variables.stride];
        Self { reference: zeros.clone(), weight: zeros }
    }

    /// Adds `weight (q − reference)²` for one variable: the sum of two such terms is one term about
    /// their weighted mean, plus a constant.
    fn add(&mut self, variable: usize, reference: f64, weight: f64) {
        let old = self.weight[variable];
        let sum = old + weight;
        if sum > 0.0 {
            self.reference[variable] = (old * self.reference[variable] + weight * reference) / sum;
            self.weight[variable] = sum;
        }
    }

    /// Adds the squared distance from a posture.
    pub(super) fn add_posture(&mut self, variables: &Variables, qpos: &[f64], weight: f64) {
        for joint in &variables.joints {
            if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
                self.add(joint.variable, qpos[joint.adr], weight);
            }
        }
    }

    /// Adds the squared distance from mid-range, in units of half the range.
    pub(super) fn add_mid_range(&mut self, variables: &Variables, weight: f64) {
        for joint in &variables.joints {
            let [low, high] = joint.range;
            let half = 0.5 * (high - low);
            if joint.kind != JointType::Ball && half.is_finite() && half > 0.0 {
                self.add(joint.variable, 0.5 * (low + high), weight / (half * half));
            }
        }
    }

    /// First-order decrease along the step `x`; never negative.
    fn predicted_decrease(&self, variables: &Variables, q: &[f64], x: &[f64]) -> f64 {
        let term = |i: usize, q: f64| 2.0 * self.weight[i] * (self.reference[i] - q) * x[i];
        let terms = variables.joints.iter().map(|joint| term(joint.variable, q[joint.adr]));
        terms.sum::<f64>().max(0.0)
    }

    fn value(&self, variables: &Variables, q: &[f64]) -> f64 {
        let term = |i: usize, q: f64| self.weight[i] * (q - self.reference[i]).powi(2);
        variables.joints.iter().map(|joint| term(joint.variable, q[joint.adr])).sum()
    }
}

impl Solver {
    /// Reduces the objective from a solution while keeping the targets reached. Returns the number
    /// of iterations.
    pub(super) fn minimize_null_space(
        &self,
        objective: &NullSpaceObjective,
        work: &mut Workspace,
    ) -> usize {
        let mut iterations = 0;
        for _ in 0..MAX_STEPS {
            let value = objective.value(&self.variables, &work.q);
            self.null_space_step(objective, work);
            let predicted = objective.predicted_decrease(&self.variables, &work.q, &work.null_step);
            work.best.copy_from_slice(&work.q);
            let mut accepted = None;
            for alpha in [1.0, 0.5, 0.25, 0.125, 0.0625, 0.03125] {
                let Workspace { q, best, null_step, .. } = work;
                self.variables.integrate(best, null_step, alpha, q);
                let attempt = self.minimize(work, CORRECTION);
                iterations += attempt.iterations + 1;
                let new_value = objective.value(&self.variables, &work.q);
                if attempt.termination == Termination::Converged
                    && new_value < value - ARMIJO * alpha * predicted
                {
                    accepted = Some(new_value);
                    break;
                }
            }
            let Some(new_value) = accepted else {
                work.q.copy_from_slice(&work.best);
                break;
            };
            if new_value > (1.0 - MIN_DECREASE) * value {
                break;
            }
        }
        self.evaluate(work);
        iterations
    }

    /// Computes the null-space step towards the reference, `work.null_step`.
    fn null_space_step(&self, objective: &NullSpaceObjective, work: &mut Workspace) {
        let (n, stride) = (self.variables.n, self.variables.stride);
        self.evaluate(work);
        assemble_unspecialized(self, work);
        self.variables.step_bounds(&work.q, &mut work.lower, &mut work.upper);
        let mean = (0..n).map(|i| work.h[i * stride + i]).sum::<f64>() / n.max(1) as f64;
        let damping = DAMPING * mean.max(f64::MIN_POSITIVE);
        let largest = objective.weight.iter().fold(f64::MIN_POSITIVE, |a, b| a.max(*b));
        for joint in &self.variables.joints {
            let (w, r) = (objective.weight[joint.variable], objective.reference[joint.variable]);
            work.g[joint.variable] -= damping * w / largest * (work.q[joint.adr] - r);
        }
        let Workspace { h, g, lower, upper, matrix, point, active, null_step, .. } = work;
        let qp = BoxQp { n, stride, h, g, lower, upper, damping };
        qp.solve(&mut Scratch { matrix, point, active }, null_step);
    }
}
