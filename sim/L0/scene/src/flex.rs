//! Vertices and faces of flexes (`mjv_updateActiveFlex`).

use crate::{Scene, VisFlag, VisOption, single};
use sim_core::math::rows;
use sim_core::math::vec3::{self, Vec3};
use sim_core::{Data, Model};

/// Faces of a tetrahedron that point outward.
const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]];

fn size(i: i32) -> usize {
    usize::try_from(i).unwrap_or(0)
}

/// Largest number of faces of a flex.
pub(crate) fn face_capacity(m: &Model, f: usize) -> i32 {
    let first = size(m.flex_elemadr[f]);
    let layers = &m.flex_elemlayer[first..first + size(m.flex_elemnum[f])];
    if m.flex_dim[f] == 2 {
        return 2 * m.flex_shellnum[f] + 2 * m.flex_elemnum[f];
    }
    let mut largest = 0;
    for layer in 0.. {
        let count = layers.iter().filter(|&&l| l == layer).count();
        if count == 0 {
            break;
        }
        largest = largest.max(count);
    }
    m.flex_shellnum[f].max(4 * i32::try_from(largest).unwrap_or(0))
}

/// Copies the positions of the vertices of all flexes, and makes their faces: those of the elements, or with the
/// flag [`VisFlag::FlexSkin`] a surface with smooth normals.
///
/// Reads `flexvert_xpos`.
#[doc(alias = "mjv_updateActiveFlex")]
pub fn mjv_update_flex(m: &Model, d: &Data, option: &VisOption, scene: &mut Scene) {
    [scene.flexvertopt, scene.flexedgeopt, scene.flexfaceopt, scene.flexskinopt] =
        [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin]
            .map(|flag| option.flag(flag));
    for (to, from) in scene.flexvert.iter_mut().zip(rows::<3>(&d.flexvert_xpos)) {
        *to = from.map(single);
    }
    for f in 0..m.nflex {
        let mut faces = Faces::new(m, d, f, scene);
        if m.flex_dim[f] > 1 && option.flag(VisFlag::FlexSkin) {
            faces.skin();
        } else if m.flex_dim[f] > 1 && option.flag(VisFlag::FlexFace) {
            faces.elements(option.flex_layer);
        }
        let used = faces.count;
        if let Some(count) = scene.flexfaceused.get_mut(f) {
            *count = i32::try_from(used).unwrap_or(0);
        }
    }
}

/// The faces of one flex under construction.
struct Faces<'a> {
    m: &'a Model,
    f: usize,
    /// Vertices of the flex.
    x: &'a [Vec3],
    radius: f64,
    face: &'a mut [[[f32; 3]; 3]],
    normal: &'a mut [[[f32; 3]; 3]],
    texcoord: &'a mut [[[f32; 2]; 3]],
    count: usize,
}

impl<'a> Faces<'a> {
    fn new(m: &'a Model, d: &'a Data, f: usize, scene: &'a mut Scene) -> Self {
        let vertices = size(m.flex_vertadr[f]);
        let first = scene.flexfaceadr.get(f).map_or(0, |&adr| size(adr));
        let range = first..first + scene.flexfacenum.get(f).map_or(0, |&num| size(num));
        Self {
            m,
            f,
            x: &rows::<3>(&d.flexvert_xpos)[vertices..vertices + size(m.flex_vertnum[f])],
            radius: m.flex_radius[f],
            face: scene.flexface.get_mut(range.clone()).unwrap_or_default(),
            normal: scene.flexnormal.get_mut(range.clone()).unwrap_or_default(),
            texcoord: scene.flextexcoord.get_mut(range).unwrap_or_default(),
            count: 0,
        }
    }

    /// Vertices and texture coordinate indices of the elements.
    fn element(&self, e: usize) -> (&'a [i32], &'a [i32]) {
        let corners = size(self.m.flex_dim[self.f]) + 1;
        let first = size(self.m.flex_elemdataadr[self.f]) + e * corners;
        let range = first..first + corners;
        (&self.m.flex_elem[range.clone()], &self.m.flex_elemtexcoord[range])
    }

