//! Surfaces of triangles that change from image to image: deformable bodies, and those of a user.

use crate::{Category, Rgba, Scene, SceneGeomType};
use sim_core::types::ObjType;

/// Triangles in world coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Surface {
    /// Positions of the vertices (m).
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals at the vertices; as many as vertices.
    pub normals: Vec<[f32; 3]>,
    /// Vertices of each triangle, counterclockwise where it is seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    /// A surface with smooth normals: the means of those of the adjacent triangles, weighted by area.
    /// Triangles with vertices that do not exist are left out.
    ///
    /// ```
    /// use sim_scene::Surface;
    /// let vertices = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let surface = Surface::smooth(vertices, vec![[0, 1, 2]]);
    /// assert_eq!(surface.normals[0], [0.0, 0.0, 1.0]);
    /// assert_eq!(surface.two_sided().triangles.len(), 2);
    /// ```
    #[must_use]
    pub fn smooth(vertices: Vec<[f32; 3]>, mut triangles: Vec<[u32; 3]>) -> Self {
        triangles.retain(|triangle| triangle.iter().all(|&v| (v as usize) < vertices.len()));
        let mut normals = vec![[0.0; 3]; vertices.len()];
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|v| vertices[v as usize]);
            let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let normal: [f32; 3] = std::array::from_fn(|k| {
                let (i, j) = ((k + 1) % 3, (k + 2) % 3);
                u[i] * v[j] - u[j] * v[i]
            });
            for &vertex in triangle {
                let sum = &mut normals[vertex as usize];
                *sum = std::array::from_fn(|k| sum[k] + normal[k]);
            }
        }
        for normal in &mut normals {
            let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt();
            *normal = if length > 0.0 { normal.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
        }
        Self { vertices, normals, triangles }
    }

    /// The surface with a back side: every triangle a second time, reversed and with opposite normals.
    #[must_use]
    pub fn two_sided(mut self) -> Self {
        let (vertices, triangles) = (self.vertices.len(), self.triangles.len());
        let offset = u32::try_from(vertices).unwrap_or(u32::MAX);
        self.vertices.extend_from_within(..);
        self.normals.extend_from_within(..);
        self.triangles.extend_from_within(..);
        self.normals.iter_mut().skip(vertices).for_each(|normal| *normal = normal.map(|x| -x));
        for triangle in &mut self.triangles[triangles..] {
            let [a, b, c] = triangle.map(|v| v.saturating_add(offset));
            *triangle = [c, b, a];
        }
        self
    }
}

impl Scene {
    /// Adds a surface as a geom of the type [`SceneGeomType::Surface`]; it is omitted and [`Scene::status`]
    /// set if the scene is full. `object` is the type and index of what it shows, for segmentation.
    ///
    /// Surfaces and their geoms are removed when the scene is updated.
    pub fn add_surface(&mut self, surface: Surface, object: (ObjType, usize), rgba: Rgba) {
        let (kind, id) = object;
        let Some(mut geom) = self.acquire(id, Category::DYNAMIC, kind) else { return };
        let pos = surface.vertices.first().map(|v| v.map(f64::from));
        geom.init(SceneGeomType::Surface, None, pos, None, Some(rgba));
        geom.dataid = i32::try_from(self.surfaces.len()).unwrap_or(-1);
        self.surfaces.push(surface);
        self.push(geom);
    }
}
