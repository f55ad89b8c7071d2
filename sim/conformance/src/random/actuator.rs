//! Generated actuators: all types with their dynamics, gains, limits and transmissions.

use super::element::Element;
use super::nontree::two;
use super::rng::Rng;
use super::scene::Scene;
use super::tree::class;

/// The `actuator` section.
pub fn actuator(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut section = Element::new("actuator");
    for _ in 0..rng.below(5) {
        let name = scene.name("actuator");
        let Some(mut actuator) = one_actuator(rng, scene) else { continue };
        actuator.attributes.insert(0, ("name", name.clone()));
        actuator.maybe(rng, 0.1, "group", |r| r.below(3).to_string());
        actuator.maybe(rng, 0.05, "user", |r| r.numbers(2, -1.0, 1.0));
        if rng.chance(0.15) {
            actuator.set("nsample", 1 + rng.below(4));
            actuator.set("interp", rng.word(&["zoh", "linear", "cubic"]));
            actuator.set("delay", rng.number(0.0, 0.01));
        }
        if actuator.has("joint") || actuator.has("tendon") {
            actuator.maybe(rng, 0.1, "armature", |r| r.number(0.0, 0.05));
            actuator.maybe(rng, 0.1, "damping", |r| r.number(0.0, 0.5));
            actuator.maybe(rng, 0.05, "damping", |r| r.numbers(3, 0.0, 0.2));
        }
        // defaults of another type may be invalid for these
        if !matches!(actuator.tag, "muscle" | "dcmotor" | "adhesion") {
            class(rng, scene, &mut actuator);
        }
        scene.actuators.push(name);
        section.push(actuator);
    }
    section
}

/// An actuator with its transmission.
fn one_actuator(rng: &mut Rng, scene: &mut Scene) -> Option<Element> {
    if rng.chance(0.07) {
        let body = rng.pick(&scene.bodies)?;
        if rng.chance(0.2) {
            let general = Element::new("general").with("body", body);
            return Some(general.with("gainprm", rng.number(1.0, 10.0)));
        }
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
    if matches!(kind, "cylinder" | "muscle" | "intvelocity") {
        scene.na += 1;
    }
    // these may have several activations or none
    scene.unknown_sizes |= kind == "dcmotor";
    match kind {
        "general" => {
            general(rng, &mut actuator);
            scene.na += usize::from(actuator.get("dyntype") != Some("none"));
        }
        "position" => position(rng, scene, &mut actuator),
        "velocity" => actuator.set("kv", rng.number(0.1, 2.0)),
        "intvelocity" => {
            actuator.set("kp", rng.number(1.0, 20.0));
            if scene.limited_target(&actuator) && rng.chance(0.3) {
                actuator.set("inheritrange", rng.number(0.5, 1.2));
            } else {
                actuator.set("actrange", rng.range(1.0));
            }
            match rng.below(3) {
                0 => actuator.set("kv", rng.number(0.0, 2.0)),
                1 => actuator.set("dampratio", rng.number(0.3, 1.5)),
                _ => {}
            }
        }
        "damper" => {
            actuator.set("kv", rng.number(0.1, 2.0));
            actuator.set("ctrlrange", format!("0 {}", rng.number(0.5, 1.0)));
        }
        "cylinder" => {
            actuator.set("timeconst", rng.number(0.05, 0.5));
            if rng.chance(0.5) {
                actuator.set("area", rng.number(0.5, 2.0));
            } else {
                actuator.set("diameter", rng.number(0.5, 1.5));
            }
            actuator.maybe(rng, 0.4, "bias", |r| r.numbers(3, -1.0, 0.0));
        }
        "muscle" => muscle(rng, &mut actuator),
        "dcmotor" => dcmotor(rng, &mut actuator),
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

fn position(rng: &mut Rng, scene: &mut Scene, actuator: &mut Element) {
    actuator.set("kp", rng.number(1.0, 30.0));
    match rng.below(3) {
        0 => actuator.set("kv", rng.number(0.0, 2.0)),
        1 => actuator.set("dampratio", rng.number(0.3, 1.5)),
        _ => {}
    }
    actuator.maybe(rng, 0.2, "timeconst", |r| r.number(0.01, 0.1));
    scene.na += usize::from(actuator.has("timeconst"));
    if scene.limited_target(actuator) {
        actuator.maybe(rng, 0.3, "inheritrange", |r| r.number(0.5, 1.2));
    }
}

fn muscle(rng: &mut Rng, actuator: &mut Element) {
    actuator.set("lengthrange", format!("{} {}", rng.number(0.1, 0.3), rng.number(0.5, 1.0)));
    if rng.chance(0.7) {
        actuator.set("force", rng.number(1.0, 20.0));
    } else {
        actuator.set("scale", rng.number(1.0, 20.0));
    }
    actuator.maybe(rng, 0.2, "timeconst", |r| r.numbers(2, 0.01, 0.1));
    actuator.maybe(rng, 0.2, "tausmooth", |r| r.number(0.0, 0.2));
    actuator.maybe(rng, 0.2, "range", |r| format!("{} {}", r.number(0.6, 0.8), r.number(1.0, 1.2)));
    actuator.maybe(rng, 0.2, "lmin", |r| r.number(0.3, 0.6));
    actuator.maybe(rng, 0.2, "lmax", |r| r.number(1.4, 1.8));
    actuator.maybe(rng, 0.2, "vmax", |r| r.number(1.0, 2.0));
    actuator.maybe(rng, 0.2, "fpmax", |r| r.number(1.0, 2.0));
    actuator.maybe(rng, 0.2, "fvmax", |r| r.number(1.1, 1.6));
    actuator.set("ctrlrange", "0 1");
}

fn dcmotor(rng: &mut Rng, actuator: &mut Element) {
    actuator.set("motorconst", rng.number(0.05, 0.5));
    actuator.set("resistance", rng.number(0.5, 2.0));
    actuator.maybe(rng, 0.2, "saturation", |r| format!("{} 0 0", r.number(0.2, 2.0)));
    actuator.maybe(rng, 0.2, "inductance", |r| r.number(0.001, 0.02));
    actuator.maybe(rng, 0.2, "cogging", |r| {
        format!("{} {} {}", r.number(0.0, 0.1), 1 + r.below(6), r.number(0.0, 1.0))
    });
    if rng.chance(0.3) {
        actuator.set("input", rng.word(&["position", "velocity"]));
        actuator.set(
            "controller",
            format!("{} {} {}", rng.number(1.0, 10.0), rng.number(0.0, 2.0), rng.number(0.0, 0.5)),
        );
    }
    actuator.maybe(rng, 0.1, "lugre", |r| {
        format!(
            "{} {} {} {} {}",
            r.number(50.0, 200.0),
            r.number(0.1, 1.0),
            r.number(0.0, 0.1),
            r.number(0.05, 0.1),
            r.number(0.1, 0.2)
        )
    });
}

fn general(rng: &mut Rng, actuator: &mut Element) {
    let dynamics = rng.word(&["none", "none", "integrator", "filter", "filterexact"]);
    actuator.set("dyntype", dynamics);
    if dynamics != "none" {
        actuator.set("dynprm", rng.number(0.01, 0.5));
        actuator.maybe(rng, 0.3, "actearly", |_| "true".into());
        actuator.maybe(rng, 0.3, "actrange", |r| r.range(1.0));
        if actuator.has("actrange") {
            actuator.maybe(rng, 0.2, "actlimited", |r| r.word(&["true", "false"]).into());
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
