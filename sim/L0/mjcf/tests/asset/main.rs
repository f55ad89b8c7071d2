//! Tests of the asset library: decoding, hulls, inertia, images, cache, hostile files.

mod cache;
mod compile;
mod decode;
mod hostile;
mod hull;
mod hull_order;
mod image;
mod make;
mod point_sets;
