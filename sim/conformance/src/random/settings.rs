//! Generated settings: compiler, options, flags, sizes and default classes.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;

/// The `compiler` section.
pub fn compiler(rng: &mut Rng) -> Element {
    let mut compiler = Element::new("compiler");
    let mut maybe = |p: f64, name: &'static str, value: &dyn Fn(&mut Rng) -> String| {
        if rng.chance(p) {
            let value = value(rng);
            compiler.set(name, value);
        }
    };
    maybe(0.5, "angle", &|r| r.word(&["radian", "degree"]).into());
    maybe(0.2, "autolimits", &|_| "true".into());
    maybe(0.1, "boundmass", &|r| r.number(0.0, 0.1));
    maybe(0.1, "boundinertia", &|r| r.number(0.0, 0.001));
    maybe(0.1, "settotalmass", &|r| r.number(1.0, 5.0));
    maybe(0.1, "balanceinertia", &|_| "true".into());
    maybe(0.2, "eulerseq", &|r| r.word(&["xyz", "zyx", "XYZ", "zxz"]).into());
    maybe(0.2, "inertiafromgeom", &|r| r.word(&["auto", "true"]).into());
    maybe(0.1, "alignfree", &|_| "true".into());
    maybe(0.1, "saveinertial", &|_| "true".into());
    maybe(0.05, "discardvisual", &|_| "true".into());
    maybe(0.05, "inertiagrouprange", &|r| format!("0 {}", 2 + r.below(4)));
    maybe(0.05, "fitaabb", &|_| "true".into());
    maybe(0.05, "usethread", &|_| "false".into());
    if rng.chance(0.02) {
        let mut lengthrange = Element::new("lengthrange");
        lengthrange.set("mode", rng.word(&["none", "muscle", "muscleuser", "all"]));
        lengthrange.maybe(rng, 0.5, "useexisting", |_| "false".into());
        lengthrange.maybe(rng, 0.5, "uselimit", |_| "true".into());
        compiler.push(lengthrange);
    }
    compiler
}

/// Flags that a model may disable.
const DISABLE: [&str; 16] = [
    "constraint",
    "equality",
    "frictionloss",
    "limit",
    "contact",
    "spring",
    "gravity",
    "clampctrl",
    "warmstart",
    "filterparent",
    "actuation",
    "refsafe",
    "sensor",
    "midphase",
    "eulerdamp",
    "autoreset",
];
/// Flags that a model may enable.
const ENABLE: [&str; 5] = ["override", "energy", "fwdinv", "sleep", "invdiscrete"];

/// The `option` section.
pub fn option(rng: &mut Rng) -> Element {
    let mut option = Element::new("option");
    let mut maybe = |p: f64, name: &'static str, value: &dyn Fn(&mut Rng) -> String| {
        if rng.chance(p) {
            let value = value(rng);
            option.set(name, value);
        }
    };
    maybe(0.6, "timestep", &|r| r.number(0.001, 0.005));
    maybe(0.5, "integrator", &|r| r.word(&["Euler", "RK4", "implicit", "implicitfast"]).into());
    maybe(0.6, "cone", &|r| r.word(&["pyramidal", "elliptic"]).into());
    maybe(0.5, "solver", &|r| r.word(&["Newton", "Newton", "CG", "PGS"]).into());
    maybe(0.3, "jacobian", &|r| r.word(&["dense", "sparse", "auto"]).into());
    maybe(0.2, "impratio", &|r| r.number(0.5, 10.0));
    maybe(0.2, "gravity", &|r| r.numbers(3, -10.0, 3.0));
    maybe(0.2, "wind", &|r| r.numbers(3, -2.0, 2.0));
    maybe(0.2, "density", &|r| r.number(0.0, 500.0));
    maybe(0.2, "viscosity", &|r| r.number(0.0, 0.2));
    maybe(0.1, "magnetic", &|r| r.numbers(3, -1.0, 1.0));
    maybe(0.1, "noslip_iterations", &|r| (1 + r.below(4)).to_string());
    maybe(0.1, "o_margin", &|r| r.number(0.0, 0.02));
    maybe(0.1, "o_solref", &Rng::solref);
    maybe(0.1, "o_solimp", &Rng::solimp);
    maybe(0.1, "o_friction", &|r| r.numbers(5, 0.1, 1.0));
    maybe(0.1, "actuatorgroupdisable", &|r| r.below(3).to_string());
    maybe(0.1, "iterations", &|r| (10 + r.below(90)).to_string());
    maybe(0.05, "ls_iterations", &|r| (10 + r.below(40)).to_string());
    maybe(0.05, "tolerance", &|r| r.word(&["1e-6", "1e-10", "1e-12"]).into());
    maybe(0.05, "ls_tolerance", &|r| r.word(&["1e-2", "1e-3", "1e-4"]).into());
    maybe(0.05, "ccd_iterations", &|r| (20 + r.below(40)).to_string());
    maybe(0.05, "ccd_tolerance", &|r| r.word(&["1e-5", "1e-7", "1e-8"]).into());
    maybe(0.05, "sleep_tolerance", &|r| r.number(0.0001, 0.1));
    let mut flag = Element::new("flag");
    if rng.chance(0.3) {
        flag.set(rng.word(&DISABLE), "disable");
    }
    // discrete inverse dynamics does not exist for RK4
    let rk4 = option.attributes.iter().any(|(_, value)| value == "RK4");
    let enable = if rk4 { &ENABLE[..4] } else { &ENABLE[..] };
    if rng.chance(0.3) {
        flag.set(rng.word(enable), "enable");
    }
    // with other integrators, discrete inverse dynamics of 3.8.0 is not the inverse of the step
    if rk4 && rng.chance(0.1) {
        flag.set("damper", "disable");
    }
    if rng.chance(0.1) {
        flag.set("island", "disable");
    }
    if rng.chance(0.1) {
        flag.set("multiccd", rng.word(&["enable", "disable"]));
    }
    if !flag.attributes.is_empty() {
        option.push(flag);
    }
    option
}

