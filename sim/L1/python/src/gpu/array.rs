//! `DeviceArray`: an array in the memory of a GPU that is shared with CUDA.

use crate::error;
use crate::memory::dlpack::{Element, Matrix};
use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::gpu::Context;

/// An array in the memory of a GPU that other libraries use without a copy: `torch.from_dlpack(array)`.
///
/// It refers to the memory of a `GpuBatch` and changes with its steps.
#[pyclass(frozen, module = "sim_physics")]
pub struct DeviceArray {
    matrix: Matrix,
    context: Context,
}

impl DeviceArray {
    /// An array of a batch on the device of `context`.
    pub fn new(matrix: Matrix, context: Context) -> Self {
        Self { matrix, context }
    }

    /// Waits for the steps that were submitted.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.context.wait()).map_err(|error| error::fatal(error.to_string()))
    }
}

#[pymethods]
impl DeviceArray {
    /// Rows and columns.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        let [rows, columns] = self.matrix.shape;
        (rows, columns)
    }

    /// Name of the element type.
    #[getter]
    fn dtype(&self) -> &'static str {
        if self.matrix.element == Element::I32 { "int32" } else { "float32" }
    }

    /// A capsule of DLPack, after the steps that were submitted.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<Bound<'py, PyAny>>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        // the host waits below, which is sufficient for every stream; consumers of all versions accept the capsule
        let _ = (stream, max_version);
        if dl_device.is_some_and(|device| device != self.matrix.device()) {
            return Err(PyBufferError::new_err("the array is only available on its CUDA device"));
        }
        if copy == Some(true) {
            return Err(PyBufferError::new_err("copy the tensor instead of the array"));
        }
        self.wait(py)?;
        self.matrix.capsule(py)
    }

    /// DLPack's code of the device, and its index.
    fn __dlpack_device__(&self) -> (i32, i32) {
        self.matrix.device()
    }

    /// The interface of Numba and CuPy.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.wait(py)?;
        let kind = if self.matrix.element == Element::I32 { "<i4" } else { "<f4" };
        let interface = PyDict::new(py);
        interface.set_item("shape", self.shape())?;
        interface.set_item("typestr", kind)?;
        interface.set_item("data", (self.matrix.address(), false))?;
        interface.set_item("strides", (4 * self.matrix.stride, 4))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }

    fn __repr__(&self) -> String {
        let [rows, columns] = self.matrix.shape;
        let (_, device) = self.matrix.device();
        format!(
            "<sim_physics.DeviceArray ({rows}, {columns}) of {} on cuda:{device}>",
            self.dtype()
        )
    }
}
