// Plane-mesh contacts (mjc_PlaneConvex): the deepest vertex, and up to two more vertices among its candidates, the
// neighbours in the graph of the convex hull.

// Largest number of contacts of a mesh.
const MAX_PLANE_MESH: u32 = 3u;
// Least distance of a further contact from the first, relative to the radius of the bounding sphere.
const PLANE_MESH_SEPARATION: real = 0.3;

fn deepest_vertex(mesh: u32, down: vec3r) -> u32 {
    if ti[mesh + 2u] != NONE { return hill_climb(mesh, 0u, dot(down, mesh_vertex(mesh, 0u)), down); }
    // First vertex with the largest projection.
    var best = NONE;
    var most = -FAR;
    for (var k = 0u; k < ti[mesh + 1u]; k++) {
        let projection = dot(down, mesh_vertex(mesh, k));
        if projection > most { best = k; most = projection; }
    }
    return best;
}

fn plane_mesh(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let normal = z_axis(a);
    let down = to_local(b, -normal);
    let mesh = ti[GEOM_MESH + b.geom];
    let lowest = deepest_vertex(mesh, down);
    if lowest == NONE { return; }
    let point = to_world(b, mesh_vertex(mesh, lowest)) + b.pos;
    let dist = dot(normal, point - a.pos);
    if dist > margin { return; }
    let first = point - normal * (0.5 * dist);
    add_contact(contacts, dist, first, normal, vec3r(0.0));
    // Candidates of the deepest vertex; without a hull all other vertices.
    let lists = ti[mesh + 7u];
    var begin = 0u;
    var end = ti[mesh + 1u];
    if lists != NONE {
        begin = ti[lists + lowest];
        end = ti[lists + lowest + 1u];
    }
    let min_projection = dot(normal, b.pos - a.pos) - margin;
    let min_distance = PLANE_MESH_SEPARATION * f(GEOM_RBOUND + b.geom);
    var count = 1u;
    for (var k = begin; k < end && count < MAX_PLANE_MESH; k++) {
        var vertex = k;
        if lists != NONE { vertex = ti[k]; } else if k == lowest { continue; }
        let local = mesh_vertex(mesh, vertex);
        if dot(down, local) <= min_projection { continue; }
        let corner = to_world(b, local) + b.pos;
        let between = corner - first;
        if sqrt(dot(between, between)) < min_distance { continue; }
        let own = dot(normal, corner - a.pos);
        add_contact(contacts, own, corner - normal * (0.5 * own), normal, vec3r(0.0));
        count++;
    }
}
