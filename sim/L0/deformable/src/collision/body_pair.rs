//! Contact of two deformable bodies: particles of each against triangles of the other, and
//! edge–edge.
//!
//! Detection and projection are those of self-contact. Corrections are proportional to the inverse
//! masses, so that momentum is conserved.

use super::edge_edge::{self, EdgeEdge};
use super::hash_grid::HashGrid;
use super::particle_triangle::{self, ParticleTriangle};
use super::response::{ContactParams, PreviousPositions};
use super::surface::CollisionSurface;
use super::{MAX_CONTACTS, MAX_MOTION_BOUND};
use crate::body::Body;
use crate::particle::{LocalParticles, Particle, ParticleStore, dot, sub};
use crate::solver::XpbdSolver;
use nalgebra::Vector3;

/// Collision radius of a body without a radius, in mean edge lengths.
const DEFAULT_RADIUS: f64 = 0.01;
/// Maximum depth in a solid of a particle for a contact with the nearest triangle, in mean edge
/// lengths.
const MAX_DEPTH: f64 = 0.25;

/// One of two bodies during a step.
#[derive(Debug)]
pub struct BodyPairSide<'a> {
    /// The body.
    pub body: &'a Body,
    /// Its collision surface.
    pub surface: &'a CollisionSurface,
    /// The solver that steps it.
    pub solver: &'a mut XpbdSolver,
}

/// Candidate contacts of two bodies.
#[derive(Debug, Default)]
pub struct BodyPairContacts {
    grid: HashGrid,
    particle_triangle: Vec<ParticleTriangle>,
    edge_edge: Vec<EdgeEdge>,
    /// Particle positions of both bodies at detection, m.
    detection_positions: [Vec<Vector3<f64>>; 2],
    /// Particles or edges of one body near the other, and their positions: scratch.
    indices: Vec<u32>,
    positions: Vec<Vector3<f64>>,
    /// Distance by which two particles may approach each other before detection is repeated, m;
    /// negative if there is no valid detection.
    motion_bound: f64,
}

/// Particles of both bodies; those of the second are numbered after those of the first.
struct Joined<'a> {
    particles: [LocalParticles<'a>; 2],
    previous: [&'a [Particle]; 2],
    split: u32,
}

impl Joined<'_> {
    #[inline(always)]
    fn locate(&self, i: u32) -> (usize, u32) {
        if i < self.split { (0, i) } else { (1, i - self.split) }
    }
}

impl ParticleStore for Joined<'_> {
    #[inline(always)]
    fn load(&self, i: u32) -> Particle {
        let (side, i) = self.locate(i);
        self.particles[side].load(i)
    }

    #[inline(always)]
    fn store(&self, i: u32, x: Particle) {
        let (side, i) = self.locate(i);
        self.particles[side].store(i, x);
    }
}

impl PreviousPositions for Joined<'_> {
    #[inline(always)]
    fn position(&self, i: u32) -> Particle {
        let (side, i) = self.locate(i);
        self.previous[side][i as usize]
    }
}

/// Axis-aligned bounding box, m.
#[derive(Debug, Clone, Copy)]
struct Aabb {
    min: Vector3<f64>,
    max: Vector3<f64>,
}

impl Aabb {
    fn of(points: impl Iterator<Item = Vector3<f64>>) -> Self {
        let start = Vector3::repeat(f64::INFINITY);
        let (min, max) = points.fold((start, -start), |(a, b), x| (a.inf(&x), b.sup(&x)));
        Self { min, max }
    }

    fn inflated(&self, by: f64) -> Self {
        let by = Vector3::repeat(by);
        Self { min: self.min - by, max: self.max + by }
    }

    fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && self.max[k] >= other.min[k])
    }
}

impl Body {
    /// Distance of the surface from the particles for contacts with other deformable bodies, m: the
    /// radius, or a hundredth of the mean edge length if it is zero.
    #[must_use]
    pub fn collision_radius(&self) -> f64 {
        if self.radius > 0.0 { self.radius } else { DEFAULT_RADIUS * self.mean_edge_length }
    }
}

