//! Includes.

use sim_mjcf::load_file;
use std::path::PathBuf;

/// A directory of model files that is removed at the end of a test.
struct Files(PathBuf);

impl Files {
    fn new(test: &str, files: &[(&str, &str)]) -> Self {
        let directory =
            std::env::temp_dir().join(format!("sim-mjcf-{}-{test}", std::process::id()));
        for (name, text) in files {
            let path = directory.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Self(directory)
    }

    fn load(&self, name: &str) -> Result<sim_core::Model, sim_mjcf::Errors> {
        load_file(self.0.join(name))
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn includes_are_expanded_in_place() {
    let files = Files::new(
        "splice",
        &[
            (
                "main.xml",
                "<mujoco><worldbody><geom name='a' size='1'/><include file='sub/b.xml'/><geom name='d' size='1'/></worldbody></mujoco>",
            ),
            (
                "sub/b.xml",
                "<mujocoinclude><geom name='b' size='1'/><include file='c.xml'/></mujocoinclude>",
            ),
            ("sub/c.xml", "<mujocoinclude><geom name='c' size='1'/></mujocoinclude>"),
        ],
    );
    let model = files.load("main.xml").unwrap();
    let names: Vec<_> =
        (0..model.ngeom).filter_map(|i| model.id2name(sim_core::types::ObjType::Geom, i)).collect();
    assert_eq!(names, ["a", "b", "c", "d"]);
}

#[test]
fn errors_in_included_files_have_their_location() {
    let files = Files::new(
        "errors",
        &[
            ("main.xml", "<mujoco>\n<include file='part.xml'/>\n</mujoco>"),
            ("part.xml", "<mujoco>\n<worldbody>\n  <geom size='x'/></worldbody></mujoco>"),
            ("broken.xml", "<mujoco><include file='cut.xml'/></mujoco>"),
            ("cut.xml", "<mujoco><worldbody>"),
            ("missing.xml", "<mujoco><include file='nowhere.xml'/></mujoco>"),
            ("empty.xml", "<mujoco><include file='nothing.xml'/></mujoco>"),
            ("nothing.xml", "<mujoco><!-- nothing --></mujoco>"),
            ("nofile.xml", "<mujoco><include/></mujoco>"),
            ("child.xml", "<mujoco><include file='part.xml'><geom/></include></mujoco>"),
        ],
    );
    let error = |name: &str| files.load(name).unwrap_err().to_string();
    assert!(
        error("main.xml")
            .contains("part.xml:3:9: error: <geom> attribute \"size\": `x` is not a number")
    );
    assert!(
        error("broken.xml")
            .contains("cut.xml:1:9: error: not well-formed XML: <worldbody> is not closed")
    );
    assert!(
        error("missing.xml")
            .contains("missing.xml:1:18: error: <include> attribute \"file\": cannot read")
    );
    assert!(error("empty.xml").contains(
        "empty.xml:1:18: error: <include> attribute \"file\": `nothing.xml` contains no elements"
    ));
    assert!(
        error("nofile.xml")
            .contains("nofile.xml:1:9: error: <include> attribute \"file\": required")
    );
    assert!(error("child.xml").contains("child.xml:1:9: error: <include> cannot have children"));
}

#[test]
fn file_can_be_included_only_once() {
    let files = Files::new(
        "loops",
        &[
            ("self.xml", "<mujoco><include file='self.xml'/></mujoco>"),
            ("a.xml", "<mujoco><include file='b.xml'/></mujoco>"),
            ("b.xml", "<mujoco><include file='./a.xml'/></mujoco>"),
            ("twice.xml", "<mujoco><include file='c.xml'/><include file='c.xml'/></mujoco>"),
            ("c.xml", "<mujoco><worldbody/></mujoco>"),
        ],
    );
    for name in ["self.xml", "a.xml", "twice.xml"] {
        let error = files.load(name).unwrap_err().to_string();
        assert!(error.contains("a file can be included only once"), "{error}");
    }
}
