//! Sweep and prune: which geoms of a large model are near each other.
//!
//! Boxes around geoms are sorted along the axis on which they are spread most, and swept in single
//! precision, rounded outward. What overlaps passes the filters and the quick test, and is put in
//! the order of contacts.

use super::broad::{Candidate, DYNAMIC, Key, Pairs, dynamic_key};
use super::dispatch::Routine;
use super::filter::{Gate, body_masks_meet, excluded, paired, still};
use crate::math::{at, mat3, rows, vec3};
use crate::{Data, Model};
use sim_simd::Boxes;
use sim_types::{DisableBit, EnableBit, GeomType};

/// What filters ask of a geom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    pub geom: u32,
    body: u32,
    /// The body that its own is welded to.
    weld: u32,
    /// The body that the parent of that one is welded to.
    parent: u32,
    contype: i32,
    conaffinity: i32,
    /// Whether a box can be put around it.
    bounded: bool,
}

impl Member {
    pub(super) fn new(m: &Model, geom: u32) -> Self {
        let g = geom as usize;
        let body = at(&m.geom_bodyid, g);
        let weld = at(&m.body_weldid, body);
        Self {
            geom,
            body: body as u32,
            weld: weld as u32,
            parent: at(&m.body_weldid, at(&m.body_parentid, weld)) as u32,
            contype: m.geom_contype[g],
            conaffinity: m.geom_conaffinity[g],
            bounded: m.geom_rbound[g] > 0.0 && m.geom_type[g] != GeomType::Plane,
        }
    }

    /// Whether the masks let two geoms touch.
    #[inline(always)]
    fn masks_meet(&self, other: &Self) -> bool {
        self.contype & other.conaffinity != 0 || other.contype & self.conaffinity != 0
    }

    /// Whether the geoms belong to a body and its parent.
    #[inline(always)]
    fn family(&self, other: &Self) -> bool {
        self.weld != 0
            && other.weld != 0
            && (self.parent == other.weld || other.parent == self.weld)
    }
}

/// The memory of sweeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    /// Members with bounds, by their lower ends along an axis, in the order of the last sweep.
    order: Vec<(f32, u32)>,
    /// How many members there were.
    members: usize,
    /// Lower and upper ends of each member's box.
    ends: Vec<[f32; 6]>,
    /// The same in order.
    boxes: Boxes,
    /// Which of them overlap.
    overlaps: Vec<[u32; 2]>,
    /// What was found.
    found: Vec<Key>,
    /// Where the keys of each body start.
    starts: Vec<u32>,
    /// Keys by their first body.
    sorted: Vec<Key>,
}

/// What does not change between two pairs of a sweep.
struct Filter<'a> {
    m: &'a Model,
    d: &'a Data,
    /// Whether a body may touch its parent.
    parents: bool,
    sleep: bool,
    /// The margin that replaces all others.
    margin: Option<f64>,
}

