//! Generated kinematic trees: bodies, joints, geoms, sites, cameras, lights, frames and replicates.

use super::element::Element;
use super::rng::{Rng, format};
use super::scene::{JointName, Scene};

/// Largest depth of nested bodies.
const MAX_DEPTH: usize = 4;

/// The `worldbody` section.
pub fn worldbody(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut world = Element::new("worldbody");
    if rng.chance(0.7) {
        let name = scene.name("geom");
        let mut floor = Element::new("geom").with("name", &name);
        match scene.hfields.first() {
            Some(hfield) => {
                floor.set("type", "hfield");
                floor.set("hfield", hfield);
            }
            None => {
                floor.set("type", "plane");
                floor.set("size", "5 5 .1");
            }
        }
        if rng.chance(0.3) {
            floor.set("euler", rng.numbers(3, -0.1, 0.1));
        }
        scene.geoms.push(name);
        world.push(floor);
    }
    if rng.chance(0.3) {
        world.push(light(rng, scene));
    }
    for tree in 0..1 + rng.below(4) {
        let pos = [tree as f64 * rng.real(0.2, 0.6), rng.real(-0.3, 0.3), rng.real(0.1, 0.7)];
        let body = body(rng, scene, 0, pos);
        world.push(wrap(rng, body));
    }
    if rng.chance(0.15) {
        world.push(replicate(rng, scene));
    }
    if rng.chance(0.15) {
        world.push(mocap(rng, scene));
    }
    world
}

/// Puts an element into a frame with some probability.
fn wrap(rng: &mut Rng, element: Element) -> Element {
    if !rng.chance(0.2) {
        return element;
    }
    let mut frame = Element::new("frame").with("pos", rng.numbers(3, -0.1, 0.1));
    orientation(rng, &mut frame);
    frame.push(element);
    frame
}

/// Copies of a small body.
fn replicate(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut replicate = Element::new("replicate").with("count", 2 + rng.below(3));
    replicate.set("offset", format!("{} {} 0", rng.number(0.15, 0.4), rng.number(-0.2, 0.2)));
    if rng.chance(0.5) {
        replicate.set("euler", rng.numbers(3, -0.5, 0.5));
    }
    scene.replicated = true;
    // names of replicated elements get suffixes, so that nothing refers to them
    let name = scene.name("copy");
    let mut body = Element::new("body").with("name", &name).with("pos", "1 1 .3");
    if rng.chance(0.5) {
        body.push(Element::new("freejoint"));
    } else {
        body.push(Element::new("joint").with("axis", rng.numbers(3, 0.1, 1.0)));
    }
    body.push(Element::new("geom").with("type", "capsule").with("size", ".04 .06"));
    replicate.push(body);
    replicate
}

fn mocap(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("body");
    let mut body = Element::new("body").with("name", &name).with("mocap", "true");
    body.set("pos", rng.numbers(3, -0.5, 0.5));
    body.push(Element::new("geom").with("size", ".05"));
    scene.bodies.push(name);
    body
}

/// A body with its joints, shapes and child bodies.
fn body(rng: &mut Rng, scene: &mut Scene, depth: usize, pos: [f64; 3]) -> Element {
    let name = scene.name("body");
    let pos = pos.map(format).join(" ");
    let mut body = Element::new("body").with("name", &name).with("pos", pos);
    orientation(rng, &mut body);
    if rng.chance(0.1) {
        body.set("gravcomp", rng.number(0.0, 1.0));
    }
    if rng.chance(0.2)
        && let Some(class) = rng.pick(&scene.classes)
    {
        body.set("childclass", class);
    }
    joints(rng, scene, depth, &mut body);
    if rng.chance(0.15) {
        body.push(inertial(rng));
    }
    scene.bodies.push(name);
    for _ in 0..1 + rng.below(2) {
        let geom = geom(rng, scene);
        let geom = wrap(rng, geom);
        body.push(geom);
    }
    for _ in 0..rng.below(3) {
        let site = site(rng, scene);
        body.push(site);
    }
    if rng.chance(0.15) {
        body.push(camera(rng, scene));
    }
    if rng.chance(0.05) {
        body.push(light(rng, scene));
    }
    if depth < MAX_DEPTH {
        let children = [1, 1, 0, 2][rng.below(4)];
        for _ in 0..children {
            let pos = [rng.real(-0.2, 0.3), rng.real(-0.2, 0.2), rng.real(-0.2, 0.2)];
            let child = self::body(rng, scene, depth + 1, pos);
            let child = wrap(rng, child);
            body.push(child);
        }
    }
    body
}

