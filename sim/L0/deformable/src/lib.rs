//! Cloth, soft bodies and ropes by extended position-based dynamics (XPBD).
//!
//! A body is particles and constraints. [`XpbdSolver`] moves it by substeps: particles fly, every
//! constraint is solved once with its compliance, and velocities follow from where the particles
//! came to. [`Cloth`], [`SoftBody`] and [`CapsuleChain`] make bodies of a mesh and a [`Material`];
//! [`Body::new`] of any particles and [`FlexEdge`]s.
//!
//! ```
//! use nalgebra::Vector3;
//! use sim_deformable::{Cloth, ClothConfig, DeformableBody, SurfaceMesh, XpbdSolver};
//!
//! // a cotton sheet of a square metre, held at two corners
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
//! Nothing here knows of models or rigid bodies: positions, velocities and inverse masses are
//! slices, which is what contacts with others need. A solver that is warm does not allocate. The
//! same body gives the same bits, whatever the number of threads. Bad input is a
//! [`DeformableError`], and so is a step that would come to numbers that are not finite.

mod body;
mod cells;
mod chain;
mod cloth;
mod collide;
mod constraint;
mod error;
mod flex_edge;
mod material;
mod mesh;
#[cfg(feature = "parallel")]
mod parallel;
mod residual;
mod skinning;
mod soft_body;
mod solver;
mod stored;

pub use body::{Body, DeformableBody};
pub use chain::{CapsuleChain, ChainConfig};
pub use cloth::{Cloth, ClothConfig};
pub use collide::{MutualContacts, Outline, Side};
pub use error::DeformableError;
pub use flex_edge::FlexEdge;
pub use material::Material;
pub use mesh::{SurfaceMesh, TetMesh};
pub use residual::{Residual, Residuals};
pub use skinning::{Bone, Influence, Skeleton, SkinnedMesh, SkinningMethod};
pub use soft_body::{SoftBody, SoftBodyConfig, SolidModel};
pub use solver::{StepInfo, XpbdConfig, XpbdSolver};
