//! The abstract scene: what there is to draw of a simulation, without a GPU (`mjvScene`).
//!
//! [`mjv_update_scene`] turns a [`Model`](sim_core::Model) and [`Data`](sim_core::Data) into a [`Scene`]: a
//! list of [`SceneGeom`]s, lights and two cameras, with MuJoCo's contents, order and single-precision values.
//! [`VisOption`] selects the contents, a [`Camera`] the view.
//!
//! ```
//! use sim_scene::{Camera, Category, Scene, VisFlag, VisOption, mjv_update_scene};
//!
//! let model = sim_mjcf::load_str(r#"<mujoco><worldbody>
//!     <body><joint axis="0 1 0"/><geom size=".1"/></body></worldbody></mujoco>"#)?;
//! let mut data = model.make_data();
//! sim_core::mj_forward(&model, &mut data)?;
//! let mut option = VisOption::default();
//! option.flags[VisFlag::Joint as usize] = true;
//! let (mut camera, mut scene) = (Camera::free(&model), Scene::new(&model, 100));
//! mjv_update_scene(&model, &data, &option, None, &mut camera, Category::ALL, &mut scene)?;
//! // the sphere, and the arrow of its joint
//! assert_eq!(scene.geoms.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Correspondence with MuJoCo
//!
//! Functions that see a model and data keep MuJoCo's names in snake case. The others are methods:
//!
//! | MuJoCo | here |
//! |---|---|
//! | `mjv_defaultOption`, `mjv_defaultCamera`, `mjv_defaultPerturb`, `mjv_defaultFigure`, `mjv_defaultScene` | `Default` of [`VisOption`], [`Camera`], [`Perturb`], [`Figure`], [`Scene`] |
//! | `mjv_defaultFreeCamera` | [`Camera::free`] |
//! | `mjv_makeScene`, `mjv_freeScene` | [`Scene::new`]; dropping it |
//! | `mjv_initGeom`, `mjv_connector` | [`SceneGeom::init`], [`SceneGeom::connect`] |
//! | `mjv_updateScene`, `mjv_addGeoms`, `mjv_makeLights`, `mjv_updateCamera`, `mjv_updateSkin` | [`mjv_update_scene`], [`mjv_add_geoms`], [`mjv_make_lights`], [`mjv_update_camera`], [`mjv_update_skin`] |
//! | `mjv_cameraFrame`, `mjv_cameraFrustum`, `mjv_averageCamera` | [`mjv_camera_frame`], [`mjv_camera_frustum`], [`mjv_average_camera`] |
//! | `mjv_room2model`, `mjv_model2room`, `mjv_cameraInModel`, `mjv_cameraInRoom`, `mjv_frustumHeight` | [`Scene::room2model`], [`Scene::model2room`], [`Scene::camera_in_model`], [`Scene::camera_in_room`], [`Scene::frustum_height`] |
//! | `mjv_alignToCamera` | [`align_to_camera`] |
//! | `mjv_moveCamera`, `mjv_movePerturb`, `mjv_moveModel` | [`mjv_move_camera`], [`mjv_move_perturb`], [`mjv_move_model`] |
//! | `mjv_initPerturb`, `mjv_applyPerturbPose`, `mjv_applyPerturbForce` | [`mjv_init_perturb`], [`mjv_apply_perturb_pose`], [`mjv_apply_perturb_force`] |
//! | `mjv_select` | [`mjv_select`] |
//! | `mjv_copyModel` | none: it copies a model without its large arrays; models are shared by `Arc`, or cloned |
//!
//! # Limits
//!
//! * Deformable bodies of the extension `xpbd` are geoms of the type [`SceneGeomType::Surface`], and capsules for
//!   ropes, whose object is a flex with the index of the deformable body. The flag [`VisFlag::FlexSkin`] shows
//!   them.
//! * Bounding volumes are coloured by `Data::bvh_active`, which our collision detection does not set. If
//!   `vis.global.bvactive` is 1, those of meshes are therefore not drawn.

mod add;
mod camera;
mod catenary;
mod color;
mod enums;
mod error;
mod figure;
mod flex;
mod geom;
mod interact;
mod label;
mod light;
mod option;
mod perturb;
mod perturb_body;
mod scene;
mod select;
mod skin;
mod surface;
mod transform;

pub use add::{mjv_add_geoms, mjv_update_scene};
pub use camera::{
    Camera, CameraFrame, CameraFrustum, GlCamera, mjv_average_camera, mjv_camera_frame,
    mjv_camera_frustum, mjv_update_camera,
};
pub use enums::{
    CameraType, Category, FrameMode, LabelMode, MouseAction, RenderFlag, SceneGeomType, Stereo,
    VisFlag,
};
pub use error::SceneError;
pub use figure::{Figure, FigureLine, MAXLINE, MAXLINEPNT};
pub use flex::mjv_update_flex;
pub use geom::{Rgba, SceneGeom};
pub use interact::{mjv_move_camera, mjv_move_model, mjv_move_perturb};
pub use light::{Light, MAXLIGHT, mjv_make_lights};
pub use option::{NGROUP, VisOption};
pub use perturb::{PERT_ROTATE, PERT_TRANSLATE, Perturb};
pub use perturb_body::{mjv_apply_perturb_force, mjv_apply_perturb_pose, mjv_init_perturb};
pub use scene::Scene;
pub use select::{Selection, mjv_select};
pub use skin::mjv_update_skin;
pub use surface::Surface;
pub use transform::{HeadFrame, align_to_camera};

/// The nearest single-precision value; the scene is in single precision.
#[allow(clippy::cast_possible_truncation, reason = "rounding is intended")]
pub(crate) const fn single(x: f64) -> f32 {
    x as f32
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
