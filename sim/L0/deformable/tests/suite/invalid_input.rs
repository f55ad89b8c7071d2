//! Error messages for invalid input.

use nalgebra::Vector3;
use sim_deformable::{
    Body, CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableError, FlexEdge, Material,
    SoftBody, SoftBodyConfig, SurfaceMesh, TetMesh, XpbdConfig, XpbdSolver,
};

#[track_caller]
fn fails<T: std::fmt::Debug>(result: Result<T, DeformableError>, expected: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(expected), "{message:?} does not say {expected:?}");
}

fn points(list: &[[f64; 3]]) -> Vec<Vector3<f64>> {
    list.iter().copied().map(Vector3::from).collect()
}

fn cloth(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Cloth, DeformableError> {
    let mesh = SurfaceMesh { vertices: points(vertices), triangles: triangles.to_vec() };
    Cloth::new(&mesh, &ClothConfig::cotton())
}

fn soft(vertices: &[[f64; 3]], tetrahedra: &[[u32; 4]]) -> Result<SoftBody, DeformableError> {
    let mesh = TetMesh { vertices: points(vertices), tetrahedra: tetrahedra.to_vec() };
    SoftBody::new(&mesh, &SoftBodyConfig::gelatin())
}

const O: [f64; 3] = [0.0; 3];
const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const FAR: [[f64; 3]; 3] = [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]];

#[test]
fn invalid_surfaces_are_errors() {
    let t = [[0, 1, 2]];
    assert!(cloth(&[O, X, Y], &t).is_ok());
    fails(cloth(&[], &[]), "the mesh has no vertices");
    fails(cloth(&[O, X, Y], &[]), "the mesh has no triangles");
    fails(cloth(&[O, X, [0.0, f64::NAN, 0.0]], &t), "vertex 2 has a coordinate that is not");
    fails(cloth(&[O, X, Y], &[[0, 1, 3]]), "triangle 0 names vertex 3, but there are only 3");
    fails(cloth(&[O, X, Y], &[[0, 1, 1]]), "triangle 0 names vertex 1 twice");
    fails(cloth(&[O, X, Y], &[[0, 1, 2], [1, 2, 0]]), "triangles 0 and 1 have the same vertices");
    fails(cloth(&[O, X, [2.0, 0.0, 0.0]], &t), "triangle 0 has no area");
    fails(cloth(&[O, X, Y, [-0.0; 3]], &t), "vertices 0 and 3 are in the same place");
    fails(cloth(&[O, X, Y, Z], &t), "vertex 3 is in no triangle");
    let two = [O, X, Y, FAR[0], FAR[1], FAR[2]];
    fails(cloth(&two, &[[0, 1, 2], [3, 4, 5]]), "2 parts that are not connected, vertex 3");
    let fan = [O, X, Y, Z, [0.0, -1.0, 0.0]];
    let three = [[0, 1, 2], [0, 1, 3], [0, 1, 4]];
    fails(cloth(&fan, &three), "the edge between vertices 0 and 1 has 3 triangles");
}

#[test]
fn invalid_solids_are_errors() {
    let t = [[0, 1, 2, 3]];
    assert!(soft(&[O, X, Y, Z], &t).is_ok());
    fails(soft(&[], &[]), "the mesh has no vertices");
    fails(soft(&[O, X, Y, Z], &[]), "the mesh has no tetrahedra");
    fails(soft(&[O, X, Y, Z], &[[0, 2, 1, 3]]), "tetrahedron 0 is inverted (volume -0.16");
    fails(soft(&[O, X, Y, [1.0, 1.0, 0.0]], &t), "tetrahedron 0 has no volume");
    fails(soft(&[O, X, Y, Z], &[[0, 1, 2, 2]]), "tetrahedron 0 names vertex 2 twice");
    fails(soft(&[O, X, Y, Z], &[[0, 1, 2, 9]]), "names vertex 9");
    fails(soft(&[O, X, Y, Z, FAR[0]], &t), "vertex 4 is in no tetrahedron");
    let away = [5.0, 5.0, 5.0];
    let two = [O, X, Y, Z, FAR[0], FAR[1], FAR[2], away];
    fails(soft(&two, &[[0, 1, 2, 3], [4, 5, 6, 7]]), "2 parts that are not connected, vertex 4");
    let mut turned = TetMesh { vertices: points(&[O, X, Y, Z]), tetrahedra: vec![[0, 2, 1, 3]] };
    assert_eq!(turned.orient(), 1);
    assert_eq!(turned.check(), Ok(()));
}

