//! Conversion of visual and collision shapes to geoms.

use super::{Converter, rotation};
use crate::robot::{Geometry, Link, Role, Shape};
use sim_core::types::GeomType;
use sim_mjcf::spec::{Geom, Orientation};
use std::collections::HashSet;

impl<'a> Converter<'a, '_> {
    /// Geoms of a link. A color also applies to subsequent shapes without one, including
    /// collisions.
    pub(super) fn shapes(&mut self, link: &'a Link, names: &mut HashSet<&'a str>) -> Vec<Geom> {
        let mut geoms = Vec::new();
        let mut rgba = None;
        for shape in &link.shapes {
            let is_visual = shape.role == Role::Visual;
            let mut material = String::new();
            if is_visual {
                rgba = self.color(shape).or(rgba);
                if self.spec.compiler.discardvisual {
                    continue;
                }
                material = self.texture_material(shape);
            }
            let Some(geometry) = &shape.geometry else { continue };
            let mut geom = self.geom(shape, geometry);
            geom.material = material;
            // As in MuJoCo, a negative red component stands for no color.
            if let Some(rgba) = rgba.filter(|rgba| rgba[0] >= 0.0) {
                geom.rgba = rgba;
            }
            if names.insert(&shape.name) {
                geom.name.clone_from(&shape.name);
            } else if !shape.name.is_empty() {
                let element = if is_visual { "visual" } else { "collision" };
                let message =
                    format!("the name `{}` is already used: this geom is unnamed", shape.name);
                self.warning(shape.origin, element, message);
            }
            geoms.push(geom);
        }
        geoms
    }

    fn geom(&mut self, shape: &'a Shape, geometry: &'a Geometry) -> Geom {
        let (gtype, size, mesh) = match geometry {
            Geometry::Box(edges) => (GeomType::Box, edges.map(|edge| edge / 2.0), String::new()),
            Geometry::Cylinder { radius, length } => {
                (GeomType::Cylinder, [*radius, length / 2.0, 0.0], String::new())
            }
            Geometry::Sphere { radius } => (GeomType::Sphere, [*radius, 0.0, 0.0], String::new()),
            Geometry::Capsule { radius, length } => {
                (GeomType::Capsule, [*radius, length / 2.0, 0.0], String::new())
            }
            Geometry::Mesh { filename, scale, origin } => {
                (GeomType::Mesh, [0.0; 3], self.mesh(filename, *scale, *origin))
            }
        };
        let geom = Geom {
            gtype,
            size,
            mesh,
            pos: shape.pose.xyz,
            orientation: Orientation::Quat(rotation(shape.pose)),
            origin: shape.origin,
            ..Geom::default()
        };
        match shape.role {
            Role::Collision => geom,
            Role::Visual => Geom { contype: 0, conaffinity: 0, group: 1, density: 0.0, ..geom },
        }
    }
}
