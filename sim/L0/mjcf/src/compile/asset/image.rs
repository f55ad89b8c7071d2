//! Compilation of height fields and textures; textures in parallel.

use super::super::Context;
use super::{CompiledHField, CompiledTexture, cached, read};
use crate::asset::{
    self, AssetError, AssetKey, Image, ImageFormat, ImageOptions, TextureOptions, TextureSource,
    check_hfield_size, compile_texture, decode_image,
};
use crate::error::ErrorKind;
use crate::spec::{HField, Spec, Texture};
use rayon::prelude::*;
use std::sync::Arc;

/// The attribute that caused an error, if any, and the error.
type Failure = (Option<&'static str>, ErrorKind);

/// File attributes of the cube faces.
const FACES: [&str; 6] = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];

fn invalid(error: &AssetError) -> ErrorKind {
    ErrorKind::Invalid(error.to_string())
}

fn declared(content_type: &str) -> Option<&str> {
    (!content_type.is_empty()).then_some(content_type)
}

/// Compiles every height field and reports errors.
pub(super) fn hfields<'a>(context: &mut Context<'a, '_>) -> Vec<CompiledHField<'a>> {
    let spec = context.spec;
    let mut out = Vec::with_capacity(spec.hfields.len());
    for h in &spec.hfields {
        match hfield(spec, h) {
            Ok(field) => out.push(CompiledHField { spec: h, field }),
            Err((attribute, kind)) => context.error(h.origin, "hfield", attribute, kind),
        }
    }
    out
}

fn hfield(spec: &Spec, h: &HField) -> Result<Arc<asset::HField>, Failure> {
    check_hfield_size(h.size).map_err(|e| (Some("size"), invalid(&e)))?;
    if h.file.is_empty() {
        let field = asset::HField::from_elevation(h.nrow.into(), h.ncol.into(), &h.elevation);
        return field.map(Arc::new).map_err(|e| (Some("nrow"), invalid(&e)));
    }
    if h.nrow != 0 || h.ncol != 0 || !h.elevation.is_empty() {
        let message =
            "defines the rows, columns and elevations: remove `nrow`, `ncol` and `elevation`";
        return Err((Some("file"), ErrorKind::Invalid(message.to_owned())));
    }
    let file_error = |e: AssetError| (Some("file"), ErrorKind::Invalid(format!("{}: {e}", h.file)));
    let format = ImageFormat::of_hfield(&h.file, declared(&h.content_type)).map_err(file_error)?;
    let folder = &spec.compiler_of(h.origin).meshdir;
    let file = read(spec, h.origin, folder, &h.file).map_err(|kind| (Some("file"), kind))?;
    cached(
        spec,
        &file,
        |path, version| AssetKey::hfield(path, version, format),
        || asset::HField::decode(format, &file.bytes),
    )
    .map_err(file_error)
}

/// Compiles every texture and reports errors.
pub(super) fn textures<'a>(context: &mut Context<'a, '_>) -> Vec<CompiledTexture<'a>> {
    let spec = context.spec;
    if spec.compiler.discardvisual {
        return Vec::new();
    }
    let compiled: Vec<_> = if spec.compiler.usethread && spec.textures.len() > 1 {
        spec.textures.par_iter().map(|t| texture(spec, t)).collect()
    } else {
        spec.textures.iter().map(|t| texture(spec, t)).collect()
    };
    let mut out = Vec::with_capacity(compiled.len());
    for (t, result) in spec.textures.iter().zip(compiled) {
        match result {
            Ok(texture) => out.push(CompiledTexture { spec: t, texture }),
            Err((attribute, kind)) => context.error(t.origin, "texture", attribute, kind),
        }
    }
    out
}

fn texture(spec: &Spec, t: &Texture) -> Result<asset::Texture, Failure> {
    let nchannel = usize::try_from(t.nchannel).unwrap_or(0);
    if nchannel == 0 {
        let message = "must be positive".to_owned();
        return Err((Some("nchannel"), ErrorKind::Invalid(message)));
    }
    if !t.data.is_empty() {
        return pixels(t, nchannel);
    }
    let options = options(t, nchannel);
    if let Some(pattern) = t.builtin {
        return compile_texture(&options, TextureSource::Pattern(pattern))
            .map_err(|e| (Some("builtin"), invalid(&e)));
    }
    if !t.file.is_empty() {
        let image = image(spec, t, "file", &t.file, nchannel)?;
        return compile_texture(&options, TextureSource::Image(&image))
            .map_err(|e| (Some("file"), ErrorKind::Invalid(format!("{}: {e}", t.file))));
    }
    if t.cubefiles.iter().all(String::is_empty) {
        let message = "requires a source: set `file` or `builtin`".to_owned();
        return Err((None, ErrorKind::Invalid(message)));
    }
    let mut images: [Option<Arc<Image>>; 6] = Default::default();
    for ((slot, file), attribute) in images.iter_mut().zip(&t.cubefiles).zip(FACES) {
        if !file.is_empty() {
            *slot = Some(image(spec, t, attribute, file, nchannel)?);
        }
    }
    let faces = std::array::from_fn(|face| images[face].as_deref());
    compile_texture(&options, TextureSource::Faces(faces)).map_err(|e| (None, invalid(&e)))
}

/// A texture whose pixels are given.
fn pixels(t: &Texture, nchannel: usize) -> Result<asset::Texture, Failure> {
    let size = |n: i32| usize::try_from(n).unwrap_or(0);
    let (width, height) = (size(t.width), size(t.height));
    let expected = width.checked_mul(height).and_then(|n| n.checked_mul(nchannel));
    if expected != Some(t.data.len()) {
        let found = t.data.len();
        let message = format!(
            "{found} bytes, but {height} rows of {width} pixels with {nchannel} channels are given"
        );
        return Err((Some("data"), ErrorKind::Invalid(message)));
    }
    let (kind, colorspace, data) = (t.ttype, t.colorspace, t.data.to_vec());
    Ok(asset::Texture { kind, colorspace, height, width, nchannel, data })
}

/// Decodes one file of a texture.
fn image(
    spec: &Spec,
    t: &Texture,
    attribute: &'static str,
    file: &str,
    nchannel: usize,
) -> Result<Arc<Image>, Failure> {
    let file_error = |e: AssetError| (Some(attribute), ErrorKind::Invalid(format!("{file}: {e}")));
    let format = ImageFormat::of_texture(file, declared(&t.content_type)).map_err(file_error)?;
    let folder = &spec.compiler_of(t.origin).texturedir;
    let found = read(spec, t.origin, folder, file).map_err(|kind| (Some(attribute), kind))?;
    let options = ImageOptions { nchannel, hflip: t.hflip, vflip: t.vflip };
    cached(
        spec,
        &found,
        |path, version| AssetKey::image(path, version, format, options),
        || decode_image(format, &found.bytes, &options),
    )
    .map_err(file_error)
}

fn options(t: &Texture, nchannel: usize) -> TextureOptions {
    TextureOptions {
        kind: t.ttype,
        colorspace: t.colorspace,
        nchannel,
        width: t.width.into(),
        height: t.height.into(),
        rgb1: t.rgb1,
        rgb2: t.rgb2,
        mark: t.mark,
        markrgb: t.markrgb,
        random: t.random,
        gridsize: t.gridsize.map(i64::from),
        gridlayout: t.gridlayout.clone(),
    }
}
