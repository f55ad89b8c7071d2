//! Property tests: any input gives a body with finite state or an error, never a panic.

use nalgebra::Vector3;
use proptest::prelude::*;
use sim_deformable::{
    Cloth, ClothConfig, DeformableBody, Material, SoftBody, SoftBodyConfig, SolidModel,
    SurfaceMesh, TetMesh, XpbdSolver,
};

/// Coordinates that often coincide and are sometimes huge or NaN.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-3i32..4).prop_map(f64::from),
        4 => -1.0..1.0f64,
        1 => prop_oneof![Just(1e150), Just(-1e-150), Just(f64::MAX), Just(f64::NAN)],
    ]
}

fn vertices() -> impl Strategy<Value = Vec<Vector3<f64>>> {
    prop::collection::vec([coordinate(), coordinate(), coordinate()], 0..12)
        .prop_map(|list| list.into_iter().map(Vector3::from).collect())
}

fn steps_or_fails(body: &mut dyn DeformableBody) {
    let mut solver = XpbdSolver::default();
    body.body_mut().set_contact_distance(0.1).unwrap();
    for _ in 0..3 {
        let _ = solver.step(body, Vector3::new(0.0, 0.0, -9.81), 1e-2);
    }
    let body = body.body();
    let mut all = body.positions().iter().chain(body.velocities());
    assert!(all.all(|x| x.iter().all(|v| v.is_finite())));
}

proptest! {
    #[test]
    fn any_triangles_are_a_cloth_or_an_error(
        vertices in vertices(),
        triangles in prop::collection::vec([0..12u32, 0..12u32, 0..12u32], 0..6),
    ) {
        let used = vertices.len().min(3);
        let few = SurfaceMesh { vertices: vertices[..used].to_vec(), triangles: vec![[0, 1, 2]] };
        for mesh in [SurfaceMesh { vertices, triangles }, few] {
            if let Ok(mut cloth) = Cloth::new(&mesh, &ClothConfig::paper()) {
                steps_or_fails(&mut cloth);
            }
        }
    }

    #[test]
    fn any_tetrahedra_are_a_soft_body_or_an_error(
        vertices in vertices(),
        e in prop_oneof![1e-300..1e300f64, Just(1e4), Just(f64::INFINITY)],
        nu in -1.5..0.6f64,
        neo_hookean in any::<bool>(),
    ) {
        let used = vertices.len().min(4);
        let mut mesh = TetMesh { vertices: vertices[..used].to_vec(), tetrahedra: vec![[0, 1, 2, 3]] };
        mesh.orient();
        let material = Material { youngs_modulus: e, poissons_ratio: nu, ..Material::foam() };
        let model = if neo_hookean { SolidModel::NeoHookean } else { SolidModel::Springs };
        if let Ok(mut body) = SoftBody::new(&mesh, &SoftBodyConfig { material, model }) {
            steps_or_fails(&mut body);
        }
    }
}
