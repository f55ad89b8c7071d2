//! Tests of the renderer on the available device, in one program: each program links the GPU libraries.

mod image_goldens;
mod images;
mod robust;

use sim_core::{Data, Model, mj_forward};
use sim_render::{AdapterSelection, Context};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
use std::sync::OnceLock;

fn context() -> &'static Context {
    static CONTEXT: OnceLock<Context> = OnceLock::new();
    CONTEXT.get_or_init(|| Context::new(&AdapterSelection::from_env()).unwrap())
}

/// A model and its data at the reference configuration.
fn load_at_rest(xml: &str) -> (Model, Data) {
    let model = sim_mjcf::load_str(xml).unwrap();
    let mut data = model.make_data();
    mj_forward(&model, &mut data).unwrap();
    (model, data)
}

/// The scene seen by the camera 0 of the model.
fn scene(model: &Model, data: &Data) -> Scene {
    let mut scene = Scene::new(model, 1000);
    let (option, mut camera) = (VisOption::default(), Camera::fixed(0));
    mjv_update_scene(model, data, &option, None, &mut camera, Category::ALL, &mut scene).unwrap();
    scene
}
