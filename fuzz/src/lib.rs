//! What several targets do.

use sim_mjcf::asset::{
    ImageFormat, ImageOptions, TextureOptions, TextureSource, TextureType, compile_texture,
    decode_image,
};

/// Reads bytes as an image and makes textures of it, flat and on a cube.
pub fn texture(format: ImageFormat, bytes: &[u8]) {
    for nchannel in [1, 3, 4] {
        let options = ImageOptions { nchannel, ..ImageOptions::default() };
        let Ok(image) = decode_image(format, bytes, &options) else {
            continue;
        };
        assert_eq!(image.data.len(), image.width * image.height * image.nchannel);
        for kind in [TextureType::TwoD, TextureType::Cube] {
            let options = TextureOptions { kind, nchannel, ..TextureOptions::default() };
            // an error is an answer too
            let _ = compile_texture(&options, TextureSource::Image(&image));
        }
    }
}
