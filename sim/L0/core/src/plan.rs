//! What the pipeline precomputes from a compiled model, so that a step does not rediscover it.

/// Precomputed structure of a model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {}
