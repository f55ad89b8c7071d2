//! Contents of one image: parts, their order, and what each pass draws.

use crate::geometry::Geometry;
use crate::material::Materials;
use crate::part::{self, Cull, Part, PartData, Texturing};
use crate::pipeline::{Key, Pass};
use crate::tessellation::{Vertex, dot, sub};
use crate::{RenderError, matrix};
use sim_core::types::LightType;
use sim_scene::{Category, Light, RenderFlag, Scene, SceneGeom, SceneGeomType};
use std::ops::Range;

/// A geom whose opacity is below this is drawn after the others, with blending.
const OPAQUE: f32 = 0.995;

/// The parts of a scene and their order.
pub(crate) struct Frame {
    pub parts: Vec<Part>,
    /// Parts of each geom.
    geoms: Vec<Range<usize>>,
    /// Opaque geoms, except the mirror.
    opaque: Vec<usize>,
    /// Transparent geoms, nearest first.
    transparent: Vec<usize>,
    /// The plane or box in which others are reflected.
    mirror: Option<usize>,
    /// The surface of the mirror: parts, position, orientation and reflectance.
    pub mirror_plane: Option<Mirror>,
    /// Geoms that cast shadows.
    casters: Vec<usize>,
    /// Infinite planes that the camera is in front of: geom, position and normal.
    planes: Vec<(usize, [f32; 3], [f32; 3])>,
    /// Geoms with a segmentation id.
    identified: Vec<usize>,
    sky: Option<usize>,
    haze: Option<usize>,
    /// Vertices of skins.
    pub dynamic: Vec<Vertex>,
    cull: bool,
    wireframe: bool,
    additive: bool,
}

/// The surface of a mirror.
#[derive(Clone, Debug)]
pub(crate) struct Mirror {
    parts: Range<usize>,
    pub pos: [f32; 3],
    pub mat: [f32; 9],
    pub reflectance: f32,
}

/// Parts that are drawn with one call.
#[derive(Clone, Debug)]
pub(crate) struct Draw {
    pub key: Key,
    pub texture: Option<usize>,
    pub vertices: Range<u32>,
    pub instances: Range<u32>,
}

impl Frame {
    pub(crate) fn new(
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        skybox: Option<usize>,
    ) -> Result<Self, RenderError> {
        let head = scene.camera_in_model().map_err(RenderError::Scene)?.pos.map(|x| x as f32);
        let flag = |flag| scene.flag(flag);
        let mut frame = Self {
            parts: Vec::with_capacity(scene.geoms.len() + 4),
            geoms: Vec::with_capacity(scene.geoms.len()),
            opaque: Vec::new(),
            transparent: Vec::new(),
            mirror: None,
            mirror_plane: None,
            casters: Vec::new(),
            planes: Vec::new(),
            identified: Vec::new(),
            sky: None,
            haze: None,
            dynamic: Vec::new(),
            cull: flag(RenderFlag::CullFace),
            wireframe: flag(RenderFlag::Wireframe),
            additive: flag(RenderFlag::Additive),
        };
        for (i, geom) in scene.geoms.iter().enumerate() {
            frame.add_geom(scene, materials, geometry, geom, i, head);
        }
        frame.sort_transparent(&scene.geoms, head);
        if flag(RenderFlag::Reflection) {
            frame.add_mirror(materials, geometry, &scene.geoms, head);
        }
        if flag(RenderFlag::Skybox) {
            frame.add_sky(scene, materials, geometry, skybox, head);
        }
        Ok(frame)
    }

    fn add_geom(
        &mut self,
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        geom: &SceneGeom,
        index: usize,
        head: [f32; 3],
    ) {
        let behind = is_behind(head, geom.pos, geom.mat);
        let skin = match geom.kind {
            SceneGeomType::Skin => self.add_skin(scene, materials, geometry, geom),
            _ => 0..0,
        };
        let start = self.parts.len();
        part::parts(materials, geometry, geom, behind, skin, &mut self.parts);
        // poses that are not finite cannot be drawn
        let finite = |part: &Part| part.data.model.iter().flatten().all(|x| x.is_finite());
        if !self.parts[start..].iter().all(finite) {
            self.parts.truncate(start);
        }
        self.geoms.push(start..self.parts.len());
        if start == self.parts.len() {
            return;
        }
        if geom.rgba[3] < OPAQUE || (geom.kind == SceneGeomType::Plane && behind) {
            self.transparent.push(index);
        } else if self.mirror.is_none() && is_reflective(geom) {
            self.mirror = Some(index);
        } else {
            self.opaque.push(index);
        }
        if geom.kind != SceneGeomType::Line && geom.category != Category::DECOR {
            self.casters.push(index);
        }
        if is_infinite(geom) && !behind {
            self.planes.push((index, geom.pos, normal(geom)));
        }
        if geom.segid >= 0 {
            self.identified.push(index);
        }
    }

