//! `link` elements: inertia, shapes and materials.

use super::Reader;
use crate::robot::{Geometry, Inertial, Link, Material, Role, Shape};
use sim_mjcf::ErrorKind;
use sim_mjcf::frontend::{Element, Report};

impl<'a> Reader<'a, '_> {
    pub(super) fn link(&mut self, element: Element<'a>, name: &str) -> Link {
        let origin = element.origin(&mut self.spec);
        let inertial = Self::child(element, "inertial").and_then(|child| self.inertial(child));
        let mut shapes = Vec::new();
        for child in element.children() {
            match child.name() {
                "visual" => shapes.extend(self.shape(child, Role::Visual)),
                "collision" => shapes.extend(self.shape(child, Role::Collision)),
                _ => {}
            }
        }
        if name == "world" && inertial.is_some() {
            let message = "has no effect: the link `world` is the static world";
            Self::child(element, "inertial").unwrap_or(element).warning(self.report, message);
        }
        Link { name: name.to_owned(), inertial, shapes, origin }
    }

    fn inertial(&mut self, element: Element<'a>) -> Option<Inertial> {
        let origin = element.origin(&mut self.spec);
        let pose = self.pose(element);
        let mass = self.required_child(element, "mass", "<mass value=\"1\"/>");
        let inertia = self.required_child(
            element,
            "inertia",
            "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>",
        );
        let mass = mass.and_then(|mass| self.required_numbers::<1>(mass, "value"));
        let inertia = inertia.and_then(|inertia| {
            // All entries are read, so that all missing ones are reported.
            let entries = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]
                .map(|name| self.required_numbers::<1>(inertia, name));
            let [Some([a]), Some([b]), Some([c]), Some([d]), Some([e]), Some([f])] = entries else {
                return None;
            };
            Some([a, b, c, d, e, f])
        });
        Some(Inertial { pose, mass: mass?[0], inertia: inertia?, origin })
    }

    fn shape(&mut self, element: Element<'a>, role: Role) -> Option<Shape> {
        let origin = element.origin(&mut self.spec);
        let name = element.attribute("name").unwrap_or_default().to_owned();
        let material = Self::child(element, "material")
            .filter(|_| role == Role::Visual)
            .map(|material| self.shape_material(material));
        // MuJoCo does not read the geometry of discarded visuals.
        let discarded = role == Role::Visual && self.spec.compiler.discardvisual;
        let mut suppressed = Report::default();
        if discarded {
            std::mem::swap(self.report, &mut suppressed);
        }
        let pose = self.pose(element);
        let geometry = self
            .required_child(element, "geometry", "<geometry><sphere radius=\"0.1\"/></geometry>")
            .and_then(|geometry| self.geometry(geometry));
        if discarded {
            std::mem::swap(self.report, &mut suppressed);
            for error in suppressed.check().err().iter().flatten() {
                let message = format!("is invalid and discarded like all visuals: {}", error.kind);
                self.report.warning(error.location.clone(), &error.element, message);
            }
        }
        if geometry.is_none() && !discarded {
            return None;
        }
        Some(Shape { name, role, pose, geometry, material, origin })
    }

    fn geometry(&mut self, element: Element<'a>) -> Option<Geometry> {
        let mut shapes = ["box", "cylinder", "sphere", "capsule", "mesh"]
            .into_iter()
            .filter_map(|name| Self::child(element, name));
        let Some(shape) = shapes.next() else {
            let message = "requires one of <box>, <cylinder>, <sphere>, <capsule> and <mesh>";
            element.error(self.report, None, ErrorKind::Invalid(message.into()));
            return None;
        };
        if let Some(other) = shapes.next() {
            let message = format!("has no effect: the geometry already has <{}>", shape.name());
            other.warning(self.report, message);
        }
        Some(match shape.name() {
            "box" => {
                let size: [f64; 3] = self.required_numbers(shape, "size")?;
                if !self.check_positive(shape, "size", &size) {
                    return None;
                }
                Geometry::Box(size)
            }
            "sphere" => Geometry::Sphere { radius: self.positive(shape, "radius")? },
            "mesh" => {
                let filename = self.required_text(shape, "filename")?.to_owned();
                let scale = self.numbers(shape, "scale").unwrap_or([1.0; 3]);
                Geometry::Mesh { filename, scale, origin: shape.origin(&mut self.spec) }
            }
            kind => {
                let (radius, length) =
                    (self.positive(shape, "radius"), self.positive(shape, "length"));
                let (radius, length) = (radius?, length?);
                match kind {
                    "cylinder" => Geometry::Cylinder { radius, length },
                    _ => Geometry::Capsule { radius, length },
                }
            }
        })
    }

    /// Material of a shape, which requires a name, a color or a texture.
    fn shape_material(&mut self, element: Element<'a>) -> Material {
        let looks = |name| Self::child(element, name).is_some();
        if !looks("color") && !looks("texture") {
            self.required_text(element, "name");
        }
        self.material(element)
    }

    #[allow(clippy::cast_possible_truncation, reason = "colors have single precision")]
    pub(super) fn material(&mut self, element: Element<'a>) -> Material {
        let rgba = Self::child(element, "color")
            .and_then(|color| self.required_numbers::<4>(color, "rgba"))
            .map(|rgba| rgba.map(|x| x as f32));
        let texture = Self::child(element, "texture")
            .and_then(|texture| self.required_text(texture, "filename"))
            .map(ToOwned::to_owned);
        let name = element.attribute("name").unwrap_or_default().to_owned();
        Material { name, rgba, texture, origin: element.origin(&mut self.spec) }
    }
}
