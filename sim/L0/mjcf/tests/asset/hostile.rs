//! Hostile asset files: each gives an error or a mesh, never a panic, a hang or excessive memory.

use crate::make::{box_mesh, msh, png, stl};
use proptest::prelude::*;
use sim_mjcf::asset::hfield::HField;
use sim_mjcf::asset::{
    AssetError, ImageFormat, ImageOptions, MeshFormat, MeshInertia, MeshOptions, MeshSource,
    compile_mesh, decode_image, decode_mesh,
};

/// Overwrites some bytes.
fn with(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

/// Decodes and compiles.
fn load(format: MeshFormat, bytes: &[u8]) -> Result<(), AssetError> {
    compile_mesh(
        decode_mesh(format, bytes)?,
        &MeshOptions { need_hull: true, ..MeshOptions::default() },
    )
    .map(|_| ())
}

#[test]
fn truncated_files_are_errors() {
    let mesh = box_mesh([1.0; 3]);
    for (format, file) in [(MeshFormat::Stl, stl(&mesh)), (MeshFormat::Msh, msh(&mesh))] {
        assert_eq!(load(format, &file), Ok(()));
        for length in (0..file.len()).chain([file.len() - 1]) {
            assert!(load(format, &file[..length]).is_err(), "{format:?} cut to {length} bytes");
        }
        let longer = [file.as_slice(), &[0]].concat();
        assert!(load(format, &longer).is_err(), "{format:?} one byte too long");
    }
    let image = png(4, 3, 3, &[7; 36]);
    for length in 0..image.len() - 12 {
        let cut = &image[..length];
        assert!(decode_image(ImageFormat::Png, cut, &ImageOptions::default()).is_err());
        assert!(HField::decode(ImageFormat::Png, cut).is_err());
    }
}

#[test]
fn invalid_meshes_are_errors_with_a_reason() {
    let mesh = box_mesh([1.0; 3]);
    let (s, m) = (stl(&mesh), msh(&mesh));
    let huge = u32::MAX.to_le_bytes();
    let face = 16 + 96;
    for (format, file, reason) in [
        (MeshFormat::Stl, with(s.clone(), 80, &0_u32.to_le_bytes()), "0 triangles"),
        (MeshFormat::Stl, with(s.clone(), 80, &huge), "4294967295 triangles"),
        (MeshFormat::Stl, with(s.clone(), 80, &13_u32.to_le_bytes()), "13 triangles"),
        (MeshFormat::Stl, with(s.clone(), 96, &f32::NAN.to_le_bytes()), "out of range"),
        (MeshFormat::Stl, with(s.clone(), 96, &f32::INFINITY.to_le_bytes()), "out of range"),
        (MeshFormat::Stl, with(s, 96, &2e9_f32.to_le_bytes()), "out of range"),
        (MeshFormat::Stl, b"solid nothing".to_vec(), "contains no vertex"),
        (MeshFormat::Stl, b"solid x vertex 1 2".to_vec(), "inside a vertex"),
        (MeshFormat::Stl, b"solid x vertex 1 2 3".to_vec(), "incomplete"),
        (MeshFormat::Msh, with(m.clone(), 0, &(-1_i32).to_le_bytes()), "negative"),
        (MeshFormat::Msh, with(m.clone(), 0, &3_i32.to_le_bytes()), "fewer than 4"),
        (MeshFormat::Msh, with(m.clone(), 0, &i32::MAX.to_le_bytes()), "size"),
        (MeshFormat::Msh, with(m.clone(), 4, &7_i32.to_le_bytes()), "equal the number of vertices"),
        (MeshFormat::Msh, with(m.clone(), 12, &i32::MAX.to_le_bytes()), "size"),
        (MeshFormat::Msh, with(m.clone(), face, &8_i32.to_le_bytes()), "refers to vertex 8"),
        (MeshFormat::Msh, with(m.clone(), face, &(-1_i32).to_le_bytes()), "refers to vertex -1"),
        (MeshFormat::Msh, with(m, 16, &f32::NAN.to_le_bytes()), "not finite"),
        (MeshFormat::Obj, b"v 0 0 0\nf 1 0 1".to_vec(), "bad index"),
        (MeshFormat::Obj, b"v 0 0 0\nf 1 2 3".to_vec(), "element 2 of 1"),
        (MeshFormat::Obj, b"v 0 0 0\nf -1 -2 -9".to_vec(), "element"),
        (MeshFormat::Obj, Vec::new(), "at least 4 vertices"),
        (MeshFormat::Obj, b"v nan 0 0\nv 1 1 1\nv 1e99 0 0\nv 0 0 0\n".to_vec(), "not finite"),
    ] {
        let error = load(format, &file).expect_err(reason).to_string();
        assert!(error.contains(reason), "`{error}` does not say `{reason}`");
    }
}

#[test]
fn meshes_without_volume_are_errors_with_a_reason() {
    let flat = MeshSource {
        vert: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0],
        face: vec![0, 1, 2, 0, 2, 3],
        ..MeshSource::default()
    };
    let compile = |mesh: &MeshSource, inertia, need_hull| {
        let options = MeshOptions { inertia, need_hull, ..MeshOptions::default() };
        compile_mesh(mesh.clone(), &options).map_err(|e| e.to_string())
    };
    assert!(compile(&flat, MeshInertia::Shell, false).is_ok());
    let error = compile(&flat, MeshInertia::Legacy, false).expect_err("flat");
    assert!(error.contains("shell"), "{error}");
    let error = compile(&flat, MeshInertia::Shell, true).expect_err("no hull");
    assert!(error.contains("coplanar"), "{error}");

    let mut inside_out = box_mesh([1.0; 3]);
    inside_out.face.chunks_mut(3).for_each(|f| f.swap(1, 2));
    let error = compile(&inside_out, MeshInertia::Exact, false).expect_err("inward orientation");
    assert!(error.contains("inward orientation"), "{error}");
    assert!(compile(&inside_out, MeshInertia::Legacy, false).is_ok());

    let mut twisted = box_mesh([1.0; 3]);
    twisted.face[..3].reverse();
    let error = compile(&twisted, MeshInertia::Exact, false).expect_err("twisted");
    assert!(error.contains("inconsistent orientation"), "{error}");

    let point = MeshSource { vert: vec![1.0; 12], face: vec![0, 1, 2], ..MeshSource::default() };
    let error = compile(&point, MeshInertia::Legacy, false).expect_err("a point");
    assert!(error.contains("surface"), "{error}");
}

