//! Geoms of a scene, one file per kind of element (`mjv_updateScene`, `mjv_addGeoms`).

mod actuator;
mod body;
mod bvh;
mod camera_light;
mod contact;
mod deformable;
mod element;
mod equality;
mod joint;
mod plane;
mod plugin;
mod sensor;
mod tactile;
mod tendon;

use crate::geom::rgba_row;
use crate::{
    Camera, Category, Perturb, Rgba, Scene, SceneError, SceneGeom, VisFlag, VisOption,
    mjv_make_lights, mjv_update_camera, mjv_update_flex, mjv_update_skin, single,
};
use sim_core::math::mat3::Mat3;
use sim_core::math::rows;
use sim_core::math::vec3::Vec3;
use sim_core::types::{ConstraintType, ObjType};
use sim_core::{Data, Model};

/// Replaces the contents of the scene by the state of a simulation: geoms of the categories `catmask`, then
/// the cameras, lights and skins. A tracking camera is moved to its body.
///
/// As in MuJoCo, infinite planes are centred below the cameras of the previous update.
///
/// # Errors
///
/// If the camera refers to a camera or body that does not exist, or the user controls the camera and did not
/// set those of the scene. The geoms are then already updated.
#[doc(alias = "mjv_updateScene")]
pub fn mjv_update_scene(
    m: &Model,
    d: &Data,
    option: &VisOption,
    perturb: Option<&Perturb>,
    camera: &mut Camera,
    catmask: Category,
    scene: &mut Scene,
) -> Result<(), SceneError> {
    scene.geoms.clear();
    scene.surfaces.clear();
    plugin::geoms(m, d, scene);
    mjv_add_geoms(m, d, option, perturb, catmask, scene);
    mjv_update_camera(m, d, camera, scene)?;
    mjv_make_lights(m, d, scene)?;
    let flex = [VisFlag::FlexVert, VisFlag::FlexEdge, VisFlag::FlexFace, VisFlag::FlexSkin];
    if flex.iter().any(|&flag| option.flag(flag)) {
        mjv_update_flex(m, d, option, scene);
    }
    if option.flag(VisFlag::Skin) {
        mjv_update_skin(m, d, option, scene);
    }
    Ok(())
}

/// Appends the geoms of the categories `catmask` to the scene.
///
/// Reads all poses, `contact`, constraint rows and forces, islands, `sensordata`, `ctrl`, `act` and
/// `xfrc_applied`.
#[doc(alias = "mjv_addGeoms")]
pub fn mjv_add_geoms(
    m: &Model,
    d: &Data,
    option: &VisOption,
    perturb: Option<&Perturb>,
    catmask: Category,
    scene: &mut Scene,
) {
    let default = Perturb::default();
    let perturb = perturb.unwrap_or(&default);
    let catmask =
        if option.flag(VisFlag::Static) { catmask } else { catmask.without(Category::STATIC) };
    let (size, colors) = (single(m.stat.meansize), plugin::colors(m, d));
    let view = View { m, d, option, perturb, catmask, size, colors };
    // an element that does not fit ends its kind; the status of the scene tells
    for add in ELEMENTS {
        let _ = add(&view, scene);
    }
    if catmask.intersects(Category::DECOR) {
        for add in DECOR {
            let _ = add(&view, scene);
        }
    }
}

/// Adds the geoms of one kind of element; `None` if the scene is full.
type Add = fn(&View<'_>, &mut Scene) -> Option<()>;

/// Elements of the model, in the order of the scene.
const ELEMENTS: [Add; 7] = [
    element::flexes,
    element::skins,
    element::geoms,
    element::sites,
    tendon::tendons,
    actuator::slider_cranks,
    deformable::deformables,
];

/// Decorative elements, in the order of the scene.
const DECOR: [Add; 23] = [
    element::geom_frames,
    element::site_frames,
    bvh::bodies,
    bvh::flexes,
    bvh::meshes,
    bvh::octrees,
    tactile::tactile,
    body::inertias,
    body::perturbation,
    body::frames,
    body::selection_point,
    body::labels,
    joint::joints,
    actuator::actuators,
    body::island_labels,
    camera_light::cameras,
    camera_light::lights,
    body::centers_of_mass,
    body::connections,
    sensor::rangefinders,
    body::applied_forces,
    equality::equalities,
    contact::contacts,
];

/// What is visualized, and how.
pub(super) struct View<'a> {
    m: &'a Model,
    d: &'a Data,
    option: &'a VisOption,
    perturb: &'a Perturb,
    /// Categories that are shown.
    catmask: Category,
    /// Mean body size (m), the unit of decorative elements.
    size: f32,
    /// Colours of geoms that plugins set.
    colors: Vec<(usize, Rgba)>,
}

