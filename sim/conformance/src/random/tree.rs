//! Generated kinematic trees: bodies, joints, geoms, sites, cameras, lights, frames and replicates.

use super::element::Element;
use super::rng::{Rng, format};
use super::scene::Scene;

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
        world.push(wrap(rng, scene, body));
    }
    if rng.chance(0.15) {
        world.push(replicate(rng, scene));
    }
    if rng.chance(0.15) {
        world.push(mocap(rng, scene));
    }
    if rng.chance(0.3) {
        world.push(site(rng, scene));
    }
    world
}

/// Puts an element into a frame with some probability.
fn wrap(rng: &mut Rng, scene: &Scene, element: Element) -> Element {
    if !rng.chance(0.2) {
        return element;
    }
    let mut frame = Element::new("frame").with("pos", rng.numbers(3, -0.1, 0.1));
    orientation(rng, &mut frame);
    if rng.chance(0.2)
        && let Some(class) = rng.pick(&scene.classes)
    {
        frame.set("childclass", class);
    }
    frame.push(element);
    // frames may be nested
    wrap(rng, scene, frame)
}

/// Copies of a small body. What refers to the body is copied as well.
fn replicate(rng: &mut Rng, scene: &mut Scene) -> Element {
    let count = 2 + rng.below(3);
    let mut replicate = Element::new("replicate").with("count", count);
    replicate.set("offset", format!("{} {} 0", rng.number(0.15, 0.4), rng.number(-0.2, 0.2)));
    replicate.maybe(rng, 0.5, "euler", |r| r.numbers(3, -0.5, 0.5));
    replicate.maybe(rng, 0.3, "sep", |r| r.word(&["-", "_", ":"]).into());
    scene.replicated = true;
    let referenced = rng.chance(0.4);
    let mut body = Element::new("body").with("name", scene.name("copy")).with("pos", "1 1 .3");
    if rng.chance(0.5) {
        body.push(Element::new("freejoint"));
        scene.nq += 7;
        scene.nv += 6;
    } else {
        let name = scene.name("joint");
        let axis = rng.numbers(3, 0.1, 1.0);
        body.push(Element::new("joint").with("name", &name).with("axis", axis));
        if referenced {
            scene.add_joint(name, "hinge", false);
        } else {
            scene.nq += 1;
            scene.nv += 1;
        }
    }
    let name = scene.name("geom");
    body.push(
        Element::new("geom").with("name", &name).with("type", "capsule").with("size", ".04 .06"),
    );
    let site = scene.name("site");
    body.push(Element::new("site").with("name", &site).with("pos", rng.numbers(3, -0.1, 0.1)));
    if referenced {
        scene.new_group();
        scene.place(&name);
        scene.place(&site);
        scene.group = 0;
        scene.geoms.push(name);
        scene.copied_sites.push(site.clone());
        scene.sites.push(site);
    }
    replicate.push(body);
    if rng.chance(0.2) {
        let mut outer = Element::new("replicate").with("count", 2);
        outer.set("offset", "0 .3 .1");
        outer.push(replicate);
        return outer;
    }
    replicate
}

fn mocap(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("body");
    let mut body = Element::new("body").with("name", &name).with("mocap", "true");
    body.set("pos", rng.numbers(3, -0.5, 0.5));
    orientation(rng, &mut body);
    body.push(Element::new("geom").with("size", ".05"));
    scene.bodies.push(name);
    scene.nmocap += 1;
    body
}

