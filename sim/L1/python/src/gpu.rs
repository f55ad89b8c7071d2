//! `GpuBatch`: many environments of a model on a GPU.

mod array;
mod device;
mod images;

use crate::args::In;
use crate::error;
use crate::memory::dlpack::{Element, Matrix};
use crate::model::MjModel;
use crate::run::guarded;
use array::DeviceArray;
use device::{SharedBuffers, Sharing};
use images::{BatchRenderer, CameraKey};
use numpy::{IntoPyArray, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::Model;
use sim_physics::gpu::{self, Columns, Context, GpuBatchError, Options, Rows};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};

/// Adds the classes to the module.
///
/// # Errors
/// If Python refuses it.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GpuBatch>()?;
    module.add_class::<DeviceArray>()?;
    module.add_class::<BatchRenderer>()?;
    crate::add_functions!(module; _gpu_adapters);
    Ok(())
}

/// Names of the GPU adapters.
#[pyfunction]
fn _gpu_adapters() -> PyResult<Vec<String>> {
    guarded(Context::adapters)
}

/// A batch of environments of one model on a GPU.
///
/// `sim_physics.gpu` has its arrays as PyTorch tensors, and vector environments on it.
#[pyclass(frozen, module = "sim_physics")]
pub struct GpuBatch {
    batch: Mutex<gpu::GpuBatch>,
    context: Context,
    sharing: Sharing,
    columns: Vec<Columns>,
    /// Length of the rows of state, input, output and info.
    widths: [usize; 4],
    count: usize,
    sizes: [usize; 3],
    process: u32,
    /// Whether an array was given to Python that refers to the memory of the device.
    viewed: AtomicBool,
}

/// Names of the buffers in Python.
const BUFFERS: [(&str, Rows); 4] = [
    ("state", Rows::State),
    ("input", Rows::Input),
    ("output", Rows::Output),
    ("info", Rows::Info),
];

fn buffer_name(rows: Rows) -> &'static str {
    BUFFERS.iter().find(|(_, each)| *each == rows).map_or("", |(name, _)| name)
}

/// An error of a batch as a Python exception.
fn failed(error: GpuBatchError) -> PyErr {
    match error {
        GpuBatchError::Length { .. } => error::shape(error.to_string()),
        GpuBatchError::Unsupported { .. } | GpuBatchError::TooLarge { .. } => {
            error::exception("UnsupportedError", error.to_string())
        }
        GpuBatchError::Render(_) => error::value(error.to_string()),
        _ => error::fatal(error.to_string()),
    }
}

impl GpuBatch {
    fn check_process(&self) -> PyResult<()> {
        if std::process::id() == self.process {
            return Ok(());
        }
        Err(error::exception(
            "ForkError",
            "this GpuBatch was created before os.fork(), and its device does not exist in the child process: start \
             processes with the method `spawn`",
        ))
    }

    fn lock(&self) -> PyResult<MutexGuard<'_, gpu::GpuBatch>> {
        self.check_process()?;
        match self.batch.try_lock() {
            Ok(batch) => Ok(batch),
            Err(std::sync::TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(std::sync::TryLockError::WouldBlock) => Err(error::busy("GpuBatch")),
        }
    }

