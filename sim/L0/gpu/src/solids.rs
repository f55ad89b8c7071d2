//! Convex solids as tables: which form each geom has, the hulls and faces of meshes.

use crate::GpuBatchError;
use crate::table::{NONE, Tables};
use sim_core::Model;
use sim_types::{DisableBit, GeomType};

/// Most rounds of a search for the depth; each needs room in every lane.
const ROUNDS: usize = 64;
/// Most vertices of a mesh.
const VERTICES: usize = 1 << 16;
/// Most samples of a height field.
const SAMPLES: usize = 1 << 22;
/// The form of a triangle of a height field with everything below it.
const PRISM: usize = 8;
/// Meshes with fewer vertices are searched whole.
const CLIMB_MIN: usize = 10;
/// Most corners of a polygon that are looked at.
const CORNERS: usize = 150;

/// Adds what the functions of convex solids read.
pub(crate) fn fill(m: &Model, geoms: &[usize], t: &mut Tables) -> Result<(), GpuBatchError> {
    let iterations = m.opt.ccd_iterations.max(0) as usize;
    let vertices = 13 + iterations.min(ROUNDS);
    t.constant("CCD_ITERATIONS", iterations);
    t.constant("EPA_VERTS", vertices);
    // a closed surface of triangles has fewer than twice as many faces as vertices
    t.constant("EPA_FACES", 2 * vertices);
    t.numbers("CCD_TOLERANCE", [m.opt.ccd_tolerance]);
    t.flag("MULTICCD", !m.opt.disabled(DisableBit::MultiCcd));
    t.numbers("GEOM_BOUND", geoms.iter().map(|&g| m.geom_rbound[g]));
    let form = |g: usize| match m.geom_type[g] {
        GeomType::HField => PRISM,
        kind => kind as usize,
    };
    t.indices("GEOM_FORM", geoms.iter().map(|&g| form(g)));
    let mut records: Vec<(usize, usize)> = Vec::new();
    let mut largest = 4;
    let mut of_geom = Vec::new();
    for &g in geoms {
        let mesh = usize::try_from(m.geom_dataid[g]).ok();
        if m.geom_type[g] == GeomType::HField {
            let field = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
            of_geom.push(store_field(m, field, t)?);
            continue;
        }
        let Some(mesh) = mesh.filter(|_| m.geom_type[g] == GeomType::Mesh) else {
            of_geom.push(NONE as usize);
            continue;
        };
        let known = records.iter().find(|(other, _)| *other == mesh).map(|(_, place)| *place);
        let place = match known {
            Some(place) => place,
            None => {
                let hull = Hull::of(m, mesh)?;
                largest = hull.polygons.iter().map(Vec::len).fold(largest, usize::max);
                let place = hull.store(t);
                records.push((mesh, place));
                place
            }
        };
        of_geom.push(place);
    }
    t.indices("GEOM_MESH", of_geom);
    t.flag("HAS_MESH", !records.is_empty());
    // a polygon has a corner more after each cut
    let corners = 2 * largest.min(CORNERS);
    t.constant("CLIP", corners);
    t.constant("FACE_ROOM", (2 * vertices).max(corners + 2));
    Ok(())
}

/// Adds the samples of a height field; returns where the record is that tells their places: samples,
/// rows, columns, sizes.
fn store_field(m: &Model, field: usize, t: &mut Tables) -> Result<usize, GpuBatchError> {
    let parts = || {
        let (rows, columns) = (*m.hfield_nrow.get(field)?, *m.hfield_ncol.get(field)?);
        let samples = part(&m.hfield_data, *m.hfield_adr.get(field)?, rows.checked_mul(columns)?)?;
        let fits = rows > 1 && columns > 1 && samples.len() <= SAMPLES;
        fits.then_some((rows as usize, columns as usize, samples))
    };
    let Some((rows, columns, samples)) = parts() else {
        let what = format!("height field {field} has fewer than 2 or more than {SAMPLES} samples");
        return Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" });
    };
    let start = t.numbers.len();
    t.numbers.extend(samples.iter().copied().map(f64::from));
    let size = t.numbers.len();
    t.numbers.extend(m.hfield_size[4 * field..4 * field + 4].iter());
    let place = t.indices.len();
    let record = [start, rows, columns, size];
    t.indices.extend(record.map(|v| u32::try_from(v).unwrap_or(NONE)));
    Ok(place)
}

