//! Cloth: a triangle mesh with stretch, shear and bending stiffness.

use crate::body::{Body, DeformableBody};
use crate::constraint::ColoredConstraints;
use crate::constraint::curvature::Curvature;
use crate::constraint::dihedral::angle_between;
use crate::error::{DeformableError, parameter};
use crate::flex_edge::FlexEdge;
use crate::material::Material;
use crate::mesh::{Edge, SurfaceMesh, edges_of_triangles};
use nalgebra::Vector3;

/// Material and thickness of a cloth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClothConfig {
    /// The material.
    pub material: Material,
    /// Thickness, m: determines mass, stiffness and collision shape.
    pub thickness: f64,
    /// Shear stiffness relative to that of a solid sheet, above 0; less than 1 for woven cloth.
    pub shear: f64,
    /// Bending stiffness relative to that of a solid sheet; 0 for none.
    pub bending: f64,
}

macro_rules! presets {
    ($($(#[$doc:meta])* $name:ident: $material:expr, $thickness:expr, $shear:expr, $bending:expr;)*) => {
        impl ClothConfig {
            $($(#[$doc])* #[must_use]
            pub const fn $name() -> Self {
                Self { material: $material, thickness: $thickness, shear: $shear, bending: $bending }
            })*

            /// All presets by name.
            pub const PRESETS: &[(&'static str, Self)] = &[$((stringify!($name), Self::$name())),*];
        }
    };
}

presets! {
    /// A cotton shirt.
    cotton: Material::cloth(), 4e-4, 0.1, 1.0;
    /// A silk scarf: thin, with low shear stiffness.
    silk: Material { youngs_modulus: 2e7, density: 500.0, friction: 0.25, ..Material::cloth() },
        1e-4, 0.05, 0.5;
    /// Garment leather.
    leather: Material::leather(), 1e-3, 1.0, 1.0;
    /// A rubber sheet.
    rubber: Material::rubber(), 1e-3, 1.0, 1.0;
    /// Writing paper.
    paper: Material::paper(), 1e-4, 1.0, 1.0;
    /// A membrane without bending stiffness.
    membrane: Material::rubber(), 2e-4, 1.0, 0.0;
}

/// A triangulated surface, stepped by [`XpbdSolver`](crate::XpbdSolver).
///
/// Every edge resists stretching; diagonals of right-angled triangles resist shear. Every edge
/// between two triangles resists bending: with a quadratic energy if it is flat at rest, otherwise
/// by the dihedral angle.
#[derive(Debug, Clone)]
pub struct Cloth {
    body: Body,
    mesh: SurfaceMesh,
    edges: Vec<FlexEdge>,
    config: ClothConfig,
}

/// Rest angle below which an edge is flat, rad.
const FLAT: f64 = 1e-6;

impl Cloth {
    /// A cloth with the rest shape of `mesh`.
    ///
    /// # Errors
    /// An invalid mesh or a configuration out of range.
    pub fn new(mesh: &SurfaceMesh, config: &ClothConfig) -> Result<Self, DeformableError> {
        let ClothConfig { material, thickness, shear, bending } = *config;
        material.check()?;
        parameter("thickness", thickness, thickness > 0.0, "finite and above 0")?;
        parameter("shear", shear, shear > 0.0, "finite and above 0")?;
        parameter("bending", bending, bending >= 0.0, "finite, not negative")?;
        mesh.check()?;

        let areas: Vec<f64> = (0..mesh.triangles.len()).map(|t| mesh.area(t)).collect();
        let mut masses = vec![0.0; mesh.vertices.len()];
        for (triangle, area) in mesh.triangles.iter().zip(&areas) {
            for &i in triangle {
                masses[i as usize] += material.density * thickness * area / 3.0;
            }
        }
        let mut body = Body::of_particles(mesh.vertices.clone(), masses)?;
        body.damping = material.damping;
        body.friction = material.friction;
        body.radius = 0.5 * thickness;
        body.set_surface(mesh.triangles.clone());

        let topology = edges_of_triangles(mesh);
        let mut edges = lengths(mesh, &topology, &areas, config);
        let rigidity = bending * material.flexural_rigidity(thickness);
        let hinges = if rigidity > 0.0 {
            hinges(mesh, &topology, &areas, rigidity, &mut edges)
        } else {
            Vec::new()
        };
        body.set_edges(&edges)?;
        body.constraints.hinges = ColoredConstraints::new(hinges, mesh.vertices.len());
        Ok(Self { body, mesh: mesh.clone(), edges, config: *config })
    }

    /// The mesh of the rest shape.
    #[must_use]
    pub fn mesh(&self) -> &SurfaceMesh {
        &self.mesh
    }

    /// Stretch, shear and twist edges. Bending of edges that are flat at rest is not included.
    #[must_use]
    pub fn edges(&self) -> &[FlexEdge] {
        &self.edges
    }

    /// Material and thickness.
    #[must_use]
    pub fn config(&self) -> &ClothConfig {
        &self.config
    }
}

impl DeformableBody for Cloth {
    fn body(&self) -> &Body {
        &self.body
    }

    fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }
}

/// Whether the edge is the hypotenuse of a right-angled triangle with `opposite`.
fn is_diagonal(mesh: &SurfaceMesh, ends: [u32; 2], opposite: u32) -> bool {
    let [a, b, c] = [ends[0], ends[1], opposite].map(|i| mesh.vertices[i as usize]);
    let (u, v) = (a - c, b - c);
    u.dot(&v).abs() < 0.1 * u.norm() * v.norm()
}

/// Springs along all edges.
///
/// A triangle of area A gives an edge of length L the stiffness s·A/L² (Van Gelder 1998,
/// "Approximate simulation of elastic membranes by triangulated spring meshes"). With s = E·t an
/// equilateral mesh has exactly the tensile stiffness of a sheet of Young's modulus E and thickness
/// t. For squares with alternating diagonals the energy per area of legs (s₁) and diagonals (s₂) at
/// strains ε and γ is ½ s₁(εx² + εy²) + ⅛ s₂((εx + εy)² + γ²), so that the sheet has C₁₁ = s₁ +
/// s₂/4 and C₁₂ = G = s₂/4; the condition C₁₁ − C₁₂²/C₁₁ = E determines both.
fn lengths(
    mesh: &SurfaceMesh,
    topology: &[Edge],
    areas: &[f64],
    config: &ClothConfig,
) -> Vec<FlexEdge> {
    let e = config.material.youngs_modulus * config.thickness;
    let g = config.shear * config.material.shear_modulus() * config.thickness;
    let legs = 0.5 * (e + (e * e + 4.0 * g * g).sqrt()) - g;
    // triangles with a diagonal
    let mut right = vec![false; areas.len()];
    let diagonals: Vec<bool> = topology
        .iter()
        .map(|edge| {
            let mut sides = edge.sides.iter().flatten();
            let diagonal = sides.all(|&(_, opposite)| is_diagonal(mesh, edge.ends, opposite));
            if diagonal {
                edge.sides.iter().flatten().for_each(|&(t, _)| right[t as usize] = true);
            }
            diagonal
        })
        .collect();
    let spring = |edge: &Edge, diagonal: bool| {
        let ends = edge.ends;
        let rest = (mesh.vertices[ends[1] as usize] - mesh.vertices[ends[0] as usize]).norm();
        let share = |&(t, _): &(u32, u32)| {
            let s = match (right[t as usize], diagonal) {
                (false, _) => e,
                (true, false) => legs,
                (true, true) => 4.0 * g,
            };
            s * areas[t as usize] / (rest * rest)
        };
        let stiffness = edge.sides.iter().flatten().map(share).sum();
        if diagonal {
            FlexEdge::Shear { ends, rest, stiffness }
        } else {
            FlexEdge::Stretch { ends, rest, stiffness }
        }
    };
    topology.iter().zip(&diagonals).map(|(edge, &diagonal)| spring(edge, diagonal)).collect()
}

/// Bending constraints of the edges between two triangles.
///
/// The energy of a fold by φ at an edge of length L between areas A₁ and A₂ is ½ D·L²/(A₁ + A₂)·φ².
/// For a cylinder it equals the plate energy ½ D κ² per area, for equilateral triangles in any
/// direction (Seung, Nelson 1988, "Defects in flexible membranes with crystalline order": D = √3/2
/// times the stiffness of a fold) and for squares along their sides. For a flat rest shape, `K·x`
/// with cotangent coefficients has the norm 2L·sin(φ/2) (Bergou et al. 2006), so that ½ D/(A₁ +
/// A₂)·|K·x|² is the same energy without an angle.
fn hinges(
    mesh: &SurfaceMesh,
    topology: &[Edge],
    areas: &[f64],
    rigidity: f64,
    edges: &mut Vec<FlexEdge>,
) -> Vec<Curvature<4>> {
    let mut hinges = Vec::with_capacity(topology.len());
    for edge in topology {
        let [Some((t1, c)), Some((t2, d))] = edge.sides else { continue };
        let [a, b] = edge.ends;
        let x = [a, b, c, d].map(|i| mesh.vertices[i as usize]);
        let stiffness = rigidity / (areas[t1 as usize] + areas[t2 as usize]);
        let rest = angle_between(x);
        if rest.abs() > FLAT {
            let stiffness = stiffness * (x[1] - x[0]).norm_squared();
            edges.push(FlexEdge::Twist { ends: [a, b], sides: [c, d], rest, stiffness });
            continue;
        }
        let at_a = [cot(x[0], x[1], x[2]), cot(x[0], x[1], x[3])];
        let at_b = [cot(x[1], x[0], x[2]), cot(x[1], x[0], x[3])];
        let k = [at_b[0] + at_b[1], at_a[0] + at_a[1], -(at_a[0] + at_b[0]), -(at_a[1] + at_b[1])];
        hinges.push(Curvature::new([a, b, c, d], k, 0.0, stiffness.recip()));
    }
    hinges
}

/// Cotangent of the angle at `x` between the directions to `p` and `q`.
fn cot(x: Vector3<f64>, p: Vector3<f64>, q: Vector3<f64>) -> f64 {
    let (u, v) = (p - x, q - x);
    u.dot(&v) / u.cross(&v).norm()
}