#[test]
fn invalid_materials_are_errors() {
    let valid = Material::rubber();
    let with = |material: Material| {
        let mesh = TetMesh::cuboid([1.0; 3], [1; 3]).unwrap();
        SoftBody::new(&mesh, &SoftBodyConfig { material, ..SoftBodyConfig::rubber() })
    };
    assert!(with(valid).is_ok());
    fails(with(Material { youngs_modulus: -1.0, ..valid }), "youngs_modulus is -1, but must be");
    fails(with(Material { youngs_modulus: f64::INFINITY, ..valid }), "youngs_modulus is inf");
    fails(with(Material { youngs_modulus: f64::NAN, ..valid }), "youngs_modulus is NaN");
    fails(with(Material { poissons_ratio: 0.5, ..valid }), "poissons_ratio is 0.5, but must be");
    fails(with(Material { poissons_ratio: -1.0, ..valid }), "poissons_ratio is -1");
    fails(with(Material { density: 0.0, ..valid }), "density is 0");
    fails(with(Material { friction: -0.1, ..valid }), "friction is -0.1");
    fails(with(Material { damping: f64::NAN, ..valid }), "damping is NaN");
}

#[test]
fn invalid_cloth_and_chain_settings_are_errors() {
    let mesh = SurfaceMesh::grid([1.0, 1.0], [1, 1]).unwrap();
    let cotton = ClothConfig::cotton();
    fails(Cloth::new(&mesh, &ClothConfig { thickness: 0.0, ..cotton }), "thickness is 0");
    fails(Cloth::new(&mesh, &ClothConfig { shear: -1.0, ..cotton }), "shear is -1");
    fails(Cloth::new(&mesh, &ClothConfig { bending: f64::NAN, ..cotton }), "bending is NaN");
    let rope = ChainConfig::rope();
    fails(CapsuleChain::new(&points(&[O]), &rope), "two points are needed");
    fails(CapsuleChain::new(&points(&[O, X, X]), &rope), "vertices 1 and 2 are in the same place");
    fails(CapsuleChain::new(&points(&[O, [f64::INFINITY; 3]]), &rope), "vertex 1 has");
    let thin = ChainConfig { radius: -1.0, ..rope };
    fails(CapsuleChain::new(&points(&[O, X]), &thin), "radius is -1");
    fails(CapsuleChain::straight(O.into(), X.into(), usize::MAX, &rope), "too many");
    fails(CapsuleChain::straight(O.into(), X.into(), 0, &rope), "two points are needed");
}

#[test]
fn invalid_particles_and_edges_are_errors() {
    let at = points(&[O, X]);
    let edge = |ends, rest, stiffness| [FlexEdge::Stretch { ends, rest, stiffness }];
    assert!(Body::new(&at, &[1.0, 1.0], &edge([0, 1], 1.0, f64::INFINITY)).is_ok());
    fails(Body::new(&[], &[], &[]), "no vertices");
    fails(Body::new(&at, &[1.0], &[]), "masses: 1 were given, but 2 are needed");
    fails(Body::new(&at, &[1.0, 0.0], &[]), "mass is 0");
    fails(Body::new(&at, &[1.0, f64::NAN], &[]), "mass is NaN");
    fails(Body::new(&at, &[1.0, 1e-320], &[]), "mass is");
    fails(Body::new(&at, &[1.0, 1.0], &edge([0, 2], 1.0, 1.0)), "edge 0 names vertex 2");
    fails(Body::new(&at, &[1.0, 1.0], &edge([1, 1], 1.0, 1.0)), "edge 0 names vertex 1 twice");
    fails(Body::new(&at, &[1.0, 1.0], &edge([0, 1], -1.0, 1.0)), "length of an edge is -1");
    fails(Body::new(&at, &[1.0, 1.0], &edge([0, 1], 1.0, 0.0)), "stiffness of an edge is 0");
    fails(Body::new(&at, &[1.0, 1.0], &edge([0, 1], 1.0, f64::NAN)), "stiffness of an edge is NaN");
    let mut body = Body::new(&at, &[1.0, 1.0], &[]).unwrap();
    fails(body.pin(2), "there is no particle 2");
    fails(body.pin_to(0, Vector3::new(0.0, f64::NAN, 0.0)), "vertex 0 has a coordinate");
    fails(body.set_mass(0, -1.0), "mass is -1");
    fails(body.set_contact_distance(f64::NAN), "contact distance is NaN");
}

#[test]
fn invalid_steps_are_errors() {
    let mut body = Body::new(&points(&[O, X]), &[1.0, 1.0], &[]).unwrap();
    let down = Vector3::new(0.0, 0.0, -1.0);
    let mut solver = XpbdSolver::default();
    fails(solver.step(&mut body, down, 0.0), "dt is 0");
    fails(solver.step(&mut body, down, f64::NAN), "dt is NaN");
    fails(solver.step(&mut body, down, 1e-200), "must be long enough for its square");
    fails(solver.step(&mut body, Vector3::new(f64::NAN, 0.0, 0.0), 0.1), "gravity is NaN");
    body.positions_mut()[1].x = f64::NAN;
    fails(solver.step(&mut body, down, 0.1), "diverged at particle 1");
    solver.config = XpbdConfig { substeps: 0, ..XpbdConfig::default() };
    fails(solver.step(&mut body, down, 0.1), "substeps is 0");
    solver.config = XpbdConfig { damping: -1.0, ..XpbdConfig::default() };
    fails(solver.step(&mut body, down, 0.1), "damping is -1");
}
