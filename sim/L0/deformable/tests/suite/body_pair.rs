//! Contact of two bodies.

use crate::GRAVITY;
use nalgebra::Vector3;
use sim_deformable::{
    Body, BodyPairContacts, BodyPairSide, CapsuleChain, ChainConfig, Cloth, ClothConfig,
    CollisionSurface, DeformableBody, Material, SoftBody, SoftBodyConfig, SurfaceMesh, TetMesh,
    XpbdSolver,
};

/// Two bodies and their solvers.
struct Two {
    bodies: [Body; 2],
    surfaces: [CollisionSurface; 2],
    solvers: [XpbdSolver; 2],
    contacts: BodyPairContacts,
    friction: f64,
    max_contacts: usize,
}

impl Two {
    fn new(a: &dyn DeformableBody, b: &dyn DeformableBody) -> Self {
        let bodies = [a.body().clone(), b.body().clone()];
        let surfaces = [CollisionSurface::new(&bodies[0]), CollisionSurface::new(&bodies[1])];
        let (solvers, contacts) = (Default::default(), BodyPairContacts::default());
        Self { bodies, surfaces, solvers, contacts, friction: 0.5, max_contacts: 0 }
    }

    fn step(&mut self, gravity: Vector3<f64>, dt: f64) {
        let substeps = self.solvers[0].config.substeps;
        for (solver, body) in self.solvers.iter_mut().zip(&mut self.bodies) {
            assert!(solver.begin_step(body, gravity, dt).unwrap());
        }
        self.contacts.invalidate();
        let recovery = 1.0 - (-dt / substeps as f64 / 0.02).exp();
        for _ in 0..substeps {
            for (solver, body) in self.solvers.iter_mut().zip(&mut self.bodies) {
                solver.substep(body, &[]);
            }
            let [a, b] = &mut self.solvers;
            let sides = [
                BodyPairSide { body: &self.bodies[0], surface: &self.surfaces[0], solver: a },
                BodyPairSide { body: &self.bodies[1], surface: &self.surfaces[1], solver: b },
            ];
            self.contacts.solve(sides, self.friction, recovery, |_, _| false);
            self.max_contacts = self.max_contacts.max(self.contacts.len());
            self.solvers.iter_mut().for_each(XpbdSolver::end_substep);
        }
        for (solver, body) in self.solvers.iter_mut().zip(&mut self.bodies) {
            solver.end_step(body).unwrap();
        }
    }

    fn momentum(&self) -> (Vector3<f64>, Vector3<f64>) {
        let [a, b] = &self.bodies;
        (a.momentum() + b.momentum(), a.angular_momentum() + b.angular_momentum())
    }

    fn energy(&self) -> f64 {
        self.bodies.iter().map(|b| b.kinetic_energy() + b.elastic_energy()).sum()
    }
}

fn rope(from: [f64; 3], to: [f64; 3], segments: usize) -> CapsuleChain {
    let config = ChainConfig { radius: 0.01, ..ChainConfig::soft_cable() };
    CapsuleChain::straight(from.into(), to.into(), segments, &config).unwrap()
}

fn block(at: [f64; 3], cells: usize) -> SoftBody {
    let mut mesh = TetMesh::cuboid([0.1; 3], [cells; 3]).unwrap();
    mesh.vertices.iter_mut().for_each(|x| *x += Vector3::from(at));
    let material = Material { youngs_modulus: 5e4, poissons_ratio: 0.3, ..Material::rubber() };
    SoftBody::new(&mesh, &SoftBodyConfig { material, ..SoftBodyConfig::rubber() }).unwrap()
}

fn sheet(height: f64, cells: usize) -> Cloth {
    let mut mesh = SurfaceMesh::grid([0.5, 0.5], [cells; 2]).unwrap();
    mesh.vertices.iter_mut().for_each(|x| x.z = height);
    Cloth::new(&mesh, &ClothConfig { thickness: 0.01, ..ClothConfig::cotton() }).unwrap()
}

