//! One abstract geom (`mjvGeom`): initialization, connectors, bounding radius.

use crate::{Category, SceneError, SceneGeomType, VisFlag, VisOption, single};
use sim_core::Model;
use sim_core::math::vec3::{self, Vec3};
use sim_core::math::{mat3, quat};
use sim_core::types::ObjType;

/// Colour and opacity (r, g, b, a), each in 0 to 1.
pub type Rgba = [f32; 4];

/// A shape to draw (`mjvGeom`).
#[doc(alias = "mjvGeom")]
#[derive(Debug, Clone, PartialEq)]
pub struct SceneGeom {
    /// Shape.
    pub kind: SceneGeomType,
    /// Height field, plane or surface index, or mesh: twice its index, plus one for its convex hull; -1 for
    /// none.
    pub dataid: i32,
    /// Type of the object that is drawn; [`ObjType::Unknown`] for decorative geoms.
    pub objtype: ObjType,
    /// Index of the object; that of a related object for decorative geoms.
    pub objid: i32,
    /// Category.
    pub category: Category,
    /// Material whose texture is used; -1 for none.
    pub matid: i32,
    /// Whether a mesh or skin has texture coordinates.
    pub texcoord: bool,
    /// Segmentation id: index in the list of geoms; -1 if it is not shown.
    pub segid: i32,
    /// Scale of the shape along its axes (m).
    pub size: [f32; 3],
    /// Position (m).
    pub pos: [f32; 3],
    /// Rotation matrix, row-major.
    pub mat: [f32; 9],
    /// Colour and opacity.
    pub rgba: Rgba,
    /// Emission coefficient.
    pub emission: f32,
    /// Specular coefficient.
    pub specular: f32,
    /// Shininess coefficient.
    pub shininess: f32,
    /// Reflectance coefficient.
    pub reflectance: f32,
    /// Text label; at most 99 bytes.
    pub label: String,
    /// Distance to the camera, set by the renderer.
    pub camdist: f32,
    /// Bounding radius of a geom of the model (m); 0 for other geoms.
    pub modelrbound: f32,
    /// Whether the geom is drawn with transparency, set by the renderer.
    pub transparent: bool,
}

impl Default for SceneGeom {
    fn default() -> Self {
        Self {
            kind: SceneGeomType::None,
            dataid: -1,
            objtype: ObjType::Unknown,
            objid: 0,
            category: Category(0),
            matid: -1,
            texcoord: false,
            segid: 0,
            size: [0.1; 3],
            pos: [0.0; 3],
            mat: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            rgba: [0.5, 0.5, 0.5, 1.0],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            label: String::new(),
            camdist: 0.0,
            modelrbound: 0.0,
            transparent: false,
        }
    }
}

impl SceneGeom {
    /// Sets the given fields, and all others except the object, category, segmentation id, camera distance
    /// and transparency to their defaults (`mjv_initGeom`).
    #[doc(alias = "mjv_initGeom")]
    pub fn init(
        &mut self,
        kind: SceneGeomType,
        size: Option<Vec3>,
        pos: Option<Vec3>,
        mat: Option<&mat3::Mat3>,
        rgba: Option<Rgba>,
    ) {
        use SceneGeomType::{Capsule, Cylinder, Sphere};
        let default = Self::default();
        *self = Self {
            kind,
            size: size.map_or(default.size, |size| match kind {
                Sphere => [single(size[0]); 3],
                Capsule | Cylinder => [single(size[0]), single(size[0]), single(size[1])],
                _ => size.map(single),
            }),
            pos: pos.map_or(default.pos, |pos| pos.map(single)),
            mat: mat.map_or(default.mat, |mat| mat.map(single)),
            rgba: rgba.unwrap_or(default.rgba),
            objtype: self.objtype,
            objid: self.objid,
            category: self.category,
            segid: self.segid,
            camdist: self.camdist,
            transparent: self.transparent,
            ..default
        };
    }

