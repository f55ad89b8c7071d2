//! Offscreen rendering of a [`Scene`](sim_scene::Scene): colour, depth, segmentation and normals.
//!
//! No window or display server is required: images are rendered with wgpu on any Vulkan, Metal or DX12 driver,
//! including software drivers such as lavapipe.
//!
//! ```no_run
//! use mesh_gpu::{AdapterSelection, Context};
//! use sim_render::{Outputs, Renderer};
//! use sim_scene::{Camera, Category, Scene, VisOption, mjv_update_scene};
//!
//! let model = sim_mjcf::load_str("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")?;
//! let mut data = model.make_data();
//! sim_core::mj_forward(&model, &mut data)?;
//! let context = Context::new(&AdapterSelection::from_env())?;
//! let mut renderer = Renderer::new(&context, &model, [320, 240])?;
//! let (mut scene, mut camera) = (Scene::new(&model, 10_000), Camera::free(&model));
//! mjv_update_scene(&model, &data, &VisOption::default(), None, &mut camera, Category::ALL, &mut scene)?;
//! let picture = renderer.render(&scene, Outputs::RGB)?;
//! assert_eq!(picture.rgb.len(), 3 * 320 * 240);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Look
//!
//! [`Look::Classic`] reproduces the images of MuJoCo 3.8.0's OpenGL renderer and does not change between
//! versions of this crate: policies that were trained on its images keep their input.

mod cull;
mod draw;
mod error;
mod font;
mod frame;
mod geometry;
mod inputs;
mod label;
mod material;
mod matrix;
mod mesh_buffer;
mod overlay;
mod part;
mod passes;
mod picture;
mod pipeline;
mod readback;
mod renderer;
mod resource;
mod target;
mod tessellation;
mod texture;
mod view;

pub use error::RenderError;
pub use mesh_gpu::{AdapterSelection, Context};
pub use picture::{Outputs, Picture};
pub use renderer::{Look, Renderer};

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/guide/rendering.md")]
struct GuideDoctests;
