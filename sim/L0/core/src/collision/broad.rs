//! Which pairs of geoms are worth a closer look: a list made once for small models, sweep and prune
//! for large ones.
//!
//! Both give candidates in the order in which contacts are reported: by the two bodies, explicit
//! pairs first, then by geoms. Sweep and prune only leaves out geoms whose boxes are apart, so both
//! lead to the same contacts.

use super::clearance::{BLOCK, watched};
use super::convex::hull_map;
use super::dispatch::Routine;
use super::filter::{Gate, Kinship, excluded, kinship, masks_meet, paired};
use super::member::{Member, Members};
use super::shape::Mesh;
use super::sweep::Sweep;
use crate::math::at;
use crate::{Data, Model};
use sim_simd::HullMap;
use sim_types::{DisableBit, GeomType};
use std::sync::atomic::{AtomicU64, Ordering};

/// Two geoms that may touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Where it comes in the order of contacts.
    pub key: Key,
    /// The geoms, in the order of their types.
    pub geoms: [u32; 2],
    /// The explicit pair, or -1.
    pub pair: i32,
    /// How contacts are found.
    pub routine: Routine,
    /// The test before.
    pub gate: Gate,
    /// Whether the routine takes long enough for another test before it.
    pub costly: bool,
    /// Whether the geoms belong to a body and its parent.
    pub family: bool,
    /// Sum of the bounding radii.
    pub radii: f64,
    /// Distance at which contacts begin.
    pub margin: f64,
}

/// Two bodies; whether there is no explicit pair in the highest bit, a number, another number.
pub(super) type Key = [u64; 2];

/// The bit of a key that says that there is no explicit pair.
pub(super) const DYNAMIC: u64 = 1 << 63;

/// Two numbers as one that sorts like them.
#[inline(always)]
pub(super) fn packed(high: usize, low: usize) -> u64 {
    (high as u64) << 32 | low as u64
}

/// The key of two geoms, the one of the lower body first.
#[inline(always)]
pub(super) fn dynamic_key(m: &Model, one: &Member, two: &Member) -> Key {
    // a walk down two trees of boxes ends in contacts sorted by the geoms as reported
    let walk = one.tree && two.tree && !(one.alone && two.alone);
    let swaps = walk && one.kind > two.kind && !m.opt.disabled(DisableBit::Midphase);
    let (first, second) = if swaps { (two, one) } else { (one, two) };
    let bodies = packed(one.body as usize, two.body as usize);
    [bodies, DYNAMIC | packed(first.geom as usize, second.geom as usize)]
}

impl Candidate {
    /// Two geoms, the one of the lower body first; none when their shapes never touch.
    fn dynamic(m: &Model, g1: usize, g2: usize) -> Option<Self> {
        let mut new = Self::new(m, g1, g2, m.geom_margin[g1] + m.geom_margin[g2])?;
        new.key = dynamic_key(m, &Member::new(m, g1), &Member::new(m, g2));
        Some(new)
    }

    /// Explicit pair `k`; none when the shapes never touch.
    fn explicit(m: &Model, k: usize) -> Option<Self> {
        let (g1, g2) = (at(&m.pair_geom1, k), at(&m.pair_geom2, k));
        let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
        let mut new = Self::new(m, g1, g2, m.pair_margin[k])?;
        new.key = [packed(b1.min(b2), b1.max(b2)), packed(k, 0)];
        new.pair = k as i32;
        Some(new)
    }

    /// Two geoms in any order; none when their shapes never touch.
    fn new(m: &Model, g1: usize, g2: usize, margin: f64) -> Option<Self> {
        let mut new = Self::ungated(m, g1, g2, margin)?;
        let [g1, g2] = new.geoms.map(|g| g as usize);
        new.gate = Gate::of(m.geom_type[g1], [m.geom_rbound[g1], m.geom_rbound[g2]]);
        Some(new)
    }

    /// The same for geoms that have passed the quick test.
    #[inline(always)]
    pub(super) fn ungated(m: &Model, g1: usize, g2: usize, margin: f64) -> Option<Self> {
        let (g1, g2) = if m.geom_type[g1] > m.geom_type[g2] { (g2, g1) } else { (g1, g2) };
        let routine = Routine::between(m, g1, g2);
        if matches!(routine, Routine::Never) {
            return None;
        }
        Some(Self {
            key: Key::default(),
            geoms: [g1 as u32, g2 as u32],
            pair: -1,
            routine,
            gate: Gate::Open,
            costly: matches!(routine, Routine::Convex | Routine::HField | Routine::Triangles)
                || [m.geom_type[g1], m.geom_type[g2]] == [GeomType::Capsule, GeomType::Box],
            family: false,
            radii: m.geom_rbound[g1] + m.geom_rbound[g2],
            margin,
        })
    }
}

/// The pairs that a model's filters let through, found once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pairs {
    /// A number that no other list has.
    pub(super) id: u64,
    /// All of them, in order, when there are few.
    pub(super) list: Vec<Candidate>,
    /// Their geoms and how far those reach.
    pub(super) watched: Vec<(u32, f64)>,
    /// The places of each pair's geoms among those, by blocks of pairs.
    pub(super) ends: Vec<[[u32; BLOCK]; 2]>,
    /// Whether there are many: then they are found in every step.
    many: bool,
    /// The explicit ones, when there are many.
    pub(super) explicit: Vec<Candidate>,
    /// Who takes part in a sweep.
    pub(super) members: Members,
    /// For each mesh the map of its hull, empty if no geom that may touch something has it.
    pub(super) hulls: Vec<HullMap>,
}

