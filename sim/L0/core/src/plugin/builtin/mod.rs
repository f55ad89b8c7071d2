//! Plugins of MuJoCo that are not shapes: PID controllers, elastic cables, touch grids.

mod cable;
mod pid;
mod touch_grid;

use super::Plugin;
use std::sync::Arc;

/// The kinds of this module, in MuJoCo's order.
pub(super) fn kinds() -> Vec<Arc<dyn Plugin>> {
    vec![
        Arc::new(pid::PidPlugin),
        Arc::new(cable::CablePlugin),
        Arc::new(touch_grid::TouchGridPlugin),
    ]
}
