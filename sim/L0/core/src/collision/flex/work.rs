//! Buffers of flex collisions, kept between steps.

use super::sweep::Sweep;
use crate::data::heap_bytes;
use crate::math::vec3::Vec3;
use sim_types::Contact;

/// Buffers of flex collisions.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlexWork {
    /// Contacts of flexes, in order.
    pub(super) contacts: Vec<Contact>,
    /// For each pair of a body and a flex with contacts, the body and the end of its contacts in `contacts`.
    pub(super) pairs: Vec<(usize, usize)>,
    /// Stack of tree traversals.
    pub(super) stack: Vec<[u32; 2]>,
    /// Buffers of the selection of contacts.
    pub(super) thinning: Thinning,
    /// Sweep and prune of self-collision.
    pub(super) sweep: Sweep,
    /// Merged list of all contacts, and contacts in the order of `keys`.
    pub(super) merged: Vec<Contact>,
    /// Ids of the two objects of each contact of a pair, and its index.
    pub(super) keys: Vec<(i32, i32, u32)>,
}

impl FlexWork {
    /// Allocated bytes.
    pub(in super::super) fn bytes(&self) -> usize {
        heap_bytes(&self.contacts)
            + heap_bytes(&self.pairs)
            + heap_bytes(&self.stack)
            + heap_bytes(&self.thinning.distances)
            + heap_bytes(&self.thinning.positions)
            + self.sweep.bytes()
            + heap_bytes(&self.merged)
            + heap_bytes(&self.keys)
    }
}

/// Buffers of the selection.
#[derive(Debug, Clone, Default)]
pub(super) struct Thinning {
    /// Squared distance of each candidate from the selected contacts.
    pub distances: Vec<f64>,
    /// Positions of the candidates.
    pub positions: Vec<Vec3>,
}
