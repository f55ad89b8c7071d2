//! Scenes and images: the functions behind `MjvScene`, `MjrContext` and `Renderer`.

use crate::data::MjData;
use crate::error;
use crate::model::MjModel;
use crate::run::{guarded, read};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use sim_physics::render::{AdapterSelection, Context, Outputs, Renderer};
use sim_physics::scene::{
    Camera, CameraType, Category, FrameMode, LabelMode, MouseAction, Perturb, Scene, SceneGeom,
    SceneGeomType, VisOption, mjv_move_camera, mjv_update_scene,
};
use sim_physics::types::ObjType;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Values of a camera: type, fixed camera, tracked body, point, distance, azimuth, elevation, orthographic.
type CameraValues = (i32, i32, i32, [f64; 3], f64, f64, f64, i32);
/// Values of the camera of an eye: position, forward, up, frustum, orthographic.
type EyeValues = ([f32; 3], [f32; 3], [f32; 3], [f32; 6], bool);
/// Values of a geom in MuJoCo's order: integers, vectors, material coefficients, label.
type GeomValues = ([i32; 8], ([f32; 3], [f32; 3], [f32; 9], [f32; 4]), [f32; 6], String);

fn camera_from(values: CameraValues) -> PyResult<Camera> {
    let (kind, fixedcamid, trackbodyid, lookat, distance, azimuth, elevation, orthographic) =
        values;
    let kind = CameraType::from_number(kind).ok_or_else(|| {
        error::value(format!("{kind} is not a camera type; use a member of mjtCamera"))
    })?;
    let orthographic = orthographic != 0;
    Ok(Camera { kind, fixedcamid, trackbodyid, lookat, distance, azimuth, elevation, orthographic })
}

/// Visualization options from MuJoCo's values: seven groups of six, flags, label, frame and two integers.
fn option_from(groups: &[u8], flags: &[u8], integers: [i32; 4]) -> PyResult<VisOption> {
    let mut option = VisOption::default();
    let [label, frame, bvh_depth, flex_layer] = integers;
    option.label = LabelMode::from_number(label)
        .ok_or_else(|| error::value(format!("{label} is not a label; use a member of mjtLabel")))?;
    option.frame = FrameMode::from_number(frame)
        .ok_or_else(|| error::value(format!("{frame} is not a frame; use a member of mjtFrame")))?;
    (option.bvh_depth, option.flex_layer) = (bvh_depth, flex_layer);
    let targets = [
        &mut option.geomgroup,
        &mut option.sitegroup,
        &mut option.jointgroup,
        &mut option.tendongroup,
        &mut option.actuatorgroup,
        &mut option.flexgroup,
        &mut option.skingroup,
    ];
    for (target, values) in targets.into_iter().zip(groups.chunks_exact(6)) {
        target.iter_mut().zip(values).for_each(|(to, from)| *to = *from != 0);
    }
    option.flags.iter_mut().zip(flags).for_each(|(to, from)| *to = *from != 0);
    Ok(option)
}

/// The geoms, lights and cameras that are drawn.
#[pyclass(frozen, module = "sim_physics._core")]
pub struct SceneHandle(Mutex<Scene>);

impl SceneHandle {
    fn lock(&self) -> MutexGuard<'_, Scene> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl SceneHandle {
    #[new]
    fn new(py: Python<'_>, m: &Bound<'_, MjModel>, maxgeom: usize) -> PyResult<Self> {
        Ok(Self(Mutex::new(m.get().with(py, |m| Scene::new(m, maxgeom))?)))
    }

    /// Lists what there is to draw; returns the point that the camera looks at.
    #[allow(clippy::too_many_arguments, reason = "the arguments of mjv_updateScene")]
    fn update(
        &self,
        py: Python<'_>,
        m: &Bound<'_, MjModel>,
        d: &Bound<'_, MjData>,
        groups: Vec<u8>,
        flags: Vec<u8>,
        integers: [i32; 4],
        selected: Option<([i32; 5], [f64; 3])>,
        camera: CameraValues,
        catmask: i32,
    ) -> PyResult<[f64; 3]> {
        let option = option_from(&groups, &flags, integers)?;
        let perturb =
            selected.map(|([select, flexselect, skinselect, active, active2], localpos)| Perturb {
                select,
                flexselect,
                skinselect,
                active,
                active2,
                localpos,
                ..Perturb::default()
            });
        let mut camera = camera_from(camera)?;
        let mut scene = self.lock();
        read(py, m.get(), d.get(), |m, d| {
            mjv_update_scene(
                m,
                d,
                &option,
                perturb.as_ref(),
                &mut camera,
                Category(catmask),
                &mut scene,
            )
        })?
        .map_err(|e| error::value(e.to_string()))?;
        Ok(camera.lookat)
    }

