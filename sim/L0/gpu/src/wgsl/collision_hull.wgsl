// Shapes of convex geoms, and the farthest vertex of a convex hull in a direction.

const SHAPE_POINT: u32 = 0u;
const SHAPE_SEGMENT: u32 = 1u;
const SHAPE_SPHERE: u32 = 2u;
const SHAPE_CAPSULE: u32 = 3u;
const SHAPE_ELLIPSOID: u32 = 4u;
const SHAPE_CYLINDER: u32 = 5u;
const SHAPE_BOX: u32 = 6u;
const SHAPE_MESH: u32 = 7u;
const SHAPE_PRISM: u32 = 8u;
// A distance beyond all others.
const FAR: real = 1e30;

// Mesh vertices are not randomised, so the table of the first environment is read.
fn mesh_vertex(mesh: u32, k: u32) -> vec3r {
    let at = ti[mesh] + 3u * k;
    return vec3r(tf[at], tf[at + 1u], tf[at + 2u]);
}

// Hill climbing on the edge graph of the convex hull.
fn hill_climb(mesh: u32, start: u32, min_projection: real, local: vec3r) -> u32 {
    let starts = ti[mesh + 2u];
    var best = start;
    var best_projection = min_projection;
    loop {
        let begin = best;
        let end = ti[starts + begin + 1u];
        for (var e = ti[starts + begin]; e < end; e++) {
            let projection = dot(local, mesh_vertex(mesh, ti[e]));
            if projection > best_projection { best_projection = projection; best = ti[e]; }
        }
        if best == begin { break; }
    }
    return best;
}

// Exhaustive search; ties go to the vertex found in the previous query.
fn exhaustive_search(mesh: u32, last: u32, local: vec3r) -> u32 {
    var best = 0u;
    var best_projection = -FAR;
    if last != NONE { best = last; best_projection = dot(local, mesh_vertex(mesh, last)); }
    let count = ti[mesh + 1u];
    for (var k = 0u; k < count; k++) {
        let projection = dot(local, mesh_vertex(mesh, k));
        if projection > best_projection { best_projection = projection; best = k; }
    }
    return best;
}
