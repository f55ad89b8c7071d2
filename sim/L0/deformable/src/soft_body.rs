//! Soft bodies: tetrahedral meshes with springs and volume constraints, or neo-Hookean elements.

use crate::body::{Body, DeformableBody};
use crate::constraint::ColoredConstraints;
use crate::constraint::neo_hookean::NeoHookean;
use crate::constraint::volume::{Volume, signed_volume};
use crate::error::DeformableError;
use crate::flex_edge::FlexEdge;
use crate::material::Material;
use crate::mesh::{TetMesh, edges_of_tetrahedra};

/// Elastic model of the tetrahedra.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum SolidModel {
    /// Springs along edges and a volume constraint per tetrahedron. Cheap; isotropic only on
    /// average over directions, with a Poisson's ratio of at least ¼.
    #[default]
    Springs,
    /// Stable neo-Hookean finite elements, which recover from any inversion.
    NeoHookean,
}

/// Material and elastic model of a soft body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SoftBodyConfig {
    /// The material.
    pub material: Material,
    /// Elastic model.
    pub model: SolidModel,
}

macro_rules! presets {
    ($($(#[$doc:meta])* $name:ident: $material:expr;)*) => {
        impl SoftBodyConfig {
            $($(#[$doc])* #[must_use]
            pub const fn $name() -> Self {
                Self { material: $material, model: SolidModel::Springs }
            })*

            /// All presets by name.
            pub const PRESETS: &[(&'static str, Self)] = &[$((stringify!($name), Self::$name())),*];
        }
    };
}

presets! {
    /// A rubber block.
    rubber: Material::rubber();
    /// Gelatin.
    gelatin: Material::gelatin();
    /// Fat and skin.
    soft_tissue: Material::soft_tissue();
    /// Muscle at rest.
    muscle: Material::muscle();
    /// Upholstery foam.
    foam: Material::foam();
    /// Hard plastic, nearly rigid.
    stiff: Material { youngs_modulus: 2e9, poissons_ratio: 0.35, ..Material::flexible_plastic() };
}

/// A tetrahedral solid, stepped by [`XpbdSolver`](crate::XpbdSolver).
#[derive(Debug, Clone)]
pub struct SoftBody {
    body: Body,
    mesh: TetMesh,
    edges: Vec<FlexEdge>,
    config: SoftBodyConfig,
}

impl SoftBody {
    /// A soft body with the rest shape of `mesh`.
    ///
    /// # Errors
    /// An invalid mesh or material.
    pub fn new(mesh: &TetMesh, config: &SoftBodyConfig) -> Result<Self, DeformableError> {
        let SoftBodyConfig { material, model } = *config;
        material.check()?;
        mesh.check()?;
        let volumes: Vec<f64> = mesh
            .tetrahedra
            .iter()
            .map(|t| signed_volume(t.map(|i| mesh.vertices[i as usize])))
            .collect();
        let mut masses = vec![0.0; mesh.vertices.len()];
        for (t, volume) in mesh.tetrahedra.iter().zip(&volumes) {
            for &i in t {
                masses[i as usize] += material.density * volume / 4.0;
            }
        }
        let mut body = Body::of_particles(mesh.vertices.clone(), masses)?;
        body.damping = material.damping;
        body.friction = material.friction;
        let (surface, indices) = mesh.surface()?;
        body.set_surface(
            surface.triangles.iter().map(|t| t.map(|i| indices[i as usize])).collect(),
        );

        body.closed = true;

        let n = mesh.vertices.len();
        let mut edges = Vec::new();
        match model {
            SolidModel::Springs => {
                edges = springs(mesh, &volumes, &material);
                body.set_edges(&edges)?;
                let keep = volume_constraints(mesh, &volumes, &material);
                body.constraints.volumes = ColoredConstraints::new(keep, n);
            }
            SolidModel::NeoHookean => {
                body.constraints.solids = ColoredConstraints::new(solids(mesh, &material)?, n);
            }
        }
        Ok(Self { body, mesh: mesh.clone(), edges, config: *config })
    }

    /// The mesh of the rest shape.
    #[must_use]
    pub fn mesh(&self) -> &TetMesh {
        &self.mesh
    }

    /// Stretch edges; empty for neo-Hookean elements.
    #[must_use]
    pub fn edges(&self) -> &[FlexEdge] {
        &self.edges
    }

    /// Material and elastic model.
    #[must_use]
    pub fn config(&self) -> &SoftBodyConfig {
        &self.config
    }

    /// Current volume, m³; inverted tetrahedra count negative.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let x = self.body.positions();
        self.mesh.tetrahedra.iter().map(|t| signed_volume(t.map(|i| x[i as usize]))).sum()
    }

    /// Number of tetrahedra that are currently inverted.
    #[must_use]
    pub fn inverted(&self) -> usize {
        let x = self.body.positions();
        let volume = |t: &[u32; 4]| signed_volume(t.map(|i| x[i as usize]));
        self.mesh.tetrahedra.iter().filter(|t| volume(t) < 0.0).count()
    }
}

impl DeformableBody for SoftBody {
    fn body(&self) -> &Body {
        &self.body
    }

    fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }
}

/// Springs along edges: a tetrahedron of volume V gives an edge of length L the stiffness c·E·V/L²
/// (Van Gelder 1998). The average of (nᵀεn)² over all directions n is (2 ε:ε + (tr ε)²)/15, so that
/// the six edges of a tetrahedron have the energy V·cE(0.4 ε:ε + 0.2 (tr ε)²): a material with μ =
/// λ = 0.4·cE. c is chosen for the shear modulus; volume constraints add λ − μ.
fn springs(mesh: &TetMesh, volumes: &[f64], material: &Material) -> Vec<FlexEdge> {
    let scale = material.shear_modulus() / 0.4;
    let spring = |(ends, around): ([u32; 2], Vec<u32>)| {
        let rest = (mesh.vertices[ends[1] as usize] - mesh.vertices[ends[0] as usize]).norm();
        let volume: f64 = around.iter().map(|&t| volumes[t as usize]).sum();
        FlexEdge::Stretch { ends, rest, stiffness: scale * volume / (rest * rest) }
    };
    edges_of_tetrahedra(mesh).into_iter().map(spring).collect()
}

/// Energy ½ κ V₀ (V/V₀ − 1)², so that α = V₀/κ, with κ = λ − μ: the part that the springs do not
/// resist. κ is at least 0.1 μ, because only volume constraints restore inverted tetrahedra.
fn volume_constraints(mesh: &TetMesh, volumes: &[f64], material: &Material) -> Vec<Volume> {
    let mu = material.shear_modulus();
    let kappa = (material.lame_lambda() - mu).max(0.1 * mu);
    let each = mesh.tetrahedra.iter().zip(volumes);
    each.map(|(&t, &volume)| Volume::new(t, volume, volume / kappa)).collect()
}

fn solids(mesh: &TetMesh, material: &Material) -> Result<Vec<NeoHookean>, DeformableError> {
    let mu = material.shear_modulus();
    // for small strains the first Lamé parameter of this energy is λ − μ
    let lambda = material.lame_lambda() + mu;
    let solid = |(tetrahedron, &t): (usize, &[u32; 4])| {
        let x = t.map(|i| mesh.vertices[i as usize]);
        NeoHookean::new(t, x, mu, lambda).ok_or(DeformableError::ZeroVolume { tetrahedron })
    };
    mesh.tetrahedra.iter().enumerate().map(solid).collect()
}
