//! Generated attachments: a sub-model in a file of its own, attached with a prefix.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;
use super::sections;

/// Settings of the inertias of all bodies of a file.
const INERTIA_SETTINGS: [&str; 5] =
    ["inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia", "balanceinertia"];

/// Sensors without an object.
const WITHOUT_OBJECT: [&str; 4] = ["clock", "e_potential", "e_kinetic", "user"];

/// Attaches a sub-model with some probability: adds an `asset/model` element with the sub-model as its child,
/// and an `attach` element to a random body or to the world.
pub fn attach(rng: &mut Rng, seed: u64, root: &mut Element) {
    if !rng.chance(0.12) {
        return;
    }
    let mut inner = Scene::sub_model();
    let mut part = Element::new("mujoco").with("model", "part");
    for section in sections(rng, &mut inner) {
        part.push(section);
    }
    // 3.8.0 copies the keyframes of a model with `replicate`, and counts an activation of every DC motor when it
    // merges keyframes
    let excluded = |model: &Element| contains(model, "replicate") || contains(model, "dcmotor");
    if excluded(root) || excluded(&part) {
        for model in [&mut *root, &mut part] {
            model.children.retain(|section| section.tag != "keyframe");
        }
    }
    // a later `replicate` of 3.8.0 doubles the sensors without an object
    if contains(root, "replicate") {
        for sensors in part.children.iter_mut().filter(|child| child.tag == "sensor") {
            sensors.children.retain(|sensor| !WITHOUT_OBJECT.contains(&sensor.tag));
        }
    }
    // 3.8.0 ignores the frames of attached mocap bodies when it adds their poses to a keyframe with mocap poses
    if contains_attribute(&part, "mocap") {
        for keyframe in root.children.iter_mut().filter(|child| child.tag == "keyframe") {
            for key in &mut keyframe.children {
                key.attributes.retain(|(name, _)| !["mpos", "mquat"].contains(name));
            }
        }
    }
    // a saved model has one `compiler` section: inertias that these settings change cannot be saved
    for model in [&mut *root, &mut part] {
        for compiler in model.children.iter_mut().filter(|child| child.tag == "compiler") {
            compiler.attributes.retain(|(name, _)| !INERTIA_SETTINGS.contains(name));
        }
    }
    let prefix = rng.word(&["p-", "part_", "a/", "b", "x:"]);
    let mut attach = Element::new("attach").with("model", "part").with("prefix", prefix);
    // without a body, the whole world of the sub-model is attached
    if rng.chance(0.6)
        && let Some(body) = rng.pick(&inner.bodies)
    {
        attach.set("body", body);
    }
    let mut model = Element::new("model").with("name", "part");
    model.set("file", format!("random{seed}.part.xml"));
    model.push(part);
    section(root, "asset").push(model);

    let mut target = section(root, "worldbody");
    // the world of a sub-model may have a plane, which cannot move
    if attach.has("body")
        && rng.chance(0.6)
        && let Some(k) = (0..target.children.len()).find(|&k| target.children[k].tag == "body")
    {
        target = &mut target.children[k];
    }
    let mut frame = Element::new("frame").with("pos", rng.numbers(3, -0.5, 0.5));
    frame.push(attach);
    target.push(frame);
}

/// Whether an element or one of its descendants has this tag.
fn contains(element: &Element, tag: &str) -> bool {
    element.tag == tag || element.children.iter().any(|child| contains(child, tag))
}

/// Whether an element or one of its descendants has this attribute.
fn contains_attribute(element: &Element, name: &str) -> bool {
    element.has(name) || element.children.iter().any(|child| contains_attribute(child, name))
}

/// The section of this name, which is added if there is none.
fn section<'a>(root: &'a mut Element, tag: &'static str) -> &'a mut Element {
    let index = root.children.iter().position(|child| child.tag == tag).unwrap_or_else(|| {
        root.children.insert(0, Element::new(tag));
        0
    });
    &mut root.children[index]
}
