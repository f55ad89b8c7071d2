//! Surfaces from Wavefront OBJ text.

use super::SurfaceMesh;
use super::scan::{AtomicParticle, Lines};
use crate::error::DeformableError;

/// Statements that say nothing about the shape.
const OTHER: &[&str] = &[
    "vt",
    "vn",
    "vp",
    "o",
    "g",
    "s",
    "l",
    "p",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "shadow_obj",
    "trace_obj",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "mg",
];

impl SurfaceMesh {
    /// Reads vertices and faces of OBJ text; polygons are cut into fans. Normals, texture
    /// coordinates, groups and materials are passed over. The mesh is not checked yet: making a
    /// body does that.
    ///
    /// # Errors
    /// What is wrong, with its line.
    pub fn from_obj(text: &str) -> Result<Self, DeformableError> {
        let mut mesh = Self::default();
        let mut corners = Vec::new();
        let mut lines = Lines::new("OBJ", text);
        while let Some(mut words) = lines.next() {
            match words.word() {
                Some("v") => mesh.vertices.push(words.point()?),
                Some("f") => {
                    corners.clear();
                    while let Some(word) = words.word() {
                        corners.push(corner(&words, word, mesh.vertices.len())?);
                    }
                    if corners.len() < 3 {
                        let message = format!("a face needs 3 vertices, not {}", corners.len());
                        return Err(words.wrong(message));
                    }
                    let fan = corners[1..].windows(2).map(|w| [corners[0], w[0], w[1]]);
                    mesh.triangles.extend(fan);
                }
                Some(word) if OTHER.contains(&word) => {}
                Some(word) => {
                    let message = format!("unknown statement `{word}`: only polygons are read");
                    return Err(words.wrong(message));
                }
                None => {}
            }
        }
        Ok(mesh)
    }
}

/// Vertex of a corner such as `3`, `3/1`, `3//2` or `-1`: from 1, or back from the last.
fn corner(words: &AtomicParticle<'_>, word: &str, count: usize) -> Result<u32, DeformableError> {
    let index = word.split('/').next().unwrap_or("");
    let number: i64 = index
        .parse()
        .map_err(|_| words.wrong(format!("`{word}` does not begin with the number of a vertex")))?;
    let at = if number < 0 { number.checked_add(count as i64) } else { number.checked_sub(1) };
    match at.and_then(|at| u32::try_from(at).ok()) {
        Some(at) if (at as usize) < count => Ok(at),
        _ => Err(words.wrong(format!("vertex {number} is not among the {count} given before it"))),
    }
}
