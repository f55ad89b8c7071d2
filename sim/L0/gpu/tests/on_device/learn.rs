//! What learns on the device, learns.

use crate::cartpole;
use crate::models::gpu;

#[test]
fn a_cart_learns_to_balance_a_pole() {
    let up = cartpole::learn(gpu(), 24, 3).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 24, "poles that stay up");
    let up = cartpole::learn(gpu(), 4, 0).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(up, 0, "without learning they fall");
}
