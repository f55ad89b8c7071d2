//! Triangulation of the zero level set of a signed distance field by marching cubes.
//!
//! W. E. Lorensen, H. E. Cline, "Marching cubes: a high resolution 3D surface construction algorithm",
//! SIGGRAPH 1987. Faces with two inside corners on a diagonal separate them. Vertices are numbered in the order
//! in which cells first use their edges, and triangles in the order of [`TRIANGLES`], as in MuJoCo's meshes.

use super::error::AssetError;
use super::mesh::MeshSource;
use sim_core::SignedDistance;

/// Number of samples along all axes together.
const SAMPLES: f64 = 300.0;

/// Edges of a cell as their first corner and axis. Bit `k` of a corner selects the upper side of axis `k`.
const EDGES: [(usize, usize); 12] = [
    (0b000, 0),
    (0b010, 0),
    (0b100, 0),
    (0b110, 0),
    (0b000, 1),
    (0b001, 1),
    (0b100, 1),
    (0b101, 1),
    (0b000, 2),
    (0b001, 2),
    (0b010, 2),
    (0b011, 2),
];

/// Triangles of each configuration, whose bits are the inside corners: three edges per triangle, in
/// hexadecimal.
#[rustfmt::skip]
const TRIANGLES: [&str; 256] = [
    "", "048", "509", "495489", "1a4", "1801a8", "1a4950", "51a5a99a8", "b15", "5b1804", "0b109b",
    "14818bb89", "a5ba45", "05b0b88ba", "40949aa9b", "8ba89b", "286", "062046", "950628", "295256654",
    "41a286", "a62a21120", "0958621a4", "61a621251295", "28615b", "604620b15", "b09b10628", "46162916919b",
    "5a45ba286", "2a625a5ba052", "286a9ba49409", "2a629a9ba", "927", "048792", "250275", "827874475",
    "1a4279", "1801a8792", "250275a41", "827871175a81", "b15279", "0485b1279", "7b1712210", "48242112717b",
    "a5ba45279", "7928ba80b05b", "ba7a407a0702", "7827b8ba8", "879867", "904947746", "086065567", "467475",
    "7867981a4", "79661a916901", "a41567506086", "a51a65675", "87986715b", "15b746794904", "08606bb6710b",
    "17b147467", "4ba45b698679", "670ba0a605b0790", "ba06707b0860a40", "67b6ba", "36a", "a36048", "36a095",
    "94895436a", "341364", "680603301", "341364950", "958836538513", "36a5b1", "15b48036a", "0b109b6a3",
    "6a3b89b18148", "b36b65564", "8368030b305b", "6b360b09b406", "6b368b89b", "2a328a", "4a3430032",
    "a28a32509", "34a394954293", "841812213", "013032", "509213281841", "529512132", "2a328a5b1",
    "b150320434a3", "38a32819b109", "9b4324294a34b14", "5b4428b24b32", "b05b30320", "3249b4b34094284",
    "32939b", "792a36", "2796a3048", "527502a36", "36a475487827", "436413927", "927301360680", "164136075027",
    "138758518278368", "36a79215b", "0486a379215b", "a362102717b1", "36ab17127142482", "2795645b6b36",
    "2798060360535b3", "02b64b40b36b27b", "6838b387b827", "37939aa98", "a04a30390379", "8a0a370a7075",
    "34a374754", "184178798371", "937903013", "758138378418508", "137175", "5b1a98a39379", "15ba34304370790",
    "8a7107087b17a37", "37a74a7147b1", "4539838437935b3", "9070370b305b", "08437b", "7b3", "73b", "0483b7",
    "5093b7", "4954893b7", "b7341a", "81a80173b", "1a4b73095", "3b79a895a51a", "173157", "715731804",
    "973930031", "148187789317", "3a4347745", "80aa7307a057", "a40a03309397", "3973a9a89", "286b73",
    "062046b73", "2869503b7", "b73654625295", "3b7a41286", "73b1201a2a62", "1a48629503b7", "3b762a21a291951",
    "173157862", "246204357315", "628031093973", "469319149739629", "8627457343a4", "57a20a05a62a73a",
    "2867393093a0a40", "2969a693a973", "3923b9", "3923b9480", "b50b03302", "54b482b42b23", "93b92341a",
    "0a801a2b923b", "41a3023b0b50", "235a858251a53b5", "592521123", "804123152592", "031023", "814821231",
    "3a4349945239", "a852353a5925805", "43a403023", "23a2a8", "63b6b88b9", "63b6b00b9460", "86383003b0b5",
    "b63b56546", "1a48b986b63b", "016b969063b61a6", "1a450b03b083863", "a616516b563b", "985863583531",
    "319469639049159", "608630310", "314346", "983453593a43863", "3a6059", "6383083403a4", "3a6", "6b76ab",
    "b6ab76048", "6b76ab095", "854895a76ab7", "1b7174476", "0680b6b761b0", "9504764171b7", "891761681b71951",
    "a15a56657", "0486576a5a15", "7696a1961910", "7618919714816a1", "476457", "068056576", "940974764",
    "897876", "72878bb8a", "b7aa0470a720", "095b8ab78728", "ab25424a2952b72", "4284121721b7", "71b721201",
    "0954181281b2b72", "5191291721b7", "872817157a18", "20a57a72a15a04a", "1078a7a17287097", "14a297",
    "872847457", "205257", "842472497409", "972", "26a2a99ab", "4809ab92a26a", "26a2a55ab025",
    "542ab2b526a2482", "4166921961b9", "b960161b6806926", "64b02b26b50b41b", "2681b5", "6a1612215259",
    "0489252152616a1", "a26a12102", "a16126182148", "259265645", "058568526592", "026064", "268", "8ab8b9",
    "4904a9ab9", "0b508b8ab", "ab5a54", "1841b8b98", "01b0b9", "1b4b84b08b50", "b51", "5a159a98a",
    "4a0a90a59a15", "10818a", "14a", "459498", "590", "084", "",
];