/// A body with its joints, shapes and child bodies.
fn body(rng: &mut Rng, scene: &mut Scene, depth: usize, pos: [f64; 3]) -> Element {
    let name = scene.name("body");
    let pos = pos.map(format).join(" ");
    let mut body = Element::new("body").with("name", &name).with("pos", pos);
    orientation(rng, &mut body);
    body.maybe(rng, 0.1, "gravcomp", |r| r.number(0.0, 1.0));
    body.maybe(rng, 0.05, "user", |r| r.numbers(2, -1.0, 1.0));
    if rng.chance(0.2)
        && let Some(class) = rng.pick(&scene.classes)
    {
        body.set("childclass", class);
    }
    let parent = scene.group;
    joints(rng, scene, depth, &mut body);
    if !body.children.is_empty() {
        scene.new_group();
        if depth == 0 {
            body.maybe(rng, 0.05, "sleep", |r| r.word(&["auto", "never", "allowed"]).into());
        }
    }
    scene.place(&name);
    if rng.chance(0.15) {
        body.push(inertial(rng));
    }
    scene.bodies.push(name);
    for _ in 0..1 + rng.below(2) {
        let geom = geom(rng, scene);
        let geom = wrap(rng, scene, geom);
        body.push(geom);
    }
    for _ in 0..rng.below(3) {
        let site = site(rng, scene);
        body.push(wrap(rng, scene, site));
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
            let child = wrap(rng, scene, child);
            body.push(child);
        }
    }
    scene.group = parent;
    body
}

