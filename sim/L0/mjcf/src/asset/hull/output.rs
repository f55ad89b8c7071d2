//! The finished hull as triangles.

use super::{Builder, Hull, HullError};

impl Builder<'_> {
    /// Cuts every facet into triangles around its youngest corner and checks the result.
    pub(super) fn output(self) -> Result<Hull, HullError> {
        let all = &self.facets;
        let mut order: Vec<u32> =
            (0..all.facets.len() as u32).filter(|&f| all.facets[f as usize].alive).collect();
        // Triangles first, each group in the order of the list.
        order.sort_unstable_by_key(|&f| {
            let f = &all.facets[f as usize];
            (f.merged, f.ticket)
        });
        let mut faces = Vec::with_capacity(order.len());
        let mut used = vec![false; all.vertices.len()];
        let mut touched: Vec<u32> = all.vertices.iter().map(|v| v.touched).collect();
        let mut touch = self.touch;
        let mut edges = Vec::new();
        for facet in order {
            let first_face = faces.len();
            all.edges_of(facet, &mut edges);
            for &e in &edges {
                used[all.edges[e as usize].origin as usize] = true;
            }
            let youngest = edges.iter().map(|&e| all.edges[e as usize].origin).max();
            let apex = youngest.ok_or(HullError::Degenerate)?;
            // Walk along the loop from the apex.
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
                // The triangles are new facets of their corners.
                let before = touch;
                for &[apex, b, c] in &faces[first_face..] {
                    for v in [apex, b.max(c), b.min(c)] {
                        if touched[v as usize] <= before {
                            touch += 1;
                            touched[v as usize] = touch;
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
        vertices.sort_unstable_by_key(|&v| touched[v as usize]);
        let neighbors = neighbors(&vertices, &faces, all.vertices.len());
        let point = |v: u32| all.vertices[v as usize].point;
        // The two youngest corners first, in the order that keeps the direction.
        let faces = faces.into_iter().map(|[a, b, c]| if b > c { [a, b, c] } else { [c, a, b] });
        Ok(Hull {
            faces: faces.map(|f| f.map(point)).collect(),
            vertices: vertices.into_iter().map(point).collect(),
            neighbors,
        })
    }
}

/// For each corner the positions of those it shares an edge with, in the order of the faces.
fn neighbors(vertices: &[u32], faces: &[[u32; 3]], total: usize) -> Vec<Vec<u32>> {
    let mut position = vec![0; total];
    for (i, &v) in vertices.iter().enumerate() {
        position[v as usize] = i as u32;
    }
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); vertices.len()];
    for face in faces {
        let mut young_first = *face;
        young_first.sort_unstable_by(|a, b| b.cmp(a));
        let at = young_first.map(|v| position[v as usize]);
        for (k, &v) in at.iter().enumerate() {
            lists[v as usize].extend((0..3).filter(|&j| j != k).map(|j| at[j]));
        }
    }
    // Every neighbour is met on both sides of the edge: the first time counts.
    let mut seen = vec![u32::MAX; vertices.len()];
    for (i, list) in lists.iter_mut().enumerate() {
        list.retain(|&v| std::mem::replace(&mut seen[v as usize], i as u32) != i as u32);
    }
    lists
}
