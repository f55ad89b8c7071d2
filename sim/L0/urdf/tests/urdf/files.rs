//! Resolution and naming of mesh and texture files.

use super::lines;
use sim_mjcf::{Loader, Vfs};
use sim_urdf::{Errors, Fidelity, FilePaths, Request, Spec, Urdf};

const TETRAHEDRON: &str =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A link that collides by this mesh.
fn link(name: &str, mesh: &str) -> String {
    format!("<link name='{name}'><collision><geometry><mesh {mesh}/></geometry></collision></link>")
}

/// Parses `robots/arm/urdf/arm.urdf` among files on a disk, all of them tetrahedra.
fn parse(name: &str, files: &[&str], text: &str, urdf: Urdf) -> Result<Spec, Errors> {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let robot = root.join("robots/arm/urdf/arm.urdf");
    for file in files.iter().map(|file| root.join(file)).chain([robot.clone()]) {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, TETRAHEDRON).unwrap();
    }
    std::fs::write(&robot, format!("<robot name='r'>{text}</robot>")).unwrap();
    let loader = Loader::new(Vfs::rooted(&root).unwrap()).with_front_end(urdf);
    loader.parse(&robot.display().to_string())
}

#[test]
fn packages_are_searched_in_parent_directories() {
    let rows = [
        ("beside", "robots/arm/urdf/meshes/a.obj", "package://arm/meshes/a.obj"),
        ("above", "robots/arm/meshes/a.obj", "package://arm/meshes/a.obj"),
        ("sibling", "robots/hand/meshes/a.obj", "package://hand/meshes/a.obj"),
        ("renamed", "robots/arm/meshes/a.obj", "package://arm_description/meshes/a.obj"),
        ("model", "robots/arm/meshes/a.obj", "model://arm/meshes/a.obj"),
        ("relative", "robots/arm/meshes/a.obj", "../meshes/a.obj"),
        ("plain", "robots/arm/urdf/a.obj", "a.obj"),
    ];
    for (name, file, uri) in rows {
        let text = link("a", &format!("filename='{uri}'"));
        let spec = parse(&format!("near_{name}"), &[file], &text, Urdf::default()).unwrap();
        let m = spec.compile().unwrap_or_else(|errors| panic!("{name}: {errors}"));
        assert_eq!(m.nmesh, 1, "{name}");
    }
}

#[test]
fn package_directory_can_be_registered() {
    let text = link("a", "filename='package://hand/meshes/a.obj'");
    let paths = FilePaths::default().package("hand", "../../../elsewhere");
    let urdf = Urdf::default().resolver(paths);
    let spec = parse("own_folder", &["elsewhere/meshes/a.obj"], &text, urdf).unwrap();
    assert_eq!(spec.compile().unwrap().nmesh, 1);
}

#[test]
fn closure_resolves_files() {
    let text = link("a", "filename='asset://17'");
    let urdf = Urdf::default().resolver(|request: &Request<'_>| {
        (request.uri == "asset://17").then(|| "x.obj".to_owned())
    });
    let spec = parse("closure", &["robots/arm/urdf/x.obj"], &text, urdf).unwrap();
    assert_eq!(spec.compile().unwrap().nmesh, 1);
}

#[test]
fn missing_file_is_reported_with_its_location() {
    let text = link("a", "filename='package://hand/meshes/a.obj'");
    let spec = parse("missing", &[], &text, Urdf::default()).unwrap();
    let errors = spec.compile().unwrap_err().to_string();
    assert!(errors.contains("arm.urdf:1:53: error: <mesh>"), "{errors}");
    assert!(errors.contains("hand/meshes/a.obj"), "{errors}");
}

#[test]
fn strippath_removes_directories() {
    let settings = "<mujoco><compiler strippath='true' meshdir='all'/></mujoco>";
    let text = settings.to_owned() + &link("a", "filename='package://hand/meshes/a.obj'");
    let spec = parse("strip", &["robots/arm/urdf/all/a.obj"], &text, Urdf::default()).unwrap();
    assert_eq!(spec.meshes[0].file, "a.obj");
    assert_eq!(spec.compile().unwrap().nmesh, 1);
}

