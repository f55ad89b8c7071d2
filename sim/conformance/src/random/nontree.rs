//! Generated elements that refer to the kinematic tree: contact pairs, equalities, tendons and actuators.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;

/// The `contact` section: excluded bodies and explicit pairs.
pub fn contact(rng: &mut Rng, scene: &Scene) -> Element {
    let mut contact = Element::new("contact");
    if rng.chance(0.3)
        && let Some([a, b]) = two(rng, &scene.bodies)
    {
        contact.push(Element::new("exclude").with("body1", a).with("body2", b));
    }
    if rng.chance(0.3)
        && let Some([a, b]) = two(rng, &scene.geoms)
    {
        let mut pair = Element::new("pair").with("geom1", a).with("geom2", b);
        if rng.chance(0.5) {
            pair.set("condim", rng.word(&["1", "3", "4", "6"]));
        }
        if rng.chance(0.5) {
            pair.set("friction", rng.numbers(5, 0.01, 1.0));
        }
        if rng.chance(0.3) {
            pair.set("solreffriction", format!("{} 1", rng.number(0.01, 0.05)));
        }
        if rng.chance(0.3) {
            pair.set("margin", rng.number(0.0, 0.03));
        }
        contact.push(pair);
    }
    contact
}

/// Two different names.
fn two(rng: &mut Rng, names: &[String]) -> Option<[String; 2]> {
    let (a, b) = (rng.pick(names)?, rng.pick(names)?);
    (a != b).then(|| [a.clone(), b.clone()])
}

/// The `equality` section.
pub fn equality(rng: &mut Rng, scene: &Scene) -> Element {
    let mut equality = Element::new("equality");
    for _ in 0..[0, 0, 1, 2][rng.below(4)] {
        if let Some(mut constraint) = constraint(rng, scene) {
            if rng.chance(0.3) {
                constraint.set("solref", format!("{} 1", rng.number(0.01, 0.05)));
            }
            if rng.chance(0.1) {
                constraint.set("active", "false");
            }
            equality.push(constraint);
        }
    }
    equality
}

fn constraint(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    Some(match rng.below(6) {
        0 => {
            let [a, b] = two(rng, &scene.bodies)?;
            let connect = Element::new("connect").with("body1", a).with("body2", b);
            connect.with("anchor", rng.numbers(3, -0.2, 0.2))
        }
        1 => {
            let [a, b] = two(rng, &scene.sites)?;
            Element::new("connect").with("site1", a).with("site2", b)
        }
        2 => {
            let [a, b] = two(rng, &scene.bodies)?;
            let mut weld = Element::new("weld").with("body1", a).with("body2", b);
            if rng.chance(0.5) {
                weld.set("relpose", format!("{} 1 0 0 0", rng.numbers(3, -0.2, 0.2)));
            }
            weld.with("torquescale", rng.number(0.2, 1.0))
        }
        3 => {
            let [a, b] = two(rng, &scene.sites)?;
            Element::new("weld").with("site1", a).with("site2", b)
        }
        4 => {
            let (a, b) = (scene.scalar_joint(rng)?, scene.scalar_joint(rng)?);
            if a.name == b.name {
                return None;
            }
            let joint = Element::new("joint").with("joint1", a.name);
            let joint = if rng.chance(0.7) { joint.with("joint2", b.name) } else { joint };
            joint.with("polycoef", rng.numbers(5, -0.3, 0.5))
        }
        _ => {
            let [a, b] = two(rng, &scene.tendons)?;
            let tendon = Element::new("tendon").with("tendon1", a);
            let tendon = if rng.chance(0.7) { tendon.with("tendon2", b) } else { tendon };
            tendon.with("polycoef", rng.numbers(5, -0.3, 0.5))
        }
    })
}

