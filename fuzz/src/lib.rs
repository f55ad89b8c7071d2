//! Code shared between targets.

use sim_mjcf::asset::{
    ImageFormat, ImageOptions, TextureOptions, TextureSource, TextureType, compile_texture,
    decode_image,
};

/// Decodes bytes as an image and compiles 2D and cube textures from it.
pub fn texture(format: ImageFormat, bytes: &[u8]) {
    for nchannel in [1, 3, 4] {
        let options = ImageOptions { nchannel, ..ImageOptions::default() };
        let Ok(image) = decode_image(format, bytes, &options) else {
            continue;
        };
        assert_eq!(image.data.len(), image.width * image.height * image.nchannel);
        for kind in [TextureType::TwoD, TextureType::Cube] {
            let options = TextureOptions { kind, nchannel, ..TextureOptions::default() };
            // errors are allowed
            let _ = compile_texture(&options, TextureSource::Image(&image));
        }
    }
}