    /// Vertices of the boundary fragments.
    fn shell(&self) -> &'a [i32] {
        let count = size(self.m.flex_shellnum[self.f]) * size(self.m.flex_dim[self.f]);
        let first = size(self.m.flex_shelldataadr[self.f]);
        &self.m.flex_shell[first..first + count]
    }

    fn push(&mut self, corners: [Vec3; 3], normals: [Vec3; 3], texcoord: [i32; 3]) {
        let k = self.count;
        if k >= self.face.len() {
            return;
        }
        self.face[k] = corners.map(|p| p.map(single));
        self.normal[k] = normals.map(|n| n.map(single));
        if let Ok(first) = usize::try_from(self.m.flex_texcoordadr[self.f]) {
            let all = self.m.flex_texcoord.as_chunks::<2>().0;
            let of = |t: i32| all.get(first + size(t)).copied().unwrap_or_default();
            self.texcoord[k] = texcoord.map(of);
        }
        self.count += 1;
    }

    fn normal_of(&self, ids: [i32; 3]) -> Vec3 {
        let [a, b, c] = ids.map(|v| self.x[size(v)]);
        vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0
    }

    /// Flat faces of the elements, both sides of triangles; of solids only one layer.
    fn elements(&mut self, layer: i32) {
        let m = self.m;
        let layers = &m.flex_elemlayer[size(m.flex_elemadr[self.f])..];
        for e in 0..size(m.flex_elemnum[self.f]) {
            let (ids, tex) = self.element(e);
            let sides: &[[usize; 3]] = if m.flex_dim[self.f] == 2 {
                &[[0, 1, 2], [0, 2, 1]]
            } else if layers[e] == layer {
                &FACES
            } else {
                continue;
            };
            for side in sides {
                let (ids, tex) = (side.map(|k| ids[k]), side.map(|k| tex[k]));
                let normal = self.normal_of(ids);
                let offset = |v: i32| vec3::add_scaled(self.x[size(v)], normal, self.radius);
                let corners = ids.map(offset);
                self.push(corners, [normal; 3], tex);
            }
        }
    }

    /// A surface at the distance of the radius, with smooth normals; the sides of cloth are closed.
    fn skin(&mut self) {
        let m = self.m;
        let cloth = m.flex_dim[self.f] == 2;
        let mut normals = vec![[0.0; 3]; self.x.len()];
        let mut add = |faces: &Self, ids: [i32; 3]| {
            let normal = faces.normal_of(ids);
            for v in ids {
                normals[size(v)] = vec3::add(normals[size(v)], normal);
            }
        };
        if cloth {
            for e in 0..size(m.flex_elemnum[self.f]) {
                let ids = self.element(e).0;
                add(self, [ids[0], ids[1], ids[2]]);
            }
        } else {
            for ids in self.shell().as_chunks::<3>().0 {
                add(self, *ids);
            }
        }
        for normal in &mut normals {
            *normal = vec3::normalize(*normal).0;
        }
        if !cloth {
            for &ids in self.shell().as_chunks::<3>().0 {
                self.smooth(&normals, ids, ids, 1.0);
            }
            return;
        }
        for e in 0..size(m.flex_elemnum[self.f]) {
            let (ids, tex) = self.element(e);
            self.smooth(&normals, [ids[0], ids[1], ids[2]], [tex[0], tex[1], tex[2]], 1.0);
            self.smooth(&normals, [ids[0], ids[2], ids[1]], [tex[0], tex[2], tex[1]], -1.0);
        }
        for &[a, b] in self.shell().as_chunks::<2>().0 {
            self.side(&normals, a, b, 1.0);
            self.side(&normals, b, a, -1.0);
        }
    }

    /// A face displaced along the vertex normals. If the radius is zero, normals point inward, as in MuJoCo 3.8.0.
    fn smooth(&mut self, normals: &[Vec3], ids: [i32; 3], tex: [i32; 3], sign: f64) {
        let radius = sign * self.radius;
        let sign = if radius > 0.0 { 1.0 } else { -1.0 };
        let shade = if self.m.flex_flatskin[self.f] {
            [vec3::scale(self.normal_of(ids), sign); 3]
        } else {
            ids.map(|v| vec3::scale(normals[size(v)], sign))
        };
        let corners = ids.map(|v| vec3::add_scaled(self.x[size(v)], normals[size(v)], radius));
        self.push(corners, shade, tex);
    }

    /// Half of the side of cloth along a boundary edge.
    fn side(&mut self, normals: &[Vec3], a: i32, b: i32, sign: f64) {
        let edge = vec3::sub(self.x[size(b)], self.x[size(a)]);
        let radius = sign * self.radius;
        let sign = if radius < 0.0 { -1.0 } else { 1.0 };
        let normal = vec3::scale(vec3::cross(edge, normals[size(b)]), sign);
        let (normal, _) = vec3::normalize(normal);
        let offset =
            |v: i32, s: f64| vec3::add_scaled(self.x[size(v)], normals[size(v)], s * radius);
        let corners = [offset(a, 1.0), offset(b, -1.0), offset(b, 1.0)];
        self.push(corners, [normal; 3], [a, b, b]);
    }
}
