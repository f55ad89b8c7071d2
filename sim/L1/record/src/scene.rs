//! What does not change during a recording: names, geoms, materials, cameras and lights.

use crate::blob::Blob;
use crate::single;
use crate::{mesh, texture};
use serde_json::{Map, Value, json};
use sim_core::types::{JointType, LightType, ObjType, Projection, TextureType};
use sim_core::{Data, Model};
use sim_scene::{
    Camera, Category, Scene, SceneGeom, SceneGeomType, VisOption, mjv_add_geoms, mjv_camera_frustum,
};
use std::collections::HashMap;

/// Writes the geometry; returns the description of the model.
pub(crate) fn describe(blob: &mut Blob, m: &Model, d: &Data) -> Value {
    let mut shapes = Shapes { blob, m, list: Vec::new(), known: HashMap::new() };
    let geoms: Vec<Value> = visible_geoms(m, d).iter().map(|geom| shapes.geom(geom)).collect();
    let meshes = shapes.list;
    let textures: Vec<Value> = (0..m.ntex).map(|id| texture::texture(blob, m, id)).collect();
    let skybox = m.tex_type.iter().position(|&kind| kind == TextureType::Skybox);
    json!({
        "timestep": m.opt.timestep,
        "view": view(m),
        "bodies": bodies(m),
        "joints": joints(m),
        "actuators": names(m, ObjType::Actuator, m.nu),
        "sensors": sensors(m),
        "cameras": cameras(m),
        "lights": lights(m),
        "geoms": geoms,
        "geom_bodies": m.geom_bodyid,
        "geom_names": names(m, ObjType::Geom, m.ngeom),
        "meshes": meshes,
        "textures": textures,
        "skybox": skybox,
    })
}

/// Geoms and sites of all groups in the order of the scene.
fn visible_geoms(m: &Model, d: &Data) -> Vec<SceneGeom> {
    let all = [true; sim_scene::NGROUP];
    let none = [false; sim_scene::NGROUP];
    let option =
        VisOption { geomgroup: all, sitegroup: all, tendongroup: none, ..VisOption::default() };
    let mut scene = Scene::new(m, m.ngeom + m.nsite);
    mjv_add_geoms(m, d, &option, None, Category::ALL, &mut scene);
    scene.geoms.retain(|geom| matches!(geom.objtype, ObjType::Geom | ObjType::Site));
    scene.geoms
}

/// Meshes and height fields that geoms refer to.
struct Shapes<'a> {
    blob: &'a mut Blob,
    m: &'a Model,
    list: Vec<Value>,
    /// Index in the list of each mesh (false) and height field (true).
    known: HashMap<(bool, usize), usize>,
}

