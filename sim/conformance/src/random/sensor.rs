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
        if rng.chance(0.15) {
            sensor.set("nsample", 1 + rng.below(4));
            sensor.set("interp", rng.word(&["zoh", "linear", "cubic"]));
            sensor.set("delay", rng.number(0.0, 0.01));
        }
        section.push(sensor);
    }
    section
}

fn one_sensor(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    let named = |tag: &'static str, attribute: &'static str, name: &String| {
        Element::new(tag).with(attribute, name)
    };
    Some(match rng.below(12) {
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
            let distance = named(rng.word(&["distance", "normal", "fromto"]), "geom1", a);
            distance.with("geom2", b).with("cutoff", rng.number(0.1, 1.0))
        }
        10 => {
            let mut contact = Element::new("contact");
            if rng.chance(0.5) {
                contact.set("geom1", rng.pick(&scene.geoms)?);
            } else {
                contact.set("body1", rng.pick(&scene.bodies)?);
            }
            contact.set("num", 1 + rng.below(3));
            contact.set("data", rng.word(&["found force", "dist normal", "found pos tangent"]));
            contact.with("reduce", rng.word(&["none", "mindist", "maxforce", "netforce"]))
        }
        _ if scene.replicated => return None,
        _ => Element::new(rng.word(&["e_potential", "e_kinetic", "clock"])),
    })
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
