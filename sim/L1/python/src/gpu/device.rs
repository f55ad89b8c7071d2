//! Devices of batches: the shared context, memory that is mapped into CUDA, and conversions to NumPy arrays.

use crate::args::In;
use crate::error;
use crate::memory::cuda::{Cuda, Mapping};
use crate::run::guarded;
use numpy::{Element, IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::Model;
use sim_physics::core::{FieldMut, FieldView};
use sim_physics::gpu::{AdapterSelection, Context, GpuBatch, Info, Rows};
use std::sync::{Arc, Mutex, PoisonError};

/// The buffers of a batch in the address space of CUDA, or why they are not.
pub type Sharing = Result<SharedBuffers, String>;

/// The buffers of a batch in the address space of a CUDA device.
pub struct SharedBuffers {
    /// CUDA context of the device that the buffers are mapped to.
    pub cuda: Arc<Cuda>,
    mappings: Mutex<[Arc<Mapping>; 4]>,
}

impl SharedBuffers {
    /// Maps the buffers of a batch.
    ///
    /// # Errors
    /// A sentence that says why this is not possible.
    pub fn new(cuda: Arc<Cuda>, batch: &GpuBatch) -> Sharing {
        let map = |rows| map(&cuda, batch, rows);
        let mappings = [map(Rows::State)?, map(Rows::Input)?, map(Rows::Output)?, map(Rows::Info)?];
        Ok(Self { cuda, mappings: Mutex::new(mappings) })
    }

    /// The mapping of a buffer.
    pub fn mapping(&self, rows: Rows) -> Arc<Mapping> {
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)[rows as usize].clone()
    }

    /// Maps the states after their memory was replaced.
    ///
    /// # Errors
    /// As [`SharedBuffers::new`].
    pub fn replace_state(&self, batch: &GpuBatch) -> Result<(), String> {
        let new = map(&self.cuda, batch, Rows::State)?;
        self.mappings.lock().unwrap_or_else(PoisonError::into_inner)[0] = new;
        Ok(())
    }
}

fn map(cuda: &Arc<Cuda>, batch: &GpuBatch, rows: Rows) -> Result<Arc<Mapping>, String> {
    let memory = batch.shared_memory(rows).ok_or("the memory of the batch is not exported")?;
    cuda.map(memory).map(Arc::new)
}

/// The device of CUDA that is the adapter of a context.
///
/// # Errors
/// A sentence that says why there is none.
pub fn cuda(context: &Context) -> Result<Arc<Cuda>, String> {
    let uuid = context.device_uuid();
    let uuid = uuid.ok_or("the adapter is not a device of Vulkan on Linux")?;
    Cuda::open(uuid, context.name())
}

/// An open device with the name that selected it.
type Opened = (Option<String>, Context);

/// The device of an adapter. Batches share it, and with it the compiled kernels.
///
/// # Errors
/// If there is no such adapter.
pub fn context(py: Python<'_>, adapter: Option<String>) -> PyResult<Context> {
    static CONTEXTS: Mutex<Vec<(u32, Opened)>> = Mutex::new(Vec::new());
    let process = std::process::id();
    let open = || -> PyResult<Context> {
        let mut all = CONTEXTS.lock().unwrap_or_else(PoisonError::into_inner);
        if all.iter().any(|(owner, _)| *owner != process) {
            return Err(error::exception(
                "ForkError",
                "a GPU device was created before os.fork(): start processes with the method `spawn`",
            ));
        }
        // a device that failed is opened again
        all.retain(|(_, (_, context))| context.wait().is_ok());
        if let Some((_, (_, context))) = all.iter().find(|(_, (name, _))| *name == adapter) {
            return Ok(context.clone());
        }
        let mut selection = AdapterSelection::from_env();
        if adapter.is_some() {
            selection.name = adapter.clone();
        }
        let new = guarded(|| Context::new(&selection))?;
        let new = new.map_err(|e| error::exception("UnsupportedError", e.to_string()))?;
        all.push((process, (adapter, new.clone())));
        Ok(new)
    };
    py.detach(open)
}

/// Columns of rows as a matrix.
///
/// # Errors
/// If Python refuses it.
pub fn columns<'py, T: Element + Copy>(
    py: Python<'py>,
    rows: &[T],
    stride: usize,
    start: usize,
    width: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let stride = stride.max(1);
    let count = rows.len() / stride;
    let values = rows.chunks_exact(stride).flat_map(|row| &row[start..start + width]);
    let values: Vec<T> = values.copied().collect();
    Ok(values.into_pyarray(py).reshape([count, width])?.into_any())
}

/// Name and value of a statistic.
type Entry<T> = (&'static str, fn(&Info) -> T);

/// Statistics as a dictionary of arrays.
///
/// # Errors
/// If Python refuses it.
pub fn info<'py>(py: Python<'py>, all: &[Info]) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    let counts: [Entry<usize>; 5] = [
        ("contacts", |info| info.contacts),
        ("rows", |info| info.rows),
        ("iterations", |info| info.iterations),
        ("episode_steps", |info| info.episode_steps),
        ("resets", |info| info.resets),
    ];
    for (name, value) in counts {
        let values: Vec<i64> = all.iter().map(|info| value(info) as i64).collect();
        out.set_item(name, values.into_pyarray(py))?;
    }
    let flags: [Entry<bool>; 5] = [
        ("terminated", |info| info.terminated),
        ("truncated", |info| info.truncated),
        ("contact_overflow", |info| info.flags.contacts),
        ("row_overflow", |info| info.flags.rows),
        ("diverged", |info| info.flags.diverged),
    ];
    for (name, value) in flags {
        let values: Vec<bool> = all.iter().map(value).collect();
        out.set_item(name, values.into_pyarray(py))?;
    }
    Ok(out)
}

/// Arrays of a model with a row for each environment.
pub struct RowEdits(Vec<(usize, usize, Vec<f64>)>);

impl RowEdits {
    /// Sets the arrays of the model of an environment.
    pub fn apply(&self, environment: usize, model: &mut Model) {
        for (index, width, values) in &self.0 {
            if let Some(FieldMut::F64(to)) = model.array_mut(*index) {
                to.copy_from_slice(&values[environment * width..][..*width]);
            }
        }
    }
}

/// Checks arrays that have a row for each environment.
///
/// # Errors
/// If an array does not exist, has another length or cannot be varied.
pub fn row_edits(
    model: &Model,
    count: usize,
    arrays: Option<&Bound<'_, PyDict>>,
) -> PyResult<RowEdits> {
    let mut edits = Vec::new();
    for (name, values) in arrays.into_iter().flatten() {
        let (name, values): (String, In) = (name.extract()?, values.extract()?);
        let index = Model::FIELDS.iter().position(|field| field.name == name);
        let index = index.ok_or_else(|| {
            let names: Vec<&str> = Model::FIELDS.iter().map(|field| field.name).collect();
            let near = error::near_names(&name, &names);
            let message = format!("no array is named '{name}'; the nearest are {near}");
            error::exception("UnknownNameError", message)
        })?;
        let Some(FieldView::F64(now)) = model.array(index) else {
            return Err(error::value(format!("`{name}` cannot be varied")));
        };
        if values.0.len() != count * now.len() {
            let want = format!("{count} rows of {} values", now.len());
            return Err(error::shape(format!(
                "`{name}` should have {want}, not {}",
                values.0.len()
            )));
        }
        edits.push((index, now.len(), values.0));
    }
    Ok(RowEdits(edits))
}
