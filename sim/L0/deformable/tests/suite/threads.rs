//! Bit-identical results for any number of threads.

use crate::{GRAVITY, randomize_velocities};
use nalgebra::Vector3;
use sim_deformable::{
    CapsuleChain, ChainConfig, Cloth, ClothConfig, DeformableBody, SoftBody, SoftBodyConfig,
    SolidModel, SurfaceMesh, TetMesh, XpbdSolver,
};

fn bits(body: &dyn DeformableBody) -> Vec<u64> {
    let b = body.body();
    let all = b.positions().iter().chain(b.velocities());
    all.flat_map(|x| x.iter().map(|v| v.to_bits()).collect::<Vec<_>>()).collect()
}

fn check<B: DeformableBody + Clone + Send>(name: &str, mut body: B) {
    randomize_velocities(&mut body, 0.5);
    body.body_mut().pin(0).unwrap();
    let mut serial = body.clone();
    let mut solver = XpbdSolver::default();
    for _ in 0..20 {
        solver.step(&mut serial, GRAVITY, 1e-2).unwrap();
    }
    let expected = bits(&serial);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut shared = body.clone();
        pool.install(|| {
            for _ in 0..20 {
                solver.step_parallel(&mut shared, GRAVITY, 1e-2).unwrap();
            }
        });
        assert!(bits(&shared) == expected, "{name} on {threads} threads");
    }
}

#[test]
fn steps_do_not_depend_on_the_threads() {
    let grid = SurfaceMesh::grid([1.0, 1.0], [70, 70]).unwrap();
    let mut cloth = Cloth::new(&grid, &ClothConfig::cotton()).unwrap();
    check("sheet", cloth.clone());
    cloth.body_mut().set_contact_distance(0.012).unwrap();
    check("sheet in contact with itself", cloth);
    let sphere = SurfaceMesh::sphere(0.3, 4).unwrap();
    check("balloon", Cloth::new(&sphere, &ClothConfig::rubber()).unwrap());
    for model in [SolidModel::Springs, SolidModel::NeoHookean] {
        let mesh = TetMesh::cuboid([0.2, 0.2, 0.2], [12, 12, 12]).unwrap();
        let config = SoftBodyConfig { model, ..SoftBodyConfig::gelatin() };
        check("block", SoftBody::new(&mesh, &config).unwrap());
    }
    let end = Vector3::new(5.0, 0.0, 0.0);
    let rope = CapsuleChain::straight(Vector3::zeros(), end, 4000, &ChainConfig::soft_cable());
    check("rope", rope.unwrap());
}
