//! Generated deformable objects: flexcomps, composite cables and skins.
//!
//! They are added to a finished model from a random stream of their own, so that the rest of the model of a seed
//! does not depend on them.

use super::element::Element;
use super::rng::{Rng, format};
use super::tree::contact_parameters;

/// Fraction of the models that have deformable objects unless all are to have them.
const RATE: f64 = 0.05;

/// Types that are closed surfaces or solids.
const SHELLS: [&str; 3] = ["box", "cylinder", "ellipsoid"];

/// Adds deformable objects with some probability, or always if `every`.
pub fn add(seed: u64, every: bool, root: &mut Element) {
    let mut rng = Rng::new(seed ^ 0x666c_6578);
    let rng = &mut rng;
    // an hfield and a flex make 3.8.0 read undefined memory, and a flex constraint with sleep is an error
    if !(rng.chance(RATE) || every) || contains(root, "hfield") || has_attribute(root, "sleep") {
        return;
    }
    // the sizes of the states change
    root.children.retain(|section| section.tag != "keyframe");
    let kind = rng.below(10);
    if kind < 7 {
        let first = Flex::new(rng, 0, true);
        let interpolated = first.interpolated;
        let fixed = first.pinned || first.element.has("rigid");
        // 3.8.0 applies elastic forces along the world axes also below a rotated body
        let elastic = contains(&first.element, "elasticity");
        place(rng, root, first.element, !elastic);
        // 3.8.0 scales the damping of all interpolated flexes with that of the first
        if rng.chance(0.2) {
            let second = Flex::new(rng, 1, !interpolated);
            place(rng, root, second.element, false);
            use_sparse_jacobian(root);
        }
        if fixed {
            use_sparse_jacobian(root);
        }
    }
    if (6..9).contains(&kind) {
        let cable = cable(rng, root);
        place(rng, root, cable, false);
    }
    if kind == 9 || rng.chance(0.1) {
        skin(rng, root);
    }
}

/// With a dense Jacobian, 3.8.0 has rows of zeros for the contacts of points that no dof moves, or stops.
fn use_sparse_jacobian(root: &mut Element) {
    if !root.children.iter().any(|child| child.tag == "option") {
        root.children.insert(0, Element::new("option"));
    }
    section(root, "option").set("jacobian", "sparse");
}

/// Whether an element or one of its descendants has this tag.
fn contains(element: &Element, tag: &str) -> bool {
    element.tag == tag || element.children.iter().any(|child| contains(child, tag))
}

/// Whether an element or one of its descendants has this attribute.
fn has_attribute(element: &Element, name: &str) -> bool {
    element.has(name) || element.children.iter().any(|child| has_attribute(child, name))
}

/// The section of this name, which is added at the end if there is none.
fn section<'a>(root: &'a mut Element, tag: &'static str) -> &'a mut Element {
    let index = root.children.iter().position(|child| child.tag == tag).unwrap_or_else(|| {
        root.push(Element::new(tag));
        root.children.len() - 1
    });
    &mut root.children[index]
}

/// Adds an element to the world, or with some probability to a body of it.
fn place(rng: &mut Rng, root: &mut Element, element: Element, into_body: bool) {
    let world = section(root, "worldbody");
    let bodies: Vec<usize> =
        (0..world.children.len()).filter(|&k| world.children[k].tag == "body").collect();
    match rng.pick(&bodies) {
        Some(&body) if into_body && rng.chance(0.25) => world.children[body].push(element),
        _ => world.push(element),
    }
}

/// A `flexcomp` element.
struct Flex {
    element: Element,
    dim: usize,
    interpolated: bool,
    pinned: bool,
    edge_equality: bool,
}

