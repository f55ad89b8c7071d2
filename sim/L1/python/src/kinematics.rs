//! `Chain` and `Solver`: kinematic chains and inverse kinematics.

use crate::args::In;
use crate::error;
use crate::model::MjModel;
use crate::run::guarded;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use sim_physics::Model;
use sim_physics::kinematics::{self, End, JacobianType, Options, Outcome, SingularValues, Target};
use sim_physics::types::ObjType;
use std::sync::{Mutex, PoisonError};

fn invalid(error: &kinematics::Error) -> PyErr {
    match error {
        kinematics::Error::UnknownName { .. } => {
            error::exception("UnknownNameError", error.to_string())
        }
        kinematics::Error::Length { .. } => error::shape(error.to_string()),
        _ => error::value(error.to_string()),
    }
}

/// A body or site by name; a name of both is the site.
fn end(m: &Model, name: &str) -> PyResult<End> {
    if m.name2id(ObjType::Site, name).is_some() {
        return End::site(m, name).map_err(|e| invalid(&e));
    }
    if m.name2id(ObjType::Body, name).is_some() {
        return End::body(m, name).map_err(|e| invalid(&e));
    }
    let names = |kind: ObjType, count: usize| (0..count).filter_map(move |i| m.id2name(kind, i));
    let all: Vec<&str> =
        names(ObjType::Site, m.nsite).chain(names(ObjType::Body, m.nbody)).collect();
    let near = error::near_names(name, &all);
    let message = format!("no body or site is named '{name}'; the nearest are {near}");
    Err(error::exception("UnknownNameError", message))
}

/// The joints between two bodies or sites of a model.
#[pyclass(frozen, module = "sim_physics")]
pub struct Chain(kinematics::Chain);

#[pymethods]
impl Chain {
    /// The chain from `base`, by default the world, to `tip`: names of bodies or sites.
    #[new]
    #[pyo3(signature = (model, tip, base=None))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        tip: &str,
        base: Option<&str>,
    ) -> PyResult<Self> {
        model.get().with(py, |m| {
            let base = base.map_or(Ok(End::WORLD), |name| end(m, name))?;
            let chain = guarded(|| {
                kinematics::Chain::new(m, base, end(m, tip)?).map_err(|e| invalid(&e))
            })??;
            Ok(Self(chain))
        })?
    }

    /// Indices of the joints of the model, from base to tip.
    #[getter]
    fn joints(&self) -> Vec<usize> {
        self.0.joints().iter().map(|joint| joint.id).collect()
    }

    /// Indices of the dofs of the model, one per column of the Jacobian.
    #[getter]
    fn dofs(&self) -> Vec<usize> {
        self.0.dofs().to_vec()
    }

    /// Pose of the tip in the base for positions `qpos` of the whole model: position (3) and quaternion (4).
    #[allow(clippy::type_complexity, reason = "two arrays")]
    fn forward<'py>(
        &self,
        py: Python<'py>,
        qpos: In,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>)> {
        let tip = self.0.forward(&qpos.0, &mut self.0.make_cache()).map_err(|e| invalid(&e))?;
        Ok((PyArray1::from_slice(py, &tip.pos()), PyArray1::from_slice(py, &tip.quat())))
    }

    /// Jacobian (6, number of dofs) of the tip: linear velocity, then angular velocity, in the axes of the base.
    fn jacobian<'py>(&self, py: Python<'py>, qpos: In) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let columns = self.columns(&qpos)?;
        let flat: Vec<f64> = (0..6).flat_map(|row| columns.iter().map(move |c| c[row])).collect();
        flat.into_pyarray(py).reshape([6, columns.len()])
    }

    /// Singular values of the Jacobian, largest first.
    fn singular_values<'py>(
        &self,
        py: Python<'py>,
        qpos: In,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let values = SingularValues::of(&self.columns(&qpos)?);
        Ok(PyArray1::from_slice(py, values.values()))
    }
}

impl Chain {
    fn columns(&self, qpos: &In) -> PyResult<Vec<[f64; 6]>> {
        let mut columns = vec![[0.0; 6]; self.0.nv()];
        let mut cache = self.0.make_cache();
        self.0
            .jacobian_at(&qpos.0, &mut cache, JacobianType::Spatial, &mut columns)
            .map_err(|e| invalid(&e))?;
        Ok(columns)
    }
}

/// Inverse kinematics of one or several chains.
#[pyclass(frozen, module = "sim_physics")]
pub struct Solver {
    solver: kinematics::Solver,
    work: Mutex<kinematics::Workspace>,
    count: usize,
}

