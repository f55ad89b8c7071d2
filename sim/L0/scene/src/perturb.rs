//! Selection and perturbation of a body with the mouse (`mjvPerturb`).

/// Bit of [`Perturb::active`]: translation.
pub const PERT_TRANSLATE: i32 = 1;
/// Bit of [`Perturb::active`]: rotation.
pub const PERT_ROTATE: i32 = 2;

/// Selected object and its perturbation (`mjvPerturb`).
#[doc(alias = "mjvPerturb")]
#[doc(alias = "mjtPertBit")]
#[derive(Debug, Clone, PartialEq)]
pub struct Perturb {
    /// Selected body; none if not positive.
    pub select: i32,
    /// Selected flex; none if negative.
    pub flexselect: i32,
    /// Selected skin; none if negative.
    pub skinselect: i32,
    /// Active perturbations: bits [`PERT_TRANSLATE`] and [`PERT_ROTATE`].
    pub active: i32,
    /// Perturbations by a second user.
    pub active2: i32,
    /// Reference position of the body's centre of mass (m).
    pub refpos: [f64; 3],
    /// Reference orientation of the body's inertial frame (w, x, y, z).
    pub refquat: [f64; 4],
    /// Reference position of the selection point (m).
    pub refselpos: [f64; 3],
    /// Selection point in the frame of the body (m).
    pub localpos: [f64; 3],
    /// Effective mass at the selection point (kg).
    pub localmass: f64,
    /// Displacement of the selection point per unit of mouse motion (m).
    pub scale: f64,
}

impl Default for Perturb {
    /// Nothing is selected (`mjv_defaultPerturb`).
    fn default() -> Self {
        Self {
            select: 0,
            flexselect: -1,
            skinselect: -1,
            active: 0,
            active2: 0,
            refpos: [0.0; 3],
            refquat: [1.0, 0.0, 0.0, 0.0],
            refselpos: [0.0; 3],
            localpos: [0.0; 3],
            localmass: 0.0,
            scale: 1.0,
        }
    }
}

impl Perturb {
    /// Bits of both sets of perturbations.
    #[must_use]
    pub const fn all_active(&self) -> i32 {
        self.active | self.active2
    }

    /// The selected body; `None` for no body, the world, or a body that does not exist.
    #[must_use]
    pub fn body(&self, nbody: usize) -> Option<usize> {
        usize::try_from(self.select).ok().filter(|&body| body > 0 && body < nbody)
    }
}
