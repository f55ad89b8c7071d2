//! Construction of the pair table, and the choice between its list and sweep and prune.
//!
//! Both report candidates in the order of their contacts: by the two bodies, explicit pairs first, then
//! by geoms. Sweep and prune only drops pairs with disjoint bounding boxes, so both lead to the same
//! contacts.

use super::pair_table::{
    BLOCK, BoundTest, Candidate, DYNAMIC, PairKey, PairTable, Proxy, ProxySet,
};
use super::sap::TwoLevelSap;
use crate::collision::convex::hull_support;
use crate::collision::dispatch::Routine;
use crate::collision::filter::{
    BodyRelation, body_relation, is_excluded, is_explicit_pair, masks_match,
};
use crate::collision::shape::Mesh;
use crate::math::at;
use crate::{Data, Model};
use sim_simd::HullSupport;
use sim_types::{DisableBit, GeomType};
use std::sync::atomic::{AtomicU64, Ordering};

/// Largest number of geom pairs that are enumerated to build the list.
const MAX_ENUMERATED_PAIRS: usize = 1 << 15;
/// Largest number of pairs that are tested individually in every step.
const MAX_LISTED_PAIRS: usize = 1 << 10;

/// Packs two indices so that the results sort lexicographically.
#[inline(always)]
fn packed(high: usize, low: usize) -> u64 {
    (high as u64) << 32 | low as u64
}

/// The key of two geoms, the one of the lower body first.
#[inline(always)]
pub(crate) fn dynamic_key(m: &Model, one: &Proxy, two: &Proxy) -> PairKey {
    // MuJoCo's traversal of two body BVHs sorts contacts by the geoms in reported order
    let bvh_pair = one.has_bvh && two.has_bvh && !(one.only_geom && two.only_geom);
    let swap = bvh_pair && one.kind > two.kind && !m.opt.disabled(DisableBit::Midphase);
    let (first, second) = if swap { (two, one) } else { (one, two) };
    let bodies = packed(one.body as usize, two.body as usize);
    [bodies, DYNAMIC | packed(first.geom as usize, second.geom as usize)]
}

impl Candidate {
    /// A pair found by filters, the geom of the lower body first; `None` if the types have no routine.
    fn dynamic(m: &Model, g1: usize, g2: usize) -> Option<Self> {
        let mut new = Self::new(m, g1, g2, m.geom_margin[g1] + m.geom_margin[g2])?;
        new.key = dynamic_key(m, &Proxy::new(m, g1), &Proxy::new(m, g2));
        Some(new)
    }

    /// Explicit pair `k`; `None` if the types have no routine.
    fn explicit(m: &Model, k: usize) -> Option<Self> {
        let (g1, g2) = (at(&m.pair_geom1, k), at(&m.pair_geom2, k));
        let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
        let mut new = Self::new(m, g1, g2, m.pair_margin[k])?;
        new.key = [packed(b1.min(b2), b1.max(b2)), packed(k, 0)];
        new.pair = k as i32;
        Some(new)
    }

    /// Two geoms in any order; `None` if the types have no routine.
    fn new(m: &Model, g1: usize, g2: usize, margin: f64) -> Option<Self> {
        let mut new = Self::without_bound_test(m, g1, g2, margin)?;
        let [g1, g2] = new.geoms.map(|g| g as usize);
        new.bound_test = BoundTest::of(m.geom_type[g1], [m.geom_rbound[g1], m.geom_rbound[g2]]);
        Some(new)
    }

    /// As [`Candidate::new`], for geoms that have passed the bounding-volume test.
    #[inline(always)]
    pub(crate) fn without_bound_test(m: &Model, g1: usize, g2: usize, margin: f64) -> Option<Self> {
        let (g1, g2) = if m.geom_type[g1] > m.geom_type[g2] { (g2, g1) } else { (g1, g2) };
        let routine = Routine::between(m, g1, g2);
        if matches!(routine, Routine::Never) {
            return None;
        }
        Some(Self {
            key: PairKey::default(),
            geoms: [g1 as u32, g2 as u32],
            pair: -1,
            routine,
            bound_test: BoundTest::None,
            obb_test: matches!(routine, Routine::Convex | Routine::HField | Routine::Triangles)
                || [m.geom_type[g1], m.geom_type[g2]] == [GeomType::Capsule, GeomType::Box],
            parent_child: false,
            rbound_sum: m.geom_rbound[g1] + m.geom_rbound[g2],
            margin,
        })
    }
}

/// Candidates of the current state, in contact order.
pub(crate) enum Candidates<'a> {
    /// The whole pair list.
    Listed(&'a [Candidate]),
    /// The result of a sweep; see [`TwoLevelSap::get`].
    Swept,
}

