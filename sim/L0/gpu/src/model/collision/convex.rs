//! Tables of convex geoms: shape codes, convex hulls of meshes, height fields.

use crate::GpuBatchError;
use crate::layout::{ModelTables, NONE, index};
use sim_core::Model;
use sim_types::{DisableBit, GeomType};

/// Most EPA iterations; each needs memory in every lane.
const MAX_EPA_ITERATIONS: usize = 64;
/// Most vertices of a mesh.
const MAX_VERTICES: usize = 1 << 16;
/// Most samples of a height field.
const MAX_SAMPLES: usize = 1 << 22;
/// Shape code of a height-field prism; other codes are those of `GeomType`.
const PRISM: usize = 8;
/// Meshes with fewer vertices are searched exhaustively.
const HILL_CLIMB_MIN: usize = 10;
/// Most vertices of a polygon that clipping considers.
const MAX_POLYGON: usize = 150;

/// Adds the tables of convex geoms.
pub(crate) fn add_tables(
    m: &Model,
    geoms: &[usize],
    t: &mut ModelTables,
) -> Result<(), GpuBatchError> {
    let iterations = m.opt.ccd_iterations.max(0) as usize;
    let vertices = 13 + iterations.min(MAX_EPA_ITERATIONS);
    t.size("CCD_ITERATIONS", iterations);
    t.size("EPA_VERTS", vertices);
    // a closed triangle mesh has fewer than twice as many faces as vertices
    t.size("EPA_FACES", 2 * vertices);
    t.scalars("CCD_TOLERANCE", [m.opt.ccd_tolerance]);
    t.flag("MULTICCD", !m.opt.disabled(DisableBit::MultiCcd));
    t.scalars("GEOM_RBOUND", geoms.iter().map(|&g| m.geom_rbound[g]));
    let shape = |g: usize| match m.geom_type[g] {
        GeomType::HField => PRISM,
        GeomType::Sdf => GeomType::Mesh as usize,
        kind => kind as usize,
    };
    t.indices("GEOM_SHAPE", geoms.iter().map(|&g| shape(g)));
    let mut records: Vec<(usize, usize)> = Vec::new();
    let mut largest = 4;
    let mut of_geom = Vec::new();
    for &g in geoms {
        let mesh = usize::try_from(m.geom_dataid[g]).ok();
        if m.geom_type[g] == GeomType::HField {
            let field = usize::try_from(m.geom_dataid[g]).unwrap_or(usize::MAX);
            of_geom.push(store_hfield(m, field, t)?);
            continue;
        }
        let Some(mesh) = mesh.filter(|_| matches!(m.geom_type[g], GeomType::Mesh | GeomType::Sdf))
        else {
            of_geom.push(NONE as usize);
            continue;
        };
        let known = records.iter().find(|(other, _)| *other == mesh).map(|(_, adr)| *adr);
        let record_adr = match known {
            Some(adr) => adr,
            None => {
                let hull = Hull::of(m, mesh)?;
                largest = hull.polygons.iter().map(Vec::len).fold(largest, usize::max);
                let adr = hull.store(t);
                records.push((mesh, adr));
                adr
            }
        };
        of_geom.push(record_adr);
    }
    t.indices("GEOM_MESH", of_geom);
    t.flag("HAS_MESH", !records.is_empty());
    // each clip adds at most one vertex
    let clip_verts = 2 * largest.min(MAX_POLYGON);
    t.size("MAX_CLIP_VERTS", clip_verts);
    t.size("EPA_FACE_POINTS", (2 * vertices).max(clip_verts + 2));
    Ok(())
}

