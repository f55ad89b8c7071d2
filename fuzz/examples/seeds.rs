//! Writes the initial corpus of each target, and a dictionary of MJCF keywords.
//!
//! Run it in this directory: `cargo +nightly run --example seeds`.

#[path = "../../sim/L0/mjcf/tests/asset/make.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod make;

use sim_mjcf::schema::{Element, ValueType, MUJOCO};
use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Maximum model size: larger models slow down the fuzzers.
const MAX_SEED: usize = 16 << 10;

fn main() -> Result<(), Box<dyn Error>> {
    models(Path::new("../sim/conformance/models"))?;
    let mesh = make::box_mesh([1.0; 3]);
    seed("stl", "box", &make::stl(&mesh))?;
    seed("stl", "text", b"solid a vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endsolid")?;
    seed("msh", "box", &make::msh(&mesh))?;
    let cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvn 0 0 1\nf 1/1/1 3 2\nf 1 2 4 3\nf -1 -2 -3\n";
    seed("obj", "tetrahedron", cube.as_bytes())?;
    let nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n";
    for (name, element) in [("segment", "1 1 2 0 1 1 2"), ("triangle", "1 2 2 0 1 1 2 3"), ("tetrahedron", "1 4 2 0 1 1 2 3 4")] {
        let start = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
        let text = format!("{start}{nodes}$Elements\n1\n{element}\n$EndElements\n");
        seed("gmsh", name, text.as_bytes())?;
    }
    let nodes = "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n";
    let elements = "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n";
    let text = format!("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{nodes}{elements}");
    seed("gmsh", "version_4", text.as_bytes())?;
    seed("skn", "arm", &fs::read("../sim/conformance/models/features/skin.skn")?)?;
    for (channels, name) in [(1, "grey"), (3, "rgb"), (4, "rgba")] {
        let file = make::png(4, 3, channels, &[7; 48][..12 * channels]);
        seed("hfield_png", name, &file)?;
        seed("texture_png", name, &file)?;
    }
    let field: Vec<u8> = [2_i32, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    let heights: Vec<u8> = (0..6).flat_map(|i| (i as f32).to_le_bytes()).collect();
    seed("hfield_binary", "six", &[field.clone(), heights].concat())?;
    seed("texture_binary", "rgb", &[field, vec![9; 18]].concat())?;
    seed("texture_ktx", "start", b"\xabKTX 11\xbb\r\n\x1a\n\x01\x02\x03\x04")?;
    fs::write("parser.dict", dictionary())?;
    Ok(())
}

/// Every small model as text, and compiled.
fn models(folder: &Path) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            models(&path)?;
            continue;
        }
        let (Ok(text), Some(name)) = (fs::read_to_string(&path), path.file_stem()) else {
            continue;
        };
        let name = name.to_string_lossy();
        if text.len() > MAX_SEED {
            continue;
        }
        let urdf = path.extension().is_some_and(|extension| extension == "urdf");
        seed(if urdf { "urdf" } else { "parser" }, &name, text.as_bytes())?;
        if let Ok(model) = sim_urdf::load_file(&path) {
            let bytes = model.to_bytes();
            if bytes.len() <= MAX_SEED {
                seed("model", &name, &bytes)?;
            }
        }
    }
    Ok(())
}

fn seed(target: &str, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)?;
    Ok(())
}

/// Elements, attributes and keywords of the schema, in libFuzzer's format.
fn dictionary() -> String {
    let (mut words, mut stack, mut seen) = (BTreeSet::new(), vec![&MUJOCO], Vec::new());
    while let Some(element) = stack.pop() {
        if seen.contains(&std::ptr::from_ref::<Element>(element)) {
            continue;
        }
        seen.push(element);
        words.extend([format!("<{} ", element.name), format!("</{}>", element.name)]);
        for attribute in element.attributes() {
            words.insert(format!(" {}='", attribute.name));
            if let ValueType::Keyword(allowed) | ValueType::Keywords(allowed) = attribute.value_type {
                words.extend(allowed.iter().map(|&word| word.to_owned()));
            }
        }
        stack.extend(element.children);
    }
    words.extend(["'/>", "'>", "part.xml", "arm.xml", "tetra.obj", "1e30", "-1"].map(String::from));
    words.iter().map(|word| format!("\"{word}\"\n")).collect()
}