/// Result of a solve.
#[pyclass(frozen, get_all, module = "sim_physics")]
pub struct Solution {
    /// Joint positions of the whole model.
    qpos: Py<PyArray1<f64>>,
    /// Whether every target is reached.
    converged: bool,
    /// Description of the status.
    status: String,
    /// Largest remaining position error, m.
    position_error: f64,
    /// Largest remaining orientation error, rad.
    orientation_error: f64,
    /// Number of iterations.
    iterations: usize,
    /// Number of restarts.
    restarts: usize,
}

#[pymethods]
impl Solver {
    /// A solver for a chain or a list of chains, with tolerances in m and rad.
    #[new]
    #[pyo3(signature = (chains, *, position_tolerance=1e-6, orientation_tolerance=1e-6, max_iterations=100, restarts=50, seed=0))]
    fn new(
        chains: &Bound<'_, PyAny>,
        position_tolerance: f64,
        orientation_tolerance: f64,
        max_iterations: usize,
        restarts: usize,
        seed: u64,
    ) -> PyResult<Self> {
        let chains: Vec<kinematics::Chain> = match chains.cast::<Chain>() {
            Ok(chain) => vec![chain.get().0.clone()],
            Err(_) => {
                let list: Vec<Py<Chain>> = chains.extract()?;
                list.iter().map(|chain| chain.get().0.clone()).collect()
            }
        };
        let count = chains.len();
        let options = Options {
            position_tolerance,
            orientation_tolerance,
            max_iterations,
            restarts,
            seed,
            ..Options::default()
        };
        let solver =
            guarded(|| kinematics::Solver::new(chains, options))?.map_err(|e| invalid(&e))?;
        let work = Mutex::new(solver.make_workspace());
        Ok(Self { solver, work, count })
    }

    /// Finds joint positions that bring the tips to positions (and orientations, if given) in their bases.
    ///
    /// `pos` has shape (3) or (chains, 3), `quat` (4) or (chains, 4); without `pos` only orientations are targets.
    /// `start` is the initial `qpos` of the whole model. `cold` selects a cold start: the initial
    /// positions of the chains' joints are then taken from the solver's table.
    #[pyo3(signature = (start, pos=None, quat=None, *, cold=false))]
    fn solve(
        &self,
        py: Python<'_>,
        start: In,
        pos: Option<In>,
        quat: Option<In>,
        cold: bool,
    ) -> PyResult<Solution> {
        let pos = pos.map(|p| p.sized("pos", 3 * self.count).map(<[f64]>::to_vec)).transpose()?;
        let quat =
            quat.map(|q| q.sized("quat", 4 * self.count).map(<[f64]>::to_vec)).transpose()?;
        let target = |k: usize| {
            let position = pos.as_deref().and_then(|p| p.as_chunks::<3>().0.get(k).copied());
            let orientation = quat.as_deref().and_then(|q| q.as_chunks::<4>().0.get(k).copied());
            match (position, orientation) {
                (Some(pos), Some(quat)) => Ok(Target::pose(pos, quat)),
                (Some(pos), None) => Ok(Target::position(pos)),
                (None, Some(quat)) => Ok(Target::orientation(quat)),
                (None, None) => Err(error::value("give a target: pos, quat or both")),
            }
        };
        let targets = (0..self.count).map(target).collect::<PyResult<Vec<_>>>()?;
        let mut qpos = start.0;
        let outcome = py.detach(|| {
            guarded(|| {
                let mut work = self.work.lock().unwrap_or_else(PoisonError::into_inner);
                match cold {
                    true => self.solver.solve_cold(&targets, &mut qpos, &mut work),
                    false => self.solver.solve(&targets, &mut qpos, &mut work),
                }
            })
        })?;
        Ok(solution(py, outcome, qpos))
    }
}

fn solution(py: Python<'_>, outcome: Outcome, qpos: Vec<f64>) -> Solution {
    Solution {
        qpos: qpos.into_pyarray(py).unbind(),
        converged: outcome.status.converged(),
        status: outcome.status.describe().to_owned(),
        position_error: outcome.position_error,
        orientation_error: outcome.orientation_error,
        iterations: outcome.iterations,
        restarts: outcome.restarts,
    }
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        format!(
            "<Solution {}, error {:.3e} m, {:.3e} rad>",
            self.status, self.position_error, self.orientation_error
        )
    }
}
