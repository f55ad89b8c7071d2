//! Gmsh 2.2 and 4.1, text and binary: meshes of segments, triangles or tetrahedra in one block.

use crate::asset::bytes::i32_at;
use crate::asset::error::AssetError;
use std::str::{FromStr, SplitAsciiWhitespace};

/// Size of the header of a binary section of version 4.1, in bytes.
const HEADER: usize = 52;

/// A mesh whose elements all have the same dimension.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GmshMesh {
    /// Dimension of the elements: 1 segments, 2 triangles, 3 tetrahedra.
    pub dim: i32,
    /// Coordinates of the points.
    pub points: Vec<f64>,
    /// Points of the elements, `dim + 1` each, from 0.
    pub elements: Vec<i32>,
}

/// Decodes a Gmsh file of version 2.2 or 4.1, text or binary.
///
/// In version 4.1 all nodes and all elements must be in one block, and tags must be consecutive.
///
/// # Errors
///
/// The bytes are not a valid file, or not of this form.
pub fn decode_gmsh_mesh(bytes: &[u8]) -> Result<GmshMesh, AssetError> {
    let Some(rest) = bytes.strip_prefix(b"$MeshFormat") else {
        return Err(error("the file must begin with $MeshFormat"));
    };
    let line = rest.get(..rest.len().min(100)).unwrap_or_default();
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_ascii_whitespace();
    let version: f64 = next(&mut words, "the version")?;
    let binary = next::<i32>(&mut words, "the kind of file")? != 0;
    let nodes = section(bytes, "$Nodes", "$EndNodes")?;
    let elements = section(bytes, "$Elements", "$EndElements")?;
    let version = (100.0 * version).round();
    let mesh = if version == 220.0 {
        if binary { binary_22(nodes, elements) } else { text_22(nodes, elements) }
    } else if version == 410.0 {
        if binary { binary_41(nodes, elements) } else { text_41(nodes, elements) }
    } else {
        Err(error("only versions 2.2 and 4.1 are supported"))
    }?;
    let count = mesh.points.len() / 3;
    if mesh.elements.iter().any(|&v| usize::try_from(v).map_or(true, |v| v >= count)) {
        return Err(error("an element has a node that does not exist"));
    }
    Ok(mesh)
}

fn error(problem: &str) -> AssetError {
    AssetError::format("Gmsh", problem)
}

/// Content of a section, without the line break after its name.
fn section<'a>(bytes: &'a [u8], begin: &str, end: &str) -> Result<&'a [u8], AssetError> {
    let find = |what: &str| bytes.windows(what.len()).position(|w| w == what.as_bytes());
    let missing = |what: &str| error(&format!("{what} is missing"));
    let start = find(begin).ok_or_else(|| missing(begin))? + begin.len() + 1;
    let stop = find(end).ok_or_else(|| missing(end))?;
    bytes.get(start..stop).ok_or_else(|| missing(end))
}

fn text(section: &[u8]) -> Result<&str, AssetError> {
    std::str::from_utf8(section).map_err(|_| error("the text is not valid UTF-8"))
}

/// The next number of a text.
fn next<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>, what: &str) -> Result<T, AssetError> {
    let word = words.next().ok_or_else(|| error(&format!("{what} is missing")))?;
    word.parse().map_err(|_| error(&format!("{what} is not a number: `{word}`")))
}

/// Zero-based point of a node tag.
fn point(tag: u64, first: u64) -> Result<i32, AssetError> {
    let index = tag.checked_sub(first).and_then(|index| i32::try_from(index).ok());
    index.ok_or_else(|| error(&format!("invalid node tag {tag}")))
}

/// Dimension of the elements of a type.
fn dimension(kind: i32) -> Result<i32, AssetError> {
    match kind {
        2 => Ok(2),
        4 => Ok(3),
        _ => Err(error("elements must be triangles or tetrahedra")),
    }
}

/// A count that is plausible for a section of `length` bytes.
fn count(n: u64, length: usize) -> Result<usize, AssetError> {
    let n = usize::try_from(n).ok().filter(|&n| n <= length);
    n.ok_or_else(|| error("the section is too short"))
}

