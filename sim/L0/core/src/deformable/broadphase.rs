//! Broad phase between surface patches of deformable bodies and geoms: one sweep-and-prune over the
//! bounding boxes of both.

use super::buffers::{Aabb, Broadphase};
use super::contact::can_collide;
use super::{Deformable, Instance};
use crate::collision::world_aabb;
use crate::{Data, Model};
use sim_types::{EnableBit, GeomType};

/// In place of a patch index: all patches of the instance.
const ALL_PATCHES: u32 = u32::MAX;

/// An instance and a geom whose bounding boxes overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct CandidatePair<'a> {
    pub instance: usize,
    pub geom: usize,
    /// Displacement bound of the instance in one step, m.
    pub motion_bound: f64,
    overlaps: &'a [[u32; 3]],
}

impl CandidatePair<'_> {
    /// Overlapping patches; `None` for all of them.
    pub(super) fn patches(&self) -> Option<impl ExactSizeIterator<Item = usize>> {
        let whole = self.overlaps.iter().any(|&[_, _, patch]| patch == ALL_PATCHES);
        (!whole).then(|| self.overlaps.iter().map(|&[_, _, patch]| patch as usize))
    }
}

impl Broadphase {
    /// Finds all candidate pairs. `motion_bound` is the displacement bound of an instance in one
    /// step, m.
    pub(super) fn find_pairs(
        &mut self,
        m: &Model,
        d: &Data,
        instances: &[Instance],
        motion_bound: impl Fn(&Instance) -> f64,
    ) {
        self.motion_bounds.clear();
        self.motion_bounds.extend(instances.iter().map(motion_bound));
        self.aabbs.clear();
        self.aabbs.extend(instances.iter().map(Aabb::of_surface));
        self.overlaps.clear();
        self.geoms.clear();
        for geom in 0..m.ngeom {
            if m.geom_rbound[geom] > 0.0 && m.geom_type[geom] != GeomType::Plane {
                if m.deformables.iter().any(|deformable| can_collide(m, deformable, geom)) {
                    self.geoms.push(geom as u32);
                }
            } else {
                self.add_unbounded_geom(m, d, instances, geom);
            }
        }
        if !self.geoms.is_empty() {
            self.sweep(m, d, instances);
        }
        self.overlaps.sort_unstable();
    }

    /// Adds the instances near a geom without a bounding box: a plane or an infinite shape.
    fn add_unbounded_geom(&mut self, m: &Model, d: &Data, instances: &[Instance], geom: usize) {
        for (k, (instance, deformable)) in instances.iter().zip(m.deformables.iter()).enumerate() {
            let inflation =
                margin(m, geom, deformable) + self.motion_bounds[k] + instance.body.radius();
            if can_collide(m, deformable, geom) && self.aabbs[k].is_within(m, d, geom, inflation) {
                self.overlaps.push([k as u32, geom as u32, ALL_PATCHES]);
            }
        }
    }

    /// Sweeps the boxes of geoms and patches.
    fn sweep(&mut self, m: &Model, d: &Data, instances: &[Instance]) {
        let Self { sap, geoms, patches, motion_bounds, overlaps, .. } = self;
        if patches.len() != instances.iter().map(|instance| instance.patches.len()).sum::<usize>() {
            patches.clear();
            for (k, instance) in instances.iter().enumerate() {
                patches.extend((0..instance.patches.len() as u32).map(|patch| [k as u32, patch]));
            }
        }
        let overridden = m.opt.enabled(EnableBit::Override);
        let count = geoms.len();
        sap.activate_all(count + patches.len());
        for (i, &geom) in geoms.iter().enumerate() {
            let margin = if overridden { 0.0 } else { m.geom_margin[geom as usize] };
            let (low, high) = world_aabb(m, d, geom as usize, margin);
            sap.set(i, low, high);
        }
        for (i, &[k, patch]) in patches.iter().enumerate() {
            let (k, patch) = (k as usize, patch as usize);
            let instance = &instances[k];
            let body_margin = m.deformables.get(k).map_or(0.0, |deformable| deformable.margin);
            let margin = if overridden { m.opt.o_margin } else { body_margin };
            let inflation = margin + motion_bounds[k] + instance.body.radius();
            let [min, max] = instance.patches.aabb(patch, instance.body.positions());
            sap.set(count + i, min.add_scalar(-inflation).into(), max.add_scalar(inflation).into());
        }
        sap.sweep();
        for [i, j] in sap.overlaps() {
            let (i, j) = (i.min(j), i.max(j));
            if i >= count || j < count {
                continue;
            }
            let (geom, [instance, patch]) = (geoms[i], patches[j - count]);
            let deformable = m.deformables.get(instance as usize);
            if deformable.is_some_and(|deformable| can_collide(m, deformable, geom as usize)) {
                overlaps.push([instance, geom, patch]);
            }
        }
    }

    /// Candidate pairs by instance, then geom.
    pub(super) fn iter(&self) -> impl Iterator<Item = CandidatePair<'_>> {
        self.overlaps.chunk_by(|a, b| a[..2] == b[..2]).map(|overlaps| {
            let [instance, geom, _] = overlaps[0].map(|k| k as usize);
            CandidatePair { instance, geom, motion_bound: self.motion_bounds[instance], overlaps }
        })
    }
}

/// Contact margin of a geom and a deformable body, m.
pub(super) fn margin(m: &Model, geom: usize, deformable: &Deformable) -> f64 {
    if m.opt.enabled(EnableBit::Override) {
        m.opt.o_margin
    } else {
        m.geom_margin[geom] + deformable.margin
    }
}
