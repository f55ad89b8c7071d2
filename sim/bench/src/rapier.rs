//! Steps of piles in Rapier, for comparison: single precision and a fixed number of solver iterations.

use crate::piles::{HALF_SIZE, Shape, WALL};
use rapier3d::prelude::{
    ColliderBuilder, PhysicsWorld, Pose, RigidBodyBuilder, Rotation, SharedShape, Vector,
};
use sim_core::{Data, Model};
use std::time::Instant;

/// Steps between the start and the first timed one.
const WARM_UP: usize = 20;

/// A pile in Rapier.
pub(crate) struct Pile {
    world: PhysicsWorld,
}

impl Pile {
    /// The bodies of a settled pile at rest, in the same container, with the same density, friction and time step. They
    /// never sleep.
    pub(crate) fn new(shape: Shape, m: &Model, d: &Data) -> Self {
        let mut world =
            PhysicsWorld { gravity: Vector::new(0.0, 0.0, -9.81), ..Default::default() };
        world.integration_parameters.dt = m.opt.timestep as f32;
        let walls = [
            ([0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
            ([WALL, 0.0, 0.0], [-1.0, 0.0, 0.0]),
            ([-WALL, 0.0, 0.0], [1.0, 0.0, 0.0]),
            ([0.0, WALL, 0.0], [0.0, -1.0, 0.0]),
            ([0.0, -WALL, 0.0], [0.0, 1.0, 0.0]),
        ];
        let vector = |[x, y, z]: [f64; 3]| Vector::new(x as f32, y as f32, z as f32);
        for (point, normal) in walls {
            let body = RigidBodyBuilder::fixed().translation(vector(point));
            let plane = ColliderBuilder::new(SharedShape::halfspace(vector(normal))).friction(0.5);
            world.insert(body, plane);
        }
        let half = HALF_SIZE as f32;
        let geom = match shape {
            Shape::Sphere => SharedShape::ball(half),
            Shape::Box => SharedShape::cuboid(half, half, half),
        };
        for q in d.qpos.chunks_exact(7) {
            let [x, y, z] = [q[4], q[5], q[6]].map(|x| x as f32);
            let rotation = Rotation::from_xyzw(x, y, z, q[3] as f32);
            let pose = Pose::from_parts(vector([q[0], q[1], q[2]]), rotation);
            let body = RigidBodyBuilder::dynamic().pose(pose).can_sleep(false);
            world.insert(body, ColliderBuilder::new(geom.clone()).friction(0.5).density(1000.0));
        }
        let mut pile = Self { world };
        pile.time(WARM_UP);
        pile
    }

    /// Time of a step, s.
    pub(crate) fn time(&mut self, steps: usize) -> f64 {
        let clock = Instant::now();
        for _ in 0..steps {
            self.world.step();
        }
        clock.elapsed().as_secs_f64() / steps as f64
    }

    /// Height of the highest centre, m, which shows whether the pile is still one.
    pub(crate) fn height(&self) -> f64 {
        let heights = self.world.bodies.iter().map(|(_, body)| f64::from(body.translation().z));
        heights.fold(0.0, f64::max)
    }
}