impl Sweep {
    /// Finds all candidates whose boxes meet, in order.
    pub(super) fn find(&mut self, m: &Model, d: &Data, pairs: &Pairs) {
        let members = if m.hooks.cb_contactfilter.is_some() { &pairs.all } else { &pairs.masked };
        let filter = Filter {
            m,
            d,
            parents: m.opt.disabled(DisableBit::FilterParent),
            sleep: m.opt.enabled(EnableBit::Sleep),
            margin: m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin),
        };
        self.bound(&filter, members);
        self.overlaps.clear();
        self.boxes.sweep(&mut self.overlaps);
        self.found.clear();
        self.found.extend(pairs.explicit.iter().map(|candidate| candidate.key));
        for (k, one) in members.iter().enumerate().filter(|(_, member)| !member.bounded) {
            // geoms in their order make keys that are nearly sorted
            let others = members.iter().enumerate();
            let others = others.filter(|&(j, other)| other.bounded || j > k);
            self.found.extend(others.filter_map(|(_, other)| filter.meet(one, other)));
        }
        for &[i, j] in &self.overlaps {
            let [one, two] = [i, j].map(|k| &members[self.order[k as usize].1 as usize]);
            self.found.extend(filter.meet(one, two));
        }
        self.sort(m.nbody);
    }

    /// How many candidates were found.
    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Candidate `k`, and whether it has passed the quick test.
    #[inline]
    pub(super) fn candidate(
        &self,
        m: &Model,
        pairs: &Pairs,
        k: usize,
    ) -> Option<(Candidate, bool)> {
        let key = self.sorted[k];
        if key[1] & DYNAMIC == 0 {
            let pair = (key[1] >> 32) as i32;
            let place = pairs.explicit.binary_search_by_key(&pair, |candidate| candidate.pair);
            return Some((pairs.explicit[place.ok()?], false));
        }
        let (g1, g2) = (((key[1] & !DYNAMIC) >> 32) as usize, key[1] as u32 as usize);
        let margin = m.geom_margin[g1] + m.geom_margin[g2];
        Some((Candidate::ungated(m, g1, g2, margin)?, true))
    }

    /// Puts boxes around the geoms and sorts them.
    fn bound(&mut self, filter: &Filter<'_>, members: &[Member]) {
        if self.members != members.len() {
            self.members = members.len();
            let bounded = members.iter().enumerate().filter(|(_, member)| member.bounded);
            self.order.clear();
            self.order.extend(bounded.map(|(k, _)| (0.0, k as u32)));
            self.ends.clear();
            self.ends.resize(members.len(), [f32::NAN; 6]);
        }
        let (mut sum, mut square) = ([0.0; 3], [0.0; 3]);
        for (ends, member) in self.ends.iter_mut().zip(members) {
            if !member.bounded {
                continue;
            }
            let (low, high) = filter.around(member.geom as usize);
            for k in 0..3 {
                sum[k] += low[k];
                square[k] += low[k] * low[k];
                // more than rounding to single precision takes away
                ends[k] = (low[k] - 1.2e-7 * low[k].abs()) as f32;
                ends[3 + k] = (high[k] + 1.2e-7 * high[k].abs()) as f32;
            }
        }
        // the axis along which the boxes are spread most
        let count = self.order.len().max(1) as f64;
        let variance: [f64; 3] = std::array::from_fn(|k| square[k] - sum[k] * sum[k] / count);
        let larger = |a: usize, b: usize| if variance[b] > variance[a] { b } else { a };
        let x = larger(larger(0, 1), 2);
        let [y, z] = [(x + 1) % 3, (x + 2) % 3];
        for (low, k) in &mut self.order {
            *low = self.ends[*k as usize][x];
            // what is no number overlaps nothing, and must not part those that are
            if low.is_nan() {
                *low = f32::INFINITY;
            }
        }
        sort_nearly_sorted(&mut self.order);
        self.boxes.reset(self.order.len());
        for (place, &(low, k)) in self.order.iter().enumerate() {
            let e = &self.ends[k as usize];
            self.boxes.set(place, &[low, e[y], e[z], e[3 + x], e[3 + y], e[3 + z]]);
        }
    }

    /// Sorts what was found: first by the first body, then within it.
    fn sort(&mut self, bodies: usize) {
        let first = |key: &Key| (key[0] >> 32) as usize;
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for key in &self.found {
            self.starts[first(key) + 1] += 1;
        }
        for b in 0..bodies {
            self.starts[b + 1] += self.starts[b];
        }
        self.sorted.clear();
        self.sorted.resize(self.found.len(), Key::default());
        for key in &self.found {
            let place = &mut self.starts[first(key)];
            self.sorted[*place as usize] = *key;
            *place += 1;
        }
        let mut from = 0;
        for &to in &self.starts[..bodies] {
            let to = to as usize;
            if to - from > 1 {
                self.sorted[from..to].sort_unstable();
            }
            from = to;
        }
    }
}

