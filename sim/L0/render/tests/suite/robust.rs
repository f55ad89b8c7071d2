//! Invalid and extreme scenes give an image or an error that says what to do, never a panic.

use crate::{context, load_at_rest, scene};
use sim_core::{Data, Model};
use sim_render::{AdapterSelection, Context, Outputs, Picture, RenderError, Renderer};
use sim_scene::Scene;
use std::process::Command;

/// A model with a camera 4 m above the origin that looks down.
fn load(worldbody: &str, asset: &str) -> (Model, Data) {
    let xml = format!(
        "<mujoco><visual><quality shadowsize='64'/></visual><asset>{asset}</asset>\
         <worldbody><camera pos='0 0 4'/><light pos='0 0 5'/>{worldbody}</worldbody></mujoco>"
    );
    load_at_rest(&xml)
}

fn render(model: &Model, scene: &Scene) -> Result<Picture, RenderError> {
    Renderer::new(context(), model, [32, 24]).unwrap().render(scene, Outputs::ALL)
}

const TETRAHEDRON: &str = "<mesh name='tetrahedron' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>";

#[test]
fn a_mesh_without_faces_is_not_drawn() {
    let (mut model, data) = load("<geom type='mesh' mesh='tetrahedron'/>", TETRAHEDRON);
    let visible = |picture: Picture| picture.segmentation.iter().any(|&[id, _]| id == 0);
    let scene = scene(&model, &data);
    assert!(visible(render(&model, &scene).unwrap()));
    model.mesh_facenum[0] = 0;
    assert!(!visible(render(&model, &scene).unwrap()));
}

#[test]
fn a_camera_inside_of_each_shape_gives_an_image() {
    let shapes = "<geom type='plane' size='0 0 1' pos='0 0 4'/><geom size='5'/>\
        <geom type='capsule' size='5 1'/><geom type='cylinder' size='5 5'/>\
        <geom type='ellipsoid' size='5 6 7'/><geom type='box' size='5 5 5' rgba='1 0 0 .5'/>\
        <geom type='mesh' mesh='tetrahedron' pos='-.2 -.2 3.8'/>";
    let (model, data) = load(shapes, TETRAHEDRON);
    render(&model, &scene(&model, &data)).unwrap();
}

#[test]
fn poses_that_are_not_finite_are_not_drawn() {
    let (model, data) = load("<geom size='.5'/><geom size='.5' pos='1 0 0'/>", "");
    let mut scene = scene(&model, &data);
    scene.geoms[0].mat = [f32::NAN; 9];
    scene.lights[0].pos = [f32::NAN; 3];
    let picture = render(&model, &scene).unwrap();
    let ids: Vec<i32> = picture.segmentation.iter().map(|&[id, _]| id).collect();
    assert!(!ids.contains(&0) && ids.contains(&1));
    scene.geoms[1].rgba = [f32::NAN; 4];
    scene.geoms[1].size = [f32::MAX; 3];
    scene.geoms[1].segid = i32::MAX;
    scene.geoms[1].dataid = i32::MAX;
    render(&model, &scene).unwrap();
}

#[test]
fn a_camera_that_is_not_finite_is_an_error() {
    let (model, mut data) = load("<geom size='.5'/>", "");
    data.cam_xpos[0] = f64::NAN;
    let error = render(&model, &scene(&model, &data)).unwrap_err();
    assert!(matches!(error, RenderError::Camera), "{error}");
    assert!(error.to_string().contains("reset the simulation"), "{error}");
}

#[test]
fn a_scene_that_was_not_updated_is_an_error() {
    let (model, _) = load("<geom size='.5'/>", "");
    let error = render(&model, &Scene::new(&model, 10)).unwrap_err();
    assert!(error.to_string().contains("update the scene"), "{error}");
}

/// A scene of another model refers to meshes, textures and skins that do not exist.
#[test]
fn a_scene_of_another_model_gives_an_image() {
    let (other, data) = load(
        "<geom type='mesh' mesh='tetrahedron' material='checker'/>",
        &format!(
            "{TETRAHEDRON}<texture name='t' type='2d' builtin='checker' width='8' height='8'/>\
             <material name='checker' texture='t'/>"
        ),
    );
    let mut scene = scene(&other, &data);
    scene.geoms.push(sim_scene::SceneGeom {
        kind: sim_scene::SceneGeomType::Skin,
        ..scene.geoms[0].clone()
    });
    let (model, _) = load("<geom size='.5'/>", "");
    render(&model, &scene).unwrap();
}

/// Environment variable of the child process without a driver.
const CHILD: &str = "SIM_RENDER_TEST_WITHOUT_DRIVER";

#[test]
fn without_a_driver_the_error_names_what_to_install() {
    if std::env::var_os(CHILD).is_some() {
        match Context::new(&AdapterSelection::default()) {
            Ok(context) => println!("<{}>", context.name()),
            Err(error) => println!("<{error}>"),
        }
        return;
    }
    let missing = std::env::temp_dir().join("no-such-driver.json");
    let output = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "robust::without_a_driver_the_error_names_what_to_install",
            "--nocapture",
        ])
        .envs([(CHILD, "1".as_ref()), ("VK_ICD_FILENAMES", missing.as_os_str())])
        .env("VK_DRIVER_FILES", missing.as_os_str())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = text.split_once('<').and_then(|(_, rest)| rest.split_once('>')).unwrap().0;
    // other systems have drivers that these variables do not hide
    if cfg!(target_os = "linux") {
        assert!(error.starts_with("no GPU driver was found: install one"), "{error}");
        assert!(error.contains("mesa-vulkan-drivers") && !error.contains('\n'), "{error}");
    }
}
