//! Physics for robots: load an MJCF model, step it, read its state by name.
//!
//! ```
//! use sim_physics::prelude::*;
//!
//! let mut sim = Simulation::from_xml(r#"
//!     <mujoco>
//!       <worldbody>
//!         <body name="pole" pos="0 0 1">
//!           <joint name="swing" axis="0 1 0" damping="0.1"/>
//!           <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" contype="0" conaffinity="0"/>
//!         </body>
//!       </worldbody>
//!       <actuator><motor name="push" joint="swing"/></actuator>
//!     </mujoco>"#)?;
//! sim.set_ctrl("push", 2.0)?;
//! for _ in 0..500 {
//!     sim.step()?;
//! }
//! println!("after {:.1} s the pole is at {:.3} rad", sim.time(), sim.joint_pos("swing")?[0]);
//! # Ok::<(), sim_physics::Error>(())
//! ```
//!
//! The crates behind this facade can be used on their own: [`core`] for the pipeline and its
//! stages, [`mjcf`] for reading models.

mod batch;
mod simulation;

pub use batch::{BatchResult, BatchSim, Episode, RewardFn, Rollout, RolloutError, rollout};
pub use sim_core as core;
pub use sim_core::types;
pub use sim_core::{Data, Model, mj_forward, mj_step};
pub use sim_mjcf as mjcf;
pub use sim_mjcf::{Loader, Spec, Vfs, load_file, load_model, load_str, save_model};
pub use simulation::{Error, Simulation};

/// What most programs need.
pub mod prelude {
    pub use crate::{
        BatchResult, BatchSim, Data, Error, Loader, Model, RewardFn, Simulation, Spec, Vfs,
        load_file, load_str, mj_forward, mj_step,
    };
    pub use nalgebra::{UnitQuaternion, Vector3};
}
