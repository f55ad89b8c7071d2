//! Several environments of one model in the SIMD lanes of a core.
//!
//! Each number of the simulation becomes a vector with one lane per environment: eight with AVX-512, four with AVX2.
//! All lanes follow the same program. Indices and sparsity patterns are those of the model and are shared; geom pairs
//! and constraint rows that some lanes do not need are masked in these lanes. The result of an environment does not
//! depend on its lane, nor on the other environments of its group.
//!
//! [`supports`] reports whether a model can be stepped in lanes. [`LaneBatch`] owns the states of many environments;
//! a [`LaneGroup`] steps environments whose states are in [`sim_core::Data`].

mod batch;
mod collision;
mod cone;
mod dynamics;
mod group;
mod hessian;
mod inertia;
mod integrate;
mod kinematics;
mod line_search;
mod math;
mod pgs;
mod plan;
mod regroup;
mod results;
mod rows;
mod separation;
mod solver;
mod step;
mod support;
mod trig;
mod work;
mod wrench;

pub use batch::{LaneBatch, StepResults};
pub use group::{LaneGroup, LaneModel, similarity_order};
pub use results::LaneResults;
pub use sim_simd::lanes::InstructionSet;
pub use support::{Unsupported, supports};
