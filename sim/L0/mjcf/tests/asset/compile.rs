//! Compiled meshes against closed forms and conservation laws.

use crate::make::{box_corners, box_mesh};
use sim_mjcf::asset::mesh::FitShape;
use sim_mjcf::asset::{BuiltinMesh, Mesh, MeshInertia, MeshOptions, MeshSource, compile_mesh};
use std::f64::consts::PI;

const MODES: [MeshInertia; 3] = [MeshInertia::Convex, MeshInertia::Exact, MeshInertia::Legacy];

fn compile(source: MeshSource, options: &MeshOptions) -> Mesh {
    compile_mesh(source, options).expect("a mesh")
}

fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs().max(1e-12)
}

#[test]
fn box_mesh_has_box_inertia() {
    for inertia in MODES {
        let options = MeshOptions { inertia, need_hull: true, ..MeshOptions::default() };
        let mesh = compile(box_mesh([1.0, 2.0, 3.0]), &options);
        assert!(near(mesh.volume, 48.0, 1e-12));
        let mut sides = mesh.inertia_box;
        sides.sort_by(f64::total_cmp);
        for (side, expected) in sides.iter().zip([1.0, 2.0, 3.0]) {
            assert!(near(*side, expected, 1e-12), "{inertia:?}: {side}");
        }
        assert_eq!(mesh.polygons.len(), 6);
        assert!(mesh.polygons.vertnum.iter().all(|&n| n == 4));
        assert_eq!(mesh.graph[..2], [8, 12]);
        assert_eq!(mesh.bvh.len(), 23);
    }
}

#[test]
fn hollow_box_mesh_has_shell_inertia() {
    let options = MeshOptions { inertia: MeshInertia::Shell, ..MeshOptions::default() };
    let mesh = compile(box_mesh([1.0; 3]), &options);
    assert!(near(mesh.volume, 24.0, 1e-12));
    // I/m = 10/9 for a hollow cube of half side 1, and a solid one of half side h has 2h²/3.
    for side in mesh.inertia_box {
        assert!(near(side, (10.0_f64 / 9.0 * 1.5).sqrt(), 1e-12));
    }
}

#[test]
fn sphere_mesh_inertia_converges() {
    let mut last = f64::MAX;
    for level in 0..5 {
        let (source, _) = BuiltinMesh::Sphere.make(&[f64::from(level)]).expect("a sphere");
        let options = MeshOptions { inertia: MeshInertia::Exact, ..MeshOptions::default() };
        let mesh = compile(source, &options);
        let error = 4.0 / 3.0 * PI - mesh.volume;
        assert!(error > 0.0 && error < last / 3.0, "level {level}: {error}");
        last = error;
    }
    assert!(last < 0.02);
}

#[test]
fn rigid_transformation_of_a_mesh_changes_only_its_frame() {
    let mut source = box_mesh([0.5, 1.0, 2.0]);
    let at = compile(source.clone(), &MeshOptions::default());
    for p in source.vert.chunks_mut(3) {
        p[0] += 4.0;
        p[1] -= 8.0;
        p[2] += 0.25;
    }
    let moved = compile(source.clone(), &MeshOptions::default());
    for (a, b) in at.vert.iter().zip(&moved.vert) {
        assert!((a - b).abs() < 1e-6);
    }
    for (x, expected) in moved.pos.iter().zip([4.0, -8.0, 0.25]) {
        assert!(near(*x, expected, 1e-14), "{x}");
    }
    let options = MeshOptions { refpos: [4.0, -8.0, 0.25], ..MeshOptions::default() };
    let back = compile(source, &options);
    assert!(back.pos.iter().all(|x| x.abs() < 1e-14), "{:?}", back.pos);
}

#[test]
fn mirrored_mesh_keeps_outward_orientation() {
    for scale in [[-1.0, 1.0, 1.0], [1.0, -2.0, 1.0], [-1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]] {
        let options = MeshOptions { scale, inertia: MeshInertia::Exact, ..MeshOptions::default() };
        let mesh = compile(box_mesh([1.0, 2.0, 3.0]), &options);
        assert!(near(mesh.volume, 48.0 * scale[1].abs(), 1e-12));
        let vertex = |v: i32| {
            let v = 3 * v as usize;
            [0, 1, 2].map(|k| f64::from(mesh.vert[v + k]))
        };
        let mut volume = 0.0;
        for f in mesh.face.chunks(3) {
            let [a, b, c] = [vertex(f[0]), vertex(f[1]), vertex(f[2])];
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0]))
                / 6.0;
        }
        assert!(near(volume, mesh.volume, 1e-6), "{scale:?}: {volume}");
    }
}

