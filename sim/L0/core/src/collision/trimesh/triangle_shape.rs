//! One triangle as a convex shape: a mesh of three vertices with a front and a back face.

use crate::collision::shape::{Mesh, Shape};
use crate::math::mat3::{self, Mat3};
use crate::math::vec3::{self, Vec3};
use sim_types::GeomType;

const ADR: [i32; 2] = [0, 3];
const NUM: [i32; 2] = [3, 3];
const CORNERS: [i32; 6] = [0, 1, 2, 0, 2, 1];
const MAP_ADR: [i32; 3] = [0, 2, 4];
const MAP_NUM: [i32; 3] = [2, 2, 2];
const MAP: [i32; 6] = [0, 1, 0, 1, 0, 1];

/// Owned data of a triangle's shape, whose frame is at the centroid.
pub(super) struct TriangleShape {
    vertices: [[f32; 3]; 3],
    normals: [Vec3; 2],
    pos: Vec3,
    radius: f64,
}

impl TriangleShape {
    /// A triangle and its normal in the mesh frame, with the mesh's world pose.
    pub(super) fn new(corners: &[Vec3; 3], normal: Vec3, pos: Vec3, mat: &Mat3) -> Self {
        let centroid = super::closest::centroid(corners);
        #[allow(clippy::cast_possible_truncation, reason = "meshes are stored in single precision")]
        let vertices = corners.map(|c| vec3::sub(c, centroid).map(|x| x as f32));
        let radius = |c: &Vec3| vec3::distance(*c, centroid);
        Self {
            vertices,
            normals: [normal, vec3::scale(normal, -1.0)],
            pos: vec3::add(pos, mat3::mul_vec(mat, centroid)),
            radius: corners.iter().map(radius).fold(0.0, f64::max),
        }
    }

    /// The shape.
    pub(super) fn shape<'a>(&'a self, mat: &'a Mat3) -> Shape<'a> {
        let mesh = Mesh {
            vertices: &self.vertices,
            graph: &[],
            hull: None,
            poly_normals: &self.normals,
            poly_adr: &ADR,
            poly_num: &NUM,
            poly_vertices: &CORNERS,
            polymap_adr: &MAP_ADR,
            polymap_num: &MAP_NUM,
            polymap: &MAP,
        };
        Shape {
            kind: GeomType::Mesh,
            pos: self.pos,
            mat,
            size: [0.0; 3],
            rbound: self.radius,
            mesh: Some(mesh),
            hfield: None,
        }
    }
}
