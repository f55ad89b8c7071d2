//! Mid phase: which geoms of a body are near something, by the tree of boxes around them.

use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};

/// The tree of boxes around the geoms of a body, placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree<'a> {
    /// Centre and half sizes of the box of each node.
    boxes: &'a [[f64; 6]],
    /// Two nodes below each node, counted from the first; -1 at a leaf.
    child: &'a [[i32; 2]],
    /// The geom of a leaf.
    geom: &'a [i32],
    pos: Vec3,
    mat: &'a Mat3,
}

impl<'a> Tree<'a> {
    /// The tree of a body; nothing if it has none.
    pub(super) fn of(m: &'a Model, d: &'a Data, body: usize) -> Option<Self> {
        let start = usize::try_from(m.body_bvhadr[body]).ok()?;
        let nodes = start..start + at(&m.body_bvhnum, body);
        Some(Self {
            boxes: rows(&m.bvh_aabb).get(nodes.clone())?,
            child: m.bvh_child.as_chunks().0.get(nodes.clone())?,
            geom: m.bvh_nodeid.get(nodes)?,
            pos: rows::<3>(&d.xipos)[body],
            mat: &rows::<9>(&d.ximat)[body],
        })
    }

    /// Visits every geom whose box, and those above it, are at most `margin` outside of a region
    /// along the axes of the world, given by its lower and upper ends.
    pub(super) fn within(
        &self,
        region: &[f32; 6],
        margin: f64,
        stack: &mut Vec<u32>,
        visit: impl FnMut(usize),
    ) {
        let [lx, ly, lz, hx, hy, hz] = region.map(f64::from);
        let (low, high) = ([lx, ly, lz], [hx, hy, hz]);
        let turn = self.mat.map(f64::abs);
        let slack = margin + self.rounding(vec3::norm(self.pos));
        let near = |&[x, y, z, ref half @ ..]: &[f64; 6]| {
            let centre = vec3::add(self.pos, mat3::mul_vec(self.mat, [x, y, z]));
            let reach = mat3::mul_vec(&turn, *half);
            (0..3).all(|k| {
                centre[k] - reach[k] - slack <= high[k] && centre[k] + reach[k] + slack >= low[k]
            })
        };
        self.walk(stack, near, visit);
    }

    /// Visits every geom whose box, and those above it, are at most `margin` above a plane.
    pub(super) fn above(
        &self,
        (pos, normal): (Vec3, Vec3),
        margin: f64,
        stack: &mut Vec<u32>,
        visit: impl FnMut(usize),
    ) {
        let local = mat3::mul_transpose_vec(self.mat, normal);
        let shadow = local.map(f64::abs);
        let height = vec3::dot(vec3::sub(self.pos, pos), normal);
        let slack = margin + self.rounding(vec3::norm(self.pos) + vec3::norm(pos));
        let near = |&[x, y, z, ref half @ ..]: &[f64; 6]| {
            height + vec3::dot(local, [x, y, z]) - vec3::dot(shadow, *half) <= slack
        };
        self.walk(stack, near, visit);
    }

    /// What rounding may add to a distance: it must not part what touches.
    fn rounding(&self, far: f64) -> f64 {
        let [x, y, z, half @ ..] = self.boxes.first().copied().unwrap_or_default();
        1e-14 * (far + vec3::norm([x, y, z]) + vec3::norm(half))
    }

    /// Visits the geoms of the leaves that are near, below nodes that are.
    fn walk(
        &self,
        stack: &mut Vec<u32>,
        near: impl Fn(&[f64; 6]) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        stack.clear();
        stack.push(0);
        while let Some(node) = stack.pop() {
            let k = node as usize;
            let Some(bounds) = self.boxes.get(k) else { continue };
            if !near(bounds) {
                continue;
            }
            if let Ok(geom) = usize::try_from(self.geom[k]) {
                visit(geom);
                continue;
            }
            // nodes below have higher numbers, so that every walk ends
            stack.extend(self.child[k].iter().filter(|&&c| c > node as i32).map(|&c| c as u32));
        }
    }
}
