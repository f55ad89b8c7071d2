//! Decoder of Wavefront OBJ meshes.
//!
//! The conventions are those of tinyobjloader, through which MuJoCo reads OBJ files: missing
//! numbers are zero, indices may be negative (relative to the last element), polygons are
//! triangulated by ear clipping in single precision, and of several objects or groups only the
//! first one with faces is used.

use super::lines::syntax;
use crate::asset::content_type::MeshFormat;
use crate::asset::error::AssetError;
use crate::asset::mesh::MeshSource;
use nalgebra::Vector3;
use sim_core::deformable::SurfaceMesh;

const FORMAT: &str = "OBJ";
/// Maximum number of vertices of a polygon: ear clipping takes at least quadratic time.
const MAX_CORNERS: usize = 1024;

/// Decodes an OBJ file.
///
/// # Errors
///
/// An index is zero or out of range.
pub fn decode_obj(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let mut reader = Reader::default();
    for_each_line(bytes, |line, number| reader.line(line, number))?;
    reader.finish()
}

/// Decodes the polygons of all groups of an OBJ file in double precision, for meshes whose topology matters
/// (deformable bodies). Other than [`decode_obj`], which follows tinyobjloader, it rejects malformed
/// coordinates, indices and statements. Normals, texture coordinates, groups and materials are ignored. The
/// mesh is not validated: `SurfaceMesh::check` does that.
///
/// # Errors
///
/// A syntax error with its line.
pub fn decode_obj_surface(bytes: &[u8]) -> Result<SurfaceMesh, AssetError> {
    let mut reader = Reader::default();
    let mut vertices = Vec::new();
    for_each_line(bytes, |line, number| reader.strict_line(line, number, &mut vertices))?;
    let triangles = reader.triangles.iter().map(|t| t.map(|corner| corner[0] as u32)).collect();
    Ok(SurfaceMesh { vertices, triangles })
}

/// Calls `each` with every line and its number, from 1. Lines end with LF, CR or CRLF.
fn for_each_line(
    bytes: &[u8],
    mut each: impl FnMut(&[u8], usize) -> Result<(), AssetError>,
) -> Result<(), AssetError> {
    let (mut start, mut number) = (0, 0);
    for end in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]) {
        // the LF of a CRLF ends no further line
        let crlf = start == end && bytes[..end].ends_with(b"\r") && bytes[end..].starts_with(b"\n");
        if !crlf {
            number += 1;
            each(&bytes[start..end], number)?;
        }
        start = end + 1;
    }
    Ok(())
}

/// Statements that [`decode_obj_surface`] ignores.
const IGNORED: &[&[u8]] = &[
    b"vt",
    b"vn",
    b"vp",
    b"o",
    b"g",
    b"s",
    b"l",
    b"p",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"shadow_obj",
    b"trace_obj",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"mg",
];

/// Indices of vertex, texture coordinate and normal; −1 for none.
type Corner = [i32; 3];

#[derive(Default)]
struct Reader {
    vert: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    /// Corners of the polygons of the current group, and the end of each polygon in it.
    corners: Vec<Corner>,
    ends: Vec<usize>,
    /// The first group with faces is complete; later groups contribute only vertices.
    done: bool,
    triangles: Vec<[Corner; 3]>,
}

impl Reader {
    fn line(&mut self, line: &[u8], number: usize) -> Result<(), AssetError> {
        let line = line.trim_ascii_start();
        let (key, mut rest) = match line.iter().position(|&b| is_blank(b)) {
            Some(at) => line.split_at(at),
            None => return Ok(()),
        };
        match key {
            b"v" => {
                let mut at = || next_coordinate(&mut rest);
                self.vert.extend([at(), at(), at()]);
            }
            b"vn" => {
                let mut real = || next_real(&mut rest);
                self.normal.extend([real(), real(), real()]);
            }
            b"vt" => {
                let mut real = || next_real(&mut rest);
                self.texcoord.extend([real(), real()]);
            }
            b"f" if !self.done => self.face(rest, number)?,
            b"g" | b"o" if !self.done => {
                self.flush();
                self.done = !self.triangles.is_empty();
            }
            _ => {}
        }
        Ok(())
    }

