//! Rendered images on the available device; the tests fail without one.

use crate::{context, load_at_rest, scene};
use sim_core::types::ObjType;
use sim_core::{Data, Model, mj_forward};
use sim_render::{Outputs, Picture, RenderError, Renderer};
use sim_scene::{Camera, Category, RenderFlag, Scene, VisOption, mjv_update_scene};

const SIZE: [u32; 2] = [64, 48];

/// A model with small shadow maps, since tests run on software drivers.
fn load(worldbody: &str, asset: &str) -> (Model, Data) {
    let xml = format!(
        "<mujoco><visual><quality shadowsize='256' numquads='1'/></visual><asset>{asset}</asset>\
         <worldbody>{worldbody}</worldbody></mujoco>"
    );
    load_at_rest(&xml)
}

fn render(model: &Model, scene: &Scene) -> Picture {
    let mut renderer = Renderer::new(context(), model, SIZE).unwrap();
    renderer.render(scene, Outputs::ALL).unwrap()
}

/// Index of the pixel at a position relative to the image.
fn pixel(picture: &Picture, x: f64, y: f64) -> usize {
    let at = |x: f64, n: usize| ((x * n as f64) as usize).min(n - 1);
    at(y, picture.height) * picture.width + at(x, picture.width)
}

fn rgb(picture: &Picture, x: f64, y: f64) -> [i32; 3] {
    let i = 3 * pixel(picture, x, y);
    [0, 1, 2].map(|k| i32::from(picture.rgb[i + k]))
}

/// A camera 4 m above the origin that looks down; the y axis points up in the image.
const CAMERA: &str = "<camera pos='0 0 4'/>";

#[test]
fn depth_segmentation_and_normals_of_a_box() {
    let (model, data) =
        load(&format!("{CAMERA}<geom type='box' size='.5 .5 .5' rgba='1 0 0 1'/>"), "");
    let picture = render(&model, &scene(&model, &data));
    let center = pixel(&picture, 0.5, 0.5);
    assert!((picture.depth[center] - 3.5).abs() < 1e-4, "{}", picture.depth[center]);
    assert_eq!(picture.segmentation[center], [0, ObjType::Geom as i32]);
    assert_eq!(picture.normal[center], [0.0, 0.0, 1.0]);
    let corner = pixel(&picture, 0.02, 0.02);
    let far = f64::from(model.vis.map.zfar) * model.stat.extent;
    assert!((f64::from(picture.depth[corner]) - far).abs() < 1e-3 * far);
    assert_eq!(picture.segmentation[corner], [-1, -1]);
    assert_eq!(picture.normal[corner], [0.0; 3]);
    let [red, green, blue] = rgb(&picture, 0.5, 0.5);
    // the specular highlight of the headlight is white
    assert!(red > 100 && red > green && green == blue, "{red} {green} {blue}");
    assert_eq!(rgb(&picture, 0.02, 0.02), [0; 3]);
}

#[test]
fn orthographic_depth_is_in_metres() {
    let camera = "<camera pos='0 0 4' projection='orthographic' fovy='2'/>";
    let (model, data) = load(&format!("{camera}<geom type='box' size='.5 .5 .5'/>"), "");
    let picture = render(&model, &scene(&model, &data));
    let center = pixel(&picture, 0.5, 0.5);
    assert!((picture.depth[center] - 3.5).abs() < 1e-3, "{}", picture.depth[center]);
}

/// The image is upright and not mirrored: x to the right, y upwards.
#[test]
fn image_axes() {
    let geoms =
        "<geom size='.3' pos='1 0 0' rgba='1 0 0 1'/><geom size='.3' pos='0 .8 0' rgba='0 1 0 1'/>";
    let (model, data) = load(&format!("{CAMERA}{geoms}"), "");
    let picture = render(&model, &scene(&model, &data));
    let find = |id: i32| {
        let pixels = (0..picture.segmentation.len()).filter(|&i| picture.segmentation[i][0] == id);
        let (mut n, mut x, mut y) = (0, 0, 0);
        pixels.for_each(|i| (n, x, y) = (n + 1, x + i % picture.width, y + i / picture.width));
        (x / n, y / n)
    };
    let (red, green) = (find(0), find(1));
    assert!(red.0 > 40 && red.1.abs_diff(24) < 3, "{red:?}");
    assert!(green.1 < 16 && green.0.abs_diff(32) < 3, "{green:?}");
}

