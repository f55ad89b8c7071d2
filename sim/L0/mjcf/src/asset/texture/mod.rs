//! Textures (mjCTexture): 2D, cube and skybox.

mod builtin;
mod cube;

use super::error::AssetError;
use super::image::{Image, MAX_IMAGE_BYTES};
pub use sim_core::types::{ColorSpace, TextureType};

/// Builtin texture patterns (mjtBuiltin).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Gradient between two colors.
    Gradient,
    /// Checkerboard of two by two squares.
    Checker,
    /// Single color.
    Flat,
}

/// Marks drawn over a builtin pattern (mjtMark).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mark {
    /// No mark.
    #[default]
    None,
    /// Lines along the edges.
    Edge,
    /// Lines through the center.
    Cross,
    /// Random dots.
    Random,
}

/// Source of the pixels of a texture.
#[derive(Debug, Clone, Copy)]
pub enum TextureSource<'a> {
    /// Builtin pattern.
    Pattern(Pattern),
    /// One image, decoded with the texture's `nchannel` and flips.
    Image(&'a Image),
    /// Images of the cube faces right, left, up, down, front, back.
    Faces([Option<&'a Image>; 6]),
}

/// Options of compiling a texture.
#[derive(Debug, Clone, PartialEq)]
pub struct TextureOptions {
    /// Texture type.
    pub kind: TextureType,
    /// Color space.
    pub colorspace: ColorSpace,
    /// Number of channels, one byte each.
    pub nchannel: usize,
    /// Width of a builtin texture, in pixels.
    pub width: i64,
    /// Height of a builtin 2D texture, in pixels.
    pub height: i64,
    /// First color of a builtin texture, and color of cube faces without an image.
    pub rgb1: [f64; 3],
    /// Second color of a builtin texture.
    pub rgb2: [f64; 3],
    /// Mark drawn over a builtin texture.
    pub mark: Mark,
    /// Color of the mark.
    pub markrgb: [f64; 3],
    /// Probability of a random dot per pixel.
    pub random: f64,
    /// Rows and columns of the grid of cube faces in one image.
    pub gridsize: [i64; 2],
    /// Cube face in each grid cell: one of `.RLUDFB`.
    pub gridlayout: String,
}

impl Default for TextureOptions {
    fn default() -> Self {
        Self {
            kind: TextureType::Cube,
            colorspace: ColorSpace::default(),
            nchannel: 3,
            width: 0,
            height: 0,
            rgb1: [0.8; 3],
            rgb2: [0.5; 3],
            mark: Mark::default(),
            markrgb: [0.0; 3],
            random: 0.01,
            gridsize: [1, 1],
            gridlayout: ".".repeat(12),
        }
    }
}

/// A compiled texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texture {
    /// Texture type.
    pub kind: TextureType,
    /// Color space.
    pub colorspace: ColorSpace,
    /// Height in pixels; the six faces of a cube are stacked vertically.
    pub height: usize,
    /// Width in pixels.
    pub width: usize,
    /// Number of channels, one byte each.
    pub nchannel: usize,
    /// Pixel data, row-major.
    pub data: Vec<u8>,
}

/// Compiles a texture.
///
/// # Errors
///
/// The sizes are invalid or the source does not fit the texture type.
pub fn compile_texture(
    options: &TextureOptions,
    source: TextureSource<'_>,
) -> Result<Texture, AssetError> {
    match (source, options.kind) {
        (TextureSource::Pattern(pattern), _) => builtin::make(options, pattern),
        (TextureSource::Image(image), TextureType::TwoD) => Ok(Texture {
            kind: options.kind,
            colorspace: resolve(options.colorspace, image),
            height: image.height,
            width: image.width,
            nchannel: image.nchannel,
            data: image.data.clone(),
        }),
        (TextureSource::Image(image), _) => cube::from_image(options, image),
        (TextureSource::Faces(_), TextureType::TwoD) => Err(AssetError::invalid(
            "a 2d texture has a single file; six files are for cube and skybox textures",
        )),
        (TextureSource::Faces(faces), _) => cube::from_faces(options, &faces),
    }
}

/// Color space of a texture from an image.
fn resolve(wanted: ColorSpace, image: &Image) -> ColorSpace {
    match (wanted, image.srgb) {
        (ColorSpace::Auto, true) => ColorSpace::Srgb,
        (ColorSpace::Auto, false) => ColorSpace::Linear,
        (wanted, _) => wanted,
    }
}

/// Converts a color in [0, 1] to bytes.
fn bytes(rgb: [f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as u8)
}

/// Size of a texture in bytes, if within the limit.
fn size(width: usize, height: usize, nchannel: usize) -> Result<usize, AssetError> {
    width
        .checked_mul(height)
        .and_then(|n| n.checked_mul(nchannel))
        .filter(|n| *n <= MAX_IMAGE_BYTES)
        .ok_or(AssetError::TooLarge { what: "texture in bytes", limit: MAX_IMAGE_BYTES })
}
