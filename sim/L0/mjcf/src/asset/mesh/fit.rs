//! Fitting of a geometric primitive to a mesh (mjCMesh::FitGeom).

use super::Mesh;

/// Primitives that can be fitted to a mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitShape {
    /// A sphere.
    Sphere,
    /// A capsule along z.
    Capsule,
    /// A cylinder along z.
    Cylinder,
    /// An ellipsoid.
    Ellipsoid,
    /// A box.
    Box,
}

/// A primitive fitted to a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Geom sizes; `None` for those that the shape does not use.
    pub size: [Option<f64>; 3],
    /// Center in the mesh's inertial frame.
    pub center: [f64; 3],
}

impl Mesh {
    /// Fits a shape to the equivalent inertia box, or to the bounding box if `aabb`, scaled by
    /// `scale`.
    #[must_use]
    pub fn fit(&self, shape: FitShape, aabb: bool, scale: f64) -> Fitted {
        let (size, center) =
            if aabb { self.fit_aabb(shape) } else { (self.fit_box(shape), [0.0; 3]) };
        Fitted { size: size.map(|s| s.map(|s| s * scale)), center }
    }

    fn fit_box(&self, shape: FitShape) -> [Option<f64>; 3] {
        let [x, y, z] = self.inertia_box;
        let radius = (x + y) / 2.0;
        match shape {
            FitShape::Sphere => [Some((x + y + z) / 3.0), None, None],
            FitShape::Capsule => [Some(radius), Some((z - radius / 2.0).max(0.0)), None],
            FitShape::Cylinder => [Some(radius), Some(z), None],
            FitShape::Ellipsoid | FitShape::Box => [Some(x), Some(y), Some(z)],
        }
    }

    fn fit_aabb(&self, shape: FitShape) -> ([Option<f64>; 3], [f64; 3]) {
        let center: [f64; 3] = std::array::from_fn(|k| (self.aamm[k] + self.aamm[k + 3]) / 2.0);
        let [x, y, z] = std::array::from_fn(|k| self.aamm[k + 3] - center[k]);
        let size = match shape {
            FitShape::Sphere => [Some(x.max(y).max(z)), None, None],
            FitShape::Capsule => [Some(x.max(y)), Some(z - x.max(y)), None],
            FitShape::Cylinder => [Some(x.max(y)), Some(z), None],
            FitShape::Ellipsoid | FitShape::Box => [Some(x), Some(y), Some(z)],
        };
        (size, center)
    }
}
