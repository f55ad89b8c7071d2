//! Compilation of the `visual` section.

use crate::spec::Spec;
use crate::xml::reals;
use sim_core::types::Visual;

/// Visualization settings: the defaults, overwritten by the attributes of `visual` in the order of the file.
pub(super) fn visual(spec: &Spec) -> Visual {
    let mut visual = Visual::default();
    for attribute in &spec.visual {
        let numbers = match attribute.value.trim() {
            "true" => vec![1.0],
            "false" => vec![0.0],
            text => reals(text, 4, true).unwrap_or_default(),
        };
        // ignored: the reader validated names and values; those of an edited spec that are invalid have no
        // effect
        let _ = visual.set_field(&attribute.element, &attribute.name, &numbers);
    }
    visual
}
