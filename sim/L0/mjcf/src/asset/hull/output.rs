//! Triangulation of the facets and output of the hull.

use super::{Builder, Hull, HullError};

impl Builder<'_> {
    /// Triangulates every facet from its newest vertex and checks Euler's formula.
    pub(super) fn output(self) -> Result<Hull, HullError> {
        let all = &self.facets;
        let mut order: Vec<u32> =
            (0..all.facets.len() as u32).filter(|&f| all.facets[f as usize].alive).collect();
        // Simplicial facets first, each group in the order of the facet list.
        order.sort_unstable_by_key(|&f| {
            let f = &all.facets[f as usize];
            (f.merged, f.queue_id)
        });
        let mut faces = Vec::with_capacity(order.len());
        let mut used = vec![false; all.vertices.len()];
        let mut timestamp_of: Vec<u32> = all.vertices.iter().map(|v| v.timestamp).collect();
        let mut timestamp = self.timestamp;
        let mut edges = Vec::new();
        for facet in order {
            let first_face = faces.len();
            all.edges_of(facet, &mut edges);
            for &e in &edges {
                used[all.edges[e as usize].origin as usize] = true;
            }
            let newest = edges.iter().map(|&e| all.edges[e as usize].origin).max();
            let apex = newest.ok_or(HullError::Degenerate)?;
            // Traverse the boundary from the apex.
            let first = edges.iter().find(|&&e| all.edges[e as usize].origin == apex);
            let mut e = all.edges[*first.ok_or(HullError::Degenerate)? as usize].next;
            while all.destination(e) != apex {
                faces.push([apex, all.edges[e as usize].origin, all.destination(e)]);
                e = all.edges[e as usize].next;
                if faces.len() > 2 * all.edges.len() {
                    return Err(HullError::Degenerate);
                }
            }
            if all.facets[facet as usize].merged {
                // The triangles are new facets of their vertices.
                let before = timestamp;
                for &[apex, b, c] in &faces[first_face..] {
                    for v in [apex, b.max(c), b.min(c)] {
                        if timestamp_of[v as usize] <= before {
                            timestamp += 1;
                            timestamp_of[v as usize] = timestamp;
                        }
                    }
                }
            }
        }
        let mut vertices: Vec<u32> =
            (0..all.vertices.len() as u32).filter(|&v| used[v as usize]).collect();
        if faces.len() + 4 != 2 * vertices.len() {
            return Err(HullError::Degenerate);
        }
        vertices.sort_unstable_by_key(|&v| timestamp_of[v as usize]);
        let neighbors = neighbors(&vertices, &faces, all.vertices.len());
        let point = |v: u32| all.vertices[v as usize].point;
        // The two newest vertices first, in the order that preserves the orientation.
        let faces = faces.into_iter().map(|[a, b, c]| if b > c { [a, b, c] } else { [c, a, b] });
        Ok(Hull {
            faces: faces.map(|f| f.map(point)).collect(),
            vertices: vertices.into_iter().map(point).collect(),
            neighbors,
        })
    }
}

/// For each vertex the indices of its adjacent vertices, in the order of the faces.
fn neighbors(vertices: &[u32], faces: &[[u32; 3]], total: usize) -> Vec<Vec<u32>> {
    let mut position = vec![0; total];
    for (i, &v) in vertices.iter().enumerate() {
        position[v as usize] = i as u32;
    }
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); vertices.len()];
    for face in faces {
        let mut newest_first = *face;
        newest_first.sort_unstable_by(|a, b| b.cmp(a));
        let at = newest_first.map(|v| position[v as usize]);
        for (k, &v) in at.iter().enumerate() {
            lists[v as usize].extend((0..3).filter(|&j| j != k).map(|j| at[j]));
        }
    }
    // Each adjacent vertex occurs in both faces of the edge: keep the first occurrence.
    let mut seen = vec![u32::MAX; vertices.len()];
    for (i, list) in lists.iter_mut().enumerate() {
        list.retain(|&v| std::mem::replace(&mut seen[v as usize], i as u32) != i as u32);
    }
    lists
}