impl PairTable {
    pub(crate) fn new(m: &Model) -> Self {
        let proxies = ProxySet::new(m);
        let collidable = &proxies.collidable;
        let count = collidable.len();
        let explicit: Vec<Candidate> =
            (0..m.npair).filter_map(|k| Candidate::explicit(m, k)).collect();
        let mut list = explicit.clone();
        let mut use_sap = count * count.saturating_sub(1) / 2 > MAX_ENUMERATED_PAIRS;
        if !use_sap {
            for (k, &one) in collidable.iter().enumerate() {
                let others = collidable[k + 1..].iter();
                list.extend(others.filter_map(|&two| filtered(m, one as usize, two as usize)));
            }
            use_sap = list.len() > MAX_LISTED_PAIRS;
        }
        if use_sap {
            list.clear();
        }
        list.sort_by_key(|candidate| candidate.key);
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let geoms = listed_geoms(m, &list);
        let slot = |geom: u32| geoms.partition_point(|other| other.0 < geom) as u32;
        let block_slots = |block: &[Candidate]| {
            let of = |side: usize, k: usize| block.get(k).map_or(0, |pair| slot(pair.geoms[side]));
            [0, 1].map(|side| std::array::from_fn(|k| of(side, k)))
        };
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            slots: list.chunks(BLOCK).map(block_slots).collect(),
            geoms,
            list,
            use_sap,
            hulls: hulls(m, collidable, &explicit),
            explicit,
            proxies,
        }
    }

    /// The candidates of this state; runs the sweep if the model has no list.
    pub(crate) fn candidates(&self, m: &Model, d: &Data, sap: &mut TwoLevelSap) -> Candidates<'_> {
        // the list is built with the masks, and in the order of a BVH traversal
        let valid = m.hooks.cb_contactfilter.is_none() && !m.opt.disabled(DisableBit::Midphase);
        if valid && !self.use_sap {
            return Candidates::Listed(&self.list);
        }
        sap.find_candidates(m, d, self);
        Candidates::Swept
    }

    /// Whether no two geoms of the model can collide.
    pub(crate) fn is_empty(&self, m: &Model) -> bool {
        self.list.is_empty() && !self.use_sap && m.hooks.cb_contactfilter.is_none()
    }
}

/// Every pair that the filters allow, sorted by key; pairs of a body and its parent only if requested.
/// `None` if there are more than `max`.
pub(crate) fn enumerate_pairs(m: &Model, parent_child: bool, max: usize) -> Option<Vec<Candidate>> {
    let mut list: Vec<Candidate> = (0..m.npair).filter_map(|k| Candidate::explicit(m, k)).collect();
    let collidable = ProxySet::new(m).collidable;
    for (k, &one) in collidable.iter().enumerate() {
        for &two in &collidable[k + 1..] {
            let candidate = filtered(m, one as usize, two as usize);
            list.extend(candidate.filter(|candidate| parent_child || !candidate.parent_child));
            if list.len() > max {
                return None;
            }
        }
    }
    list.sort_by_key(|candidate| candidate.key);
    Some(list)
}

/// The geoms of a list of pairs with the distance of their farthest point from the geom frame, m:
/// infinite for planes.
fn listed_geoms(m: &Model, list: &[Candidate]) -> Vec<(u32, f64)> {
    let mut geoms: Vec<u32> = list.iter().flat_map(|candidate| candidate.geoms).collect();
    geoms.sort_unstable();
    geoms.dedup();
    let radius = |g: usize| {
        let unbounded = m.geom_type[g] == GeomType::Plane || m.geom_rbound[g] <= 0.0;
        if unbounded { f64::INFINITY } else { m.geom_rbound[g] }
    };
    geoms.into_iter().map(|g| (g, radius(g as usize))).collect()
}

/// Support mappings of the hulls of meshes that can collide.
fn hulls(m: &Model, collidable: &[u32], explicit: &[Candidate]) -> Vec<HullSupport> {
    let mut hulls = vec![HullSupport::default(); m.nmesh];
    let in_pairs = explicit.iter().flat_map(|candidate| candidate.geoms);
    for g in collidable.iter().copied().chain(in_pairs) {
        let is_mesh = matches!(m.geom_type[g as usize], GeomType::Mesh | GeomType::Sdf);
        let Ok(mesh) = usize::try_from(m.geom_dataid[g as usize]) else { continue };
        if is_mesh && hulls.get(mesh).is_some_and(HullSupport::is_empty) {
            hulls[mesh] = Mesh::of(m, mesh).map(|mesh| hull_support(&mesh)).unwrap_or_default();
        }
    }
    hulls
}

/// The candidate of two geoms, the lower index first, if masks, body relation, exclusions and explicit
/// pairs allow a contact.
fn filtered(m: &Model, g1: usize, g2: usize) -> Option<Candidate> {
    if !masks_match(m, g1, g2) {
        return None;
    }
    let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
    let relation = body_relation(m, b1, b2);
    if relation == BodyRelation::Welded || is_excluded(m, b1, b2) || is_explicit_pair(m, g1, g2) {
        return None;
    }
    let mut candidate = Candidate::dynamic(m, g1, g2)?;
    candidate.parent_child = relation == BodyRelation::ParentChild;
    Some(candidate)
}
