//! Contacts of an element with a geom or another element.

use super::super::contact::FlexSide;
use super::super::convex::{Simplex, hfield_simplex, shape_simplex, simplex_pair};
use super::super::narrow::{capsule_box, capsule_capsule, sphere_capsule};
use super::super::shape::Shape;
use super::Collider;
use super::normal::corrected_normal;
use super::pair::{boxes_separated, sphere_box_separated};
use super::triangle::Triangle;
use crate::math::mat3::Mat3;
use crate::math::vec3::{self, Vec3};
use crate::math::{at, quat, rows};
use sim_types::{Contact, GeomType};

/// Pose and size of a segment as a capsule.
pub(super) struct Capsule {
    pos: Vec3,
    mat: Mat3,
    size: Vec3,
}

impl Capsule {
    /// The capsule around a segment.
    #[doc(alias = "mj_makeCapsule")]
    pub(super) fn new(a: Vec3, b: Vec3, radius: f64) -> Self {
        let (axis, length) = vec3::normalize(vec3::sub(a, b));
        Self {
            pos: vec3::scale(vec3::add(a, b), 0.5),
            mat: quat::to_mat(quat::from_z_axis(axis)),
            size: [radius, 0.5 * length, 0.0],
        }
    }

    pub(super) fn shape(&self) -> Shape<'_> {
        Shape {
            kind: GeomType::Capsule,
            pos: self.pos,
            mat: &self.mat,
            size: self.size,
            rbound: self.size[0] + self.size[1],
            mesh: None,
            hfield: None,
        }
    }
}