impl Flex {
    fn new(rng: &mut Rng, index: usize, may_interpolate: bool) -> Self {
        let kind = rng.word(&[
            "grid",
            "grid",
            "grid",
            "box",
            "cylinder",
            "ellipsoid",
            "square",
            "disc",
            "circle",
            "direct",
        ]);
        let dim = match kind {
            "circle" => 1,
            "square" | "disc" => 2,
            "direct" => 2 + rng.below(2),
            "grid" => 1 + rng.below(3),
            _ => 2 + rng.below(2),
        };
        let mut element = Element::new("flexcomp").with("name", format!("flex{index}x"));
        element.set("type", kind);
        element.set("dim", dim);
        let radius = rng.real(0.002, 0.02);
        element.set("radius", format(radius));
        element.set("mass", rng.number(0.05, 1.0));
        element.set("pos", rng.numbers(3, -0.3, 0.8));
        if kind == "direct" {
            direct(rng, dim, &mut element);
        } else {
            let along = if dim == 3 { 2 } else { 3 };
            let mut count = [along + rng.below(3), 1, 1];
            for k in 1..dim {
                count[k] = 2 + rng.below(3);
            }
            if kind == "circle" {
                // a ring of two points is a segment twice
                count[0] = 4 + rng.below(4);
            }
            if SHELLS.contains(&kind) {
                count = [0; 3].map(|_: usize| 2 + rng.below(2));
            }
            element.set("count", count.map(|n| n.to_string()).join(" "));
            let spacing = [0; 3].map(|_| format(2.0 * radius + rng.real(0.05, 0.12)));
            element.set("spacing", spacing.join(" "));
        }
        let mut flex =
            Self { element, dim, interpolated: false, pinned: false, edge_equality: false };
        flex.attributes(rng, kind, may_interpolate);
        flex.pins(rng, kind);
        flex.edges(rng);
        flex.elasticity(rng);
        flex.contact(rng);
        flex
    }

    fn attributes(&mut self, rng: &mut Rng, kind: &str, may_interpolate: bool) {
        let element = &mut self.element;
        element.maybe(rng, 0.3, "euler", |r| r.numbers(3, -1.0, 1.0));
        element.maybe(rng, 0.2, "inertiabox", |r| r.number(0.001, 0.01));
        element.maybe(rng, 0.2, "group", |r| r.below(4).to_string());
        element.maybe(rng, 0.2, "rgba", |r| r.numbers(4, 0.0, 1.0));
        element.maybe(rng, 0.2, "flatskin", |r| r.word(&["true", "false"]).into());
        if kind == "direct" {
            element.maybe(rng, 0.3, "scale", |r| r.numbers(3, 0.8, 1.5));
        }
        if rng.chance(0.08) {
            element.set("rigid", "true");
        } else if self.dim == 3 && may_interpolate && rng.chance(0.4) {
            element.set("dof", rng.word(&["trilinear", "trilinear", "quadratic"]));
            self.interpolated = true;
            if kind == "grid" && element.get("dof") == Some("quadratic") {
                // as many points as nodes
                element.set("count", "3 3 3");
            }
        } else if self.dim == 3 && SHELLS.contains(&kind) && rng.chance(0.3) {
            element.set("dof", "radial");
        } else if self.dim == 2 && rng.chance(0.1) {
            element.set("dof", "2d");
        }
    }

    fn pins(&mut self, rng: &mut Rng, kind: &str) {
        if !rng.chance(0.4) {
            return;
        }
        self.pinned = true;
        for _ in 0..1 + rng.below(2) {
            let mut pin = Element::new("pin");
            match rng.below(4) {
                0 if kind == "grid" && self.dim > 1 => {
                    let index: Vec<_> = (0..self.dim).map(|_| rng.below(2).to_string()).collect();
                    pin.set("grid", index.join(" "));
                }
                1 if kind == "grid" && self.dim > 1 => {
                    let high: Vec<_> = (0..self.dim).map(|_| rng.below(2).to_string()).collect();
                    pin.set(
                        "gridrange",
                        format!("{} {}", "0 ".repeat(self.dim).trim_end(), high.join(" ")),
                    );
                }
                2 => pin.set("range", format!("0 {}", rng.below(3))),
                _ => pin.set("id", rng.below(4)),
            }
            self.element.push(pin);
        }
    }

    fn edges(&mut self, rng: &mut Rng) {
        let mut edge = Element::new("edge");
        if !self.interpolated && rng.chance(0.35) {
            edge.set("equality", "true");
            self.edge_equality = true;
        }
        if self.edge_equality {
            edge.maybe(rng, 0.4, "solref", Rng::solref);
            edge.maybe(rng, 0.3, "solimp", Rng::solimp);
        }
        if self.dim == 1 {
            edge.maybe(rng, 0.6, "stiffness", |r| r.number(1.0, 100.0));
        }
        edge.maybe(rng, 0.5, "damping", |r| r.number(0.01, 1.0));
        if !edge.attributes.is_empty() {
            self.element.push(edge);
        }
    }

