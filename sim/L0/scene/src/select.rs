//! Selection of a body with the mouse (`mjv_select`).

use crate::transform::camera_in_model;
use crate::{Scene, SceneError, VisFlag, VisOption, mjv_average_camera};
use sim_core::math::vec3::{self, Vec3};
use sim_core::{Data, FlexParts, Model, RayFilter, flex_point, mj_ray, mj_ray_flex, ray_skin};

/// What is under the cursor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// Body index.
    pub body: usize,
    /// World position of the selected point (m).
    pub point: Vec3,
    /// Geom index; `None` if a flex or skin was selected.
    pub geom: Option<usize>,
    /// Flex index; `None` if a geom or skin was selected.
    pub flex: Option<usize>,
    /// Skin index; `None` if a geom or flex was selected.
    pub skin: Option<usize>,
}

/// Returns the visible geom, flex or skin under the cursor; `None` for the background. `relx` and `rely` are the
/// position of the cursor relative to the size of the viewport, from its lower left corner, and
/// `aspectratio` its width over its height.
///
/// # Errors
///
/// If the cameras of the scene are not set, or only one of them is orthographic.
pub fn mjv_select(
    m: &Model,
    d: &Data,
    option: &VisOption,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scene: &Scene,
) -> Result<Option<Selection>, SceneError> {
    let (point, ray) = cursor_ray(aspectratio, relx, rely, scene)?;
    let filter = RayFilter {
        groups: Some(option.geomgroup),
        fixed: option.flag(VisFlag::Static),
        exclude: None,
    };
    let hit = mj_ray(m, d, point, ray, &filter);
    let skin = if option.flag(VisFlag::Skin) { nearest_skin(m, scene, point, ray) } else { None };
    let mut limit = hit.map_or(f64::INFINITY, |hit| hit.dist);
    let flex = nearest_flex(m, d, option, point, ray).filter(|(dist, _)| *dist < limit);
    limit = flex.map_or(limit, |(dist, _)| dist);
    if let Some((dist, selection)) = skin
        && dist < limit
    {
        return Ok(Some(selection));
    }
    if let Some((_, selection)) = flex {
        return Ok(Some(selection));
    }
    Ok(hit.map(|hit| Selection {
        body: usize::try_from(m.geom_bodyid[hit.geom]).unwrap_or(0),
        point: vec3::add_scaled(point, ray, hit.dist),
        geom: Some(hit.geom),
        flex: None,
        skin: None,
    }))
}

/// Origin and direction of the ray through the cursor, in model space.
fn cursor_ray(
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scene: &Scene,
) -> Result<(Vec3, Vec3), SceneError> {
    let camera = mjv_average_camera(&scene.camera[0], &scene.camera[1])?;
    let head = camera_in_model(scene)?;
    let (left, _) = vec3::normalize(vec3::cross(head.up, head.forward));
    let height = f64::from(camera.frustum_top - camera.frustum_bottom);
    let halfwidth = 0.5 * aspectratio * height;
    let up = f64::from(camera.frustum_bottom) + rely * height;
    let sideways = -(f64::from(camera.frustum_center) + (2.0 * relx - 1.0) * halfwidth);
    let offset = |from: Vec3| vec3::add_scaled(vec3::add_scaled(from, head.up, up), left, sideways);
    Ok(if camera.orthographic {
        (offset(head.pos), head.forward)
    } else {
        let ray = offset(vec3::scale(head.forward, f64::from(camera.frustum_near)));
        (head.pos, vec3::normalize(ray).0)
    })
}

/// Distance and selection of the nearest flex that a ray hits: the body of the vertex nearest to the hit point, or of
/// the node with the largest weight at that vertex.
fn nearest_flex(
    m: &Model,
    d: &Data,
    option: &VisOption,
    point: Vec3,
    ray: Vec3,
) -> Option<(f64, Selection)> {
    let parts = FlexParts {
        vertices: option.flag(VisFlag::FlexVert),
        edges: option.flag(VisFlag::FlexEdge),
        faces: option.flag(VisFlag::FlexFace),
        skin: option.flag(VisFlag::FlexSkin),
        layer: option.flex_layer,
    };
    let mut best: Option<(f64, Selection)> = None;
    for f in 0..m.nflex {
        let Some(hit) = mj_ray_flex(m, d, f, parts, point, ray) else { continue };
        if best.is_some_and(|(nearest, _)| hit.dist >= nearest) {
            continue;
        }
        if let Some((body, point)) = flex_point(m, d, f, hit.vertex) {
            let selection = Selection { body, point, geom: None, flex: Some(f), skin: None };
            best = Some((hit.dist, selection));
        }
    }
    best
}

/// Distance and selection of the nearest skin that a ray hits: the bone with the largest weight at the vertex
/// nearest to the hit point.
fn nearest_skin(m: &Model, scene: &Scene, point: Vec3, ray: Vec3) -> Option<(f64, Selection)> {
    let range = |adr: i32, num: i32| {
        let start = usize::try_from(adr).unwrap_or(0);
        start..start + usize::try_from(num).unwrap_or(0)
    };
    let mut best: Option<(f64, Selection)> = None;
    for i in 0..m.nskin {
        let faces = &m.skin_face.as_chunks::<3>().0[range(m.skin_faceadr[i], m.skin_facenum[i])];
        let vertices = scene.skinvert.get(range(m.skin_vertadr[i], m.skin_vertnum[i]))?;
        let Some((dist, vertex)) = ray_skin(faces, vertices, point, ray) else { continue };
        if best.is_some_and(|(nearest, _)| dist >= nearest) {
            continue;
        }
        let mut weight = -1.0;
        for bone in range(m.skin_boneadr[i], m.skin_bonenum[i]) {
            for k in range(m.skin_bonevertadr[bone], m.skin_bonevertnum[bone]) {
                let influences = usize::try_from(m.skin_bonevertid[k]).is_ok_and(|v| v == vertex);
                if influences && m.skin_bonevertweight[k] > weight {
                    weight = m.skin_bonevertweight[k];
                    let body = usize::try_from(m.skin_bonebodyid[bone]).unwrap_or(0);
                    let point = vertices[vertex].map(f64::from);
                    best = Some((
                        dist,
                        Selection { body, point, geom: None, flex: None, skin: Some(i) },
                    ));
                }
            }
        }
    }
    best
}
