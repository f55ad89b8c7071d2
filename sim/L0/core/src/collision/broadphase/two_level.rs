//! Two-level sweep and prune for large models.
//!
//! The first level sweeps bodies with many geoms as one box. For bodies that overlap something, the geoms
//! in the overlap region are found in the body's BVH, and the second level sweeps them individually.
//! Overlapping geoms pass the collision filters and the bounding-volume test, and are sorted into contact
//! order.

use super::pair_table::{Candidate, DYNAMIC, PairKey, PairTable, SapItem, SapItems};
use super::sap::{Sap, TwoLevelSap};
use crate::collision::filter::PairFilter;
use crate::collision::midphase::BodyBvh;
use crate::math::{at, mat3, rows};
use crate::{Data, Model};
use sim_types::{DisableBit, EnableBit, GeomType};

/// A candidate found by a sweep.
pub(crate) enum Swept<'a> {
    /// An explicit pair.
    Explicit(&'a Candidate),
    /// Two geoms that have passed the bounding-volume test.
    Geoms(usize, usize),
}

/// Bounds of an empty region.
const EMPTY: [f32; 6] = {
    const MAX: f32 = f32::INFINITY;
    [MAX, MAX, MAX, -MAX, -MAX, -MAX]
};

impl TwoLevelSap {
    /// Finds all candidates with overlapping bounding boxes, in contact order.
    pub(super) fn find_candidates(&mut self, m: &Model, d: &Data, pairs: &PairTable) {
        let proxies = &pairs.proxies;
        let items = if m.hooks.cb_contactfilter.is_some() {
            &proxies.unmasked
        } else if m.opt.disabled(DisableBit::Midphase) {
            &proxies.single
        } else {
            &proxies.grouped
        };
        let filter = PairFilter {
            m,
            d,
            proxies: &proxies.geoms,
            parent_child: m.opt.disabled(DisableBit::FilterParent),
            sleep: m.opt.enabled(EnableBit::Sleep),
            margin: m.opt.enabled(EnableBit::Override).then_some(m.opt.o_margin),
        };
        self.found.clear();
        self.found.extend(pairs.explicit.iter().map(|candidate| candidate.key));
        self.test_unbounded(&filter, items);
        self.sweep_coarse(&filter, items);
        self.sort(m.nbody);
    }