    /// Reads a line with strict syntax; appends vertices in double precision to `vertices`.
    fn strict_line(
        &mut self,
        line: &[u8],
        number: usize,
        vertices: &mut Vec<Vector3<f64>>,
    ) -> Result<(), AssetError> {
        let error = |message: &str| syntax(FORMAT, number, message);
        let line = String::from_utf8_lossy(line.split(|&b| b == b'#').next().unwrap_or_default());
        let mut fields = line.split_whitespace();
        match fields.next() {
            Some("v") => {
                let vertex = strict_vertex(&mut fields).map_err(|message| error(&message))?;
                self.vert.extend(vertex.iter().map(|&x| x as f32));
                vertices.push(vertex);
            }
            Some("f") => {
                self.corners.clear();
                for field in fields {
                    let index = strict_index(field, vertices.len());
                    self.corners.push([index.map_err(|message| error(&message))?, -1, -1]);
                }
                self.strict_face().map_err(|message| error(&message))?;
            }
            Some(key) if !IGNORED.contains(&key.as_bytes()) => {
                return Err(error(&format!("unknown statement `{key}`: only polygons are read")));
            }
            _ => {}
        }
        Ok(())
    }

    /// Triangulates the polygon `corners`.
    fn strict_face(&mut self) -> Result<(), String> {
        let count = self.corners.len();
        if count < 3 {
            return Err(format!("a face needs 3 vertices, not {count}"));
        }
        if count > MAX_CORNERS {
            return Err(format!("a face has {count} vertices, more than {MAX_CORNERS}"));
        }
        let first = self.triangles.len();
        triangulate(&self.vert, &self.corners, &mut self.triangles);
        if self.triangles.len() - first != count - 2 {
            return Err("the polygon cannot be triangulated".to_owned());
        }
        Ok(())
    }

    fn face(&mut self, mut rest: &[u8], number: usize) -> Result<(), AssetError> {
        let first = self.corners.len();
        let counts = [self.vert.len() / 3, self.texcoord.len() / 2, self.normal.len() / 3];
        skip_blanks(&mut rest);
        while !rest.is_empty() {
            let corner = next_corner(&mut rest, counts).ok_or_else(|| {
                AssetError::format(FORMAT, format!("line {number}: bad index in a face"))
            })?;
            self.corners.push(corner);
            skip_blanks(&mut rest);
        }
        if self.corners.len() - first > MAX_CORNERS {
            return Err(AssetError::TooLarge {
                what: "number of corners of a face",
                limit: MAX_CORNERS,
            });
        }
        // A triangle needs no triangulation; it is deferred only behind a polygon, to keep the
        // order.
        if let &[a, b, c] = self.corners.as_slice()
            && self.ends.is_empty()
        {
            self.triangles.push([a, b, c]);
            self.corners.clear();
        } else {
            self.ends.push(self.corners.len());
        }
        Ok(())
    }

    /// Triangulates the polygons of the current group.
    fn flush(&mut self) {
        let mut start = 0;
        for &end in &self.ends {
            triangulate(&self.vert, &self.corners[start..end], &mut self.triangles);
            start = end;
        }
        self.corners.clear();
        self.ends.clear();
    }

    fn finish(mut self) -> Result<MeshSource, AssetError> {
        if !self.done {
            self.flush();
        }
        let counts = [self.vert.len() / 3, self.texcoord.len() / 2, self.normal.len() / 3];
        let mut mesh = MeshSource { format: Some(MeshFormat::Obj), ..MeshSource::default() };
        mesh.face.reserve_exact(3 * self.triangles.len());
        for corner in self.triangles.iter().flatten() {
            for (index, count) in corner.iter().zip(counts) {
                // A negative index other than −1 refers to before the first element.
                if *index < -1 || (*index >= 0 && *index as usize >= count && count > 0) {
                    return Err(AssetError::format(
                        FORMAT,
                        format!("a face uses element {} of {count}", i64::from(*index) + 1),
                    ));
                }
            }
            mesh.face.push(corner[0]);
            if !self.texcoord.is_empty() {
                mesh.facetexcoord.push(corner[1]);
            }
            if !self.normal.is_empty() {
                mesh.facenormal.push(corner[2]);
            }
        }
        // Texture coordinate v is measured from the top of the image.
        for pair in self.texcoord.chunks_exact_mut(2) {
            pair[1] = 1.0 - pair[1];
        }
        mesh.vert = self.vert;
        mesh.normal = self.normal;
        mesh.texcoord = self.texcoord;
        Ok(mesh)
    }
}

/// Three finite coordinates.
fn strict_vertex<'a>(fields: &mut impl Iterator<Item = &'a str>) -> Result<Vector3<f64>, String> {
    let mut x = Vector3::zeros();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let field = fields.next().ok_or_else(|| format!("{name} is missing"))?;
        x[axis] = field.parse::<f64>().map_err(|_| format!("{name} is not a number: `{field}`"))?;
        if !x[axis].is_finite() {
            return Err(format!("{name} is not finite"));
        }
    }
    Ok(x)
}