/// The `tendon` section.
pub fn tendon(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut section = Element::new("tendon");
    for _ in 0..[0, 1, 2][rng.below(3)] {
        let name = scene.name("tendon");
        let path = if rng.chance(0.5) { fixed(rng, scene) } else { spatial(rng, scene) };
        let Some(mut tendon) = path else { continue };
        tendon.attributes.insert(0, ("name", name.clone()));
        if rng.chance(0.4) {
            tendon.set("limited", "true");
            tendon.set("range", format!("{} {}", rng.number(-0.2, 0.1), rng.number(0.2, 1.0)));
            scene.limited_tendons.push(name.clone());
        }
        let mut maybe = |p: f64, attribute: &'static str, value: &dyn Fn(&mut Rng) -> String| {
            if rng.chance(p) {
                let value = value(rng);
                tendon.set(attribute, value);
            }
        };
        maybe(0.4, "damping", &|r| r.number(0.0, 1.0));
        maybe(0.4, "stiffness", &|r| r.number(0.0, 20.0));
        maybe(0.2, "frictionloss", &|r| r.number(0.0, 0.5));
        maybe(0.2, "springlength", &|r| r.number(0.0, 0.5));
        maybe(0.1, "springlength", &|r| format!("{} {}", r.number(0.0, 0.2), r.number(0.2, 0.5)));
        maybe(0.1, "margin", &|r| r.number(0.0, 0.05));
        // tendons with armature cannot wrap
        if !tendon.children.iter().any(|child| child.tag == "geom") && rng.chance(0.1) {
            tendon.set("armature", rng.number(0.0, 0.1));
        }
        scene.tendons.push(name);
        section.push(tendon);
    }
    section
}

fn fixed(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let mut fixed = Element::new("fixed");
    let mut used: Vec<String> = Vec::new();
    for _ in 0..1 + rng.below(3) {
        let joint = scene.scalar_joint(rng)?.name;
        if !used.contains(&joint) {
            let coef = rng.number(-1.0, 1.0);
            fixed.push(Element::new("joint").with("joint", &joint).with("coef", coef));
            used.push(joint);
        }
    }
    Some(fixed)
}

fn spatial(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let mut spatial = Element::new("spatial");
    let site =
        |rng: &mut Rng| rng.pick(&scene.sites).map(|site| Element::new("site").with("site", site));
    let mut last = site(rng)?;
    spatial.push(last.clone());
    for _ in 0..1 + rng.below(3) {
        let next = site(rng)?;
        if next == last {
            continue;
        }
        if rng.chance(0.4)
            && let Some(geom) = rng.pick(&scene.wrap_geoms)
        {
            let mut wrap = Element::new("geom").with("geom", geom);
            if rng.chance(0.4)
                && let Some(side) = rng.pick(&scene.sites)
            {
                wrap.set("sidesite", side);
            }
            spatial.push(wrap);
        }
        spatial.push(next.clone());
        last = next;
    }
    if spatial.children.len() < 2 {
        return None;
    }
    if rng.chance(0.2) {
        let (a, b) = (site(rng)?, site(rng)?);
        if a != b {
            spatial.push(Element::new("pulley").with("divisor", rng.number(1.0, 3.0)));
            spatial.push(a);
            spatial.push(b);
        }
    }
    Some(spatial)
}

/// The `actuator` section.
pub fn actuator(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut section = Element::new("actuator");
    for _ in 0..rng.below(5) {
        let name = scene.name("actuator");
        let Some(mut actuator) = one_actuator(rng, scene) else { continue };
        actuator.attributes.insert(0, ("name", name.clone()));
        let mut maybe = |p: f64, attribute: &'static str, value: &dyn Fn(&mut Rng) -> String| {
            if rng.chance(p) {
                let value = value(rng);
                actuator.set(attribute, value);
            }
        };
        maybe(0.1, "group", &|r| r.below(3).to_string());
        if rng.chance(0.15) {
            actuator.set("nsample", 1 + rng.below(4));
            actuator.set("interp", rng.word(&["zoh", "linear", "cubic"]));
            actuator.set("delay", rng.number(0.0, 0.01));
        }
        scene.actuators.push(name);
        section.push(actuator);
    }
    section
}

