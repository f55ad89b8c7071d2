//! Broad phase between deformable bodies and many geoms.

use crate::deformable::load;
use sim_core::deformable::{Cloth, ClothConfig, DeformableBody, SurfaceMesh};
use sim_core::{Deformable, Model, mj_forward};
use std::collections::BTreeSet;
use std::fmt::Write;

const PEGS: usize = 11;

/// A sheet of one square metre at a height of 0.1, and spheres below, at and above it.
fn field() -> (Model, Vec<([f64; 3], f64)>) {
    let mut spheres = Vec::new();
    let mut text = String::from("<mujoco><worldbody>");
    for k in 0..PEGS * PEGS {
        let place = |i: usize| (i as f64 + 0.37) / PEGS as f64 - 0.5;
        let height = 0.1 + 0.03 * (1.9 * k as f64).sin();
        let (centre, radius) =
            ([place(k % PEGS), place(k / PEGS), height], 0.012 + 0.0002 * k as f64);
        let [x, y, z] = centre;
        write!(text, r#"<geom size="{radius}" pos="{x} {y} {z}"/>"#).unwrap();
        spheres.push((centre, radius));
    }
    text.push_str("</worldbody></mujoco>");
    let mut mesh = SurfaceMesh::grid([1.0, 1.0], [40, 40]).unwrap();
    mesh.vertices.iter_mut().for_each(|x| x.z = 0.1);
    let sheet = Cloth::new(&mesh, &ClothConfig::silk()).unwrap();
    let mut m = load(&text);
    m.add_deformable(Deformable::new("sheet", &sheet)).unwrap();
    (m, spheres)
}

#[test]
fn all_spheres_in_contact_with_a_sheet_are_found() {
    let (m, spheres) = field();
    let mut d = m.make_data();
    mj_forward(&m, &mut d).unwrap();
    let sheet = d.deformable(0).unwrap();
    let (mut vertices, mut geoms) = (BTreeSet::new(), BTreeSet::new());
    for (geom, &(centre, radius)) in spheres.iter().enumerate() {
        let contact_distance = radius + sheet.radius();
        if (centre[2] - 0.1).abs() < contact_distance {
            geoms.insert(geom as i32);
        }
        for (vertex, x) in sheet.positions().iter().enumerate() {
            if (x - nalgebra::Vector3::from(centre)).norm() < contact_distance {
                vertices.insert((geom as i32, vertex as i32));
            }
        }
    }
    let deep = || d.contact.iter().filter(|contact| contact.dist < 0.0);
    let found: BTreeSet<_> =
        deep().filter(|c| c.vert[1] >= 0).map(|c| (c.geom[0], c.vert[1])).collect();
    assert!(vertices.len() > 20 && geoms.len() > 20);
    assert_eq!(found, vertices);
    // spheres between vertices are found by triangles, unless a vertex is within the detection
    // distance
    let in_contact: BTreeSet<_> = d.contact.iter().map(|c| c.geom[0]).collect();
    assert!(in_contact.is_superset(&geoms));
    assert!(deep().any(|c| c.vert[1] < 0));
    // sorted by geom
    assert!(d.contact.is_sorted_by_key(|contact| contact.geom[0]));
}

/// Rods above a sheet pinned at its border, from above a vertex to the middle between vertices: the
/// sheet supports each of them.
#[test]
fn a_rod_does_not_pass_beside_a_vertex() {
    let text = r#"<mujoco><worldbody><body pos="X Y .17"><joint type="slide" axis="0 0 1"/>
        <geom type="capsule" size=".01 .15" mass="0.3"/></body></worldbody></mujoco>"#;
    let cells = 8;
    for k in 0..12 {
        // along the diagonal of a square of 5 cm
        let offset = 0.025 * f64::from(k) / 11.0;
        let mut m = load(&text.replace('X', &offset.to_string()).replace('Y', &offset.to_string()));
        let mesh = SurfaceMesh::grid([0.4, 0.4], [cells, cells]).unwrap();
        let mut cloth = Cloth::new(&mesh, &ClothConfig::rubber()).unwrap();
        for (i, x) in mesh.vertices.iter().enumerate() {
            if x.x.abs().max(x.y.abs()) > 0.19 {
                cloth.body_mut().pin(i).unwrap();
            }
        }
        m.add_deformable(Deformable::new("sheet", &cloth)).unwrap();
        let mut d = m.make_data();
        for _ in 0..1000 {
            d.step(&m).unwrap();
        }
        assert!(d.qpos[0] > -0.1, "{offset}: {:?} {:?}", d.qpos, d.qvel);
    }
}
