//! Particles and what holds them together.

use crate::constraint::angle::Angle;
use crate::constraint::distance::Distance;
use crate::constraint::{Batches, Constraints, Substep};
use crate::error::{DeformableError, length, parameter};
use crate::flex_edge::FlexEdge;
use nalgebra::Vector3;

/// Something that [`XpbdSolver`](crate::XpbdSolver) can step.
pub trait DeformableBody {
    /// Its particles and constraints.
    fn body(&self) -> &Body;
    /// Its particles and constraints, to change.
    fn body_mut(&mut self) -> &mut Body;
}

/// Particles with masses, and constraints between them.
///
/// [`Cloth`](crate::Cloth), [`SoftBody`](crate::SoftBody) and
/// [`CapsuleChain`](crate::CapsuleChain) make one from a shape and a material; [`Body::new`] makes
/// one of anything else, edge by edge.
#[derive(Debug, Clone)]
pub struct Body {
    pub(crate) position: Vec<Vector3<f64>>,
    pub(crate) velocity: Vec<Vector3<f64>>,
    pub(crate) rest: Vec<Vector3<f64>>,
    pub(crate) mass: Vec<f64>,
    /// 0 for what is pinned.
    pub(crate) inv_mass: Vec<f64>,
    /// Where a pinned particle is to be at the end of the next step.
    pub(crate) target: Vec<Vector3<f64>>,
    pub(crate) constraints: Constraints,
    /// What the constraints were last prepared for.
    prepared: Option<Substep>,
    /// Relaxation time of the material.
    pub(crate) damping: f64,
    pub(crate) friction: f64,
    /// Distance at which the body touches itself; 0 if it does not.
    pub(crate) contact_distance: f64,
    /// Its surface, where it has one.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Whether the surface is the outside of a solid, and its normals point out.
    pub(crate) closed: bool,
    /// Mean length of the triangles' sides.
    pub(crate) spacing: f64,
    /// Its segments, where it is a chain.
    pub(crate) segments: Vec<[u32; 2]>,
    /// How far its surface is from its particles.
    pub(crate) radius: f64,
    pub(crate) sleep: Sleep,
}

/// How a body comes to rest.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sleep {
    pub(crate) asleep: bool,
    /// How long the body has been slow.
    pub(crate) calm: f64,
    /// Gravity of the last step: another one wakes.
    pub(crate) gravity: Vector3<f64>,
}

/// Most particles of a body: indices have 32 bits.
const MOST_PARTICLES: usize = u32::MAX as usize;

impl Body {
    /// A body of free particles, held together by `edges`.
    ///
    /// # Errors
    /// Numbers that are not finite, masses that are not positive, edges between particles that are
    /// not there.
    pub fn new(
        positions: &[Vector3<f64>],
        masses: &[f64],
        edges: &[FlexEdge],
    ) -> Result<Self, DeformableError> {
        let mut body = Self::of_particles(positions.to_vec(), masses.to_vec())?;
        body.set_edges(edges)?;
        Ok(body)
    }

