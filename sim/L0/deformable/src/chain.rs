//! Ropes, cables and hair: a chain of particles connected by capsules.

use crate::body::{Body, DeformableBody};
use crate::constraint::ColoredConstraints;
use crate::constraint::curvature::Curvature;
use crate::constraint::dihedral::angle_between;
use crate::error::{DeformableError, parameter};
use crate::flex_edge::FlexEdge;
use crate::material::Material;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// Material and cross section of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainConfig {
    /// The material.
    pub material: Material,
    /// Radius, m: determines mass, stiffness and collision shape.
    pub radius: f64,
    /// Bending stiffness relative to that of a solid rod; less than 1 for strands, 0 for none.
    pub bending: f64,
    /// Torsional stiffness relative to that of a solid rod; 0 for none.
    pub twist: f64,
}

macro_rules! presets {
    ($($(#[$doc:meta])* $name:ident: $material:expr, $radius:expr, $bending:expr, $twist:expr;)*) => {
        impl ChainConfig {
            $($(#[$doc])* #[must_use]
            pub const fn $name() -> Self {
                Self { material: $material, radius: $radius, bending: $bending, twist: $twist }
            })*

            /// All presets by name.
            pub const PRESETS: &[(&'static str, Self)] = &[$((stringify!($name), Self::$name())),*];
        }
    };
}

presets! {
    /// A climbing rope: strands slide on each other in bending.
    rope: Material::rope(), 5e-3, 1e-3, 1e-3;
    /// A crane's cable.
    steel_cable: Material::steel_cable(), 5e-3, 1e-2, 1e-2;
    /// A headphone cord.
    soft_cable: Material { youngs_modulus: 5e7, density: 1500.0, ..Material::flexible_plastic() },
        2e-3, 0.3, 0.3;
    /// A single hair.
    hair: Material { youngs_modulus: 4e9, density: 1300.0, ..Material::tendon() }, 4e-5, 1.0, 1.0;
    /// A steel chain: stiff in tension, without bending stiffness.
    chain: Material { youngs_modulus: 2e10, ..Material::steel_cable() }, 5e-3, 0.0, 0.0;
}

/// A chain of particles, stepped by [`XpbdSolver`](crate::XpbdSolver).
///
/// Segments resist stretching, consecutive segments resist bending. Particles have no orientation,
/// so a straight chain has no torsional stiffness; a chain that is curved at rest resists a change
/// of torsion, the angle between the planes of consecutive segments.
#[derive(Debug, Clone)]
pub struct CapsuleChain {
    body: Body,
    edges: Vec<FlexEdge>,
    config: ChainConfig,
}

/// Curvature times length below which a chain is straight at rest.
const STRAIGHT: f64 = 1e-6;

impl CapsuleChain {
    /// A chain with this rest shape.
    ///
    /// # Errors
    /// Fewer than two points, coincident neighbours, or a configuration out of range.
    pub fn new(points: &[Vector3<f64>], config: &ChainConfig) -> Result<Self, DeformableError> {
        let ChainConfig { material, radius, bending, twist } = *config;
        material.check()?;
        parameter("radius", radius, radius > 0.0, "finite and above 0")?;
        parameter("bending", bending, bending >= 0.0, "finite, not negative")?;
        parameter("twist", twist, twist >= 0.0, "finite, not negative")?;
        if points.len() < 2 {
            return Err(DeformableError::Empty { what: "segments: two points are needed" });
        }
        if let Some(vertex) = points.iter().position(|x| !x.iter().all(|v| v.is_finite())) {
            return Err(DeformableError::NotFinite { vertex });
        }
        if let Some(first) = points.windows(2).position(|w| w[0] == w[1]) {
            return Err(DeformableError::DuplicateVertices { first, second: first + 1 });
        }

        let lengths: Vec<f64> = points.windows(2).map(|w| (w[1] - w[0]).norm()).collect();
        let area = PI * radius * radius;
        let mut masses = vec![0.0; points.len()];
        for (k, length) in lengths.iter().enumerate() {
            masses[k] += 0.5 * material.density * area * length;
            masses[k + 1] += 0.5 * material.density * area * length;
        }
        let mut body = Body::of_particles(points.to_vec(), masses)?;
        body.damping = material.damping;
        body.friction = material.friction;
        body.radius = radius;
        body.segments = (1..points.len() as u32).map(|k| [k - 1, k]).collect();

        let mut edges = stretches(&lengths, material.youngs_modulus * area);
        // second moments of area of a disc: πr⁴/4 for bending, πr⁴/2 for torsion
        let moment = PI * radius.powi(4) / 4.0;
        if twist > 0.0 {
            let torsion = twist * material.shear_modulus() * 2.0 * moment;
            twists(points, &lengths, torsion, &mut edges);
        }
        body.set_edges(&edges)?;
        if bending > 0.0 {
            let rigidity = bending * material.youngs_modulus * moment;
            let bends = bends(points, &lengths, rigidity);
            body.constraints.bends = ColoredConstraints::new(bends, points.len());
        }
        Ok(Self { body, edges, config: *config })
    }

    /// A straight chain.
    ///
    /// # Errors
    /// As [`CapsuleChain::new`]; no segments, or too many.
    pub fn straight(
        from: Vector3<f64>,
        to: Vector3<f64>,
        segments: usize,
        config: &ChainConfig,
    ) -> Result<Self, DeformableError> {
        let max = crate::mesh::MAX_ELEMENTS;
        if segments > max {
            return Err(DeformableError::TooMany { what: "segments", count: segments, max });
        }
        let at = |k: usize| from + (to - from) * (k as f64 / segments.max(1) as f64);
        let points: Vec<_> = (0..=segments).map(at).collect();
        Self::new(&points, config)
    }

    /// Stretch and twist edges.
    #[must_use]
    pub fn edges(&self) -> &[FlexEdge] {
        &self.edges
    }

    /// Material and cross section.
    #[must_use]
    pub fn config(&self) -> &ChainConfig {
        &self.config
    }

    /// Radius of the capsules, m.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.config.radius
    }

    /// Current length, m.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.body.positions().windows(2).map(|w| (w[1] - w[0]).norm()).sum()
    }
}

impl DeformableBody for CapsuleChain {
    fn body(&self) -> &Body {
        &self.body
    }

    fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }
}

/// A segment of length L is a spring of stiffness E·A/L (Hooke), so that a load F stretches a chain
/// of length L by F·L/(E·A).
fn stretches(lengths: &[f64], stiffness: f64) -> Vec<FlexEdge> {
    let stretch = |(k, &rest): (usize, &f64)| {
        let ends = [k as u32, k as u32 + 1];
        FlexEdge::Stretch { ends, rest, stiffness: stiffness / rest }
    };
    lengths.iter().enumerate().map(stretch).collect()
}

/// The curvature at a particle between segments of lengths l and m is the second difference `2/(l +
/// m)·((x₂ − x₁)/m − (x₁ − x₀)/l)`, with the energy ½ EI κ² (l + m)/2 (Euler–Bernoulli).
fn bends(points: &[Vector3<f64>], lengths: &[f64], rigidity: f64) -> Vec<Curvature<3>> {
    let bend = |k: usize| {
        let (l, m) = (lengths[k - 1], lengths[k]);
        let mean = 0.5 * (l + m);
        let c = [1.0 / (l * mean), -(1.0 / l + 1.0 / m) / mean, 1.0 / (m * mean)];
        let kappa = (c[0] * points[k - 1] + c[1] * points[k] + c[2] * points[k + 1]).norm();
        let rest = if kappa * mean > STRAIGHT { kappa } else { 0.0 };
        let at = [k - 1, k, k + 1].map(|i| i as u32);
        Curvature::new(at, c, rest, (rigidity * mean).recip())
    };
    (1..lengths.len()).map(bend).collect()
}

/// Torsion over the middle of three segments: stiffness G·J/L for the angle between the planes
/// around it.
fn twists(points: &[Vector3<f64>], lengths: &[f64], torsion: f64, edges: &mut Vec<FlexEdge>) {
    for k in 1..lengths.len().saturating_sub(1) {
        let at = [k, k + 1, k - 1, k + 2];
        let x = at.map(|i| points[i]);
        let bent =
            |a: Vector3<f64>, b: Vector3<f64>| a.cross(&b).norm() > 1e-3 * a.norm() * b.norm();
        if bent(x[0] - x[2], x[1] - x[0]) && bent(x[1] - x[0], x[3] - x[1]) {
            let [a, b, c, d] = at.map(|i| i as u32);
            edges.push(FlexEdge::Twist {
                ends: [a, b],
                sides: [c, d],
                rest: angle_between(x),
                stiffness: torsion / lengths[k],
            });
        }
    }
}
