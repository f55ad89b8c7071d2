//! Paths that escape the allowed directory.

use sim_mjcf::{Loader, Vfs};
use std::path::{Path, PathBuf};

/// A directory that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sim-broken-{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("root/sub")).expect("a folder");
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn root(&self) -> PathBuf {
        self.0.join("root")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SECRET: &str = "<mujoco><worldbody><site name='secret'/></worldbody></mujoco>";
const OBJ: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// The first error of a model that is loaded from the root alone.
fn refused(root: &Path, content: &str) -> String {
    std::fs::write(root.join("main.xml"), content).expect("a file");
    let loader = Loader::new(Vfs::rooted(root).expect("the root exists"));
    let errors = loader.load("main.xml").expect_err(content);
    errors.as_slice()[0].to_string()
}

#[test]
fn paths_cannot_escape_a_rooted_vfs() {
    let folder = Folder::new("paths");
    folder.write("secret.xml", SECRET);
    folder.write("secret.obj", OBJ);
    folder.write("root/inside.xml", SECRET);
    let outside = folder.0.join("secret.xml").display().to_string();
    for path in [
        "../secret.xml",
        "sub/../../secret.xml",
        "./sub/.././../secret.xml",
        outside.as_str(),
        "/etc/hostname",
    ] {
        let error = refused(&folder.root(), &format!("<mujoco><include file='{path}'/></mujoco>"));
        let place = "main.xml:1:18: error: <include> attribute \"file\": ";
        assert!(
            error.starts_with(place) && error.contains("outside the allowed directories"),
            "{error}"
        );
    }
    let error = refused(&folder.root(), "<mujoco><include file='..\\secret.xml'/></mujoco>");
    assert!(
        error.contains("no such file") || error.contains("outside the allowed directories"),
        "{error}"
    );
    for asset in [
        "<mesh file='../secret.obj'/>",
        "<model name='m' file='../secret.xml'/>",
        "<hfield size='1 1 1 1' file='../secret.obj' content_type='image/vnd.mujoco.hfield'/>",
        "<texture type='2d' name='t' file='../secret.xml'/>",
    ] {
        let error = refused(&folder.root(), &format!("<mujoco><asset>{asset}</asset></mujoco>"));
        assert!(error.contains("outside the allowed directories"), "{error}");
    }
    let folders =
        "<mujoco><compiler meshdir='..'/><asset><mesh file='secret.obj'/></asset></mujoco>";
    assert!(refused(&folder.root(), folders).contains("outside the allowed directories"));
    std::fs::write(
        folder.root().join("main.xml"),
        "<mujoco><include file='sub/../inside.xml'/></mujoco>",
    )
    .expect("a file");
    let loader = Loader::new(Vfs::rooted(folder.root()).expect("the root exists"));
    assert_eq!(loader.load("main.xml").expect("stays inside").nsite, 1);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_resolved_before_the_check() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    folder.write("secret.xml", SECRET);
    folder.write("root/inside.xml", SECRET);
    symlink(folder.0.join("secret.xml"), folder.root().join("file.xml")).expect("a link");
    symlink(&folder.0, folder.root().join("up")).expect("a link");
    symlink("inside.xml", folder.root().join("fine.xml")).expect("a link");
    symlink("loop.xml", folder.root().join("loop.xml")).expect("a link");
    symlink("nowhere.xml", folder.root().join("dangling.xml")).expect("a link");
    for (path, message) in [
        ("file.xml", "outside the allowed directories"),
        ("up/secret.xml", "outside the allowed directories"),
        ("loop.xml", "no such file"),
        ("dangling.xml", "no such file"),
        ("sub", "not a regular file"),
    ] {
        let error = refused(&folder.root(), &format!("<mujoco><include file='{path}'/></mujoco>"));
        assert!(error.contains(message), "{error}");
    }
    std::fs::write(folder.root().join("main.xml"), "<mujoco><include file='fine.xml'/></mujoco>")
        .expect("a file");
    let loader = Loader::new(Vfs::rooted(folder.root()).expect("the root exists"));
    assert_eq!(loader.load("main.xml").expect("stays inside").nsite, 1);
}
