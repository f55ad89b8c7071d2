// How deep two convex solids overlap: a polytope inside their difference grows until one of its faces lies on the
// boundary. Each lane keeps EPA_VERTS vertices and EPA_FACES faces; places of removed faces are used again.

var<private> epa_vertex: array<Vertex, EPA_VERTS>;
var<private> epa_verts: u32;
// the origin projected on a face's plane, and its squared distance
var<private> face_point: array<vec4r, EPA_FACES>;
// three vertices and the place in the list, eight bits each; the faces across each edge
var<private> face_link: array<vec2<u32>, EPA_FACES>;
var<private> faces: u32;
// faces that may be closest to the origin
var<private> listed: array<u32, EPA_FACES>;
var<private> lists: u32;
// edges that bound what a new vertex sees: face, edge, the new face there
var<private> horizon: array<u32, EPA_FACES>;
var<private> horizons: u32;
// faces whose neighbours are still to be looked at: face, entry edge, next turn
var<private> visits: array<u32, EPA_FACES>;
var<private> visit_count: u32;
// the face of least depth: its vertices, the points on the solids
var<private> epa_face: vec3<u32>;
var<private> epa_dist: real;
var<private> epa_a: vec3r;
var<private> epa_b: vec3r;

const GONE: u32 = 255u;
const UNLISTED: u32 = 254u;

fn byte(x: u32, k: u32) -> u32 { return (x >> (8u * k)) & 255u; }

fn add_vertex(dir: vec3r, length: real) {
    if epa_verts >= EPA_VERTS { return; }
    var way = vec3r(1.0, 0.0, 0.0);
    if length > MINVAL { way = dir / length; }
    epa_vertex[epa_verts] = support(way);
    epa_verts++;
}

// puts a face at a place; its squared distance from the origin, zero if its corners are in line
fn attach(at: u32, vertices: u32, adjacent: u32) -> real {
    let p = on_plane(epa_vertex[byte(vertices, 2u)].p, epa_vertex[byte(vertices, 1u)].p, epa_vertex[byte(vertices, 0u)].p);
    let square = dot(p.xyz, p.xyz);
    face_point[at] = vec4r(p.xyz, square);
    face_link[at] = vec2<u32>(vertices | (UNLISTED << 24u), adjacent);
    return square;
}

fn set_place(at: u32, place: u32) { face_link[at].x = (face_link[at].x & 0xffffffu) | (place << 24u); }

fn list_face(at: u32) {
    set_place(at, lists);
    listed[lists] = at;
    lists++;
}

fn delete_face(at: u32) {
    let place = face_link[at].x >> 24u;
    set_place(at, GONE);
    if place < UNLISTED {
        lists--;
        if place != lists {
            listed[place] = listed[lists];
            set_place(listed[place], place);
        }
    }
}

