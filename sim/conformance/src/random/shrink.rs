//! Shrinking of a model that fails: elements and attributes are removed as long as it fails in the same
//! way, until nothing more can be removed.

use super::element::Element;
use serde_json::Value;
use std::io;

/// Largest number of candidates that are tried.
const MAX_TRIALS: usize = 1500;

/// How a file differs from the oracle: the first part that differs, in one word, and the first field or
/// the error without names and numbers.
#[must_use]
pub fn failure(file: &Value) -> (&'static str, String) {
    let yes = |key: &str| file[key].as_bool().unwrap_or(false);
    let text = |key: &str| file[key].as_str().unwrap_or_default();
    // the message of an error without quoted names, positions and numbers
    let message = |key: &str| {
        let parts = text(key).split(['"', '\'', '`']).step_by(2);
        parts.collect::<String>().chars().filter(|c| c.is_alphabetic()).collect::<String>()
    };
    if yes("broken") {
        ("broken", message("our_error"))
    } else if yes("oracle_loads") != yes("we_load") {
        ("load", message("our_error"))
    } else if !yes("model_ok") {
        let field = text("model_first_diff").split(" differs").next().unwrap_or_default();
        ("model", field.to_owned())
    } else if !yes("contacts_ok") || !yes("stages_ok") {
        let kind = if yes("contacts_ok") { "stages" } else { "contacts" };
        (kind, text("first_field").to_owned())
    } else if !yes("steps_ok") {
        ("steps", String::new())
    } else {
        ("trajectory", message("trajectory_error"))
    }
}

/// Removes elements and attributes as long as `fails` holds, and replaces elements by their children.
/// Passes over the whole model are repeated until one of them changes nothing.
///
/// # Errors
/// Those of `fails`.
pub fn shrink(
    mut model: Element,
    mut fails: impl FnMut(&Element) -> io::Result<bool>,
) -> io::Result<Element> {
    let mut trials = 0;
    let mut attempt = |model: &mut Element, candidate: Element| -> io::Result<bool> {
        if trials == MAX_TRIALS || candidate == *model {
            return Ok(false);
        }
        trials += 1;
        let smaller = fails(&candidate)?;
        if smaller {
            *model = candidate;
        }
        Ok(smaller)
    };
    loop {
        let before = model.clone();
        // removing a subtree renumbers the elements after it only
        let mut index = 1;
        while index < model.count() {
            let mut candidate = model.clone();
            if !(candidate.remove_nth(index) && attempt(&mut model, candidate)?) {
                index += 1;
            }
        }
        for index in 1..model.count() {
            let mut candidate = model.clone();
            if candidate.unwrap_nth(index) {
                attempt(&mut model, candidate)?;
            }
        }
        for index in 0..model.count() {
            remove_attributes(&mut model, index, &mut attempt)?;
        }
        if model == before {
            return Ok(model);
        }
    }
}

/// Removes attributes of the element with this index: all at once, or one after the other.
fn remove_attributes(
    model: &mut Element,
    index: usize,
    attempt: &mut impl FnMut(&mut Element, Element) -> io::Result<bool>,
) -> io::Result<()> {
    let mut candidate = model.clone();
    if let Some(element) = candidate.nth_mut(index)
        && element.attributes.len() > 2
    {
        element.attributes.clear();
        if attempt(model, candidate)? {
            return Ok(());
        }
    }
    let mut attribute = 0;
    while model.nth_mut(index).is_some_and(|element| attribute < element.attributes.len()) {
        let mut candidate = model.clone();
        if let Some(element) = candidate.nth_mut(index) {
            element.attributes.remove(attribute);
        }
        if !attempt(model, candidate)? {
            attribute += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::model;
    use super::shrink;

    #[test]
    fn everything_that_is_not_needed_is_removed() {
        // elements that only contain others are replaced by their children unless they are needed
        let needed = ["<worldbody>", "<body"];
        let fails = |xml: &str| needed.iter().all(|tag| xml.contains(tag));
        let small = shrink(model(3, false), |m| Ok(fails(&m.to_xml()))).unwrap();
        assert_eq!(
            small.to_xml(),
            "<mujoco>\n  <worldbody>\n    <body/>\n  </worldbody>\n</mujoco>\n"
        );
    }
}
