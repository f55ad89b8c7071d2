//! Shapes of everything that a model can show.

use crate::mesh_buffer::{MeshBuffer, Shape};
use crate::tessellation::{self, Builtin, Vertex};
use sim_core::Model;
use sim_core::types::GeomType;
use std::ops::Range;

/// Shapes, and which of them each geom type consists of.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    shapes: Vec<Shape>,
    builtin: Vec<Range<u32>>,
    /// The unit plane, then the plane geoms of the model; blocks of a grid.
    planes: Vec<Range<u32>>,
    /// Two per mesh: its faces, and its convex hull.
    meshes: Vec<Range<u32>>,
    hfields: Vec<Range<u32>>,
    pub haze: Range<u32>,
    pub line: Range<u32>,
    pub line_box: Range<u32>,
    pub triangle: Range<u32>,
}

/// Shapes that are added one after the other.
#[derive(Default)]
struct Shapes {
    shapes: Vec<Shape>,
    meshes: MeshBuffer,
}

impl Shapes {
    /// Adds a shape with three vertices per triangle.
    fn add(&mut self, corners: &[Vertex]) -> Range<u32> {
        self.add_blocks(std::iter::once(corners))
    }

    /// Adds a shape of several blocks.
    fn add_blocks(&mut self, blocks: impl Iterator<Item = impl AsRef<[Vertex]>>) -> Range<u32> {
        let start = self.shapes.len() as u32;
        for block in blocks {
            self.shapes.push(self.meshes.add_triangles(block.as_ref()));
        }
        start..self.shapes.len() as u32
    }
}

impl Geometry {
    /// Tessellates all shapes of a model.
    pub(crate) fn new(m: &Model) -> (Self, MeshBuffer) {
        let quality = &m.vis.quality;
        let at_least = |n: i32, least: usize| (n.clamp(0, 1000) as usize).max(least);
        let slices = at_least(quality.numslices, 3);
        let stacks = at_least(quality.numstacks, 2);
        let quads = at_least(quality.numquads, 1);
        let far = f64::from(m.vis.map.zfar) * m.stat.extent;
        let mut all = Shapes::default();
        let builtin = Builtin::ALL.map(|s| all.add(&s.vertices(slices, stacks, quads))).into();
        let mut planes = vec![all.add(&tessellation::unit_plane(quads))];
        for i in (0..m.ngeom).filter(|&i| m.geom_type[i] == GeomType::Plane) {
            let size = [0, 1, 2].map(|k| m.geom_size[3 * i + k]);
            let repeat = usize::try_from(m.geom_matid[i])
                .map_or([0.0; 2], |mat| [0, 1].map(|k| m.mat_texrepeat[2 * mat + k]));
            planes.push(all.add_blocks(tessellation::plane(size, repeat, far).into_iter()));
        }
        let mut meshes = Vec::with_capacity(2 * m.nmesh);
        for i in 0..m.nmesh {
            meshes.push(all.add(&tessellation::mesh(m, i)));
            meshes.push(all.add(&tessellation::convex_hull(m, i)));
        }
        let hfields = (0..m.nhfield).map(|i| all.add(&tessellation::hfield(m, i, quads))).collect();
        let haze = all.add(&tessellation::haze(slices, m.vis.map.haze));
        let line = all.add(&lines(&[[[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]]));
        let line_box = all.add(&lines(&box_edges()));
        let corner = |x: f32, y: f32| Vertex::new([x, y, 0.0], [0.0, 0.0, 1.0]);
        let triangle = all.add(&[corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0)]);
        let Shapes { shapes, meshes: buffer } = all;
        let geometry =
            Self { shapes, builtin, planes, meshes, hfields, haze, line, line_box, triangle };
        (geometry, buffer)
    }

    /// All shapes; ranges refer to them.
    pub(crate) fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    pub(crate) fn builtin(&self, shape: Builtin) -> Range<u32> {
        self.builtin[shape as usize].clone()
    }

    /// Plane geom number `dataid` of the model, or `None` for the unit plane.
    pub(crate) fn plane(&self, dataid: i32) -> Option<Range<u32>> {
        usize::try_from(dataid).ok().and_then(|i| self.planes.get(i + 1).cloned())
    }

    pub(crate) fn unit_plane(&self) -> Range<u32> {
        self.planes[0].clone()
    }

    /// Mesh `dataid / 2`, or its convex hull if `dataid` is odd.
    pub(crate) fn mesh(&self, dataid: i32) -> Range<u32> {
        usize::try_from(dataid).ok().and_then(|i| self.meshes.get(i).cloned()).unwrap_or(0..0)
    }

    pub(crate) fn hfield(&self, dataid: i32) -> Range<u32> {
        usize::try_from(dataid).ok().and_then(|i| self.hfields.get(i).cloned()).unwrap_or(0..0)
    }
}

fn lines(segments: &[[[f32; 3]; 2]]) -> Vec<Vertex> {
    let mut out = Vec::with_capacity(6 * segments.len());
    segments.iter().for_each(|&[a, b]| tessellation::segment(&mut out, a, b));
    out
}

/// The twelve edges of the cube from -1 to 1.
fn box_edges() -> Vec<[[f32; 3]; 2]> {
    let mut edges = Vec::with_capacity(12);
    for axis in 0..3 {
        for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            edges.push([-1.0, 1.0].map(|along| {
                let mut p = [0.0; 3];
                p[axis] = along;
                p[(axis + 1) % 3] = u;
                p[(axis + 2) % 3] = v;
                p
            }));
        }
    }
    edges
}