fn same_side(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> bool {
    let n = cross(b - a, c - a);
    return same_sign(dot(n, p - a), -dot(n, a));
}

fn triangle_holds(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> bool {
    let own = areas(a, b, c, p);
    let t = own.xyz / own.w;
    if any(t < vec3r(0.0)) { return false; }
    let away = a * t.x + b * t.y + c * t.z - p;
    return sqrt(dot(away, away)) < MINVAL;
}

// the first polytope around the simplex at which the walk ended; false if none holds the origin
fn epa_start() -> bool {
    faces = 0u;
    lists = 0u;
    epa_verts = 0u;
    if simplex_count == 4u { return around_tetrahedron(); }
    if simplex_count == 2u { return around_segment(); }
    if simplex_count != 3u { return false; }
    for (var k = 0u; k < 3u; k++) { epa_vertex[k] = simplex[k]; }
    return around_triangle();
}

fn around_tetrahedron() -> bool {
    for (var k = 0u; k < 4u; k++) { epa_vertex[k] = simplex[k]; }
    epa_verts = 4u;
    var corners = array<u32, 4>(0x020100u, 0x010300u, 0x030200u, 0x010203u);
    var across = array<u32, 4>(0x020301u, 0x000302u, 0x010300u, 0x010002u);
    for (var k = 0u; k < 4u; k++) {
        if attach(k, corners[k], across[k]) < MINVAL * MINVAL { return around_face(corners[k]); }
    }
    let p = epa_vertex[0].p;
    let q = epa_vertex[1].p;
    let r = epa_vertex[2].p;
    let s = epa_vertex[3].p;
    if !(same_side(p, q, r, s) && same_side(q, r, s, p) && same_side(r, s, p, q) && same_side(s, p, q, r)) { return false; }
    faces = 4u;
    for (var k = 0u; k < 4u; k++) { list_face(k); }
    return true;
}

// three points around a segment, then its ends
fn around_segment() -> bool {
    let along = simplex[1].p - simplex[0].p;
    let size = abs(along);
    var e = vec3r(1.0, 0.0, 0.0);
    if size.y < size.x { e = vec3r(0.0, 1.0, 0.0); }
    if size.z < min(size.x, size.y) { e = vec3r(0.0, 0.0, 1.0); }
    let first = cross(e, along);
    let n = along / sqrt(dot(along, along));
    // a third of a turn about the segment; the digits of the sine are the reference engine's
    let second = -0.5 * first + n * (1.5 * dot(n, first)) + 0.86602540378 * cross(n, first);
    let third = -0.5 * second + n * (1.5 * dot(n, second)) + 0.86602540378 * cross(n, second);
    add_vertex(first, sqrt(dot(first, first)));
    add_vertex(second, sqrt(dot(second, second)));
    add_vertex(third, sqrt(dot(third, third)));
    epa_vertex[3] = simplex[1];
    epa_vertex[4] = simplex[0];
    epa_verts = 5u;
    let flat = bipyramid();
    if flat != NONE { return around_face(flat); }
    let p = epa_vertex[0].p - simplex[0].p;
    let q = epa_vertex[1].p - simplex[0].p;
    let r = epa_vertex[2].p - simplex[0].p;
    let d = vec3r(det3(p, q, along), det3(q, r, along), det3(r, p, along));
    if !(all(d >= vec3r(0.0)) || all(d <= vec3r(0.0))) { return false; }
    faces = 6u;
    for (var k = 0u; k < 6u; k++) { list_face(k); }
    return true;
}

// six faces over and under the first three vertices; the vertices of a face that holds the origin, if one does
fn bipyramid() -> u32 {
    var corners = array<u32, 6>(0x010004u, 0x000204u, 0x020104u, 0x000103u, 0x020003u, 0x010203u);
    var across = array<u32, 6>(0x020301u, 0x000402u, 0x010500u, 0x040005u, 0x050103u, 0x030204u);
    for (var k = 0u; k < 6u; k++) {
        if attach(k, corners[k], across[k]) < MINVAL * MINVAL { return corners[k]; }
    }
    return NONE;
}

// the origin lies in a face: starts again from that triangle
fn around_face(corners: u32) -> bool {
    let a = epa_vertex[byte(corners, 0u)];
    let b = epa_vertex[byte(corners, 1u)];
    let c = epa_vertex[byte(corners, 2u)];
    epa_vertex[0] = a;
    epa_vertex[1] = b;
    epa_vertex[2] = c;
    return around_triangle();
}

fn around_triangle() -> bool {
    let a = epa_vertex[0].p;
    let b = epa_vertex[1].p;
    let c = epa_vertex[2].p;
    let n = cross(b - a, c - a);
    let length = sqrt(dot(n, n));
    if length < MINVAL { return false; }
    epa_verts = 3u;
    add_vertex(-n, length);
    add_vertex(n, length);
    if triangle_holds(a, b, c, epa_vertex[4].p) || triangle_holds(a, b, c, epa_vertex[3].p) { return false; }
    if bipyramid() != NONE { return false; }
    faces = 6u;
    for (var k = 0u; k < 6u; k++) { list_face(k); }
    return true;
}

// the face across an edge, and the number that the edge has there
fn across_edge(at: u32, edge: u32) -> vec2<u32> {
    let end = byte(face_link[at].x, (edge + 1u) % 3u);
    let neighbour = byte(face_link[at].y, edge % 3u);
    let vertices = face_link[neighbour].x;
    return vec2<u32>(neighbour, select(select(2u, 1u, byte(vertices, 1u) == end), 0u, byte(vertices, 0u) == end));
}

// deletes a visible face and remembers to look beyond it, or makes its edge part of the horizon
fn look(p: vec3r, at: u32, entry: u32) {
    if dot(face_point[at].xyz, p) - face_point[at].w > MINVAL {
        delete_face(at);
        visits[visit_count] = at | (entry << 8u) | (1u << 16u);
        visit_count++;
    } else if horizons < EPA_FACES {
        horizon[horizons] = at | (entry << 8u);
        horizons++;
    }
}

// deletes every face that a vertex sees and collects the edges around them, in turn
fn find_horizon(at: u32, p: vec3r) {
    horizons = 0u;
    visit_count = 0u;
    delete_face(at);
    for (var edge = 0u; edge < 3u; edge++) {
        let next = across_edge(at, edge);
        if edge != 0u && (face_link[next.x].x >> 24u) == GONE { continue; }
        look(p, next.x, next.y);
        // depth first: this order makes the horizon a closed line
        while visit_count > 0u {
            let visit = visits[visit_count - 1u];
            let turn = visit >> 16u;
            if turn < 2u { visits[visit_count - 1u] = visit + (1u << 16u); } else { visit_count--; }
            let beyond = across_edge(visit & 255u, ((visit >> 8u) & 255u) + turn);
            if (face_link[beyond.x].x >> 24u) != GONE { look(p, beyond.x, beyond.y); }
        }
    }
}

// joins the newest vertex to every edge of the horizon; false if a new face has no area
fn fill_horizon(lower: real, upper: real) -> bool {
    // a place for each new face
    var free = 0u;
    for (var k = 0u; k < horizons; k++) {
        while free < faces && (face_link[free].x >> 24u) != GONE { free++; }
        if free >= EPA_FACES { return false; }
        horizon[k] |= free << 16u;
        free++;
        faces = max(faces, free);
    }
    for (var k = 0u; k < horizons; k++) {
        let own = horizon[k] >> 16u;
        let outside = horizon[k] & 255u;
        let edge = (horizon[k] >> 8u) & 255u;
        let shift = 8u * edge;
        face_link[outside].y = (face_link[outside].y & ~(255u << shift)) | (own << shift);
        let vertices = face_link[outside].x;
        let corners = (epa_verts - 1u) | (byte(vertices, (edge + 1u) % 3u) << 8u) | (byte(vertices, edge) << 16u);
        let before = horizon[select(k - 1u, horizons - 1u, k == 0u)] >> 16u;
        let after = horizon[select(k + 1u, 0u, k + 1u == horizons)] >> 16u;
        let square = attach(own, corners, before | (outside << 8u) | (after << 16u));
        if square == 0.0 { return false; }
        // faces farther than the best bound will never be the closest
        if square >= lower && square <= upper { list_face(own); }
    }
    return true;
}

// expands a polytope that holds the origin; false when the numbers no longer allow it
fn epa_expand() -> bool {
    let discrete = is_discrete();
    let tolerance = select(f(CCD_TOLERANCE), MINVAL, discrete);
    var upper = HUGE;
    var upper_square = HUGE;
    var made = faces;
    var best = vec4r(0.0);
    var found = false;
    for (var round = 0u; round < CCD_ITERATIONS; round++) {
        // the closest face bounds the depth from below
        var lower_square = HUGE;
        var current = NONE;
        for (var k = 0u; k < lists; k++) {
            let square = face_point[listed[k]].w;
            if square < lower_square { current = listed[k]; lower_square = square; }
        }
        if current == NONE && !found { return false; }
        if current == NONE || lower_square > upper_square { break; }
        found = true;
        best = face_point[current];
        let link = face_link[current].x;
        epa_face = vec3<u32>(byte(link, 0u), byte(link, 1u), byte(link, 2u));
        if lower_square <= 0.0 || epa_verts >= EPA_VERTS { break; }
        // the support point along its normal bounds it from above
        let lower = sqrt(lower_square);
        add_vertex(best.xyz, lower);
        let tip = epa_vertex[epa_verts - 1u];
        let reach = dot(best.xyz, tip.p) / lower;
        if reach < upper { upper = reach; upper_square = upper * upper; }
        if upper - lower < tolerance { break; }
        if discrete {
            var repeated = false;
            for (var k = 0u; k + 1u < epa_verts; k++) { repeated = repeated || all(epa_vertex[k].id == tip.id); }
            if repeated { break; }
        }
        find_horizon(current, tip.p);
        if horizons < 3u { return false; }
        if horizons + made > 6u * CCD_ITERATIONS { break; }
        made += horizons;
        if !fill_horizon(lower_square, upper_square) { return false; }
        if lists == 0u { break; }
    }
    if !found { return false; }
    let a = epa_vertex[epa_face.x];
    let b = epa_vertex[epa_face.y];
    let c = epa_vertex[epa_face.z];
    let own = areas(a.p, b.p, c.p, best.xyz);
    var t = own.xyz / own.w;
    // a face so thin that rounding leaves it no area: any of its points will do
    if !all(abs(t) < vec3r(HUGE)) { t = vec3r(1.0, 0.0, 0.0); }
    epa_a = a.a * t.x + b.a * t.y + c.a * t.z;
    epa_b = a.b * t.x + b.b * t.y + c.b * t.z;
    epa_dist = -sqrt(best.w);
    return true;
}
