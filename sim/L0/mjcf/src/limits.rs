//! Limits on nested models and expanded elements, which reject small files that expand to huge
//! models.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Maximum number of nested models (`<model>` assets), at any depth.
pub(crate) const MAX_MODELS: usize = 1000;
/// Maximum number of elements that `replicate` and `attach` may create; elements with long names
/// count as several.
pub(crate) const MAX_ELEMENTS: usize = 2_000_000;

/// Counters of a model and of all models nested in it.
#[derive(Debug, Default)]
pub(crate) struct ExpansionLimits {
    models: AtomicUsize,
    elements: AtomicUsize,
}

impl ExpansionLimits {
    /// Counts one nested model; false if the limit is exceeded.
    pub(crate) fn add_model(&self) -> bool {
        self.models.fetch_add(1, Ordering::Relaxed) < MAX_MODELS
    }

    /// Counts `count` created elements; if the limit is exceeded, the error is the total.
    pub(crate) fn add_elements(&self, count: usize) -> Result<(), usize> {
        let total = self.elements.load(Ordering::Relaxed).saturating_add(count);
        if total > MAX_ELEMENTS {
            return Err(total);
        }
        self.elements.store(total, Ordering::Relaxed);
        Ok(())
    }
}
