//! What is shown: camera, visualization options, selection and the scenes of all tiles.

use crate::link::Snapshot;
use crate::world::World;
use sim_physics::Model;
use sim_physics::scene::{
    Camera, CameraType, Category, FrameMode, LabelMode, Perturb, RenderFlag, Scene, VisOption,
    mjv_update_scene,
};

/// Most geoms of a scene.
const MAX_GEOMS: usize = 100_000;

/// Camera, visualization options, selection, and the scenes that are drawn.
#[derive(Debug, Default)]
pub struct View {
    /// Camera of the main view; with several environments, of all.
    pub camera: Camera,
    /// Cameras that are shown beside the main view.
    pub extra: Vec<Camera>,
    /// What is visualized.
    pub option: VisOption,
    /// Rendering effects, indexed by [`RenderFlag`].
    pub flags: [bool; RenderFlag::ALL.len()],
    /// Selected body and its perturbation.
    pub perturb: Perturb,
    /// The environment that the panels show and the mouse perturbs.
    pub world: usize,
    /// Scenes of the tiles, as of the last frame.
    pub scenes: Vec<Scene>,
    /// Identity of the model that the scenes were created for.
    pub(crate) assets: Option<u64>,
}

/// A rectangle of the view: which environment it shows, and with which camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TileOf {
    /// Index of the environment.
    pub world: usize,
    /// Index of the additional camera; `None` for the main one.
    pub extra: Option<usize>,
}

impl View {
    /// Prepares for another model. The camera is kept unless the view is new or the camera does not exist.
    pub(crate) fn model_changed(&mut self, world: &World, is_new: bool) {
        let model = &world.model;
        self.assets = Some(world.assets);
        self.scenes.clear();
        self.perturb = Perturb::default();
        self.extra.retain(|camera| exists(camera, model));
        if is_new {
            self.camera = Camera::free(model);
            if let Ok(id) = usize::try_from(model.vis.global.cameraid)
                && id < model.ncam
            {
                self.camera = Camera::fixed(id);
            }
            for flag in RenderFlag::ALL {
                self.flags[*flag as usize] = flag.info().1;
            }
        } else if !exists(&self.camera, model) {
            self.camera = Camera::free(model);
        }
    }

    /// The tiles: one per environment, or one per camera of a single environment.
    pub(crate) fn tiles(&self, worlds: usize) -> Vec<TileOf> {
        if worlds > 1 {
            return (0..worlds).map(|world| TileOf { world, extra: None }).collect();
        }
        let extra = (0..self.extra.len()).map(Some);
        std::iter::once(None).chain(extra).map(|extra| TileOf { world: 0, extra }).collect()
    }

    /// Updates the scene of a tile.
    pub(crate) fn update(
        &mut self,
        index: usize,
        tile: TileOf,
        snapshot: &Snapshot,
    ) -> Result<(), String> {
        let Some(World { model, data, .. }) = snapshot.worlds.get(tile.world) else {
            return Err("the environment does not exist".to_owned());
        };
        while self.scenes.len() <= index {
            self.scenes.push(Scene::new(model, MAX_GEOMS));
        }
        let scene = &mut self.scenes[index];
        if scene.skinvert.len() != model.nskinvert {
            *scene = Scene::new(model, MAX_GEOMS);
        }
        scene.flags = self.flags;
        let perturb = (tile.world == self.world).then_some(&self.perturb);
        let own = tile.extra.and_then(|i| self.extra.get_mut(i));
        // each environment is tracked from the same direction
        let mut shared = self.camera.clone();
        let is_main = own.is_none();
        let camera = own.unwrap_or(&mut shared);
        if !exists(camera, model) {
            *camera = Camera::free(model);
        }
        let all = Category::ALL;
        mjv_update_scene(model, data, &self.option, perturb, camera, all, scene)
            .map_err(|error| error.to_string())?;
        if is_main && tile.world == self.world {
            self.camera = shared;
        }
        snapshot.overlay.geoms.iter().for_each(|geom| scene.push(geom.clone()));
        Ok(())
    }

    /// Shows the free camera; it keeps its place if it is free already.
    pub(crate) fn free_camera(&mut self, model: &Model) {
        match self.camera.kind {
            CameraType::Free => {}
            CameraType::Tracking => self.camera.kind = CameraType::Free,
            _ => self.camera = Camera::free(model),
        }
    }

    /// Shows the next camera of the model, or the previous one.
    pub(crate) fn cycle_camera(&mut self, model: &Model, step: isize) {
        if model.ncam == 0 {
            return;
        }
        let next = match (self.camera.kind, usize::try_from(self.camera.fixedcamid)) {
            (CameraType::Fixed, Ok(id)) => {
                (id + model.ncam).saturating_add_signed(step) % model.ncam
            }
            _ if step < 0 => model.ncam - 1,
            _ => 0,
        };
        self.camera = Camera::fixed(next);
    }

    /// Shows the next kind of coordinate frames.
    pub(crate) fn cycle_frame(&mut self) {
        self.option.frame = next(FrameMode::ALL, self.option.frame);
    }

    /// Shows the next kind of labels.
    pub(crate) fn cycle_label(&mut self) {
        self.option.label = next(LabelMode::ALL, self.option.label);
    }
}

/// The element after another one, cyclically.
fn next<T: Copy + PartialEq>(all: &[T], current: T) -> T {
    let i = all.iter().position(|value| *value == current).map_or(0, |i| i + 1);
    all[i % all.len()]
}

/// Whether a model has what a camera refers to.
fn exists(camera: &Camera, model: &Model) -> bool {
    let below = |id: i32, n: usize| usize::try_from(id).is_ok_and(|id| id < n);
    match camera.kind {
        CameraType::Fixed => below(camera.fixedcamid, model.ncam),
        CameraType::Tracking => below(camera.trackbodyid, model.nbody),
        _ => true,
    }
}