    /// Number of candidates.
    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Candidate `k` in contact order.
    #[inline(always)]
    pub(crate) fn get<'a>(&self, pairs: &'a PairTable, k: usize) -> Option<Swept<'a>> {
        let [_, key] = self.sorted[k];
        if key & DYNAMIC == 0 {
            let pair = (key >> 32) as i32;
            let position = pairs.explicit.binary_search_by_key(&pair, |candidate| candidate.pair);
            return Some(Swept::Explicit(&pairs.explicit[position.ok()?]));
        }
        Some(Swept::Geoms(((key & !DYNAMIC) >> 32) as usize, key as u32 as usize))
    }

    /// Adds the pairs of geoms without a bounding box, which are tested against everything.
    fn test_unbounded(&mut self, filter: &PairFilter<'_>, items: &SapItems) {
        let Self { found, stack, .. } = self;
        for (k, &one) in items.unbounded.iter().enumerate() {
            // increasing geom indices give nearly sorted keys
            let others = items.unbounded[k + 1..].iter();
            found.extend(others.filter_map(|&two| filter.accept(one as usize, two as usize)));
            for item in &items.items {
                match *item {
                    SapItem::Geom(two) => found.extend(filter.accept(one as usize, two as usize)),
                    SapItem::Body { body, .. } => {
                        test_body(filter, one as usize, body as usize, item, stack, found);
                    }
                }
            }
        }
    }

    /// First level: adds pairs of single geoms, and records the overlap regions of bodies.
    fn sweep_coarse(&mut self, filter: &PairFilter<'_>, items: &SapItems) {
        self.coarse.activate_all(items.items.len());
        let sap = &mut self.coarse;
        sim_simd::dispatch!(set_bounds(sap: &mut Sap, filter: &PairFilter<'_>, items: &SapItems));
        self.coarse.sweep();
        let Self { coarse, regions, found, .. } = self;
        regions.clear();
        let mut bodies_overlap = false;
        for [i, j] in coarse.overlaps() {
            let (one, two) = (&items.items[i], &items.items[j]);
            if let (&SapItem::Geom(one), &SapItem::Geom(two)) = (one, two) {
                found.extend(filter.accept(one as usize, two as usize));
            } else if filter.accept_bodies(one, two) {
                if !bodies_overlap {
                    bodies_overlap = true;
                    regions.resize(items.items.len(), EMPTY);
                }
                let (a, b) = (coarse.bounds(i), coarse.bounds(j));
                for k in 0..3 {
                    let (low, high) = (a[k].max(b[k]), a[3 + k].min(b[3 + k]));
                    for item in [i, j] {
                        regions[item][k] = regions[item][k].min(low);
                        regions[item][3 + k] = regions[item][3 + k].max(high);
                    }
                }
            }
        }
        if bodies_overlap {
            self.sweep_fine(filter, items);
        }
    }

    /// Second level: adds the pairs with geoms of bodies, within the overlap regions.
    #[inline(never)]
    fn sweep_fine(&mut self, filter: &PairFilter<'_>, items: &SapItems) {
        let Self { fine, regions, stamps, count, stack, found, .. } = self;
        let geoms = filter.proxies.len();
        if stamps.len() != geoms {
            *stamps = vec![(0, false); geoms];
        }
        // geoms that stay active keep their position in the sorted order
        let last = *count;
        *count += 1;
        let now = *count;
        fine.resize(geoms);
        for (item, region) in items.items.iter().zip(regions.iter()) {
            if region[0] > region[3] {
                continue;
            }
            let mut activate = |g: usize, in_body: bool| {
                if stamps[g].0 != last || last == 0 {
                    fine.activate(g as u32);
                }
                stamps[g] = (now, in_body);
                let (low, high) = filter.geom_aabb(g);
                fine.set(g, low, high);
            };
            match *item {
                SapItem::Geom(g) => activate(g as usize, false),
                SapItem::Body { body, .. } => {
                    let Some(bvh) = BodyBvh::of(filter.m, filter.d, body as usize) else {
                        continue;
                    };
                    bvh.query_aabb(region, filter.margin_of(item), stack, |g| {
                        if filter.proxies.get(g).is_some_and(|proxy| proxy.is_swept()) {
                            activate(g, true);
                        }
                    });
                }
            }
        }
        fine.retain(|k| stamps[k as usize].0 == now);
        fine.sweep();
        for [g, h] in fine.overlaps() {
            // two single geoms were tested on the first level
            if stamps[g].1 || stamps[h].1 {
                found.extend(filter.accept(g, h));
            }
        }
    }

    /// Sorts the keys: counting sort by the first body, then within each body.
    fn sort(&mut self, bodies: usize) {
        let first = |key: &PairKey| (key[0] >> 32) as usize;
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for key in &self.found {
            self.starts[first(key) + 1] += 1;
        }
        for b in 0..bodies {
            self.starts[b + 1] += self.starts[b];
        }
        self.sorted.clear();
        self.sorted.resize(self.found.len(), PairKey::default());
        for key in &self.found {
            let position = &mut self.starts[first(key)];
            self.sorted[*position as usize] = *key;
            *position += 1;
        }
        let mut from = 0;
        for &to in &self.starts[..bodies] {
            let to = to as usize;
            sort_small(&mut self.sorted[from..to]);
            from = to;
        }
    }
}

/// Sets the bounds of all items of the first level.
#[inline(always)]
fn set_bounds(sap: &mut Sap, filter: &PairFilter<'_>, items: &SapItems) {
    for (k, item) in items.items.iter().enumerate() {
        let (low, high) = match item {
            SapItem::Geom(g) => filter.geom_aabb(*g as usize),
            SapItem::Body { body, aabb, margin } => filter.body_aabb(*body as usize, aabb, *margin),
        };
        sap.set(k, low, high);
    }
}

/// Sorts the keys of one body: insertion sort for short lists.
#[inline(always)]
fn sort_small(keys: &mut [PairKey]) {
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

/// Adds the pairs of an unbounded geom with the geoms of a body.
#[inline(never)]
fn test_body(
    filter: &PairFilter<'_>,
    geom: usize,
    body: usize,
    item: &SapItem,
    stack: &mut Vec<u32>,
    found: &mut Vec<PairKey>,
) {
    let (m, d) = (filter.m, filter.d);
    if !filter.accept_bodies(&SapItem::Geom(geom as u32), item) {
        return;
    }
    let visit = |g: usize| {
        if filter.proxies.get(g).is_some_and(|proxy| proxy.is_swept()) {
            found.extend(filter.accept(geom, g));
        }
    };
    match BodyBvh::of(m, d, body) {
        Some(bvh) if m.geom_type[geom] == GeomType::Plane => {
            let normal = mat3::column(&rows::<9>(&d.geom_xmat)[geom], 2);
            let plane = (rows::<3>(&d.geom_xpos)[geom], normal);
            let margin = filter.margin_of(&SapItem::Geom(geom as u32)) + filter.margin_of(item);
            bvh.query_half_space(plane, margin, stack, visit);
        }
        _ => {
            let start = at(&m.body_geomadr, body);
            (start..start + at(&m.body_geomnum, body)).for_each(visit);
        }
    }
}
