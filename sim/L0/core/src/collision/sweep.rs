//! Sweep and prune: which geoms of a large model are near each other.
//!
//! Bodies with many geoms are swept as a whole. Of those that overlap something, the geoms in the
//! region where they do are found in the body's tree of boxes, and swept again one by one. What
//! overlaps passes the filters and the quick test, and is put in the order of contacts.

use super::broad::{Candidate, DYNAMIC, Key, Pairs};
use super::member::{Crowd, Item};
use super::pass::Pass;
use super::sift::Filter;
use super::trees::Tree;
use crate::data::held;
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, GeomType};

/// The memory of sweeps.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sweep {
    /// Geoms and whole bodies.
    first: Pass,
    /// Geoms of bodies that overlap something, and what they overlap.
    second: Pass,
    /// For each item the region in which it overlaps a body, or is one that overlaps something.
    regions: Vec<[f32; 6]>,
    /// For each geom in which sweep it took part last, and whether as part of a body.
    part: Vec<(u64, bool)>,
    /// Number of this sweep.
    count: u64,
    /// Nodes of trees that are still to be visited.
    nodes: Vec<u32>,
    /// What was found.
    found: Vec<Key>,
    /// Where the keys of each body start.
    starts: Vec<u32>,
    /// Keys by their first body.
    sorted: Vec<Key>,
}

/// What a sweep finds.
pub(super) enum Swept<'a> {
    /// An explicit pair.
    Explicit(&'a Candidate),
    /// Two geoms that have passed the quick test.
    Geoms(usize, usize),
}

/// A region without a point.
const NOWHERE: [f32; 6] = {
    const MAX: f32 = f32::INFINITY;
    [MAX, MAX, MAX, -MAX, -MAX, -MAX]
};

