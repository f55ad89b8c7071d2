//! The examples optimise their policies.

use crate::cartpole;
use crate::models::gpu;

#[test]
fn cartpole_policy_is_optimised() {
    let up = cartpole::learn(gpu(), 24, 3).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 24, "all poles stay upright");
    let up = cartpole::learn(gpu(), 4, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 0, "without optimisation they fall");
}
