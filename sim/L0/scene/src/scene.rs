//! The abstract scene (`mjvScene`).

use crate::{
    Category, GlCamera, Light, RenderFlag, Rgba, SceneGeom, SceneGeomType, Stereo, Surface, single,
};
use sim_core::Model;
use sim_core::math::mat3::{self, Mat3};
use sim_core::math::vec3::{self, Vec3};
use sim_core::types::ObjType;

/// Everything that a renderer draws (`mjvScene`).
///
/// [`Scene::default`] is empty and has no capacity (`mjv_defaultScene`); [`Scene::new`] prepares a scene for
/// a model.
#[doc(alias = "mjvScene")]
#[doc(alias = "mjv_defaultScene")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Largest number of geoms.
    pub maxgeom: usize,
    /// Geoms; a renderer draws them sorted by transparency and distance.
    pub geoms: Vec<SceneGeom>,
    /// Copy of the option flag [`VisFlag::FlexVert`](crate::VisFlag::FlexVert).
    pub flexvertopt: bool,
    /// Copy of the option flag [`VisFlag::FlexEdge`](crate::VisFlag::FlexEdge).
    pub flexedgeopt: bool,
    /// Copy of the option flag [`VisFlag::FlexFace`](crate::VisFlag::FlexFace).
    pub flexfaceopt: bool,
    /// Copy of the option flag [`VisFlag::FlexSkin`](crate::VisFlag::FlexSkin).
    pub flexskinopt: bool,
    /// First edge of each flex.
    pub flexedgeadr: Vec<i32>,
    /// Number of edges of each flex.
    pub flexedgenum: Vec<i32>,
    /// First vertex of each flex.
    pub flexvertadr: Vec<i32>,
    /// Number of vertices of each flex.
    pub flexvertnum: Vec<i32>,
    /// First face of each flex.
    pub flexfaceadr: Vec<i32>,
    /// Largest number of faces of each flex.
    pub flexfacenum: Vec<i32>,
    /// Number of faces of each flex that are shown.
    pub flexfaceused: Vec<i32>,
    /// Vertices of all edges, relative to the flex.
    pub flexedge: Vec<[i32; 2]>,
    /// World positions of the vertices of all flexes (m).
    pub flexvert: Vec<[f32; 3]>,
    /// World positions of the corners of all faces (m).
    pub flexface: Vec<[[f32; 3]; 3]>,
    /// Normals at the corners of all faces.
    pub flexnormal: Vec<[[f32; 3]; 3]>,
    /// Texture coordinates at the corners of all faces.
    pub flextexcoord: Vec<[[f32; 2]; 3]>,
    /// Number of triangles of each skin.
    pub skinfacenum: Vec<i32>,
    /// First vertex of each skin.
    pub skinvertadr: Vec<i32>,
    /// Number of vertices of each skin.
    pub skinvertnum: Vec<i32>,
    /// World positions of the vertices of all skins (m); zero for invisible skins.
    pub skinvert: Vec<[f32; 3]>,
    /// Unit normals at the vertices of all skins.
    pub skinnormal: Vec<[f32; 3]>,
    /// Surfaces; [`SceneGeom::dataid`] of a geom of the type [`SceneGeomType::Surface`] is an index of them.
    pub surfaces: Vec<Surface>,
    /// Lights; at most [`MAXLIGHT`](crate::MAXLIGHT).
    pub lights: Vec<Light>,
    /// Cameras of the left and the right eye.
    pub camera: [GlCamera; 2],
    /// Whether the model transformation is applied.
    pub enabletransform: bool,
    /// Translation of the model in the room (m).
    pub translate: [f32; 3],
    /// Rotation of the model in the room (w, x, y, z).
    pub rotate: [f32; 4],
    /// Scaling of the model in the room.
    pub scale: f32,
    /// Stereoscopic rendering.
    pub stereo: Stereo,
    /// Rendering effects, indexed by [`RenderFlag`].
    pub flags: [bool; RenderFlag::ALL.len()],
    /// Width of the frame around the image in pixels; 0 for none.
    pub framewidth: i32,
    /// Colour of the frame around the image (r, g, b).
    pub framergb: [f32; 3],
    /// Whether geoms were omitted because `maxgeom` was reached. It stays set until the user clears it.
    pub status: bool,
}

