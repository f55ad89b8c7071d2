//! Images, height fields and textures.

use crate::make::png;
use sim_mjcf::asset::texture::{ColorSpace, Mark, Pattern};
use sim_mjcf::asset::{
    HField, Image, ImageFormat, ImageOptions, TextureOptions, TextureSource, TextureType,
    compile_texture, decode_image,
};

fn decode(file: &[u8], options: ImageOptions) -> Image {
    decode_image(ImageFormat::Png, file, &options).expect("an image")
}

#[test]
fn channels_are_converted() {
    let rgb = png(2, 1, 3, &[1, 2, 3, 4, 5, 6]);
    let with = |nchannel| decode(&rgb, ImageOptions { nchannel, ..ImageOptions::default() }).data;
    assert_eq!(with(3), [1, 2, 3, 4, 5, 6]);
    assert_eq!(with(4), [1, 2, 3, 255, 4, 5, 6, 255]);
    assert_eq!(with(1), [1, 4], "grey is the red channel");
    let grey = png(2, 1, 1, &[9, 7]);
    assert_eq!(decode(&grey, ImageOptions::default()).data, [9, 9, 9, 7, 7, 7]);
    let options = ImageOptions { nchannel: 2, ..ImageOptions::default() };
    assert!(decode_image(ImageFormat::Png, &rgb, &options).is_err());
}

#[test]
fn flips_are_their_own_inverse() {
    let data: Vec<u8> = (0..45).collect();
    let file = png(5, 3, 3, &data);
    let flip = |hflip, vflip| decode(&file, ImageOptions { nchannel: 3, hflip, vflip });
    assert_eq!(flip(true, false).data[..3], [12, 13, 14]);
    assert_eq!(flip(false, true).data[..3], [30, 31, 32]);
    let back = png(5, 3, 3, &flip(true, true).data);
    assert_eq!(decode(&back, ImageOptions { nchannel: 3, hflip: true, vflip: true }).data, data);
}

#[test]
fn height_fields_are_normalized_bottom_row_first() {
    let file = png(2, 2, 1, &[10, 20, 30, 40]);
    let field = HField::decode(ImageFormat::Png, &file).expect("a field");
    assert_eq!(field.data, [2.0 / 3.0, 1.0, 0.0, 1.0 / 3.0].map(|x: f32| x));
    let field = HField::from_elevation(2, 2, &[10.0, 20.0, 30.0, 40.0]).expect("a field");
    assert_eq!(field.data, [2.0 / 3.0, 1.0, 0.0, 1.0 / 3.0]);
    let flat = HField::from_elevation(2, 3, &[]).expect("a field");
    assert_eq!(flat.data, [0.0; 6]);
    let level = HField::from_elevation(1, 2, &[5.0; 2]).expect("a field");
    assert_eq!(level.data, [0.0; 2]);
}

#[test]
fn builtin_patterns_have_the_expected_colors() {
    let options = TextureOptions {
        kind: TextureType::TwoD,
        width: 4,
        height: 4,
        rgb1: [1.0, 0.0, 0.0],
        rgb2: [0.0, 1.0, 0.0],
        mark: Mark::Edge,
        markrgb: [0.0, 0.0, 1.0],
        ..TextureOptions::default()
    };
    let texture =
        compile_texture(&options, TextureSource::Pattern(Pattern::Checker)).expect("a texture");
    let pixel = |r: usize, c: usize| &texture.data[3 * (4 * r + c)..][..3];
    assert_eq!(pixel(1, 1), [255, 0, 0]);
    assert_eq!(pixel(1, 2), [0, 255, 0]);
    assert_eq!(pixel(0, 2), [0, 0, 255]);
    assert_eq!(pixel(3, 3), [0, 0, 255]);

    let cube = TextureOptions { kind: TextureType::Cube, ..options.clone() };
    let texture = compile_texture(&cube, TextureSource::Pattern(Pattern::Flat)).expect("a texture");
    assert_eq!((texture.height, texture.width), (24, 4));
    assert_eq!(texture.data[3 * (3 * 16 + 5)..][..3], [0, 255, 0], "down has the other colour");

    for (width, height) in [(0, 4), (4, -1), (1 << 40, 1 << 40)] {
        let bad = TextureOptions { width, height, ..options.clone() };
        assert!(compile_texture(&bad, TextureSource::Pattern(Pattern::Flat)).is_err());
    }
}

#[test]
fn random_dots_have_the_requested_density() {
    let options = TextureOptions {
        kind: TextureType::TwoD,
        width: 100,
        height: 100,
        rgb1: [0.0; 3],
        mark: Mark::Random,
        markrgb: [1.0; 3],
        random: 0.1,
        ..TextureOptions::default()
    };
    let texture =
        compile_texture(&options, TextureSource::Pattern(Pattern::Flat)).expect("a texture");
    let dots = texture.data.chunks(3).filter(|p| p[0] == 255).count();
    assert!((900..1100).contains(&dots), "{dots}");
}

#[test]
fn cube_faces_are_extracted_from_a_grid() {
    // Each square of 2 by 2 pixels has its own number.
    let mut data = Vec::new();
    for r in 0..6 {
        for c in 0..8 {
            data.extend([(r / 2 * 4 + c / 2) as u8; 3]);
        }
    }
    let image = decode(&png(8, 6, 3, &data), ImageOptions::default());
    let options = TextureOptions {
        gridsize: [3, 4],
        gridlayout: ".U..LFRB.D..".to_owned(),
        ..TextureOptions::default()
    };
    let texture = compile_texture(&options, TextureSource::Image(&image)).expect("a cube");
    assert_eq!((texture.width, texture.height), (2, 12));
    assert_eq!(texture.colorspace, ColorSpace::Linear);
    let faces: Vec<u8> = texture.data.chunks(12).map(|side| side[0]).collect();
    assert_eq!(faces, [6, 4, 1, 9, 5, 7], "right, left, up, down, front, back");

    for (gridsize, gridlayout) in
        [([3, 4], "X..........."), ([5, 4], ""), ([0, 1], ""), ([2, 3], "")]
    {
        let gridlayout = gridlayout.to_owned();
        let bad = TextureOptions { gridsize, gridlayout, ..TextureOptions::default() };
        assert!(compile_texture(&bad, TextureSource::Image(&image)).is_err());
    }
}

#[test]
fn cube_faces_without_image_have_the_first_color() {
    let square = decode(&png(2, 2, 3, &[50; 12]), ImageOptions::default());
    let oblong = decode(&png(2, 1, 3, &[50; 6]), ImageOptions::default());
    let options = TextureOptions { rgb1: [1.0, 0.0, 0.0], ..TextureOptions::default() };
    let faces = [None, Some(&square), None, None, None, None];
    let texture = compile_texture(&options, TextureSource::Faces(faces)).expect("a cube");
    assert_eq!(texture.data[..3], [255, 0, 0]);
    assert_eq!(texture.data[12..15], [50; 3]);
    let uneven = [Some(&oblong), Some(&square), None, None, None, None];
    assert!(compile_texture(&options, TextureSource::Faces(uneven)).is_err());
    assert!(compile_texture(&options, TextureSource::Faces([None; 6])).is_err());
    let flat = TextureOptions { kind: TextureType::TwoD, ..options };
    assert!(compile_texture(&flat, TextureSource::Faces(faces)).is_err());
}
