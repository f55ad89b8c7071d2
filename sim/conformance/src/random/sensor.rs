//! Generated sensors.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;

/// The `sensor` section.
pub fn sensor(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut section = Element::new("sensor");
    for _ in 0..rng.below(7) {
        let name = scene.name("sensor");
        let Some(mut sensor) = one_sensor(rng, scene) else { continue };
        sensor.attributes.insert(0, ("name", name));
        // unit vectors and quaternions have no cutoff
        let unit = ["ballquat", "framequat", "framexaxis", "frameyaxis", "framezaxis", "contact"];
        if rng.chance(0.15) && !unit.contains(&sensor.tag) {
            sensor.set("cutoff", rng.number(0.1, 2.0));
        }
        if rng.chance(0.15) && sensor.tag != "user" {
            sensor.set("nsample", 1 + rng.below(4));
            sensor.set("interp", rng.word(&["zoh", "linear", "cubic"]));
            sensor.maybe(rng, 0.7, "delay", |r| r.number(0.0, 0.01));
            sensor.maybe(rng, 0.4, "interval", |r| r.number(0.0, 0.01));
            // a period and a phase, which is not positive
            sensor.maybe(rng, 0.2, "interval", |r| {
                format!("{} {}", r.number(0.001, 0.01), r.number(-0.01, 0.0))
            });
        }
        sensor.maybe(rng, 0.05, "noise", |r| r.number(0.0, 0.1));
        sensor.maybe(rng, 0.05, "user", |r| r.numbers(2, -1.0, 1.0));
        section.push(sensor);
    }
    section
}

fn one_sensor(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let named = |tag: &'static str, attribute: &'static str, name: &String| {
        Element::new(tag).with(attribute, name)
    };
    Some(match rng.below(15) {
        0 => {
            let kinds = [
                "touch",
                "accelerometer",
                "velocimeter",
                "gyro",
                "force",
                "torque",
                "magnetometer",
            ];
            named(rng.word(&kinds), "site", rng.pick(&scene.sites)?)
        }
        1 => {
            let kinds = ["jointpos", "jointvel", "jointactuatorfrc"];
            named(rng.word(&kinds), "joint", &scene.scalar_joint(rng)?.name)
        }
        2 => {
            let kinds = ["tendonpos", "tendonvel", "tendonactuatorfrc"];
            named(rng.word(&kinds), "tendon", rng.pick(&scene.tendons)?)
        }
        3 => {
            let kinds = ["actuatorpos", "actuatorvel", "actuatorfrc"];
            named(rng.word(&kinds), "actuator", rng.pick(&scene.actuators)?)
        }
        4 => named(rng.word(&["ballquat", "ballangvel"]), "joint", &scene.ball_joint(rng)?),
        5 => {
            let kinds = ["jointlimitpos", "jointlimitvel", "jointlimitfrc"];
            named(rng.word(&kinds), "joint", &scene.limited_joint(rng)?)
        }
        6 => {
            let kinds = ["tendonlimitpos", "tendonlimitvel", "tendonlimitfrc"];
            named(rng.word(&kinds), "tendon", rng.pick(&scene.limited_tendons)?)
        }
        7 => frame(rng, scene)?,
        8 => {
            let kinds = ["subtreecom", "subtreelinvel", "subtreeangmom"];
            named(rng.word(&kinds), "body", rng.pick(&scene.bodies)?)
        }
        9 => {
            let (a, b) = (rng.pick(&scene.geoms)?, rng.pick(&scene.geoms)?);
            if a == b {
                return None;
            }
            let mut distance = named(rng.word(&["distance", "normal", "fromto"]), "geom1", a);
            if rng.chance(0.7) {
                distance.set("geom2", b);
            } else {
                distance.set("body2", rng.pick(&scene.bodies)?);
            }
            distance.with("cutoff", rng.number(0.1, 1.0))
        }
        10 => contact(rng, scene)?,
        11 => rangefinder(rng, scene)?,
        12 => {
            let camprojection = named("camprojection", "site", rng.pick(&scene.sites)?);
            camprojection.with("camera", rng.pick(&scene.cameras)?)
        }
        13 => {
            let (objtype, objname) = scene.frame_object(rng)?;
            let insidesite = named("insidesite", "site", rng.pick(&scene.sites)?);
            insidesite.with("objtype", objtype).with("objname", objname)
        }
        _ if scene.replicated => return None,
        _ if rng.chance(0.2) => {
            let user = Element::new("user").with("dim", 1 + rng.below(3));
            user.with("needstage", rng.word(&["pos", "vel", "acc"]))
        }
        _ => Element::new(rng.word(&["e_potential", "e_kinetic", "clock"])),
    })
}

/// A range finder of a site or a camera.
fn rangefinder(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let mut rangefinder = Element::new("rangefinder");
    if rng.chance(0.7) {
        rangefinder.set("site", rng.pick(&scene.sites)?);
    } else {
        rangefinder.set("camera", rng.pick(&scene.cameras)?);
    }
    rangefinder.maybe(rng, 0.3, "data", |r| {
        r.word(&["dist", "dist normal", "dir point", "origin depth"]).into()
    });
    Some(rangefinder)
}

/// A sensor of contacts, with up to two filters.
fn contact(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let mut contact = Element::new("contact");
    match rng.below(4) {
        0 => contact.set("geom1", rng.pick(&scene.geoms)?),
        1 => contact.set("body1", rng.pick(&scene.bodies)?),
        2 => contact.set("subtree1", rng.pick(&scene.bodies)?),
        _ => contact.set("site", rng.pick(&scene.sites)?),
    }
    if rng.chance(0.4) {
        match rng.below(3) {
            0 => contact.set("geom2", rng.pick(&scene.geoms)?),
            1 => contact.set("body2", rng.pick(&scene.bodies)?),
            _ => contact.set("subtree2", rng.pick(&scene.bodies)?),
        }
    }
    contact.set("num", 1 + rng.below(3));
    let data = ["found force", "dist normal", "found pos tangent", "found force torque dist pos"];
    contact.set("data", rng.word(&data));
    Some(contact.with("reduce", rng.word(&["none", "mindist", "maxforce", "netforce"])))
}

/// A sensor of the pose, velocity or acceleration of a frame.
fn frame(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let kinds = [
        "framepos",
        "framequat",
        "framexaxis",
        "frameyaxis",
        "framezaxis",
        "framelinvel",
        "frameangvel",
        "framelinacc",
        "frameangacc",
    ];
    let kind = rng.word(&kinds);
    let (objtype, objname) = scene.frame_object(rng)?;
    let mut sensor = Element::new(kind).with("objtype", objtype).with("objname", objname);
    if !kind.ends_with("acc")
        && rng.chance(0.5)
        && let Some((reftype, refname)) = scene.frame_object(rng)
    {
        sensor.set("reftype", reftype);
        sensor.set("refname", refname);
    }
    Some(sensor)
}