/// Vertices, normals and triangles of the zero level set within the bounding box of a field.
///
/// # Errors
///
/// If the bounding box is empty, or the surface does not intersect it.
pub fn isosurface(field: &dyn SignedDistance) -> Result<MeshSource, AssetError> {
    let [x, y, z, half @ ..] = field.aabb();
    let total: f64 = half.iter().sum();
    let valid = |&h: &f64| h > 0.0 && h.is_finite();
    if !half.iter().all(valid) || ![x, y, z].iter().all(|c| c.is_finite()) {
        return Err(AssetError::invalid("the bounding box of the signed distance field is empty"));
    }
    let counts = half.map(|h| (SAMPLES / total * h).floor() as usize + 1);
    if counts.iter().any(|&n| n < 2) {
        return Err(AssetError::invalid(
            "the bounding box of the signed distance field is too flat",
        ));
    }
    let grid = Grid::sample(field, counts, [x, y, z], half);
    let mut surface = Surface::default();
    surface.march(&grid);
    if surface.face.is_empty() {
        return Err(AssetError::invalid("the signed distance field has no surface"));
    }
    Ok(surface.finish(&grid))
}

/// Samples of a field.
struct Grid {
    counts: [usize; 3],
    center: [f64; 3],
    half: [f64; 3],
    /// Values, x fastest.
    values: Vec<f32>,
}

impl Grid {
    fn sample(
        field: &dyn SignedDistance,
        counts: [usize; 3],
        center: [f64; 3],
        half: [f64; 3],
    ) -> Self {
        let mut values = Vec::with_capacity(counts.iter().product());
        let at = |k: usize, i: usize| {
            center[k] - half[k] + 2.0 * half[k] * i as f64 / (counts[k] - 1) as f64
        };
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    values.push(field.distance([at(0, x), at(1, y), at(2, z)]) as f32);
                }
            }
        }
        Self { counts, center, half, values }
    }

    fn value(&self, [x, y, z]: [usize; 3]) -> f32 {
        self.values[(z * self.counts[1] + y) * self.counts[0] + x]
    }
}

