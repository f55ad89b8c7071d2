// Plane-mesh contacts (mjc_PlaneConvex): the deepest vertex, and up to three more vertices of the polygon at that
// vertex that is most parallel to the plane.

fn deepest_vertex(mesh: u32, down: vec3r) -> u32 {
    if ti[mesh + 2u] != NONE { return hill_climb(mesh, 0u, dot(down, mesh_vertex(mesh, 0u)), down); }
    // First vertex of the hull with the largest projection.
    var best = NONE;
    var most = -FAR;
    let starts = ti[mesh + 5u];
    let bare = ti[mesh + 6u] == 0u;
    for (var k = 0u; k < ti[mesh + 1u]; k++) {
        let projection = dot(down, mesh_vertex(mesh, k));
        if projection > most && (bare || ti[starts + k] < ti[starts + k + 1u]) { best = k; most = projection; }
    }
    return best;
}

fn polygon_quad_area(mesh: u32, ring: u32, n: u32, first: u32, k: vec3<u32>) -> real {
    let start = mesh_vertex(mesh, ti[ring + first]);
    let b = mesh_vertex(mesh, ti[ring + (first + k.x) % n]);
    let c = mesh_vertex(mesh, ti[ring + (first + k.y) % n]);
    let d = mesh_vertex(mesh, ti[ring + (first + k.z) % n]);
    let across = cross(c - start, d - b);
    return sqrt(dot(across, across));
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
    add_contact(contacts, dist, point - normal * (0.5 * dist), normal, vec3r(0.0));
    if ti[mesh + 6u] == 0u { return; }
    // Polygon whose normal is closest to the plane's normal.
    let starts = ti[mesh + 5u] + lowest;
    var face = NONE;
    var most = -FAR;
    for (var k = ti[starts]; k < ti[starts + 1u]; k++) {
        let at = ti[mesh + 3u] + 3u * ti[k];
        let projection2 = dot(vec3r(tf[at], tf[at + 1u], tf[at + 2u]), down);
        if projection2 > most { most = projection2; face = ti[k]; }
    }
    if face == NONE { return; }
    let ring = ti[ti[mesh + 4u] + face];
    let n = ti[ti[mesh + 4u] + face + 1u] - ring;
    var first = NONE;
    for (var k = n; k > 0u; k--) { if ti[ring + k - 1u] == lowest { first = k - 1u; } }
    if first == NONE { return; }
    var chosen = vec3<u32>(1u, 2u, 3u);
    if n > 4u {
        // The vertices advance around the polygon while the area grows.
        var largest = polygon_quad_area(mesh, ring, n, first, chosen);
        var which = 2u;
        loop {
            var moved = chosen;
            moved[which]++;
            var grown = real(0.0);
            let end = select(moved[min(which + 1u, 2u)], n, which == 2u);
            if moved[which] < end { grown = polygon_quad_area(mesh, ring, n, first, moved); }
            let grows = grown > largest;
            if grows { largest = grown; chosen = moved; }
            if which == 2u { if !grows { break; } which = 1u; }
            else if !grows { which = select(2u, 0u, which == 1u); }
        }
    }
    // Vertices below the margin and below the geom's center: the upper vertices of a vertical face are not in
    // contact.
    let projection = dot(normal, b.pos - a.pos) - margin;
    for (var k = 0u; k + 1u < min(n, 4u); k++) {
        let local = mesh_vertex(mesh, ti[ring + (first + chosen[k]) % n]);
        let projection2 = dot(down, local);
        if projection2 <= projection || projection2 <= 0.0 { continue; }
        let corner = to_world(b, local) + b.pos;
        let own = dot(normal, corner - a.pos);
        add_contact(contacts, own, corner - normal * (0.5 * own), normal, vec3r(0.0));
    }
}
