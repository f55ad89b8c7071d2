//! `BatchRenderer`: images of the environments of a `GpuBatch`.

use super::GpuBatch;
use super::array::DeviceArray;
use crate::error;
use crate::memory::cuda::Mapping;
use crate::memory::dlpack::{Element, Matrix};
use numpy::{Element as NumPyElement, IntoPyArray, PyArrayMethods};
use pyo3::prelude::*;
use sim_physics::Model;
use sim_physics::gpu::{self, Camera, GpuBatchError, RenderOptions};
use sim_physics::types::ObjType;
use std::sync::Arc;

/// Images of cameras of all environments of a `GpuBatch`, made by `GpuBatch.renderer`.
///
/// The images are ray cast on the device from the current states. Without `zero_copy`, `rgb`, `depth` and `segmentation`
/// copy them to NumPy arrays; with it, `array` has them in the memory of the device.
#[pyclass(frozen, module = "sim_physics")]
pub struct BatchRenderer {
    renderer: gpu::BatchRenderer,
    batch: Py<GpuBatch>,
    /// The images in the address space of CUDA, if the batch is shared with it.
    mapping: Option<Arc<Mapping>>,
}

/// What Python selects a camera by.
#[derive(FromPyObject)]
pub enum CameraKey {
    /// Index; -1 is a free camera that shows the whole model.
    Index(i64),
    /// Name.
    Name(String),
}

/// The camera that a key selects.
fn camera(model: &Model, key: &CameraKey) -> PyResult<Camera> {
    let index = match key {
        CameraKey::Index(-1) => return Ok(Camera::free(model)),
        CameraKey::Index(index) => usize::try_from(*index).ok().filter(|&k| k < model.ncam),
        CameraKey::Name(name) => model.name2id(ObjType::Camera, name),
    };
    let index = index.ok_or_else(|| match key {
        CameraKey::Index(index) => {
            error::value(format!("there is no camera {index}; the model has {}", model.ncam))
        }
        CameraKey::Name(name) => {
            error::exception("UnknownNameError", format!("no camera is named '{name}'"))
        }
    })?;
    Ok(Camera::fixed(index))
}

/// The cameras of a call; by default the first one of the model, or a free one if it has none.
fn cameras(model: &Model, keys: Option<Vec<CameraKey>>) -> PyResult<Vec<Camera>> {
    let default = || vec![CameraKey::Index(if model.ncam > 0 { 0 } else { -1 })];
    keys.unwrap_or_else(default).iter().map(|key| camera(model, key)).collect()
}

impl BatchRenderer {
    /// Compiles the kernels and allocates the images.
    ///
    /// # Errors
    /// If the device refuses them.
    pub fn new(
        py: Python<'_>,
        batch: &Bound<'_, GpuBatch>,
        mut options: RenderOptions,
    ) -> PyResult<Self> {
        let this = batch.get();
        options.shared = this.sharing.is_ok();
        let renderer = this.run(py, |batch| batch.renderer(&options))?;
        let mapping = match (&this.sharing, renderer.shared_memory()) {
            (Ok(sharing), Some(memory)) => {
                let mapping = py.detach(|| sharing.cuda.map(memory)).map_err(error::fatal)?;
                Some(Arc::new(mapping))
            }
            _ => None,
        };
        Ok(Self { renderer, batch: batch.clone().unbind(), mapping })
    }

    /// Environments, cameras, rows and columns of pixels.
    fn dimensions(&self) -> [usize; 4] {
        let options = self.renderer.options();
        let [width, height] = options.size.map(|n| n as usize);
        [self.batch.get().count, options.cameras.len(), height, width]
    }

    /// A copy of an output as an array with `channels` numbers per pixel.
    fn copy<'py, T: NumPyElement + Send>(
        &self,
        py: Python<'py>,
        name: &str,
        channels: Option<usize>,
        read: impl FnOnce(&gpu::BatchRenderer) -> Result<Vec<T>, GpuBatchError> + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        // the batch is locked, so that no other thread renders in between
        let values = self.batch.get().run(py, |_| read(&self.renderer))?;
        if values.is_empty() {
            return Err(error::value(format!("the renderer has no {name}: pass {name}=True")));
        }
        let shape: Vec<usize> = self.dimensions().into_iter().chain(channels).collect();
        Ok(values.into_pyarray(py).reshape(shape)?.into_any())
    }
}

