//! Deformable bodies of a simulation, by name.

use crate::{Error, Simulation};
use nalgebra::Vector3;
use sim_core::deformable::Body;

impl Simulation {
    /// A deformable body: its particles, triangles, energies and residuals.
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
    /// When there is no such deformable body.
    pub fn deformable(&self, name: &str) -> Result<&Body, Error> {
        self.data().deformable(self.soft(name)?).ok_or_else(|| unknown(name))
    }

    /// A deformable body, to move, pin and unpin its particles.
    ///
    /// # Errors
    /// When there is no such deformable body.
    pub fn deformable_mut(&mut self, name: &str) -> Result<&mut Body, Error> {
        let index = self.soft(name)?;
        self.data_mut().deformable_mut(index).ok_or_else(|| unknown(name))
    }

    /// Forces on the particles of a deformable body, in N, that act in every step until changed.
    ///
    /// # Errors
    /// When there is no such deformable body.
    pub fn deformable_forces(&mut self, name: &str) -> Result<&mut [Vector3<f64>], Error> {
        let index = self.soft(name)?;
        self.data_mut().deformable_applied(index).ok_or_else(|| unknown(name))
    }

    fn soft(&self, name: &str) -> Result<usize, Error> {
        self.model().deformables.find(name).ok_or_else(|| unknown(name))
    }
}

fn unknown(name: &str) -> Error {
    Error::UnknownName { kind: "deformable body", name: name.to_owned() }
}
