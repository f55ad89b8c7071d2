//! Generated meshes of primitive shapes.

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
fn a_grid_has_its_area() {
    let mesh = SurfaceMesh::grid([2.0, 3.0], [4, 5]).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (30, 40));
    assert!((area(&mesh) - 6.0).abs() < 1e-12);
}

#[test]
fn a_sphere_approximates_its_volume() {
    let mesh = SurfaceMesh::sphere(0.5, 4).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (2562, 5120));
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!((enclosed(&mesh) / expected - 1.0).abs() < 5e-3);
}

#[test]
fn a_solid_sphere_has_the_volume_of_its_surface() {
    let sphere = TetMesh::sphere(0.5, 2, 3).unwrap();
    sphere.check().unwrap();
    let (surface, indices) = sphere.surface().unwrap();
    surface.check().unwrap();
    assert_eq!(surface.triangles.len(), 320);
    assert_eq!(indices.len(), surface.vertices.len());
    // no gap and no overlap: the tetrahedra fill what the surface encloses
    assert!((sphere.volume().unwrap() / enclosed(&surface) - 1.0).abs() < 1e-12);
    assert!((surface.vertices[0] - sphere.vertices[indices[0] as usize]).norm() == 0.0);
}

#[test]
fn a_box_has_its_volume() {
    let mesh = TetMesh::cuboid([1.0, 2.0, 3.0], [2, 3, 4]).unwrap();
    mesh.check().unwrap();
    assert_eq!((mesh.vertices.len(), mesh.tetrahedra.len()), (60, 120));
    assert!((mesh.volume().unwrap() - 6.0).abs() < 1e-12);
    let (surface, _) = mesh.surface().unwrap();
    assert_eq!(surface.triangles.len(), 2 * 2 * (2 * 3 + 2 * 4 + 3 * 4));
    assert!((enclosed(&surface) - 6.0).abs() < 1e-12);
}

#[track_caller]
fn fails(result: Result<impl std::fmt::Debug, sim_deformable::DeformableError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(expected), "{message:?} does not say {expected:?}");
}

#[test]
fn degenerate_shapes_are_errors() {
    fails(SurfaceMesh::grid([0.0, 1.0], [1, 1]), "size of the grid is 0");
    fails(SurfaceMesh::grid([1.0, 1.0], [0, 1]), "no cells");
    fails(SurfaceMesh::grid([1.0, 1.0], [usize::MAX, 2]), "too many");
    fails(SurfaceMesh::grid([1.0, 1.0], [usize::MAX, 1]), "too many");
    fails(SurfaceMesh::sphere(f64::NAN, 1), "radius is NaN");
    fails(SurfaceMesh::sphere(1.0, 40), "too many");
    fails(TetMesh::cuboid([1.0, 1.0, -1.0], [1, 1, 1]), "size of the box is -1");
    fails(TetMesh::sphere(1.0, 1, 0), "no cells");
}
