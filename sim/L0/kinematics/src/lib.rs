//! Kinematic chains of a model: frames, analytical Jacobians and their measures, inverse kinematics.
//!
//! A [`Chain`] is the way from one body or site of a [`Model`](sim_core::Model) to another, with
//! everything that does not depend on the state folded into one constant for each joint.
//! [`Chain::forward`] places all its joints in one pass, into a [`JointFrameCache`] that is made once;
//! [`Chain::jacobian`] fills a Jacobian from it, [`Chain::jacobian_dot`] its rate of change, and
//! [`SingularValues`] tell how far it is from a singular pose. A [`Solver`] brings the tips of one
//! chain or several to their [`Target`]s within the limits of their joints. Nothing of this allocates
//! once its memory exists.
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
//! // the Jacobian at a state: a column of linear and angular velocity for each joint
//! let mut cache = chain.make_cache();
//! let mut jac = vec![[0.0; 6]; chain.nv()];
//! let tip = chain.jacobian_at(&[0.0, 0.5, -1.0], &mut cache, JacobianType::Spatial, &mut jac)?;
//! assert!((jac[0][1] - tip.pos()[0]).abs() < 1e-12);
//! assert!(!SingularValues::of(&jac).is_singular(1e-3));
//!
//! // joint coordinates that bring the tool to a point
//! let solver = Solver::for_chain(chain.clone())?;
//! let mut work = solver.make_workspace();
//! let mut qpos = model.qpos0.clone();
//! let outcome = solver.solve(&[Target::position([0.3, 0.2, 0.5])], &mut qpos, &mut work);
//! assert_eq!(outcome.status, Status::Converged);
//! let tip = chain.forward(&qpos, &mut cache)?;
//! assert!((tip.pos()[0] - 0.3).abs() < 1e-5);
//!
//! // what cannot be reached ends at the closest point, and says so
//! let outcome = solver.solve(&[Target::position([3.0, 0.0, 0.3])], &mut qpos, &mut work);
//! assert_eq!(outcome.status, Status::OutOfReach);
//! assert!((outcome.position_error - 2.3).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `parallel`, many targets are shared among threads.

mod chain;
mod error;
mod frame;
mod ik;
mod jacobian;
mod measure;
mod random;

pub use chain::{Chain, ChainJoint, End, JointFrameCache};
pub use error::Error;
pub use frame::Frame;
pub use ik::{Options, Outcome, PathReport, Solver, Start, Status, Target, Workspace};
pub use jacobian::{JacobianType, adjoint, convert};
pub use measure::SingularValues;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
