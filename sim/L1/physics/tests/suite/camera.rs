//! Camera sensors on the available device; the tests fail without one.
#![cfg(feature = "render")]

use sim_physics::render::{AdapterSelection, Context, Outputs};
use sim_physics::{CameraSensor, Simulation};

const MODEL: &str = r#"<mujoco>
  <visual><quality shadowsize="64"/></visual>
  <worldbody>
    <light pos="0 0 5"/>
    <camera name="top" pos="0 0 4" resolution="32 24" output="rgb depth distance segmentation"/>
    <camera name="unset" pos="0 0 4"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 1"><freejoint/><geom name="ball" size=".5" rgba="1 0 0 1"/></body>
  </worldbody>
  <xpbd><cloth name="sheet" size="1 1" cells="4 4" pos="1.2 0 1" rgba="0 1 0 1"/></xpbd>
</mujoco>"#;

#[test]
fn images_have_the_size_outputs_and_rate_of_the_camera() {
    let mut sim = Simulation::from_xml(MODEL).unwrap();
    sim.forward().unwrap();
    let context = Context::new(&AdapterSelection::from_env()).unwrap();
    let mut camera = CameraSensor::new(&context, sim.model(), "top", 50.0).unwrap();
    assert_eq!(camera.size(), [32, 24]);
    let mut pictures = Vec::new();
    while sim.time() < 0.0999 {
        pictures.extend(camera.sample(&sim).unwrap());
        sim.step().unwrap();
    }
    assert_eq!(pictures.len(), 5);
    let first = &pictures[0];
    assert_eq!((first.rgb.len(), first.normal.len()), (3 * 32 * 24, 0));
    assert!(!camera.outputs().contains(Outputs::NORMAL));
    let center = 12 * 32 + 16;
    assert_eq!(first.segmentation[center][0], 1);
    assert!((first.depth[center] - 2.5).abs() < 0.02, "{}", first.depth[center]);
    // the ball falls
    assert!(pictures[4].depth[center] > first.depth[center] + 0.01);
    // the cloth is green and has its own segmentation id
    let flex = sim_physics::types::ObjType::Flex as i32;
    let cloth: Vec<usize> = (0..32 * 24).filter(|&i| first.segmentation[i] == [0, flex]).collect();
    assert!(cloth.len() > 10);
    assert!(cloth.iter().all(|&i| first.rgb[3 * i + 1] > first.rgb[3 * i]));
    // a reset starts again
    sim.reset();
    sim.forward().unwrap();
    assert!(camera.sample(&sim).unwrap().is_some() && camera.sample(&sim).unwrap().is_none());
}

#[test]
fn distances_are_measured_to_the_camera() {
    let mut sim = Simulation::from_xml(MODEL).unwrap();
    sim.forward().unwrap();
    let context = Context::new(&AdapterSelection::from_env()).unwrap();
    let mut camera = CameraSensor::new(&context, sim.model(), "top", 1.0).unwrap();
    let picture = camera.render(&sim).unwrap();
    let distances = camera.distances(&picture);
    // pixel (0, 0) shows the floor, 4 m below: tan(45°/2) is the half height at depth 1
    let tangent = 22.5_f32.to_radians().tan();
    let (x, y) = (tangent * 4.0 / 3.0 * (1.0 - 1.0 / 32.0), tangent * (1.0 - 1.0 / 24.0));
    let expected = picture.depth[0] * (1.0 + x * x + y * y).sqrt();
    assert!((distances[0] - expected).abs() < 1e-4, "{} {expected}", distances[0]);
    assert!((picture.depth[0] - 4.0).abs() < 1e-2);
}

#[test]
fn invalid_cameras_are_errors() {
    let sim = Simulation::from_xml(MODEL).unwrap();
    let context = Context::new(&AdapterSelection::from_env()).unwrap();
    let error = |name: &str, rate: f64| {
        CameraSensor::new(&context, sim.model(), name, rate).unwrap_err().to_string()
    };
    assert!(error("side", 30.0).contains("no camera named `side`"));
    assert!(error("unset", 30.0).contains("resolution="));
    assert!(error("top", 0.0).contains("positive"));
}