/// Adds the samples of a height field. Returns the address of its record: address of the samples, rows, columns,
/// address of the size.
fn store_hfield(m: &Model, field: usize, t: &mut ModelTables) -> Result<usize, GpuBatchError> {
    let parts = || {
        let (rows, columns) = (*m.hfield_nrow.get(field)?, *m.hfield_ncol.get(field)?);
        let samples = part(&m.hfield_data, *m.hfield_adr.get(field)?, rows.checked_mul(columns)?)?;
        let fits = rows > 1 && columns > 1 && samples.len() <= MAX_SAMPLES;
        fits.then_some((rows as usize, columns as usize, samples))
    };
    let Some((rows, columns, samples)) = parts() else {
        let what =
            format!("height field {field} has fewer than 2 or more than {MAX_SAMPLES} samples");
        return Err(GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" });
    };
    let start = t.real.len();
    t.real.extend(samples.iter().copied().map(f64::from));
    let size = t.real.len();
    t.real.extend(m.hfield_size[4 * field..4 * field + 4].iter());
    let record_adr = t.index.len();
    let record = [start, rows, columns, size];
    t.index.extend(record.map(index));
    Ok(record_adr)
}

/// Convex hull of a mesh. Vertices are renumbered where the hull is known.
#[derive(Debug, Default)]
struct Hull {
    vertices: Vec<[f64; 3]>,
    /// Edge graph: neighbours of each vertex; empty for meshes that are searched exhaustively.
    neighbours: Vec<Vec<usize>>,
    /// Vertices that may give further contacts with a plane when a vertex is the deepest one; empty for meshes
    /// without a hull, where all others may.
    candidates: Vec<Vec<usize>>,
    normals: Vec<[f64; 3]>,
    /// Vertices of each polygon.
    polygons: Vec<Vec<usize>>,
    /// Polygons of each vertex.
    around: Vec<Vec<usize>>,
}

/// A sub-slice, if it is within the array.
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
            return Err(refuse("collides as a triangle mesh"));
        }
        if m.mesh_vertnum[mesh] as usize > MAX_VERTICES {
            return Err(refuse(&format!("has more than {MAX_VERTICES} vertices")));
        }
        Self::read(m, mesh).ok_or_else(|| refuse("has inconsistent hull data"))
    }

    fn read(m: &Model, mesh: usize) -> Option<Self> {
        let (first, count) = (m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]);
        let vertices = part(m.mesh_vert.as_chunks::<3>().0, first, count)?;
        let wide = |v: &[f32; 3]| v.map(f64::from);
        let graph = usize::try_from(m.mesh_graphadr[mesh]).ok().and_then(|a| m.mesh_graph.get(a..));
        let mut hull = match graph {
            Some(graph) if vertices.len() >= HILL_CLIMB_MIN => Self::from_graph(graph)?,
            _ => (Self::default(), (0..vertices.len()).collect()),
        };
        hull.0.candidates = match graph {
            Some(graph) if hull.0.neighbours.is_empty() => {
                small_mesh_candidates(graph, hull.1.len())
            }
            _ => hull.0.neighbours.clone(),
        };
        // hull index of each mesh vertex
        let mut hull_indices = vec![usize::MAX; vertices.len()];
        for (k, &v) in hull.1.iter().enumerate() {
            *hull_indices.get_mut(v)? = k;
        }
        let (start, polygons) = (m.mesh_polyadr[mesh], m.mesh_polynum[mesh]);
        let starts = part(&m.mesh_polyvertadr, start, polygons)?;
        let sizes = part(&m.mesh_polyvertnum, start, polygons)?;
        for (&start, &size) in starts.iter().zip(sizes) {
            let mut polygon = unsigned(part(&m.mesh_polyvert, start, size)?);
            for v in &mut polygon {
                let hull_index = hull_indices.get_mut(*v)?;
                if *hull_index == usize::MAX {
                    *hull_index = hull.1.len();
                    hull.1.push(*v);
                }
                *v = *hull_index;
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
        if !hull.candidates.is_empty() {
            hull.candidates.resize(kept.len(), Vec::new());
        }
        Some(hull)
    }

    /// The edge graph in MuJoCo's format (`mesh_graph`), and the index of each hull vertex in the mesh.
    fn from_graph(graph: &[i32]) -> Option<(Self, Vec<usize>)> {
        let count = usize::try_from(*graph.first()?).ok()?;
        let lists = graph.get(2..)?;
        let (starts, rest) = lists.split_at_checked(count)?;
        let (indices, edges) = rest.split_at_checked(count)?;
        let mut hull = Self::default();
        for &start in starts {
            let list = edges.get(usize::try_from(start).ok()?..)?;
            let ids = list.iter().map_while(|&k| usize::try_from(k).ok());
            hull.neighbours.push(ids.filter(|&k| k < count).collect());
        }
        Some((hull, unsigned(indices)))
    }

    /// Adds the hull. Returns the address of its record: address of the vertices, their number, edge graph, polygon
    /// normals, vertices of polygons, polygons of vertices, number of polygons, candidates of further contacts.
    fn store(&self, t: &mut ModelTables) -> usize {
        let vertices = t.real.len();
        t.real.extend(self.vertices.iter().flatten());
        let normals = t.real.len();
        t.real.extend(self.normals.iter().flatten());
        let has_graph = !self.neighbours.is_empty();
        let neighbours = if has_graph { lists(&self.neighbours, t) } else { NONE as usize };
        let candidates = if self.candidates.is_empty() {
            NONE as usize
        } else if self.candidates == self.neighbours {
            neighbours
        } else {
            lists(&self.candidates, t)
        };
        let polygons = lists(&self.polygons, t);
        let around = lists(&self.around, t);
        let record_adr = t.index.len();
        let record = [
            vertices,
            self.vertices.len(),
            neighbours,
            normals,
            polygons,
            around,
            self.polygons.len(),
            candidates,
        ];
        t.index.extend(record.map(index));
        record_adr
    }
}

