//! Which pairs of geoms are worth a closer look: a list made once for small models, sweep and prune
//! for large ones.
//!
//! Both give candidates in the order in which contacts are reported: by the two bodies, explicit
//! pairs first, then by geoms. Sweep and prune only leaves out geoms whose boxes are apart, so both
//! lead to the same contacts.

use super::dispatch::Routine;
use super::filter::{Gate, Kinship, body_masks_meet, excluded, kinship, masks_meet, paired, still};
use crate::math::{at, mat3, rows, vec3};
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, GeomType};

/// Two geoms that may touch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Where it comes in the order of contacts.
    key: Key,
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

/// The two bodies, whether there is no explicit pair, two ids.
type Key = [u32; 5];

impl Candidate {
    /// Two geoms, the one of the lower body first; none when their shapes never touch.
    fn dynamic(m: &Model, g1: usize, g2: usize) -> Option<Self> {
        let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
        let mut new = Self::new(m, g1, g2, m.geom_margin[g1] + m.geom_margin[g2])?;
        // a walk down two trees of boxes ends in contacts sorted by the geoms as reported
        let alone = m.body_geomnum[b1] == 1 && m.body_geomnum[b2] == 1;
        let trees = !m.opt.disabled(DisableBit::Midphase)
            && m.body_bvhadr[b1] >= 0
            && m.body_bvhadr[b2] >= 0;
        let [first, second] = if trees && !alone { new.geoms } else { [g1 as u32, g2 as u32] };
        new.key = [b1 as u32, b2 as u32, 1, first, second];
        Some(new)
    }

    /// Explicit pair `k`; none when the shapes never touch.
    fn explicit(m: &Model, k: usize) -> Option<Self> {
        let (g1, g2) = (at(&m.pair_geom1, k), at(&m.pair_geom2, k));
        let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
        let mut new = Self::new(m, g1, g2, m.pair_margin[k])?;
        new.key = [b1.min(b2) as u32, b1.max(b2) as u32, 0, k as u32, 0];
        new.pair = k as i32;
        Some(new)
    }

    fn new(m: &Model, g1: usize, g2: usize, margin: f64) -> Option<Self> {
        let (g1, g2) = if m.geom_type[g1] > m.geom_type[g2] { (g2, g1) } else { (g1, g2) };
        let routine = Routine::between(m, g1, g2);
        (!matches!(routine, Routine::Never)).then(|| Self {
            key: Key::default(),
            geoms: [g1 as u32, g2 as u32],
            pair: -1,
            routine,
            gate: Gate::of(m, g1, g2),
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
    /// All of them, in order, when there are few.
    list: Vec<Candidate>,
    /// Whether there are many: then they are found in every step.
    many: bool,
    /// Geoms of bodies that may touch something.
    geoms: Vec<u32>,
}

/// Most pairs of geoms that are looked at when the list is made.
const LOOKED_AT: usize = 1 << 15;
/// Most pairs that are tested one by one in every step.
const LISTED: usize = 1 << 10;

impl Pairs {
    pub(crate) fn new(m: &Model) -> Self {
        let collides = |g: &u32| {
            let body = at(&m.geom_bodyid, *g as usize);
            m.body_contype[body] != 0 || m.body_conaffinity[body] != 0
        };
        let geoms: Vec<u32> = (0..m.ngeom as u32).filter(collides).collect();
        let masked = || geoms.iter().map(|&g| g as usize).filter(|&g| has_mask(m, g));
        let count = masked().count();
        let mut list: Vec<Candidate> =
            (0..m.npair).filter_map(|k| Candidate::explicit(m, k)).collect();
        let mut many = count * count.saturating_sub(1) / 2 > LOOKED_AT;
        if !many {
            for (k, g1) in masked().enumerate() {
                list.extend(masked().skip(k + 1).filter_map(|g2| allowed(m, g1, g2)));
            }
            many = list.len() > LISTED;
        }
        if many {
            list.clear();
        }
        list.sort_by_key(|candidate| candidate.key);
        Self { list, many, geoms }
    }

    /// Every candidate of this state, in order.
    pub(super) fn candidates<'a>(
        &'a self,
        m: &Model,
        d: &Data,
        sweep: &'a mut Sweep,
    ) -> &'a [Candidate] {
        // the list is made with the masks, and in the order of a walk down two trees
        let listed = m.hooks.cb_contactfilter.is_none() && !m.opt.disabled(DisableBit::Midphase);
        if listed && !self.many {
            return &self.list;
        }
        sweep.find(m, d, &self.geoms);
        &sweep.found
    }

    /// Whether no two geoms can ever touch.
    pub(super) fn is_empty(&self, m: &Model) -> bool {
        self.list.is_empty() && !self.many && m.hooks.cb_contactfilter.is_none()
    }
}

fn has_mask(m: &Model, g: usize) -> bool {
    m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0
}

/// The candidate of two geoms, the lower first, if masks, kinship, exclusions and explicit pairs
/// let them touch by themselves.
fn allowed(m: &Model, g1: usize, g2: usize) -> Option<Candidate> {
    if !masks_meet(m, g1, g2) {
        return None;
    }
    acquainted(m, g1, g2)
}

/// The same without the masks.
fn acquainted(m: &Model, g1: usize, g2: usize) -> Option<Candidate> {
    let (b1, b2) = (at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2));
    let kinship = kinship(m, b1, b2);
    if kinship == Kinship::Welded || excluded(m, b1, b2) || paired(m, g1, g2) {
        return None;
    }
    let mut candidate = Candidate::dynamic(m, g1, g2)?;
    candidate.family = kinship == Kinship::Parent;
    Some(candidate)
}

