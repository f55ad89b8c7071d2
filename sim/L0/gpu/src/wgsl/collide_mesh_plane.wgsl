// A plane under a mesh: the deepest vertex, and at most three more corners of the flattest face it lies on.

fn lowest_vertex(mesh: u32, down: vec3r) -> u32 {
    if ti[mesh + 2u] != NONE { return climb(mesh, 0u, dot(down, mesh_vertex(mesh, 0u)), down); }
    // the first vertex of the hull that reaches the farthest
    var best = NONE;
    var most = -HUGE;
    let starts = ti[mesh + 5u];
    let bare = ti[mesh + 6u] == 0u;
    for (var k = 0u; k < ti[mesh + 1u]; k++) {
        let reach = dot(down, mesh_vertex(mesh, k));
        if reach > most && (bare || ti[starts + k] < ti[starts + k + 1u]) { best = k; most = reach; }
    }
    return best;
}

fn ring_area(mesh: u32, ring: u32, n: u32, first: u32, k: vec3<u32>) -> real {
    let start = mesh_vertex(mesh, ti[ring + first]);
    let b = mesh_vertex(mesh, ti[ring + (first + k.x) % n]);
    let c = mesh_vertex(mesh, ti[ring + (first + k.y) % n]);
    let d = mesh_vertex(mesh, ti[ring + (first + k.z) % n]);
    let across = cross(c - start, d - b);
    return sqrt(dot(across, across));
}

fn plane_mesh(hits: ptr<function, Touches>, a: Shape, b: Shape, margin: real) {
    let normal = z_axis(a);
    let down = to_local(b, -normal);
    let mesh = ti[GEOM_MESH + b.geom];
    let lowest = lowest_vertex(mesh, down);
    if lowest == NONE { return; }
    let point = to_world(b, mesh_vertex(mesh, lowest)) + b.pos;
    let dist = dot(normal, point - a.pos);
    if dist > margin { return; }
    add_touch(hits, dist, point - normal * (0.5 * dist), normal, vec3r(0.0));
    if ti[mesh + 6u] == 0u { return; }
    // the flattest polygon there
    let starts = ti[mesh + 5u] + lowest;
    var face = NONE;
    var most = -HUGE;
    for (var k = ti[starts]; k < ti[starts + 1u]; k++) {
        let at = ti[mesh + 3u] + 3u * ti[k];
        let along = dot(vec3r(tf[at], tf[at + 1u], tf[at + 2u]), down);
        if along > most { most = along; face = ti[k]; }
    }
    if face == NONE { return; }
    let ring = ti[ti[mesh + 4u] + face];
    let n = ti[ti[mesh + 4u] + face + 1u] - ring;
    var first = NONE;
    for (var k = n; k > 0u; k--) { if ti[ring + k - 1u] == lowest { first = k - 1u; } }
    if first == NONE { return; }
    var chosen = vec3<u32>(1u, 2u, 3u);
    if n > 4u {
        // they move on round the polygon as long as that adds area
        var largest = ring_area(mesh, ring, n, first, chosen);
        var which = 2u;
        loop {
            var moved = chosen;
            moved[which]++;
            var grown = real(0.0);
            let end = select(moved[min(which + 1u, 2u)], n, which == 2u);
            if moved[which] < end { grown = ring_area(mesh, ring, n, first, moved); }
            let grows = grown > largest;
            if grows { largest = grown; chosen = moved; }
            if which == 2u { if !grows { break; } which = 1u; }
            else if !grows { which = select(2u, 0u, which == 1u); }
        }
    }
    // what is below the margin, and below the solid's centre: a face that stands upright does not hold up its far end
    let reach = dot(normal, b.pos - a.pos) - margin;
    for (var k = 0u; k + 1u < min(n, 4u); k++) {
        let local = mesh_vertex(mesh, ti[ring + (first + chosen[k]) % n]);
        let along = dot(down, local);
        if along <= reach || along <= 0.0 { continue; }
        let corner = to_world(b, local) + b.pos;
        let own = dot(normal, corner - a.pos);
        add_touch(hits, own, corner - normal * (0.5 * own), normal, vec3r(0.0));
    }
}