#[test]
fn mesh_without_faces_gets_the_faces_of_its_hull() {
    let mut source = MeshSource { vert: box_corners([1.0; 3]), ..MeshSource::default() };
    source.vert.extend([0.1, 0.2, 0.3]);
    let mesh = compile(source, &MeshOptions::default());
    assert_eq!((mesh.nvert(), mesh.nface()), (9, 12));
    assert!(!mesh.face.contains(&8), "a point inside has no face");
    assert_eq!(mesh.normal[24..], [0.0, 0.0, 1.0]);
}

#[test]
fn normals_are_split_at_sharp_edges_unless_smooth() {
    let normal = |smoothnormal| {
        let options = MeshOptions { smoothnormal, ..MeshOptions::default() };
        compile(box_mesh([1.0; 3]), &options).normal
    };
    // All faces of a cube are sharp at a corner: nothing is left to sum.
    assert!(normal(false).chunks(3).all(|n| n[2].abs() == 1.0 || n.iter().any(|x| x.abs() == 1.0)));
    for n in normal(true).chunks(3) {
        let length: f32 = n.iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-6);
        assert!(n.iter().all(|x| x.abs() > 0.1));
    }
}

#[test]
fn primitives_are_fitted_to_a_box() {
    let mesh = compile(box_mesh([1.0, 1.0, 2.0]), &MeshOptions::default());
    let mut size = [0; 3].map(|_: i32| 0.0);
    for (k, s) in mesh.fit(FitShape::Box, true, 1.0).size.iter().enumerate() {
        size[k] = s.expect("three sizes");
    }
    size.sort_by(f64::total_cmp);
    assert!(near(size[0], 1.0, 1e-6) && near(size[2], 2.0, 1e-6));
    let sphere = mesh.fit(FitShape::Sphere, false, 2.0);
    assert!(near(sphere.size[0].expect("a radius"), 8.0 / 3.0, 1e-9));
    assert_eq!(sphere.size[1..], [None, None]);
}

#[test]
fn builtin_parameters_are_checked() {
    for (kind, params) in [
        (BuiltinMesh::Sphere, vec![5.0]),
        (BuiltinMesh::Sphere, vec![]),
        (BuiltinMesh::Hemisphere, vec![-1.0]),
        (BuiltinMesh::Cone, vec![1e12, 0.0]),
        (BuiltinMesh::Supersphere, vec![2.0, 1.0, 1.0]),
        (BuiltinMesh::Supersphere, vec![f64::NAN, 1.0, 1.0]),
        (BuiltinMesh::Supertorus, vec![10.0, 0.0, 1.0, 1.0]),
        (BuiltinMesh::Wedge, vec![3.0, 3.0, 190.0, 45.0, 0.0]),
        (BuiltinMesh::Wedge, vec![1e6, 1e6, 100.0, 45.0, 0.0]),
        (BuiltinMesh::Plate, vec![0.0, 3.0]),
    ] {
        assert!(kind.make(&params).is_err(), "{kind:?} {params:?}");
    }
    let (plate, inertia) = BuiltinMesh::Plate.make(&[4.0, 3.0]).expect("a plate");
    let options = MeshOptions { inertia: inertia.expect("a shell"), ..MeshOptions::default() };
    assert_eq!(compile(plate, &options).nface(), 12);
}

#[test]
fn octree_distances_of_a_box_are_exact_at_vertices() {
    let options = MeshOptions { need_sdf: true, ..MeshOptions::default() };
    let mesh = compile(box_mesh([1.0; 3]), &options);
    let tree = &mesh.octree;
    // The corners of the root are outside, a tenth beyond those of the box.
    for value in tree.coeff[0] {
        assert!(near(value, 0.1 * 3.0_f64.sqrt(), 1e-6), "{value}");
    }
    // The centre is inside, one away from the faces.
    let (child, corner) = (tree.child[0][0], 7);
    assert!(near(tree.coeff[child as usize][corner], -1.0, 1e-6));
    assert!(tree.depth.iter().all(|&d| d <= 6));
}