    /// Calls a function of the batch without holding the interpreter.
    fn run<R: Send>(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut gpu::GpuBatch) -> Result<R, GpuBatchError> + Send,
    ) -> PyResult<R> {
        let mut batch = self.lock()?;
        let batch: &mut gpu::GpuBatch = &mut batch;
        py.detach(|| guarded(|| f(batch)))?.map_err(failed)
    }

    /// Waits for CUDA, so that the engine may use the shared memory.
    fn wait_for_cuda(&self, py: Python<'_>) -> PyResult<()> {
        match &self.sharing {
            Ok(sharing) => py.detach(|| sharing.cuda.wait()).map_err(error::fatal),
            Err(_) => Ok(()),
        }
    }

    /// Calls a function that writes to buffers. If they are shared with CUDA, the writes are complete afterwards.
    fn write_to(
        &self,
        py: Python<'_>,
        f: impl FnOnce(&mut gpu::GpuBatch) -> Result<(), GpuBatchError> + Send,
    ) -> PyResult<()> {
        self.wait_for_cuda(py)?;
        let shared = self.sharing.is_ok();
        self.run(py, |batch| {
            f(batch)?;
            if shared { batch.flush() } else { Ok(()) }
        })
    }

    fn width(&self, rows: Rows) -> usize {
        self.widths[rows as usize]
    }

    /// A matrix of all environments.
    fn matrix<'py>(
        &self,
        py: Python<'py>,
        values: Vec<f64>,
        width: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(values.into_pyarray(py).reshape([self.count, width])?.into_any())
    }

    /// Checks that an array has a row of `width` numbers for each environment.
    fn check_len(&self, name: &str, len: usize, width: usize) -> PyResult<()> {
        if len == self.count * width {
            return Ok(());
        }
        let shape = (self.count, width);
        Err(error::shape(format!("{name} should be of shape {shape:?}, but has {len} values")))
    }

    /// Columns of a buffer, or a whole buffer.
    fn find(&self, name: &str) -> PyResult<(Rows, usize, usize)> {
        if let Some(&(_, rows)) = BUFFERS.iter().find(|(each, _)| *each == name) {
            return Ok((rows, 0, self.width(rows)));
        }
        let columns = self.columns.iter().find(|columns| columns.name == name);
        let columns = columns.ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|columns| columns.name).collect();
            let near = error::near_names(name, &names);
            let message =
                format!("no array of the batch is named '{name}'; the nearest are {near}");
            error::exception("UnknownNameError", message)
        })?;
        Ok((columns.rows, columns.start, columns.width))
    }
}

