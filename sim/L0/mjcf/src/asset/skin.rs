//! Skins: the SKN file format, validation, and normalization of vertex weights (mjCSkin).

use super::bytes::{f32s, i32_at, i32s};
use super::error::AssetError;
use super::normalize::normalize;
use sim_core::types::MINVAL;

const FORMAT: &str = "SKN";
/// Size of the header: numbers of vertices, texture coordinates, faces and bones.
const HEADER: usize = 16;
/// Size of the body name of a bone, which is padded with zeros.
const NAME: usize = 40;

/// A bone of a [`Skin`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SkinBone {
    /// Name of the body.
    pub body: String,
    /// Position of the body in the bind pose.
    pub bindpos: [f32; 3],
    /// Orientation of the body in the bind pose.
    pub bindquat: [f32; 4],
    /// Vertices that move with the bone.
    pub vertid: Vec<i32>,
    /// Weight of each vertex.
    pub vertweight: Vec<f32>,
}

/// The geometry and bones of a skin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skin {
    /// Positions of the vertices in the bind pose.
    pub vert: Vec<f32>,
    /// Texture coordinates of the vertices, or empty.
    pub texcoord: Vec<f32>,
    /// Vertices of the triangles.
    pub face: Vec<i32>,
    /// The bones.
    pub bones: Vec<SkinBone>,
}

/// The part of a file that has not been read yet.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` words of four bytes.
    fn words(&mut self, count: usize, what: &str) -> Result<&'a [u8], AssetError> {
        let length = count.checked_mul(4).filter(|&n| n <= self.0.len()).ok_or_else(|| {
            let problem =
                format!("{what} require {count} numbers, but only {} bytes remain", self.0.len());
            AssetError::format(FORMAT, problem)
        })?;
        let (head, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(head)
    }
}

impl Skin {
    /// Decodes an SKN file.
    ///
    /// # Errors
    ///
    /// The bytes are not a valid SKN file.
    pub fn decode(bytes: &[u8]) -> Result<Self, AssetError> {
        let mut counts = [0; 4];
        for (k, count) in counts.iter_mut().enumerate() {
            let value = i32_at(bytes, 4 * k)
                .ok_or_else(|| AssetError::format(FORMAT, "the file is shorter than its header"))?;
            *count = usize::try_from(value)
                .map_err(|_| AssetError::format(FORMAT, "a count in the header is negative"))?;
        }
        let [nvert, ntexcoord, nface, nbone] = counts;
        let mut rest = Bytes(bytes.get(HEADER..).unwrap_or_default());
        let mut skin = Self {
            vert: f32s(rest.words(nvert.saturating_mul(3), "the vertices")?).collect(),
            texcoord: f32s(rest.words(ntexcoord.saturating_mul(2), "the texture coordinates")?)
                .collect(),
            face: i32s(rest.words(nface.saturating_mul(3), "the faces")?).collect(),
            bones: Vec::new(),
        };
        for bone in 0..nbone {
            skin.bones.push(decode_bone(&mut rest, bone)?);
        }
        if rest.0.is_empty() {
            Ok(skin)
        } else {
            let problem = format!("{} bytes follow the last bone", rest.0.len());
            Err(AssetError::format(FORMAT, problem))
        }
    }

    /// Checks the arrays, normalizes the orientations of the bones and divides the weights of every vertex by
    /// their sum.
    ///
    /// # Errors
    ///
    /// Missing or inconsistent data.
    pub fn compile(mut self) -> Result<Self, AssetError> {
        self.check()?;
        let mut total = vec![0.0_f32; self.vert.len() / 3];
        for bone in &self.bones {
            for (&v, &weight) in bone.vertid.iter().zip(&bone.vertweight) {
                total[v as usize] += weight;
            }
        }
        // a NaN is invalid too
        if let Some(v) = total.iter().position(|&sum| sum.is_nan() || f64::from(sum) <= MINVAL) {
            let message = format!(
                "the weights of vertex {v} must have a positive sum: add the vertex to a bone"
            );
            return Err(AssetError::invalid(message));
        }
        for bone in &mut self.bones {
            for (&v, weight) in bone.vertid.iter().zip(&mut bone.vertweight) {
                *weight /= total[v as usize];
            }
            let mut quat = bone.bindquat.map(f64::from);
            normalize(&mut quat);
            bone.bindquat = quat.map(single);
        }
        Ok(self)
    }

