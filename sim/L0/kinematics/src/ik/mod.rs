//! Inverse kinematics: joint positions that bring the tips of chains to their targets.
//!
//! Levenberg–Marquardt from an initial configuration, with restarts from a table of sampled
//! configurations and then from random ones; afterwards an optional null-space objective.

mod batch;
mod box_qp;
mod levenberg_marquardt;
mod null_space;
mod options;
mod start_table;
mod target;
mod variables;

pub use batch::PathReport;
pub use options::{Options, Outcome, Status};
pub use target::Target;

use crate::error::check_length;
use crate::rng::Rng;
use crate::{Chain, Error, Frame};
use levenberg_marquardt::{Attempt, Limits, Termination};
use null_space::NullSpaceObjective;
use sim_core::math::vec3;
use start_table::{Distances, StartTable};
use std::ops::Range;
use target::WeightedTarget;
use variables::Variables;

/// A chain whose tip has a target.
#[derive(Debug, Clone)]
struct Effector {
    chain: Chain,
    /// The variable of each column of the chain's Jacobian.
    variables: Vec<usize>,
    /// Whether every variable has a column, so that no entry of a row has to be cleared.
    has_all_variables: bool,
    /// Range of its frames in [`Workspace::frames`].
    frames: Range<usize>,
}

/// Inverse-kinematics solver for the tips of one or several chains.
///
/// A solver is created once for a model and its chains and can be shared between threads; the mutable
/// state is in a [`Workspace`]. It respects joint limits, but not equality constraints, tendons and
/// contacts.
#[derive(Debug, Clone)]
pub struct Solver {
    effectors: Vec<Effector>,
    nq: usize,
    variables: Variables,
    options: Options,
    /// Weight of orientation errors relative to position errors, m/rad.
    rotation_weight: f64,
    /// Sampling range of unlimited translations, m.
    extent: f64,
    start_table: StartTable,
    null_space: Option<NullSpaceObjective>,
}

/// Working memory of a solve, created by [`Solver::make_workspace`]. The workspace of another solver
/// is replaced by one of the right size, which allocates.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Current configuration.
    q: Vec<f64>,
    /// Configuration at the end of a trial step.
    trial: Vec<f64>,
    /// Best configuration of all attempts.
    best: Vec<f64>,
    targets: Vec<WeightedTarget>,
    frames: Vec<Frame>,
    residuals: Vec<[f64; 6]>,
    trial_residuals: Vec<[f64; 6]>,
    /// Jacobian of one chain.
    columns: Vec<[f64; 6]>,
    /// Weighted Jacobian of one chain by rows, scattered to the variables.
    rows: Vec<f64>,
    /// Gauss–Newton matrix `JᵀJ`.
    h: Vec<f64>,
    /// Matrix and point of the box-constrained QP.
    matrix: Vec<f64>,
    point: Vec<f64>,
    /// `Jᵀe`.
    g: Vec<f64>,
    /// Step.
    x: Vec<f64>,
    /// Null-space step.
    null_step: Vec<f64>,
    /// Bounds of the step.
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Active set of the QP.
    active: Vec<i8>,
    distances: Distances,
}

/// Initial configuration of the first attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Start {
    /// The given configuration.
    Given,
    /// The configuration of the solver's start table whose tips are nearest to the targets.
    Table,
}

/// Consecutive slow steps after which an attempt counts as stalled.
const MAX_SLOW_STEPS: usize = 3;
/// Number of restarts from the start table; later ones are random.
const TABLE_RESTARTS: usize = 24;

impl Solver {
    /// Creates a solver for these chains, each of which has one target.
    ///
    /// # Errors
    /// When there is no chain, the chains belong to different models, or an option is out of range.
    pub fn new(chains: Vec<Chain>, options: Options) -> Result<Self, Error> {
        options.check()?;
        let nq = chains.first().ok_or(Error::NoChain)?.nq();
        if let Some(index) = chains.iter().position(|chain| chain.nq() != nq) {
            return Err(Error::OtherModel { index });
        }
        let (variables, maps) = Variables::new(&chains);
        let reach = chains[0].reach().1;
        let extent = if reach.is_finite() && reach > 0.0 { reach } else { 1.0 };
        let rotation_weight = options.metres_per_radian.unwrap_or(0.3 * extent);
        let start_table = StartTable::new(&variables, &chains, extent, options.seed);
        let mut frames = 0;
        let effectors = chains.into_iter().zip(maps).map(|(chain, map)| {
            let start = frames;
            frames += chain.frame_count();
            let has_all_variables = map.len() == variables.n;
            Effector { chain, variables: map, has_all_variables, frames: start..frames }
        });
        Ok(Self {
            effectors: effectors.collect(),
            nq,
            variables,
            options,
            rotation_weight,
            extent,
            start_table,
            null_space: None,
        })
    }

