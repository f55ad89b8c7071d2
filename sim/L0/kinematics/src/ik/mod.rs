//! Inverse kinematics: joint coordinates for which the tips of chains are where they are wanted.

mod descend;
mod many;
mod options;
mod preference;
mod program;
mod seeds;
mod space;
mod target;

pub use many::PathReport;
pub use options::{Options, Outcome, Status};
pub use target::Target;

use crate::error::check_length;
use crate::random::Random;
use crate::{Chain, Error, Frame};
use descend::{Attempt, Ending, Patience};
use preference::Preference;
use seeds::{Distances, Seeds};
use sim_core::math::vec3;
use space::Space;
use std::ops::Range;
use target::Prepared;

/// A chain whose tip has a target.
#[derive(Debug, Clone)]
struct Effector {
    chain: Chain,
    /// The unknown behind each column of the chain's Jacobian.
    map: Vec<usize>,
    /// Whether the chain has every unknown.
    whole: bool,
    /// Its frames among those of all chains.
    frames: Range<usize>,
}

/// Finds joint coordinates for which the tips of one chain or several are where they are wanted.
///
/// A solver is made once for a model and its chains and can be shared among threads; what changes is
/// in a [`Workspace`]. It knows joints and their limits; equality constraints, tendons and contacts it
/// does not look at.
#[derive(Debug, Clone)]
pub struct Solver {
    ends: Vec<Effector>,
    nq: usize,
    space: Space,
    options: Options,
    /// Metres that count as much as a radian.
    turn_weight: f64,
    /// How far joints without limits are sent by a random start.
    extent: f64,
    seeds: Seeds,
    preference: Option<Preference>,
}

/// Memory of a search; made once by [`Solver::make_workspace`]. Another solver's is exchanged for one
/// that fits, which allocates.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// Where the search stands, and where it looks.
    q: Vec<f64>,
    trial: Vec<f64>,
    best: Vec<f64>,
    targets: Vec<Prepared>,
    frames: Vec<Frame>,
    residuals: Vec<[f64; 6]>,
    trial_residuals: Vec<[f64; 6]>,
    columns: Vec<[f64; 6]>,
    rows: Vec<f64>,
    h: Vec<f64>,
    matrix: Vec<f64>,
    point: Vec<f64>,
    g: Vec<f64>,
    x: Vec<f64>,
    preferred: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    side: Vec<i8>,
    distances: Distances,
}

/// Where the first attempt starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Start {
    /// At the state that is handed in.
    Given,
    /// At the state of the solver's table whose tips are nearest to the targets.
    Table,
}

/// Slow steps before an attempt makes room for the next.
const SLOW: usize = 3;
/// Attempts that start at the nearest states of the table; later ones start anywhere.
const NEAR: usize = 24;

impl Solver {
    /// A solver for these chains, each of which gets a target.
    ///
    /// # Errors
    /// When there is no chain, the chains are not of one model, or an option is out of its range.
    pub fn new(chains: Vec<Chain>, options: Options) -> Result<Self, Error> {
        options.check()?;
        let nq = chains.first().ok_or(Error::NoChain)?.nq();
        if let Some(index) = chains.iter().position(|chain| chain.nq() != nq) {
            return Err(Error::OtherModel { index });
        }
        let (space, maps) = Space::new(&chains);
        let reach = chains[0].reach().1;
        let extent = if reach.is_finite() && reach > 0.0 { reach } else { 1.0 };
        let turn_weight = options.metres_per_radian.unwrap_or(0.3 * extent);
        let seeds = Seeds::new(&space, &chains, extent, options.seed);
        let mut frames = 0;
        let ends = chains.into_iter().zip(maps).map(|(chain, map)| {
            let start = frames;
            frames += chain.frame_count();
            Effector { whole: map.len() == space.n, chain, map, frames: start..frames }
        });
        let ends = ends.collect();
        Ok(Self { ends, nq, space, options, turn_weight, extent, seeds, preference: None })
    }

    /// A solver for one chain with the usual options.
    ///
    /// # Errors
    /// None for a chain that could be made.
    pub fn for_chain(chain: Chain) -> Result<Self, Error> {
        Self::new(vec![chain], Options::default())
    }

