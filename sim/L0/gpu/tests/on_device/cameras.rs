//! Images of batches, compared with those of the renderer for single scenes.

use crate::models::gpu;
use sim_core::{Data, Model, mj_forward};
use sim_gpu::{GpuBatch, GpuBatchError, Options, RenderOptions};
use sim_render::{Outputs, Picture, Renderer};
use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};

const SIZE: [u32; 2] = [80, 64];

/// Every geom type, a site, textures, a mirror, a spot light with shadows, and cameras in all modes.
const ROOM: &str = r#"<mujoco>
  <visual><quality shadowsize="1024" offsamples="4"/><headlight ambient=".3 .3 .3" diffuse=".4 .4 .4"/></visual>
  <asset>
    <texture name="checker" type="2d" builtin="checker" rgb1=".8 .7 .6" rgb2=".2 .3 .4" width="64" height="64"/>
    <texture name="cube" type="cube" builtin="gradient" rgb1="1 .5 .2" rgb2=".1 .2 .9" width="32" height="32"/>
    <texture type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="0 0 0" width="32" height="32"/>
    <material name="floor" texture="checker" texrepeat="4 4" reflectance=".2"/>
    <material name="painted" texture="cube"/>
    <mesh name="wedge" vertex="-.3 -.2 0  .3 -.2 0  .3 .2 0  -.3 .2 0  0 -.2 .4  0 .2 .4"/>
    <hfield name="hills" nrow="3" ncol="3" size=".4 .4 .3 .1" elevation="0 1 0 1 .5 1 0 1 0"/>
  </asset>
  <worldbody>
    <light pos="1 -1 3" dir="-.3 .3 -1" cutoff="60" diffuse=".6 .6 .6"/>
    <light directional="true" dir="0 1 -1" diffuse=".3 .3 .3" castshadow="false"/>
    <geom type="plane" size="3 3 .1" material="floor"/>
    <geom type="hfield" hfield="hills" pos="-1 -1 .1" rgba=".3 .6 .3 1"/>
    <geom type="mesh" mesh="wedge" pos="1.2 -.8 .2" rgba=".7 .2 .5 1"/>
    <camera name="corner" pos="2 -2.5 2" xyaxes="1 .8 0 -.4 .5 1"/>
    <camera name="aimed" pos="-2.5 -1.5 1.2" mode="targetbody" target="arm"/>
    <camera name="above" pos="0 0 4" projection="orthographic" fovy="4"/>
    <body name="arm" pos="0 0 .6">
      <joint axis="0 1 0"/><joint axis="0 0 1"/>
      <camera name="mounted" pos="-.6 0 .5" xyaxes="0 -1 0 .6 0 1" mode="track"/>
      <geom type="capsule" fromto="0 0 0 .5 0 .3" size=".1" rgba=".9 .8 .2 1"/>
      <geom type="sphere" size=".2" material="painted"/>
      <site pos=".5 0 .45" size=".06" rgba="0 1 1 1"/>
    </body>
    <body pos="-.6 .7 .5"><freejoint/><geom type="box" size=".2 .15 .25" material="painted"/></body>
    <body pos=".6 .8 .4"><freejoint/><geom type="cylinder" size=".15 .25" rgba=".3 .4 .9 1"/></body>
    <body pos="-.2 -.8 .4"><freejoint/><geom type="ellipsoid" size=".25 .15 .1" rgba=".9 .3 .3 .5"/></body>
  </worldbody>
</mujoco>"#;

fn model() -> Model {
    sim_mjcf::load_str(ROOM).unwrap_or_else(|error| panic!("{error}"))
}

/// A state of environment `k`.
fn state(m: &Model, k: usize) -> Data {
    let mut d = m.make_data();
    d.qpos[0] = 0.7 * k as f64;
    d.qpos[1] = 0.4 * k as f64;
    d.qpos[2] += 0.1 * k as f64;
    d
}

/// The image of the renderer for single scenes.
fn picture(renderer: &mut Renderer, m: &Model, d: &mut Data, camera: usize) -> Picture {
    mj_forward(m, d).expect("forward");
    let mut scene = Scene::new(m, 100);
    let (option, mut camera) = (VisOption::default(), Camera::fixed(camera));
    mjv_update_scene(m, d, &option, None, &mut camera, Category::ALL, &mut scene).expect("a scene");
    renderer.render(&scene, Outputs::ALL).expect("an image")
}

#[test]
fn images_agree_with_the_renderer() {
    let m = model();
    let options = Options { one_lane: true, checked: true, ..Options::default() };
    let mut batch = GpuBatch::new(gpu(), &m, 2, &options).unwrap_or_else(|error| panic!("{error}"));
    let mut datas = [0, 1].map(|k| state(&m, k));
    let states: Vec<f64> = datas.iter().flat_map(|d| [&d.qpos[..], &d.qvel[..]].concat()).collect();
    batch.set_state(&states).expect("states");
    let cameras: Vec<usize> = (0..m.ncam).collect();
    let options = RenderOptions {
        cameras: cameras.iter().map(|&id| Camera::fixed(id)).collect(),
        size: SIZE,
        depth: true,
        segmentation: true,
        antialiasing: true,
        ..RenderOptions::default()
    };
    let images = batch.renderer(&options).unwrap_or_else(|error| panic!("{error}"));
    batch.render(&images).expect("rendered");
    let (rgba, depth) = (images.rgba().expect("colours"), images.depth().expect("depths"));
    let ids = images.segmentation().expect("segmentations");
    let pixels = (SIZE[0] * SIZE[1]) as usize;
    assert_eq!((rgba.len(), depth.len(), ids.len()), (8 * pixels, 8 * pixels, 8 * pixels));
    let mut renderer = Renderer::new(gpu(), &m, SIZE).expect("a renderer");
    for (env, d) in datas.iter_mut().enumerate() {
        for &camera in &cameras {
            let expected = picture(&mut renderer, &m, d, camera);
            let first = (env * cameras.len() + camera) * pixels;
            let near = |k: usize| (depth[first + k] - expected.depth[k]).abs() < 0.02;
            let same = (0..pixels).filter(|&k| ids[first + k] == expected.segmentation[k]).count();
            let close = (0..pixels).filter(|&k| near(k)).count();
            let error: f64 = (0..pixels)
                .flat_map(|k| (0..3).map(move |c| (k, c)))
                .map(|(k, c)| f64::from(rgba[first + k][c].abs_diff(expected.rgb[3 * k + c])))
                .sum::<f64>()
                / (3 * pixels) as f64;
            let part = |n: usize| n as f64 / pixels as f64;
            let all = format!(
                "environment {env}, camera {camera}: segmentation {:.4}, depth {:.4}, colour off by {error:.2}",
                part(same),
                part(close)
            );
            println!("{all}");
            assert!(part(same) > 0.99 && part(close) > 0.99 && error < 3.5, "{all}");
        }
    }
}

#[test]
fn missing_cameras_are_errors() {
    let m = model();
    let options = Options { one_lane: true, ..Options::default() };
    let batch = GpuBatch::new(gpu(), &m, 1, &options).unwrap_or_else(|error| panic!("{error}"));
    for (cameras, expected) in [(vec![Camera::fixed(9)], "camera 9"), (vec![], "no cameras")] {
        let options = RenderOptions { cameras, ..RenderOptions::default() };
        let error = batch.renderer(&options).expect_err("no such camera");
        let named = matches!(&error, GpuBatchError::Render(why) if why.contains(expected));
        assert!(named, "{error}");
    }
}