    /// Moves a camera with the mouse; returns its point, distance, azimuth and elevation.
    fn move_camera(
        &self,
        py: Python<'_>,
        m: &Bound<'_, MjModel>,
        action: i32,
        reldx: f64,
        reldy: f64,
        camera: CameraValues,
    ) -> PyResult<([f64; 3], f64, f64, f64)> {
        let action = MouseAction::from_number(action)
            .ok_or_else(|| error::value(format!("{action} is not a member of mjtMouse")))?;
        let mut camera = camera_from(camera)?;
        let scene = self.lock();
        m.get()
            .with(py, |m| mjv_move_camera(m, action, reldx, reldy, &scene, &mut camera))?
            .map_err(|e| error::value(e.to_string()))?;
        Ok((camera.lookat, camera.distance, camera.azimuth, camera.elevation))
    }

    /// Number of geoms.
    #[getter]
    fn ngeom(&self) -> usize {
        self.lock().geoms.len()
    }

    /// Removes geoms beyond a number of them, or adds empty ones.
    fn set_ngeom(&self, count: usize) {
        let mut scene = self.lock();
        let count = count.min(scene.maxgeom);
        scene.geoms.resize_with(count, SceneGeom::default);
    }

    /// Number of lights.
    #[getter]
    fn nlight(&self) -> usize {
        self.lock().lights.len()
    }

    /// Rendering flags.
    #[getter]
    fn flags(&self) -> Vec<u8> {
        self.lock().flags.iter().map(|f| u8::from(*f)).collect()
    }

    fn set_flags(&self, flags: Vec<u8>) {
        self.lock().flags.iter_mut().zip(flags).for_each(|(to, from)| *to = from != 0);
    }

    /// Values of a geom.
    fn geom(&self, index: usize) -> PyResult<GeomValues> {
        let scene = self.lock();
        let g = scene
            .geoms
            .get(index)
            .ok_or_else(|| PyIndexError::new_err(format!("no geom {index}")))?;
        let integers = [
            g.kind.number(),
            g.dataid,
            g.objtype.number(),
            g.objid,
            g.category.0,
            g.matid,
            i32::from(g.texcoord),
            g.segid,
        ];
        let material =
            [g.emission, g.specular, g.shininess, g.reflectance, g.camdist, g.modelrbound];
        Ok((integers, (g.size, g.pos, g.mat, g.rgba), material, g.label.clone()))
    }

    /// Replaces a geom.
    fn set_geom(&self, index: usize, values: GeomValues) -> PyResult<()> {
        let (
            [kind, dataid, objtype, objid, category, matid, texcoord, segid],
            vectors,
            material,
            label,
        ) = values;
        let (size, pos, mat, rgba) = vectors;
        let [emission, specular, shininess, reflectance, camdist, modelrbound] = material;
        let kind = SceneGeomType::from_number(kind).ok_or_else(|| {
            error::value(format!("{kind} is not a geom type; use a member of mjtGeom"))
        })?;
        let geom = SceneGeom {
            kind,
            dataid,
            objtype: ObjType::from_number(objtype).unwrap_or_default(),
            objid,
            category: Category(category),
            matid,
            texcoord: texcoord != 0,
            segid,
            size,
            pos,
            mat,
            rgba,
            emission,
            specular,
            shininess,
            reflectance,
            label,
            camdist,
            modelrbound,
            transparent: rgba[3] < 1.0,
        };
        let mut scene = self.lock();
        let target = scene.geoms.get_mut(index);
        *target.ok_or_else(|| PyIndexError::new_err(format!("no geom {index}")))? = geom;
        Ok(())
    }

    /// Camera of an eye: position, forward, up, then centre, width, bottom, top, near and far of the frustum, and
    /// whether it is orthographic.
    fn camera(&self, eye: usize) -> PyResult<EyeValues> {
        let scene = self.lock();
        let c = scene
            .camera
            .get(eye)
            .ok_or_else(|| PyIndexError::new_err(format!("no camera {eye}")))?;
        let frustum = [
            c.frustum_center,
            c.frustum_width,
            c.frustum_bottom,
            c.frustum_top,
            c.frustum_near,
            c.frustum_far,
        ];
        Ok((c.pos, c.forward, c.up, frustum, c.orthographic))
    }
}