/// The surface in units of the grid.
#[derive(Default)]
struct Surface {
    vert: Vec<[f32; 3]>,
    normal: Vec<[f32; 3]>,
    face: Vec<i32>,
}

impl Surface {
    /// Visits all cells, x fastest.
    fn march(&mut self, grid: &Grid) {
        let [nx, ny, nz] = grid.counts;
        // vertices of the edges that start at each point of two layers of the grid
        let mut slabs = vec![[0_i32; 3]; 2 * nx * ny];
        let slab = |[x, y, z]: [usize; 3]| nx * ny * (z % 2) + y * nx + x;
        for z in 0..nz - 1 {
            for y in 0..ny - 1 {
                for x in 0..nx - 1 {
                    let origin = [x, y, z];
                    let corner = |c: usize| std::array::from_fn(|k| origin[k] + (c >> k & 1));
                    let values: [f32; 8] = std::array::from_fn(|c| grid.value(corner(c)));
                    let inside = |c: usize| usize::from(values[c] < 0.0) << c;
                    let configuration = (0..8).map(inside).sum::<usize>();
                    if configuration == 0 || configuration == 255 {
                        continue;
                    }
                    for (c, axis) in EDGES {
                        // an edge on a lower side belongs to the previous cell, if there is one
                        let first = |k: usize| k == axis || c >> k & 1 == 1 || origin[k] == 0;
                        let ends = [values[c], values[c | 1 << axis]];
                        if (0..3).all(first) && (ends[0] < 0.0) != (ends[1] < 0.0) {
                            slabs[slab(corner(c))][axis] = self.vertex(corner(c), axis, ends);
                        }
                    }
                    let edges = EDGES.map(|(c, axis)| slabs[slab(corner(c))][axis]);
                    self.triangles(configuration, &edges);
                }
            }
        }
    }

    /// Adds the zero of the field on an edge, by linear interpolation.
    fn vertex(&mut self, at: [usize; 3], axis: usize, [a, b]: [f32; 2]) -> i32 {
        let mut point = at.map(|i| i as f32);
        point[axis] += a / (a - b);
        self.vert.push(point);
        self.normal.push([0.0; 3]);
        i32::try_from(self.vert.len() - 1).unwrap_or(i32::MAX)
    }

    /// Adds the triangles of a cell, and their area vectors to the normals of their vertices.
    fn triangles(&mut self, configuration: usize, edges: &[i32; 12]) {
        let digits = TRIANGLES[configuration].bytes();
        let corner = |digit: u8| match digit {
            b'0'..=b'9' => edges[usize::from(digit - b'0')],
            digit => edges[usize::from(digit - b'a') + 10],
        };
        let corners: Vec<i32> = digits.map(corner).collect();
        for triangle in corners.as_chunks::<3>().0 {
            let [a, b, c] = triangle.map(|v| self.vert[v as usize]);
            let ab: [f32; 3] = std::array::from_fn(|k| a[k] - b[k]);
            let cb: [f32; 3] = std::array::from_fn(|k| c[k] - b[k]);
            let area = [
                cb[1] * ab[2] - cb[2] * ab[1],
                cb[2] * ab[0] - cb[0] * ab[2],
                cb[0] * ab[1] - cb[1] * ab[0],
            ];
            for v in triangle {
                for (sum, x) in self.normal[*v as usize].iter_mut().zip(area) {
                    *sum += x;
                }
            }
        }
        self.face.extend(corners);
    }

