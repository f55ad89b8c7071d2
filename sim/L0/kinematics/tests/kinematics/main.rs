//! Chains, Jacobians and inverse kinematics, compared with `sim-core`, finite differences and sampling.

mod arms;
mod inverse;
mod jacobian;
mod models;
