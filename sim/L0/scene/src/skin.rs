//! Vertex positions and normals of skins (`mjv_updateSkin`).

use crate::option::visible;
use crate::{Scene, VisOption, single};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat, rows};
use sim_core::types::MINVAL;
use sim_core::{Data, Model};

/// Moves the vertices of the visible skins with their bones, and computes normals. Vertices of invisible
/// skins are zero.
///
/// Reads `xpos`, `xquat`.
#[doc(alias = "mjv_updateSkin")]
#[doc(alias = "mjv_updateActiveSkin")]
pub fn mjv_update_skin(m: &Model, d: &Data, option: &VisOption, scene: &mut Scene) {
    for i in 0..m.nskin {
        let range = range(m.skin_vertadr[i], m.skin_vertnum[i]);
        let (Some(vert), Some(normal)) =
            (scene.skinvert.get_mut(range.clone()), scene.skinnormal.get_mut(range.clone()))
        else {
            continue;
        };
        vert.fill([0.0; 3]);
        normal.fill([0.0; 3]);
        if visible(&option.skingroup, m.skin_group[i]) {
            let bind = &m.skin_vert.as_chunks::<3>().0[range];
            for bone in self::range(m.skin_boneadr[i], m.skin_bonenum[i]) {
                move_with_bone(m, d, bone, bind, vert);
            }
            let faces = self::range(m.skin_faceadr[i], m.skin_facenum[i]);
            normals(&m.skin_face.as_chunks::<3>().0[faces], vert, normal);
            inflate(m.skin_inflate[i], normal, vert);
        }
    }
}

/// Elements `adr..adr + num`.
fn range(adr: i32, num: i32) -> std::ops::Range<usize> {
    let start = usize::try_from(adr).unwrap_or(0);
    start..start + usize::try_from(num).unwrap_or(0)
}

/// Adds the weighted positions of a bone's vertices: linear blend skinning. `bind` are the vertices in the
/// bind pose.
fn move_with_bone(m: &Model, d: &Data, bone: usize, bind: &[[f32; 3]], vert: &mut [[f32; 3]]) {
    let bindpos = m.skin_bonebindpos.as_chunks::<3>().0[bone].map(f64::from);
    let bindquat = m.skin_bonebindquat.as_chunks::<4>().0[bone].map(f64::from);
    let Ok(body) = usize::try_from(m.skin_bonebodyid[bone]) else { return };
    // rotation and translation of the bone from its bind pose
    let rotate = quat::to_mat(quat::mul(rows::<4>(&d.xquat)[body], quat::conjugate(bindquat)));
    let translate = vec3::sub(rows::<3>(&d.xpos)[body], mat3::mul_vec(&rotate, bindpos));
    for k in range(m.skin_bonevertadr[bone], m.skin_bonevertnum[bone]) {
        let Ok(v) = usize::try_from(m.skin_bonevertid[k]) else { continue };
        let weight = m.skin_bonevertweight[k];
        let pos = vec3::add(mat3::mul_vec(&rotate, bind[v].map(f64::from)), translate);
        for c in 0..3 {
            vert[v][c] += weight * single(pos[c]);
        }
    }
}

/// Unit vertex normals: sums of the adjacent face normals, weighted by area.
fn normals(faces: &[[i32; 3]], vert: &[[f32; 3]], normal: &mut [[f32; 3]]) {
    for face in faces {
        let [a, b, c] = face.map(|v| v as usize);
        // edges are differences in single precision
        let edge =
            |to: usize| -> Vec3 { std::array::from_fn(|k| f64::from(vert[to][k] - vert[a][k])) };
        let cross = vec3::cross(edge(b), edge(c));
        for v in [a, b, c] {
            for k in 0..3 {
                normal[v][k] = single(f64::from(normal[v][k]) + cross[k]);
            }
        }
    }
    for n in normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        let scale = single(1.0 / f64::from(length).max(MINVAL));
        *n = n.map(|x| x * scale);
    }
}

/// Displaces the vertices along their normals.
fn inflate(distance: f32, normal: &[[f32; 3]], vert: &mut [[f32; 3]]) {
    if distance != 0.0 {
        for (v, n) in vert.iter_mut().zip(normal) {
            for k in 0..3 {
                v[k] += distance * n[k];
            }
        }
    }
}
