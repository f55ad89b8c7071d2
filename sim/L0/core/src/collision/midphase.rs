//! Mid phase: bounding volume hierarchies of bodies (`mj_collideTree`) and oriented bounding boxes of
//! geoms (`mj_collideOBB`).

use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use crate::math::{at, rows};
use crate::{Data, Model};

/// The bounding volume hierarchy of a body's geoms, posed.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyBvh<'a> {
    /// Centre and half-extents of each node's box, in the body's inertial frame.
    aabb: &'a [[f64; 6]],
    /// Children of each node, relative to the root; -1 at a leaf.
    child: &'a [[i32; 2]],
    /// Geom of a leaf; -1 at an inner node.
    geom: &'a [i32],
    pos: Vec3,
    mat: &'a Mat3,
}

impl<'a> BodyBvh<'a> {
    /// The hierarchy of a body; `None` if it has none.
    pub(super) fn of(m: &'a Model, d: &'a Data, body: usize) -> Option<Self> {
        let start = usize::try_from(m.body_bvhadr[body]).ok()?;
        let nodes = start..start + at(&m.body_bvhnum, body);
        Some(Self {
            aabb: rows(&m.bvh_aabb).get(nodes.clone())?,
            child: m.bvh_child.as_chunks().0.get(nodes.clone())?,
            geom: m.bvh_nodeid.get(nodes)?,
            pos: rows::<3>(&d.xipos)[body],
            mat: &rows::<9>(&d.ximat)[body],
        })
    }

    /// Visits every geom whose box, and those of its ancestors, are within `margin` of a world-aligned
    /// box given by its lower and upper bounds.
    pub(super) fn query_aabb(
        &self,
        region: &[f32; 6],
        margin: f64,
        stack: &mut Vec<u32>,
        visit: impl FnMut(usize),
    ) {
        let [lx, ly, lz, hx, hy, hz] = region.map(f64::from);
        let (low, high) = ([lx, ly, lz], [hx, hy, hz]);
        let abs_mat = self.mat.map(f64::abs);
        let slack = margin + self.rounding_error(vec3::norm(self.pos));
        let overlaps = |&[x, y, z, ref half @ ..]: &[f64; 6]| {
            let centre = vec3::add(self.pos, mat3::mul_vec(self.mat, [x, y, z]));
            let extent = mat3::mul_vec(&abs_mat, *half);
            (0..3).all(|k| {
                centre[k] - extent[k] - slack <= high[k] && centre[k] + extent[k] + slack >= low[k]
            })
        };
        self.traverse(stack, overlaps, visit);
    }

    /// Visits every geom whose box, and those of its ancestors, are within `margin` of the half-space
    /// below a plane (point, normal).
    pub(super) fn query_half_space(
        &self,
        (pos, normal): (Vec3, Vec3),
        margin: f64,
        stack: &mut Vec<u32>,
        visit: impl FnMut(usize),
    ) {
        let local = mat3::mul_transpose_vec(self.mat, normal);
        let abs_local = local.map(f64::abs);
        let height = vec3::dot(vec3::sub(self.pos, pos), normal);
        let slack = margin + self.rounding_error(vec3::norm(self.pos) + vec3::norm(pos));
        let overlaps = |&[x, y, z, ref half @ ..]: &[f64; 6]| {
            height + vec3::dot(local, [x, y, z]) - vec3::dot(abs_local, *half) <= slack
        };
        self.traverse(stack, overlaps, visit);
    }

    /// Bound on the rounding error of box coordinates at distance `scale` from the origin, so that the
    /// tests stay conservative.
    fn rounding_error(&self, scale: f64) -> f64 {
        let [x, y, z, half @ ..] = self.aabb.first().copied().unwrap_or_default();
        1e-14 * (scale + vec3::norm([x, y, z]) + vec3::norm(half))
    }

    /// Visits the geoms of the leaves that pass a test together with all their ancestors.
    fn traverse(
        &self,
        stack: &mut Vec<u32>,
        overlaps: impl Fn(&[f64; 6]) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        stack.clear();
        stack.push(0);
        while let Some(node) = stack.pop() {
            let k = node as usize;
            let Some(aabb) = self.aabb.get(k) else { continue };
            if !overlaps(aabb) {
                continue;
            }
            if let Ok(geom) = usize::try_from(self.geom[k]) {
                visit(geom);
                continue;
            }
            // children have higher indices than their parent, so that malformed trees terminate
            stack.extend(self.child[k].iter().filter(|&&c| c > node as i32).map(|&c| c as u32));
        }
    }
}

/// Lower bound on the separation of two geoms beyond `margin`, from the face axes of their oriented
/// bounding boxes; not positive if none of these axes separates them.
#[doc(alias = "mj_collideOBB")]
pub(super) fn obb_separation(m: &Model, d: &Data, g1: usize, g2: usize, margin: f64) -> f64 {
    let obb = |g: usize| {
        let [x, y, z, half @ ..] = rows::<6>(&m.geom_aabb)[g];
        let (pos, mat) = (rows::<3>(&d.geom_xpos)[g], &rows::<9>(&d.geom_xmat)[g]);
        (vec3::add(pos, mat3::mul_vec(mat, [x, y, z])), mat, half)
    };
    let ((pos1, mat1, half1), (pos2, mat2, half2)) = (obb(g1), obb(g2));
    let offset = vec3::sub(pos2, pos1);
    let abs_rot = mat3::mul(&mat3::transpose(mat1), mat2).map(f64::abs);
    // covers rounding, so that touching geoms are never reported as separated
    let slack = margin + 1e-9 * (m.geom_rbound[g1] + m.geom_rbound[g2]);
    let (offset1, extent2) =
        (mat3::mul_transpose_vec(mat1, offset), mat3::mul_vec(&abs_rot, half2));
    let (offset2, extent1) =
        (mat3::mul_transpose_vec(mat2, offset), mat3::mul_transpose_vec(&abs_rot, half1));
    let mut separation = f64::NEG_INFINITY;
    for k in 0..3 {
        let one = offset1[k].abs() - (half1[k] + extent2[k] + slack);
        let two = offset2[k].abs() - (half2[k] + extent1[k] + slack);
        separation = separation.max(one).max(two);
    }
    separation
}
