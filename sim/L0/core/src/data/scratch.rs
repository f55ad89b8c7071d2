//! Temporaries that stages share, sized once so that a step never allocates.

use crate::Model;

/// Buffers whose content means nothing between two stages.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {}

impl Scratch {
    pub(crate) fn new(_m: &Model) -> Self {
        Self {}
    }
}
