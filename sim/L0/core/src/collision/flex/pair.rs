//! Pairs of a body and a flex, and of two flexes.

use super::super::contact::{FlexSide, flex_params};
use super::{Collider, FlexWork, masks_match};
use crate::math::vec3;
use crate::math::{at, mat3, rows};
use sim_types::{Contact, GeomType};

/// Whether two boxes (centre, half size) are farther apart than `margin`.
pub(super) fn boxes_separated(a: &[f64; 6], b: &[f64; 6], margin: f64) -> bool {
    (0..3).any(|k| {
        a[k] + a[k + 3] + margin < b[k] - b[k + 3] || b[k] + b[k + 3] + margin < a[k] - a[k + 3]
    })
}

/// Whether the box around a sphere and another box are disjoint.
pub(super) fn sphere_box_separated(centre: [f64; 3], radius: f64, b: &[f64; 6]) -> bool {
    (0..3).any(|k| centre[k] + radius < b[k] - b[k + 3] || centre[k] - radius > b[k] + b[k + 3])
}

impl Collider<'_> {
    /// Adds the contacts of the geoms of a body with a flex.
    pub(super) fn body_flex(&mut self, body: usize, f: usize) {
        let m = self.m;
        if !masks_match([m.body_contype[body], m.body_conaffinity[body]], self.flex_masks(f)) {
            return;
        }
        let first = self.work.contacts.len();
        if self.midphase && m.body_bvhadr[body] >= 0 && m.flex_bvhadr[f] >= 0 {
            self.body_flex_tree(body, f);
            self.thin(first);
            sort(self.work, first);
            return;
        }
        let geoms = at(&m.body_geomadr, body);
        for g in geoms..geoms + at(&m.body_geomnum, body) {
            if !masks_match([m.geom_contype[g], m.geom_conaffinity[g]], self.flex_masks(f)) {
                continue;
            }
            let first = self.work.contacts.len();
            match m.geom_type[g] {
                GeomType::Plane => self.plane_flex(g, f),
                GeomType::Sdf => self.sdf_flex(g, f),
                _ => {
                    for e in 0..at(&m.flex_elemnum, f) {
                        self.geom_element(g, f, e);
                    }
                }
            }
            self.thin(first);
        }
    }

    /// Adds the contacts of two flexes.
    pub(super) fn flex_flex(&mut self, f1: usize, f2: usize) {
        let m = self.m;
        if !masks_match(self.flex_masks(f1), self.flex_masks(f2)) {
            return;
        }
        let first = self.work.contacts.len();
        if self.midphase && m.flex_bvhadr[f1] >= 0 && m.flex_bvhadr[f2] >= 0 {
            self.flex_trees(f1, f2);
            self.thin(first);
            sort(self.work, first);
            return;
        }
        for e1 in 0..at(&m.flex_elemnum, f1) {
            for e2 in 0..at(&m.flex_elemnum, f2) {
                self.elements([f1, f2], [e1, e2]);
            }
        }
        self.thin(first);
    }

    /// Adds a contact for each vertex of a flex below a plane.
    pub(super) fn plane_flex(&mut self, g: usize, f: usize) {
        let (m, d) = (self.m, self.d);
        let pos = rows::<3>(&d.geom_xpos)[g];
        let normal = mat3::column(&rows::<9>(&d.geom_xmat)[g], 2);
        let margin = self.margin(m.geom_margin[g] + m.flex_margin[f]);
        let radius = m.flex_radius[f];
        let mut template = None;
        for (i, &v) in self.vertices(f).iter().enumerate() {
            let height = vec3::dot(vec3::sub(v, pos), normal);
            if height > margin + radius {
                continue;
            }
            let dist = height - radius;
            let template = template.get_or_insert_with(|| {
                let sides = [FlexSide::Geom(g), FlexSide::Flex(f)];
                let mut template = flex_params(m, sides, margin, true);
                template.geom = [g as i32, -1];
                template.flex = [-1, f as i32];
                template.set_normal(normal);
                template
            });
            template.vert = [-1, i as i32];
            let pos = vec3::add_scaled(v, normal, -dist * 0.5 - radius);
            self.work.contacts.push(template.at_distance(dist, pos));
        }
    }
}

/// Sorts the contacts from `first` on by the ids of their objects, keeping the order of equal ones.
fn sort(work: &mut FlexWork, first: usize) {
    let FlexWork { contacts, merged, keys, .. } = work;
    let contacts = &mut contacts[first..];
    let id = |c: &Contact, side: usize| {
        [c.geom[side], c.elem[side], c.vert[side]].into_iter().find(|&id| id >= 0).unwrap_or(-1)
    };
    keys.clear();
    keys.extend(contacts.iter().enumerate().map(|(i, c)| (id(c, 0), id(c, 1), i as u32)));
    if keys.is_sorted() {
        return;
    }
    // keys are sorted instead of contacts, which are large
    keys.sort_unstable();
    merged.clear();
    merged.extend(keys.iter().map(|&(.., i)| contacts[i as usize]));
    contacts.copy_from_slice(merged);
}