/// The parts of a mesh that collide, its vertices numbered anew where those of the hull are known.
#[derive(Debug, Default)]
struct Hull {
    vertices: Vec<[f64; 3]>,
    /// Neighbours of each vertex; none for meshes that are searched whole.
    neighbours: Vec<Vec<usize>>,
    normals: Vec<[f64; 3]>,
    /// Vertices of each polygon.
    polygons: Vec<Vec<usize>>,
    /// Polygons of each vertex.
    around: Vec<Vec<usize>>,
}

/// Part of an array.
fn part<T>(all: &[T], start: i32, count: i32) -> Option<&[T]> {
    all.get(usize::try_from(start).ok()?..)?.get(..usize::try_from(count).ok()?)
}

fn unsigned(values: &[i32]) -> Vec<usize> {
    values.iter().filter_map(|&v| usize::try_from(v).ok()).collect()
}

impl Hull {
    fn of(m: &Model, mesh: usize) -> Result<Self, GpuBatchError> {
        let refuse = |why: &str| GpuBatchError::Unsupported {
            what: format!("mesh {mesh} {why}"),
            instead: "step it with `BatchSim`",
        };
        if m.mesh_triangles.get(mesh) == Some(&true) {
            return Err(refuse("collides by its triangles"));
        }
        if m.mesh_vertnum[mesh] as usize > VERTICES {
            return Err(refuse(&format!("has more than {VERTICES} vertices")));
        }
        Self::read(m, mesh).ok_or_else(|| refuse("is not whole"))
    }

