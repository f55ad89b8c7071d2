//! Convex solids as tables: which form each geom has, the hulls and faces of meshes.

use crate::GpuBatchError;
use crate::table::{NONE, Tables};
use sim_core::Model;
use sim_types::{DisableBit, GeomType};

/// Most rounds of a search for the depth; each needs room in every lane.
const ROUNDS: usize = 64;
/// Most vertices of a mesh.
const VERTICES: usize = 1 << 16;
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
    t.indices("GEOM_FORM", geoms.iter().map(|&g| m.geom_type[g] as usize));
    let mut records: Vec<(usize, usize)> = Vec::new();
    let mut largest = 4;
    let mut of_geom = Vec::new();
    for &g in geoms {
        let mesh = usize::try_from(m.geom_dataid[g]).ok();
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
    t.constant("CLIP", 2 * largest.min(CORNERS));
    Ok(())
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