impl BodyPairContacts {
    /// Number of candidate contacts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.particle_triangle.len() + self.edge_edge.len()
    }

    /// Whether there are no candidate contacts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Discards the detected candidates; to be called at the start of a step.
    pub fn invalidate(&mut self) {
        self.motion_bound = -1.0;
        self.particle_triangle.clear();
        self.edge_edge.clear();
    }

    /// Projects the contacts of two bodies with Coulomb friction, between [`XpbdSolver::substep`]
    /// and [`XpbdSolver::end_substep`]. A fraction `recovery` of a penetration from before the
    /// substep is corrected. `skip` returns true for particles of the first and second body that do
    /// not collide.
    pub fn solve(
        &mut self,
        sides: [BodyPairSide<'_>; 2],
        friction: f64,
        recovery: f64,
        skip: impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let [first, second] = sides;
        let counts = [first.body.len(), second.body.len()];
        let contact_distance = first.body.collision_radius() + second.body.collision_radius();
        let numbered = u32::try_from(counts[0] + counts[1]).is_ok();
        let (x, p) = first.solver.state_mut();
        let (y, q) = second.solver.state_mut();
        let loaded = [x.len(), p.len(), y.len(), q.len()];
        if loaded != [counts[0], counts[0], counts[1], counts[1]]
            || !numbered
            || contact_distance <= 0.0
        {
            return;
        }
        let split = counts[0] as u32;
        let joined = Joined {
            particles: [LocalParticles::new(x), LocalParticles::new(y)],
            previous: [p, q],
            split,
        };
        if self.is_stale(&joined) {
            let bodies = [first.body, second.body];
            let surfaces = [first.surface, second.surface];
            self.detect(bodies, surfaces, &joined, contact_distance, skip);
        }
        let params = ContactParams { friction, recovery };
        self.particle_triangle.iter().for_each(|contact| contact.solve(&joined, &joined, params));
        self.edge_edge.iter().for_each(|pair| pair.solve(&joined, &joined, params));
    }

    /// Whether a particle moved more than half of the motion bound since detection.
    fn is_stale(&self, joined: &Joined<'_>) -> bool {
        let limit = 0.25 * self.motion_bound * self.motion_bound;
        let moved = |(particles, detected): (&LocalParticles<'_>, &Vec<Vector3<f64>>)| {
            detected.iter().enumerate().any(|(i, detected)| {
                let now = particles.load(i as u32);
                (Vector3::new(now[0], now[1], now[2]) - detected).norm_squared() > limit
            })
        };
        self.motion_bound < 0.0 || joined.particles.iter().zip(&self.detection_positions).any(moved)
    }

    /// Detects candidates at the positions before this substep, so that the contact sides are those
    /// before any penetration.
    fn detect(
        &mut self,
        bodies: [&Body; 2],
        surfaces: [&CollisionSurface; 2],
        joined: &Joined<'_>,
        contact_distance: f64,
        skip: impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let mut max_displacement_squared = 0.0f64;
        for side in 0..2 {
            self.detection_positions[side].clear();
            for (i, p) in joined.previous[side].iter().enumerate() {
                let d = sub(joined.particles[side].load(i as u32), *p);
                max_displacement_squared = max_displacement_squared.max(dot(d, d));
                self.detection_positions[side].push(Vector3::new(p[0], p[1], p[2]));
            }
        }
        // the motion bound grows with the speed, up to half an edge length
        let mean_edge_length = bodies[0].mean_edge_length.max(bodies[1].mean_edge_length);
        self.motion_bound = (4.0 * max_displacement_squared.sqrt()).clamp(
            contact_distance,
            (0.5 * mean_edge_length).max(MAX_MOTION_BOUND * contact_distance),
        );
        let detection_distance = contact_distance + self.motion_bound;
        self.particle_triangle.clear();
        self.edge_edge.clear();
        let aabb = |side: usize| {
            let at = &self.detection_positions[side];
            Aabb::of(surfaces[side].particles.iter().map(|&i| at[i as usize]))
        };
        let aabbs = [aabb(0).inflated(detection_distance), aabb(1).inflated(detection_distance)];
        if !aabbs[0].overlaps(&aabbs[1]) {
            return;
        }
        for side in 0..2 {
            self.detect_particle_triangle(
                side,
                bodies,
                surfaces,
                aabbs,
                [contact_distance, detection_distance],
                &skip,
            );
        }
        self.detect_edge_edge(surfaces, aabbs, [contact_distance, detection_distance], &skip);
    }

    /// Detects particles of the other side near triangles of `side`.
    fn detect_particle_triangle(
        &mut self,
        side: usize,
        bodies: [&Body; 2],
        surfaces: [&CollisionSurface; 2],
        aabbs: [Aabb; 2],
        [contact_distance, detection_distance]: [f64; 2],
        skip: &impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let other = 1 - side;
        let Self {
            grid, particle_triangle: contacts, detection_positions, indices, positions, ..
        } = self;
        if bodies[side].triangles.is_empty() {
            return;
        }
        indices.clear();
        positions.clear();
        for &i in &surfaces[other].particles {
            let x = detection_positions[other][i as usize];
            if aabbs[side].overlaps(&Aabb { min: x, max: x }) {
                indices.push(i);
                positions.push(x);
            }
        }
        grid.fill(positions, bodies[side].mean_edge_length + 2.0 * detection_distance);
        let base = [0, bodies[0].len() as u32];
        for t in &bodies[side].triangles {
            let x = t.map(|i| detection_positions[side][i as usize]);
            let aabb = Aabb::of(x.into_iter()).inflated(detection_distance);
            if !aabb.overlaps(&aabbs[other]) {
                continue;
            }
            let limit = contacts.len() + MAX_CONTACTS;
            grid.visit(positions, aabb.min, aabb.max, |k| {
                let (p, y) = (indices[k as usize], positions[k as usize]);
                let skipped = if side == 0 { skip(t, &[p]) } else { skip(&[p], t) };
                if contacts.len() >= limit || skipped {
                    return;
                }
                if particle_triangle::offset(y, x).norm_squared()
                    >= detection_distance * detection_distance
                {
                    return;
                }
                let normal = (x[1] - x[0]).cross(&(x[2] - x[0]));
                let height = normal.dot(&(y - x[0]));
                let solid = bodies[side].closed;
                // a particle deep inside a solid leaves it through another face
                if solid && height < -MAX_DEPTH * bodies[side].mean_edge_length * normal.norm() {
                    return;
                }
                let contact_side = if height < 0.0 && !solid { -1.0 } else { 1.0 };
                let corners = t.map(|i| base[side] + i);
                let at = [base[other] + p, corners[0], corners[1], corners[2]];
                contacts.push(ParticleTriangle {
                    at,
                    distance: contact_distance,
                    side: contact_side,
                });
            });
        }
    }

    /// Detects edges of the two sides that are near each other.
    fn detect_edge_edge(
        &mut self,
        surfaces: [&CollisionSurface; 2],
        aabbs: [Aabb; 2],
        [contact_distance, detection_distance]: [f64; 2],
        skip: &impl Fn(&[u32], &[u32]) -> bool,
    ) {
        let Self { grid, edge_edge, detection_positions, indices, positions, .. } = self;
        let ends =
            |side: usize, edge: [u32; 2]| edge.map(|i| detection_positions[side][i as usize]);
        indices.clear();
        positions.clear();
        let (mut longest, mut total) = (0.0f64, 0.0);
        for (k, &edge) in surfaces[1].edges.iter().enumerate() {
            let x = ends(1, edge);
            if Aabb::of(x.into_iter()).overlaps(&aabbs[0]) {
                indices.push(k as u32);
                positions.push(0.5 * (x[0] + x[1]));
                let length = (x[1] - x[0]).norm();
                (longest, total) = (longest.max(length), total + length);
            }
        }
        grid.fill(positions, total / positions.len().max(1) as f64 + 2.0 * detection_distance);
        let base = detection_positions[0].len() as u32;
        for &edge in &surfaces[0].edges {
            let p = ends(0, edge);
            let aabb = Aabb::of(p.into_iter()).inflated(detection_distance + 0.5 * longest);
            if !aabb.overlaps(&aabbs[1]) {
                continue;
            }
            let limit = edge_edge.len() + MAX_CONTACTS;
            grid.visit(positions, aabb.min, aabb.max, |k| {
                let with = surfaces[1].edges[indices[k as usize] as usize];
                if edge_edge.len() >= limit || skip(&edge, &with) {
                    return;
                }
                let q = ends(1, with);
                let offset = edge_edge::offset([p, q]);
                if offset.norm_squared() >= detection_distance * detection_distance {
                    return;
                }
                let normal = (p[1] - p[0]).cross(&(q[1] - q[0]));
                let side = if normal.dot(&offset) < 0.0 { -1.0 } else { 1.0 };
                let at = [edge[0], edge[1], base + with[0], base + with[1]];
                edge_edge.push(EdgeEdge { at, distance: contact_distance, side });
            });
        }
    }
}