    /// Creates a solver for one chain with default options.
    ///
    /// # Errors
    /// None with the default options.
    pub fn for_chain(chain: Chain) -> Result<Self, Error> {
        Self::new(vec![chain], Options::default())
    }

    /// Adds a null-space objective: among the solutions of a redundant chain, the one closest to the
    /// configuration `qpos`, by the sum of squared differences of hinges and slides times `weight`.
    ///
    /// # Errors
    /// When `qpos` has the wrong length, or the weight is not positive.
    pub fn with_posture(mut self, qpos: &[f64], weight: f64) -> Result<Self, Error> {
        check_length("qpos", qpos.len(), self.nq)?;
        check_weight(weight)?;
        let variables = &self.variables;
        let objective = self.null_space.get_or_insert_with(|| NullSpaceObjective::new(variables));
        objective.add_posture(variables, qpos, weight);
        Ok(self)
    }

    /// Adds a null-space objective: among the solutions of a redundant chain, the one closest to the
    /// middle of the joint ranges, by the sum of squared differences relative to half the range.
    ///
    /// # Errors
    /// When the weight is not positive.
    pub fn with_middle(mut self, weight: f64) -> Result<Self, Error> {
        check_weight(weight)?;
        let variables = &self.variables;
        let objective = self.null_space.get_or_insert_with(|| NullSpaceObjective::new(variables));
        objective.add_mid_range(variables, weight);
        Ok(self)
    }

    /// Allocates the working memory of a solve.
    #[must_use]
    pub fn make_workspace(&self) -> Workspace {
        let Variables { n, stride, .. } = self.variables;
        let count = self.effectors.len();
        let row = || vec![0.0; stride];
        let empty = WeightedTarget { frame: Frame::IDENTITY, weights: [0.0; 2], mask: None };
        Workspace {
            q: vec![0.0; self.nq],
            trial: vec![0.0; self.nq],
            best: vec![0.0; self.nq],
            targets: vec![empty; count],
            frames: vec![Frame::IDENTITY; self.frame_count()],
            residuals: vec![[0.0; 6]; count],
            trial_residuals: vec![[0.0; 6]; count],
            columns: vec![[0.0; 6]; self.max_chain_nv()],
            rows: vec![0.0; 6 * stride],
            h: vec![0.0; n * stride],
            matrix: vec![0.0; n * stride],
            point: row(),
            g: row(),
            x: row(),
            null_step: row(),
            lower: vec![f64::NEG_INFINITY; stride],
            upper: vec![f64::INFINITY; stride],
            active: vec![0; stride],
            distances: Distances::new(),
        }
    }