    /// The mesh in metres with unit normals.
    fn finish(self, grid: &Grid) -> MeshSource {
        let scaled = |(k, x): (usize, f32)| {
            let steps = (grid.counts[k] - 1) as f64;
            (2.0 * grid.half[k] * f64::from(x) / steps + grid.center[k] - grid.half[k]) as f32
        };
        let unit = |n: [f32; 3]| {
            let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            n.map(|x| x / length)
        };
        MeshSource {
            vert: self
                .vert
                .into_iter()
                .flat_map(|p| p.into_iter().enumerate().map(scaled))
                .collect(),
            normal: self.normal.into_iter().flat_map(unit).collect(),
            face: self.face,
            ..MeshSource::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Directed boundary edges of the triangles of a configuration: those without an opposite one.
    fn boundary(configuration: usize) -> Vec<(usize, usize)> {
        let digit = |c: char| c.to_digit(16).expect("a hexadecimal digit") as usize;
        let corners: Vec<usize> = TRIANGLES[configuration].chars().map(digit).collect();
        let mut edges = Vec::new();
        for [a, b, c] in corners.as_chunks::<3>().0 {
            edges.extend([(*a, *b), (*b, *c), (*c, *a)]);
        }
        let open = |&(a, b): &(usize, usize)| !edges.contains(&(b, a));
        edges.iter().copied().filter(open).collect()
    }

    /// The segments of the surface in the faces of a cell: in each face, each inside corner or pair of
    /// neighbouring inside corners is separated from the others.
    fn segments(configuration: usize) -> Vec<(usize, usize)> {
        let inside = |c: usize| configuration >> c & 1 == 1;
        let edge = |a: usize, b: usize| {
            let axis = (a ^ b).trailing_zeros() as usize;
            EDGES.iter().position(|&e| e == (a.min(b), axis)).expect("an edge of the cell")
        };
        let mut segments = Vec::new();
        for axis in 0..3 {
            for side in 0..2 {
                let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
                let base = side << axis;
                let mut ring = [base, base | 1 << u, base | 1 << u | 1 << v, base | 1 << v];
                if side == 0 {
                    ring.reverse();
                }
                // counterclockwise from outside; a segment starts where the ring enters the inside
                for i in 0..4 {
                    if inside(ring[i]) || !inside(ring[(i + 1) % 4]) {
                        continue;
                    }
                    let mut j = (i + 1) % 4;
                    while inside(ring[(j + 1) % 4]) {
                        j = (j + 1) % 4;
                    }
                    let enter = edge(ring[i], ring[(i + 1) % 4]);
                    let leave = edge(ring[j], ring[(j + 1) % 4]);
                    segments.push((enter, leave));
                }
            }
        }
        segments
    }

    #[test]
    fn triangles_of_every_configuration_are_bounded_by_the_surface_in_the_faces() {
        for configuration in 0..256 {
            let (mut found, mut expected) = (boundary(configuration), segments(configuration));
            found.sort_unstable();
            expected.sort_unstable();
            let reversed = expected.iter().map(|&(a, b)| (b, a));
            let mut reversed: Vec<_> = reversed.collect();
            reversed.sort_unstable();
            assert!(
                found == expected || found == reversed,
                "{configuration}: {found:?} {expected:?}"
            );
        }
    }

    #[derive(Debug)]
    struct Sphere;

    impl SignedDistance for Sphere {
        fn distance(&self, p: [f64; 3]) -> f64 {
            (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt() - 0.4
        }
        fn aabb(&self) -> [f64; 6] {
            [0.0, 0.0, 0.0, 0.5, 0.5, 0.5]
        }
    }

    #[test]
    fn the_surface_of_a_sphere_is_closed_and_on_the_sphere() {
        let mesh = isosurface(&Sphere).expect("the sphere is inside the box");
        for (p, n) in mesh.vert.as_chunks::<3>().0.iter().zip(mesh.normal.as_chunks::<3>().0) {
            let p = p.map(f64::from);
            assert!(Sphere.distance(p).abs() < 1e-4, "{p:?}");
            let outward: f64 = (0..3).map(|k| p[k] * f64::from(n[k])).sum();
            assert!(outward > 0.39, "{p:?} {n:?}");
        }
        let mut uses: HashMap<(i32, i32), i32> = HashMap::new();
        for [a, b, c] in mesh.face.as_chunks::<3>().0 {
            for edge in [(*a, *b), (*b, *c), (*c, *a)] {
                *uses.entry(edge).or_default() += 1;
            }
        }
        assert!(uses.iter().all(|(&(a, b), &n)| n == 1 && uses.get(&(b, a)) == Some(&1)));
    }
}
