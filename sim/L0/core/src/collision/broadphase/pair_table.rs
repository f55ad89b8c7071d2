//! Data of the broad phase that is computed once per model: candidate pairs and geom proxies.

use crate::collision::dispatch::Routine;
use sim_simd::HullSupport;
use sim_types::GeomType;

/// Pairs per block of the pair list: one vector register of motion bounds.
pub(crate) const BLOCK: usize = 8;

/// Two geoms that pass the model's collision filters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Sort key: the position of the pair's contacts in the contact list.
    pub key: PairKey,
    /// The geoms, in the order of their types.
    pub geoms: [u32; 2],
    /// Index of the explicit pair (`<pair>`), or -1.
    pub pair: i32,
    /// Narrow-phase routine.
    pub routine: Routine,
    /// Bounding-volume test before the routine.
    pub bound_test: BoundTest,
    /// Whether the routine is expensive enough for an oriented-box test before it.
    pub obb_test: bool,
    /// Whether the geoms belong to a body and its parent.
    pub parent_child: bool,
    /// Sum of the bounding-sphere radii, m.
    pub rbound_sum: f64,
    /// Distance below which contacts are created, m.
    pub margin: f64,
}

/// Sort key of a pair: the two bodies; then an explicit pair's index, or [`DYNAMIC`] and the two geoms.
pub(crate) type PairKey = [u64; 2];

/// Bit of a key that marks a pair found by filters, so that explicit pairs sort first.
pub(super) const DYNAMIC: u64 = 1 << 63;

/// Bounding-volume test of a pair (`mj_filterSphere`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BoundTest {
    /// Distance of the centres against the sum of the bounding radii.
    Spheres,
    /// Height of a bounding sphere above a plane.
    PlaneSphere,
    /// No test: a geom is unbounded.
    None,
}

impl BoundTest {
    /// The test for two geoms with these bounding radii; `low` is the lower of their types.
    #[inline(always)]
    pub(crate) fn of(low: GeomType, [radius1, radius2]: [f64; 2]) -> Self {
        if radius1 > 0.0 && radius2 > 0.0 {
            Self::Spheres
        } else if low == GeomType::Plane && radius2 > 0.0 {
            Self::PlaneSphere
        } else {
            Self::None
        }
    }
}

/// The candidate pairs of a model, computed once.
#[derive(Debug, Clone, Default)]
pub(crate) struct PairTable {
    /// Unique identifier, so that `Data` notices when the model changed.
    pub(crate) id: u64,
    /// All pairs, sorted by key; empty if the model uses sweep and prune.
    pub(crate) list: Vec<Candidate>,
    /// Geoms of the listed pairs in increasing order, with their bounding radii, m.
    pub(crate) geoms: Vec<(u32, f64)>,
    /// For each block of pairs, the positions of their first and second geoms in `geoms`.
    pub(crate) slots: Vec<[[u32; BLOCK]; 2]>,
    /// Whether there are too many pairs for a list: they are found by sweep and prune.
    pub(super) use_sap: bool,
    /// The explicit pairs, sorted by index.
    pub(super) explicit: Vec<Candidate>,
    /// Proxies for sweep and prune.
    pub(super) proxies: ProxySet,
    /// Support mapping of each mesh's convex hull; empty if no geom that can collide uses the mesh.
    pub(crate) hulls: Vec<HullSupport>,
}

/// The properties of a geom that filters read, in one cache line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Proxy {
    pub geom: u32,
    pub body: u32,
    /// `body_weldid` of the body.
    pub weld: u32,
    /// `body_weldid` of the parent of that body.
    pub parent_weld: u32,
    pub contype: i32,
    pub conaffinity: i32,
    /// Shape type.
    pub kind: GeomType,
    /// Whether the geom has a finite bounding box.
    pub bounded: bool,
    /// Whether it is the only geom of its body.
    pub only_geom: bool,
    /// Whether its body has a bounding volume hierarchy.
    pub has_bvh: bool,
    /// `geom_rbound`, m.
    pub rbound: f64,
    /// `geom_margin`, m.
    pub margin: f64,
}

impl Proxy {
    /// Whether the geom takes part in sweeps: it is bounded and its masks are not both zero.
    #[inline(always)]
    pub(crate) fn is_swept(&self) -> bool {
        self.bounded && (self.contype != 0 || self.conaffinity != 0)
    }

    /// Whether the contype and conaffinity masks of two geoms allow contact.
    #[inline(always)]
    pub(crate) fn masks_match(&self, other: &Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }

    /// Whether the geoms belong to a body and its parent.
    #[inline(always)]
    pub(crate) fn is_parent_child(&self, other: &Self) -> bool {
        self.weld != 0
            && other.weld != 0
            && (self.parent_weld == other.weld || other.parent_weld == self.weld)
    }
}

/// One bounding box of a sweep.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SapItem {
    /// A single geom.
    Geom(u32),
    /// All geoms of a body: a box (centre, half-extents) in the body's inertial frame, and the largest
    /// margin of the geoms.
    Body { body: u32, aabb: [f64; 6], margin: f64 },
}

/// Proxies of all geoms, and the item lists that sweeps work on.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProxySet {
    /// Proxy of every geom of the model.
    pub geoms: Vec<Proxy>,
    /// Geoms whose masks allow some contact.
    pub collidable: Vec<u32>,
    /// Items for those geoms; bodies with many geoms are one item.
    pub grouped: SapItems,
    /// Items for those geoms, one per geom (midphase disabled).
    pub single: SapItems,
    /// One item per geom of every collidable body: a contact-filter callback overrides geom masks.
    pub unmasked: SapItems,
}

/// The items of a sweep.
#[derive(Debug, Clone, Default)]
pub(crate) struct SapItems {
    /// Geoms without a finite bounding box; tested against all items.
    pub unbounded: Vec<u32>,
    pub items: Vec<SapItem>,
}
