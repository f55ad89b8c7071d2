//! Any bytes as a KTX texture, flat and on a cube.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_mjcf::asset::{
    ImageFormat, ImageOptions, TextureType, TextureOptions, TextureSource, compile_texture,
    decode_image,
};

fuzz_target!(|bytes: &[u8]| {
    for nchannel in [1, 3, 4] {
        let options = ImageOptions { nchannel, ..ImageOptions::default() };
        let Ok(image) = decode_image(ImageFormat::Ktx, bytes, &options) else {
            continue;
        };
        assert_eq!(image.data.len(), image.width * image.height * image.nchannel);
        for kind in [TextureType::TwoD, TextureType::Cube] {
            let options = TextureOptions { kind, nchannel, ..TextureOptions::default() };
            let _ = compile_texture(&options, TextureSource::Image(&image));
        }
    }
});