    /// Sets shape, size and pose of a capsule, cylinder, arrow or line between two points
    /// (`mjv_connector`). The other fields are kept.
    ///
    /// # Errors
    ///
    /// [`SceneError::Connector`] for other shapes.
    ///
    /// ```
    /// use sim_scene::{SceneGeom, SceneGeomType};
    /// let mut geom = SceneGeom::default();
    /// geom.connect(SceneGeomType::Arrow, 0.01, [0.0; 3], [0.0, 0.0, 2.0])?;
    /// assert_eq!(geom.size, [0.01, 0.01, 2.0]);
    /// # Ok::<(), sim_scene::SceneError>(())
    /// ```
    #[doc(alias = "mjv_connector")]
    pub fn connect(
        &mut self,
        kind: SceneGeomType,
        width: f64,
        from: Vec3,
        to: Vec3,
    ) -> Result<(), SceneError> {
        use SceneGeomType::{Arrow, Arrow1, Arrow2, Capsule, Cylinder, Line};
        match kind {
            Capsule | Cylinder | Arrow | Arrow1 | Arrow2 | Line => {
                self.set_connector(kind, width, from, to);
                Ok(())
            }
            _ => Err(SceneError::Connector(kind)),
        }
    }

    /// [`SceneGeom::connect`] with a valid shape.
    pub(crate) fn set_connector(&mut self, kind: SceneGeomType, width: f64, from: Vec3, to: Vec3) {
        let along = vec3::sub(to, from);
        let (width, length) = (single(width), single(vec3::norm(along)));
        self.kind = kind;
        // capsules and cylinders are centred, and their size is the half-length
        if matches!(kind, SceneGeomType::Capsule | SceneGeomType::Cylinder) {
            self.pos = std::array::from_fn(|k| single(0.5 * (from[k] + to[k])));
            self.size = [width, width, 0.5 * length];
        } else {
            self.pos = from.map(single);
            self.size = [width, width, length];
        }
        self.mat = quat::to_mat(quat::from_z_axis(along)).map(single);
    }

    /// Radius of a sphere around the origin of the geom that encloses it; that of arrows is not exact.
    #[doc(alias = "mjv_rbound")]
    #[must_use]
    pub fn rbound(&self) -> f32 {
        let [x, y, z] = self.size;
        if self.objtype == ObjType::Geom {
            return self.modelrbound;
        }
        match self.kind {
            SceneGeomType::Sphere => x,
            SceneGeomType::Capsule => x + z,
            SceneGeomType::Cylinder => (x * x + z * z).sqrt(),
            SceneGeomType::Box => (x * x + y * y + z * z).sqrt(),
            _ => x.max(y.max(z)),
        }
    }

    /// Sets colour and material properties: those of the material, with the colour replaced by `rgba` if it
    /// is not the default or there is no material. The opacity of moving geoms is scaled if they are drawn
    /// transparent.
    pub(crate) fn set_material(&mut self, m: &Model, matid: i32, rgba: Rgba, option: &VisOption) {
        let material = usize::try_from(matid).ok().filter(|&i| i < m.nmat);
        if let Some(i) = material {
            self.rgba = rgba_row(&m.mat_rgba, i);
            self.emission = m.mat_emission[i];
            self.specular = m.mat_specular[i];
            self.shininess = m.mat_shininess[i];
            self.reflectance = m.mat_reflectance[i];
        }
        if material.is_none() || rgba != [0.5, 0.5, 0.5, 1.0] {
            self.rgba = rgba;
        }
        if option.flag(VisFlag::Texture) && material.is_some() {
            self.matid = matid;
        }
        if option.flag(VisFlag::Transparent) && self.category == Category::DYNAMIC {
            self.rgba[3] *= m.vis.map.alpha;
        }
    }

    /// Adds the emission of selected objects.
    pub(crate) fn mark_selected(&mut self, m: &Model) {
        self.emission += m.vis.global.glow;
    }
}

/// Row `i` of an array of colours.
pub(crate) fn rgba_row(colors: &[f32], i: usize) -> Rgba {
    colors.as_chunks().0[i]
}
