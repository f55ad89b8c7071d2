//! What is recorded of each frame.

use crate::blob::Blob;
use crate::single;
use serde_json::{Value, json};
use sim_core::math::{mat3, quat};
use sim_core::types::ObjType;
use sim_core::{Data, Model, mj_contact_force};
use sim_scene::{Category, Scene, SceneGeom, VisOption, mjv_add_geoms};

/// Most geoms of a scene.
const MAX_GEOMS: usize = 1_000_000;

/// Values of a contact: position, normal, force in the world frame on the second geom, distance, geoms.
const CONTACT_WIDTH: usize = 12;
/// Values of a connector: shape, size, position, orientation, colour.
const CONNECTOR_WIDTH: usize = 15;

/// Values of all frames. Each field has the same number of values in every frame, except the contacts and
/// connectors, whose numbers per frame are recorded too.
#[derive(Default)]
pub(crate) struct Frames {
    pub time: Vec<f64>,
    xpos: Vec<f32>,
    xquat: Vec<f32>,
    qpos: Vec<f32>,
    qvel: Vec<f32>,
    ctrl: Vec<f32>,
    sensordata: Vec<f32>,
    /// Potential and kinetic energy (J).
    energy: Vec<f32>,
    cam_xpos: Vec<f32>,
    cam_xmat: Vec<f32>,
    light_xpos: Vec<f32>,
    light_xdir: Vec<f32>,
    contact_count: Vec<u32>,
    contacts: Vec<f32>,
    connector_count: Vec<u32>,
    connectors: Vec<f32>,
    /// Positions of the particles of each deformable body.
    particles: Vec<Vec<f32>>,
}

impl Frames {
    /// Appends a state whose poses, forces and energies are current.
    pub(crate) fn push(&mut self, m: &Model, d: &Data) {
        let extend = |to: &mut Vec<f32>, from: &[f64]| to.extend(from.iter().map(|&x| single(x)));
        self.time.push(d.time);
        extend(&mut self.xpos, &d.xpos);
        extend(&mut self.xquat, &d.xquat);
        extend(&mut self.qpos, &d.qpos);
        extend(&mut self.qvel, &d.qvel);
        extend(&mut self.ctrl, &d.ctrl);
        extend(&mut self.sensordata, &d.sensordata);
        extend(&mut self.energy, &d.energy);
        extend(&mut self.cam_xpos, &d.cam_xpos);
        extend(&mut self.cam_xmat, &d.cam_xmat);
        extend(&mut self.light_xpos, &d.light_xpos);
        extend(&mut self.light_xdir, &d.light_xdir);
        self.push_contacts(m, d);
        self.push_connectors(m, d);
        self.particles.resize(d.deformable_count(), Vec::new());
        for (k, particles) in self.particles.iter_mut().enumerate() {
            let positions = d.deformable(k).map_or(&[][..], |body| body.positions());
            particles.extend(positions.iter().flat_map(|x| [x.x, x.y, x.z]).map(single));
        }
    }

    fn push_contacts(&mut self, m: &Model, d: &Data) {
        self.contact_count.push(d.contact.len() as u32);
        for (i, contact) in d.contact.iter().enumerate() {
            let mut wrench = [0.0; 6];
            mj_contact_force(m, d, i, &mut wrench);
            let [x, y, z, ..] = wrench;
            let force = if contact.dim < 3 { [x, 0.0, 0.0] } else { [x, y, z] };
            let force = mat3::mul_vec(&mat3::transpose(&contact.frame), force);
            let [nx, ny, nz, ..] = contact.frame;
            let vectors = [contact.pos, [nx, ny, nz], force];
            self.contacts.extend(vectors.as_flattened().iter().map(|&x| single(x)));
            self.contacts.push(single(contact.dist));
            self.contacts.extend(contact.geom.map(|geom| geom as f32));
        }
    }

    /// Shapes that are neither geoms nor sites: spatial tendons, slider-cranks, rays of rangefinders.
    fn push_connectors(&mut self, m: &Model, d: &Data) {
        let mut scene = Scene::new(m, MAX_GEOMS);
        let none = [false; sim_scene::NGROUP];
        let option = VisOption { geomgroup: none, sitegroup: none, ..VisOption::default() };
        mjv_add_geoms(m, d, &option, None, Category::ALL, &mut scene);
        let is_model_geom = |geom: &&SceneGeom| {
            matches!(geom.objtype, ObjType::Geom | ObjType::Site | ObjType::Skin)
        };
        let before = self.connectors.len();
        for geom in scene.geoms.iter().filter(|geom| !is_model_geom(geom)) {
            let orientation = quat::from_mat(&geom.mat.map(f64::from)).map(single);
            self.connectors.push(geom.kind as i32 as f32);
            self.connectors.extend(geom.size.iter().chain(&geom.pos));
            self.connectors.extend(orientation.iter().chain(&geom.rgba));
        }
        let added = (self.connectors.len() - before) / CONNECTOR_WIDTH;
        self.connector_count.push(added as u32);
    }

    /// Writes all fields; returns their descriptions.
    pub(crate) fn write(&self, m: &Model, blob: &mut Blob) -> Value {
        let frames = self.time.len();
        let mut series = |values: &[f32]| blob.f32(values, values.len() / frames.max(1));
        let mut fields = json!({
            "xpos": series(&self.xpos),
            "xquat": series(&self.xquat),
            "qpos": series(&self.qpos),
            "qvel": series(&self.qvel),
            "ctrl": series(&self.ctrl),
            "sensordata": series(&self.sensordata),
            "energy": series(&self.energy),
            "cam_xpos": series(&self.cam_xpos),
            "cam_xmat": series(&self.cam_xmat),
            "light_xpos": series(&self.light_xpos),
            "light_xdir": series(&self.light_xdir),
        });
        fields["time"] = blob.f64(&self.time);
        fields["contact_count"] = blob.u32(&self.contact_count, 1);
        fields["contacts"] = blob.f32(&self.contacts, CONTACT_WIDTH);
        fields["connector_count"] = blob.u32(&self.connector_count, 1);
        fields["connectors"] = blob.f32(&self.connectors, CONNECTOR_WIDTH);
        let deformables = m.deformables.iter().zip(&self.particles);
        fields["deformables"] = deformables
            .map(|(deformable, particles)| {
                let body = &deformable.body;
                let positions = crate::mesh::quantized(blob, particles, 3 * body.len());
                let lines = lines(body.triangles(), body.segments());
                json!({
                    "name": deformable.name,
                    "positions": positions,
                    "triangles": blob.u32(body.triangles().as_flattened(), 3),
                    "lines": blob.u32(lines.as_flattened(), 2),
                })
            })
            .collect();
        fields
    }
}

/// Segments of a body without triangles, such as a rope.
fn lines(triangles: &[[u32; 3]], segments: &[[u32; 2]]) -> Vec<[u32; 2]> {
    if triangles.is_empty() { segments.to_vec() } else { Vec::new() }
}