/// Sweep and prune, with the memory it needs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    /// Boxes around geoms, in the order of the last sweep.
    slabs: Vec<Slab>,
    /// Geoms without bounds.
    unbounded: Vec<u32>,
    /// What was found.
    found: Vec<Candidate>,
}

/// A box around a geom, along the axes of the world.
#[derive(Debug, Clone, Copy)]
struct Slab {
    low: [f64; 3],
    high: [f64; 3],
    geom: u32,
    weld: u32,
    /// Whether its body sleeps or is fixed.
    still: bool,
}

impl Sweep {
    /// Finds all candidates whose boxes meet, in order.
    fn find(&mut self, m: &Model, d: &Data, geoms: &[u32]) {
        self.bound(m, d, geoms);
        let axis = self.widest_axis();
        sort_nearly_sorted(&mut self.slabs, axis);
        self.found.clear();
        self.found.extend((0..m.npair).filter_map(|k| Candidate::explicit(m, k)));
        let [y, z] = [(axis + 1) % 3, (axis + 2) % 3];
        for (k, a) in self.slabs.iter().enumerate() {
            for b in &self.slabs[k + 1..] {
                if b.low[axis] > a.high[axis] {
                    break;
                }
                let apart = a.weld == b.weld
                    || a.still && b.still
                    || a.low[y] > b.high[y]
                    || b.low[y] > a.high[y]
                    || a.low[z] > b.high[z]
                    || b.low[z] > a.high[z];
                if !apart {
                    self.found.extend(meet(m, d, a.geom, b.geom));
                }
            }
        }
        for (k, &g) in self.unbounded.iter().enumerate() {
            self.found.extend(self.slabs.iter().filter_map(|slab| meet(m, d, g, slab.geom)));
            self.found.extend(self.unbounded[k + 1..].iter().filter_map(|&h| meet(m, d, g, h)));
        }
        self.found.sort_unstable_by_key(|candidate| candidate.key);
    }