    fn read(m: &Model, mesh: usize) -> Option<Self> {
        let (first, count) = (m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
        let vertices = part(m.mesh_vert.as_chunks::<3>().0, first, count)?;
        let wide = |v: &[f32; 3]| v.map(f64::from);
        let graph = usize::try_from(m.mesh_graphadr[mesh]).ok().and_then(|a| m.mesh_graph.get(a..));
        let mut hull = match graph {
            Some(graph) if vertices.len() >= CLIMB_MIN => Self::climbed(graph)?,
            _ => (Self::default(), (0..vertices.len()).collect()),
        };
        // number of each vertex among those kept
        let mut numbers = vec![usize::MAX; vertices.len()];
        for (k, &v) in hull.1.iter().enumerate() {
            *numbers.get_mut(v)? = k;
        }
        let (start, polygons) = (m.mesh_polyadr[mesh], m.mesh_polynum[mesh]);
        let starts = part(&m.mesh_polyvertadr, start, polygons)?;
        let sizes = part(&m.mesh_polyvertnum, start, polygons)?;
        for (&start, &size) in starts.iter().zip(sizes) {
            let mut polygon = unsigned(part(&m.mesh_polyvert, start, size)?);
            for v in &mut polygon {
                let number = numbers.get_mut(*v)?;
                if *number == usize::MAX {
                    *number = hull.1.len();
                    hull.1.push(*v);
                }
                *v = *number;
            }
            hull.0.polygons.push(polygon);
        }
        let (mut hull, kept) = hull;
        hull.normals = part(m.mesh_polynormal.as_chunks::<3>().0, start, polygons)?.to_vec();
        let starts = part(&m.mesh_polymapadr, first, count)?;
        let sizes = part(&m.mesh_polymapnum, first, count)?;
        for &v in &kept {
            hull.vertices.push(wide(vertices.get(v)?));
            hull.around.push(unsigned(part(&m.mesh_polymap, *starts.get(v)?, *sizes.get(v)?)?));
        }
        if !hull.neighbours.is_empty() {
            hull.neighbours.resize(kept.len(), Vec::new());
        }
        Some(hull)
    }

    /// The neighbours in a stored graph, and the mesh's number of each vertex.
    fn climbed(graph: &[i32]) -> Option<(Self, Vec<usize>)> {
        let count = usize::try_from(*graph.first()?).ok()?;
        let lists = graph.get(2..)?;
        let (starts, rest) = lists.split_at_checked(count)?;
        let (numbers, edges) = rest.split_at_checked(count)?;
        let mut hull = Self::default();
        for &start in starts {
            let list = edges.get(usize::try_from(start).ok()?..)?;
            let ids = list.iter().map_while(|&k| usize::try_from(k).ok());
            hull.neighbours.push(ids.filter(|&k| k < count).collect());
        }
        Some((hull, unsigned(numbers)))
    }

    /// Adds its numbers and indices; returns where the record that tells their places is: vertices,
    /// their count, lists of neighbours, normals, lists of polygons' vertices and of vertices'
    /// polygons, count of polygons.
    fn store(&self, t: &mut Tables) -> usize {
        let vertices = t.numbers.len();
        t.numbers.extend(self.vertices.iter().flatten());
        let normals = t.numbers.len();
        t.numbers.extend(self.normals.iter().flatten());
        let climbs = !self.neighbours.is_empty();
        let neighbours = if climbs { lists(&self.neighbours, t) } else { NONE as usize };
        let polygons = lists(&self.polygons, t);
        let around = lists(&self.around, t);
        let place = t.indices.len();
        let record = [
            vertices,
            self.vertices.len(),
            neighbours,
            normals,
            polygons,
            around,
            self.polygons.len(),
        ];
        t.indices.extend(record.map(|v| u32::try_from(v).unwrap_or(NONE)));
        place
    }
}

/// Adds lists one after another, and before them where each begins and the last ends; returns where
/// that is.
fn lists(all: &[Vec<usize>], t: &mut Tables) -> usize {
    let place = t.indices.len();
    let mut next = place + all.len() + 1;
    let mut code = |v: usize| t.indices.push(u32::try_from(v).unwrap_or(NONE));
    code(next);
    for list in all {
        next += list.len();
        code(next);
    }
    all.iter().flatten().for_each(|&v| code(v));
    place
}

#[cfg(test)]
mod tests {
    use super::{Hull, lists};
    use crate::table::{NONE, Tables};

    #[test]
    fn lists_begin_where_the_one_before_ends() {
        let mut tables = Tables { indices: vec![7, 7], ..Tables::default() };
        assert_eq!(lists(&[vec![5, 6], vec![], vec![4]], &mut tables), 2);
        assert_eq!(tables.indices, [7, 7, 6, 8, 8, 9, 5, 6, 4]);
    }

    #[test]
    fn a_graph_gives_neighbours_and_numbers() {
        // two vertices, 5 and 3 of the mesh, each next to the other
        let graph = [2, 0, 0, 2, 5, 3, 1, -1, 0, -1];
        let (hull, numbers) = Hull::climbed(&graph).expect("a graph");
        assert_eq!(hull.neighbours, [vec![1], vec![0]]);
        assert_eq!(numbers, [5, 3]);
        assert!(Hull::climbed(&[9, 0, 0]).is_none());
    }

    #[test]
    fn a_mesh_without_a_graph_is_searched_whole() {
        let mut tables = Tables::default();
        let place = Hull { vertices: vec![[1.0, 2.0, 3.0]], ..Hull::default() }.store(&mut tables);
        assert_eq!(tables.indices[place + 2], NONE);
        assert_eq!(tables.numbers, [1.0, 2.0, 3.0]);
    }
}
