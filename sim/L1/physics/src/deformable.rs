//! Deformable bodies: the types of `sim-core` and `sim-deformable`, and access to the bodies of a
//! [`Simulation`] by name.

pub use sim_core::deformable::*;

use crate::{Error, Simulation};
use nalgebra::Vector3;

impl Simulation {
    /// The deformable body with this name: particles, triangles, energies and residuals.
    ///
    /// ```
    /// use sim_physics::prelude::*;
    /// let mut sim = Simulation::from_xml(r#"<mujoco>
    ///     <worldbody><geom type="sphere" size="0.2"/></worldbody>
    ///     <xpbd><cloth name="sheet" size="1 1" cells="10 10" pos="0 0 0.21"/></xpbd>
    ///   </mujoco>"#)?;
    /// for _ in 0..200 {
    ///     sim.step()?;
    /// }
    /// let sheet = sim.deformable("sheet")?.positions();
    /// assert!(sheet[0].z < 0.1 && sheet[60].z > 0.19);
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// If there is no deformable body with this name.
    pub fn deformable(&self, name: &str) -> Result<&Body, Error> {
        self.data().deformable(self.deformable_index(name)?).ok_or_else(|| unknown(name))
    }

    /// Mutable access to the deformable body with this name, to move, pin and unpin particles.
    ///
    /// # Errors
    /// If there is no deformable body with this name.
    pub fn deformable_mut(&mut self, name: &str) -> Result<&mut Body, Error> {
        let index = self.deformable_index(name)?;
        self.data_mut().deformable_mut(index).ok_or_else(|| unknown(name))
    }

    /// Forces applied to the particles of a deformable body, N, world frame. They persist until changed.
    ///
    /// # Errors
    /// If there is no deformable body with this name.
    pub fn deformable_forces(&mut self, name: &str) -> Result<&mut [Vector3<f64>], Error> {
        let index = self.deformable_index(name)?;
        self.data_mut().deformable_applied(index).ok_or_else(|| unknown(name))
    }

    fn deformable_index(&self, name: &str) -> Result<usize, Error> {
        self.model().deformables.find(name).ok_or_else(|| unknown(name))
    }
}

fn unknown(name: &str) -> Error {
    Error::UnknownName { kind: "deformable body", name: name.to_owned() }
}