/// The joints of a body.
fn joints(rng: &mut Rng, scene: &mut Scene, depth: usize, body: &mut Element) {
    if depth == 0 && rng.chance(0.5) {
        let name = scene.name("joint");
        let joint = match rng.chance(0.7) {
            true => {
                let mut joint = Element::new("freejoint");
                joint.maybe(rng, 0.2, "align", |r| r.word(&["true", "false", "auto"]).into());
                joint
            }
            false => Element::new("joint").with("type", "free"),
        };
        body.push(joint.with("name", &name));
        scene.add_joint(name, "free", false);
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
        joint.set("limited", if rng.chance(0.8) { "true" } else { "auto" });
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
    maybe(0.1, "solreflimit", &Rng::solref);
    maybe(0.1, "solimplimit", &Rng::solimp);
    maybe(0.1, "solreffriction", &|r| format!("{} 1", r.number(0.01, 0.05)));
    maybe(0.05, "solimpfriction", &Rng::solimp);
    maybe(0.05, "actuatorgravcomp", &|_| "true".into());
    maybe(0.05, "group", &|r| r.below(4).to_string());
    maybe(0.05, "user", &|r| r.numbers(2, -1.0, 1.0));
    if kind != "ball" {
        maybe(0.2, "ref", &|r| r.number(-0.3, 0.3));
        maybe(0.2, "springref", &|r| r.number(-0.3, 0.3));
        maybe(0.1, "actuatorfrcrange", &|r| r.range(2.0));
        maybe(0.05, "springdamper", &|r| format!("{} {}", r.number(0.1, 0.5), r.number(0.5, 1.5)));
    }
    class(rng, scene, &mut joint);
    scene.add_joint(name, kind, limited);
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
    // a primitive may be fitted to a mesh; 3.8.0 takes such an ellipsoid on a plane for the mesh
    let fits = !matches!(kind, "mesh" | "ellipsoid") && rng.chance(0.1);
    let fitted = if fits { rng.pick(&scene.meshes) } else { None };
    match kind {
        _ if fitted.is_some() => {
            geom.set("mesh", fitted.map_or("", String::as_str));
            geom.maybe(rng, 0.3, "fitscale", |r| r.number(0.8, 1.2));
        }
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
    if !geom.has("fromto") {
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
        geom.maybe(rng, 0.3, "fluidcoef", |r| r.numbers(5, 0.0, 1.5));
    }
    geom.maybe(rng, 0.1, "group", |r| r.below(4).to_string());
    geom.maybe(rng, 0.05, "rgba", |r| r.numbers(4, 0.0, 1.0));
    geom.maybe(rng, 0.05, "user", |r| r.numbers(3, -1.0, 1.0));
    if rng.chance(0.1)
        && let Some(material) = rng.pick(&scene.materials)
    {
        geom.set("material", material);
    }
    class(rng, scene, &mut geom);
    if matches!(kind, "sphere" | "cylinder") {
        scene.wrap_geoms.push(name.clone());
    }
    scene.place(&name);
    scene.geoms.push(name);
    geom
}

/// Contact parameters of a geom or an explicit pair.
fn surface(rng: &mut Rng, geom: &mut Element) {
    contact_parameters(rng, geom);
    geom.maybe(rng, 0.1, "margin", |r| r.number(0.0, 0.03));
    geom.maybe(rng, 0.05, "gap", |r| r.number(0.0, 0.01));
}

/// Contact parameters of geoms, pairs and flexes, without margin and gap.
pub(super) fn contact_parameters(rng: &mut Rng, element: &mut Element) {
    element.maybe(rng, 0.3, "condim", |r| r.word(&["1", "3", "4", "6"]).into());
    element.maybe(rng, 0.2, "friction", |r| r.numbers(3, 0.0, 1.0));
    element.maybe(rng, 0.1, "contype", |r| r.below(4).to_string());
    element.maybe(rng, 0.1, "conaffinity", |r| r.below(4).to_string());
    element.maybe(rng, 0.1, "priority", |r| r.below(3).to_string());
    element.maybe(rng, 0.1, "solmix", |r| r.number(0.1, 2.0));
    element.maybe(rng, 0.15, "solref", Rng::solref);
    element.maybe(rng, 0.1, "solimp", Rng::solimp);
}

fn site(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("site");
    let mut site =
        Element::new("site").with("name", &name).with("pos", rng.numbers(3, -0.15, 0.15));
    let kind = rng.word(&["sphere", "capsule", "ellipsoid", "cylinder", "box"]);
    site.set("type", kind);
    if matches!(kind, "capsule" | "cylinder") && rng.chance(0.2) {
        site.attributes.retain(|(name, _)| *name != "pos");
        site.set("fromto", rng.numbers(6, -0.15, 0.15));
        site.set("size", rng.number(0.02, 0.06));
    } else {
        site.set("size", rng.numbers(3, 0.02, 0.1));
        orientation(rng, &mut site);
    }
    site.maybe(rng, 0.05, "user", |r| r.numbers(2, -1.0, 1.0));
    site.maybe(rng, 0.05, "group", |r| r.below(4).to_string());
    class(rng, scene, &mut site);
    scene.place(&name);
    scene.sites.push(name);
    site
}

fn camera(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("camera");
    let mut camera =
        Element::new("camera").with("name", &name).with("pos", rng.numbers(3, -0.5, 0.5));
    orientation(rng, &mut camera);
    if rng.chance(0.3) {
        camera.set("resolution", format!("{} {}", 1 + rng.below(4), 1 + rng.below(4)));
        camera.set("sensorsize", rng.numbers(2, 0.01, 0.05));
        camera.maybe(rng, 0.5, "focal", |r| r.numbers(2, 0.01, 0.05));
        camera.maybe(rng, 0.3, "principal", |r| r.numbers(2, -0.01, 0.01));
    } else {
        camera.maybe(rng, 0.5, "fovy", |r| r.number(20.0, 80.0));
        camera.maybe(rng, 0.1, "projection", |_| "orthographic".into());
    }
    camera.maybe(rng, 0.1, "ipd", |r| r.number(0.05, 0.08));
    camera.maybe(rng, 0.1, "user", |r| r.numbers(2, -1.0, 1.0));
    mode(rng, scene, &mut camera);
    scene.cameras.push(name);
    camera
}

fn light(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("light");
    let mut light =
        Element::new("light").with("name", &name).with("pos", rng.numbers(3, -1.0, 2.0));
    light.set("dir", rng.numbers(3, -1.0, -0.1));
    light.maybe(rng, 0.3, "type", |r| r.word(&["spot", "directional", "point"]).into());
    light.maybe(rng, 0.2, "attenuation", |r| r.numbers(3, 0.0, 1.0));
    light.maybe(rng, 0.2, "diffuse", |r| r.numbers(3, 0.0, 1.0));
    light.maybe(rng, 0.1, "castshadow", |_| "false".into());
    mode(rng, scene, &mut light);
    light
}

/// Tracking mode of a camera or light, with a target if the mode needs one.
fn mode(rng: &mut Rng, scene: &Scene, element: &mut Element) {
    let mode = rng.word(&["fixed", "fixed", "track", "trackcom", "targetbody", "targetbodycom"]);
    if mode.starts_with("target") {
        let Some(body) = rng.pick(&scene.bodies) else { return };
        element.set("target", body);
    }
    element.set("mode", mode);
}

/// Assigns a default class with some probability.
pub fn class(rng: &mut Rng, scene: &Scene, element: &mut Element) {
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