/// The joints of a body.
fn joints(rng: &mut Rng, scene: &mut Scene, depth: usize, body: &mut Element) {
    if depth == 0 && rng.chance(0.5) {
        let name = scene.name("joint");
        let joint = match rng.chance(0.7) {
            true => Element::new("freejoint"),
            false => Element::new("joint").with("type", "free"),
        };
        body.push(joint.with("name", &name));
        scene.joints.push(JointName { name, kind: "free", limited: false });
        return;
    }
    let count = [1, 1, 1, 2, 3, 0][rng.below(6)];
    for k in 0..count {
        // a ball joint must be the last rotational joint of a body
        let last = k + 1 == count;
        let kind = if last {
            rng.word(&["hinge", "slide", "ball"])
        } else {
            rng.word(&["hinge", "slide"])
        };
        let joint = joint(rng, scene, kind);
        body.push(joint);
    }
}

fn joint(rng: &mut Rng, scene: &mut Scene, kind: &'static str) -> Element {
    let name = scene.name("joint");
    let mut joint = Element::new("joint").with("name", &name).with("type", kind);
    joint.set("pos", rng.numbers(3, -0.05, 0.05));
    let limited = rng.chance(0.4);
    if kind != "ball" {
        joint.set("axis", rng.numbers(3, 0.1, 1.0));
    }
    if limited {
        joint.set("limited", "true");
        joint.set(
            "range",
            if kind == "ball" { format!("0 {}", rng.number(0.3, 1.5)) } else { rng.range(0.8) },
        );
    }
    let mut maybe = |p: f64, name: &'static str, value: &dyn Fn(&mut Rng) -> String| {
        if rng.chance(p) {
            let value = value(rng);
            joint.set(name, value);
        }
    };
    maybe(0.5, "damping", &|r| r.number(0.0, 1.0));
    maybe(0.05, "damping", &|r| r.numbers(3, 0.0, 0.2));
    maybe(0.3, "armature", &|r| r.number(0.0, 0.1));
    maybe(0.3, "stiffness", &|r| r.number(0.0, 10.0));
    maybe(0.05, "stiffness", &|r| r.numbers(3, 0.0, 2.0));
    maybe(0.2, "frictionloss", &|r| r.number(0.0, 0.3));
    maybe(0.1, "margin", &|r| r.number(0.0, 0.1));
    maybe(0.1, "solreflimit", &|r| format!("{} 1", r.number(0.01, 0.05)));
    maybe(0.1, "solimplimit", &|r| format!("{} .95 .01", r.number(0.1, 0.9)));
    maybe(0.1, "solreffriction", &|r| format!("{} 1", r.number(0.01, 0.05)));
    maybe(0.05, "actuatorgravcomp", &|_| "true".into());
    if kind != "ball" {
        maybe(0.2, "ref", &|r| r.number(-0.3, 0.3));
        maybe(0.2, "springref", &|r| r.number(-0.3, 0.3));
        maybe(0.1, "actuatorfrcrange", &|r| r.range(2.0));
        maybe(0.05, "springdamper", &|r| format!("{} {}", r.number(0.1, 0.5), r.number(0.5, 1.5)));
    }
    class(rng, scene, &mut joint);
    scene.joints.push(JointName { name, kind, limited });
    joint
}

fn inertial(rng: &mut Rng) -> Element {
    let mut inertial = Element::new("inertial").with("pos", rng.numbers(3, -0.05, 0.05));
    inertial.set("mass", rng.number(0.2, 2.0));
    if rng.chance(0.5) {
        inertial.set("diaginertia", rng.numbers(3, 0.006, 0.01));
        orientation(rng, &mut inertial);
    } else {
        let diagonal = rng.numbers(3, 0.006, 0.01);
        inertial.set("fullinertia", format!("{diagonal} {}", rng.numbers(3, -0.001, 0.001)));
    }
    inertial
}

