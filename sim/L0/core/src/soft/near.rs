//! Which patches of deformable bodies are near which geoms: one sweep of boxes around all of them.

use super::find::{Range, meets};
use super::{Deformable, Part};
use crate::collision::{Sap, world_aabb};
use crate::data::held;
use crate::{Data, Model};
use sim_types::{EnableBit, GeomType};

/// In place of a patch: the whole surface.
const WHOLE: u32 = u32::MAX;

/// The memory of sweeps, and what they find.
#[derive(Debug, Clone, Default)]
pub(crate) struct Neighbours {
    pass: Sap,
    /// The geoms with boxes.
    geoms: Vec<u32>,
    /// The part and the number of each patch, in the order of their boxes after those of the geoms.
    patches: Vec<[u32; 2]>,
    /// How far each part may come in a step.
    rooms: Vec<f64>,
    /// The box around each part.
    ranges: Vec<Range>,
    /// A part, a geom near it, a patch near that: in order.
    found: Vec<[u32; 3]>,
}

/// A geom near a part.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour<'a> {
    pub part: usize,
    pub geom: usize,
    /// How far the part may come in a step.
    pub room: f64,
    near: &'a [[u32; 3]],
}

impl Neighbour<'_> {
    /// The patches that are near; none for all.
    pub(super) fn patches(&self) -> Option<impl ExactSizeIterator<Item = usize>> {
        let whole = self.near.iter().any(|&[_, _, patch]| patch == WHOLE);
        (!whole).then(|| self.near.iter().map(|&[_, _, patch]| patch as usize))
    }
}

impl Neighbours {
    /// Bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        self.pass.bytes() + held(&self.geoms) + held(&self.patches) + held(&self.found)
    }

    /// Looks for geoms near the parts, of which `room` says how far they may come.
    pub(super) fn find(
        &mut self,
        m: &Model,
        d: &Data,
        parts: &[Part],
        room: impl Fn(&Part) -> f64,
    ) {
        self.rooms.clear();
        self.rooms.extend(parts.iter().map(room));
        self.ranges.clear();
        self.ranges.extend(parts.iter().map(Range::of));
        self.found.clear();
        self.geoms.clear();
        for geom in 0..m.ngeom {
            if m.geom_rbound[geom] > 0.0 && m.geom_type[geom] != GeomType::Plane {
                if m.deformables.iter().any(|deformable| meets(m, deformable, geom)) {
                    self.geoms.push(geom as u32);
                }
            } else {
                self.meet_endless(m, d, parts, geom);
            }
        }
        if !self.geoms.is_empty() {
            self.sweep(m, d, parts);
        }
        self.found.sort_unstable();
    }

    /// Adds the parts near a geom that no box can be put around.
    fn meet_endless(&mut self, m: &Model, d: &Data, parts: &[Part], geom: usize) {
        for (k, (part, deformable)) in parts.iter().zip(m.deformables.iter()).enumerate() {
            let reach = margin(m, geom, deformable) + self.rooms[k] + part.body.radius();
            if meets(m, deformable, geom) && self.ranges[k].is_near(m, d, geom, reach) {
                self.found.push([k as u32, geom as u32, WHOLE]);
            }
        }
    }

    /// Adds the patches near geoms with boxes.
    fn sweep(&mut self, m: &Model, d: &Data, parts: &[Part]) {
        let Self { pass, geoms, patches, rooms, found, .. } = self;
        if patches.len() != parts.iter().map(|part| part.patches.len()).sum::<usize>() {
            patches.clear();
            for (k, part) in parts.iter().enumerate() {
                patches.extend((0..part.patches.len() as u32).map(|patch| [k as u32, patch]));
            }
        }
        let overridden = m.opt.enabled(EnableBit::Override);
        let count = geoms.len();
        pass.activate_all(count + patches.len());
        for (place, &geom) in geoms.iter().enumerate() {
            let margin = if overridden { 0.0 } else { m.geom_margin[geom as usize] };
            let (low, high) = world_aabb(m, d, geom as usize, margin);
            pass.set(place, low, high);
        }
        for (place, &[k, patch]) in patches.iter().enumerate() {
            let (k, patch) = (k as usize, patch as usize);
            let part = &parts[k];
            let own = m.deformables.get(k).map_or(0.0, |deformable| deformable.margin);
            let margin = if overridden { m.opt.o_margin } else { own };
            let reach = margin + rooms[k] + part.body.radius();
            let [least, most] = part.patches.range(patch, part.body.positions());
            pass.set(count + place, least.add_scalar(-reach).into(), most.add_scalar(reach).into());
        }
        pass.sweep();
        for [i, j] in pass.overlaps() {
            let (i, j) = (i.min(j), i.max(j));
            if i >= count || j < count {
                continue;
            }
            let (geom, [part, patch]) = (geoms[i], patches[j - count]);
            let deformable = m.deformables.get(part as usize);
            if deformable.is_some_and(|deformable| meets(m, deformable, geom as usize)) {
                found.push([part, geom, patch]);
            }
        }
    }

    /// What was found: part by part, geom by geom.
    pub(super) fn iter(&self) -> impl Iterator<Item = Neighbour<'_>> {
        self.found.chunk_by(|a, b| a[..2] == b[..2]).map(|near| {
            let [part, geom, _] = near[0].map(|k| k as usize);
            Neighbour { part, geom, room: self.rooms[part], near }
        })
    }
}

/// The distance at which contacts of a geom and a part count.
pub(super) fn margin(m: &Model, geom: usize, deformable: &Deformable) -> f64 {
    if m.opt.enabled(EnableBit::Override) {
        m.opt.o_margin
    } else {
        m.geom_margin[geom] + deformable.margin
    }
}