/// Vertex index of a corner such as `3`, `3/1`, `3//2` or `-1`; `count` is the number of vertices so far.
fn strict_index(field: &str, count: usize) -> Result<i32, String> {
    let number: i64 = field
        .split('/')
        .next()
        .and_then(|index| index.parse().ok())
        .ok_or_else(|| format!("`{field}` does not begin with the number of a vertex"))?;
    let index = if number < 0 { number.checked_add(count as i64) } else { number.checked_sub(1) };
    index
        .filter(|&index| usize::try_from(index).is_ok_and(|index| index < count))
        .and_then(|index| i32::try_from(index).ok())
        .ok_or_else(|| format!("vertex {number} is not among the {count} given before it"))
}

fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn skip_blanks(rest: &mut &[u8]) {
    while let [b' ' | b'\t', tail @ ..] = rest {
        *rest = tail;
    }
}

/// Skips the rest of the token, up to a blank or `stop`.
fn skip_word(rest: &mut &[u8], stop: u8) {
    while let [b, tail @ ..] = rest
        && !is_blank(*b)
        && *b != stop
    {
        *rest = tail;
    }
}

/// Consumes an optional sign; true for minus.
fn sign(rest: &mut &[u8]) -> bool {
    let first = rest.first().copied();
    if matches!(first, Some(b'-' | b'+')) {
        *rest = &rest[1..];
    }
    first == Some(b'-')
}

/// Parses `vertex[/[texcoord][/normal]]`. Indices are 1-based or, if negative, relative to
/// `counts`, the number of elements read so far.
fn next_corner(rest: &mut &[u8], counts: [usize; 3]) -> Option<Corner> {
    let mut corner = [-1; 3];
    for k in 0..3 {
        let missing = rest.first().is_none_or(|&b| b == b'/' || is_blank(b));
        if !(k == 1 && missing) {
            let index = integer(rest);
            corner[k] = match index {
                0 => return None,
                1.. => index - 1,
                _ => i32::try_from(counts[k]).ok()?.checked_add(index)?,
            };
            skip_word(rest, b'/');
        }
        match rest {
            [b'/', tail @ ..] => *rest = tail,
            _ => break,
        }
    }
    skip_word(rest, b' ');
    Some(corner)
}

/// An integer parsed like C `atoi`: trailing characters are ignored, no digits give zero.
fn integer(rest: &mut &[u8]) -> i32 {
    let negative = sign(rest);
    let mut value = 0_i64;
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        value = (10 * value + i64::from(digit - b'0')).min(i64::from(i32::MAX));
        *rest = tail;
    }
    let value = if negative { -value } else { value };
    value as i32
}

/// The next token as a coordinate. `nan` and `inf` become NaN, which the compiler rejects.
fn next_coordinate(rest: &mut &[u8]) -> f32 {
    skip_blanks(rest);
    let word = *rest;
    let value = next_real(rest);
    let digits = word.strip_prefix(b"-").or_else(|| word.strip_prefix(b"+")).unwrap_or(word);
    match digits.get(..3) {
        Some(start) if start.eq_ignore_ascii_case(b"nan") || start.eq_ignore_ascii_case(b"inf") => {
            f32::NAN
        }
        _ => value,
    }
}

/// The next token as a number; zero if there is none.
fn next_real(rest: &mut &[u8]) -> f32 {
    skip_blanks(rest);
    let value = real(rest).unwrap_or(0.0);
    skip_word(rest, b' ');
    value
}

/// A decimal number. Digits are accumulated one by one in double precision, as in tinyobjloader, to
/// round identically.
fn real(rest: &mut &[u8]) -> Option<f32> {
    let factor = if sign(rest) { -1.0 } else { 1.0 };
    let mut mantissa = 0.0_f64;
    if !matches!(rest.first()?, b'.' | b'0'..=b'9') {
        return None;
    }
    while let [digit @ b'0'..=b'9', tail @ ..] = rest {
        mantissa = mantissa * 10.0 + f64::from(digit - b'0');
        *rest = tail;
    }
    if let [b'.', tail @ ..] = rest {
        *rest = tail;
        let mut digit_index = 1;
        while let [digit @ b'0'..=b'9', tail @ ..] = rest {
            mantissa += f64::from(digit - b'0') * negative_power(digit_index);
            digit_index += 1;
            *rest = tail;
        }
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        *rest = tail;
        let negative = sign(rest);
        if !rest.first()?.is_ascii_digit() {
            return None;
        }
        let exponent = integer(rest).min(1000);
        let exponent = if negative { -exponent } else { exponent };
        if exponent != 0 {
            mantissa = mantissa * 5.0_f64.powi(exponent) * 2.0_f64.powi(exponent);
        }
    }
    Some((factor * mantissa) as f32)
}