    /// Appends the triangles of a skin; returns their range in the vertex buffer.
    fn add_skin(
        &mut self,
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        geom: &SceneGeom,
    ) -> Range<u32> {
        let id = geom.objid as usize;
        let (Some(skin), Some(&adr)) = (materials.skins.get(id), scene.skinvertadr.get(id)) else {
            return 0..0;
        };
        let start = self.dynamic.len();
        for &v in skin.faces.iter().flatten() {
            let (vertex, local) = (adr as usize + v as usize, v as usize);
            self.dynamic.push(Vertex {
                position: scene.skinvert[vertex],
                normal: scene.skinnormal[vertex],
                uv: skin.texcoord.get(local).copied().unwrap_or_default(),
            });
        }
        geometry.dynamic + start as u32..geometry.dynamic + self.dynamic.len() as u32
    }

    /// Sorts the transparent geoms by the distance of their bounding spheres from the camera.
    fn sort_transparent(&mut self, geoms: &[SceneGeom], head: [f32; 3]) {
        let distance = |&i: &usize| {
            let geom = &geoms[i];
            let d = sub(geom.pos, head);
            match geom.kind {
                SceneGeomType::Plane => 1e10,
                _ => dot(d, d).sqrt() - geom.rbound(),
            }
        };
        self.transparent.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    }

    /// Prepares the mirror: a plane, or the upper face of a box, that the camera is in front of.
    fn add_mirror(
        &mut self,
        materials: &Materials,
        geometry: &Geometry,
        geoms: &[SceneGeom],
        head: [f32; 3],
    ) {
        let Some(geom) = self.mirror.map(|i| &geoms[i]) else { return };
        let mut plane = geom.clone();
        if plane.kind == SceneGeomType::Box {
            plane.kind = SceneGeomType::Plane;
            for k in 0..3 {
                plane.pos[k] += plane.size[2] * plane.mat[3 * k + 2];
            }
        }
        if is_behind(head, plane.pos, plane.mat) {
            return;
        }
        let start = self.parts.len();
        part::parts(materials, geometry, &plane, false, 0..0, &mut self.parts);
        self.mirror_plane = Some(Mirror {
            parts: start..self.parts.len(),
            pos: plane.pos,
            mat: plane.mat,
            reflectance: geom.reflectance,
        });
    }

    /// Adds the skybox, and the haze on the horizon of the first infinite plane.
    fn add_sky(
        &mut self,
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        skybox: Option<usize>,
        head: [f32; 3],
    ) {
        let Some(texture) = skybox else { return };
        // below 1/√2 of the distance of the far plane, so that the corners are not clipped
        let mut scale = scene.camera[0].frustum_far * 0.7;
        if scene.enabletransform {
            scale /= scene.scale;
        }
        self.sky = Some(self.parts.len());
        self.parts.push(Part::skybox(geometry, texture, head, scale));
        let plane = scene.geoms.iter().find(|geom| is_infinite(geom));
        let Some(plane) = plane.filter(|_| scene.flag(RenderFlag::Haze)) else { return };
        let elevation = dot(sub(head, plane.pos), normal(plane)) / scale;
        if elevation < 0.0 {
            return;
        }
        let frame = matrix::scaled(&matrix::pose(head, plane.mat), [scale; 3]);
        let frame = matrix::translated(&frame, [0.0, 0.0, -elevation]);
        let model = matrix::scaled(&frame, [1.0, 1.0, elevation]);
        self.haze = Some(self.parts.len());
        self.parts.push(Part::unlit(geometry.haze.clone(), model, materials.haze_color));
    }

    /// Data of all parts, in order.
    pub(crate) fn data(&self) -> Vec<PartData> {
        self.parts.iter().map(|part| part.data).collect()
    }

    /// What a pass draws. The parts of its instances are appended to `order`.
    pub(crate) fn draws(&self, pass: Pass, order: &mut Vec<u32>) -> Vec<Draw> {
        self.merged(pass, self.pass_parts(pass), order)
    }

    /// What is drawn into the shadow map of a light. An infinite plane with the camera and the light on the
    /// same side hides the light from nothing that is visible; without it, most of the map stays empty.
    pub(crate) fn shadow_draws(&self, light: &Light, order: &mut Vec<u32>) -> Vec<Draw> {
        let in_front = |pos: [f32; 3], normal: [f32; 3]| match light.kind {
            LightType::Directional => dot(light.dir, normal) < 0.0,
            _ => dot(sub(light.pos, pos), normal) > 0.0,
        };
        let harmless = |i: usize| {
            self.planes.iter().any(|&(plane, pos, normal)| plane == i && in_front(pos, normal))
        };
        let casters = self.casters.iter().filter(|&&i| !harmless(i));
        let parts = casters.flat_map(|&i| self.geoms[i].clone()).map(|i| i as u32);
        self.merged(Pass::ShadowMap, parts.collect(), order)
    }