    /// The chains.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = &Chain> {
        self.effectors.iter().map(|effector| &effector.chain)
    }

    /// Number of frames of all chains.
    fn frame_count(&self) -> usize {
        self.effectors.last().map_or(0, |effector| effector.frames.end)
    }

    /// Number of dofs of the longest chain.
    fn max_chain_nv(&self) -> usize {
        self.effectors.iter().map(|effector| effector.chain.nv()).max().unwrap_or(0)
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Solves for the targets, one per chain, from the initial configuration `qpos`, which receives
    /// the solution or the closest configuration found. Joints outside the chains are not changed;
    /// those of the chains are kept within their limits, even if the initial configuration is not.
    ///
    /// From a nearby initial configuration a solve takes two or three iterations: for consecutive
    /// targets, start from the previous solution.
    pub fn solve(&self, targets: &[Target], qpos: &mut [f64], work: &mut Workspace) -> Outcome {
        self.solve_from(Start::Given, targets, qpos, work)
    }

    /// As [`solve`](Self::solve), but starts from the configuration of the solver's start table whose
    /// tips are nearest to the targets, for targets without a good initial guess.
    pub fn solve_cold(
        &self,
        targets: &[Target],
        qpos: &mut [f64],
        work: &mut Workspace,
    ) -> Outcome {
        self.solve_from(Start::Table, targets, qpos, work)
    }

    fn solve_from(
        &self,
        start: Start,
        targets: &[Target],
        qpos: &mut [f64],
        work: &mut Workspace,
    ) -> Outcome {
        if let Err(status) = self.prepare(targets, qpos, work) {
            return Outcome::invalid(status);
        }
        let outcome = self.solve_with_restarts(start, work);
        qpos.copy_from_slice(&work.q);
        outcome
    }

    /// Validates and copies the targets and the initial configuration.
    fn prepare(
        &self,
        targets: &[Target],
        qpos: &[f64],
        work: &mut Workspace,
    ) -> Result<(), Status> {
        if targets.len() != self.effectors.len() {
            return Err(Status::InvalidTarget);
        }
        if !self.fits(work) {
            *work = self.make_workspace();
        }
        for (target, weighted) in targets.iter().zip(&mut work.targets) {
            *weighted = target.weighted(self.rotation_weight).ok_or(Status::InvalidTarget)?;
        }
        if qpos.len() != self.nq || !qpos.iter().all(|x| x.abs() < 1e10) {
            return Err(Status::InvalidStart);
        }
        work.q.copy_from_slice(qpos);
        work.trial.copy_from_slice(qpos);
        self.variables.project(&mut work.q);
        Ok(())
    }

    /// Whether the workspace has the sizes of this solver.
    fn fits(&self, work: &Workspace) -> bool {
        let Variables { n, stride, .. } = self.variables;
        work.q.len() == self.nq
            && work.targets.len() == self.effectors.len()
            && work.frames.len() == self.frame_count()
            && work.columns.len() == self.max_chain_nv()
            && (work.h.len(), work.g.len()) == (n * stride, stride)
    }

    /// Makes attempts from different initial configurations until one converges.
    fn solve_with_restarts(&self, start: Start, work: &mut Workspace) -> Outcome {
        if start == Start::Table {
            self.start_table.compute_distances(&work.targets, &mut work.distances);
            self.start_table.take_nearest(&self.variables, &mut work.distances, &mut work.q);
        }
        let limits = Limits { iterations: self.options.max_iterations, slow_steps: MAX_SLOW_STEPS };
        let mut best = self.minimize(work, limits);
        let (mut iterations, mut restarts) = (best.iterations, 0);
        if best.termination != Termination::Converged {
            if start == Start::Given {
                self.start_table.compute_distances(&work.targets, &mut work.distances);
            }
            let more = self.restart(&mut best, limits, work);
            (iterations, restarts) = (iterations + more.0, more.1);
        }
        if let Some(objective) = &self.null_space
            && best.termination == Termination::Converged
        {
            iterations += self.minimize_null_space(objective, work);
        }
        self.outcome(best.termination, iterations, restarts, work)
    }

    /// Makes attempts from the start table, then from random configurations. Leaves the best
    /// configuration in `work.q`; returns the numbers of iterations and restarts.
    #[cold]
    fn restart(&self, best: &mut Attempt, limits: Limits, work: &mut Workspace) -> (usize, usize) {
        let mut rng = Rng::new(self.options.seed ^ 0x5eed);
        let (mut iterations, mut restarts) = (0, 0);
        work.best.copy_from_slice(&work.q);
        while best.termination != Termination::Converged
            && restarts < self.options.restarts
            && self.variables.n > 0
        {
            restarts += 1;
            let from_table = restarts <= TABLE_RESTARTS
                && self.start_table.take_nearest(&self.variables, &mut work.distances, &mut work.q);
            if !from_table {
                self.variables.sample(&mut rng, self.extent, &mut work.q);
            }
            let attempt = self.minimize(work, limits);
            iterations += attempt.iterations;
            if attempt.termination == Termination::Converged || attempt.cost < best.cost {
                *best = attempt;
                work.best.copy_from_slice(&work.q);
            }
        }
        work.q.copy_from_slice(&work.best);
        if best.termination == Termination::Stalled {
            // continue the best attempt without the stall limit
            let limits = Limits { slow_steps: usize::MAX, ..limits };
            *best = self.minimize(work, limits);
            iterations += best.iterations;
        } else {
            self.evaluate(work);
        }
        (iterations, restarts)
    }

    fn outcome(
        &self,
        termination: Termination,
        iterations: usize,
        restarts: usize,
        work: &Workspace,
    ) -> Outcome {
        let status = match termination {
            Termination::Converged => Status::Converged,
            _ if self.out_of_reach(work) => Status::OutOfReach,
            Termination::Stationary => Status::LocalMinimum,
            Termination::Stalled | Termination::IterationLimit => Status::IterationLimit,
        };
        let (mut position_error, mut orientation_error) = (0.0, 0.0);
        for (target, residual) in work.targets.iter().zip(&work.residuals) {
            let [p, r] = target.errors(residual);
            (position_error, orientation_error) = (p.max(position_error), r.max(orientation_error));
        }
        Outcome { status, position_error, orientation_error, iterations, restarts }
    }

    /// Whether the position of a target is outside the reach of its chain.
    fn out_of_reach(&self, work: &Workspace) -> bool {
        self.effectors.iter().zip(&work.targets).any(|(effector, target)| {
            let (center, reach) = effector.chain.reach();
            let is_constrained = target.weights[0] > 0.0 && target.mask.is_none();
            let distance = vec3::distance(center, target.frame.pos());
            is_constrained && distance > reach + self.options.position_tolerance
        })
    }
}

fn check_weight(weight: f64) -> Result<(), Error> {
    let error = Error::Option { name: "weight", range: "a positive number" };
    if weight > 0.0 && weight.is_finite() { Ok(()) } else { Err(error) }
}

impl Workspace {
    /// Position and orientation error of each target after the last solve, m and rad.
    pub fn errors(&self) -> impl ExactSizeIterator<Item = [f64; 2]> {
        self.targets.iter().zip(&self.residuals).map(|(target, residual)| target.errors(residual))
    }
}
