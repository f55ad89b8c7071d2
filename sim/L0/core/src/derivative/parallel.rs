//! Finite-difference derivatives with their columns distributed over threads. Every thread perturbs its own
//! copy of the evaluated data, so that the results are bit-identical to the serial ones.

use super::DerivativeError;
use super::buffers::{Differences, Sample};
use super::difference::Input;
use super::{inverse, transition};
use crate::{Data, Model};
use rayon::prelude::*;
use sim_types::StepError;

/// As [`mjd_transition_fd`](super::mjd_transition_fd), with bit-identical results, on all threads of the
/// current rayon pool. Clones the data once for each thread.
///
/// # Errors
/// As [`mjd_transition_fd`](super::mjd_transition_fd).
#[allow(non_snake_case, reason = "control-theory names")]
pub fn mjd_transition_fd_parallel(
    m: &Model,
    d: &mut Data,
    eps: f64,
    centered: bool,
    A: Option<&mut [f64]>,
    B: Option<&mut [f64]>,
    C: Option<&mut [f64]>,
    D: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let mut matrices = transition::Matrices::new(m, eps, [A, B, C, D])?;
    let differences = transition::Transition { m, eps, centered, sensors: matrices.sensors() };
    let mut start = d.clone();
    let mut work = Differences::default();
    differences.start(&mut start, &mut work)?;
    let inputs: Vec<Input> = matrices.inputs(m).collect();
    let columns =
        distribute(&start, &work, &inputs, |d, work, input| differences.column(d, work, input))?;
    columns.iter().for_each(|(input, column)| matrices.store(m, *input, column));
    Ok(())
}

/// As [`mjd_inverse_fd`](super::mjd_inverse_fd), with bit-identical results, on all threads of the current
/// rayon pool. Clones the data once for each thread.
///
/// # Errors
/// As [`mjd_inverse_fd`](super::mjd_inverse_fd).
#[allow(non_snake_case, reason = "MuJoCo's argument names")]
pub fn mjd_inverse_fd_parallel(
    m: &Model,
    d: &mut Data,
    eps: f64,
    actuation: bool,
    DfDq: Option<&mut [f64]>,
    DfDv: Option<&mut [f64]>,
    DfDa: Option<&mut [f64]>,
    DsDq: Option<&mut [f64]>,
    DsDv: Option<&mut [f64]>,
    DsDa: Option<&mut [f64]>,
    DmDq: Option<&mut [f64]>,
) -> Result<(), DerivativeError> {
    let mut matrices =
        inverse::Matrices::new(m, eps, [DfDq, DfDv, DfDa], [DsDq, DsDv, DsDa], DmDq)?;
    let differences = inverse::Inverse { m, eps, actuation, sensors: matrices.sensors() };
    let mut start = d.clone();
    let mut work = Differences::default();
    differences.start(&mut start, &mut work)?;
    let inputs: Vec<Input> = matrices.inputs(m).collect();
    let rows =
        distribute(&start, &work, &inputs, |d, work, input| differences.column(d, work, input))?;
    rows.iter().for_each(|(input, row)| matrices.store(*input, row));
    Ok(())
}

/// Evaluates all inputs. Every thread processes its inputs in order, because later inputs overwrite the
/// results of stages that earlier ones skip.
fn distribute(
    start: &Data,
    work: &Differences,
    inputs: &[Input],
    column: impl Fn(&mut Data, &mut Differences, Input) -> Result<(), StepError> + Sync,
) -> Result<Vec<(Input, Sample)>, StepError> {
    let threads = rayon::current_num_threads().clamp(1, inputs.len().max(1));
    let samples: Result<Vec<Vec<_>>, StepError> = (0..threads)
        .into_par_iter()
        .map(|first| {
            let (mut d, mut work) = (start.clone(), work.clone());
            let own_inputs = inputs.iter().skip(first).step_by(threads);
            own_inputs
                .map(|&input| {
                    column(&mut d, &mut work, input)?;
                    Ok((input, work.column.clone()))
                })
                .collect()
        })
        .collect();
    Ok(samples?.into_iter().flatten().collect())
}
