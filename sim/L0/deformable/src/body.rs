//! Particles, their constraints and the sleep state of a deformable body.

use crate::constraint::dihedral::Dihedral;
use crate::constraint::distance::Distance;
use crate::constraint::{ColoredConstraints, Constraints, Substep};
use crate::error::{DeformableError, length, parameter};
use crate::flex_edge::FlexEdge;
use nalgebra::Vector3;

/// A deformable body that [`XpbdSolver`](crate::XpbdSolver) can step.
pub trait DeformableBody {
    /// The particles and constraints.
    fn body(&self) -> &Body;
    /// The particles and constraints, mutable.
    fn body_mut(&mut self) -> &mut Body;
}

/// Particles with masses, and constraints between them.
///
/// [`Cloth`](crate::Cloth), [`SoftBody`](crate::SoftBody) and [`CapsuleChain`](crate::CapsuleChain)
/// build one from a mesh and a material; [`Body::new`] builds one from arbitrary edges.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) position: Vec<Vector3<f64>>,
    pub(crate) velocity: Vec<Vector3<f64>>,
    pub(crate) rest: Vec<Vector3<f64>>,
    pub(crate) mass: Vec<f64>,
    /// 1/kg; 0 for pinned particles.
    pub(crate) inv_mass: Vec<f64>,
    /// Position of a pinned particle at the end of the next step, m.
    pub(crate) target: Vec<Vector3<f64>>,
    pub(crate) constraints: Constraints,
    /// Substep for which the constraints were last prepared.
    prepared: Option<Substep>,
    /// Kelvin–Voigt relaxation time of the material, s.
    pub(crate) damping: f64,
    pub(crate) friction: f64,
    /// Self-contact distance, m; 0 disables self-contact.
    pub(crate) contact_distance: f64,
    /// Surface triangles; empty for a chain.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Whether the surface is the boundary of a solid, with outward normals.
    pub(crate) closed: bool,
    /// Mean edge length of the triangles, m.
    pub(crate) mean_edge_length: f64,
    /// Segments of a chain; empty for a surface.
    pub(crate) segments: Vec<[u32; 2]>,
    /// Distance of the collision surface from the particles, m.
    pub(crate) radius: f64,
    pub(crate) sleep: Sleep,
}

/// Sleep state of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sleep {
    pub(crate) asleep: bool,
    /// Time for which all particles have been below the sleep speed, s.
    pub(crate) slow_time: f64,
    /// Gravity of the last step, m/s²: a change wakes the body.
    pub(crate) gravity: Vector3<f64>,
}

/// Maximum number of particles: indices have 32 bits.
const MAX_PARTICLES: usize = u32::MAX as usize;

impl Body {
    /// A body of free particles connected by `edges`.
    ///
    /// # Errors
    /// Non-finite positions, masses that are not positive, or edges between particles that do not
    /// exist.
    pub fn new(
        positions: &[Vector3<f64>],
        masses: &[f64],
        edges: &[FlexEdge],
    ) -> Result<Self, DeformableError> {
        let mut body = Self::of_particles(positions.to_vec(), masses.to_vec())?;
        body.set_edges(edges)?;
        Ok(body)
    }

    /// Particles without constraints.
    pub(crate) fn of_particles(
        position: Vec<Vector3<f64>>,
        mass: Vec<f64>,
    ) -> Result<Self, DeformableError> {
        let n = position.len();
        if n == 0 {
            return Err(DeformableError::Empty { what: "vertices" });
        }
        if n > MAX_PARTICLES {
            let max = MAX_PARTICLES;
            return Err(DeformableError::TooMany { what: "particles", count: n, max });
        }
        length("masses", mass.len(), n)?;
        if let Some(vertex) = position.iter().position(|x| !x.iter().all(|v| v.is_finite())) {
            return Err(DeformableError::NotFinite { vertex });
        }
        for &m in &mass {
            let valid = m > 0.0 && m.recip().is_finite();
            parameter("mass", m, valid, "finite and above 0")?;
        }
        Ok(Self {
            velocity: vec![Vector3::zeros(); n],
            rest: position.clone(),
            inv_mass: mass.iter().map(|m| m.recip()).collect(),
            target: position.clone(),
            position,
            mass,
            constraints: Constraints::default(),
            prepared: None,
            damping: 0.0,
            friction: 0.0,
            contact_distance: 0.0,
            triangles: Vec::new(),
            closed: false,
            mean_edge_length: 0.0,
            segments: Vec::new(),
            radius: 0.0,
            sleep: Sleep::default(),
        })
    }

