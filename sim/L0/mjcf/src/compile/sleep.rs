//! Trees that begin asleep: those that cannot are found by looking at what they touch.

use super::Context;
use super::body::Tree;
use sim_core::{Model, StartAsleepError, check_start_asleep};

/// Reports a tree with `sleep="init"` that touches, or is tied to, one that is awake.
pub(super) fn check(context: &mut Context<'_, '_>, tree: &Tree<'_>, m: &Model) {
    let Err(StartAsleepError { wanted, slept, body }) = check_start_asleep(m) else { return };
    let Some(root) = tree.bodies.get(body) else { return };
    let message = format!(
        "\"init\" is impossible here ({slept} of {wanted} trees can begin asleep): the tree touches, \
         or is tied to, one that is awake; write sleep=\"init\" there too, or \"allowed\" here"
    );
    context.invalid(root.spec.origin, "body", Some("sleep"), message);
}
