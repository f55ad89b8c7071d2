//! Triangles of all geom types.
//!
//! Shading is computed at vertices and interpolated, so the subdivision of flat faces and the order of
//! vertices affect the colours of an image.

mod builtin;
mod hfield;
mod mesh;
mod plane;

pub(crate) use builtin::{Builtin, haze};
pub(crate) use hfield::hfield;
pub(crate) use mesh::{convex_hull, mesh};
pub(crate) use plane::{plane, unit_plane};

use bytemuck::{Pod, Zeroable};

/// A vertex of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    /// Position in the frame of the object.
    pub position: [f32; 3],
    /// Unit normal in the frame of the object. For lines, the other end of the segment.
    pub normal: [f32; 3],
    /// Texture coordinates. For haze, the opacity; for lines, the side and the end.
    pub uv: [f32; 2],
}

impl Vertex {
    /// A vertex without texture coordinates.
    pub(crate) fn new(position: [f32; 3], normal: [f32; 3]) -> Self {
        Self { position, normal, uv: [0.0; 2] }
    }
}

/// Appends a quadrilateral as two triangles that share the diagonal from the second to the fourth vertex.
pub(crate) fn quad(out: &mut Vec<Vertex>, v: [Vertex; 4]) {
    out.extend([v[0], v[1], v[3], v[1], v[2], v[3]]);
}

/// Appends the six vertices of a line segment of constant width on the screen.
pub(crate) fn segment(out: &mut Vec<Vertex>, a: [f32; 3], b: [f32; 3]) {
    let end = |from, to, side, end| Vertex { position: from, normal: to, uv: [side, end] };
    // the direction reverses at the second end, so that its sides are exchanged
    let corners =
        [end(a, b, -1.0, 0.0), end(b, a, 1.0, 1.0), end(b, a, -1.0, 1.0), end(a, b, 1.0, 0.0)];
    quad(out, corners);
}

/// Unit normal of a triangle; the z axis for a degenerate triangle.
pub(crate) fn triangle_normal(a: [f32; 3], b: [f32; 3], c: [f32; 3]) -> [f32; 3] {
    let (u, v) = (sub(b, a), sub(c, a));
    normalize(cross(u, v))
}

pub(crate) fn sub(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The unit vector in the direction of `v`; the z axis for a vector shorter than 1e-10.
pub(crate) fn normalize(v: [f32; 3]) -> [f32; 3] {
    let length = dot(v, v).sqrt();
    if length < 1e-10 { [0.0, 0.0, 1.0] } else { v.map(|x| x / length) }
}

#[cfg(test)]
mod tests {
    use super::{Builtin, Vertex, cross, dot, sub};

    /// Every triangle of a closed convex shape faces outwards and agrees with its vertex normals.
    #[test]
    fn triangles_face_outwards() {
        for shape in [Builtin::Sphere, Builtin::Box, Builtin::Cylinder, Builtin::Cone] {
            let vertices = shape.vertices(28, 16, 4);
            assert_eq!(vertices.len() % 3, 0);
            for t in vertices.chunks_exact(3) {
                let [a, b, c]: [Vertex; 3] = t.try_into().unwrap();
                let n = cross(sub(b.position, a.position), sub(c.position, a.position));
                for v in t {
                    assert!(dot(n, v.normal) > 0.0, "{shape:?} {t:?}");
                    assert!((dot(v.normal, v.normal) - 1.0).abs() < 1e-5, "{shape:?} {v:?}");
                }
            }
        }
    }

    /// The area of the tessellated unit sphere approaches 4π.
    #[test]
    fn sphere_area() {
        let area: f32 = Builtin::Sphere
            .vertices(200, 200, 1)
            .chunks_exact(3)
            .map(|t| {
                let n = cross(sub(t[1].position, t[0].position), sub(t[2].position, t[0].position));
                0.5 * dot(n, n).sqrt()
            })
            .sum();
        assert!((area - 4.0 * std::f32::consts::PI).abs() < 0.01, "{area}");
    }
}