/// Number of entries in the first line of a section of version 2.2, and the words after it.
fn counted<'a>(
    section: &'a str,
    what: &str,
) -> Result<(usize, SplitAsciiWhitespace<'a>), AssetError> {
    let (line, rest) = section.split_once('\n').unwrap_or((section, ""));
    let n = line.parse().map_err(|_| error(&format!("{what} is not a number: `{line}`")))?;
    Ok((count(n, section.len())?, rest.split_ascii_whitespace()))
}

fn text_22(nodes: &[u8], elements: &[u8]) -> Result<GmshMesh, AssetError> {
    let (n, mut words) = counted(text(nodes)?, "the number of nodes")?;
    let mut points = Vec::with_capacity(3 * n);
    for _ in 0..n {
        let _: u64 = next(&mut words, "a node tag")?;
        for _ in 0..3 {
            points.push(next(&mut words, "a coordinate")?);
        }
    }
    let (n, mut words) = counted(text(elements)?, "the number of elements")?;
    let (mut dim, mut list) = (0, Vec::new());
    for i in 0..n {
        let _: u64 = next(&mut words, "an element tag")?;
        let kind: i32 = next(&mut words, "an element type")?;
        let tags: i32 = next(&mut words, "a number of tags")?;
        // the type of the first element is that of all
        if i == 0 {
            dim = dimension(kind)?;
        }
        if tags > 0 {
            for _ in 0..2 {
                let _: i64 = next(&mut words, "a tag")?;
            }
        }
        for _ in 0..=dim {
            list.push(point(next(&mut words, "a node of an element")?, 1)?);
        }
    }
    if n == 0 {
        return Err(error("there are no elements"));
    }
    Ok(GmshMesh { dim, points, elements: list })
}

/// Header of a section of version 4.1: entries, first tag, last tag, dimension, type.
struct Block {
    n: usize,
    first: u64,
    last: u64,
    dim: i32,
    kind: i32,
}

impl Block {
    fn new(
        [blocks, n, first, last]: [u64; 4],
        [dim, kind]: [i32; 2],
        in_block: u64,
        length: usize,
    ) -> Result<Self, AssetError> {
        if blocks != 1 || n != in_block {
            return Err(error("all nodes and all elements must be in one block"));
        }
        if !(1..=3).contains(&dim) {
            return Err(error("the dimension must be 1, 2 or 3"));
        }
        Ok(Self { n: count(n, length)?, first, last, dim, kind })
    }

    fn text(words: &mut SplitAsciiWhitespace<'_>, length: usize) -> Result<Self, AssetError> {
        let mut sizes = [0; 4];
        for size in &mut sizes {
            *size = next(words, "a header")?;
        }
        let dim = next(words, "the dimension")?;
        let _: i64 = next(words, "the entity tag")?;
        let kind = next(words, "the element type")?;
        Self::new(sizes, [dim, kind], next(words, "the size of the block")?, length)
    }

    fn binary(section: &[u8]) -> Result<Self, AssetError> {
        let short = || error("the section is too short");
        let sizes = [0, 8, 16, 24].map(|at| u64_at(section, at));
        let [Some(a), Some(b), Some(c), Some(d)] = sizes else { return Err(short()) };
        let dim = i32_at(section, 32).ok_or_else(short)?;
        let kind = i32_at(section, 40).ok_or_else(short)?;
        let in_block = u64_at(section, 44).ok_or_else(short)?;
        Self::new([a, b, c, d], [dim, kind], in_block, section.len())
    }

    /// Checks a header of elements against that of the nodes.
    fn check_elements(&self, nodes: &Self) -> Result<(), AssetError> {
        if self.dim != nodes.dim {
            return Err(error("nodes and elements have different dimensions"));
        }
        if self.kind != [1, 2, 4][self.dim as usize - 1] {
            return Err(error("the element type does not match the dimension"));
        }
        Ok(())
    }

    fn check_tag(&self, i: usize, tag: u64) -> Result<(), AssetError> {
        if tag == self.first.wrapping_add(i as u64) {
            Ok(())
        } else {
            Err(error("node tags must be consecutive"))
        }
    }
}

