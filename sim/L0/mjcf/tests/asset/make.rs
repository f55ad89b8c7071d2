//! Generators of test files and meshes.

use sim_mjcf::asset::MeshSource;

/// Corners of a box with the given half sizes.
pub fn box_corners(half: [f32; 3]) -> Vec<f32> {
    (0..8)
        .flat_map(|i| (0..3).map(move |k| if i >> k & 1 == 1 { half[k] } else { -half[k] }))
        .collect()
}

/// The twelve triangles of a box, counterclockwise from outside.
pub fn box_faces() -> Vec<i32> {
    vec![
        0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6,
        1, 3, 5, 3, 7, 5,
    ]
}

/// A box with faces.
pub fn box_mesh(half: [f32; 3]) -> MeshSource {
    MeshSource { vert: box_corners(half), face: box_faces(), ..MeshSource::default() }
}

/// A binary STL file with the triangles of a mesh.
pub fn stl(mesh: &MeshSource) -> Vec<u8> {
    let mut file = vec![0; 80];
    file.extend((mesh.face.len() as u32 / 3).to_le_bytes());
    for triangle in mesh.face.chunks(3) {
        file.extend([0; 12]);
        for &v in triangle {
            for k in 0..3 {
                file.extend(mesh.vert[3 * v as usize + k].to_le_bytes());
            }
        }
        file.extend([0; 2]);
    }
    file
}

/// An MSH file of a mesh.
pub fn msh(mesh: &MeshSource) -> Vec<u8> {
    let counts =
        [mesh.vert.len() / 3, mesh.normal.len() / 3, mesh.texcoord.len() / 2, mesh.face.len() / 3];
    let mut file: Vec<u8> = counts.iter().flat_map(|&n| (n as i32).to_le_bytes()).collect();
    for x in mesh.vert.iter().chain(&mesh.normal).chain(&mesh.texcoord) {
        file.extend(x.to_le_bytes());
    }
    for i in &mesh.face {
        file.extend(i.to_le_bytes());
    }
    file
}

/// A PNG file with 8-bit pixels: 1 (grey), 3 or 4 bytes each.
pub fn png(width: u32, height: u32, channels: usize, data: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(match channels {
        1 => png::ColorType::Grayscale,
        3 => png::ColorType::Rgb,
        _ => png::ColorType::Rgba,
    });
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("header");
    writer.write_image_data(data).expect("data");
    writer.finish().expect("end");
    file
}