#[pymethods]
impl BatchRenderer {
    /// Number of environments, number of cameras, height and width.
    #[getter]
    fn shape(&self) -> (usize, usize, usize, usize) {
        self.dimensions().into()
    }

    /// What is rendered: a subset of `rgb`, `depth` and `segmentation`.
    #[getter]
    fn outputs(&self) -> Vec<&'static str> {
        let options = self.renderer.options();
        let all = [
            ("rgb", options.rgb),
            ("depth", options.depth),
            ("segmentation", options.segmentation),
        ];
        all.into_iter().filter(|(_, rendered)| *rendered).map(|(name, _)| name).collect()
    }

    /// Whether the images share their memory with CUDA.
    #[getter]
    fn zero_copy(&self) -> bool {
        self.mapping.is_some()
    }

    /// Renders the current states of all environments.
    ///
    /// Work of CUDA that was submitted before is finished first. The call returns when the images are done if they are
    /// shared with CUDA, and otherwise immediately; `wait` selects this explicitly.
    #[pyo3(signature = (*, wait=None))]
    fn render(&self, py: Python<'_>, wait: Option<bool>) -> PyResult<()> {
        let batch = self.batch.get();
        batch.wait_for_cuda(py)?;
        let wait = wait.unwrap_or(self.mapping.is_some());
        batch.run(py, |batch| {
            batch.render(&self.renderer)?;
            if wait { batch.wait() } else { Ok(()) }
        })
    }

    /// Colours of the last images, of shape (num_envs, cameras, height, width, 3).
    fn rgb<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(py, "rgb", Some(3), |renderer| {
            Ok(renderer.rgba()?.into_iter().flat_map(|[r, g, b, _]| [r, g, b]).collect::<Vec<u8>>())
        })
    }

    /// Depths of the last images in metres, of shape (num_envs, cameras, height, width).
    fn depth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(py, "depth", None, gpu::BatchRenderer::depth)
    }

    /// Index and type (`mjtObj`) of the object at each pixel of the last images, of shape
    /// (num_envs, cameras, height, width, 2); -1 where there is none.
    fn segmentation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.copy(py, "segmentation", Some(2), |renderer| {
            Ok(renderer.segmentation()?.into_iter().flatten().collect::<Vec<i32>>())
        })
    }

    /// The memory of the images as a `DeviceArray` with a row for each environment: `"rgba"` has the four bytes of a
    /// pixel in one integer, `"depth"` has floating-point numbers.
    fn array<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let Some(mapping) = &self.mapping else {
            let message = "the images do not share their memory with CUDA: call `rgb` or `depth`";
            return Err(error::exception("UnsupportedError", message));
        };
        let options = self.renderer.options();
        let [count, cameras, height, width] = self.dimensions();
        let row = cameras * height * width;
        let (offset, element) = match name {
            "rgba" if options.rgb => (0, Element::I32),
            "depth" if options.depth => (usize::from(options.rgb) * count * row, Element::F32),
            _ => return Err(error::value(format!("the renderer has no array '{name}'"))),
        };
        let mapping = mapping.clone();
        let matrix = Matrix { mapping, offset, shape: [count, row], stride: row, element };
        let context = self.batch.get().context.clone();
        Ok(Bound::new(py, DeviceArray::new(matrix, context))?.into_any())
    }

    /// Renders, waits, and returns the time on the device in seconds; None if it cannot measure it.
    fn render_timed(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let batch = self.batch.get();
        batch.wait_for_cuda(py)?;
        let time = batch.run(py, |batch| batch.render_timed(&self.renderer))?;
        Ok(time.map(|time| time.as_secs_f64()))
    }
}

/// Options of `GpuBatch.renderer`.
///
/// # Errors
/// If a camera does not exist or the images are empty.
pub fn options(
    model: &Model,
    keys: Option<Vec<CameraKey>>,
    size: [u32; 2],
    [rgb, depth, segmentation]: [bool; 3],
    [shadows, reflections, antialiasing]: [bool; 3],
) -> PyResult<RenderOptions> {
    if size.contains(&0) || !(rgb || depth || segmentation) {
        return Err(error::value(
            "images need a width, a height, and one of rgb, depth and segmentation",
        ));
    }
    Ok(RenderOptions {
        cameras: cameras(model, keys)?,
        size,
        rgb,
        depth,
        segmentation,
        shadows,
        reflections,
        antialiasing,
        ..RenderOptions::default()
    })
}