#[pymethods]
impl GpuBatch {
    /// Creates `num_envs` environments of a model on a GPU, at its reference configuration.
    ///
    /// `adapter` is a part of the adapter's name, by default the variable `MESH_GPU_ADAPTER`. `contacts` and `rows` are
    /// the capacities of an environment; smaller ones are faster. `task` has reward and termination as WGSL functions;
    /// with it, episodes that end are restarted on the device. `applied` allows applied forces. `one_lane` selects a
    /// kernel that compiles fast, by default on adapters that run on the CPU. `zero_copy` is whether the arrays share
    /// their memory with CUDA; by default they do if possible, and `zero_copy_reason` says why not.
    #[new]
    #[pyo3(signature = (model, num_envs, *, adapter=None, contacts=None, rows=None, task=None, max_episode_steps=None, seed=0, applied=false, one_lane=None, portable=false, two_passes=None, zero_copy=None))]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        num_envs: usize,
        adapter: Option<String>,
        contacts: Option<usize>,
        rows: Option<usize>,
        task: Option<String>,
        max_episode_steps: Option<u32>,
        seed: u32,
        applied: bool,
        one_lane: Option<bool>,
        portable: bool,
        two_passes: Option<bool>,
        zero_copy: Option<bool>,
    ) -> PyResult<Self> {
        if num_envs == 0 {
            return Err(error::value("num_envs should be at least 1"));
        }
        let model = model.get().with(py, Model::clone)?;
        let context = device::context(py, adapter)?;
        let mut options = Options {
            contacts,
            rows,
            task,
            max_episode_steps,
            seed,
            applied,
            one_lane: one_lane.unwrap_or_else(|| context.is_software()),
            portable,
            two_passes,
            // kernels that were generated from a checked model do not need checks
            checked: false,
            ..Options::default()
        };
        let cuda = match zero_copy {
            Some(false) => Err("zero_copy is False".to_owned()),
            _ => py.detach(|| device::cuda(&context)),
        };
        options.shared = cuda.is_ok();
        let create = || gpu::GpuBatch::new(&context, &model, num_envs, &options);
        let batch = py.detach(|| guarded(create))?.map_err(failed)?;
        if options.shared {
            // the initial values must not be written after those of CUDA
            py.detach(|| batch.flush()).map_err(failed)?;
        }
        let sharing = cuda.and_then(|cuda| py.detach(|| SharedBuffers::new(cuda, &batch)));
        if let (Some(true), Err(reason)) = (zero_copy, &sharing) {
            let message = format!("arrays cannot be shared with CUDA: {reason}");
            return Err(error::exception("UnsupportedError", message));
        }
        Ok(Self {
            columns: batch.columns(),
            widths: BUFFERS.map(|(_, rows)| batch.row_len(rows)),
            batch: Mutex::new(batch),
            context,
            sharing,
            count: num_envs,
            sizes: [model.nq, model.nv, model.nu],
            process: std::process::id(),
            viewed: AtomicBool::new(false),
        })
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.count
    }

    /// Number of controls per environment.
    #[getter]
    fn nu(&self) -> usize {
        self.sizes[2]
    }

    /// Name of the adapter.
    #[getter]
    fn adapter(&self) -> &str {
        self.context.name()
    }

    /// Whether the arrays share their memory with CUDA.
    #[getter]
    fn zero_copy(&self) -> bool {
        self.sharing.is_ok()
    }

    /// Why the arrays do not share their memory with CUDA; None if they do.
    #[getter]
    fn zero_copy_reason(&self) -> Option<&str> {
        self.sharing.as_ref().err().map(String::as_str)
    }

    /// Index of the CUDA device of the arrays; None if they do not share their memory with CUDA.
    #[getter]
    fn cuda_device(&self) -> Option<i32> {
        self.sharing.as_ref().ok().map(|sharing| sharing.cuda.ordinal())
    }

    /// Capacity of an environment: contacts and constraint rows.
    #[getter]
    fn capacity(&self) -> PyResult<(usize, usize)> {
        let capacity = self.lock()?.capacity();
        Ok((capacity.contacts, capacity.rows))
    }

    /// The arrays as columns of four buffers with a row per environment: name, buffer, first column and number of
    /// columns.
    #[getter]
    fn columns(&self) -> Vec<(&'static str, &'static str, usize, usize)> {
        let entry = |c: &Columns| (c.name, buffer_name(c.rows), c.start, c.width);
        self.columns.iter().map(entry).collect()
    }

    /// Length of the rows of a buffer: `state`, `input`, `output` or `info`.
    fn row_len(&self, name: &str) -> PyResult<usize> {
        self.find(name).map(|(rows, ..)| self.width(rows))
    }

    /// Takes `nstep` time steps in all environments.
    ///
    /// Work of CUDA that was submitted before is finished first. The call returns when the steps are done if the arrays
    /// are shared with CUDA, and otherwise immediately; `wait` selects this explicitly.
    #[pyo3(signature = (nstep=1, *, wait=None))]
    fn step(&self, py: Python<'_>, nstep: usize, wait: Option<bool>) -> PyResult<()> {
        self.wait_for_cuda(py)?;
        let shared = self.sharing.is_ok();
        let wait = wait.unwrap_or(shared);
        self.run(py, |batch| {
            batch.step(nstep)?;
            match (wait, shared) {
                (false, _) => Ok(()),
                // PyTorch continues with the results, so that the time until this call returns is idle time of the GPU
                (true, true) => batch.wait_spinning(),
                (true, false) => batch.wait(),
            }
        })
    }

    /// Takes steps, waits for them, and returns their time on the device in seconds; None if it cannot measure it.
    #[pyo3(signature = (nstep=1))]
    fn step_timed(&self, py: Python<'_>, nstep: usize) -> PyResult<Option<f64>> {
        self.wait_for_cuda(py)?;
        let time = self.run(py, |batch| batch.step_timed(nstep))?;
        Ok(time.map(|time| time.as_secs_f64()))
    }

    /// Waits until all steps are done.
    fn wait(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |batch| batch.wait())
    }

    /// Sets the controls of all environments, of shape (num_envs, nu).
    fn set_ctrl(&self, py: Python<'_>, ctrl: In) -> PyResult<()> {
        self.check_len("ctrl", ctrl.0.len(), self.sizes[2])?;
        self.write_to(py, |batch| batch.set_ctrl(&ctrl.0))
    }

    /// Positions and velocities of all environments, of shape (num_envs, nq + nv).
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.wait_for_cuda(py)?;
        let values = self.run(py, |batch| batch.state())?;
        self.matrix(py, values, self.sizes[0] + self.sizes[1])
    }

    /// Sets positions and velocities of all environments, of shape (num_envs, nq + nv); clears times, activations and
    /// statistics.
    fn set_state(&self, py: Python<'_>, state: In) -> PyResult<()> {
        self.check_len("state", state.0.len(), self.sizes[0] + self.sizes[1])?;
        self.write_to(py, |batch| batch.set_state(&state.0))
    }

    /// Sets the states from which resets choose, of shape (any number, nq + nv). Call it before arrays of the batch are
    /// shared.
    fn set_initial_states(&self, py: Python<'_>, states: In) -> PyResult<()> {
        if self.sharing.is_ok() && self.viewed.load(Ordering::Acquire) {
            return Err(error::value(
                "set_initial_states replaces memory that arrays of this batch refer to: call it before the arrays are \
                 used",
            ));
        }
        self.write_to(py, |batch| batch.set_initial_states(&states.0))?;
        match &self.sharing {
            Ok(sharing) => {
                let batch = self.lock()?;
                sharing.replace_state(&batch).map_err(error::fatal)
            }
            Err(_) => Ok(()),
        }
    }

    /// Resets the environments whose entry in `mask` is true, by default all, before their next step.
    #[pyo3(signature = (mask=None))]
    fn reset(&self, py: Python<'_>, mask: Option<Vec<bool>>) -> PyResult<()> {
        let mask = mask.unwrap_or_else(|| vec![true; self.count]);
        self.check_len("mask", mask.len(), 1)?;
        self.run(py, |batch| batch.reset_where(&mask))
    }

    /// Gives environments their own arrays of `MjModel`: `randomize(body_mass=masses)` with a row for each environment.
    /// Replaces earlier variations.
    #[pyo3(signature = (**arrays))]
    fn randomize(&self, py: Python<'_>, arrays: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let mut batch = self.lock()?;
        let edits = device::row_edits(batch.model(), self.count, arrays)?;
        let batch: &mut gpu::GpuBatch = &mut batch;
        py.detach(|| guarded(|| batch.randomize(|k, model| edits.apply(k, model))))?.map_err(failed)
    }

    /// Statistics of all environments as a dictionary of arrays: `contacts`, `rows`, `iterations`, `episode_steps`,
    /// `resets`, `terminated`, `truncated`, and the errors `contact_overflow`, `row_overflow` and `diverged`.
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.wait_for_cuda(py)?;
        let all = self.run(py, |batch| batch.info())?;
        device::info(py, &all)
    }

    /// The rewards of a task after the last step.
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let values = self.run(py, |batch| batch.rewards())?;
        Ok(values.into_pyarray(py).into_any())
    }

    /// Sets a buffer, `state` or `input`, from an array of float32 of shape (num_envs, row_len(name)).
    fn write(
        &self,
        py: Python<'_>,
        name: &str,
        values: PyReadonlyArrayDyn<'_, f32>,
    ) -> PyResult<()> {
        let (rows, ..) = self.find(name)?;
        if !matches!(name, "state" | "input") {
            return Err(error::value(format!("write sets 'state' or 'input', not '{name}'")));
        }
        let values = values.as_slice().map_err(|_| error::shape("the array is not contiguous"))?;
        self.check_len(name, values.len(), self.width(rows))?;
        self.write_to(py, |batch| batch.write_rows(rows, values))
    }

    /// Clears the statistics of the environments in the mask, so that those that diverged are stepped again.
    fn clear_info(&self, py: Python<'_>, mask: PyReadonlyArrayDyn<'_, bool>) -> PyResult<()> {
        let mask: Vec<bool> = mask.as_array().iter().copied().collect();
        self.check_len("mask", mask.len(), 1)?;
        self.write_to(py, |batch| batch.clear_info(&mask))
    }

    /// Starts copying state, output and info to the host after the steps so far, and returns immediately. Returns False
    /// if two copies are in flight.
    fn request(&self, py: Python<'_>) -> PyResult<bool> {
        self.wait_for_cuda(py)?;
        self.run(py, gpu::GpuBatch::request_rows)
    }

    /// Waits for the oldest copy in flight and writes it to arrays of float32, float32 and int32. Returns False if there
    /// is none.
    fn fetch(
        &self,
        py: Python<'_>,
        mut state: PyReadwriteArrayDyn<'_, f32>,
        mut output: PyReadwriteArrayDyn<'_, f32>,
        mut info: PyReadwriteArrayDyn<'_, i32>,
    ) -> PyResult<bool> {
        let gap = |_| error::shape("the arrays are not contiguous");
        let (state, output) = (state.as_slice_mut().map_err(gap)?, output.as_slice_mut());
        let (output, info) = (output.map_err(gap)?, info.as_slice_mut().map_err(gap)?);
        self.run(py, |batch| batch.fetch_rows(state, output, info))
    }

    /// An array of all environments by its name in `columns`, or a whole buffer: `state`, `input`, `output` or `info`.
    ///
    /// It is a `DeviceArray` that refers to the memory of the device if `zero_copy` is true, and otherwise a copy in a
    /// NumPy array. Both have the interface of DLPack: `torch.from_dlpack(batch.array("qpos"))`.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (rows, start, width) = self.find(name)?;
        let stride = self.width(rows);
        let Ok(sharing) = &self.sharing else {
            let (mut reals, mut integers) = ([Vec::new(), Vec::new()], Vec::new());
            self.copy(py, &mut reals, &mut integers)?;
            return match rows {
                Rows::Info => device::columns(py, &integers, stride, start, width),
                Rows::State => device::columns(py, &reals[0], stride, start, width),
                Rows::Output => device::columns(py, &reals[1], stride, start, width),
                Rows::Input => {
                    let inputs = self.lock()?.inputs_f32();
                    device::columns(py, &inputs, stride, start, width)
                }
            };
        };
        self.check_process()?;
        self.viewed.store(true, Ordering::Release);
        let matrix = Matrix {
            mapping: sharing.mapping(rows),
            offset: start,
            shape: [self.count, width],
            stride,
            element: if rows == Rows::Info { Element::I32 } else { Element::F32 },
        };
        Ok(Bound::new(py, DeviceArray::new(matrix, self.context.clone()))?.into_any())
    }

    /// A renderer of images of cameras of all environments.
    ///
    /// `cameras` are names or indices, where -1 is a free camera that shows the whole model; by default the first camera
    /// of the model. Images have the same lights, materials and textures as those of `Renderer`; tendons, skins and
    /// flexes are not drawn.
    #[pyo3(signature = (width=64, height=64, cameras=None, *, rgb=true, depth=false, segmentation=false, shadows=true, reflections=true, antialiasing=false))]
    fn renderer(
        slf: &Bound<'_, Self>,
        py: Python<'_>,
        width: u32,
        height: u32,
        cameras: Option<Vec<CameraKey>>,
        rgb: bool,
        depth: bool,
        segmentation: bool,
        shadows: bool,
        reflections: bool,
        antialiasing: bool,
    ) -> PyResult<BatchRenderer> {
        let options = {
            let batch = slf.get().lock()?;
            let outputs = [rgb, depth, segmentation];
            let quality = [shadows, reflections, antialiasing];
            images::options(batch.model(), cameras, [width, height], outputs, quality)?
        };
        BatchRenderer::new(py, slf, options)
    }

    /// Positions, of shape (num_envs, nq): see `array`.
    #[getter]
    fn qpos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "qpos")
    }

    /// Velocities, of shape (num_envs, nv): see `array`.
    #[getter]
    fn qvel<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "qvel")
    }

    /// Activations, of shape (num_envs, na): see `array`.
    #[getter]
    fn act<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "act")
    }

    /// Times, of shape (num_envs, 1): see `array`.
    #[getter]
    fn time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "time")
    }

    /// Controls, of shape (num_envs, nu): see `array`.
    #[getter]
    fn ctrl<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "ctrl")
    }

    /// Sensor data, of shape (num_envs, nsensordata): see `array`.
    #[getter]
    fn sensordata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "sensordata")
    }

    /// Rewards of a task, of shape (num_envs, 1): see `array`.
    #[getter]
    fn reward<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.array(py, "reward")
    }
}

impl GpuBatch {
    /// Copies state, output and info of the steps so far.
    fn copy(
        &self,
        py: Python<'_>,
        reals: &mut [Vec<f32>; 2],
        integers: &mut Vec<i32>,
    ) -> PyResult<()> {
        reals[0].resize(self.count * self.width(Rows::State), 0.0);
        reals[1].resize(self.count * self.width(Rows::Output), 0.0);
        integers.resize(self.count * self.width(Rows::Info), 0);
        let [state, output] = reals;
        self.run(py, |batch| batch.read_rows(state, output, integers))
    }
}