impl Sweep {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.first.bytes()
            + self.second.bytes()
            + held(&self.regions)
            + held(&self.part)
            + held(&self.nodes)
            + held(&self.found)
            + held(&self.starts)
            + held(&self.sorted)
    }

    /// Finds all candidates whose boxes meet, in order.
    pub(super) fn find(&mut self, m: &Model, d: &Data, pairs: &Pairs) {
        let members = &pairs.members;
        let crowd = if m.hooks.cb_contactfilter.is_some() {
            &members.all
        } else if m.opt.disabled(DisableBit::Midphase) {
            &members.single
        } else {
            &members.grouped
        };
        let filter = Filter {
            m,
            d,
            members: &members.geoms,
            parents: m.opt.disabled(DisableBit::FilterParent),
            sleep: m.opt.enabled(EnableBit::Sleep),
            margin: m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin),
        };
        self.found.clear();
        self.found.extend(pairs.explicit.iter().map(|candidate| candidate.key));
        self.meet_endless(&filter, crowd);
        self.sweep_items(&filter, crowd);
        self.sort(m.nbody);
    }

    /// How many candidates were found.
    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// What was found at place `k` in the order of contacts.
    #[inline(always)]
    pub(super) fn get<'a>(&self, pairs: &'a Pairs, k: usize) -> Option<Swept<'a>> {
        let [_, key] = self.sorted[k];
        if key & DYNAMIC == 0 {
            let pair = (key >> 32) as i32;
            let place = pairs.explicit.binary_search_by_key(&pair, |candidate| candidate.pair);
            return Some(Swept::Explicit(&pairs.explicit[place.ok()?]));
        }
        Some(Swept::Geoms(((key & !DYNAMIC) >> 32) as usize, key as u32 as usize))
    }

    /// Adds what geoms without a box may touch.
    fn meet_endless(&mut self, filter: &Filter<'_>, crowd: &Crowd) {
        let Self { found, nodes, .. } = self;
        for (k, &one) in crowd.endless.iter().enumerate() {
            // geoms in their order make keys that are nearly sorted
            let others = crowd.endless[k + 1..].iter();
            found.extend(others.filter_map(|&two| filter.meet(one as usize, two as usize)));
            for item in &crowd.items {
                match *item {
                    Item::Geom(two) => found.extend(filter.meet(one as usize, two as usize)),
                    Item::Body { body, .. } => {
                        meet_body(filter, one as usize, body as usize, item, nodes, found);
                    }
                }
            }
        }
    }

    /// Adds what geoms and bodies with boxes may touch.
    fn sweep_items(&mut self, filter: &Filter<'_>, crowd: &Crowd) {
        self.first.take_all(crowd.items.len());
        let pass = &mut self.first;
        sim_simd::dispatch!(set_boxes(pass: &mut Pass, filter: &Filter<'_>, crowd: &Crowd));
        self.first.sweep();
        let Self { first, regions, found, .. } = self;
        regions.clear();
        let mut near = false;
        for [i, j] in first.overlaps() {
            let (one, two) = (&crowd.items[i], &crowd.items[j]);
            if let (&Item::Geom(one), &Item::Geom(two)) = (one, two) {
                found.extend(filter.meet(one as usize, two as usize));
            } else if filter.bodies_meet(one, two) {
                if !near {
                    near = true;
                    regions.resize(crowd.items.len(), NOWHERE);
                }
                let (a, b) = (first.ends(i), first.ends(j));
                for k in 0..3 {
                    let (low, high) = (a[k].max(b[k]), a[3 + k].min(b[3 + k]));
                    for item in [i, j] {
                        regions[item][k] = regions[item][k].min(low);
                        regions[item][3 + k] = regions[item][3 + k].max(high);
                    }
                }
            }
        }
        if near {
            self.sweep_again(filter, crowd);
        }
    }

    /// Adds what the geoms of bodies may touch that overlap something.
    #[inline(never)]
    fn sweep_again(&mut self, filter: &Filter<'_>, crowd: &Crowd) {
        let Self { second, regions, part, count, nodes, found, .. } = self;
        let geoms = filter.members.len();
        if part.len() != geoms {
            *part = vec![(0, false); geoms];
        }
        // who took part in the last sweep keeps its place if it still does
        let last = *count;
        *count += 1;
        let now = *count;
        second.make_room(geoms);
        for (item, region) in crowd.items.iter().zip(regions.iter()) {
            if region[0] > region[3] {
                continue;
            }
            let mut joins = |g: usize, whole: bool| {
                if part[g].0 != last || last == 0 {
                    second.add(g as u32);
                }
                part[g] = (now, whole);
                let (low, high) = filter.around(g);
                second.set(g, low, high);
            };
            match *item {
                Item::Geom(g) => joins(g as usize, false),
                Item::Body { body, .. } => {
                    let Some(tree) = Tree::of(filter.m, filter.d, body as usize) else { continue };
                    tree.within(region, filter.margin_of(item), nodes, |g| {
                        if filter.members.get(g).is_some_and(|member| member.joins()) {
                            joins(g, true);
                        }
                    });
                }
            }
        }
        second.keep(|k| part[k as usize].0 == now);
        second.sweep();
        for [g, h] in second.overlaps() {
            // two that are no part of a body have met before
            if part[g].1 || part[h].1 {
                found.extend(filter.meet(g, h));
            }
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
            sort_few(&mut self.sorted[from..to]);
            from = to;
        }
    }
}

/// Puts boxes around geoms and bodies.
#[inline(always)]
fn set_boxes(pass: &mut Pass, filter: &Filter<'_>, crowd: &Crowd) {
    for (k, item) in crowd.items.iter().enumerate() {
        let (low, high) = match item {
            Item::Geom(g) => filter.around(*g as usize),
            Item::Body { body, aabb, margin } => filter.around_body(*body as usize, aabb, *margin),
        };
        pass.set(k, low, high);
    }
}

/// Sorts the keys of one body, of which there are few.
#[inline(always)]
fn sort_few(keys: &mut [Key]) {
    if keys.len() > 16 {
        keys.sort_unstable();
        return;
    }
    for k in 1..keys.len() {
        let new = keys[k];
        let mut hole = k;
        while hole > 0 && keys[hole - 1] > new {
            keys[hole] = keys[hole - 1];
            hole -= 1;
        }
        keys[hole] = new;
    }
}

/// Adds what a geom without a box may touch of a body.
#[inline(never)]
fn meet_body(
    filter: &Filter<'_>,
    geom: usize,
    body: usize,
    item: &Item,
    nodes: &mut Vec<u32>,
    found: &mut Vec<Key>,
) {
    let (m, d) = (filter.m, filter.d);
    if !filter.bodies_meet(&Item::Geom(geom as u32), item) {
        return;
    }
    let visit = |g: usize| {
        if filter.members.get(g).is_some_and(|member| member.joins()) {
            found.extend(filter.meet(geom, g));
        }
    };
    match Tree::of(m, d, body) {
        Some(tree) if m.geom_type[geom] == GeomType::Plane => {
            let normal = mat3::column(&rows::<9>(&d.geom_xmat)[geom], 2);
            let plane = (rows::<3>(&d.geom_xpos)[geom], normal);
            let margin = filter.margin_of(&Item::Geom(geom as u32)) + filter.margin_of(item);
            tree.above(plane, margin, nodes, visit);
        }
        _ => {
            let start = at(&m.body_geomadr, body);
            (start..start + at(&m.body_geomnum, body)).for_each(visit);
        }
    }
}