fn geom(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("geom");
    let mut geom = Element::new("geom").with("name", &name);
    let kinds = ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"];
    let kind = match rng.word(&kinds) {
        "mesh" if scene.meshes.is_empty() => "box",
        kind => kind,
    };
    geom.set("type", kind);
    match kind {
        "sphere" => geom.set("size", rng.number(0.04, 0.12)),
        "capsule" | "cylinder" if rng.chance(0.3) => {
            geom.set("fromto", rng.numbers(6, -0.15, 0.15));
            geom.set("size", rng.number(0.02, 0.06));
        }
        "capsule" | "cylinder" => geom.set("size", rng.numbers(2, 0.03, 0.1)),
        "mesh" => {
            if let Some(mesh) = rng.pick(&scene.meshes) {
                geom.set("mesh", mesh);
            }
        }
        _ => geom.set("size", rng.numbers(3, 0.03, 0.12)),
    }
    if !geom.attributes.iter().any(|(name, _)| *name == "fromto") {
        geom.set("pos", rng.numbers(3, -0.1, 0.1));
        orientation(rng, &mut geom);
    }
    surface(rng, &mut geom);
    if rng.chance(0.2) {
        let (attribute, value) = if rng.chance(0.5) {
            ("mass", rng.number(0.1, 1.0))
        } else {
            ("density", rng.number(100.0, 3000.0))
        };
        geom.set(attribute, value);
    }
    if kind != "mesh" && rng.chance(0.05) {
        geom.set("shellinertia", "true");
    }
    if rng.chance(0.1) {
        geom.set("fluidshape", "ellipsoid");
    }
    if rng.chance(0.1)
        && let Some(material) = rng.pick(&scene.materials)
    {
        geom.set("material", material);
    }
    class(rng, scene, &mut geom);
    if matches!(kind, "sphere" | "cylinder") {
        scene.wrap_geoms.push(name.clone());
    }
    scene.geoms.push(name);
    geom
}

/// Contact parameters of a geom or an explicit pair.
fn surface(rng: &mut Rng, geom: &mut Element) {
    let mut maybe = |p: f64, name: &'static str, value: &dyn Fn(&mut Rng) -> String| {
        if rng.chance(p) {
            let value = value(rng);
            geom.set(name, value);
        }
    };
    maybe(0.3, "condim", &|r| r.word(&["1", "3", "4", "6"]).into());
    maybe(0.2, "friction", &|r| r.numbers(3, 0.0, 1.0));
    maybe(0.1, "contype", &|r| r.below(4).to_string());
    maybe(0.1, "conaffinity", &|r| r.below(4).to_string());
    maybe(0.1, "priority", &|r| r.below(3).to_string());
    maybe(0.1, "solmix", &|r| r.number(0.1, 2.0));
    maybe(0.1, "solref", &|r| format!("{} {}", r.number(0.005, 0.05), r.number(0.5, 1.5)));
    maybe(0.05, "solref", &|r| format!("{} {}", r.number(-2000.0, -100.0), r.number(-50.0, -5.0)));
    maybe(0.1, "solimp", &|r| format!("{} .95 .005", r.number(0.1, 0.9)));
    maybe(0.1, "margin", &|r| r.number(0.0, 0.03));
    maybe(0.05, "gap", &|r| r.number(0.0, 0.01));
}

fn site(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("site");
    let mut site =
        Element::new("site").with("name", &name).with("pos", rng.numbers(3, -0.15, 0.15));
    let kind = rng.word(&["sphere", "capsule", "ellipsoid", "cylinder", "box"]);
    site.set("type", kind);
    site.set("size", rng.numbers(3, 0.02, 0.1));
    orientation(rng, &mut site);
    scene.sites.push(name);
    site
}

fn camera(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("camera");
    let mut camera =
        Element::new("camera").with("name", &name).with("pos", rng.numbers(3, -0.5, 0.5));
    orientation(rng, &mut camera);
    if rng.chance(0.5) {
        camera.set("fovy", rng.number(20.0, 80.0));
    }
    if rng.chance(0.5) {
        camera.set("mode", rng.word(&["fixed", "track", "trackcom"]));
    }
    scene.cameras.push(name);
    camera
}

fn light(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("light");
    let light = Element::new("light").with("name", &name).with("pos", rng.numbers(3, -1.0, 2.0));
    let light = light.with("dir", rng.numbers(3, -1.0, -0.1));
    light.with("mode", rng.word(&["fixed", "track", "trackcom"]))
}

/// Assigns a default class with some probability.
fn class(rng: &mut Rng, scene: &Scene, element: &mut Element) {
    if rng.chance(0.2)
        && let Some(class) = rng.pick(&scene.classes)
    {
        element.set("class", class);
    }
}

/// A random orientation in one of its notations, with some probability.
fn orientation(rng: &mut Rng, element: &mut Element) {
    if rng.chance(0.4) {
        return;
    }
    match rng.below(5) {
        0 => element.set("quat", rng.numbers(4, 0.1, 1.0)),
        1 => element.set("euler", rng.numbers(3, -1.0, 1.0)),
        2 => element.set("axisangle", rng.numbers(4, 0.1, 1.0)),
        3 => element.set("zaxis", rng.numbers(3, -1.0, 1.0)),
        _ => element
            .set("xyaxes", format!("1 {} 0 {} 1 .2", rng.number(-0.5, 0.5), rng.number(-0.5, 0.5))),
    }
}
