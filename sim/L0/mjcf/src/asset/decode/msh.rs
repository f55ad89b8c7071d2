//! Decoder of MSH, MuJoCo's legacy binary mesh format.
//!
//! Four counts (vertices, normals, texture coordinates, faces), then the arrays of floats and the
//! faces. Normals and texture coordinates, if present, are per vertex.

use crate::asset::bytes::{f32s, i32_at, i32s};
use crate::asset::content_type::MeshFormat;
use crate::asset::error::AssetError;
use crate::asset::mesh::MeshSource;

const FORMAT: &str = "MSH";
const HEADER: usize = 16;

/// Decodes an MSH file.
///
/// # Errors
///
/// The counts are negative, inconsistent, or do not match the file size.
pub fn decode_msh(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let mut counts = [0_usize; 4];
    for (k, count) in counts.iter_mut().enumerate() {
        let declared = i32_at(bytes, 4 * k)
            .ok_or_else(|| AssetError::format(FORMAT, "the file is shorter than its header"))?;
        *count = usize::try_from(declared)
            .map_err(|_| AssetError::format(FORMAT, "the header has a negative count"))?;
    }
    let [nvert, nnormal, ntexcoord, nface] = counts;
    if nvert < 4 {
        return Err(AssetError::format(FORMAT, "the header declares fewer than 4 vertices"));
    }
    if (nnormal != 0 && nnormal != nvert) || (ntexcoord != 0 && ntexcoord != nvert) {
        return Err(AssetError::format(
            FORMAT,
            "the numbers of normals and texture coordinates must be zero or equal the number of vertices",
        ));
    }
    let sizes = [12 * nvert, 12 * nnormal, 8 * ntexcoord, 12 * nface];
    if bytes.len() - HEADER != sizes.iter().sum::<usize>() {
        return Err(AssetError::format(FORMAT, "the file size does not match its header"));
    }
    let mut rest = &bytes[HEADER..];
    let mut take = |size: usize| {
        let (head, tail) = rest.split_at(size);
        rest = tail;
        head
    };
    let [vert, normal, texcoord, face] = sizes.map(&mut take);
    let face: Vec<i32> = i32s(face).collect();
    let texcoord: Vec<f32> = f32s(texcoord).collect();
    Ok(MeshSource {
        vert: f32s(vert).collect(),
        normal: f32s(normal).collect(),
        facenormal: face.clone(),
        facetexcoord: if texcoord.is_empty() { Vec::new() } else { face.clone() },
        texcoord,
        face,
        format: Some(MeshFormat::Msh),
    })
}
