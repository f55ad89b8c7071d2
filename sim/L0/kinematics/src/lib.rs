//! Kinematic chains of a model: forward kinematics, analytical Jacobians, manipulability, inverse
//! kinematics.
//!
//! A [`Chain`] consists of the joints between two bodies or sites of a [`Model`](sim_core::Model), with
//! the constant transforms between them merged. [`Chain::forward`] computes the frames of all joints
//! into a [`JointFrameCache`]; [`Chain::jacobian`] and [`Chain::jacobian_dot`] compute the Jacobian and
//! its time derivative from it; [`SingularValues`] measure the distance from singular configurations. A
//! [`Solver`] finds joint positions that bring the tips of one or several chains to their [`Target`]s
//! within joint limits. After construction nothing allocates.
//!
//! ```
//! use sim_kinematics::{Chain, JacobianType, SingularValues, Solver, Status, Target};
//!
//! let model = sim_mjcf::load_str(r#"
//!     <mujoco>
//!       <compiler angle="radian"/>
//!       <worldbody>
//!         <body><joint axis="0 0 1" range="-3 3"/><geom size=".05"/>
//!           <body pos="0 0 .3"><joint axis="0 1 0" range="-2 2"/><geom size=".05"/>
//!             <body pos="0 0 .4"><joint axis="0 1 0" range="-2.5 0"/><geom size=".05"/>
//!               <site name="tool" pos="0 0 .3"/>
//!             </body>
//!           </body>
//!         </body>
//!       </worldbody>
//!     </mujoco>"#)?;
//! let chain = Chain::to_site(&model, "tool")?;
//!
//! // the Jacobian: a column of linear and angular velocity for each joint
//! let mut cache = chain.make_cache();
//! let mut jac = vec![[0.0; 6]; chain.nv()];
//! let tip = chain.jacobian_at(&[0.0, 0.5, -1.0], &mut cache, JacobianType::Spatial, &mut jac)?;
//! assert!((jac[0][1] - tip.pos()[0]).abs() < 1e-12);
//! assert!(!SingularValues::of(&jac).is_singular(1e-3));
//!
//! // joint positions that bring the tool to a point
//! let solver = Solver::for_chain(chain.clone())?;
//! let mut work = solver.make_workspace();
//! let mut qpos = model.qpos0.clone();
//! let outcome = solver.solve(&[Target::position([0.3, 0.2, 0.5])], &mut qpos, &mut work);
//! assert_eq!(outcome.status, Status::Converged);
//! let tip = chain.forward(&qpos, &mut cache)?;
//! assert!((tip.pos()[0] - 0.3).abs() < 1e-5);
//!
//! // an unreachable target: the closest configuration
//! let outcome = solver.solve(&[Target::position([3.0, 0.0, 0.3])], &mut qpos, &mut work);
//! assert_eq!(outcome.status, Status::OutOfReach);
//! assert!((outcome.position_error - 2.3).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `parallel` adds batched solves on several threads.

mod chain;
mod error;
mod frame;
mod ik;
mod jacobian;
mod rng;
mod singular_values;

pub use chain::{Chain, ChainJoint, End, JointFrameCache};
pub use error::Error;
pub use frame::Frame;
pub use ik::{Options, Outcome, PathReport, Solver, Start, Status, Target, Workspace};
pub use jacobian::{JacobianType, adjoint, convert};
pub use singular_values::SingularValues;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