/// An actuator with its transmission.
fn one_actuator(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    if rng.chance(0.07) {
        let body = rng.pick(&scene.bodies)?;
        let adhesion = Element::new("adhesion").with("body", body).with("ctrlrange", "0 1");
        return Some(adhesion.with("gain", rng.number(1.0, 10.0)));
    }
    let kinds = [
        "general",
        "motor",
        "position",
        "velocity",
        "intvelocity",
        "damper",
        "cylinder",
        "muscle",
        "dcmotor",
    ];
    let kind = rng.word(&kinds);
    let mut actuator = Element::new(kind);
    transmission(rng, scene, kind, &mut actuator)?;
    match kind {
        "general" => general(rng, &mut actuator),
        "position" => {
            actuator.set("kp", rng.number(1.0, 30.0));
            match rng.below(3) {
                0 => actuator.set("kv", rng.number(0.0, 2.0)),
                1 => actuator.set("dampratio", rng.number(0.3, 1.5)),
                _ => {}
            }
            if rng.chance(0.2) {
                actuator.set("timeconst", rng.number(0.01, 0.1));
            }
        }
        "velocity" => actuator.set("kv", rng.number(0.1, 2.0)),
        "intvelocity" => {
            actuator.set("kp", rng.number(1.0, 20.0));
            actuator.set("actrange", rng.range(1.0));
        }
        "damper" => {
            actuator.set("kv", rng.number(0.1, 2.0));
            actuator.set("ctrlrange", format!("0 {}", rng.number(0.5, 1.0)));
        }
        "cylinder" => {
            actuator.set("timeconst", rng.number(0.05, 0.5));
            actuator.set("area", rng.number(0.5, 2.0));
        }
        "muscle" => {
            actuator
                .set("lengthrange", format!("{} {}", rng.number(0.1, 0.3), rng.number(0.5, 1.0)));
            actuator.set("force", rng.number(1.0, 20.0));
            actuator.set("ctrlrange", "0 1");
        }
        "dcmotor" => {
            actuator.set("motorconst", rng.number(0.05, 0.5));
            actuator.set("resistance", rng.number(0.5, 2.0));
        }
        _ => {}
    }
    if !matches!(kind, "damper" | "muscle") && rng.chance(0.4) {
        actuator.set("ctrlrange", rng.range(1.0));
    }
    if kind != "dcmotor" && rng.chance(0.3) {
        actuator.set("forcerange", rng.range(5.0));
    }
    Some(actuator)
}

/// Sets the transmission of an actuator; `None` if the model has no suitable target.
fn transmission(rng: &mut Rng, scene: &Scene, kind: &str, actuator: &mut Element) -> Option<()> {
    match rng.below(10) {
        0 if kind != "muscle" => {
            let [site, reference] = two(rng, &scene.sites)?;
            actuator.set("site", site);
            if rng.chance(0.7) {
                actuator.set("refsite", reference);
            }
            actuator.set("gear", rng.numbers(6, -1.0, 1.0));
        }
        1 | 2 => actuator.set("tendon", rng.pick(&scene.tendons)?),
        3 if kind != "position" && kind != "intvelocity" => {
            let joint = rng.pick(&scene.joints)?;
            let attribute = if rng.chance(0.5) { "joint" } else { "jointinparent" };
            actuator.set(attribute, &joint.name);
            actuator.set("gear", rng.numbers(6, -1.0, 1.0));
        }
        4 => {
            let [slider, crank] = two(rng, &scene.sites)?;
            actuator.set("slidersite", slider);
            actuator.set("cranksite", crank);
            actuator.set("cranklength", rng.number(0.3, 0.8));
        }
        _ => {
            actuator.set("joint", scene.scalar_joint(rng)?.name);
            if rng.chance(0.3) {
                actuator.set("gear", rng.number(-3.0, 3.0));
            }
        }
    }
    Some(())
}

fn general(rng: &mut Rng, actuator: &mut Element) {
    let dynamics = rng.word(&["none", "none", "integrator", "filter", "filterexact"]);
    actuator.set("dyntype", dynamics);
    if dynamics != "none" {
        actuator.set("dynprm", rng.number(0.01, 0.5));
        if rng.chance(0.3) {
            actuator.set("actearly", "true");
        }
        if rng.chance(0.3) {
            actuator.set("actrange", rng.range(1.0));
        }
    }
    if rng.chance(0.4) {
        actuator.set("gaintype", "affine");
        actuator.set("gainprm", rng.numbers(3, -1.0, 2.0));
    } else {
        actuator.set("gainprm", rng.number(0.5, 5.0));
    }
    if rng.chance(0.4) {
        actuator.set("biastype", "affine");
        actuator.set("biasprm", rng.numbers(3, -1.0, 0.0));
    }
}
