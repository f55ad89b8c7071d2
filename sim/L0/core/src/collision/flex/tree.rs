//! Simultaneous traversal of two bounding volume hierarchies (`mj_collideTree`).

use super::pair::{boxes_separated, sphere_box_separated};
use super::{Collider, masks_match};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use sim_types::GeomType;

/// The measure that decides which of two boxes is descended. As in MuJoCo, it is computed from the half size minus
/// the centre, and affects the order only.
fn measure(b: &[f64; 6]) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|k| b[k + 3] - b[k]);
    x * y + y * z + z * x
}

/// A box given in a rotated frame against world-aligned boxes, by the face normals of both.
struct RotatedBox {
    mat: Mat3,
    /// Absolute values of `mat`.
    abs: Mat3,
    pos: Vec3,
}

impl RotatedBox {
    fn new(mat: Mat3, pos: Vec3) -> Self {
        Self { mat, abs: mat.map(f64::abs), pos }
    }

    /// Whether `local`, a box in this frame, and the world-aligned box `world` are farther apart than `margin`.
    #[inline]
    fn separated(&self, local: &[f64; 6], world: &[f64; 6], margin: f64) -> bool {
        let [cx, cy, cz, half @ ..] = *local;
        if half.iter().all(|&h| h >= sim_types::MAXVAL) {
            return false;
        }
        let infinite = half.iter().any(|&h| h >= sim_types::MAXVAL);
        let centre = vec3::add(mat3::mul_vec(&self.mat, [cx, cy, cz]), self.pos);
        let offset = [0, 1, 2].map(|k| world[k] - centre[k]);
        let size = [world[3], world[4], world[5]];
        let in_frame = mat3::mul_transpose_vec(&self.mat, offset);
        let extent = mat3::mul_transpose_vec(&self.abs, size);
        if (0..3).any(|k| half[k] + extent[k] + margin < in_frame[k].abs()) {
            return true;
        }
        if infinite {
            return false;
        }
        let extent = mat3::mul_vec(&self.abs, half);
        (0..3).any(|k| extent[k] + size[k] + margin < offset[k].abs())
    }
}

/// A hierarchy: children of each node and the object of each leaf.
#[derive(Clone, Copy)]
struct Nodes<'a> {
    child: &'a [[i32; 2]],
    object: &'a [i32],
}

impl Collider<'_> {
    fn nodes(&self, adr: i32, num: i32) -> Nodes<'_> {
        let range = adr as usize..(adr + num) as usize;
        let child = &self.m.bvh_child.as_chunks::<2>().0[range.clone()];
        Nodes { child, object: &self.m.bvh_nodeid[range] }
    }

    /// Adds the contacts of the geoms of a body with the elements of a flex.
    pub(super) fn body_flex_tree(&mut self, body: usize, f: usize) {
        let (m, d) = (self.m, self.d);
        let geoms = at(&m.body_geomadr, body);
        let geoms = geoms..geoms + at(&m.body_geomnum, body);
        if m.body_weldid[body] == 0 {
            for g in geoms.clone().filter(|&g| m.geom_type[g] == GeomType::Plane) {
                self.plane_flex(g, f);
            }
        }
        for g in geoms.clone().filter(|&g| m.geom_type[g] == GeomType::Sdf) {
            self.sdf_flex(g, f);
        }
        let special = |g: usize| matches!(m.geom_type[g], GeomType::Plane | GeomType::Sdf);
        if geoms.clone().all(special) {
            return;
        }
        let frame = RotatedBox::new(rows::<9>(&d.ximat)[body], rows::<3>(&d.xipos)[body]);
        let margin = self.margin(m.body_margin[body] + m.flex_margin[f]);
        let first = at(&m.body_bvhadr, body);
        let body_boxes = &rows::<6>(&m.bvh_aabb)[first..first + at(&m.body_bvhnum, body)];
        let flex_boxes = self.boxes(f);
        let mut stack = std::mem::take(&mut self.work.stack);
        stack.clear();
        stack.push([0, 0]);
        while let Some([n1, n2]) = stack.pop() {
            let one = self.nodes(m.body_bvhadr[body], m.body_bvhnum[body]);
            let two = self.nodes(m.flex_bvhadr[f], m.flex_bvhnum[f]);
            let (geom, element) = (one.object[n1 as usize], two.object[n2 as usize]);
            // planes and distance fields are handled above
            if geom >= 0 && special(geom as usize) {
                continue;
            }
            let (b1, b2) = (&body_boxes[n1 as usize], &flex_boxes[n2 as usize]);
            if geom >= 0 && element >= 0 {
                self.leaf_pair(geom as usize, f, element as usize, b2);
                continue;
            }
            if frame.separated(b1, b2, margin) {
                continue;
            }
            let descend_first = geom < 0 && (element >= 0 || measure(b1) > measure(b2));
            let child = if descend_first { one.child[n1 as usize] } else { two.child[n2 as usize] };
            for c in child.into_iter().filter(|&c| c >= 0) {
                stack.push(if descend_first { [c as u32, n2] } else { [n1, c as u32] });
            }
        }
        self.work.stack = stack;
    }

    /// Filters of a geom and an element, then their contacts.
    fn leaf_pair(&mut self, g: usize, f: usize, e: usize, b: &[f64; 6]) {
        let (m, d) = (self.m, self.d);
        let margin = self.margin(m.geom_margin[g] + m.flex_margin[f]);
        let pos = rows::<3>(&d.geom_xpos)[g];
        if !masks_match([m.geom_contype[g], m.geom_conaffinity[g]], self.flex_masks(f))
            || sphere_box_separated(pos, m.geom_rbound[g] + margin, b)
        {
            return;
        }
        let frame = RotatedBox::new(rows::<9>(&d.geom_xmat)[g], pos);
        if !frame.separated(&rows::<6>(&m.geom_aabb)[g], b, margin) {
            self.geom_element(g, f, e);
        }
    }

    /// Adds the contacts of the elements of two flexes, or of one flex with itself.
    pub(super) fn flex_trees(&mut self, f1: usize, f2: usize) {
        let m = self.m;
        let margin = self.margin(m.flex_margin[f1] + m.flex_margin[f2]);
        let (boxes1, boxes2) = (self.boxes(f1), self.boxes(f2));
        let mut stack = std::mem::take(&mut self.work.stack);
        stack.clear();
        stack.push([0, 0]);
        while let Some([n1, n2]) = stack.pop() {
            // each pair of nodes of one flex is visited once
            if f1 == f2 && n1 > n2 {
                continue;
            }
            let one = self.nodes(m.flex_bvhadr[f1], m.flex_bvhnum[f1]);
            let two = self.nodes(m.flex_bvhadr[f2], m.flex_bvhnum[f2]);
            let (e1, e2) = (one.object[n1 as usize], two.object[n2 as usize]);
            if e1 >= 0 && e2 >= 0 {
                self.elements([f1, f2], [e1 as usize, e2 as usize]);
                continue;
            }
            let (b1, b2) = (&boxes1[n1 as usize], &boxes2[n2 as usize]);
            if boxes_separated(b1, b2, margin) {
                continue;
            }
            let descend_first = e1 < 0 && (e2 >= 0 || measure(b1) > measure(b2));
            let child = if descend_first { one.child[n1 as usize] } else { two.child[n2 as usize] };
            for c in child.into_iter().filter(|&c| c >= 0) {
                stack.push(if descend_first { [c as u32, n2] } else { [n1, c as u32] });
            }
        }
        self.work.stack = stack;
    }
}
