//! Contacts inside a flex: vertices against adjacent elements, and inverted tetrahedra.

use super::super::contact::{FlexSide, flex_params};
use super::super::manifold::ContactPoint;
use super::super::narrow::sphere_capsule;
use super::super::shape::Shape;
use super::Collider;
use crate::math::at;
use crate::math::mat3;
use crate::math::vec3::{self, Vec3};
use sim_types::{Contact, GeomType};

/// Vertices of the faces of a tetrahedron, and the opposite vertex.
const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];

impl Collider<'_> {
    /// Adds the contacts inside a flex.
    #[doc(alias = "mj_collideFlexInternal")]
    pub(super) fn internal(&mut self, f: usize) {
        let m = self.m;
        if let Ok(first) = usize::try_from(m.flex_evpairadr[f]) {
            for i in first..first + at(&m.flex_evpairnum, f) {
                let [e, v] = m.flex_evpair.as_chunks::<2>().0[i];
                self.element_vertex(f, e as usize, v as usize);
            }
        }
        if m.flex_dim[f] == 3 {
            self.inverted_elements(f);
        }
    }

    /// Contacts of vertices closer to the opposite face of their tetrahedron than twice the radius.
    fn inverted_elements(&mut self, f: usize) {
        let m = self.m;
        let radius = m.flex_radius[f];
        let mut template = flex_params(m, [FlexSide::Flex(f); 2], 0.0, false);
        template.set_dim(1);
        template.flex = [f as i32; 2];
        let x = self.vertices(f);
        for e in 0..at(&m.flex_elemnum, f) {
            let corners = self.corners(f, e);
            template.elem = [e as i32, -1];
            for face in FACES {
                let [a, b, c, v] = face.map(|k| x[corners[k] as usize]);
                let (normal, _) = vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)));
                let height = vec3::dot(vec3::sub(v, a), normal);
                if height <= -2.0 * radius {
                    continue;
                }
                template.vert = [-1, corners[face[3]]];
                let point = ContactPoint {
                    dist: -height - 2.0 * radius,
                    pos: vec3::add_scaled(v, normal, -0.5 * height),
                    normal: vec3::scale(normal, -1.0),
                    tangent: [0.0; 3],
                };
                self.work.contacts.push(template.at(&point));
            }
        }
    }

    /// Contacts of a vertex with an element of dimension 1 or 2, without margin.
    #[doc(alias = "mj_collideElemVert")]
    fn element_vertex(&mut self, f: usize, e: usize, v: usize) {
        let m = self.m;
        let (radius, vertex): (f64, Vec3) = (m.flex_radius[f], self.vertices(f)[v]);
        let contact_distance = self.margin(m.flex_margin[f]) + radius;
        let b = self.element_box(f, e);
        if (0..3).any(|k| {
            b[k] - b[k + 3] > vertex[k] + contact_distance
                || b[k] + b[k + 3] < vertex[k] - contact_distance
        }) {
            return;
        }
        self.manifold.clear();
        if m.flex_dim[f] == 1 {
            let sphere = Shape {
                kind: GeomType::Sphere,
                pos: vertex,
                mat: &mat3::IDENTITY,
                size: [radius, 0.0, 0.0],
                rbound: radius,
                mesh: None,
                hfield: None,
            };
            sphere_capsule(&sphere, &self.segment(f, e).shape(), 0.0, self.manifold);
        } else {
            self.triangle(f, e).sphere(vertex, radius, 0.0, self.manifold);
        }
        let ids = Contact {
            flex: [f as i32; 2],
            elem: [-1, e as i32],
            vert: [v as i32, -1],
            ..Contact::default()
        };
        self.push([FlexSide::Flex(f); 2], 0.0, false, &ids);
    }
}
