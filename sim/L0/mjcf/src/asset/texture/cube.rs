//! Cube and skybox textures from one image or six (mjCTexture::LoadCubeSingle, LoadCubeSeparate).

use super::{ColorSpace, Texture, TextureOptions, bytes, resolve, size};
use crate::asset::error::AssetError;
use crate::asset::image::Image;

/// Letters of the cube faces in `gridlayout`, in face order.
const FACES: &[u8; 6] = b"RLUDFB";

/// A cube with the same image on all faces, or with faces from a grid in the image.
pub(super) fn from_image(options: &TextureOptions, image: &Image) -> Result<Texture, AssetError> {
    let [rows, cols] = options.gridsize;
    if rows < 1 || cols < 1 || rows.checked_mul(cols).is_none_or(|n| n > 12) {
        return Err(AssetError::invalid("gridsize must be positive, with at most 12 cells"));
    }
    let (rows, cols) = (rows as usize, cols as usize);
    check_channels(options, image)?;
    let width = image.width / cols;
    if width != image.height / rows
        || !image.width.is_multiple_of(cols)
        || !image.height.is_multiple_of(rows)
        || width == 0
    {
        return Err(AssetError::invalid(format!(
            "an image of {} by {} pixels cannot be divided into {rows} rows and {cols} columns of squares",
            image.width, image.height
        )));
    }
    let colorspace = resolve(options.colorspace, image);
    if rows * cols == 1 {
        let data = image.data.clone();
        return Ok(texture(options, colorspace, width, width, data));
    }
    let mut cube = Cube::new(width)?;
    let layout = options.gridlayout.as_bytes();
    for cell in 0..rows * cols {
        let letter = layout.get(cell).copied().unwrap_or(b'.');
        if let Some(face) = FACES.iter().position(|&l| l == letter) {
            let from = Region { image, row: width * (cell / cols), column: width * (cell % cols) };
            cube.copy(face, &from);
        } else if letter != b'.' {
            return Err(AssetError::invalid(format!(
                "gridlayout may contain .RLUDFB, found `{}`",
                char::from(letter)
            )));
        }
    }
    Ok(texture(options, colorspace, width, 6 * width, cube.finish(options)))
}

/// A cube with an image per face; faces without one have color `rgb1`.
pub(super) fn from_faces(
    options: &TextureOptions,
    faces: &[Option<&Image>; 6],
) -> Result<Texture, AssetError> {
    let Some(first) = faces.iter().flatten().next() else {
        return Err(AssetError::invalid("a cube or skybox texture requires at least one file"));
    };
    let colorspace = resolve(options.colorspace, first);
    let width = first.width;
    let mut cube = Cube::new(width)?;
    for (face, image) in faces.iter().enumerate() {
        let Some(image) = image else {
            continue;
        };
        check_channels(options, image)?;
        if image.width != image.height || image.width != width {
            return Err(AssetError::invalid(format!(
                "faces of a cube must be squares of equal size, found {} by {} and {width} by {width}",
                image.width, image.height
            )));
        }
        cube.copy(face, &Region { image, row: 0, column: 0 });
    }
    Ok(texture(options, colorspace, width, 6 * width, cube.finish(options)))
}

fn check_channels(options: &TextureOptions, image: &Image) -> Result<(), AssetError> {
    if options.nchannel == 3 && image.nchannel == 3 {
        Ok(())
    } else {
        Err(AssetError::invalid("a cube or skybox texture requires files with nchannel 3"))
    }
}

fn texture(
    options: &TextureOptions,
    colorspace: ColorSpace,
    width: usize,
    height: usize,
    data: Vec<u8>,
) -> Texture {
    Texture { kind: options.kind, colorspace, height, width, nchannel: 3, data }
}

/// A square region of an image, given by its top left corner.
struct Region<'a> {
    image: &'a Image,
    row: usize,
    column: usize,
}

/// Six cube faces, stacked vertically.
struct Cube {
    width: usize,
    data: Vec<u8>,
    loaded: [bool; 6],
}

impl Cube {
    fn new(width: usize) -> Result<Self, AssetError> {
        let data = vec![0; size(width, width.saturating_mul(6), 3)?];
        Ok(Self { width, data, loaded: [false; 6] })
    }

    fn copy(&mut self, face: usize, from: &Region<'_>) {
        let row = 3 * self.width;
        for r in 0..self.width {
            let source = 3 * ((from.row + r) * from.image.width + from.column);
            let target = (face * self.width + r) * row;
            self.data[target..target + row].copy_from_slice(&from.image.data[source..source + row]);
        }
        self.loaded[face] = true;
    }

    fn finish(mut self, options: &TextureOptions) -> Vec<u8> {
        let color = bytes(options.rgb1);
        for (face, pixels) in self.data.chunks_exact_mut(3 * self.width * self.width).enumerate() {
            if !self.loaded[face] {
                pixels.as_chunks_mut::<3>().0.fill(color);
            }
        }
        self.data
    }
}
