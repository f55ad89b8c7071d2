//! Geoms without a collision routine in lanes whose bounding boxes overlap.

use crate::models::load;
use sim_core::{mj_forward, mj_geom_distance};
use sim_lanes::LaneBatch;

/// Two ellipsoids, one on three slide joints and a ball joint.
const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <geom type="ellipsoid" size=".3 .2 .1"/>
    <body>
      <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>
      <joint type="ball"/>
      <geom type="ellipsoid" size=".1 .25 .15"/>
    </body>
  </worldbody>
</mujoco>"#;

/// Moves the ellipsoid along a path past the other; returns the states in which lanes are complete.
fn sweep(step: f64) -> (Vec<bool>, Vec<f64>) {
    let m = load(MODEL);
    let mut batch = LaneBatch::new(&m, 1).expect("supported");
    let (mut d, mut qacc) = (m.make_data(), vec![0.0; m.nv]);
    let (mut complete, mut distances) = (Vec::new(), Vec::new());
    let count = (1.2 / step).round() as usize;
    for k in 0..=count {
        let x = -0.6 + k as f64 * step;
        let (sin, cos) = (0.7 * x).sin_cos();
        d.qpos.copy_from_slice(&[x, 0.27 + 0.2 * x * x, 0.12, cos, sin, 0.0, 0.0]);
        batch.set_qpos(0, &d.qpos);
        complete.push(batch.forward(0, &mut qacc));
        mj_forward(&m, &mut d).expect("supported");
        distances.push(mj_geom_distance(&m, &mut d, 0, 1, 1.0, None));
    }
    (complete, distances)
}

#[test]
fn separated_geoms_are_left_to_lanes_and_close_ones_are_not() {
    let (complete, distances) = sweep(0.01);
    for (complete, distance) in complete.iter().zip(&distances) {
        // the slack is a thousandth of the radius
        assert!(*complete || *distance < 0.001, "distance {distance}");
        assert!(!complete || *distance > 0.0, "distance {distance}");
    }
    let count = |value: bool| complete.iter().filter(|&&c| c == value).count();
    assert!(count(true) > 20 && count(false) > 20, "the path tests little");
}

#[test]
fn the_decision_does_not_depend_on_known_distances() {
    // small and large steps reach the same states with different known distances
    let (fine, coarse) = (sweep(0.001).0, sweep(0.05).0);
    for (k, complete) in coarse.iter().enumerate() {
        assert_eq!(fine[50 * k], *complete, "state {k}");
    }
}