/// Candidates of a state.
pub(super) enum Found<'a> {
    /// All that there ever are, in order.
    Listed(&'a [Candidate]),
    /// What a sweep found and the quick test let through, in order; see [`Sweep::candidate`].
    Swept,
}

/// Most pairs of geoms that are looked at when the list is made.
const LOOKED_AT: usize = 1 << 15;
/// Most pairs that are tested one by one in every step.
const LISTED: usize = 1 << 10;

impl Pairs {
    pub(crate) fn new(m: &Model) -> Self {
        let members = Members::new(m);
        let masked = &members.masked;
        let count = masked.len();
        let explicit: Vec<Candidate> =
            (0..m.npair).filter_map(|k| Candidate::explicit(m, k)).collect();
        let mut list = explicit.clone();
        let mut many = count * count.saturating_sub(1) / 2 > LOOKED_AT;
        if !many {
            for (k, &one) in masked.iter().enumerate() {
                let others = masked[k + 1..].iter();
                list.extend(others.filter_map(|&two| allowed(m, one as usize, two as usize)));
            }
            many = list.len() > LISTED;
        }
        if many {
            list.clear();
        }
        list.sort_by_key(|candidate| candidate.key);
        static LISTS: AtomicU64 = AtomicU64::new(1);
        let watched = watched(m, list.iter().flat_map(|candidate| candidate.geoms));
        let place = |geom: u32| watched.partition_point(|other| other.0 < geom) as u32;
        let ends = |block: &[Candidate]| {
            let end =
                |which: usize, k: usize| block.get(k).map_or(0, |pair| place(pair.geoms[which]));
            [0, 1].map(|which| std::array::from_fn(|k| end(which, k)))
        };
        Self {
            id: LISTS.fetch_add(1, Ordering::Relaxed),
            ends: list.chunks(BLOCK).map(ends).collect(),
            watched,
            list,
            many,
            hulls: hulls(m, masked, &explicit),
            explicit,
            members,
        }
    }

    /// Every candidate of this state, in order.
    pub(super) fn candidates(&self, m: &Model, d: &Data, sweep: &mut Sweep) -> Found<'_> {
        // the list is made with the masks, and in the order of a walk down two trees
        let listed = m.hooks.cb_contactfilter.is_none() && !m.opt.disabled(DisableBit::Midphase);
        if listed && !self.many {
            return Found::Listed(&self.list);
        }
        sweep.find(m, d, self);
        Found::Swept
    }

    /// Whether no two geoms can ever touch.
    pub(super) fn is_empty(&self, m: &Model) -> bool {
        self.list.is_empty() && !self.many && m.hooks.cb_contactfilter.is_none()
    }
}

/// Every pair that the filters let through, in order, those of parents and children if asked; `None` if
/// there are more than `most`.
pub(super) fn all(m: &Model, family: bool, most: usize) -> Option<Vec<Candidate>> {
    let mut list: Vec<Candidate> = (0..m.npair).filter_map(|k| Candidate::explicit(m, k)).collect();
    let masked = Members::new(m).masked;
    for (k, &one) in masked.iter().enumerate() {
        for &two in &masked[k + 1..] {
            let candidate = allowed(m, one as usize, two as usize);
            list.extend(candidate.filter(|candidate| family || !candidate.family));
            if list.len() > most {
                return None;
            }
        }
    }
    list.sort_by_key(|candidate| candidate.key);
    Some(list)
}

/// The maps of the hulls of meshes that may touch something.
fn hulls(m: &Model, masked: &[u32], explicit: &[Candidate]) -> Vec<HullMap> {
    let mut maps = vec![HullMap::default(); m.nmesh];
    for g in masked.iter().copied().chain(explicit.iter().flat_map(|candidate| candidate.geoms)) {
        let solid = matches!(m.geom_type[g as usize], GeomType::Mesh | GeomType::Sdf);
        let Ok(mesh) = usize::try_from(m.geom_dataid[g as usize]) else { continue };
        if solid && maps.get(mesh).is_some_and(HullMap::is_empty) {
            maps[mesh] = Mesh::of(m, mesh).map(|mesh| hull_map(&mesh)).unwrap_or_default();
        }
    }
    maps
}

/// The candidate of two geoms, the lower first, if masks, kinship, exclusions and explicit pairs
/// let them touch by themselves.
fn allowed(m: &Model, g1: usize, g2: usize) -> Option<Candidate> {
    if !masks_meet(m, g1, g2) {
        return None;
    }
    let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
    let kinship = kinship(m, b1, b2);
    if kinship == Kinship::Welded || excluded(m, b1, b2) || paired(m, g1, g2) {
        return None;
    }
    let mut candidate = Candidate::dynamic(m, g1, g2)?;
    candidate.family = kinship == Kinship::Parent;
    Some(candidate)
}