/// For each vertex of a mesh that is searched exhaustively, the vertices that may give further contacts with a
/// plane. As in `sim-core`, this reproduces MuJoCo 3.8.0, which indexes `vert_edgeadr` (indexed by hull
/// vertex) with the mesh vertex id; ids beyond the hull count read the following array
/// `vert_globalid`.
fn small_mesh_candidates(graph: &[i32], count: usize) -> Vec<Vec<usize>> {
    let hull_count = graph.first().map_or(0, |&n| n.max(0) as usize);
    let ids = graph.get(2 + hull_count..).unwrap_or(&[]);
    let edges = ids.get(hull_count..).unwrap_or(&[]);
    let candidates_of = |vertex: usize| {
        let adr = graph.get(2 + vertex).filter(|_| vertex < 2 * hull_count);
        let list = adr.and_then(|&adr| edges.get(usize::try_from(adr).ok()?..)).unwrap_or(&[]);
        let neighbours = list.iter().map_while(|&k| usize::try_from(k).ok());
        let vertices = neighbours.filter_map(|k| usize::try_from(*ids.get(k)?).ok());
        vertices.filter(|&v| v < count).collect()
    };
    (0..count).map(candidates_of).collect()
}

/// Adds a list of lists (CSR) with absolute offsets. Returns the address of the offsets.
fn lists(all: &[Vec<usize>], t: &mut ModelTables) -> usize {
    let offsets_adr = t.index.len();
    let mut next = offsets_adr + all.len() + 1;
    let mut code = |v: usize| t.index.push(index(v));
    code(next);
    for list in all {
        next += list.len();
        code(next);
    }
    all.iter().flatten().for_each(|&v| code(v));
    offsets_adr
}

#[cfg(test)]
mod tests {
    use super::{Hull, lists};
    use crate::layout::{ModelTables, NONE};

    #[test]
    fn offsets_of_lists_are_absolute() {
        let mut tables = ModelTables { index: vec![7, 7], ..ModelTables::default() };
        assert_eq!(lists(&[vec![5, 6], vec![], vec![4]], &mut tables), 2);
        assert_eq!(tables.index, [7, 7, 6, 8, 8, 9, 5, 6, 4]);
    }

    #[test]
    fn a_graph_gives_neighbours_and_mesh_indices() {
        // two vertices, 5 and 3 of the mesh, each next to the other
        let graph = [2, 0, 0, 2, 5, 3, 1, -1, 0, -1];
        let (hull, indices) = Hull::from_graph(&graph).expect("a graph");
        assert_eq!(hull.neighbours, [vec![1], vec![0]]);
        assert_eq!(indices, [5, 3]);
        assert!(Hull::from_graph(&[9, 0, 0]).is_none());
    }

    #[test]
    fn small_meshes_look_up_candidates_by_mesh_vertex() {
        // two hull vertices, 1 and 0 of the mesh, each next to the other; vertex 2 is inside, and its entry is
        // the first mesh vertex, 1: the edge list that starts at the end of the first one
        let graph = [2, 0, 0, 2, 1, 0, 1, -1, 0, -1];
        let expected = [vec![0], vec![1], vec![]];
        assert_eq!(super::small_mesh_candidates(&graph, 3), expected);
    }

    #[test]
    fn a_mesh_without_a_graph_is_searched_exhaustively() {
        let mut tables = ModelTables::default();
        let record_adr =
            Hull { vertices: vec![[1.0, 2.0, 3.0]], ..Hull::default() }.store(&mut tables);
        assert_eq!(tables.index[record_adr + 2], NONE);
        assert_eq!(tables.real, [1.0, 2.0, 3.0]);
    }
}