    fn elasticity(&mut self, rng: &mut Rng) {
        if self.dim == 1 || !rng.chance(0.6) {
            return;
        }
        let mut elasticity = Element::new("elasticity").with("young", rng.number(100.0, 2e4));
        elasticity.maybe(rng, 0.7, "poisson", |r| r.number(0.0, 0.45));
        elasticity.maybe(rng, 0.5, "damping", |r| r.number(0.0001, 0.01));
        if self.dim == 2 {
            elasticity.set("thickness", rng.number(0.001, 0.02));
            // bending needs three joints at every vertex
            let bend = !self.pinned && !self.element.has("dof") && !self.element.has("rigid");
            let kinds: &[&str] = match (bend, self.edge_equality) {
                (true, false) => &["stretch", "bend", "both"],
                (true, true) => &["bend"],
                (false, false) => &["stretch"],
                (false, true) => &["none"],
            };
            elasticity.set("elastic2d", rng.word(kinds));
        }
        self.element.push(elasticity);
    }

    fn contact(&mut self, rng: &mut Rng) {
        let mut contact = Element::new("contact");
        if self.interpolated {
            contact.set("selfcollide", "none");
            contact.set("internal", "false");
        } else {
            // positions of contacts between coplanar elements are not unique
            let modes =
                if rng.chance(0.15) { &["narrow", "bvh", "sap", "auto"][..] } else { &["none"] };
            contact.set("selfcollide", rng.word(modes));
            contact.maybe(rng, 0.2, "internal", |r| r.word(&["true", "false"]).into());
        }
        contact_parameters(rng, &mut contact);
        contact.maybe(rng, 0.15, "margin", |r| r.number(0.0, 0.02));
        contact.maybe(rng, 0.05, "gap", |r| r.number(0.0, 0.01));
        contact.maybe(rng, 0.1, "activelayers", |r| (1 + r.below(3)).to_string());
        contact.maybe(rng, 0.05, "passive", |_| "true".into());
        if !contact.attributes.is_empty() {
            self.element.push(contact);
        }
    }
}

/// Points and elements of a small patch or of two tetrahedra.
fn direct(rng: &mut Rng, dim: usize, element: &mut Element) {
    let corners: &[[f64; 3]] = if dim == 2 {
        &[[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.1, 0.1, 0.0], [0.0, 0.1, 0.0], [0.2, 0.05, 0.0]]
    } else {
        &[[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1], [0.1, 0.1, 0.1]]
    };
    let points: Vec<String> =
        corners.iter().map(|p| p.map(|x| format(x + rng.real(-0.02, 0.02))).join(" ")).collect();
    element.set("point", points.join(" "));
    element.set("element", if dim == 2 { "0 1 2 0 2 3 1 4 2" } else { "0 1 2 3 1 2 3 4" });
    if dim == 2 && rng.chance(0.3) {
        element.set("texcoord", "0 0 1 0 1 1 0 1 .5 .5");
    }
}

