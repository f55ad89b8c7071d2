//! Printing of models and data.

use crate::models::model;
use sim_core::{mj_forward, print_data, print_model};

#[test]
fn print_model_contains_sizes_options_and_arrays() {
    let m = model("robots/humanoid");
    let text = print_model(&m);
    for part in ["SIZES", "OPTIONS", "timestep", "STATISTICS", "body_mass [", "names ["] {
        assert!(text.contains(part), "{part}");
    }
    assert!(!text.contains("flex_vert"), "empty arrays are omitted");
    assert!(format!("{m:?}").len() < 2_000, "the debug form is short");
}

#[test]
fn print_data_contains_state_and_results() {
    let m = model("robots/arm6");
    let mut d = m.make_data();
    d.qpos[0] = 0.25;
    mj_forward(&m, &mut d).expect("the model is supported");
    let text = print_data(&m, &d);
    for part in ["time 0", "qpos [6]", "0.25", "xpos [", "qacc ["] {
        assert!(text.contains(part), "{part}");
    }
    assert!(format!("{d:?}").len() < 2_000, "the debug form is short");
}