/// The `default` section with up to two nested classes.
pub fn defaults(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut top = Element::new("default");
    fill(rng, &mut top);
    for _ in 0..rng.below(3) {
        let name = scene.name("class");
        let mut class = Element::new("default").with("class", &name);
        fill(rng, &mut class);
        scene.classes.push(name);
        if rng.chance(0.5) {
            let name = scene.name("class");
            let mut inner = Element::new("default").with("class", &name);
            fill(rng, &mut inner);
            class.push(inner);
            scene.classes.push(name);
        }
        top.push(class);
    }
    top
}

/// Default values of one class.
fn fill(rng: &mut Rng, class: &mut Element) {
    if rng.chance(0.5) {
        let mut geom = Element::new("geom");
        match rng.below(6) {
            0 => geom.set("friction", rng.numbers(3, 0.0, 1.0)),
            1 => geom.set("density", rng.number(200.0, 2000.0)),
            2 => geom.set("solref", rng.solref()),
            3 => geom.set("solimp", rng.solimp()),
            4 => geom.set("margin", rng.number(0.0, 0.02)),
            _ => geom.set("condim", rng.word(&["1", "3", "4", "6"])),
        }
        geom.maybe(rng, 0.1, "group", |r| r.below(4).to_string());
        class.push(geom);
    }
    if rng.chance(0.5) {
        let mut joint = Element::new("joint");
        match rng.below(5) {
            0 => joint.set("damping", rng.number(0.0, 2.0)),
            1 => joint.set("armature", rng.number(0.0, 0.1)),
            2 => joint.set("stiffness", rng.number(0.0, 20.0)),
            3 => joint.set("solimplimit", rng.solimp()),
            _ => joint.set("frictionloss", rng.number(0.0, 0.5)),
        }
        class.push(joint);
    }
    if rng.chance(0.2) {
        let tendon = Element::new("tendon").with("damping", rng.number(0.0, 1.0));
        class.push(tendon.with("stiffness", rng.number(0.0, 10.0)));
    }
    if rng.chance(0.2) {
        class.push(Element::new("site").with("size", rng.number(0.01, 0.05)));
    }
    if rng.chance(0.1) {
        class.push(Element::new("equality").with("solref", rng.solref()));
    }
    if rng.chance(0.1) {
        class.push(Element::new("pair").with("condim", rng.word(&["1", "3", "4", "6"])));
    }
    if rng.chance(0.1) {
        class.push(Element::new("mesh").with("scale", rng.numbers(3, 0.5, 1.5)));
    }
    if rng.chance(0.1) {
        class.push(Element::new("camera").with("fovy", rng.number(30.0, 70.0)));
    }
    if rng.chance(0.1) {
        class.push(Element::new("light").with("exponent", rng.number(1.0, 20.0)));
    }
    if rng.chance(0.1) {
        class.push(Element::new("material").with("specular", rng.number(0.0, 1.0)));
    }
    // all actuator types write the same defaults
    if rng.chance(0.25) {
        let mut actuator = Element::new(rng.word(&["position", "motor", "general", "velocity"]));
        match actuator.tag {
            "position" => actuator.set("kp", rng.number(1.0, 20.0)),
            "velocity" => actuator.set("kv", rng.number(0.1, 2.0)),
            "general" => actuator.set("gainprm", rng.number(0.5, 5.0)),
            _ => actuator.set("gear", rng.number(-3.0, 3.0)),
        }
        actuator.maybe(rng, 0.3, "ctrlrange", |r| r.range(1.0));
        actuator.maybe(rng, 0.3, "forcerange", |r| r.range(5.0));
        class.push(actuator);
    }
}
