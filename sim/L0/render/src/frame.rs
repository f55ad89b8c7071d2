//! Contents of one image: parts, their order, and what each pass draws.

use crate::draw::{Batch, DrawList, Shown};
use crate::geometry::Geometry;
use crate::label::{self, Strokes};
use crate::material::Materials;
use crate::mesh_buffer::{MeshBuffer, Shape};
use crate::part::{self, Part, PartData};
use crate::pipeline::Pass;
use crate::tessellation::{Vertex, dot, sub};
use crate::view::View;
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
    /// Shadows and strokes of the labels in the current view.
    labels: Range<usize>,
    /// Vertices and triangles that are written for each image: skins, surfaces and labels.
    pub dynamic: MeshBuffer,
    /// Shapes of the dynamic vertices; their indices follow those of the model.
    dynamic_shapes: Vec<Shape>,
    pub cull: bool,
    pub wireframe: bool,
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
            labels: 0..0,
            dynamic: MeshBuffer::default(),
            dynamic_shapes: Vec::new(),
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
        let dynamic = match geom.kind {
            SceneGeomType::Skin => self.add_skin(scene, materials, geometry, geom),
            SceneGeomType::Surface => self.add_surface(scene, geometry, geom),
            SceneGeomType::Flex => self.add_flex_faces(scene, geometry, geom),
            _ => 0..0,
        };
        let start = self.parts.len();
        part::parts(materials, geometry, geom, behind, dynamic.clone(), &mut self.parts);
        if geom.kind == SceneGeomType::Flex && (!scene.flexskinopt || dynamic.is_empty()) {
            self.add_flex_edges(scene, materials, geometry, geom);
        }
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

    /// Adds the triangles of a skin; returns its shape.
    fn add_skin(
        &mut self,
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        geom: &SceneGeom,
    ) -> Range<u32> {
        let found = || {
            let id = usize::try_from(geom.objid).ok()?;
            let adr = usize::try_from(*scene.skinvertadr.get(id)?).ok()?;
            let range = adr..adr + usize::try_from(*scene.skinvertnum.get(id)?).ok()?;
            let skin = materials.skins.get(id)?;
            Some((skin, scene.skinvert.get(range.clone())?, scene.skinnormal.get(range)?))
        };
        let Some((skin, positions, normals)) = found() else { return 0..0 };
        let vertices = positions.iter().zip(normals).enumerate();
        let vertices = vertices.map(|(i, (&position, &normal))| Vertex {
            position,
            normal,
            uv: skin.texcoord.get(i).copied().unwrap_or_default(),
        });
        let shape = self.dynamic.add_indexed(vertices, skin.faces.iter().copied());
        self.add_dynamic(geometry, shape)
    }

    /// Adds the triangles of a surface; returns its shape.
    fn add_surface(&mut self, scene: &Scene, geometry: &Geometry, geom: &SceneGeom) -> Range<u32> {
        let surface = usize::try_from(geom.dataid).ok().and_then(|id| scene.surfaces.get(id));
        let Some(surface) = surface else { return 0..0 };
        let vertices = surface.vertices.iter().zip(&surface.normals);
        let vertices = vertices.map(|(&position, &normal)| Vertex::new(position, normal));
        let shape = self.dynamic.add_indexed(vertices, surface.triangles.iter().copied());
        self.add_dynamic(geometry, shape)
    }

    /// Adds the faces of a flex; returns its shape, which is empty without faces.
    fn add_flex_faces(
        &mut self,
        scene: &Scene,
        geometry: &Geometry,
        geom: &SceneGeom,
    ) -> Range<u32> {
        let found = || {
            let id = usize::try_from(geom.objid).ok()?;
            let first = usize::try_from(*scene.flexfaceadr.get(id)?).ok()?;
            let count = usize::try_from(*scene.flexfaceused.get(id)?).ok()?;
            let range = first..first + count;
            let faces = scene.flexface.get(range.clone())?;
            let normals = scene.flexnormal.get(range.clone())?;
            (count > 0).then_some((faces, normals, scene.flextexcoord.get(range)?))
        };
        let Some((faces, normals, texcoord)) = found() else { return 0..0 };
        let corners = faces.as_flattened().iter().zip(normals.as_flattened());
        let vertices = corners.zip(texcoord.as_flattened());
        let vertices = vertices.map(|((&position, &normal), &uv)| Vertex { position, normal, uv });
        let triangles = (0..faces.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        let shape = self.dynamic.add_indexed(vertices, triangles);
        self.add_dynamic(geometry, shape)
    }

    /// Adds the edges of a flex as capsules and its vertices as spheres, as far as they are shown.
    fn add_flex_edges(
        &mut self,
        scene: &Scene,
        materials: &Materials,
        geometry: &Geometry,
        geom: &SceneGeom,
    ) {
        let list = |adr: &[i32], num: &[i32]| {
            let id = usize::try_from(geom.objid).ok()?;
            let first = usize::try_from(*adr.get(id)?).ok()?;
            Some(first..first + usize::try_from(*num.get(id)?).ok()?)
        };
        let vertices = list(&scene.flexvertadr, &scene.flexvertnum);
        let Some(vertices) = vertices.and_then(|range| scene.flexvert.get(range)) else { return };
        let position = |v: i32| {
            let found = usize::try_from(v).ok().and_then(|v| vertices.get(v));
            found.map(|p| p.map(f64::from))
        };
        let radius = f64::from(geom.size[0]);
        let mut piece = geom.clone();
        if scene.flexedgeopt {
            let edges = list(&scene.flexedgeadr, &scene.flexedgenum);
            let edges = edges.and_then(|range| scene.flexedge.get(range)).unwrap_or_default();
            for &[a, b] in edges {
                if let (Some(a), Some(b)) = (position(a), position(b)) {
                    // a capsule is a valid connector
                    let _ = piece.connect(SceneGeomType::Capsule, radius, a, b);
                    part::parts(materials, geometry, &piece, false, 0..0, &mut self.parts);
                }
            }
        } else if scene.flexvertopt {
            for &vertex in vertices {
                piece.kind = SceneGeomType::Sphere;
                piece.size = [geom.size[0]; 3];
                piece.pos = vertex;
                part::parts(materials, geometry, &piece, false, 0..0, &mut self.parts);
            }
        }
    }

    /// Registers a shape of the dynamic vertices.
    fn add_dynamic(&mut self, geometry: &Geometry, shape: Shape) -> Range<u32> {
        let id = (geometry.shapes().len() + self.dynamic_shapes.len()) as u32;
        self.dynamic_shapes.push(shape);
        id..id + 1
    }

    /// The shape with this index.
    pub(crate) fn shape(&self, geometry: &Geometry, id: u32) -> Shape {
        let (shapes, id) = (geometry.shapes(), id as usize);
        shapes.get(id).copied().unwrap_or_else(|| self.dynamic_shapes[id - shapes.len()])
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

    /// Replaces the labels by those of a view.
    pub(crate) fn set_labels(&mut self, scene: &Scene, geometry: &Geometry, view: &View) {
        self.labels = 0..0;
        let mut strokes = Strokes::default();
        if !label::add(&mut strokes, scene, view) {
            return;
        }
        let start = self.parts.len();
        for (meshes, color) in [(strokes.shadow, 0.0), (strokes.text, 1.0)] {
            let triangles = meshes.indices.as_chunks::<3>().0.iter().copied();
            let shape = self.dynamic.add_indexed(meshes.vertices.into_iter(), triangles);
            let shapes = self.add_dynamic(geometry, shape);
            let rgba = [color, color, color, 1.0];
            self.parts.push(Part::unlit(shapes, matrix::IDENTITY, rgba));
        }
        self.labels = start..self.parts.len();
    }

    /// Data of all parts, in order.
    pub(crate) fn data(&self) -> Vec<PartData> {
        self.parts.iter().map(|part| part.data).collect()
    }

    /// What a pass draws, in the order of the scene, which decides between surfaces at the same depth.
    pub(crate) fn draws(
        &self,
        geometry: &Geometry,
        shown: Shown,
        list: &mut DrawList,
    ) -> Vec<Batch> {
        list.add(self, geometry, shown, self.pass_parts(shown.pass).into_iter())
    }

    /// What is drawn into the shadow map of a light. An infinite plane with the camera and the light on the
    /// same side hides the light from nothing that is visible; without it, most of the map stays empty.
    pub(crate) fn shadow_draws(
        &self,
        geometry: &Geometry,
        shown: Shown,
        light: &Light,
        list: &mut DrawList,
    ) -> Vec<Batch> {
        let in_front = |pos: [f32; 3], normal: [f32; 3]| match light.kind {
            LightType::Directional => dot(light.dir, normal) < 0.0,
            _ => dot(sub(light.pos, pos), normal) > 0.0,
        };
        let harmless = |i: usize| {
            self.planes.iter().any(|&(plane, pos, normal)| plane == i && in_front(pos, normal))
        };
        let casters = self.casters.iter().filter(|&&i| !harmless(i));
        let mut parts: Vec<u32> =
            casters.flat_map(|&i| self.geoms[i].clone()).map(|i| i as u32).collect();
        // the order does not matter to depth alone, so that equal shapes are one draw
        parts.sort_by_key(|&i| {
            let part = &self.parts[i as usize];
            (part.line, part.shapes.start)
        });
        list.add(self, geometry, shown, parts.into_iter())
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
            Pass::Label => push(self.labels.clone()),
        }
        out
    }

    /// Additive instead of ordinary transparency.
    pub(crate) fn additive(&self) -> bool {
        self.additive
    }
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