/// A `composite` cable, with the elasticity plugin in most cases.
fn cable(rng: &mut Rng, root: &mut Element) -> Element {
    let mut cable = Element::new("composite").with("type", "cable").with("prefix", "cable");
    cable.set("curve", rng.word(&["s", "s 0 0", "0 s 0", "cos(s) sin(s) s", "s sin(s) 0"]));
    cable.set("count", format!("{} 1 1", 4 + rng.below(6)));
    cable.set(
        "size",
        format!("{} {} {}", rng.number(0.2, 0.6), rng.number(0.02, 0.1), rng.number(0.5, 2.0)),
    );
    cable.set("offset", rng.numbers(3, -0.2, 0.6));
    cable.maybe(rng, 0.7, "initial", |r| r.word(&["none", "free", "ball"]).into());
    if rng.chance(0.7) {
        let mut plugin = Element::new("plugin").with("plugin", "mujoco.elasticity.cable");
        for key in ["twist", "bend"] {
            let value = format(rng.real(1e3, 1e6));
            plugin.push(Element::new("config").with("key", key).with("value", value));
        }
        if rng.chance(0.3) {
            plugin.push(Element::new("config").with("key", "flat").with("value", "true"));
        }
        cable.push(plugin);
        let extension = Element::new("plugin").with("plugin", "mujoco.elasticity.cable");
        section(root, "extension").push(extension);
    }
    let mut joint =
        Element::new("joint").with("kind", "main").with("damping", rng.number(0.01, 0.2));
    joint.maybe(rng, 0.3, "armature", |r| r.number(0.001, 0.02));
    cable.push(joint);
    let kind = rng.word(&["capsule", "cylinder", "box"]);
    let size = if kind == "box" { rng.numbers(3, 0.004, 0.02) } else { rng.number(0.004, 0.02) };
    let mut geom = Element::new("geom").with("type", kind).with("size", size);
    geom.maybe(rng, 0.3, "condim", |r| r.word(&["1", "3", "4"]).into());
    geom.maybe(rng, 0.3, "friction", |r| r.numbers(3, 0.1, 1.0));
    geom.maybe(rng, 0.3, "density", |r| r.number(300.0, 3000.0));
    cable.push(geom);
    if kind == "box" && rng.chance(0.5) {
        let mut skin = Element::new("skin").with("rgba", rng.numbers(4, 0.0, 1.0));
        skin.maybe(rng, 0.5, "subgrid", |r| r.below(3).to_string());
        cable.push(skin);
    }
    cable
}

/// A `skin` of two triangles on one or two bodies.
fn skin(rng: &mut Rng, root: &mut Element) {
    let world = section(root, "worldbody");
    let bodies: Vec<String> = world
        .children
        .iter()
        .filter(|child| child.tag == "body")
        .filter_map(|body| body.get("name").map(str::to_owned))
        .collect();
    let (Some(first), Some(second)) = (rng.pick(&bodies), rng.pick(&bodies)) else { return };
    let mut skin = Element::new("skin").with("name", "skin0x");
    skin.set("vertex", rng.numbers(12, -0.2, 0.2));
    skin.set("face", "0 1 2 0 2 3");
    skin.maybe(rng, 0.3, "texcoord", |_| "0 0 1 0 1 1 0 1".into());
    skin.maybe(rng, 0.3, "inflate", |r| r.number(0.0, 0.02));
    skin.maybe(rng, 0.3, "group", |r| r.below(4).to_string());
    for (body, vertices) in [(first, "0 1 2"), (second, "1 2 3")] {
        let mut bone = Element::new("bone").with("body", body);
        bone.set("bindpos", rng.numbers(3, -0.1, 0.1));
        bone.set("bindquat", rng.numbers(4, 0.1, 1.0));
        bone.set("vertid", vertices);
        bone.set("vertweight", rng.numbers(3, 0.1, 1.0));
        skin.push(bone);
    }
    section(root, "deformable").push(skin);
}

#[cfg(test)]
mod tests {
    use super::super::model;
    use super::contains;

    const TAGS: [&str; 3] = ["flexcomp", "composite", "skin"];

    fn count(flex: bool, tag: &str) -> usize {
        (0..300).filter(|&seed| contains(&model(seed, flex), tag)).count()
    }

    #[test]
    fn deformable_objects_are_rare_unless_requested() {
        for tag in TAGS {
            let [rare, requested] = [false, true].map(|flex| count(flex, tag));
            assert!((1..30).contains(&rare) && requested > 30, "{tag}: {rare} {requested}");
        }
    }

    /// The trees of a model do not depend on its deformable objects.
    #[test]
    fn the_rest_of_a_model_stays_the_same() {
        for seed in 0..100 {
            let [plain, with_flexes] = [false, true].map(|flex| model(seed, flex));
            let bodies = |xml: String| xml.matches("<body").count();
            assert_eq!(bodies(plain.to_xml()), bodies(with_flexes.to_xml()), "seed {seed}");
            let same = |tag: &str| {
                let section =
                    |m: &super::Element| m.children.iter().find(|c| c.tag == tag).cloned();
                section(&plain) == section(&with_flexes)
            };
            assert!(["default", "tendon", "actuator", "sensor"].iter().all(|tag| same(tag)));
        }
    }
}