impl Collider<'_> {
    /// An element as a convex solid.
    pub(super) fn simplex(&self, f: usize, e: usize) -> Simplex {
        let x = self.vertices(f);
        let [cx, cy, cz, ..] = *self.element_box(f, e);
        let mut simplex = Simplex::new([cx, cy, cz], self.m.flex_radius[f]);
        for &v in self.corners(f, e) {
            simplex.push(x[v as usize]);
        }
        simplex
    }

    /// An element of two vertices as a capsule.
    pub(super) fn segment(&self, f: usize, e: usize) -> Capsule {
        let (x, corners) = (self.vertices(f), self.corners(f, e));
        let [a, b] = [0, 1].map(|k| x[corners[k] as usize]);
        Capsule::new(a, b, self.m.flex_radius[f])
    }

    /// An element of three vertices.
    pub(super) fn triangle(&self, f: usize, e: usize) -> Triangle {
        let (x, corners) = (self.vertices(f), self.corners(f, e));
        let corners = [0, 1, 2].map(|k| x[corners[k] as usize]);
        Triangle { corners, radius: self.m.flex_radius[f] }
    }

    /// Adds the contacts of a geom and an element.
    #[doc(alias = "mj_collideGeomElem")]
    pub(super) fn geom_element(&mut self, g: usize, f: usize, e: usize) {
        let (m, d) = (self.m, self.d);
        let margin = self.margin(m.geom_margin[g] + m.flex_margin[f]);
        if !self.midphase {
            let (pos, radius) = (rows::<3>(&d.geom_xpos)[g], m.geom_rbound[g] + margin);
            if sphere_box_separated(pos, radius, self.element_box(f, e)) {
                return;
            }
        }
        let bodies = &m.flex_vertbodyid[crate::flex::vertices(m, f)];
        let body = m.geom_bodyid[g];
        if self.corners(f, e).iter().any(|&v| bodies[v as usize] == body) {
            return;
        }
        let Some(shape) = Shape::of(m, d, g) else { return };
        self.manifold.clear();
        match (m.flex_dim[f], shape.kind) {
            (1, GeomType::Sphere) => {
                sphere_capsule(&shape, &self.segment(f, e).shape(), margin, self.manifold);
            }
            (1, GeomType::Capsule) => {
                capsule_capsule(&shape, &self.segment(f, e).shape(), margin, self.manifold);
            }
            (1, GeomType::Box) => {
                capsule_box(&self.segment(f, e).shape(), &shape, margin, self.manifold);
                for point in self.manifold.as_mut_slice() {
                    point.normal = vec3::scale(point.normal, -1.0);
                }
            }
            (_, GeomType::HField) => {
                let simplex = self.simplex(f, e);
                hfield_simplex(&shape, &simplex, margin, &self.opt, self.ccd, self.manifold);
            }
            (2, GeomType::Sphere) => {
                let triangle = self.triangle(f, e);
                triangle.sphere(shape.pos, shape.size[0], margin, self.manifold);
            }
            (2, GeomType::Box) => self.triangle(f, e).cuboid(&shape, margin, self.manifold),
            (2, GeomType::Capsule) => self.triangle(f, e).capsule(&shape, margin, self.manifold),
            (dim, _) => {
                let simplex = self.simplex(f, e);
                shape_simplex(&shape, &simplex, margin, &self.opt, self.ccd, self.manifold);
                if dim == 2 {
                    for point in self.manifold.as_mut_slice() {
                        point.normal = corrected_normal(&shape, point);
                    }
                }
            }
        }
        let ids = Contact {
            geom: [g as i32, -1],
            flex: [-1, f as i32],
            elem: [-1, e as i32],
            ..Contact::default()
        };
        self.push([FlexSide::Geom(g), FlexSide::Flex(f)], margin, true, &ids);
    }

    /// Adds the contacts of two elements. Contacts of a flex with itself have no margin.
    #[doc(alias = "mj_collideElems")]
    pub(super) fn elements(&mut self, [f1, f2]: [usize; 2], [e1, e2]: [usize; 2]) {
        let m = self.m;
        let margin =
            if f1 == f2 { 0.0 } else { self.margin(m.flex_margin[f1] + m.flex_margin[f2]) };
        if boxes_separated(self.element_box(f1, e1), self.element_box(f2, e2), margin) {
            return;
        }
        let bodies = [f1, f2].map(|f| &m.flex_vertbodyid[crate::flex::vertices(m, f)]);
        for &v1 in self.corners(f1, e1) {
            let body = bodies[0][v1 as usize];
            let same = |&v2: &i32| bodies[1][v2 as usize] == body;
            if body >= 0 && self.corners(f2, e2).iter().any(same) {
                return;
            }
        }
        self.manifold.clear();
        if m.flex_dim[f1] == 1 && m.flex_dim[f2] == 1 {
            let (one, two) = (self.segment(f1, e1), self.segment(f2, e2));
            capsule_capsule(&one.shape(), &two.shape(), margin, self.manifold);
        } else {
            let (one, two) = (self.simplex(f1, e1), self.simplex(f2, e2));
            if one.is_separated(&two, margin, self.opt.tolerance) {
                return;
            }
            simplex_pair(&one, &two, margin, &self.opt, self.ccd, self.manifold);
        }
        let ids = Contact {
            flex: [f1 as i32, f2 as i32],
            elem: [e1 as i32, e2 as i32],
            ..Contact::default()
        };
        self.push([FlexSide::Flex(f1), FlexSide::Flex(f2)], margin, f1 != f2, &ids);
    }

    /// Adds the contacts of the triangles of a flex with a signed distance field.
    pub(super) fn sdf_flex(&mut self, g: usize, f: usize) {
        let m = self.m;
        if m.flex_dim[f] != 2 {
            return;
        }
        let margin = self.margin(m.geom_margin[g] + m.flex_margin[f]);
        let Some(shape) = Shape::of(m, self.d, g) else { return };
        let nodes = usize::try_from(m.flex_bvhadr[f]).map(|first| {
            let range = first..first + at(&m.flex_bvhnum, f);
            let child = &m.bvh_child.as_chunks::<2>().0[range.clone()];
            (self.boxes(f), child, &m.bvh_nodeid[range])
        });
        let corners = |e: usize| self.triangle(f, e).corners;
        let found = super::super::sdf::flex_sdf_contacts(m, g, &shape, nodes.ok(), corners);
        let Some(found) = found else { return };
        for (element, point) in found.iter() {
            self.manifold.clear();
            self.manifold.push(*point);
            let ids = Contact {
                geom: [g as i32, -1],
                flex: [-1, f as i32],
                elem: [-1, element as i32],
                ..Contact::default()
            };
            self.push([FlexSide::Geom(g), FlexSide::Flex(f)], margin, true, &ids);
        }
    }
}
