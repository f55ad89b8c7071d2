//! Cameras with their frusta, and lights.

use super::{View, decor};
use crate::camera::intrinsic_frustum;
use crate::scene::Owner;
use crate::{FrameMode, LabelMode, Scene, SceneGeomType, VisFlag, label, single};
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat, rows};
use sim_core::types::{ObjType, Projection};
use std::f64::consts::PI;

pub(super) fn cameras(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Camera) {
        return Some(());
    }
    for i in 0..m.ncam {
        let mut rgba = m.vis.rgba.camera;
        // a camera with a drawn frustum is translucent
        if m.cam_resolution[2 * i..2 * i + 2].iter().any(|&n| n > 1) {
            rgba[3] = 0.3;
            frustum(v, i, scene);
        }
        let (pos, mat) = (rows::<3>(&d.cam_xpos)[i], &rows::<9>(&d.cam_xmat)[i]);
        let unit = v.scaled(m.vis.scale.camera);
        let scaled = |factors: Vec3| factors.map(|factor| single(unit * factor));

        let mut body = decor(scene, ObjType::Camera, i)?;
        body.kind = SceneGeomType::Box;
        body.size = scaled([1.0, 0.8, 0.4]);
        body.pos = pos.map(single);
        body.mat = mat.map(single);
        body.rgba = rgba;
        if v.option.label == LabelMode::Camera {
            body.label = label::object(m, ObjType::Camera, i);
        }
        scene.push(body);

        let mut lens = decor(scene, ObjType::Camera, i)?;
        lens.kind = SceneGeomType::Cylinder;
        lens.size = scaled([0.4, 0.4, 0.3]);
        let axis = mat3::column(mat, 2);
        lens.pos = std::array::from_fn(|k| single(pos[k] - unit * 0.6 * axis[k]));
        lens.mat = mat.map(single);
        lens.rgba = [0.5 * rgba[0], 0.5 * rgba[1], 0.5 * rgba[2], rgba[3]];
        scene.push(lens);

        if v.option.frame == FrameMode::Camera {
            let (length, width) = v.frame_size();
            scene.frame(i, pos, mat, length, width);
        }
    }
    Some(())
}

/// Triangles and edges of a camera's view volume, up to a far plane for display.
fn frustum(v: &View<'_>, i: usize, scene: &mut Scene) {
    let (m, d) = (v.m, v.d);
    let mat = &rows::<9>(&d.cam_xmat)[i];
    let znear = f64::from(m.vis.map.znear) * m.stat.extent;
    let mut zfar = v.scaled(m.vis.scale.frustum);
    let orthographic = m.cam_projection[i] == Projection::Orthographic;
    let (mut zver, mut zhor) = extents(v, i, znear);
    let near = corners(rows::<3>(&d.cam_xpos)[i], mat, znear, zver, zhor);
    if orthographic {
        zfar = f64::from((zhor[0] + zver[0]) / 2.0);
    } else {
        let grow = |x: f32| single(f64::from(x) * (zfar / znear));
        (zver, zhor) = (zver.map(grow), zhor.map(grow));
    }
    let far = corners(rows::<3>(&d.cam_xpos)[i], mat, zfar, zver, zhor);
    let (owner, rgba) = (Owner::decor(ObjType::Camera, i), m.vis.rgba.frustum);
    for e in 0..4 {
        let next = (e + 1) % 4;
        scene.triangle(owner, [near[e], far[e], near[next]], rgba);
        scene.triangle(owner, [far[e], far[next], near[next]], rgba);
        for ends in [[near[e], near[next]], [far[e], far[next]], [near[e], far[e]]] {
            scene.connector(owner, SceneGeomType::Line, 3.0, ends, rgba);
        }
    }
}

/// Vertical and horizontal extents of a camera at its near plane, from its resolution.
fn extents(v: &View<'_>, i: usize, znear: f64) -> ([f32; 2], [f32; 2]) {
    let m = v.m;
    let [width, height] = m.cam_resolution.as_chunks::<2>().0[i];
    let aspect = width as f32 / height as f32;
    let sensor = m.cam_sensorsize.as_chunks::<2>().0[i];
    if m.cam_projection[i] == Projection::Orthographic {
        let horizontal = single(m.cam_fovy[i] * f64::from(aspect) / 2.0);
        ([single(m.cam_fovy[i] / 2.0); 2], [horizontal; 2])
    } else if sensor[0] != 0.0 && sensor[1] != 0.0 {
        intrinsic_frustum(single(znear), m.cam_intrinsic.as_chunks::<4>().0[i], sensor)
    } else {
        let vertical = single(znear * (m.cam_fovy[i] * PI / 360.0).tan());
        ([vertical; 2], [vertical * aspect; 2])
    }
}

/// Corners of the view volume at a distance from the camera.
fn corners(
    pos: Vec3,
    mat: &mat3::Mat3,
    distance: f64,
    zver: [f32; 2],
    zhor: [f32; 2],
) -> [Vec3; 4] {
    let [x, y, z] = [0, 1, 2].map(|k| mat3::column(mat, k));
    let center = vec3::add_scaled(pos, z, -distance);
    let [left, right] = [-f64::from(zhor[0]), f64::from(zhor[1])];
    let [bottom, top] = [-f64::from(zver[0]), f64::from(zver[1])];
    [[left, bottom], [right, bottom], [right, top], [left, top]]
        .map(|[h, v]| vec3::add_scaled(vec3::add_scaled(center, x, h), y, v))
}

pub(super) fn lights(v: &View<'_>, scene: &mut Scene) -> Option<()> {
    let (m, d) = (v.m, v.d);
    if !v.flag(VisFlag::Light) {
        return Some(());
    }
    for i in 0..m.nlight {
        let (pos, dir) = (rows::<3>(&d.light_xpos)[i], rows::<3>(&d.light_xdir)[i]);
        let mat = quat::to_mat(quat::from_z_axis(dir));
        let unit = v.scaled(m.vis.scale.light);
        let mut geom = decor(scene, ObjType::Light, i)?;
        geom.kind = SceneGeomType::Cylinder;
        geom.size = [single(unit * 0.8), single(unit * 0.8), single(unit)];
        // behind the light, so that it casts no shadow
        geom.pos = vec3::add_scaled(pos, dir, -unit - 0.0001).map(single);
        geom.mat = mat.map(single);
        geom.rgba = m.vis.rgba.light;
        if v.option.label == LabelMode::Light {
            geom.label = label::object(m, ObjType::Light, i);
        }
        scene.push(geom);
        if v.option.frame == FrameMode::Light {
            let (length, width) = v.frame_size();
            scene.frame(i, pos, &mat, length, width);
        }
    }
    Some(())
}
