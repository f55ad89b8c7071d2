//! Finite differences with their columns shared among threads. Every thread nudges a copy of the data
//! that has been evaluated without a nudge, so results are the same to the last bit.

use super::DerivativeError;
use super::difference::{Differences, Input, Sample};
use super::{inverse, transition};
use crate::{Data, Model};
use rayon::prelude::*;
use sim_types::StepError;

/// The same as [`mjd_transition_fd`](super::mjd_transition_fd), to the last bit, on all threads of the
/// current pool. It copies the data for each thread.
///
/// # Errors
/// As [`mjd_transition_fd`](super::mjd_transition_fd).
#[allow(non_snake_case, reason = "the names of control theory")]
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
        share(&start, &work, &inputs, |d, work, input| differences.column(d, work, input))?;
    columns.iter().for_each(|(input, column)| matrices.store(m, *input, column));
    Ok(())
}

/// The same as [`mjd_inverse_fd`](super::mjd_inverse_fd), to the last bit, on all threads of the
/// current pool. It copies the data for each thread.
///
/// # Errors
/// As [`mjd_inverse_fd`](super::mjd_inverse_fd).
#[allow(non_snake_case, reason = "the names of the reference")]
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
    let rows = share(&start, &work, &inputs, |d, work, input| differences.column(d, work, input))?;
    rows.iter().for_each(|(input, row)| matrices.store(*input, row));
    Ok(())
}

/// Evaluates all inputs. Every thread takes its share in order, because later inputs repeat stages that
/// earlier ones rely on.
fn share(
    start: &Data,
    work: &Differences,
    inputs: &[Input],
    column: impl Fn(&mut Data, &mut Differences, Input) -> Result<(), StepError> + Sync,
) -> Result<Vec<(Input, Sample)>, StepError> {
    let threads = rayon::current_num_threads().clamp(1, inputs.len().max(1));
    let shares: Result<Vec<Vec<_>>, StepError> = (0..threads)
        .into_par_iter()
        .map(|first| {
            let (mut d, mut work) = (start.clone(), work.clone());
            let mine = inputs.iter().skip(first).step_by(threads);
            mine.map(|&input| {
                column(&mut d, &mut work, input)?;
                Ok((input, work.column.clone()))
            })
            .collect()
        })
        .collect();
    Ok(shares?.into_iter().flatten().collect())
}
