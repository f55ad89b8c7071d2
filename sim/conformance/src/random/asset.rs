//! Generated assets: meshes, height fields, textures and materials, without external files.

use super::element::Element;
use super::rng::{Rng, format};
use super::scene::Scene;

/// The `asset` section.
pub fn assets(rng: &mut Rng, scene: &mut Scene) -> Element {
    let mut asset = Element::new("asset");
    for _ in 0..rng.below(3) {
        let mesh = mesh(rng, scene);
        asset.push(mesh);
    }
    if rng.chance(0.2) {
        asset.push(hfield(rng, scene));
    }
    if rng.chance(0.2) {
        let texture = scene.name("texture");
        let kind = rng.word(&["2d", "cube", "skybox"]);
        let size = 4 << rng.below(3);
        let mut element = Element::new("texture").with("name", &texture).with("type", kind);
        element.set("builtin", rng.word(&["gradient", "checker", "flat"]));
        element.set("mark", rng.word(&["none", "edge", "cross"]));
        element.set("rgb1", rng.numbers(3, 0.0, 1.0));
        element.set("rgb2", rng.numbers(3, 0.0, 1.0));
        element.set("width", size);
        element.set("height", if kind == "2d" { size } else { 6 * size });
        asset.push(element);
        let material = scene.name("material");
        let mut element = Element::new("material").with("name", &material);
        if kind != "skybox" {
            element.set("texture", &texture);
        }
        element.set("rgba", rng.numbers(4, 0.1, 1.0));
        element.maybe(rng, 0.3, "texrepeat", |r| r.numbers(2, 0.5, 3.0));
        element.maybe(rng, 0.2, "emission", |r| r.number(0.0, 1.0));
        element.maybe(rng, 0.2, "metallic", |r| r.number(0.0, 1.0));
        asset.push(element);
        scene.materials.push(material);
    }
    asset
}

/// A mesh of random points, a box with rounded coordinates, a prism, or a built-in shape.
fn mesh(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("mesh");
    let mut mesh = Element::new("mesh").with("name", &name);
    let size = rng.real(0.05, 0.2);
    match rng.below(5) {
        0 => {
            let count = 6 + rng.below(30);
            mesh.set("vertex", rng.numbers(3 * count, -size, size));
        }
        1 => {
            // lattice points: coplanar and collinear vertices
            let count = 12 + rng.below(20);
            let lattice: Vec<String> =
                (0..3 * count).map(|_| format(0.05 * (rng.below(5) as f64 - 2.0))).collect();
            let corners = "-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 .1";
            mesh.set("vertex", format!("{corners} {}", lattice.join(" ")));
        }
        2 => {
            let sides = 3 + rng.below(9);
            let mut vertices = Vec::new();
            for z in [-size, size] {
                for k in 0..sides {
                    let angle = std::f64::consts::TAU * k as f64 / sides as f64;
                    vertices.extend([0.1 * angle.cos(), 0.1 * angle.sin(), z].map(format));
                }
            }
            mesh.set("vertex", vertices.join(" "));
        }
        3 => {
            // a closed surface with given faces, not convex if the apex is inside
            mesh.set(
                "vertex",
                format!("-.1 -.1 0 .1 -.1 0 .1 .1 0 -.1 .1 0 0 0 {}", rng.number(-0.1, 0.2)),
            );
            mesh.set("face", "0 2 1 0 3 2 0 1 4 1 2 4 2 3 4 3 0 4");
        }
        _ => builtin(rng, &mut mesh),
    }
    if rng.chance(0.2) {
        mesh.set("maxhullvert", 6 + rng.below(20));
    }
    if rng.chance(0.2) && !mesh.has("scale") {
        mesh.set("scale", rng.numbers(3, 0.5, 1.5));
    }
    // 3.8.0 crashes if `inertia` is "convex" and no geom uses the mesh
    mesh.maybe(rng, 0.2, "inertia", |r| r.word(&["legacy", "exact", "shell"]).into());
    mesh.maybe(rng, 0.1, "refpos", |r| r.numbers(3, -0.05, 0.05));
    mesh.maybe(rng, 0.1, "refquat", |r| r.numbers(4, 0.1, 1.0));
    mesh.maybe(rng, 0.1, "smoothnormal", |_| "true".into());
    if rng.chance(0.1)
        && let Some(class) = rng.pick(&scene.classes)
    {
        mesh.set("class", class);
    }
    scene.meshes.push(name);
    mesh
}

/// A built-in shape.
fn builtin(rng: &mut Rng, mesh: &mut Element) {
    let (builtin, params) = match rng.below(6) {
        3 => (
            "supersphere",
            format!("{} {} {}", 4 + rng.below(4), rng.number(0.5, 1.5), rng.number(0.5, 1.5)),
        ),
        4 => (
            "supertorus",
            format!(
                "{} {} {} {}",
                4 + rng.below(4),
                rng.number(0.2, 0.5),
                rng.number(0.5, 1.5),
                rng.number(0.5, 1.5)
            ),
        ),
        5 => (
            "wedge",
            format!(
                "{} {} {} {} {}",
                2 + rng.below(3),
                2 + rng.below(3),
                rng.number(20.0, 60.0),
                rng.number(20.0, 60.0),
                rng.number(0.0, 0.5)
            ),
        ),
        0 => ("sphere", format!("{}", 1 + rng.below(2))),
        1 => ("hemisphere", format!("{}", 3 + rng.below(4))),
        _ => ("cone", format!("{} {}", 4 + rng.below(6), rng.number(0.0, 0.8))),
    };
    mesh.set("builtin", builtin);
    mesh.set("params", params);
    mesh.set("scale", rng.numbers(3, 0.05, 0.15));
}

fn hfield(rng: &mut Rng, scene: &mut Scene) -> Element {
    let name = scene.name("hfield");
    let (rows, columns) = (3 + rng.below(5), 3 + rng.below(5));
    let elevation = rng.numbers(rows * columns, 0.0, 1.0);
    let size =
        format!("{} {} {} .1", rng.number(1.0, 3.0), rng.number(1.0, 3.0), rng.number(0.1, 0.4));
    let hfield = Element::new("hfield").with("name", &name).with("nrow", rows);
    let hfield = hfield.with("ncol", columns).with("elevation", elevation).with("size", size);
    scene.hfields.push(name);
    hfield
}