fn text_41(nodes: &[u8], elements: &[u8]) -> Result<GmshMesh, AssetError> {
    let section = text(nodes)?;
    let mut words = section.split_ascii_whitespace();
    let block = Block::text(&mut words, section.len())?;
    if block.last != block.n as u64 {
        return Err(error("the largest node tag must be the number of nodes"));
    }
    for i in 0..block.n {
        block.check_tag(i, next(&mut words, "a node tag")?)?;
    }
    let mut points = Vec::with_capacity(3 * block.n);
    for _ in 0..3 * block.n {
        points.push(next(&mut words, "a coordinate")?);
    }
    let section = text(elements)?;
    let mut words = section.split_ascii_whitespace();
    let header = Block::text(&mut words, section.len())?;
    header.check_elements(&block)?;
    let mut list = Vec::new();
    for _ in 0..header.n {
        let _: u64 = next(&mut words, "an element tag")?;
        for _ in 0..=header.dim {
            list.push(point(next(&mut words, "a node of an element")?, block.first)?);
        }
    }
    Ok(GmshMesh { dim: block.dim, points, elements: list })
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(word.try_into().ok()?))
}

fn f64_at(bytes: &[u8], at: usize) -> Option<f64> {
    u64_at(bytes, at).map(f64::from_bits)
}

fn binary_41(nodes: &[u8], elements: &[u8]) -> Result<GmshMesh, AssetError> {
    let short = || error("the section is too short");
    let block = Block::binary(nodes)?;
    let mut points = Vec::new();
    for i in 0..block.n {
        block.check_tag(i, u64_at(nodes, HEADER + 8 * i).ok_or_else(short)?)?;
    }
    for i in 0..3 * block.n {
        points.push(f64_at(nodes, HEADER + 8 * (block.n + i)).ok_or_else(short)?);
    }
    let header = Block::binary(elements)?;
    header.check_elements(&block)?;
    let corners = header.dim as usize + 1;
    let mut list = Vec::new();
    for i in 0..header.n {
        // the first word of an element is its tag
        for k in 1..=corners {
            let at = HEADER + 8 * (i * (corners + 1) + k);
            list.push(point(u64_at(elements, at).ok_or_else(short)?, block.first)?);
        }
    }
    Ok(GmshMesh { dim: block.dim, points, elements: list })
}

/// Number of entries in the text line at the start of a binary section of version 2.2, and the data after it.
fn counted_binary(section: &[u8]) -> Result<(usize, &[u8]), AssetError> {
    let digits = section.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let n = std::str::from_utf8(&section[..digits]).ok().and_then(|line| line.parse().ok());
    let n = n.ok_or_else(|| error("the number of entries is missing"))?;
    let data = section.get(digits + 1..).unwrap_or_default();
    Ok((count(n, section.len())?, data))
}

fn binary_22(nodes: &[u8], elements: &[u8]) -> Result<GmshMesh, AssetError> {
    const NODE: usize = 4 + 3 * 8;
    let short = || error("the section is too short");
    let (n, data) = counted_binary(nodes)?;
    let mut points = Vec::new();
    for i in 0..n {
        for k in 0..3 {
            points.push(f64_at(data, NODE * i + 4 + 8 * k).ok_or_else(short)?);
        }
    }
    let (n, data) = counted_binary(elements)?;
    let word = |at: usize| i32_at(data, 4 * at).ok_or_else(short);
    let dim = dimension(word(0)?)?;
    let corners = dim as usize + 1;
    // Gmsh writes a header of three words and two tags with each element, fTetWild one header and no tags.
    let (start, stride) = if word(2)? > 0 { (6, 6 + corners) } else { (4, 5) };
    let mut list = Vec::new();
    for i in 0..n {
        for k in 0..corners {
            let tag = word(start + stride * i + k)?;
            let tag = u64::try_from(tag).map_err(|_| error(&format!("invalid node tag {tag}")))?;
            list.push(point(tag, 1)?);
        }
    }
    Ok(GmshMesh { dim, points, elements: list })
}