#[test]
fn shadows_darken_the_floor() {
    let lit = "<light directional='true' pos='0 0 3' dir='.3 0 -1' castshadow='true'/>\
        <geom type='plane' size='3 3 .1' rgba='1 1 1 1'/><geom size='.3' pos='-.5 0 1'/>";
    let (model, data) = load(&format!("{CAMERA}{lit}"), "");
    let mut scene = scene(&model, &data);
    let with = render(&model, &scene);
    scene.flags[RenderFlag::Shadow as usize] = false;
    let without = render(&model, &scene);
    let (dark, bright): (Vec<_>, Vec<_>) = (0..with.segmentation.len())
        .filter(|&i| with.segmentation[i][0] == 0)
        .partition(|&i| with.rgb[3 * i].saturating_add(20) < without.rgb[3 * i]);
    assert!(dark.len() > 30 && bright.len() > 10 * dark.len(), "{} {}", dark.len(), bright.len());
}

#[test]
fn mirrors_show_the_reflected_scene() {
    let asset = "<material name='mirror' reflectance='.9' rgba='.1 .1 .1 1'/>";
    let world = "<camera pos='0 -3 2' xyaxes='1 0 0 0 2 3'/>\
        <geom type='plane' size='5 5 .1' material='mirror'/><geom size='.3' pos='0 0 .8' rgba='1 0 0 1'/>";
    let (model, data) = load(world, asset);
    let mut scene = scene(&model, &data);
    let red = |picture: &Picture| {
        let floor = (0..picture.segmentation.len()).filter(|&i| picture.segmentation[i][0] == 0);
        floor.filter(|&i| picture.rgb[3 * i] > picture.rgb[3 * i + 1].saturating_add(40)).count()
    };
    assert!(red(&render(&model, &scene)) > 20);
    scene.flags[RenderFlag::Reflection as usize] = false;
    assert_eq!(red(&render(&model, &scene)), 0);
}

#[test]
fn transparent_geoms_are_blended() {
    let world = "<geom type='box' size='.5 .5 .1' rgba='1 0 0 1'/>\
        <geom type='box' size='.5 .5 .1' pos='0 0 1' rgba='0 0 1 .5'/>";
    let (model, data) = load(&format!("{CAMERA}{world}"), "");
    let picture = render(&model, &scene(&model, &data));
    let [red, _, blue] = rgb(&picture, 0.5, 0.5);
    assert!(red > 20 && blue > 20, "{red} {blue}");
    assert_eq!(picture.segmentation[pixel(&picture, 0.5, 0.5)][0], 1);
}

#[test]
fn textures_and_skyboxes_are_drawn() {
    let asset = "<texture name='checker' type='2d' builtin='checker' rgb1='1 0 0' rgb2='0 1 0' width='64' height='64'/>\
        <material name='checker' texture='checker' texrepeat='4 4'/>\
        <texture type='skybox' builtin='flat' rgb1='0 0 1' rgb2='0 0 1' width='8' height='8'/>";
    let world = "<geom type='plane' size='1 1 .1' material='checker'/>";
    let (model, data) = load(&format!("{CAMERA}{world}"), asset);
    let picture = render(&model, &scene(&model, &data));
    let floor = || (0..picture.segmentation.len()).filter(|&i| picture.segmentation[i][0] == 0);
    let more = |a: usize, b: usize| {
        floor()
            .filter(|&i| picture.rgb[3 * i + a] > picture.rgb[3 * i + b].saturating_add(30))
            .count()
    };
    assert!(more(0, 1) > 50 && more(1, 0) > 50);
    let [red, green, blue] = rgb(&picture, 0.02, 0.02);
    assert!(blue > 250 && red == 0 && green == 0, "{red} {green} {blue}");
}

#[test]
fn images_are_reproducible_and_sizes_change() {
    let (model, data) =
        load(&format!("{CAMERA}<geom type='capsule' size='.2 .5' euler='90 20 0'/>"), "");
    let scene = scene(&model, &data);
    let mut renderer = Renderer::new(context(), &model, SIZE).unwrap();
    let first = renderer.render(&scene, Outputs::ALL).unwrap();
    assert_eq!(first, renderer.render(&scene, Outputs::ALL).unwrap());
    renderer.resize([17, 33]).unwrap();
    let other = renderer.render(&scene, Outputs::RGB).unwrap();
    assert_eq!((other.rgb.len(), other.depth.len()), (3 * 17 * 33, 0));
}

#[test]
fn invalid_sizes_are_errors() {
    let (model, _) = load("<geom size='.1'/>", "");
    for size in [[0, 10], [10, 0], [u32::MAX, 1]] {
        let result = Renderer::new(context(), &model, size);
        assert!(matches!(result, Err(RenderError::Size { .. })), "{size:?}");
    }
}

