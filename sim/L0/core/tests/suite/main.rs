//! Integration tests of the public API: conservation laws, independent reference algorithms, field contracts.

#[macro_use]
mod models;

mod actuation;
mod binary;
mod collision;
mod constrained;
mod contact;
mod contact_cg;
mod contact_jacobian;
mod contact_sensors;
mod convergence;
mod deformable;
mod deformable_absent;
mod deformable_body_pair;
mod deformable_broadphase;
mod deformable_resting;
mod derivative;
mod divergence;
mod dynamics;
mod energy;
mod fields;
mod finite_differences;
mod fluid;
mod footprint;
mod gravcomp;
mod history;
mod hooks;
mod implicit;
mod inertia;
mod invariance;
mod inverse;
mod jacobian;
mod length_range;
mod math;
mod memory;
mod momentum;
mod muscle;
mod optimum;
mod pipeline;
mod plane_mesh;
mod position;
mod print;
mod ray;
mod sensors;
mod sleep;
mod solvers;
mod state;
mod state_vector;
mod tendon;
#[cfg(feature = "parallel")]
mod threads;
mod tolerance;
mod triangles;
mod unsupported;
mod variation;