impl View<'_> {
    /// Colour of a geom, as the model or a plugin defines it.
    fn geom_rgba(&self, geom: usize) -> Rgba {
        let set = self.colors.iter().find(|(id, _)| *id == geom);
        set.map_or_else(|| rgba_row(&self.m.geom_rgba, geom), |(_, rgba)| *rgba)
    }

    fn flag(&self, flag: VisFlag) -> bool {
        self.option.flag(flag)
    }

    /// Category of the elements of a body: static if it is welded to the world and neither a mocap body nor
    /// a descendant of one.
    fn category(&self, body: usize) -> Category {
        let root = usize::try_from(self.m.body_rootid[body]).unwrap_or(0);
        if self.m.body_weldid[body] == 0 && self.m.body_mocapid[root] == -1 {
            Category::STATIC
        } else {
            Category::DYNAMIC
        }
    }

    /// Size of a decorative element (m) from its relative size.
    fn scaled(&self, relative: f32) -> f64 {
        f64::from(relative * self.size)
    }

    /// Length and width of the axes of a coordinate frame (m).
    fn frame_size(&self) -> (f64, f64) {
        let scale = &self.m.vis.scale;
        (self.scaled(scale.framelength), self.scaled(scale.framewidth))
    }

    /// Impedance of the active limit constraint of a joint or tendon; 0 if its limit is not active.
    fn limit_impedance(&self, kind: ConstraintType, id: usize) -> f64 {
        let d = self.d;
        let start = (d.ne + d.nf).min(d.efc_type.len());
        let end = (start + d.nl).min(d.efc_type.len());
        let is_limit = |k: &usize| {
            d.efc_type[*k] == kind && usize::try_from(d.efc_id[*k]).is_ok_and(|i| i == id)
        };
        (start..end).rfind(is_limit).map_or(0.0, |k| d.efc_KBIP[4 * k + 2])
    }

    /// World position of the selection point of the selected body.
    fn selection(&self, body: usize) -> Vec3 {
        crate::perturb_body::selection_point(self.d, self.perturb, body)
    }

    fn body_pose(&self, body: usize) -> (Vec3, &Mat3) {
        (rows::<3>(&self.d.xpos)[body], &rows::<9>(&self.d.xmat)[body])
    }

    fn inertial_pose(&self, body: usize) -> (Vec3, &Mat3) {
        (rows::<3>(&self.d.xipos)[body], &rows::<9>(&self.d.ximat)[body])
    }

    fn geom_pose(&self, geom: usize) -> (Vec3, &Mat3) {
        (rows::<3>(&self.d.geom_xpos)[geom], &rows::<9>(&self.d.geom_xmat)[geom])
    }

    fn site_pose(&self, site: usize) -> (Vec3, &Mat3) {
        (rows::<3>(&self.d.site_xpos)[site], &rows::<9>(&self.d.site_xmat)[site])
    }
}

/// A decorative geom of an object that is not yet part of the scene; `None` if the scene is full.
fn decor(scene: &mut Scene, kind: ObjType, id: usize) -> Option<SceneGeom> {
    scene.acquire(id, Category::DECOR, kind)
}

/// `(1 - t) a + t b` for red, green and blue, with the opacity of `a`.
fn blend(a: Rgba, b: Rgba, t: f64) -> Rgba {
    let mix = |k: usize| single((1.0 - t) * f64::from(a[k]) + t * f64::from(b[k]));
    [mix(0), mix(1), mix(2), a[3]]
}
