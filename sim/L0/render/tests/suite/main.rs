//! Tests of the renderer on the available device, in one program: each program links the GPU libraries.

mod image_goldens;
mod images;
mod robust;