#[test]
fn impacts_conserve_momentum_and_add_no_energy() {
    let pairs: [(&str, [Box<dyn DeformableBody>; 2]); 4] = [
        ("blocks", [Box::new(block([0.0; 3], 3)), Box::new(block([0.03, 0.02, 0.12], 3))]),
        ("sheets", [Box::new(sheet(0.0, 9)), Box::new(sheet(0.03, 7))]),
        (
            "ropes",
            [
                Box::new(rope([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], 6)),
                Box::new(rope([0.02, -0.25, 0.05], [0.02, 0.35, 0.05], 6)),
            ],
        ),
        ("a sheet and a block", [Box::new(sheet(0.0, 9)), Box::new(block([0.03, 0.02, 0.08], 3))]),
    ];
    for (name, [a, b]) in pairs {
        let mut two = Two::new(a.as_ref(), b.as_ref());
        two.bodies[1].velocities_mut().fill(Vector3::new(0.1, 0.0, -1.0));
        let (before, energy) = (two.momentum(), two.energy());
        for _ in 0..200 {
            two.step(Vector3::zeros(), 2e-3);
            assert!(two.energy() <= energy * (1.0 + 1e-6), "{name}: {} {energy}", two.energy());
        }
        let after = two.momentum();
        let mass: f64 = two.bodies.iter().flat_map(Body::masses).sum();
        // rounding errors of positions, divided by the substep, are those of velocities
        assert!((after.0 - before.0).norm() < 1e-10 * mass, "{name}: {before:?} {after:?}");
        assert!((after.1 - before.1).norm() < 1e-2 * mass, "{name}: {before:?} {after:?}");
        // the first body was hit, and the second did not pass through
        assert!(two.max_contacts > 0 && two.bodies[0].momentum().z < -0.05 * mass, "{name}");
        let height = |k: usize| two.bodies[k].center_of_mass().z;
        assert!(height(1) > height(0), "{name}: {} {}", height(1), height(0));
    }
}

#[test]
fn crossing_ropes_collide_between_their_particles() {
    // pinned at both ends, with segments ten times as long as their diameter
    let mut low = rope([-0.6, 0.0, 0.0], [0.6, 0.0, 0.0], 5);
    low.body_mut().pin(0).unwrap();
    low.body_mut().pin(5).unwrap();
    let high = rope([0.0, -0.6, 0.1], [0.0, 0.6, 0.1], 5);
    let mut two = Two::new(&low, &high);
    two.solvers.iter_mut().for_each(|solver| solver.config.damping = 2.0);
    for _ in 0..400 {
        two.step(GRAVITY, 5e-3);
    }
    let middle = |k: usize| {
        let x = two.bodies[k].positions();
        0.5 * (x[2] + x[3])
    };
    let gap = middle(1).z - middle(0).z;
    assert!((gap - 0.02).abs() < 2e-3, "{gap}");
}

#[test]
fn a_sheet_rests_on_a_block_and_loads_it_with_its_weight() {
    let mut block = block([0.0; 3], 4);
    for i in 0..block.body().len() {
        if block.body().positions()[i].z < -0.0499 {
            block.body_mut().pin(i).unwrap();
        }
    }
    let alone = block.body().clone();
    let mut two = Two::new(&block, &sheet(0.07, 15));
    two.solvers.iter_mut().for_each(|solver| solver.config.damping = 5.0);
    for _ in 0..400 {
        two.step(GRAVITY, 5e-3);
    }
    let [block, sheet] = &two.bodies;
    let middle = sheet.positions()[7 * 16 + 7];
    let skin = block.collision_radius() + sheet.collision_radius();
    assert!((middle.z - 0.05 - skin).abs() < 2e-3, "{middle} {skin}");
    assert!(sheet.positions()[0].z < 0.0, "its corners hang down");
    assert!(block.center_of_mass().z < alone.center_of_mass().z - 1e-4);
}

#[test]
fn initial_penetration_is_corrected_with_the_recovery_rate() {
    let mut two = Two::new(&sheet(0.0, 9), &sheet(0.002, 8));
    for _ in 0..200 {
        two.step(Vector3::zeros(), 2e-3);
    }
    let gap = two.bodies[1].center_of_mass().z - two.bodies[0].center_of_mass().z;
    assert!(gap > 0.0098, "{gap}");
    // an initial penetration of 8 mm with a relaxation time of 20 ms
    let speed = two.bodies[1].velocities().iter().map(|v| v.norm()).fold(0.0, f64::max);
    assert!(speed < 0.4, "{speed}");
}

#[test]
fn bodies_without_elements_collide_as_spheres() {
    let sphere = |z: f64| {
        let mut body = Body::new(&[Vector3::new(0.0, 0.0, z)], &[1.0], &[]).unwrap();
        body.set_radius(0.05).unwrap();
        body
    };
    let mut two = Two::new(&sphere(0.0), &sphere(0.2));
    two.bodies[1].velocities_mut()[0].z = -1.0;
    let mut min = f64::INFINITY;
    for _ in 0..200 {
        two.step(Vector3::zeros(), 2e-3);
        min = min.min(two.bodies[1].positions()[0].z - two.bodies[0].positions()[0].z);
    }
    assert!((min - 0.1).abs() < 1e-9, "{min}");
    assert!((two.momentum().0.z + 1.0).abs() < 1e-12);
}
