//! Chains, Jacobians and inverse kinematics: against the engine, differences, sampling and laws.

mod arms;
mod inverse;
mod jacobian;
mod models;
