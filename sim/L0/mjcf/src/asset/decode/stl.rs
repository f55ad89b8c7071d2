//! STL: triangles without shared vertices, binary or text.

use super::index;
use crate::asset::bytes::{f32s, u32_at};
use crate::asset::content::MeshFormat;
use crate::asset::error::AssetError;
use crate::asset::mesh::MeshSource;
use std::hash::{BuildHasher, RandomState};

const FORMAT: &str = "STL";
/// Text before the number of triangles.
const HEADER: usize = 80;
/// A normal, three corners, two bytes.
const TRIANGLE: usize = 50;
/// MuJoCo reads no larger files.
const MAX_FACES: u32 = 200_000;
const MAX_COORDINATE: f32 = (1 << 30) as f32;

/// Decodes an STL file. Corners with the same bits become one vertex.
///
/// # Errors
///
/// When the file is malformed, empty or too large, or a vertex is not a finite number.
pub fn decode_stl(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let count = u32_at(bytes, HEADER);
    let fits = count.is_some_and(|n| bytes.len() - HEADER - 4 == n as usize * TRIANGLE);
    match count {
        Some(n) if fits && (1..=MAX_FACES).contains(&n) => binary(&bytes[HEADER + 4..]),
        _ if bytes.trim_ascii_start().starts_with(b"solid") => text(bytes),
        Some(n) if !(1..=MAX_FACES).contains(&n) => Err(AssetError::format(
            FORMAT,
            format!("it declares {n} triangles; there should be 1 to {MAX_FACES}"),
        )),
        Some(n) => Err(AssetError::format(
            FORMAT,
            format!(
                "{n} triangles take {} bytes, but there are {}",
                n as usize * TRIANGLE,
                bytes.len() - HEADER - 4
            ),
        )),
        None => Err(AssetError::format(FORMAT, "it is shorter than its header of 84 bytes")),
    }
}

/// Vertices that are the same bit by bit, once.
#[derive(Default)]
struct Shared {
    mesh: MeshSource,
    /// Which vertex is in each slot of a hash table, at most half of which is full.
    slots: Vec<i32>,
    /// Makes the slots differ from run to run, so that no file can be made to fill a few of them.
    seed: u64,
}

/// A slot without a vertex.
const FREE: i32 = -1;

impl Shared {
    /// Room for the vertices of so many triangles, about two for each vertex.
    fn new(triangles: usize) -> Self {
        let mut shared = Self { seed: RandomState::new().hash_one(FORMAT), ..Self::default() };
        shared.mesh.face.reserve(3 * triangles);
        shared.mesh.vert.reserve(2 * triangles);
        shared.slots = vec![FREE; (2 * triangles).next_power_of_two().max(16)];
        shared
    }

    /// The slot of a vertex: the one it is in, or the one it would be in.
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

    /// Doubles the table.
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
    let mut shared = Shared::new(triangles.len() / TRIANGLE);
    for triangle in triangles.chunks_exact(TRIANGLE) {
        let mut corner = [0.0; 3];
        for (k, x) in f32s(&triangle[12..48]).enumerate() {
            corner[k % 3] = x;
            if k % 3 == 2 {
                shared.corner(corner)?;
            }
        }
    }
    Ok(shared.finish())
}

fn text(bytes: &[u8]) -> Result<MeshSource, AssetError> {
    let text = str::from_utf8(bytes)
        .map_err(|_| AssetError::format(FORMAT, "its size is wrong and it is not text"))?;
    let mut shared = Shared::new(0);
    let mut words = text.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if word != "vertex" {
            continue;
        }
        let mut corner = [0.0; 3];
        for x in &mut corner {
            let number = words.next().unwrap_or_default();
            *x = number.parse().map_err(|_| {
                AssetError::format(FORMAT, format!("`{number}` is not a vertex coordinate"))
            })?;
        }
        shared.corner(corner)?;
    }
    match shared.mesh.face.len() {
        0 => Err(AssetError::format(FORMAT, "it is text without a vertex")),
        n if n % 3 != 0 => Err(AssetError::format(FORMAT, "its last facet is incomplete")),
        n if n / 3 > MAX_FACES as usize => {
            Err(AssetError::TooLarge { what: "number of triangles", limit: MAX_FACES as usize })
        }
        _ => Ok(shared.finish()),
    }
}