/// Links `a`, `b` … with these meshes; the names of the meshes of the spec and of the links.
fn names(meshes: &[&str], fidelity: Fidelity) -> (Vec<String>, Vec<String>, String) {
    let text: String = (b'a'..)
        .zip(meshes)
        .map(|(name, mesh)| link(&char::from(name).to_string(), mesh))
        .collect();
    let loader = Urdf::default().fidelity(fidelity).loader();
    let spec = loader.parse_str(&format!("<robot name='r'>{text}</robot>"), "").unwrap();
    let geoms = spec.bodies.iter().flat_map(|body| &body.geoms);
    let used = geoms.map(|geom| geom.mesh.clone()).collect();
    (spec.meshes.iter().map(|mesh| mesh.name.clone()).collect(), used, lines(&spec.warnings))
}

#[test]
fn meshes_are_named_after_their_files() {
    let [plain, double] = ["filename='m/hand.obj'", "filename='m/hand.obj' scale='2 2 2'"];
    let same = |made: &[&str], used: &[&str], meshes: &[&str]| {
        let (found, found_used, _) = names(meshes, Fidelity::Urdf);
        assert_eq!((found, found_used), (made.map_owned(), used.map_owned()), "{meshes:?}");
    };
    same(&["hand"], &["hand", "hand"], &[plain, plain]);
    same(&["hand", "hand1"], &["hand", "hand1", "hand1", "hand"], &[plain, double, double, plain]);
    // a file of that name
    same(
        &["hand", "hand1", "hand11"],
        &["hand", "hand1", "hand11"],
        &[plain, double, "filename='hand1.obj'"],
    );
    // another file of the same name
    same(&["hand", "hand1"], &["hand", "hand1"], &[plain, "filename='n/hand.obj'"]);
}

#[test]
fn mujoco_fidelity_uses_the_first_mesh_with_a_name() {
    let [plain, double] = ["filename='m/hand.obj'", "filename='m/hand.obj' scale='2 2 2'"];
    let (made, used, warnings) = names(&[plain, double, double], Fidelity::Mujoco);
    assert_eq!((made.len(), used), (2, ["hand", "hand1", "hand"].map_owned()));
    assert!(warnings.contains("has the scale \"1 1 1\""), "{warnings}");
    let (made, used, warnings) = names(&[plain, "filename='n/hand.obj'"], Fidelity::Mujoco);
    assert_eq!((made.len(), used), (1, ["hand", "hand"].map_owned()));
    assert!(warnings.contains("it has the same name as `m/hand.obj`"), "{warnings}");
}

/// Owned copies of words.
trait MapOwned {
    fn map_owned(&self) -> Vec<String>;
}

impl MapOwned for [&str] {
    fn map_owned(&self) -> Vec<String> {
        self.iter().map(|&word| word.to_owned()).collect()
    }
}

/// A white image of 1 × 1.
const PNG: &[u8] = &[
    137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0,
    0, 0, 144, 119, 83, 222, 0, 0, 0, 12, 73, 68, 65, 84, 120, 156, 99, 248, 255, 255, 63, 0, 5,
    254, 2, 254, 13, 239, 70, 184, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
];

#[test]
fn textures_are_converted_to_materials() {
    let mut vfs = Vfs::memory();
    vfs.add("wood.png", PNG);
    let text = |file: &str| {
        format!(
            "<robot name='r'><mujoco><compiler discardvisual='false'/></mujoco><link name='a'>
             <visual><geometry><box size='1 1 1'/></geometry>
             <material name='wood'><texture filename='{file}'/></material></visual></link></robot>"
        )
    };
    let vfs = std::sync::Arc::new(vfs);
    let parse = |file: &str, fidelity| {
        let urdf = Urdf::default().fidelity(fidelity);
        Loader::new(std::sync::Arc::clone(&vfs)).with_front_end(urdf).parse_str(&text(file), "")
    };
    let m = parse("wood.png", Fidelity::Urdf).unwrap().compile().unwrap();
    assert_eq!((m.ntex, m.nmat, m.geom_matid[0]), (1, 1, 0));
    for (file, fidelity, part) in [
        ("wood.png", Fidelity::Mujoco, "as in MuJoCo"),
        ("wood.jpg", Fidelity::Urdf, "only PNG images"),
        ("steel.png", Fidelity::Urdf, "does not exist"),
    ] {
        let spec = parse(file, fidelity).unwrap();
        assert!(lines(&spec.warnings).contains(part), "{file}: {}", lines(&spec.warnings));
        assert_eq!(spec.compile().unwrap().nmat, 0, "{file}");
    }
}
