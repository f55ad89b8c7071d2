//! Meshes of shapes and of texts.

use sim_deformable::{SurfaceMesh, TetMesh};

fn area(mesh: &SurfaceMesh) -> f64 {
    let each = mesh.triangles.iter().map(|t| t.map(|i| mesh.vertices[i as usize]));
    each.map(|[a, b, c]| 0.5 * (b - a).cross(&(c - a)).norm()).sum()
}

/// Volume inside a closed surface whose triangles are turned outwards.
fn enclosed(mesh: &SurfaceMesh) -> f64 {
    let each = mesh.triangles.iter().map(|t| t.map(|i| mesh.vertices[i as usize]));
    each.map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0).sum()
}

#[test]
fn a_grid_is_flat_and_whole() {
    let mesh = SurfaceMesh::grid([2.0, 3.0], [4, 5]).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (30, 40));
    assert!((area(&mesh) - 6.0).abs() < 1e-12);
}

#[test]
fn a_sphere_nears_its_volume() {
    let mesh = SurfaceMesh::sphere(0.5, 4).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (2562, 5120));
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!((enclosed(&mesh) / expected - 1.0).abs() < 5e-3);
}

#[test]
fn a_ball_is_filled() {
    let ball = TetMesh::sphere(0.5, 2, 3).unwrap();
    ball.check().unwrap();
    let (surface, numbers) = ball.surface().unwrap();
    surface.check().unwrap();
    assert_eq!(surface.triangles.len(), 320);
    assert_eq!(numbers.len(), surface.vertices.len());
    // no gap and no overlap: the tetrahedra fill what the surface encloses
    assert!((ball.volume().unwrap() / enclosed(&surface) - 1.0).abs() < 1e-12);
    assert!((surface.vertices[0] - ball.vertices[numbers[0] as usize]).norm() == 0.0);
}

#[test]
fn a_box_is_filled() {
    let mesh = TetMesh::cuboid([1.0, 2.0, 3.0], [2, 3, 4]).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tetrahedra.len()), (60, 120));
    assert!((mesh.volume().unwrap() - 6.0).abs() < 1e-12);
    let (surface, _) = mesh.surface().unwrap();
    assert_eq!(surface.triangles.len(), 2 * 2 * (2 * 3 + 2 * 4 + 3 * 4));
    assert!((enclosed(&surface) - 6.0).abs() < 1e-12);
}

#[test]
fn obj_text_is_read() {
    let text = "# a square\no square\nv 0 0 0\nv 1 0 0\nv 1 1 0 1.0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1 -1//1\n";
    let mesh = SurfaceMesh::from_obj(text).unwrap();
    mesh.check().unwrap();
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
}

const NODE: &str = "# corners\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n";

#[test]
fn tetgen_text_is_read() {
    let mesh = TetMesh::from_tetgen(NODE, "1 4 0\n1 1 2 3 4\n").unwrap();
    mesh.check().unwrap();
    assert_eq!(mesh.tetrahedra, [[0, 1, 2, 3]]);
    assert!((mesh.volume().unwrap() - 1.0 / 6.0).abs() < 1e-15);
    let from_zero = "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n";
    let same = TetMesh::from_tetgen(from_zero, "1 4 0\n0 0 1 2 3\n").unwrap();
    assert_eq!(same, mesh);
}

const GMSH: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Comments\nwhatever\n$EndComments\n$Nodes\n5\n1 0 0 0\n7 1 0 0\n8 0 1 0\n9 0 0 1\n10 5 5 5\n$EndNodes\n$Elements\n2\n1 15 2 0 1 10\n2 4 2 0 1 1 7 8 9\n$EndElements\n";

#[test]
fn gmsh_text_is_read() {
    let mesh = TetMesh::from_gmsh(GMSH).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tetrahedra.clone()), (4, vec![[0, 1, 2, 3]]));
}

#[track_caller]
fn fails(result: Result<impl std::fmt::Debug, sim_deformable::DeformableError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(expected), "{message:?} does not say {expected:?}");
}

#[test]
fn broken_text_is_an_error_with_its_line() {
    let obj = SurfaceMesh::from_obj;
    fails(obj("v 0 0\n"), "OBJ, line 1: z is missing");
    fails(obj("v 0 0 0\nv 0 x 0\n"), "OBJ, line 2: y is not a number: `x`");
    fails(obj("v 0 0 nan\n"), "line 1: z is not finite");
    fails(obj("v 0 0 0\nf 1 2 3\n"), "line 2: vertex 2 is not among the 1 given");
    fails(obj("v 0 0 0\nf 1 0 1\n"), "line 2: vertex 0 is not among");
    fails(obj("v 0 0 0\nf 1 1\n"), "line 2: a face needs 3 vertices, not 2");
    fails(obj("v 0 0 0\nf a/b c d\n"), "does not begin with the number");
    fails(
        obj("f 9223372036854775807 -9223372036854775808 1"),
        "line 1: vertex 9223372036854775807",
    );
    fails(obj("\n\ncurv 1 2\n"), "line 3: unknown statement `curv`");

    fails(TetMesh::from_tetgen("", ""), "TetGen .node, line 1: the text ends");
    fails(TetMesh::from_tetgen("4 2 0 0\n", ""), "line 1: the dimension is 2");
    fails(TetMesh::from_tetgen("2 3\n1 0 0 0\n", ""), "but vertex 2 of 2 should follow");
    fails(TetMesh::from_tetgen("1 3\n5 0 0 0\n", ""), "vertex 5 should be number 0 or 1");
    fails(TetMesh::from_tetgen("99999999999999 3\n", ""), "vertex 1 of 99999999999999");
    fails(TetMesh::from_tetgen(NODE, "1 4 0\n1 1 2 3 9\n"), ".ele, line 2: vertex 9 is not in");
    fails(TetMesh::from_tetgen(NODE, "1 7 0\n"), "a tetrahedron has 7 nodes");

    fails(TetMesh::from_gmsh("$Nodes\n"), "Gmsh, line 1: `$Nodes` should be `$MeshFormat`");
    fails(TetMesh::from_gmsh(&GMSH.replace("2.2 0", "4.1 0")), "line 2: version 4.1");
    fails(TetMesh::from_gmsh(&GMSH.replace("7 8 9", "7 8 99")), "line 18: there is no node 99");
    fails(TetMesh::from_gmsh(&GMSH.replace("8 0 1 0", "7 0 1 0")), "line 11: there is a node 7");
    fails(TetMesh::from_gmsh("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n"), "node 1 of 1");
}

#[test]
fn shapes_without_size_are_errors() {
    fails(SurfaceMesh::grid([0.0, 1.0], [1, 1]), "size of the grid is 0");
    fails(SurfaceMesh::grid([1.0, 1.0], [0, 1]), "no cells");
    fails(SurfaceMesh::grid([1.0, 1.0], [usize::MAX, 2]), "too many");
    fails(SurfaceMesh::grid([1.0, 1.0], [usize::MAX, 1]), "too many");
    fails(SurfaceMesh::sphere(f64::NAN, 1), "radius is NaN");
    fails(SurfaceMesh::sphere(1.0, 40), "too many");
    fails(TetMesh::cuboid([1.0, 1.0, -1.0], [1, 1, 1]), "size of the box is -1");
    fails(TetMesh::sphere(1.0, 1, 0), "no cells");
}