    /// Prefers, among solutions, one near this state; `weight` tells how strongly next to other
    /// preferences. Only joints that the targets leave free can follow it.
    ///
    /// # Errors
    /// When `qpos` is not the model's, or the weight is not positive.
    pub fn with_posture(mut self, qpos: &[f64], weight: f64) -> Result<Self, Error> {
        check_length("qpos", qpos.len(), self.nq)?;
        check_weight(weight)?;
        let preference = self.preference.get_or_insert_with(|| Preference::new(&self.space));
        preference.add_posture(&self.space, qpos, weight);
        Ok(self)
    }

    /// Prefers, among solutions, one far from limits: near the middle of each joint's range.
    ///
    /// # Errors
    /// When the weight is not positive.
    pub fn with_middle(mut self, weight: f64) -> Result<Self, Error> {
        check_weight(weight)?;
        let preference = self.preference.get_or_insert_with(|| Preference::new(&self.space));
        preference.add_middle(&self.space, weight);
        Ok(self)
    }

    /// Memory for searches.
    #[must_use]
    pub fn make_workspace(&self) -> Workspace {
        let Space { n, stride, .. } = self.space;
        let ends = self.ends.len();
        let row = || vec![0.0; stride];
        let none = Prepared { frame: Frame::IDENTITY, weights: [0.0; 2], partial: None };
        Workspace {
            q: vec![0.0; self.nq],
            trial: vec![0.0; self.nq],
            best: vec![0.0; self.nq],
            targets: vec![none; ends],
            frames: vec![Frame::IDENTITY; self.ends.last().map_or(0, |end| end.frames.end)],
            residuals: vec![[0.0; 6]; ends],
            trial_residuals: vec![[0.0; 6]; ends],
            columns: vec![[0.0; 6]; self.ends.iter().map(|e| e.chain.nv()).max().unwrap_or(0)],
            rows: vec![0.0; 6 * stride],
            h: vec![0.0; n * stride],
            matrix: vec![0.0; n * stride],
            point: row(),
            g: row(),
            x: row(),
            preferred: row(),
            low: vec![f64::NEG_INFINITY; stride],
            high: vec![f64::INFINITY; stride],
            side: vec![0; stride],
            distances: Distances::new(),
        }
    }

    /// The chains.
    pub fn chains(&self) -> impl ExactSizeIterator<Item = &Chain> {
        self.ends.iter().map(|end| &end.chain)
    }

    /// The options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Brings the tips to their targets, one for each chain, from the state in `qpos`; the solution,
    /// or the closest point found, is left there. Joints that are in no chain are not moved, and
    /// those that are stay within their limits, even if the start is not.
    ///
    /// A start near the solution is found again in two or three steps: for a series of targets, hand
    /// in the last solution.
    pub fn solve(&self, targets: &[Target], qpos: &mut [f64], work: &mut Workspace) -> Outcome {
        self.solve_from(Start::Given, targets, qpos, work)
    }

