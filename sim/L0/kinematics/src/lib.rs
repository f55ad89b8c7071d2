//! Kinematic chains of a model: frames, analytical Jacobians, inverse kinematics.

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