    /// Puts boxes around the geoms.
    fn bound(&mut self, m: &Model, d: &Data, geoms: &[u32]) {
        let hook = m.hooks.cb_contactfilter.is_some();
        let wanted = |g: usize| hook || has_mask(m, g);
        let bounded = |g: usize| m.geom_rbound[g] > 0.0 && m.geom_type[g] != GeomType::Plane;
        self.unbounded.clear();
        self.unbounded
            .extend(geoms.iter().copied().filter(|&g| wanted(g as usize) && !bounded(g as usize)));
        let count = geoms.iter().filter(|&&g| wanted(g as usize) && bounded(g as usize)).count();
        if self.slabs.len() == count {
            // the order of the last step is nearly right for this one
            for slab in &mut self.slabs {
                *slab = Slab::around(m, d, slab.geom);
            }
        } else {
            self.slabs.clear();
            let both = |&&g: &&u32| wanted(g as usize) && bounded(g as usize);
            self.slabs.extend(geoms.iter().filter(both).map(|&g| Slab::around(m, d, g)));
        }
    }

    /// The axis along which the boxes are spread most.
    fn widest_axis(&self) -> usize {
        let count = self.slabs.len().max(1) as f64;
        let mut variance = [0.0; 3];
        for (k, variance) in variance.iter_mut().enumerate() {
            let mean = self.slabs.iter().map(|s| s.low[k]).sum::<f64>() / count;
            *variance = self.slabs.iter().map(|s| (s.low[k] - mean) * (s.low[k] - mean)).sum();
        }
        let larger = |a: usize, b: usize| if variance[b] > variance[a] { b } else { a };
        larger(larger(0, 1), 2)
    }
}

/// The candidate of two geoms whose boxes meet, if all filters let them touch.
fn meet(m: &Model, d: &Data, g: u32, h: u32) -> Option<Candidate> {
    let (g1, g2) = (g.min(h) as usize, g.max(h) as usize);
    let Some(filter) = &m.hooks.cb_contactfilter else { return allowed(m, g1, g2) };
    if !body_masks_meet(m, at(&m.geom_bodyid, g1), at(&m.geom_bodyid, g2)) {
        return None;
    }
    let candidate = acquainted(m, g1, g2)?;
    let [low, high] = candidate.geoms;
    (!(**filter)(m, d, low as usize, high as usize)).then_some(candidate)
}

impl Slab {
    fn around(m: &Model, d: &Data, geom: u32) -> Self {
        let g = geom as usize;
        let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
        let reach = mat3::mul_vec(&mat.map(f64::abs), half);
        let radius = m.geom_rbound[g];
        // half of what two geoms may be apart, and a little for rounding
        let over = m.opt.enabled(EnableBit::Override);
        let margin = if over { 0.5 * m.opt.o_margin } else { m.geom_margin[g] } + 1e-9 * radius;
        Self {
            low: std::array::from_fn(|k| (pos[k] - radius).max(centre[k] - reach[k]) - margin),
            high: std::array::from_fn(|k| (pos[k] + radius).min(centre[k] + reach[k]) + margin),
            geom,
            weld: m.body_weldid[at(&m.geom_bodyid, g)] as u32,
            still: m.opt.enabled(EnableBit::Sleep) && still(m, d, at(&m.geom_bodyid, g)),
        }
    }
}

/// Sorts by the lower ends along an axis. From one step to the next little changes, so insertion
/// is fast; if it is not, a general sort takes over.
fn sort_nearly_sorted(slabs: &mut [Slab], axis: usize) {
    let mut budget = 8 * slabs.len();
    for k in 1..slabs.len() {
        let slab = slabs[k];
        let mut hole = k;
        while hole > 0 && slabs[hole - 1].low[axis] > slab.low[axis] {
            slabs[hole] = slabs[hole - 1];
            hole -= 1;
        }
        slabs[hole] = slab;
        budget = budget.saturating_sub(k - hole);
        if budget == 0 {
            slabs.sort_unstable_by(|a, b| a.low[axis].total_cmp(&b.low[axis]));
            return;
        }
    }
}