/// Poses that are not finite, a camera inside a geom and geoms of size zero give an image.
#[test]
fn degenerate_scenes_give_images() {
    let (model, data) =
        load(&format!("{CAMERA}<geom size='5'/><geom size='.2' pos='0 0 4.5'/>"), "");
    let mut scene = scene(&model, &data);
    scene.geoms[0].pos[1] = f32::NAN;
    scene.geoms[1].size = [0.0; 3];
    let picture = render(&model, &scene);
    assert!(picture.segmentation.iter().all(|&[id, _]| id == -1));
    scene.geoms[0].pos[1] = 0.0;
    scene.geoms[1].size = [f32::INFINITY; 3];
    render(&model, &scene);
}

#[test]
fn textures_beyond_the_limit_are_reduced() {
    let asset = "<texture name='wide' type='2d' builtin='flat' rgb1='0 1 0' width='20000' height='4'/>\
        <material name='wide' texture='wide'/>";
    let (model, data) =
        load(&format!("{CAMERA}<geom type='plane' size='1 1 .1' material='wide'/>"), asset);
    let [red, green, _] = rgb(&render(&model, &scene(&model, &data)), 0.5, 0.5);
    assert!(green > red + 50);
}

#[test]
fn many_geoms_are_drawn() {
    let (model, data) = load(&format!("{CAMERA}<geom type='box' size='.01 .01 .01'/>"), "");
    let mut scene = scene(&model, &data);
    scene.maxgeom = 100_000;
    let geom = scene.geoms[0].clone();
    for i in 1..100_000_i32 {
        let mut copy = geom.clone();
        copy.pos = [(i % 300) as f32 * 0.03 - 4.5, (i / 300) as f32 * 0.03 - 5.0, 0.0];
        copy.segid = i;
        scene.push(copy);
    }
    let picture = render(&model, &scene);
    assert!(picture.segmentation.iter().filter(|&&[id, _]| id == 0).count() > 1000);
}

#[test]
fn images_in_flight_are_received_in_order() {
    let (model, data) = load(&format!("{CAMERA}<geom size='.5' rgba='1 0 0 1'/>"), "");
    let mut scene = scene(&model, &data);
    let mut renderer = Renderer::new(context(), &model, SIZE).unwrap();
    assert!(matches!(renderer.receive(), Err(RenderError::NothingSubmitted)));
    let colors: Vec<f32> = (1..=3).map(|k| 0.3 * k as f32).collect();
    let mut alone = Vec::new();
    for &red in &colors {
        scene.geoms[0].rgba[0] = red;
        alone.push(renderer.render(&scene, Outputs::RGB).unwrap());
    }
    for &red in &colors {
        scene.geoms[0].rgba[0] = red;
        renderer.submit(&scene, Outputs::RGB).unwrap();
    }
    // an image that is rendered at once does not change those in flight
    let depth = renderer.render(&scene, Outputs::DEPTH).unwrap();
    assert!(depth.rgb.is_empty() && !depth.depth.is_empty());
    assert_eq!(renderer.in_flight(), 3);
    for picture in &alone {
        assert_eq!(renderer.receive().unwrap(), *picture);
    }
    for _ in 0..Renderer::MAX_IN_FLIGHT {
        renderer.submit(&scene, Outputs::RGB).unwrap();
    }
    assert!(matches!(renderer.submit(&scene, Outputs::RGB), Err(RenderError::InFlight(_))));
    renderer.resize([8, 8]).unwrap();
    let old = renderer.receive().unwrap();
    assert_eq!(old.rgb.len(), 3 * (SIZE[0] * SIZE[1]) as usize);
    assert!(renderer.memory_bytes() > u64::from(8 * 8 * 4_u32));
}

/// A renderer can be moved to another thread and shared, also with images in flight.
#[test]
fn renderers_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Renderer>();
    check::<Picture>();
}

/// More lights with shadows than shadow maps of one pass.
#[test]
fn every_light_adds_to_the_image() {
    let light = "<light directional='true' dir='0 0 -1' diffuse='.1 .1 .1' specular='0 0 0'/>";
    let floor = "<geom type='plane' size='3 3 .1' rgba='1 1 1 1'/><geom size='.3' pos='0 0 1'/>";
    let visual = "<visual><headlight active='0'/><quality shadowsize='64'/></visual>";
    let level = |count: usize| {
        let xml = format!(
            "<mujoco>{visual}<worldbody>{CAMERA}{floor}{}</worldbody></mujoco>",
            light.repeat(count)
        );
        let model = sim_mjcf::load_str(&xml).unwrap();
        let mut data = model.make_data();
        mj_forward(&model, &mut data).unwrap();
        rgb(&render(&model, &scene(&model, &data)), 0.1, 0.5)[0]
    };
    for count in [1, 4, 5, 8] {
        let (found, expected) = (level(count), 25.5 * count as f64);
        assert!((f64::from(found) - expected).abs() <= 4.0, "{count} {found} {expected}");
    }
}

