//! Triangles of a flex against a signed distance field (`mjc_FlexSDF`): the deepest point of each triangle.

use super::SdfOptions;
use super::field::Field;
use super::mesh::{Candidates, may_intersect};
use super::pose::{Pose, Transform, rotate};
use crate::Model;
use crate::collision::manifold::{ContactPoint, MAX_CONTACT_POINTS};
use crate::collision::shape::Shape;
use crate::math::vec3::{self, Vec3};
use crate::math::{norm, quat};
use sim_types::MINVAL;

/// Depth of the stack of a traversal.
const STACK: usize = 64;

/// Boxes, children and elements of the nodes of a bounding volume hierarchy.
pub(crate) type Nodes<'a> = (&'a [[f64; 6]], &'a [[i32; 2]], &'a [i32]);

/// Contact points with their elements.
pub(crate) struct FlexContacts {
    points: [(usize, ContactPoint); MAX_CONTACT_POINTS],
    /// Points in the frame of the field, to recognise equal ones.
    local: [Vec3; MAX_CONTACT_POINTS],
    count: usize,
}

impl FlexContacts {
    /// Element and contact point.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &ContactPoint)> {
        self.points[..self.count].iter().map(|(element, point)| (*element, point))
    }
}

/// Contacts of the triangles of a flex with the field of a geom; without a hierarchy there are none.
pub(crate) fn flex_sdf_contacts(
    m: &Model,
    g: usize,
    shape: &Shape<'_>,
    nodes: Option<Nodes<'_>>,
    corners: impl Fn(usize) -> [Vec3; 3],
) -> Option<FlexContacts> {
    let (boxes, child, element) = nodes?;
    let field = Field::of_geom(m, g)?;
    let opt = SdfOptions::of(&m.opt);
    let pose = Pose::new(shape.pos, shape.mat);
    let to_field = Transform::new(&Pose { pos: [0.0; 3], quat: quat::IDENTITY }, &pose);
    let mut found = FlexContacts {
        points: [(0, ContactPoint::default()); MAX_CONTACT_POINTS],
        local: [[0.0; 3]; MAX_CONTACT_POINTS],
        count: 0,
    };
    let mut candidates = 0;
    let (mut stack, mut len) = ([0_usize; STACK], 1);
    while len > 0 {
        len -= 1;
        let node = stack[len];
        let [x, y, z, half @ ..] = boxes[node];
        if field.distance(to_field.apply([x, y, z])) >= norm(&half) {
            continue;
        }
        if let Ok(e) = usize::try_from(element[node]) {
            let local = corners(e).map(|corner| to_field.apply(corner));
            if candidates < MAX_CONTACT_POINTS
                && let Some((point, dist)) = deepest(&local, &field, opt)
            {
                candidates += 1;
                found.add(e, point, dist, &field, &pose);
            }
            continue;
        }
        for c in child[node].into_iter().filter_map(|c| usize::try_from(c).ok()) {
            if len < STACK {
                stack[len] = c;
                len += 1;
            }
        }
    }
    Some(found)
}

/// The deepest of the points found on a triangle.
fn deepest(corners: &[Vec3; 3], field: &Field<'_>, opt: SdfOptions) -> Option<(Vec3, f64)> {
    if !may_intersect(corners, field) {
        return None;
    }
    let mut found = Candidates::default();
    found.search(corners, field, opt);
    let mut best: Option<(Vec3, f64)> = None;
    for &(point, dist) in found.as_slice() {
        if best.is_none_or(|best| dist < best.1) {
            best = Some((point, dist));
        }
    }
    best
}

impl FlexContacts {
    /// Adds the contact at a point of the field's frame; the normal points out of the field.
    fn add(&mut self, element: usize, point: Vec3, dist: f64, field: &Field<'_>, pose: &Pose) {
        let known = |p: &Vec3| vec3::distance(point, *p) < MINVAL;
        if dist > 0.0 || self.local[..self.count].iter().any(known) {
            return;
        }
        let (outward, length) = vec3::normalize(field.gradient(point));
        if length < MINVAL || !length.is_finite() {
            return;
        }
        let (normal, _) = vec3::normalize(rotate(pose.quat, outward));
        let surface = vec3::add(rotate(pose.quat, point), pose.pos);
        let pos = vec3::add_scaled(surface, normal, -0.5 * dist);
        self.local[self.count] = point;
        self.points[self.count] = (element, ContactPoint { dist, pos, normal, tangent: [0.0; 3] });
        self.count += 1;
    }
}
