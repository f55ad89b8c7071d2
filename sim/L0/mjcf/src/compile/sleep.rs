//! Validation of trees that are initialized asleep (`sleep="init"`).

use super::Context;
use super::body::Tree;
use sim_core::{Model, SleepInitError, check_sleep_init};

/// Reports a tree with `sleep="init"` that is in contact or constrained with an awake tree.
pub(super) fn check(context: &mut Context<'_, '_>, tree: &Tree<'_>, m: &Model) {
    let Err(SleepInitError { wanted, slept, body }) = check_sleep_init(m) else { return };
    let Some(root) = tree.bodies.get(body) else { return };
    let message = format!(
        "\"init\" is not possible ({slept} of {wanted} trees can be initialized asleep): the tree is in \
         contact or constrained with an awake tree; set sleep=\"init\" there too, or \"allowed\" here"
    );
    context.invalid(root.spec.origin, "body", Some("sleep"), message);
}