    /// Draws of parts, merged where consecutive parts have the same vertices and state.
    fn merged(&self, pass: Pass, mut parts: Vec<u32>, order: &mut Vec<u32>) -> Vec<Draw> {
        // the order does not matter to sums and to depth alone, so that equal shapes are one draw
        if matches!(pass, Pass::Shadowed | Pass::ShadowMap) {
            parts.sort_by_key(|&i| {
                let part = &self.parts[i as usize];
                (part.line, part.texture, part.vertices.start)
            });
        }
        let mut draws: Vec<Draw> = Vec::new();
        for i in parts {
            let part = &self.parts[i as usize];
            if part.vertices.is_empty() {
                continue;
            }
            let start = order.len() as u32;
            order.push(i);
            let (key, texture) = (self.key(pass, part), self.texture(pass, part));
            match draws.last_mut() {
                Some(last)
                    if last.key == key
                        && last.texture == texture
                        && last.vertices == part.vertices =>
                {
                    last.instances.end = start + 1;
                }
                _ => draws.push(Draw {
                    key,
                    texture,
                    vertices: part.vertices.clone(),
                    instances: start..start + 1,
                }),
            }
        }
        draws
    }

    /// Parts of a pass, in the order of the scene.
    fn pass_parts(&self, pass: Pass) -> Vec<u32> {
        let mut out = Vec::new();
        let mut push = |parts: Range<usize>| out.extend(parts.map(|i| i as u32));
        let mut geom = |i: &usize| push(self.geoms[*i].clone());
        match pass {
            Pass::Opaque | Pass::Reflected => self.opaque.iter().for_each(geom),
            Pass::Shadowed => {
                self.opaque.iter().chain(&self.mirror).for_each(geom);
            }
            Pass::Added => self.mirror.iter().for_each(geom),
            Pass::Transparent { additive } | Pass::ReflectedTransparent { additive } => {
                self.transparent.iter().for_each(&mut geom);
                if !additive {
                    self.transparent.iter().rev().for_each(geom);
                }
            }
            // depends on the light
            Pass::ShadowMap => {}
            Pass::Identity => self.identified.iter().for_each(geom),
            Pass::Mirror => {
                let parts = self.mirror_plane.as_ref().map_or(0..0, |mirror| mirror.parts.clone());
                push(parts);
            }
            Pass::Sky => push(single(self.sky)),
            Pass::Haze => push(single(self.haze)),
        }
        out
    }

    /// Additive instead of ordinary transparency.
    pub(crate) fn additive(&self) -> bool {
        self.additive
    }

    /// Pipeline of a part in a pass.
    fn key(&self, pass: Pass, part: &Part) -> Key {
        let textured = is_textured(pass);
        Key {
            pass,
            texturing: if textured { part.texturing } else { Texturing::None },
            cull: if self.cull { part.cull } else { Cull::Never },
            line: part.line,
            wireframe: self.wireframe,
        }
    }

    fn texture(&self, pass: Pass, part: &Part) -> Option<usize> {
        part.texture.filter(|_| is_textured(pass))
    }
}

/// Whether a pass uses textures.
fn is_textured(pass: Pass) -> bool {
    !matches!(pass, Pass::Mirror | Pass::ShadowMap | Pass::Identity)
}

fn single(part: Option<usize>) -> Range<usize> {
    part.map_or(0..0, |i| i..i + 1)
}

/// Whether a geom is a plane without edges.
fn is_infinite(geom: &SceneGeom) -> bool {
    geom.kind == SceneGeomType::Plane && geom.size[0] == 0.0 && geom.size[1] == 0.0
}

/// The z axis of a geom.
fn normal(geom: &SceneGeom) -> [f32; 3] {
    [geom.mat[2], geom.mat[5], geom.mat[8]]
}

/// Whether a point is behind a plane.
fn is_behind(point: [f32; 3], pos: [f32; 3], mat: [f32; 9]) -> bool {
    dot(sub(point, pos), [mat[2], mat[5], mat[8]]) < 0.0
}

/// Whether an opaque geom is a mirror.
fn is_reflective(geom: &SceneGeom) -> bool {
    matches!(geom.kind, SceneGeomType::Plane | SceneGeomType::Box) && geom.reflectance > 0.0
}