fn negative_power(place: i32) -> f64 {
    const EXACT: [f64; 16] = [
        1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13,
        1e-14, 1e-15,
    ];
    EXACT.get(place as usize).copied().unwrap_or_else(|| 10.0_f64.powi(-place))
}

/// Projection of vertices to the coordinate plane in which a polygon is triangulated.
struct Projection<'a> {
    vert: &'a [f32],
    axes: [usize; 2],
}

impl Projection<'_> {
    fn at(&self, corner: Corner) -> Option<[f32; 2]> {
        let first = usize::try_from(corner[0]).ok()?.checked_mul(3)?;
        let v = self.vert.get(first..first + 3)?;
        Some([v[self.axes[0]], v[self.axes[1]]])
    }
}

/// Triangulates a polygon by ear clipping; a remainder without an ear is dropped.
fn triangulate(vert: &[f32], polygon: &[Corner], out: &mut Vec<[Corner; 3]>) {
    match polygon {
        [] | [_] | [_, _] => return,
        &[a, b, c] => return out.push([a, b, c]),
        _ => {}
    }
    let projection = Projection { vert, axes: axes(vert, polygon) };
    let mut area = 0.0_f32;
    for (k, &a) in polygon.iter().enumerate() {
        if let (Some(p), Some(q)) =
            (projection.at(a), projection.at(polygon[(k + 1) % polygon.len()]))
        {
            area += (p[0] * q[1] - p[1] * q[0]) * 0.5;
        }
    }
    let mut rest = polygon.to_vec();
    let mut guess = 0;
    let mut attempts = rest.len();
    let mut previous = rest.len();
    while rest.len() > 3 && attempts > 0 {
        let n = rest.len();
        if guess >= n {
            guess -= n;
        }
        if previous == n {
            attempts -= 1;
        } else {
            previous = n;
            attempts = n;
        }
        let ear = [0, 1, 2].map(|k| rest[(guess + k) % n]);
        let [p, q, r] = ear.map(|c| projection.at(c).unwrap_or_default());
        let cross = (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]);
        let not_ear = cross * area < 0.0
            || (3..n).any(|k| {
                projection.at(rest[(guess + k) % n]).is_some_and(|point| inside([p, q, r], point))
            });
        if not_ear {
            guess += 1;
            continue;
        }
        out.push(ear);
        rest.remove((guess + 1) % n);
    }
    if let &[a, b, c] = rest.as_slice() {
        out.push([a, b, c]);
    }
}

/// The two axes orthogonal to the largest component of the polygon normal, which is taken at the
/// first non-degenerate corner.
fn axes(vert: &[f32], polygon: &[Corner]) -> [usize; 2] {
    let point = |corner: Corner| -> Option<[f32; 3]> {
        let first = usize::try_from(corner[0]).ok()?.checked_mul(3)?;
        vert.get(first..first + 3)?.try_into().ok()
    };
    for k in 0..polygon.len() {
        let corner = |j: usize| point(polygon[(k + j) % polygon.len()]);
        let (Some(a), Some(b), Some(c)) = (corner(0), corner(1), corner(2)) else {
            continue;
        };
        let e: [f32; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let f: [f32; 3] = std::array::from_fn(|i| c[i] - b[i]);
        let x = (e[1] * f[2] - e[2] * f[1]).abs();
        let y = (e[2] * f[0] - e[0] * f[2]).abs();
        let z = (e[0] * f[1] - e[1] * f[0]).abs();
        if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
            return match () {
                () if x > y && x > z => [1, 2],
                () if z > x && z > y => [0, 1],
                () => [0, 2],
            };
        }
    }
    [1, 2]
}

/// Point-in-triangle test by edge crossings.
fn inside(triangle: [[f32; 2]; 3], point: [f32; 2]) -> bool {
    let mut inside = false;
    for k in 0..3 {
        let (a, b) = (triangle[k], triangle[(k + 2) % 3]);
        if (a[1] > point[1]) != (b[1] > point[1])
            && point[0] < (b[0] - a[0]) * (point[1] - a[1]) / (b[1] - a[1]) + a[0]
        {
            inside = !inside;
        }
    }
    inside
}