    /// Sets the surface triangles.
    pub(crate) fn set_surface(&mut self, triangles: Vec<[u32; 3]>) {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let length = |[a, b]: [u32; 2]| (self.rest[a as usize] - self.rest[b as usize]).norm();
        self.mean_edge_length =
            sides.map(length).sum::<f64>() / (3 * triangles.len()).max(1) as f64;
        self.triangles = triangles;
    }

    /// Replaces the edge constraints of the body.
    pub(crate) fn set_edges(&mut self, edges: &[FlexEdge]) -> Result<(), DeformableError> {
        let count = self.position.len();
        let (mut distances, mut angles) = (Vec::new(), Vec::new());
        for (element, edge) in edges.iter().enumerate() {
            let (at, n) = edge.particles();
            for (k, &p) in at[..n].iter().enumerate() {
                let vertex = p as usize;
                if vertex >= count {
                    return Err(DeformableError::Index { what: "edge", element, vertex, count });
                }
                if at[..k].contains(&p) {
                    return Err(DeformableError::RepeatedVertex { what: "edge", element, vertex });
                }
            }
            let stiffness = edge.stiffness();
            // `parameter` requires a finite value, but a stiffness may be infinite
            if stiffness.is_nan() || stiffness <= 0.0 || !stiffness.recip().is_finite() {
                let expected = "above 0";
                let name = "stiffness of an edge";
                return Err(DeformableError::Parameter { name, value: stiffness, expected });
            }
            match *edge {
                FlexEdge::Stretch { ends: [a, b], rest, .. }
                | FlexEdge::Shear { ends: [a, b], rest, .. } => {
                    parameter("length of an edge", rest, rest >= 0.0, "finite, not negative")?;
                    distances.push(Distance::new(a, b, rest, stiffness.recip()));
                }
                FlexEdge::Twist { rest, .. } => {
                    parameter("angle of an edge", rest, true, "finite")?;
                    angles.push(Dihedral::new(at, rest, stiffness.recip()));
                }
            }
        }
        self.constraints.distances = ColoredConstraints::new(distances, count);
        self.constraints.angles = ColoredConstraints::new(angles, count);
        self.prepared = None;
        Ok(())
    }

    /// Number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are no particles; false for every body that was built without an error.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Positions, m.
    #[must_use]
    pub fn positions(&self) -> &[Vector3<f64>] {
        &self.position
    }

    /// Mutable positions; wakes the body. A pinned particle moves to its target in the next step.
    pub fn positions_mut(&mut self) -> &mut [Vector3<f64>] {
        self.wake();
        &mut self.position
    }

    /// Positions in the rest shape, m.
    #[must_use]
    pub fn rest_positions(&self) -> &[Vector3<f64>] {
        &self.rest
    }

    /// Velocities, m/s.
    #[must_use]
    pub fn velocities(&self) -> &[Vector3<f64>] {
        &self.velocity
    }

    /// Mutable velocities; wakes the body.
    pub fn velocities_mut(&mut self) -> &mut [Vector3<f64>] {
        self.wake();
        &mut self.velocity
    }

    /// Masses, kg, including those of pinned particles.
    #[must_use]
    pub fn masses(&self) -> &[f64] {
        &self.mass
    }

    /// Sets the mass of a particle, for example for a payload, kg.
    ///
    /// # Errors
    /// A particle that does not exist, or a mass that is not positive.
    pub fn set_mass(&mut self, particle: usize, mass: f64) -> Result<(), DeformableError> {
        let i = self.check_particle(particle)?;
        let valid = mass > 0.0 && mass.recip().is_finite();
        parameter("mass", mass, valid, "finite and above 0")?;
        self.mass[i] = mass;
        if !self.is_pinned(i) {
            self.set_inverse_mass(i, mass.recip());
        }
        Ok(())
    }

