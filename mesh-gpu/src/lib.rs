//! A compute device on Vulkan, Metal or DX12, without a window. No other crate creates devices.
//!
//! ```no_run
//! use mesh_gpu::{Access, AdapterSelection, Buffer, Checks, Context, Source};
//!
//! let gpu = Context::new(&AdapterSelection::default())?;
//! let kernel = gpu.kernel(&Source {
//!     label: "double",
//!     wgsl: "@group(0) @binding(0) var<storage, read_write> x: array<f32>;
//!            @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) i: vec3<u32>) { x[i.x] *= 2.0; }",
//!     entry: "main",
//!     bindings: &[Access::Write],
//!     checks: Checks::All,
//! })?;
//! let x = Buffer::from_slice(&gpu, "x", &[1.0_f32, 2.0, 3.0, 4.0])?;
//! gpu.dispatch(&kernel, &[x.raw()], 1)?;
//! assert_eq!(x.read(&gpu)?, [2.0, 4.0, 6.0, 8.0]);
//! # Ok::<(), mesh_gpu::GpuError>(())
//! ```
#![warn(missing_docs)]

mod buffer;
mod context;
mod error;
mod kernel;
mod ring;
mod shared;
mod timer;

pub use buffer::Buffer;
pub use context::{AdapterSelection, Context, PowerPreference};
pub use error::GpuError;
pub use kernel::{Access, Binding, Checks, Kernel, Source};
pub use ring::{Ring, Ticket};
pub use shared::{MemoryHandle, SharedMemory};
pub use timer::Timer;
pub use wgpu;
pub use wgpu::Buffer as Raw;