    fn check(&self) -> Result<(), AssetError> {
        for (list, what) in [
            (self.vert.is_empty(), "vertices"),
            (self.face.is_empty(), "faces"),
            (self.bones.is_empty(), "bones"),
        ] {
            if list {
                return Err(AssetError::invalid(format!("a skin requires {what}")));
            }
        }
        for (length, what) in [(self.vert.len(), "vertex"), (self.face.len(), "face")] {
            if !length.is_multiple_of(3) {
                let message = format!("`{what}` requires a multiple of 3 numbers, found {length}");
                return Err(AssetError::invalid(message));
            }
        }
        let nvert = self.vert.len() / 3;
        if !self.texcoord.is_empty() && self.texcoord.len() != 2 * nvert {
            let message = format!(
                "the texture coordinates require two numbers for each of the {nvert} vertices, found {}",
                self.texcoord.len()
            );
            return Err(AssetError::invalid(message));
        }
        let numbers = self.vert.iter().chain(&self.texcoord);
        let of_bones = self.bones.iter().flat_map(|b| b.bindpos.iter().chain(&b.bindquat));
        if !numbers.chain(of_bones).all(|x| x.is_finite()) {
            return Err(AssetError::invalid("a number of the skin is not finite"));
        }
        let outside = |&v: &i32| usize::try_from(v).map_or(true, |v| v >= nvert);
        if let Some(at) = self.face.iter().position(outside) {
            let (face, v) = (at / 3, self.face[at]);
            let message = format!("face {face} has vertex {v}, but there are {nvert}");
            return Err(AssetError::invalid(message));
        }
        for (i, bone) in self.bones.iter().enumerate() {
            if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
                let message = format!(
                    "bone {i} has {} vertices and {} weights: one weight for each vertex is required",
                    bone.vertid.len(),
                    bone.vertweight.len()
                );
                return Err(AssetError::invalid(message));
            }
            if let Some(v) = bone.vertid.iter().find(|v| outside(v)) {
                let message = format!("bone {i} has vertex {v}, but there are {nvert}");
                return Err(AssetError::invalid(message));
            }
        }
        Ok(())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "skins are stored in single precision")]
const fn single(x: f64) -> f32 {
    x as f32
}

fn decode_bone(rest: &mut Bytes<'_>, bone: usize) -> Result<SkinBone, AssetError> {
    let name = rest.words(NAME / 4, &format!("the name of bone {bone}"))?;
    // the last byte always terminates the name
    let name = &name[..NAME - 1];
    let name = &name[..name.iter().position(|&byte| byte == 0).unwrap_or(name.len())];
    let body = std::str::from_utf8(name).map_err(|_| {
        AssetError::format(FORMAT, format!("the name of bone {bone} is not valid UTF-8"))
    })?;
    let pose: Vec<f32> = f32s(rest.words(7, &format!("the pose of bone {bone}"))?).collect();
    let count = i32s(rest.words(1, &format!("the vertex count of bone {bone}"))?).next();
    let count =
        count.and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0).ok_or_else(|| {
            AssetError::format(FORMAT, format!("the vertex count of bone {bone} is not positive"))
        })?;
    Ok(SkinBone {
        body: body.to_owned(),
        bindpos: std::array::from_fn(|k| pose[k]),
        bindquat: std::array::from_fn(|k| pose[3 + k]),
        vertid: i32s(rest.words(count, &format!("the vertices of bone {bone}"))?).collect(),
        vertweight: f32s(rest.words(count, &format!("the weights of bone {bone}"))?).collect(),
    })
}
