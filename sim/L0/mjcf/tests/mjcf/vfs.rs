//! Virtual file system and asset cache.

use sim_mjcf::asset::AssetCache;
use sim_mjcf::{Loader, Vfs, VfsError};
use std::path::PathBuf;
use std::sync::Arc;

const TETRA: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// A directory that is removed at the end of a test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let folder =
            Self(std::env::temp_dir().join(format!("sim-vfs-{}-{name}", std::process::id())));
        for (name, text) in files {
            let path = folder.0.join(name);
            std::fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        }
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn files_are_read_from_memory() {
    let mut vfs = Vfs::memory();
    assert!(vfs.add("dir/./a.txt", "one").is_none());
    assert_eq!(vfs.add("dir/b/../a.txt", "two").expect("it was there").as_slice(), b"one");
    assert_eq!(vfs.names().collect::<Vec<_>>(), ["dir/a.txt"]);
    for path in ["dir/a.txt", "dir\\a.txt", "./dir//a.txt", "x/../dir/a.txt"] {
        assert_eq!(vfs.read(path).expect(path).as_slice(), b"two", "{path}");
    }
    // the file name alone is enough, in any case
    for path in ["a.txt", "A.TXT", "other/A.txt", "/root/a.txt", "../../a.txt"] {
        assert_eq!(vfs.read(path).expect(path).as_slice(), b"two", "{path}");
    }
    // the full path takes precedence
    vfs.add("other/a.txt", "three");
    assert_eq!(vfs.read("other/a.txt").expect("there").as_slice(), b"three");
    assert_eq!(vfs.read("dir/a.txt").expect("there").as_slice(), b"two");
    assert_eq!(vfs.read("c.txt"), Err(VfsError::Missing("c.txt".to_owned())));
    assert!(vfs.remove("dir/a.txt").is_some() && vfs.remove("dir/a.txt").is_none());
    assert!(!vfs.contains("/etc/hostname"));
}

#[test]
fn memory_takes_precedence_over_disk() {
    let folder = Folder::new(
        "mixed",
        &[("root/a.txt", "disk"), ("root/sub/b.txt", "b"), ("other/c.txt", "c")],
    );
    let mut vfs = Vfs::rooted(folder.0.join("root")).expect("a folder");
    assert_eq!(vfs.read("a.txt").expect("there").as_slice(), b"disk");
    vfs.add("a.txt", "memory");
    assert_eq!(vfs.read("a.txt").expect("there").as_slice(), b"memory", "memory comes first");
    assert_eq!(vfs.read("sub/b.txt").expect("there").as_slice(), b"b");
    assert_eq!(vfs.read("sub/../sub/b.txt").expect("stays inside").as_slice(), b"b");
    let absolute = folder.0.join("root/sub/b.txt").display().to_string();
    assert!(vfs.contains(&absolute), "an absolute path inside the root");
    let outside = folder.0.join("other/c.txt").display().to_string();
    for path in ["../other/c.txt", outside.as_str()] {
        assert_eq!(vfs.read(path), Err(VfsError::Outside(path.to_owned())));
    }
    assert!(matches!(vfs.read("nowhere.txt"), Err(VfsError::Missing(_))));
    vfs.add_root(folder.0.join("other")).expect("a folder");
    assert_eq!(vfs.read("c.txt").expect("in the second root").as_slice(), b"c");
    assert!(vfs.contains(&outside));
    assert!(vfs.add_root(folder.0.join("nowhere")).is_err() && Vfs::rooted("/nowhere").is_err());
    assert!(Vfs::disk().contains(&outside) && !Vfs::disk().contains("/nowhere"));
}

#[test]
fn assets_and_includes_are_read_from_the_vfs() {
    let main = "<mujoco><include file='part.xml'/><asset><mesh file='tetra.obj'/></asset></mujoco>";
    let part = "<mujoco><compiler meshdir='m'/></mujoco>";
    let folder = Folder::new("model", &[("main.xml", main), ("m/tetra.obj", TETRA)]);
    let mut vfs = Vfs::rooted(&folder.0).expect("a folder");
    assert!(Loader::new(vfs.clone()).load("main.xml").is_err(), "a part is missing");
    vfs.add("part.xml", part);
    assert_eq!(Loader::new(vfs).load("main.xml").expect("disk and memory").nmesh, 1);
}

#[test]
fn compiled_assets_are_cached() {
    let model = |attributes: &str| {
        let asset = format!("<asset><mesh file='tetra.obj' {attributes}/></asset>");
        format!("<mujoco>{asset}<worldbody><geom type='mesh' mesh='tetra'/></worldbody></mujoco>")
    };
    let cache = Arc::new(AssetCache::default());
    let load = |attributes: &str, file: &str| {
        let mut vfs = Vfs::memory();
        vfs.add("tetra.obj", file);
        let loader = Loader::new(vfs).with_cache(Arc::clone(&cache));
        let spec = loader.parse_str(&model(attributes), "").expect("a model");
        spec.compile().expect("it compiles")
    };
    let first = load("", TETRA);
    let one = cache.size();
    assert!(one > 0);
    let again = load("", TETRA);
    assert_eq!((cache.size(), again.mesh_vert), (one, first.mesh_vert.clone()), "a hit");
    let scaled = load("scale='2 2 2'", TETRA);
    assert!(cache.size() > one, "other parameters, another asset");
    assert_ne!(scaled.mesh_vert, first.mesh_vert);
    let two = cache.size();
    let changed = load("", &TETRA.replace("v 0 0 1", "v 0 0 3"));
    assert!(cache.size() > two, "another content under the same name");
    assert_ne!(changed.mesh_vert, first.mesh_vert);
    // what the model adds to the file is not stored
    let three = cache.size();
    load("texcoord='0 0 1 0 0 1 1 1'", TETRA);
    assert_eq!(cache.size(), three);
    // limited capacity: old entries are evicted
    cache.set_capacity(one);
    assert!(cache.size() <= one);
    assert_eq!(load("", TETRA).mesh_vert, first.mesh_vert);
    cache.set_capacity(0);
    assert_eq!((cache.size(), load("", TETRA).mesh_vert), (0, first.mesh_vert));
}

#[test]
fn invalid_file_is_not_cached() {
    let cache = Arc::new(AssetCache::default());
    let mut vfs = Vfs::memory();
    vfs.add("a.obj", "v 0 0 0\n");
    let loader = Loader::new(vfs).with_cache(Arc::clone(&cache));
    let spec = loader.parse_str("<mujoco><asset><mesh file='a.obj'/></asset></mujoco>", "");
    let spec = spec.expect("well formed");
    for _ in 0..2 {
        assert!(spec.compile().is_err());
    }
    assert_eq!(cache.size(), 0);
}