    /// As [`solve`](Self::solve), but from the state of a table, made with the solver, whose tips
    /// are nearest to the targets: for targets about which nothing is known.
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
            return Outcome::refused(status);
        }
        let outcome = self.search(start, work);
        qpos.copy_from_slice(&work.q);
        outcome
    }

    /// Takes over targets and start.
    fn prepare(
        &self,
        targets: &[Target],
        qpos: &[f64],
        work: &mut Workspace,
    ) -> Result<(), Status> {
        if targets.len() != self.ends.len() {
            return Err(Status::InvalidTarget);
        }
        if !self.fits(work) {
            *work = self.make_workspace();
        }
        for (target, prepared) in targets.iter().zip(&mut work.targets) {
            *prepared = target.prepared(self.turn_weight).ok_or(Status::InvalidTarget)?;
        }
        if qpos.len() != self.nq || !qpos.iter().all(|x| x.abs() < 1e10) {
            return Err(Status::InvalidStart);
        }
        work.q.copy_from_slice(qpos);
        work.trial.copy_from_slice(qpos);
        self.space.project(&mut work.q);
        Ok(())
    }

    /// Whether the memory is as large as this solver needs it.
    fn fits(&self, work: &Workspace) -> bool {
        let Space { n, stride, .. } = self.space;
        let frames = self.ends.last().map_or(0, |end| end.frames.end);
        let longest = self.ends.iter().map(|end| end.chain.nv()).max().unwrap_or(0);
        work.q.len() == self.nq
            && work.targets.len() == self.ends.len()
            && work.frames.len() == frames
            && work.columns.len() == longest
            && (work.h.len(), work.g.len()) == (n * stride, stride)
    }

    /// Attempts from one start after another until one ends at the targets.
    fn search(&self, start: Start, work: &mut Workspace) -> Outcome {
        if start == Start::Table {
            self.seeds.measure(&work.targets, &mut work.distances);
            self.seeds.take(&self.space, &mut work.distances, &mut work.q);
        }
        let patience = Patience { iterations: self.options.max_iterations, slow: SLOW };
        let mut best = self.descend(work, patience);
        let (mut iterations, mut restarts) = (best.iterations, 0);
        if best.ending != Ending::Met {
            if start == Start::Given {
                self.seeds.measure(&work.targets, &mut work.distances);
            }
            let after = self.search_on(&mut best, patience, work);
            (iterations, restarts) = (iterations + after.0, after.1);
        }
        if let Some(preference) = &self.preference
            && best.ending == Ending::Met
        {
            iterations += self.improve(preference, work);
        }
        self.outcome(best.ending, iterations, restarts, work)
    }

    /// Attempts from other starts; the best point is left in `work.q`. Returns steps and attempts.
    #[cold]
    fn search_on(
        &self,
        best: &mut Attempt,
        patience: Patience,
        work: &mut Workspace,
    ) -> (usize, usize) {
        let mut random = Random::new(self.options.seed ^ 0x5eed);
        let (mut iterations, mut restarts) = (0, 0);
        work.best.copy_from_slice(&work.q);
        while best.ending != Ending::Met && restarts < self.options.restarts && self.space.n > 0 {
            restarts += 1;
            let near =
                restarts <= NEAR && self.seeds.take(&self.space, &mut work.distances, &mut work.q);
            if !near {
                self.space.sample(&mut random, self.extent, &mut work.q);
            }
            let attempt = self.descend(work, patience);
            iterations += attempt.iterations;
            if attempt.ending == Ending::Met || attempt.merit < best.merit {
                *best = attempt;
                work.best.copy_from_slice(&work.q);
            }
        }
        work.q.copy_from_slice(&work.best);
        if best.ending == Ending::Slow {
            // the best there is may still get better
            let patience = Patience { slow: usize::MAX, ..patience };
            *best = self.descend(work, patience);
            iterations += best.iterations;
        } else {
            self.evaluate(work);
        }
        (iterations, restarts)
    }

    fn outcome(
        &self,
        ending: Ending,
        iterations: usize,
        restarts: usize,
        work: &Workspace,
    ) -> Outcome {
        let status = match ending {
            Ending::Met => Status::Converged,
            _ if self.out_of_reach(work) => Status::OutOfReach,
            Ending::Still => Status::LocalMinimum,
            Ending::Slow | Ending::OutOfSteps => Status::IterationLimit,
        };
        let (mut position_error, mut orientation_error) = (0.0, 0.0);
        for (target, residual) in work.targets.iter().zip(&work.residuals) {
            let [p, r] = target.errors(residual);
            (position_error, orientation_error) = (p.max(position_error), r.max(orientation_error));
        }
        Outcome { status, position_error, orientation_error, iterations, restarts }
    }

    /// Whether a target is farther away than its chain is long.
    fn out_of_reach(&self, work: &Workspace) -> bool {
        self.ends.iter().zip(&work.targets).any(|(end, target)| {
            let (centre, reach) = end.chain.reach();
            let all = target.weights[0] > 0.0 && target.partial.is_none();
            let apart = vec3::distance(centre, target.frame.pos());
            all && apart > reach + self.options.position_tolerance
        })
    }
}

fn check_weight(weight: f64) -> Result<(), Error> {
    let error = Error::Option { name: "weight", range: "a positive number" };
    if weight > 0.0 && weight.is_finite() { Ok(()) } else { Err(error) }
}

impl Workspace {
    /// Distance and angle of each tip from its target after the last search.
    pub fn errors(&self) -> impl ExactSizeIterator<Item = [f64; 2]> {
        self.targets.iter().zip(&self.residuals).map(|(target, residual)| target.errors(residual))
    }
}