    /// Particles that nothing holds together yet.
    pub(crate) fn of_particles(
        position: Vec<Vector3<f64>>,
        mass: Vec<f64>,
    ) -> Result<Self, DeformableError> {
        let n = position.len();
        if n == 0 {
            return Err(DeformableError::Empty { what: "vertices" });
        }
        if n > MOST_PARTICLES {
            let most = MOST_PARTICLES;
            return Err(DeformableError::TooMany { what: "particles", count: n, most });
        }
        length("masses", mass.len(), n)?;
        if let Some(vertex) = position.iter().position(|x| !x.iter().all(|v| v.is_finite())) {
            return Err(DeformableError::NotFinite { vertex });
        }
        for &m in &mass {
            let good = m > 0.0 && m.recip().is_finite();
            parameter("mass", m, good, "finite and above 0")?;
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
            spacing: 0.0,
            segments: Vec::new(),
            radius: 0.0,
            sleep: Sleep::default(),
        })
    }

    /// Gives the body a surface to touch itself with.
    pub(crate) fn set_surface(&mut self, triangles: Vec<[u32; 3]>) {
        let sides = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let length = |[a, b]: [u32; 2]| (self.rest[a as usize] - self.rest[b as usize]).norm();
        self.spacing = sides.map(length).sum::<f64>() / (3 * triangles.len()).max(1) as f64;
        self.triangles = triangles;
    }

    /// Makes `edges` the edges of the body.
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
            // a stiffness may be infinite, so `parameter` does not fit
            if stiffness.is_nan() || stiffness <= 0.0 || !stiffness.recip().is_finite() {
                let wanted = "above 0";
                let name = "stiffness of an edge";
                return Err(DeformableError::Parameter { name, value: stiffness, wanted });
            }
            match *edge {
                FlexEdge::Stretch { ends: [a, b], rest, .. }
                | FlexEdge::Shear { ends: [a, b], rest, .. } => {
                    parameter("length of an edge", rest, rest >= 0.0, "finite, not negative")?;
                    distances.push(Distance::new(a, b, rest, stiffness.recip()));
                }
                FlexEdge::Twist { rest, .. } => {
                    parameter("angle of an edge", rest, true, "finite")?;
                    angles.push(Angle::new(at, rest, stiffness.recip()));
                }
            }
        }
        self.constraints.distances = Batches::new(distances, count);
        self.constraints.angles = Batches::new(angles, count);
        self.prepared = None;
        Ok(())
    }

    /// Number of particles.
    #[must_use]
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are no particles; never true of a body that could be made.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Positions, in m.
    #[must_use]
    pub fn positions(&self) -> &[Vector3<f64>] {
        &self.position
    }

    /// Positions, to change; wakes the body. A pinned particle goes back to its target.
    pub fn positions_mut(&mut self) -> &mut [Vector3<f64>] {
        self.wake();
        &mut self.position
    }

    /// Positions when the body was made.
    #[must_use]
    pub fn rest_positions(&self) -> &[Vector3<f64>] {
        &self.rest
    }

    /// Velocities, in m/s.
    #[must_use]
    pub fn velocities(&self) -> &[Vector3<f64>] {
        &self.velocity
    }

    /// Velocities, to change; wakes the body.
    pub fn velocities_mut(&mut self) -> &mut [Vector3<f64>] {
        self.wake();
        &mut self.velocity
    }

    /// Masses in kg, of pinned particles too.
    #[must_use]
    pub fn masses(&self) -> &[f64] {
        &self.mass
    }

    /// Gives a particle another mass, for a load that hangs from it.
    ///
    /// # Errors
    /// A particle that is not there, or a mass that is not positive.
    pub fn set_mass(&mut self, particle: usize, mass: f64) -> Result<(), DeformableError> {
        let i = self.known(particle)?;
        let good = mass > 0.0 && mass.recip().is_finite();
        parameter("mass", mass, good, "finite and above 0")?;
        self.mass[i] = mass;
        if !self.is_pinned(i) {
            self.set_inverse_mass(i, mass.recip());
        }
        Ok(())
    }

    /// Inverse masses: what contacts need. 0 for pinned particles.
    #[must_use]
    pub fn inverse_masses(&self) -> &[f64] {
        &self.inv_mass
    }

    /// Coefficient of friction of the material.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// Triangles of the surface, by their particles; none of a chain.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Segments of a chain, by their particles; none of what has a surface.
    #[must_use]
    pub fn segments(&self) -> &[[u32; 2]] {
        &self.segments
    }

    /// How far the surface is from the particles, in m: the radius of a chain, half the thickness of
    /// a cloth, 0 for a soft body.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Sets how far the surface is from the particles, for contacts with others.
    ///
    /// # Errors
    /// A radius that is negative or not finite.
    pub fn set_radius(&mut self, radius: f64) -> Result<(), DeformableError> {
        parameter("radius", radius, radius >= 0.0, "finite, not negative")?;
        self.radius = radius;
        Ok(())
    }

    /// Sets the coefficient of friction.
    ///
    /// # Errors
    /// A coefficient that is negative or not finite.
    pub fn set_friction(&mut self, friction: f64) -> Result<(), DeformableError> {
        parameter("friction", friction, friction >= 0.0, "finite, not negative")?;
        self.friction = friction;
        Ok(())
    }

    /// Takes over where another body of the same make is, how it moves, whether it sleeps, what it weighs
    /// and how it touches, without allocating. False, and nothing done, if it has another number of particles.
    pub fn copy_motion(&mut self, from: &Self) -> bool {
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

    /// Distance at which the body touches itself; 0 if it passes through itself.
    #[must_use]
    pub fn contact_distance(&self) -> f64 {
        self.contact_distance
    }

    /// Makes the body touch itself at this distance, or not at all with 0. Cloth and soft bodies
    /// touch by particles and triangles, others by particles alone.
    ///
    /// # Errors
    /// A distance that is negative or not finite.
    pub fn set_contact_distance(&mut self, distance: f64) -> Result<(), DeformableError> {
        parameter("contact distance", distance, distance >= 0.0, "finite, not negative")?;
        self.contact_distance = distance;
        self.wake();
        Ok(())
    }

    fn known(&self, particle: usize) -> Result<usize, DeformableError> {
        let count = self.len();
        if particle < count {
            return Ok(particle);
        }
        Err(DeformableError::NoParticle { particle, count })
    }

    /// Holds a particle where it is, as if its mass were infinite.
    ///
    /// # Errors
    /// A particle that is not there.
    pub fn pin(&mut self, particle: usize) -> Result<(), DeformableError> {
        let i = self.known(particle)?;
        self.target[i] = self.position[i];
        self.velocity[i] = Vector3::zeros();
        self.set_inverse_mass(i, 0.0);
        Ok(())
    }

    /// Holds a particle, and moves it to `target` in the course of the next step.
    ///
    /// # Errors
    /// A particle that is not there, or a target that is not finite.
    pub fn pin_to(&mut self, particle: usize, target: Vector3<f64>) -> Result<(), DeformableError> {
        let i = self.known(particle)?;
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

    /// Where pinned particles are to be at the end of the next step; of free ones it means nothing.
    #[must_use]
    pub fn targets(&self) -> &[Vector3<f64>] {
        &self.target
    }

    /// Sets where a particle is to be at the end of the next step, if it is pinned.
    pub fn set_target(&mut self, particle: usize, target: Vector3<f64>) {
        if let Some(slot) = self.target.get_mut(particle) {
            *slot = target;
        }
    }

    /// Lets a particle go.
    ///
    /// # Errors
    /// A particle that is not there.
    pub fn unpin(&mut self, particle: usize) -> Result<(), DeformableError> {
        let i = self.known(particle)?;
        self.set_inverse_mass(i, self.mass[i].recip());
        Ok(())
    }

    /// Whether a particle is held.
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

    /// Whether the body is at rest and not simulated.
    #[must_use]
    pub fn is_asleep(&self) -> bool {
        self.sleep.asleep
    }

    /// Numbers of its rest, for [`Body::set_sleep_state`]: whether it sleeps, how long it has been slow,
    /// and the gravity of its last step.
    #[must_use]
    pub fn sleep_state(&self) -> [f64; 5] {
        let Sleep { asleep, calm, gravity } = &self.sleep;
        [f64::from(u8::from(*asleep)), *calm, gravity.x, gravity.y, gravity.z]
    }

    /// Restores what [`Body::sleep_state`] gave.
    pub fn set_sleep_state(&mut self, [asleep, calm, x, y, z]: [f64; 5]) {
        self.sleep = Sleep { asleep: asleep != 0.0, calm, gravity: Vector3::new(x, y, z) };
    }

    /// Makes a sleeping body take part in the next step. It sleeps on after that if it was slow.
    pub fn rouse(&mut self) {
        self.sleep.asleep = false;
    }

    /// Makes a sleeping body move again.
    pub fn wake(&mut self) {
        self.sleep.asleep = false;
        self.sleep.calm = 0.0;
    }

    /// Makes the constraints ready for substeps of length `h`.
    pub(crate) fn prepare(&mut self, h: f64) -> Substep {
        let sub = Substep { inv_h2: (h * h).recip(), gamma: self.damping / h };
        if self.prepared != Some(sub) {
            self.constraints.prepare(&self.inv_mass, sub);
            self.prepared = Some(sub);
        }
        sub
    }

    /// Kinetic energy of the free particles, in J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        let each = (0..self.len()).filter(|&i| self.inv_mass[i] > 0.0);
        each.map(|i| 0.5 * self.mass[i] * self.velocity[i].norm_squared()).sum()
    }

    /// Elastic energy of the constraints that are not rigid, in J.
    #[must_use]
    pub fn elastic_energy(&self) -> f64 {
        self.constraints.energy(&self.position)
    }

    /// Energy in a field of gravity, `−Σ m g·x`, in J.
    #[must_use]
    pub fn potential_energy(&self, gravity: Vector3<f64>) -> f64 {
        -(0..self.len()).map(|i| self.mass[i] * gravity.dot(&self.position[i])).sum::<f64>()
    }

    /// Momentum, in kg·m/s.
    #[must_use]
    pub fn momentum(&self) -> Vector3<f64> {
        (0..self.len()).map(|i| self.mass[i] * self.velocity[i]).sum()
    }

    /// Angular momentum about the origin.
    #[must_use]
    pub fn angular_momentum(&self) -> Vector3<f64> {
        (0..self.len()).map(|i| self.mass[i] * self.position[i].cross(&self.velocity[i])).sum()
    }

    /// Centre of mass.
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