/// A texture that stays on the device has the colours of the image, upside down.
#[test]
fn textures_have_the_colors_of_images() {
    let (model, data) = load(&format!("{CAMERA}<geom size='.5' pos='0 .3 0' rgba='1 0 0 1'/>"), "");
    let mut scene = scene(&model, &data);
    let mut renderer = Renderer::new(context(), &model, SIZE).unwrap();
    for segment in [false, true] {
        scene.flags[RenderFlag::Segment as usize] = segment;
        let picture = renderer.render(&scene, Outputs::RGB).unwrap();
        let view = renderer.render_texture(&scene).unwrap();
        let pixels = read_texture(view.texture());
        let rows = pixels.chunks_exact(4 * SIZE[0] as usize).rev();
        let rgb: Vec<u8> =
            rows.flat_map(|row| row.chunks(4)).flat_map(|p| p[..3].to_vec()).collect();
        assert_eq!(rgb, picture.rgb);
        assert!(pixels.chunks(4).all(|pixel| pixel[3] == 255));
    }
}

/// Bytes of a texture with 4 bytes per pixel whose rows are multiples of 256 bytes.
fn read_texture(texture: &mesh_gpu::wgpu::Texture) -> Vec<u8> {
    use mesh_gpu::wgpu;
    let (device, row) = (context().device(), 4 * texture.width());
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(row * texture.height()),
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let layout =
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
        texture.size(),
    );
    context().queue().submit([encoder.finish()]);
    buffer.slice(..).map_async(wgpu::MapMode::Read, |result| result.unwrap());
    context().wait().unwrap();
    buffer.slice(..).get_mapped_range().unwrap().to_vec()
}

/// Labels begin 2 pixels to the right of the geom and 7 above it, with capitals of 14 pixels, as in MuJoCo.
#[test]
fn labels_are_drawn_over_the_image() {
    let (model, data) = load(&format!("{CAMERA}<geom size='.001' rgba='0 0 0 1'/>"), "");
    let mut scene = scene(&model, &data);
    scene.geoms[0].label = "HI".to_owned();
    let picture = render(&model, &scene);
    let white: Vec<[usize; 2]> = (0..64 * 48)
        .filter(|&i| picture.rgb[3 * i..3 * i + 3] == [255; 3])
        .map(|i| [i % 64, i / 64])
        .collect();
    let bound = |k: usize| (white.iter().map(|p| p[k]).min(), white.iter().map(|p| p[k]).max());
    // H is 11 pixels wide and advances by 15, I is 2 pixels wide
    assert_eq!(bound(0), (Some(32 + 2), Some(32 + 2 + 15 + 1)));
    assert_eq!(bound(1), (Some(24 - 7 - 14), Some(24 - 7 - 1)));
    // a geom that is not in the image has no label
    scene.geoms[0].pos = [0.0, 0.0, 10.0];
    assert!(render(&model, &scene).rgb.iter().all(|&x| x == 0));
}

#[test]
fn surfaces_are_drawn_from_both_sides() {
    let (model, data) = load(&format!("{CAMERA}<camera pos='0 0 -4' xyaxes='1 0 0 0 -1 0'/>"), "");
    let vertices = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let vertices: Vec<[f32; 3]> = vertices.map(|[x, y]| [x, y, 0.5]).into();
    let surface = sim_scene::Surface::smooth(vertices, vec![[0, 1, 2], [0, 2, 3]]);
    for (id, depth) in [(0, 3.5), (1, 4.5)] {
        let mut scene = Scene::new(&model, 10);
        let (option, mut camera) = (VisOption::default(), Camera::fixed(id));
        mjv_update_scene(&model, &data, &option, None, &mut camera, Category::ALL, &mut scene)
            .unwrap();
        scene.add_surface(surface.clone().two_sided(), (ObjType::Flex, 7), [0.0, 1.0, 0.0, 1.0]);
        let picture = render(&model, &scene);
        let center = pixel(&picture, 0.5, 0.5);
        assert_eq!(picture.segmentation[center], [7, ObjType::Flex as i32]);
        assert!((picture.depth[center] - depth).abs() < 1e-3);
        assert!(rgb(&picture, 0.5, 0.5)[1] > 100, "{:?}", rgb(&picture, 0.5, 0.5));
        assert_eq!(picture.normal[center][2], if id == 0 { 1.0 } else { -1.0 });
    }
}
