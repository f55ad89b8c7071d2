//! Shrinking of a model that fails: elements and attributes are removed as long as it fails in the same
//! way.

use super::element::Element;
use serde_json::Value;
use std::io;

/// Largest number of candidates that are tried.
const MAX_TRIALS: usize = 250;

/// How a file differs from the oracle, in one word.
#[must_use]
pub fn category(file: &Value) -> &'static str {
    let yes = |key: &str| file[key].as_bool().unwrap_or(false);
    if yes("broken") {
        "broken"
    } else if yes("oracle_loads") != yes("we_load") {
        "load"
    } else if !yes("model_ok") {
        "model"
    } else if !yes("contacts_ok") {
        "contacts"
    } else if !yes("stages_ok") {
        "stages"
    } else if !yes("steps_ok") {
        "steps"
    } else {
        "trajectory"
    }
}

/// Removes elements, then attributes, as long as `fails` holds.
///
/// # Errors
/// Those of `fails`.
pub fn shrink(
    mut model: Element,
    mut fails: impl FnMut(&Element) -> io::Result<bool>,
) -> io::Result<Element> {
    let mut trials = 0;
    let mut attempt = |model: &mut Element, candidate: Element| -> io::Result<bool> {
        if trials == MAX_TRIALS {
            return Ok(false);
        }
        trials += 1;
        let smaller = fails(&candidate)?;
        if smaller {
            *model = candidate;
        }
        Ok(smaller)
    };
    // removing a subtree renumbers the elements after it only
    let mut index = 1;
    while index < model.count() {
        let mut candidate = model.clone();
        if !(candidate.remove_nth(index) && attempt(&mut model, candidate)?) {
            index += 1;
        }
    }
    for index in 0..model.count() {
        let mut attribute = 0;
        while model.nth_mut(index).is_some_and(|element| attribute < element.attributes.len()) {
            let mut candidate = model.clone();
            if let Some(element) = candidate.nth_mut(index) {
                element.attributes.remove(attribute);
            }
            if !attempt(&mut model, candidate)? {
                attribute += 1;
            }
        }
    }
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::super::model;
    use super::shrink;

    #[test]
    fn everything_that_is_not_needed_is_removed() {
        let small = shrink(model(3), |m| Ok(m.to_xml().contains("<body"))).unwrap();
        assert_eq!(
            small.to_xml(),
            "<mujoco>\n  <worldbody>\n    <body/>\n  </worldbody>\n</mujoco>\n"
        );
    }
}