/// The GPU device of the process.
///
/// # Errors
/// If there is none, or it was created before a fork.
fn context() -> PyResult<Context> {
    static CONTEXT: Mutex<Option<(u32, Context)>> = Mutex::new(None);
    let mut current = CONTEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    match &*current {
        Some((owner, context)) if *owner == process => Ok(context.clone()),
        Some(_) => Err(error::exception(
            "ForkError",
            "the GPU device was created before os.fork(): render in the parent process, or start processes with the \
             method `spawn`",
        )),
        None => {
            let new = guarded(|| Context::new(&AdapterSelection::from_env()))?;
            let new = new.map_err(|e| {
                error::exception(
                    "UnsupportedError",
                    format!("images need a Vulkan, Metal or DX12 driver; on Debian install mesa-vulkan-drivers: {e}"),
                )
            })?;
            *current = Some((process, new.clone()));
            Ok(new)
        }
    }
}

/// Renders scenes of one model to images.
#[pyclass(frozen, module = "sim_physics._core")]
pub struct RendererHandle {
    renderer: Mutex<Renderer>,
    process: u32,
}

#[pymethods]
impl RendererHandle {
    #[new]
    fn new(py: Python<'_>, m: &Bound<'_, MjModel>, width: u32, height: u32) -> PyResult<Self> {
        let context = py.detach(context)?;
        let renderer =
            m.get().with(py, |m| guarded(|| Renderer::new(&context, m, [width, height])))??;
        let renderer = renderer.map_err(|e| error::value(e.to_string()))?;
        Ok(Self { renderer: Mutex::new(renderer), process: std::process::id() })
    }

    /// Renders a scene; `outputs` is a combination of 1 colour, 2 depth, 4 segmentation and 8 normals.
    fn render<'py>(
        &self,
        py: Python<'py>,
        scene: &Bound<'py, SceneHandle>,
        width: u32,
        height: u32,
        outputs: u8,
    ) -> PyResult<Bound<'py, PyDict>> {
        if std::process::id() != self.process {
            return Err(error::exception(
                "ForkError",
                "this renderer was created before os.fork()",
            ));
        }
        let all = [Outputs::RGB, Outputs::DEPTH, Outputs::SEGMENTATION, Outputs::NORMAL];
        let requested = (0..all.len()).filter(|bit| outputs >> bit & 1 == 1).map(|bit| all[bit]);
        let requested = requested.reduce(|a, b| a | b).unwrap_or(Outputs::RGB);
        let scene = scene.get().lock().clone();
        let picture = py.detach(|| {
            guarded(|| {
                let mut renderer = self.renderer.lock().unwrap_or_else(PoisonError::into_inner);
                if renderer.size() != [width, height] {
                    renderer.resize([width, height])?;
                }
                renderer.render(&scene, requested)
            })
        })?;
        let picture = picture.map_err(|e| error::value(e.to_string()))?;
        let (height, width) = (picture.height, picture.width);
        let result = PyDict::new(py);
        if !picture.rgb.is_empty() {
            result.set_item("rgb", picture.rgb.into_pyarray(py).reshape([height, width, 3])?)?;
        }
        if !picture.depth.is_empty() {
            result.set_item("depth", picture.depth.into_pyarray(py).reshape([height, width])?)?;
        }
        if !picture.segmentation.is_empty() {
            let flat: Vec<i32> = picture.segmentation.into_iter().flatten().collect();
            result.set_item("segmentation", flat.into_pyarray(py).reshape([height, width, 2])?)?;
        }
        if !picture.normal.is_empty() {
            let flat: Vec<f32> = picture.normal.into_iter().flatten().collect();
            result.set_item("normal", flat.into_pyarray(py).reshape([height, width, 3])?)?;
        }
        Ok(result)
    }
}

/// Camera that shows the whole model: point, distance, azimuth, elevation, orthographic.
#[pyfunction]
fn free_camera(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
) -> PyResult<([f64; 3], f64, f64, f64, bool)> {
    m.get().with(py, |m| {
        let c = Camera::free(m);
        (c.lookat, c.distance, c.azimuth, c.elevation, c.orthographic)
    })
}

/// Adds the classes to the module.
///
/// # Errors
/// If Python has no memory.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SceneHandle>()?;
    module.add_class::<RendererHandle>()?;
    crate::add_functions!(module; free_camera);
    Ok(())
}