impl Filter<'_> {
    /// The key of two geoms whose boxes meet, if all filters and the quick test let them touch.
    #[inline(always)]
    fn meet(&self, one: &Member, two: &Member) -> Option<Key> {
        let (one, two) = if one.geom < two.geom { (one, two) } else { (two, one) };
        if self.m.hooks.cb_contactfilter.is_some() {
            return self.meet_by_hook(one, two);
        }
        if one.weld == two.weld
            || !one.masks_meet(two)
            || !self.parents && one.family(two)
            || self.at_rest(one, two)
        {
            return None;
        }
        let (b1, b2) = (one.body as usize, two.body as usize);
        if self.m.nexclude > 0 && excluded(self.m, b1, b2) {
            return None;
        }
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        if self.m.npair > 0 && paired(self.m, g1, g2) || !self.near(g1, g2) {
            return None;
        }
        Some(dynamic_key(self.m, [g1, g2], [b1, b2]))
    }

    /// The same when user code takes the place of the masks.
    #[inline(never)]
    fn meet_by_hook(&self, one: &Member, two: &Member) -> Option<Key> {
        let hook = self.m.hooks.cb_contactfilter.as_ref()?;
        let (b1, b2) = (one.body as usize, two.body as usize);
        let (g1, g2) = (one.geom as usize, two.geom as usize);
        if one.weld == two.weld
            || self.at_rest(one, two)
            || !body_masks_meet(self.m, b1, b2)
            || excluded(self.m, b1, b2)
            || paired(self.m, g1, g2)
        {
            return None;
        }
        let kinds = [g1, g2].map(|g| self.m.geom_type[g]);
        let (low, high) = if kinds[0] > kinds[1] { (g2, g1) } else { (g1, g2) };
        if matches!(Routine::between(self.m, low, high), Routine::Never)
            || (**hook)(self.m, self.d, low, high)
            || !self.parents && one.family(two)
            || !self.near(g1, g2)
        {
            return None;
        }
        Some(dynamic_key(self.m, [g1, g2], [b1, b2]))
    }

    /// Whether neither geom can move.
    #[inline(always)]
    fn at_rest(&self, one: &Member, two: &Member) -> bool {
        self.sleep
            && still(self.m, self.d, one.body as usize)
            && still(self.m, self.d, two.body as usize)
    }

    /// The quick test.
    #[inline(always)]
    fn near(&self, g1: usize, g2: usize) -> bool {
        let m = self.m;
        let (g1, g2) = if m.geom_type[g1] > m.geom_type[g2] { (g2, g1) } else { (g1, g2) };
        let margin = self.margin.unwrap_or_else(|| m.geom_margin[g1] + m.geom_margin[g2]);
        let reach = m.geom_rbound[g1] + m.geom_rbound[g2] + margin;
        Gate::of(m, g1, g2).lets_through(self.d, g1, g2, reach)
    }

    /// A box around a geom, along the axes of the world.
    #[inline(always)]
    fn around(&self, g: usize) -> ([f64; 3], [f64; 3]) {
        let (m, d) = (self.m, self.d);
        let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let centre = vec3::add(pos, mat3::mul_vec(mat, [x, y, z]));
        let reach = mat3::mul_vec(&mat.map(f64::abs), half);
        let radius = m.geom_rbound[g];
        // half of what two geoms may be apart, and a little for rounding
        let margin = self.margin.map_or(m.geom_margin[g], |margin| 0.5 * margin) + 1e-9 * radius;
        (
            std::array::from_fn(|k| (pos[k] - radius).max(centre[k] - reach[k]) - margin),
            std::array::from_fn(|k| (pos[k] + radius).min(centre[k] + reach[k]) + margin),
        )
    }
}

/// Sorts by the first number. From one step to the next little changes, so insertion is fast; if it
/// is not, a general sort takes over.
fn sort_nearly_sorted(list: &mut [(f32, u32)]) {
    let mut budget = 8 * list.len();
    for k in 1..list.len() {
        let new = list[k];
        let mut hole = k;
        while hole > 0 && list[hole - 1].0 > new.0 {
            list[hole] = list[hole - 1];
            hole -= 1;
        }
        list[hole] = new;
        budget = budget.saturating_sub(k - hole);
        if budget == 0 {
            list.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            return;
        }
    }
}
