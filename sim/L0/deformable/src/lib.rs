//! Cloth, soft bodies and ropes by extended position-based dynamics (XPBD).
//!
//! A [`Body`] is a set of particles and constraints. [`XpbdSolver`] advances it by substeps:
//! positions are predicted, every constraint is projected once with its compliance, and velocities
//! are derived from the change of positions (Macklin, Müller, Chentanez 2016, "XPBD"; Macklin et
//! al. 2019, "Small steps in physics simulation"). [`Cloth`], [`SoftBody`] and [`CapsuleChain`]
//! build bodies from a mesh and a [`Material`]; [`Body::new`] builds one from particles and
//! [`FlexEdge`]s.
//!
//! ```
//! use nalgebra::Vector3;
//! use sim_deformable::{Cloth, ClothConfig, DeformableBody, SurfaceMesh, XpbdSolver};
//!
//! // a cotton sheet of one square metre, pinned at two corners
//! let mesh = SurfaceMesh::grid([1.0, 1.0], [20, 20])?;
//! let mut cloth = Cloth::new(&mesh, &ClothConfig::cotton())?;
//! cloth.body_mut().pin(0)?;
//! cloth.body_mut().pin(20)?;
//! let mut solver = XpbdSolver::default();
//! for _ in 0..30 {
//!     solver.step(&mut cloth, Vector3::new(0.0, 0.0, -9.81), 1.0 / 60.0)?;
//! }
//! let lowest = cloth.body().positions().iter().map(|x| x.z).fold(0.0, f64::min);
//! assert!(lowest < -0.5);
//! # Ok::<(), sim_deformable::DeformableError>(())
//! ```
//!
//! This crate does not depend on models or rigid bodies: positions, velocities and inverse masses
//! are slices, which is the interface for contacts with other bodies. A step does not allocate
//! after the first one. The results are bit-identical for any number of threads. Invalid input and
//! non-finite results are a [`DeformableError`].

mod body;
mod chain;
mod cloth;
mod collision;
mod constraint;
mod error;
mod flex_edge;
mod material;
mod mesh;
#[cfg(feature = "parallel")]
mod parallel;
mod particle;
mod residual;
mod serialize;
mod skinning;
mod soft_body;
mod solver;

pub use body::{Body, DeformableBody};
pub use chain::{CapsuleChain, ChainConfig};
pub use cloth::{Cloth, ClothConfig};
pub use collision::{BodyPairContacts, BodyPairSide, CollisionSurface};
pub use error::DeformableError;
pub use flex_edge::FlexEdge;
pub use material::Material;
pub use mesh::{SurfaceMesh, TetMesh};
pub use residual::{Residual, Residuals};
pub use skinning::{Bone, Influence, Skeleton, SkinnedMesh, SkinningMethod};
pub use soft_body::{SoftBody, SoftBodyConfig, SolidModel};
pub use solver::{StepInfo, XpbdConfig, XpbdSolver};