impl Shapes<'_> {
    fn geom(&mut self, geom: &SceneGeom) -> Value {
        let m = self.m;
        let i = usize::try_from(geom.objid).unwrap_or(0);
        let site = geom.objtype == ObjType::Site;
        let (body, group, pos, quat) = match site {
            true => (m.site_bodyid[i], m.site_group[i], &m.site_pos, &m.site_quat),
            false => (m.geom_bodyid[i], m.geom_group[i], &m.geom_pos, &m.geom_quat),
        };
        let name = if site { m.id2name(ObjType::Site, i) } else { m.id2name(ObjType::Geom, i) };
        let data = usize::try_from(geom.dataid).ok();
        let shape = match geom.kind {
            SceneGeomType::Mesh | SceneGeomType::Sdf => data.map(|id| self.shape(false, id / 2)),
            SceneGeomType::HField => data.map(|id| self.shape(true, id)),
            _ => None,
        };
        let pos = [0, 1, 2].map(|k| single(pos[3 * i + k]));
        let quat = [0, 1, 2, 3].map(|k| single(quat[4 * i + k]));
        json!({
            "name": name.unwrap_or_default(),
            "site": site,
            "body": body,
            "group": group,
            "kind": geom.kind as i32,
            "mesh": shape,
            "size": geom.size,
            "pos": pos,
            "quat": quat,
            "rgba": geom.rgba,
            "emission": geom.emission,
            "specular": geom.specular,
            "shininess": geom.shininess,
            "reflectance": geom.reflectance,
            "texture": texture_of(m, geom),
        })
    }

    fn shape(&mut self, is_hfield: bool, id: usize) -> usize {
        if let Some(&index) = self.known.get(&(is_hfield, id)) {
            return index;
        }
        let shape = match is_hfield {
            true => mesh::hfield(self.blob, self.m, id),
            false => mesh::mesh(self.blob, self.m, id),
        };
        self.list.push(shape);
        self.known.insert((is_hfield, id), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// Texture of a geom's material and its mapping.
fn texture_of(m: &Model, geom: &SceneGeom) -> Value {
    /// Role of the colour among the ten textures of a material.
    const ROLE_RGB: usize = 1;
    const ROLES: usize = 10;
    let material = usize::try_from(geom.matid).ok().filter(|&i| i < m.nmat);
    let texture = material.and_then(|i| {
        let id = usize::try_from(m.mat_texid[ROLES * i + ROLE_RGB]).ok()?;
        let repeat = [m.mat_texrepeat[2 * i], m.mat_texrepeat[2 * i + 1]];
        Some(json!({
            "id": id,
            "repeat": repeat,
            "uniform": m.mat_texuniform[i],
            "texcoord": geom.texcoord,
        }))
    });
    texture.unwrap_or(Value::Null)
}

/// Initial view, headlight, clipping planes and colours of decorative elements.
fn view(m: &Model) -> Value {
    let (camera, head, map, rgba) = (Camera::free(m), &m.vis.headlight, &m.vis.map, &m.vis.rgba);
    json!({
        "lookat": camera.lookat,
        "distance": camera.distance,
        "azimuth": camera.azimuth,
        "elevation": camera.elevation,
        "orthographic": camera.orthographic,
        "fovy": m.vis.global.fovy,
        "extent": m.stat.extent,
        "near": f64::from(map.znear) * m.stat.extent,
        "far": f64::from(map.zfar) * m.stat.extent,
        "shadow_clip": f64::from(map.shadowclip) * m.stat.extent,
        "haze": rgba.haze,
        "headlight": {
            "active": head.active != 0,
            "ambient": head.ambient,
            "diffuse": head.diffuse,
            "specular": head.specular,
        },
        // lengths (m), and the length of an arrow per newton
        "contact_width": f64::from(m.vis.scale.contactwidth) * m.stat.meansize,
        "contact_height": f64::from(m.vis.scale.contactheight) * m.stat.meansize,
        "contact_rgba": rgba.contactpoint,
        "force_width": f64::from(m.vis.scale.forcewidth) * m.stat.meansize,
        "force_scale": f64::from(map.force) / m.stat.meanmass,
        "force_rgba": rgba.contactforce,
    })
}

fn bodies(m: &Model) -> Vec<Value> {
    let body = |i: usize| json!({ "name": name(m, ObjType::Body, i), "parent": m.body_parentid[i], "mass": m.body_mass[i] });
    (0..m.nbody).map(body).collect()
}

fn joints(m: &Model) -> Vec<Value> {
    let joint = |i: usize| {
        let (kind, positions, velocities) = match m.jnt_type[i] {
            JointType::Free => ("free", 7, 6),
            JointType::Ball => ("ball", 4, 3),
            JointType::Slide => ("slide", 1, 1),
            JointType::Hinge => ("hinge", 1, 1),
        };
        json!({
            "name": name(m, ObjType::Joint, i),
            "type": kind,
            "body": m.jnt_bodyid[i],
            "qpos": [m.jnt_qposadr[i], positions],
            "qvel": [m.jnt_dofadr[i], velocities],
        })
    };
    (0..m.njnt).map(joint).collect()
}

fn sensors(m: &Model) -> Vec<Value> {
    let sensor = |i: usize| {
        json!({
            "name": name(m, ObjType::Sensor, i),
            "type": format!("{:?}", m.sensor_type[i]),
            "adr": m.sensor_adr[i],
            "dim": m.sensor_dim[i],
        })
    };
    (0..m.nsensor).map(sensor).collect()
}

fn cameras(m: &Model) -> Vec<Value> {
    let camera = |i: usize| {
        let mut camera = json!({
            "name": name(m, ObjType::Camera, i),
            "orthographic": m.cam_projection[i] == Projection::Orthographic,
        });
        // extents at the near plane; zero horizontal extents follow from the aspect ratio
        if let Ok(frustum) = mjv_camera_frustum(m, &Camera::fixed(i)) {
            camera["vertical"] = json!(frustum.zver);
            camera["horizontal"] = json!(frustum.zhor);
            camera["clip"] = json!(frustum.zclip);
        }
        camera
    };
    (0..m.ncam).map(camera).collect()
}

fn lights(m: &Model) -> Vec<Value> {
    let light = |i: usize| {
        let row = |array: &[f32]| [0, 1, 2].map(|k| array[3 * i + k]);
        let fields: Map<String, Value> = [
            ("active", json!(m.light_active[i])),
            ("directional", json!(m.light_type[i] == LightType::Directional)),
            ("spot", json!(m.light_type[i] == LightType::Spot)),
            ("castshadow", json!(m.light_castshadow[i])),
            ("attenuation", json!(row(&m.light_attenuation))),
            ("cutoff", json!(m.light_cutoff[i])),
            ("exponent", json!(m.light_exponent[i])),
            ("ambient", json!(row(&m.light_ambient))),
            ("diffuse", json!(row(&m.light_diffuse))),
            ("specular", json!(row(&m.light_specular))),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect();
        Value::Object(fields)
    };
    (0..m.nlight).map(light).collect()
}

fn names(m: &Model, kind: ObjType, count: usize) -> Vec<String> {
    (0..count).map(|i| name(m, kind, i)).collect()
}

/// Name of an element; its index if it has none.
fn name(m: &Model, kind: ObjType, i: usize) -> String {
    let name = m.id2name(kind, i).filter(|name| !name.is_empty());
    name.map_or_else(|| i.to_string(), str::to_owned)
}
