//! Hulls and polygons with the vertices, edges and faces of MuJoCo 3.8.0 in the same order.
//!
//! The expectations in `hulls.txt` are recorded from MuJoCo with `cargo xtask hulls --record`: for
//! each point set the hashes of its `mesh_graph` and of its polygon arrays, or `none` if qhull finds
//! no hull.

use crate::point_sets::{FAMILY_COUNT, fingerprint, point_set};
use sim_mjcf::asset::AssetError;
use sim_mjcf::asset::mesh::{MeshInertia, MeshOptions, MeshSource, compile_mesh};

const EXPECTATIONS: &str = include_str!("hulls.txt");

/// The line of `hulls.txt` for a point set.
fn line(index: usize) -> String {
    let set = point_set(index, 0);
    let source = MeshSource { vert: set.vert, ..MeshSource::default() };
    let options = MeshOptions {
        inertia: MeshInertia::Shell,
        need_hull: true,
        maxhullvert: set.maxhullvert,
        ..MeshOptions::default()
    };
    match compile_mesh(source, &options) {
        Ok(mesh) => {
            let p = &mesh.polygons;
            let lists = [&p.vertadr, &p.vertnum, &p.vert, &p.mapadr, &p.mapnum, &p.map];
            let polygons = fingerprint(lists.into_iter().flatten().copied());
            format!("{:016x} {polygons:016x}", fingerprint(mesh.graph))
        }
        Err(AssetError::Hull(_)) => "none".into(),
        Err(_) => "rejected".into(),
    }
}

#[test]
fn hulls_have_the_order_of_mujoco() {
    let mut different = Vec::new();
    for (index, expected) in EXPECTATIONS.lines().enumerate() {
        let found = line(index);
        if found != expected {
            let family = point_set(index, 0).family;
            different.push(format!("{index} ({family}): {found}, expected {expected}"));
        }
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn expectations_cover_every_family() {
    let lines: Vec<&str> = EXPECTATIONS.lines().collect();
    assert!(lines.len() >= 10 * FAMILY_COUNT);
    for family in 0..FAMILY_COUNT {
        let name = point_set(family, 0).family;
        let of_family: Vec<&str> =
            lines.iter().skip(family).step_by(FAMILY_COUNT).copied().collect();
        let hulls = of_family.iter().filter(|line| line.contains(' ')).count();
        if name == "plane" || name == "line" {
            assert_eq!(hulls, 0, "{name}");
        } else {
            assert!(2 * hulls > of_family.len(), "{name}: {hulls} hulls");
        }
    }
}
