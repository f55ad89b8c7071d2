//! Camera sensors: images of a model's camera at a fixed rate.

use crate::{Error, Simulation};
use sim_core::Model;
use sim_core::types::ObjType;
use sim_render::{Context, Outputs, Picture, RenderError, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};

/// Most geoms of a scene.
const MAX_GEOMS: usize = 100_000;

/// Outputs by the bits of `cam_output` (`mjtCamOutBit`). A distance is computed from the depth.
const OUTPUTS: [Outputs; 5] =
    [Outputs::RGB, Outputs::DEPTH, Outputs::DEPTH, Outputs::NORMAL, Outputs::SEGMENTATION];

/// Renders a camera of the model with its attributes `resolution` and `output` at a fixed rate.
///
/// ```no_run
/// use sim_physics::{CameraSensor, Simulation, render};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut sim = Simulation::load("robot.xml")?;
/// let context = render::Context::new(&render::AdapterSelection::from_env())?;
/// // 30 images per second of simulated time
/// let mut camera = CameraSensor::new(&context, sim.model(), "wrist", 30.0)?;
/// for _ in 0..1000 {
///     sim.step()?;
///     if let Some(picture) = camera.sample(&sim)? {
///         println!("{:.3} s: {} bytes", sim.time(), picture.rgb.len());
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct CameraSensor {
    camera: Camera,
    renderer: Renderer,
    scene: Scene,
    outputs: Outputs,
    /// What is visible; by default that of MuJoCo.
    pub option: VisOption,
    rate: f64,
    /// Number of the last sampling interval.
    last: Option<f64>,
}

impl CameraSensor {
    /// A sensor for the camera with this name. `rate` is the number of images per second of simulated time.
    ///
    /// # Errors
    ///
    /// [`Error::UnknownName`] if there is no such camera, [`Error::Camera`] if it has no `resolution` or the rate
    /// is not positive, and [`Error::Render`] if the device cannot hold the model or the image.
    pub fn new(context: &Context, model: &Model, name: &str, rate: f64) -> Result<Self, Error> {
        let unknown = || Error::UnknownName { kind: "camera", name: name.to_owned() };
        let id = model.name2id(ObjType::Camera, name).ok_or_else(unknown)?;
        let invalid =
            |reason: &str| Error::Camera { name: name.to_owned(), reason: reason.to_owned() };
        if !(rate > 0.0 && rate.is_finite()) {
            return Err(invalid("the rate must be a positive number of images per second"));
        }
        let size = model.cam_resolution.as_chunks::<2>().0[id];
        if size == [1, 1] {
            return Err(invalid(
                "it has no image size; set its attribute `resolution=\"width height\"`",
            ));
        }
        let size = size.map(|n| u32::try_from(n).unwrap_or(0));
        let bits = model.cam_output[id];
        let requested = (0..OUTPUTS.len()).filter(|bit| bits >> bit & 1 == 1);
        let outputs = requested.map(|bit| OUTPUTS[bit]).reduce(|a, b| a | b);
        Ok(Self {
            camera: Camera::fixed(id),
            renderer: Renderer::new(context, model, size)?,
            scene: Scene::new(model, MAX_GEOMS),
            outputs: outputs.unwrap_or(Outputs::RGB),
            option: VisOption::default(),
            rate,
            last: None,
        })
    }

    /// Width and height of images in pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        self.renderer.size()
    }

    /// What images contain.
    #[must_use]
    pub const fn outputs(&self) -> Outputs {
        self.outputs
    }

    /// Renders an image if the simulation has entered a new interval of the rate since the last one; the first
    /// call always renders. The poses are those of the last forward dynamics, as of all sensors.
    ///
    /// # Errors
    ///
    /// As [`CameraSensor::render`].
    pub fn sample(&mut self, sim: &Simulation) -> Result<Option<Picture>, Error> {
        // times are sums of time steps with rounding errors
        let interval = (sim.time() * self.rate + 1e-6).floor();
        if self.last == Some(interval) {
            return Ok(None);
        }
        let picture = self.render(sim)?;
        self.last = Some(interval);
        Ok(Some(picture))
    }

    /// Renders the current state.
    ///
    /// # Errors
    ///
    /// [`Error::Render`] if the pose of the camera is not finite or the device fails.
    pub fn render(&mut self, sim: &Simulation) -> Result<Picture, Error> {
        let (camera, scene) = (&mut self.camera, &mut self.scene);
        mjv_update_scene(sim.model(), sim.data(), &self.option, None, camera, Category::ALL, scene)
            .map_err(RenderError::Scene)?;
        Ok(self.renderer.render(scene, self.outputs)?)
    }

    /// Distances from the camera to the points of an image (m), from its depth, which is measured along the
    /// line of sight. They differ except for orthographic cameras.
    #[must_use]
    pub fn distances(&self, picture: &Picture) -> Vec<f32> {
        let camera = &self.scene.camera[0];
        if camera.orthographic {
            return picture.depth.clone();
        }
        let (width, height) = (picture.width, picture.height);
        let vertical = camera.frustum_top - camera.frustum_bottom;
        let horizontal = match camera.frustum_width {
            0.0 => vertical * width as f32 / height as f32,
            half => 2.0 * half,
        };
        let ratio = |i: usize, n: usize| (i as f32 + 0.5) / n as f32;
        let distance = |(i, &depth): (usize, &f32)| {
            let x = camera.frustum_center + horizontal * (ratio(i % width, width) - 0.5);
            let y = camera.frustum_top - vertical * ratio(i / width, height);
            let z = camera.frustum_near;
            depth * (x * x + y * y + z * z).sqrt() / z
        };
        picture.depth.iter().enumerate().map(distance).collect()
    }
}
