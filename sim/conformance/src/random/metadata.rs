//! Generated sections without influence on the dynamics: sizes, statistics, visualization, custom fields and
//! keyframes.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;

/// The `size` section.
pub fn size(rng: &mut Rng) -> Element {
    let mut size = Element::new("size");
    for name in ["nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_tendon"] {
        size.maybe(rng, 0.04, name, |r| (3 + r.below(3)).to_string());
    }
    size.maybe(rng, 0.05, "nuserdata", |r| r.below(5).to_string());
    size.maybe(rng, 0.05, "nkey", |r| (2 + r.below(3)).to_string());
    size.maybe(rng, 0.05, "memory", |r| r.word(&["20M", "32M"]).into());
    size
}

/// The `statistic` section.
pub fn statistic(rng: &mut Rng) -> Element {
    let mut statistic = Element::new("statistic");
    statistic.maybe(rng, 0.05, "meaninertia", |r| r.number(0.1, 2.0));
    statistic.maybe(rng, 0.05, "meanmass", |r| r.number(0.1, 2.0));
    statistic.maybe(rng, 0.05, "meansize", |r| r.number(0.1, 2.0));
    statistic.maybe(rng, 0.05, "extent", |r| r.number(0.5, 2.0));
    statistic.maybe(rng, 0.05, "center", |r| r.numbers(3, -1.0, 1.0));
    statistic
}

/// The `visual` section.
pub fn visual(rng: &mut Rng) -> Element {
    let mut visual = Element::new("visual");
    if rng.chance(0.05) {
        visual.push(Element::new("global").with("fovy", rng.number(30.0, 60.0)));
    }
    if rng.chance(0.05) {
        visual.push(Element::new("headlight").with("ambient", rng.numbers(3, 0.0, 1.0)));
    }
    if rng.chance(0.05) {
        visual.push(Element::new("map").with("force", rng.number(0.01, 0.1)).with("znear", ".02"));
    }
    if rng.chance(0.05) {
        visual.push(Element::new("scale").with("com", rng.number(0.1, 1.0)));
    }
    if rng.chance(0.05) {
        visual.push(Element::new("rgba").with("haze", rng.numbers(4, 0.0, 1.0)));
    }
    visual
}

/// The `custom` section: numbers, texts and tuples of elements.
pub fn custom(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut custom = Element::new("custom");
    if rng.chance(0.1) {
        let count = 1 + rng.below(4);
        let mut numeric = Element::new("numeric").with("name", scene.name("numeric"));
        numeric.set("data", rng.numbers(count, -1.0, 1.0));
        numeric.maybe(rng, 0.3, "size", |r| (count + r.below(3)).to_string());
        custom.push(numeric);
    }
    if rng.chance(0.1) {
        let text = Element::new("text").with("name", scene.name("text"));
        custom.push(text.with("data", rng.word(&["a", "two words", "x=1, y=2"])));
    }
    if rng.chance(0.1) {
        let mut tuple = Element::new("tuple").with("name", scene.name("tuple"));
        for (kind, names) in
            [("body", &scene.bodies), ("geom", &scene.geoms), ("site", &scene.sites)]
        {
            if let Some(name) = rng.pick(names) {
                let mut element =
                    Element::new("element").with("objtype", kind).with("objname", name);
                element.maybe(rng, 0.5, "prm", |r| r.number(-1.0, 1.0));
                tuple.push(element);
            }
        }
        if !tuple.children.is_empty() {
            custom.push(tuple);
        }
    }
    custom
}

/// The `keyframe` section.
pub fn keyframe(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut section = Element::new("keyframe");
    // 3.8.0 copies the keyframes of a model with `replicate`, once for each copy of the template
    if scene.unknown_sizes || scene.replicated {
        return section;
    }
    for _ in 0..[0, 0, 0, 1, 2][rng.below(5)] {
        let mut key = Element::new("key");
        key.maybe(rng, 0.7, "name", |_| String::new());
        if key.has("name") {
            key.set("name", scene.name("key"));
        }
        key.maybe(rng, 0.3, "time", |r| r.number(0.0, 2.0));
        let arrays = [
            ("qpos", scene.nq),
            ("qvel", scene.nv),
            ("act", scene.na),
            ("ctrl", scene.actuators.len()),
            ("mpos", 3 * scene.nmocap),
            ("mquat", 4 * scene.nmocap),
        ];
        for (name, count) in arrays {
            if count > 0 {
                key.maybe(rng, 0.5, name, |r| r.numbers(count, -0.5, 0.8));
            }
        }
        section.push(key);
    }
    section
}
