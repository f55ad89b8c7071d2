//! Functions that measure the distance of two geoms (mj_geomDistance): those of the narrow phase with the largest
//! distance as margin, and GJK for convex geoms.

use super::{Collision, Function, ROUTINES, Routine};
use crate::shader::{Emitter, emit};
use sim_core::Model;
use sim_types::GeomType;

/// How the distance of two geoms is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measurement {
    /// Position of the function in the dispatch.
    pub function: usize,
    /// Whether the function expects the geoms in reverse order.
    pub swapped: bool,
}

/// The routine of two geoms, whose types are ordered; `None` if they have no distance, such as two planes.
fn routine(m: &Model, geoms: [usize; 2]) -> Option<&'static Routine> {
    let mut types = geoms.map(|g| m.geom_type[g]);
    types.sort();
    ROUTINES.iter().find(|routine| routine.types == types)
}

/// Boxes are convex geoms here.
fn function(routine: &Routine) -> Function {
    match routine.function {
        Function::BoxBox => Function::ConvexConvex,
        other => other,
    }
}

/// Whether kernels measure the distance of two geoms; `None` if they have none.
pub(crate) fn is_supported(m: &Model, geoms: [usize; 2]) -> Option<bool> {
    let approximate =
        geoms.iter().any(|&g| matches!(m.geom_type[g], GeomType::HField | GeomType::Sdf));
    if approximate { Some(false) } else { routine(m, geoms).map(|_| true) }
}

/// Functions of all pairs, and the most contacts of one that is not convex.
pub(super) fn functions(m: &Model, pairs: &[[usize; 2]]) -> (Vec<Function>, usize) {
    let routines = || pairs.iter().filter_map(|&pair| routine(m, pair));
    let mut functions: Vec<Function> = Vec::new();
    for found in routines().map(function) {
        if !functions.contains(&found) {
            functions.push(found);
        }
    }
    let contacts = routines().filter(|r| function(r) != Function::ConvexConvex);
    (functions, contacts.map(|r| r.max_contacts).max().unwrap_or(0))
}

impl Collision {
    /// How the distance of two geoms, for which the collision was created, is measured.
    pub(crate) fn measurement(&self, m: &Model, geoms: [usize; 2]) -> Option<Measurement> {
        let wanted = function(routine(m, geoms)?);
        let function = self.distance_functions.iter().position(|&f| f == wanted)?;
        let [a, b] = geoms.map(|g| m.geom_type[g]);
        Some(Measurement { function, swapped: a > b })
    }

    /// Position of the function of convex geoms in the dispatch.
    pub(crate) fn convex_measurement(&self) -> usize {
        let convex = self.distance_functions.iter().position(|&f| f == Function::ConvexConvex);
        convex.unwrap_or(usize::MAX)
    }

    /// The dispatch over the functions; not of convex geoms.
    pub(super) fn emit_distances(&self, out: &mut Emitter) {
        if self.distance_functions.is_empty() {
            return;
        }
        emit!(
            out,
            open "fn distance_contacts(contacts: ptr<function, ContactPoints>, code: u32, a: GeomPose, b: GeomPose, margin: real)"
        );
        for (k, function) in self.distance_functions.iter().enumerate() {
            if *function != Function::ConvexConvex {
                emit!(out, "if code == {k}u {{ {}(contacts, a, b, margin); }}", function.name());
            }
        }
        out.close();
    }
}
