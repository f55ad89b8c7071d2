//! Decoder of STL meshes, binary or ASCII.

use super::index;
use crate::asset::bytes::{f32s, u32_at};
use crate::asset::content_type::MeshFormat;
use crate::asset::error::AssetError;
use crate::asset::mesh::MeshSource;
use std::hash::{BuildHasher, RandomState};

const FORMAT: &str = "STL";
/// Length of the header before the number of triangles, in bytes.
const HEADER: usize = 80;
/// Length of a triangle in bytes: a normal, three vertices and a 16-bit attribute.
const TRIANGLE: usize = 50;
/// Maximum number of triangles, as in MuJoCo.
const MAX_FACES: u32 = 200_000;
const MAX_COORDINATE: f32 = (1 << 30) as f32;

/// Decodes an STL file. Vertices with identical bit patterns are merged.
///
/// # Errors
///
/// The file is malformed, empty or too large, or a vertex is not finite.
pub fn decode_stl(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let count = u32_at(bytes, HEADER);
    let fits = count.is_some_and(|n| bytes.len() - HEADER - 4 == n as usize * TRIANGLE);
    match count {
        Some(n) if fits && (1..=MAX_FACES).contains(&n) => binary(&bytes[HEADER + 4..]),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => ascii(bytes),
        Some(n) if !(1..=MAX_FACES).contains(&n) => Err(AssetError::format(
            FORMAT,
            format!("the header declares {n} triangles; the number must be in [1, {MAX_FACES}]"),
        )),
        Some(n) => Err(AssetError::format(
            FORMAT,
            format!(
                "{n} triangles require {} bytes, found {}",
                n as usize * TRIANGLE,
                bytes.len() - HEADER - 4
            ),
        )),
        None => Err(AssetError::format(FORMAT, "the file is shorter than its header of 84 bytes")),
    }
}

/// Merges vertices with identical bit patterns, by an open-addressing hash table.
#[derive(Default)]
struct VertexMerger {
    mesh: MeshSource,
    /// Vertex in each slot of the hash table; the load factor is at most one half.
    slots: Vec<i32>,
    /// Random seed of the hash, so that no file can be crafted to cause collisions.
    seed: u64,
}

/// A slot without a vertex.
const FREE: i32 = -1;

impl VertexMerger {
    /// Reserves memory for `triangles`; a closed mesh has about two triangles per vertex.
    fn new(triangles: usize) -> Self {
        let mut merger = Self { seed: RandomState::new().hash_one(FORMAT), ..Self::default() };
        merger.mesh.face.reserve(3 * triangles);
        merger.mesh.vert.reserve(2 * triangles);
        merger.slots = vec![FREE; (2 * triangles).next_power_of_two().max(16)];
        merger
    }

    /// The slot that holds a vertex, or the free slot where it would be inserted.
    fn slot(&self, v: [f32; 3]) -> usize {
        let [x, y, z] = v.map(|x| u64::from(x.to_bits()));
        let product =
            u128::from(self.seed ^ x ^ (y << 32)) * u128::from(self.seed.rotate_left(32) ^ z | 1);
        let hash = (product as u64) ^ (product >> 64) as u64;
        let mask = self.slots.len() - 1;
        let mut slot = (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        loop {
            let Ok(at) = usize::try_from(self.slots[slot]) else { return slot };
            let same = self.mesh.vert[3 * at..3 * at + 3].iter().zip(v);
            if same.into_iter().all(|(a, b)| a.to_bits() == b.to_bits()) {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Doubles the hash table.
    fn grow(&mut self) {
        let count = self.slots.len();
        self.slots.clear();
        self.slots.resize(2 * count, FREE);
        for i in 0..self.mesh.vert.len() / 3 {
            let v = [0, 1, 2].map(|k| self.mesh.vert[3 * i + k]);
            let slot = self.slot(v);
            self.slots[slot] = i as i32;
        }
    }

    fn corner(&mut self, v: [f32; 3]) -> Result<(), AssetError> {
        if let Some(x) = v.iter().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE) {
            return Err(AssetError::format(
                FORMAT,
                format!("vertex coordinate {x} is out of range"),
            ));
        }
        let slot = self.slot(v);
        if self.slots[slot] == FREE {
            let count = self.mesh.vert.len() / 3;
            self.slots[slot] = index(count)?;
            self.mesh.vert.extend(v);
            self.mesh.face.push(self.slots[slot]);
            if 2 * (count + 1) > self.slots.len() {
                self.grow();
            }
        } else {
            self.mesh.face.push(self.slots[slot]);
        }
        Ok(())
    }

    fn finish(mut self) -> MeshSource {
        self.mesh.format = Some(MeshFormat::Stl);
        self.mesh
    }
}

fn binary(triangles: &[u8]) -> Result<MeshSource, AssetError> {
    let mut merger = VertexMerger::new(triangles.len() / TRIANGLE);
    for triangle in triangles.chunks_exact(TRIANGLE) {
        let mut corner = [0.0; 3];
        for (k, x) in f32s(&triangle[12..48]).enumerate() {
            corner[k % 3] = x;
            if k % 3 == 2 {
                merger.corner(corner)?;
            }
        }
    }
    Ok(merger.finish())
}

fn ascii(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let text = str::from_utf8(bytes).map_err(|_| {
        AssetError::format(
            FORMAT,
            "the size does not match a binary file and the content is not text",
        )
    })?;
    let mut merger = VertexMerger::new(0);
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if word != "vertex" {
            continue;
        }
        let mut corner = [0.0; 3];
        for x in &mut corner {
            let Some(number) = words.next() else {
                return Err(AssetError::format(FORMAT, "unexpected end of file inside a vertex"));
            };
            *x = number.parse().map_err(|_| {
                AssetError::format(FORMAT, format!("`{number}` is not a vertex coordinate"))
            })?;
        }
        merger.corner(corner)?;
    }
    match merger.mesh.face.len() {
        0 => Err(AssetError::format(FORMAT, "the text contains no vertex")),
        n if n % 3 != 0 => Err(AssetError::format(FORMAT, "the last facet is incomplete")),
        n if n / 3 > MAX_FACES as usize => {
            Err(AssetError::TooLarge { what: "number of triangles", limit: MAX_FACES as usize })
        }
        _ => Ok(merger.finish()),
    }
}
