//! What one load may read and make in all: small files that ask for much are refused early.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Most models that are assets of models, at any depth.
pub(crate) const MAX_MODELS: usize = 1000;
/// Most elements that `replicate` and `attach` may make; long names count as more than one.
pub(crate) const MAX_ELEMENTS: usize = 2_000_000;

/// Counts for a model and for all models inside it.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    models: AtomicUsize,
    elements: AtomicUsize,
}

impl Budget {
    /// Whether one more model may be read.
    pub(crate) fn take_model(&self) -> bool {
        self.models.fetch_add(1, Ordering::Relaxed) < MAX_MODELS
    }

    /// Whether this many more elements may be made; the number there would be if not.
    pub(crate) fn take_elements(&self, count: usize) -> Result<(), usize> {
        let total = self.elements.load(Ordering::Relaxed).saturating_add(count);
        if total > MAX_ELEMENTS {
            return Err(total);
        }
        self.elements.store(total, Ordering::Relaxed);
        Ok(())
    }
}