#[test]
fn invalid_height_fields_are_errors() {
    let good = [2_i32, 2].iter().flat_map(|n| n.to_le_bytes()).chain([0; 16]).collect::<Vec<u8>>();
    assert!(HField::decode(ImageFormat::Custom, &good).is_ok());
    for (file, reason) in [
        (good[..7].to_vec(), "header"),
        (good[..20].to_vec(), "bytes"),
        (with(good.clone(), 0, &(-2_i32).to_le_bytes()), "negative"),
        (with(good.clone(), 0, &0_i32.to_le_bytes()), "at least one row"),
        (with(good.clone(), 0, &1_000_000_000_i32.to_le_bytes()), "exceeds the limit"),
        (with(good, 8, &f32::NAN.to_le_bytes()), "not finite"),
    ] {
        let error = HField::decode(ImageFormat::Custom, &file).expect_err(reason).to_string();
        assert!(error.contains(reason), "`{error}` does not say `{reason}`");
    }
    assert!(HField::from_elevation(1_000_000_000, 1_000_000_000, &[]).is_err());
    assert!(HField::from_elevation(-1, 2, &[]).is_err());
    assert!(HField::from_elevation(2, 2, &[0.0; 3]).is_err());
}

#[test]
fn image_with_excessive_size_is_an_error() {
    let mut file = png(4, 3, 3, &[7; 36]);
    // Width and height of the header, and its checksum.
    file[16..24].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
    let crc = crc(&file[12..29]);
    file[29..33].copy_from_slice(&crc.to_be_bytes());
    let error = decode_image(ImageFormat::Png, &file, &ImageOptions::default());
    assert!(error.is_err());
    let declared = [u32::MAX; 2].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    assert!(decode_image(ImageFormat::Custom, &declared, &ImageOptions::default()).is_err());
    assert!(decode_image(ImageFormat::Custom, &declared[..5], &ImageOptions::default()).is_err());
    assert!(decode_image(ImageFormat::Ktx, &[], &ImageOptions::default()).is_err());
}

/// The checksum of PNG chunks.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }
        })
    })
}

proptest! {
    #[test]
    fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        for format in [MeshFormat::Stl, MeshFormat::Obj, MeshFormat::Msh] {
            let _ = load(format, &bytes);
        }
        for format in [ImageFormat::Png, ImageFormat::Ktx, ImageFormat::Custom] {
            let _ = decode_image(format, &bytes, &ImageOptions::default());
            let _ = HField::decode(format, &bytes);
        }
    }

    #[test]
    fn mutated_bytes_do_not_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mesh = box_mesh([1.0, 0.5, 0.25]);
        for (format, file) in [(MeshFormat::Stl, stl(&mesh)), (MeshFormat::Msh, msh(&mesh))] {
            let mut file = file;
            for (at, byte) in &changes {
                let at = at.index(file.len());
                file[at] = *byte;
            }
            let _ = load(format, &file);
        }
    }

    #[test]
    fn random_obj_lines_do_not_panic(
        lines in prop::collection::vec("(v|vn|vt|f|g|o) ([-+.0-9e/]{1,6} ?){0,6}", 0..20),
    ) {
        let _ = load(MeshFormat::Obj, lines.join("\n").as_bytes());
    }
}
