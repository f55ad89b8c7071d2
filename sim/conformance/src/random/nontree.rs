//! Generated elements that refer to the kinematic tree: contact pairs, equalities and tendons.

use super::element::Element;
use super::rng::Rng;
use super::scene::Scene;
use super::tree::class;

/// The `contact` section: excluded bodies and explicit pairs.
pub fn contact(rng: &mut Rng, scene: &Scene) -> Element {
    let mut contact = Element::new("contact");
    if rng.chance(0.3)
        && let Some([a, b]) = two(rng, &scene.bodies)
    {
        contact.push(Element::new("exclude").with("body1", a).with("body2", b));
    }
    if rng.chance(0.3)
        && let Some([a, b]) = scene.two_placed(rng, &scene.geoms, true)
    {
        let mut pair = Element::new("pair").with("geom1", a).with("geom2", b);
        pair.maybe(rng, 0.5, "condim", |r| r.word(&["1", "3", "4", "6"]).into());
        pair.maybe(rng, 0.5, "friction", |r| r.numbers(5, 0.01, 1.0));
        pair.maybe(rng, 0.3, "solref", Rng::solref);
        pair.maybe(rng, 0.3, "solimp", Rng::solimp);
        pair.maybe(rng, 0.3, "solreffriction", Rng::solref);
        pair.maybe(rng, 0.3, "margin", |r| r.number(0.0, 0.03));
        pair.maybe(rng, 0.2, "gap", |r| r.number(0.0, 0.02));
        class(rng, scene, &mut pair);
        contact.push(pair);
    }
    contact
}

/// Two different names.
pub fn two(rng: &mut Rng, names: &[String]) -> Option<[String; 2]> {
    let (a, b) = (rng.pick(names)?, rng.pick(names)?);
    (a != b).then(|| [a.clone(), b.clone()])
}

/// The `equality` section.
pub fn equality(rng: &mut Rng, scene: &Scene) -> Element {
    let mut equality = Element::new("equality");
    for _ in 0..[0, 0, 1, 2][rng.below(4)] {
        if let Some(mut constraint) = constraint(rng, scene) {
            constraint.maybe(rng, 0.3, "solref", Rng::solref);
            constraint.maybe(rng, 0.2, "solimp", Rng::solimp);
            constraint.maybe(rng, 0.1, "active", |_| "false".into());
            class(rng, scene, &mut constraint);
            equality.push(constraint);
        }
    }
    equality
}

fn constraint(rng: &mut Rng, scene: &Scene) -> Option<Element> {
    Some(match rng.below(6) {
        0 => {
            let [a, b] = scene.two_placed(rng, &scene.bodies, false)?;
            let connect = Element::new("connect").with("body1", &a);
            // without a second body the first is connected to the world
            let world = rng.chance(0.2) && scene.moves(&a);
            let connect = if world { connect } else { connect.with("body2", b) };
            connect.with("anchor", rng.numbers(3, -0.2, 0.2))
        }
        1 => {
            let [a, b] = scene.two_placed(rng, &scene.sites, false)?;
            Element::new("connect").with("site1", a).with("site2", b)
        }
        2 => {
            let [a, b] = scene.two_placed(rng, &scene.bodies, false)?;
            let mut weld = Element::new("weld").with("body1", &a).with("body2", b);
            if rng.chance(0.2) && scene.moves(&a) {
                weld.attributes.retain(|(name, _)| *name != "body2");
            }
            if rng.chance(0.5) {
                let quat = rng.numbers(4, 0.1, 1.0);
                let quat = if rng.chance(0.5) { &quat } else { "1 0 0 0" };
                weld.set("relpose", format!("{} {quat}", rng.numbers(3, -0.2, 0.2)));
            }
            weld.maybe(rng, 0.4, "anchor", |r| r.numbers(3, -0.2, 0.2));
            weld.with("torquescale", rng.number(0.2, 1.0))
        }
        3 => {
            let [a, b] = scene.two_placed(rng, &scene.sites, false)?;
            let weld = Element::new("weld").with("site1", a).with("site2", b);
            weld.with("torquescale", rng.number(0.2, 1.0))
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
        maybe(0.05, "damping", &|r| r.numbers(3, 0.0, 0.3));
        maybe(0.05, "stiffness", &|r| r.numbers(3, 0.0, 3.0));
        maybe(0.1, "solreflimit", &Rng::solref);
        maybe(0.1, "solimplimit", &Rng::solimp);
        maybe(0.1, "solreffriction", &Rng::solref);
        maybe(0.1, "solimpfriction", &Rng::solimp);
        maybe(0.1, "actuatorfrcrange", &|r| r.range(2.0));
        maybe(0.05, "group", &|r| r.below(4).to_string());
        maybe(0.05, "user", &|r| r.numbers(2, -1.0, 1.0));
        // tendons with armature cannot wrap
        if !tendon.children.iter().any(|child| child.tag == "geom") && rng.chance(0.1) {
            tendon.set("armature", rng.number(0.0, 0.1));
        }
        class(rng, scene, &mut tendon);
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
                // 3.8.0 omits tendons with a side site that a `replicate` copies
                && !scene.copied_sites.contains(side)
            {
                wrap.set("sidesite", side);
            }
            spatial.push(wrap);
        }
        spatial.push(next.clone());
        last = next;
    }
    // the length of a path within one rigid body is constant, up to rounding
    let sites = spatial.children.iter().filter_map(|child| child.get("site"));
    if spatial.children.len() < 2 || scene.same_body(sites) {
        return None;
    }
    for _ in 0..[0, 0, 0, 1, 2][rng.below(5)] {
        let (a, b) = (site(rng)?, site(rng)?);
        if a == b {
            continue;
        }
        spatial.push(Element::new("pulley").with("divisor", rng.number(0.5, 3.0)));
        spatial.push(a);
        if rng.chance(0.3)
            && let Some(geom) = rng.pick(&scene.wrap_geoms)
        {
            spatial.push(Element::new("geom").with("geom", geom));
        }
        spatial.push(b);
    }
    Some(spatial)
}