impl Scene {
    /// An empty scene for at most `maxgeom` geoms of a model, with the default rendering effects
    /// (`mjv_makeScene`).
    #[doc(alias = "mjv_makeScene")]
    #[must_use]
    pub fn new(m: &Model, maxgeom: usize) -> Self {
        let mut flags = [false; RenderFlag::ALL.len()];
        for flag in RenderFlag::ALL {
            flags[*flag as usize] = flag.info().1;
        }
        let faces: Vec<i32> = (0..m.nflex).map(|f| crate::flex::face_capacity(m, f)).collect();
        let first = |f: usize| faces[..f].iter().sum();
        let total = usize::try_from(faces.iter().sum::<i32>()).unwrap_or(0);
        Self {
            maxgeom,
            flexedgeadr: m.flex_edgeadr.clone(),
            flexedgenum: m.flex_edgenum.clone(),
            flexvertadr: m.flex_vertadr.clone(),
            flexvertnum: m.flex_vertnum.clone(),
            flexfaceadr: (0..m.nflex).map(first).collect(),
            flexfaceused: vec![0; m.nflex],
            flexedge: m.flex_edge.as_chunks::<2>().0.to_vec(),
            flexvert: vec![[0.0; 3]; m.nflexvert],
            flexface: vec![[[0.0; 3]; 3]; total],
            flexnormal: vec![[[0.0; 3]; 3]; total],
            flextexcoord: vec![[[0.0; 2]; 3]; total],
            flexfacenum: faces,
            skinfacenum: m.skin_facenum.clone(),
            skinvertadr: m.skin_vertadr.clone(),
            skinvertnum: m.skin_vertnum.clone(),
            skinvert: vec![[0.0; 3]; m.nskinvert],
            skinnormal: vec![[0.0; 3]; m.nskinvert],
            rotate: [1.0, 0.0, 0.0, 0.0],
            scale: 1.0,
            flags,
            ..Self::default()
        }
    }

    /// Whether a rendering effect is enabled.
    #[must_use]
    pub const fn flag(&self, flag: RenderFlag) -> bool {
        self.flags[flag as usize]
    }

    /// A new geom that is not yet part of the scene; `None` and [`Scene::status`] if the scene is full.
    ///
    /// Users add their own geoms with this method and [`Scene::push`] after updating the scene.
    #[must_use]
    pub fn acquire(
        &mut self,
        objid: usize,
        category: Category,
        objtype: ObjType,
    ) -> Option<SceneGeom> {
        if self.geoms.len() >= self.maxgeom {
            self.status = true;
            return None;
        }
        let id = |index: usize| i32::try_from(index).unwrap_or(-1);
        let segid = id(self.geoms.len());
        Some(SceneGeom { objtype, objid: id(objid), category, segid, ..SceneGeom::default() })
    }

    /// Adds a geom; it is omitted and [`Scene::status`] set if the scene is full.
    pub fn push(&mut self, geom: SceneGeom) {
        if self.geoms.len() < self.maxgeom {
            self.geoms.push(geom);
        } else {
            self.status = true;
        }
    }

    /// Adds a connector of an object.
    pub(crate) fn connector(
        &mut self,
        owner: Owner,
        kind: SceneGeomType,
        width: f64,
        ends: [Vec3; 2],
        rgba: Rgba,
    ) {
        if let Some(mut geom) = self.acquire(owner.id, owner.category, owner.kind) {
            geom.set_connector(kind, width, ends[0], ends[1]);
            geom.rgba = rgba;
            self.push(geom);
        }
    }

    /// Adds a triangle of an object.
    pub(crate) fn triangle(&mut self, owner: Owner, corners: [Vec3; 3], rgba: Rgba) {
        let Some(mut geom) = self.acquire(owner.id, owner.category, owner.kind) else { return };
        let (e1, e2) = (vec3::sub(corners[1], corners[0]), vec3::sub(corners[2], corners[0]));
        let normal = vec3::cross(e1, e2);
        let (e1, length1) = vec3::normalize(e1);
        let (e2, length2) = vec3::normalize(e2);
        let (normal, area) = vec3::normalize(normal);
        let mat: Mat3 = [e1[0], e2[0], normal[0], e1[1], e2[1], normal[1], e1[2], e2[2], normal[2]];
        let size = [length1, length2, area];
        geom.init(SceneGeomType::Triangle, Some(size), Some(corners[0]), Some(&mat), Some(rgba));
        self.push(geom);
    }

    /// Adds the three axes of a coordinate frame.
    pub(crate) fn frame(&mut self, id: usize, pos: Vec3, mat: &Mat3, length: f64, width: f64) {
        // MuJoCo stores both in single precision
        let (length, width) = (f64::from(single(length)), f64::from(single(width)));
        for axis in 0..3 {
            let Some(mut geom) = self.acquire(id, Category::DECOR, ObjType::Unknown) else {
                return;
            };
            let mut local = [0.0; 3];
            local[axis] = length;
            let to = vec3::add(pos, mat3::mul_vec(mat, local));
            geom.set_connector(SceneGeomType::Cylinder, width, pos, to);
            geom.rgba = [0.0, 0.0, 0.0, 1.0];
            geom.rgba[axis] = 0.9;
            self.push(geom);
        }
    }
}

/// The object that a geom visualizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Owner {
    /// Index of the object.
    pub(crate) id: usize,
    /// Category of its geoms.
    pub(crate) category: Category,
    /// Type of the object.
    pub(crate) kind: ObjType,
}

impl Owner {
    /// An object that is visualized by decorative geoms.
    pub(crate) const fn decor(kind: ObjType, id: usize) -> Self {
        Self { id, category: Category::DECOR, kind }
    }
}