    /// Inverse masses, 1/kg; 0 for pinned particles.
    #[must_use]
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inv_mass
    }

    /// Friction coefficient of the material.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// Surface triangles as particle indices; empty for a chain.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Segments of a chain as particle indices; empty for a surface.
    #[must_use]
    pub fn segments(&self) -> &[[u32; 2]] {
        &self.segments
    }

    /// Distance of the collision surface from the particles, m: the radius of a chain, half the
    /// thickness of a cloth, 0 for a soft body.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Sets the distance of the collision surface from the particles, m.
    ///
    /// # Errors
    /// A radius that is negative or not finite.
    pub fn set_radius(&mut self, radius: f64) -> Result<(), DeformableError> {
        parameter("radius", radius, radius >= 0.0, "finite, not negative")?;
        self.radius = radius;
        Ok(())
    }

    /// Sets the friction coefficient.
    ///
    /// # Errors
    /// A coefficient that is negative or not finite.
    pub fn set_friction(&mut self, friction: f64) -> Result<(), DeformableError> {
        parameter("friction", friction, friction >= 0.0, "finite, not negative")?;
        self.friction = friction;
        Ok(())
    }

    /// Copies positions, velocities, pins, masses, sleep state and contact parameters from a body
    /// with the same number of particles, without allocating. Returns false, without effect, if the
    /// numbers differ.
    pub fn copy_state(&mut self, from: &Self) -> bool {
        if self.len() != from.len() {
            return false;
        }
        self.position.copy_from_slice(&from.position);
        self.velocity.copy_from_slice(&from.velocity);
        self.target.copy_from_slice(&from.target);
        if self.inv_mass != from.inv_mass {
            self.inv_mass.copy_from_slice(&from.inv_mass);
            self.prepared = None;
        }
        self.mass.copy_from_slice(&from.mass);
        self.sleep.clone_from(&from.sleep);
        self.friction = from.friction;
        self.radius = from.radius;
        self.contact_distance = from.contact_distance;
        true
    }

    /// Self-contact distance, m; 0 if self-contact is disabled.
    #[must_use]
    pub fn contact_distance(&self) -> f64 {
        self.contact_distance
    }

    /// Sets the self-contact distance, m; 0 disables self-contact. Contacts are particle–triangle
    /// for cloth and soft bodies, particle–particle for others.
    ///
    /// # Errors
    /// A distance that is negative or not finite.
    pub fn set_contact_distance(&mut self, distance: f64) -> Result<(), DeformableError> {
        parameter("contact distance", distance, distance >= 0.0, "finite, not negative")?;
        self.contact_distance = distance;
        self.wake();
        Ok(())
    }

    fn check_particle(&self, particle: usize) -> Result<usize, DeformableError> {
        let count = self.len();
        if particle < count {
            return Ok(particle);
        }
        Err(DeformableError::NoParticle { particle, count })
    }

    /// Pins a particle at its current position: its inverse mass becomes 0.
    ///
    /// # Errors
    /// A particle that does not exist.
    pub fn pin(&mut self, particle: usize) -> Result<(), DeformableError> {
        let i = self.check_particle(particle)?;
        self.target[i] = self.position[i];
        self.velocity[i] = Vector3::zeros();
        self.set_inverse_mass(i, 0.0);
        Ok(())
    }

    /// Pins a particle and moves it to `target` at constant velocity during the next step.
    ///
    /// # Errors
    /// A particle that does not exist, or a target that is not finite.
    pub fn pin_to(&mut self, particle: usize, target: Vector3<f64>) -> Result<(), DeformableError> {
        let i = self.check_particle(particle)?;
        if !target.iter().all(|v| v.is_finite()) {
            return Err(DeformableError::NotFinite { vertex: particle });
        }
        if self.target[i] != target || !self.is_pinned(i) {
            self.wake();
        }
        self.target[i] = target;
        self.set_inverse_mass(i, 0.0);
        Ok(())
    }

    /// Positions of pinned particles at the end of the next step, m; unused for free particles.
    #[must_use]
    pub fn targets(&self) -> &[Vector3<f64>] {
        &self.target
    }

    /// Sets the position of a pinned particle at the end of the next step, m.
    pub fn set_target(&mut self, particle: usize, target: Vector3<f64>) {
        if let Some(slot) = self.target.get_mut(particle) {
            *slot = target;
        }
    }

    /// Unpins a particle.
    ///
    /// # Errors
    /// A particle that does not exist.
    pub fn unpin(&mut self, particle: usize) -> Result<(), DeformableError> {
        let i = self.check_particle(particle)?;
        self.set_inverse_mass(i, self.mass[i].recip());
        Ok(())
    }

    /// Whether a particle is pinned.
    #[must_use]
    pub fn is_pinned(&self, particle: usize) -> bool {
        self.inv_mass.get(particle) == Some(&0.0)
    }

    fn set_inverse_mass(&mut self, i: usize, inverse: f64) {
        if self.inv_mass[i] != inverse {
            self.inv_mass[i] = inverse;
            self.prepared = None;
            self.wake();
        }
    }

    /// Whether the body is asleep: it is not simulated.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        self.sleep.asleep
    }

    /// Sleep state for [`Body::set_sleep_state`]: asleep flag, time below the sleep speed, s, and
    /// gravity of the last step, m/s².
    #[must_use]
    pub fn sleep_state(&self) -> [f64; 5] {
        let Sleep { asleep, slow_time, gravity } = &self.sleep;
        [f64::from(u8::from(*asleep)), *slow_time, gravity.x, gravity.y, gravity.z]
    }

    /// Restores a sleep state of [`Body::sleep_state`].
    pub fn set_sleep_state(&mut self, [asleep, slow_time, x, y, z]: [f64; 5]) {
        self.sleep = Sleep { asleep: asleep != 0.0, slow_time, gravity: Vector3::new(x, y, z) };
    }

    /// Simulates a sleeping body in the next step without resetting its sleep timer: it falls
    /// asleep again after the step if it stays slow.
    pub fn activate(&mut self) {
        self.sleep.asleep = false;
    }

    /// Wakes the body and resets its sleep timer.
    pub fn wake(&mut self) {
        self.sleep.asleep = false;
        self.sleep.slow_time = 0.0;
    }

    /// Prepares the constraints for substeps of length `h`, s.
    pub(crate) fn prepare(&mut self, h: f64) -> Substep {
        let sub = Substep { inv_h2: (h * h).recip(), gamma: self.damping / h };
        if self.prepared != Some(sub) {
            self.constraints.prepare(&self.inv_mass, sub);
            self.prepared = Some(sub);
        }
        sub
    }

    /// Kinetic energy of the free particles, J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let each = (0..self.len()).filter(|&i| self.inv_mass[i] > 0.0);
        each.map(|i| 0.5 * self.mass[i] * self.velocity[i].norm_squared()).sum()
    }

    /// Elastic energy of the compliant constraints, J.
    #[must_use]
    pub fn elastic_energy(&self) -> f64 {
        self.constraints.energy(&self.position)
    }

    /// Potential energy under gravity, `−Σ m g·x`, J.
    #[must_use]
    pub fn potential_energy(&self, gravity: Vector3<f64>) -> f64 {
        -(0..self.len()).map(|i| self.mass[i] * gravity.dot(&self.position[i])).sum::<f64>()
    }

    /// Linear momentum, kg·m/s.
    #[must_use]
    pub fn momentum(&self) -> Vector3<f64> {
        (0..self.len()).map(|i| self.mass[i] * self.velocity[i]).sum()
    }

    /// Angular momentum about the origin, kg·m²/s.
    #[must_use]
    pub fn angular_momentum(&self) -> Vector3<f64> {
        (0..self.len()).map(|i| self.mass[i] * self.position[i].cross(&self.velocity[i])).sum()
    }

    /// Centre of mass, m.
    #[must_use]
    pub fn center_of_mass(&self) -> Vector3<f64> {
        let total: f64 = self.mass.iter().sum();
        (0..self.len()).map(|i| self.mass[i] * self.position[i]).sum::<Vector3<f64>>() / total
    }
}

impl DeformableBody for Body {
    fn body(&self) -> &Body {
        self
    }

    fn body_mut(&mut self) -> &mut Body {
        self
    }
}
