//! Tests of the facade, in one program: each program links the engine, the renderer and the GPU libraries.

mod batch;
mod camera;
mod deformables;
mod lanes;
mod simulation;
