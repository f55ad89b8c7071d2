// How deep two convex solids overlap: a polytope inside their difference grows until one of its faces lies on the
// boundary. Each lane keeps EPA_VERTS points and EPA_FACES faces; places of removed faces are used again.

// `face_point`: the origin projected on a face's plane, and its squared distance; in the end, corners of a polygon
// `face_link`: three points and the place in the list, eight bits each; the faces across each edge
var<private> faces: u32;
// `listed`: faces that may be closest to the origin
var<private> lists: u32;
// `horizon`: edges that bound what a new point sees: face, edge, the new face there
var<private> horizons: u32;
// `visits`: faces whose neighbours are still to be looked at: face, entry edge, next turn
// `first`: points of the first polytope; how many there are, the axis if it is around a segment
var<private> tips: u32;
var<private> around_segment: bool;
var<private> axis: vec3r;
// rounds, faces made, bounds of the depth, the best face so far: projection, points
var<private> grown: u32;
var<private> made: u32;
var<private> lower: real;
var<private> upper: real;
var<private> upper_square: real;
var<private> current: u32;
var<private> best: vec4r;
var<private> epa_face: vec3<u32>;

// `point_p`: points of the difference of the solids; `point_a`, `point_id`: the points of the first solid and the
// corners they come from. Compilers give up on kernels whose lanes keep more than some ten kilobytes for themselves.
struct Polytope {
    point_p: array<vec3r, EPA_VERTS>,
    point_a: array<vec3r, EPA_VERTS>,
    point_id: array<vec2<u32>, EPA_VERTS>,
    face_point: array<vec4r, FACE_ROOM>,
    face_link: array<vec2<u32>, EPA_FACES>,
    listed: array<u32, EPA_FACES>,
    horizon: array<u32, EPA_FACES>,
    visits: array<u32, EPA_FACES>,
    first: array<u32, 5>,
}

const GONE: u32 = 255u;
const UNLISTED: u32 = 254u;
// points of the walk and of the first polytope
const EPA_FIRST: u32 = 13u;

fn byte(x: u32, k: u32) -> u32 { return (x >> (8u * k)) & 255u; }

// puts a face at a place; its squared distance from the origin, zero if its corners are in line
fn attach(poly: ptr<function, Polytope>, at: u32, corners: u32, adjacent: u32) -> real {
    let p = on_plane((*poly).point_p[byte(corners, 2u)], (*poly).point_p[byte(corners, 1u)], (*poly).point_p[byte(corners, 0u)]);
    let square = dot(p.xyz, p.xyz);
    (*poly).face_point[at] = vec4r(p.xyz, square);
    (*poly).face_link[at] = vec2<u32>(corners | (UNLISTED << 24u), adjacent);
    return square;
}

fn set_place(poly: ptr<function, Polytope>, at: u32, place: u32) { (*poly).face_link[at].x = ((*poly).face_link[at].x & 0xffffffu) | (place << 24u); }

fn list_face(poly: ptr<function, Polytope>, at: u32) {
    set_place(poly, at, lists);
    (*poly).listed[lists] = at;
    lists++;
}

fn delete_face(poly: ptr<function, Polytope>, at: u32) {
    let place = (*poly).face_link[at].x >> 24u;
    set_place(poly, at, GONE);
    if place < UNLISTED {
        lists--;
        if place != lists {
            (*poly).listed[place] = (*poly).listed[lists];
            set_place(poly, (*poly).listed[place], place);
        }
    }
}

// the face across an edge, and the number that the edge has there
fn across_edge(poly: ptr<function, Polytope>, at: u32, edge: u32) -> vec2<u32> {
    let end = byte((*poly).face_link[at].x, (edge + 1u) % 3u);
    let neighbour = byte((*poly).face_link[at].y, edge % 3u);
    let vertices = (*poly).face_link[neighbour].x;
    return vec2<u32>(neighbour, select(select(2u, 1u, byte(vertices, 1u) == end), 0u, byte(vertices, 0u) == end));
}

// deletes every face that a vertex sees and collects the edges around them: depth first makes them a closed line
fn find_horizon(poly: ptr<function, Polytope>, at: u32, p: vec3r) {
    horizons = 0u;
    delete_face(poly, at);
    (*poly).visits[0] = at;
    var count = 1u;
    while count > 0u {
        let visit = (*poly).visits[count - 1u];
        let turn = visit >> 16u;
        if turn < 2u { (*poly).visits[count - 1u] = visit + (1u << 16u); } else { count--; }
        let next = across_edge(poly, visit & 255u, ((visit >> 8u) & 255u) + turn);
        if ((*poly).face_link[next.x].x >> 24u) == GONE { continue; }
        if dot((*poly).face_point[next.x].xyz, p) - (*poly).face_point[next.x].w > MINVAL {
            delete_face(poly, next.x);
            (*poly).visits[count] = next.x | (next.y << 8u) | (1u << 16u);
            count++;
        } else if horizons < EPA_FACES {
            (*poly).horizon[horizons] = next.x | (next.y << 8u);
            horizons++;
        }
    }
}

// joins the newest vertex to every edge of the horizon; false if a new face has no area
fn fill_horizon(poly: ptr<function, Polytope>, least: real, most: real) -> bool {
    // a place for each new face
    var free = 0u;
    for (var k = 0u; k < horizons; k++) {
        while free < faces && ((*poly).face_link[free].x >> 24u) != GONE { free++; }
        if free >= EPA_FACES { return false; }
        (*poly).horizon[k] |= free << 16u;
        free++;
        faces = max(faces, free);
    }
    for (var k = 0u; k < horizons; k++) {
        let own = (*poly).horizon[k] >> 16u;
        let outside = (*poly).horizon[k] & 255u;
        let edge = ((*poly).horizon[k] >> 8u) & 255u;
        let shift = 8u * edge;
        (*poly).face_link[outside].y = ((*poly).face_link[outside].y & ~(255u << shift)) | (own << shift);
        let vertices = (*poly).face_link[outside].x;
        let corners = slot | (byte(vertices, (edge + 1u) % 3u) << 8u) | (byte(vertices, edge) << 16u);
        let before = (*poly).horizon[select(k - 1u, horizons - 1u, k == 0u)] >> 16u;
        let after = (*poly).horizon[select(k + 1u, 0u, k + 1u == horizons)] >> 16u;
        let square = attach(poly, own, corners, before | (outside << 8u) | (after << 16u));
        if square == 0.0 { return false; }
        // faces farther than the best bound will never be the closest
        if square >= least && square <= most { list_face(poly, own); }
    }
    return true;
}

// starts a polytope from two or three points of the walk: asks for the points around a segment, or for the tips on
// either side of a triangle
fn start_tips(poly: ptr<function, Polytope>) {
    phase = TIPS;
    tips = 0u;
    around_segment = count == 2u;
    if around_segment {
        (*poly).first[3] = kept.y;
        (*poly).first[4] = kept.x;
        axis = s1 - s0;
        let size = abs(axis);
        var e = vec3r(1.0, 0.0, 0.0);
        if size.y < size.x { e = vec3r(0.0, 1.0, 0.0); }
        if size.z < min(size.x, size.y) { e = vec3r(0.0, 0.0, 1.0); }
        ask = cross(e, axis);
        axis /= sqrt(dot(axis, axis));
        slot = 8u;
    } else {
        (*poly).first[0] = kept.x;
        (*poly).first[1] = kept.y;
        (*poly).first[2] = kept.z;
        s0 = (*poly).point_p[kept.x];
        s1 = (*poly).point_p[kept.y];
        s2 = (*poly).point_p[kept.z];
        ask = -cross(s1 - s0, s2 - s0);
        if count != 3u || sqrt(dot(ask, ask)) < MINVAL { phase = DONE; }
        slot = 11u;
    }
    ask = unit(ask);
}

fn take_tip(poly: ptr<function, Polytope>, p: vec3r) {
    if around_segment {
        if tips == 0u { t0 = p; } else if tips == 1u { t1 = p; } else { t2 = p; }
        (*poly).first[tips] = slot;
        // a third of a turn about the segment; the digits of the sine are the reference engine's
        ask = unit(-0.5 * ask + axis * (1.5 * dot(axis, ask)) + 0.86602540378 * cross(axis, ask));
    } else {
        let own = areas(s0, s1, s2, p);
        let t = own.xyz / own.w;
        let away = s0 * t.x + s1 * t.y + s2 * t.z - p;
        if !any(t < vec3r(0.0)) && sqrt(dot(away, away)) < MINVAL { phase = DONE; }
        (*poly).first[3u + tips] = slot;
        ask = -ask;
    }
    tips++;
    slot++;
    if tips == select(2u, 3u, around_segment) && phase != DONE { phase = BUILD; }
}

fn same_side(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> bool {
    let n = cross(b - a, c - a);
    return same_sign(dot(n, p - a), -dot(n, a));
}

// the first faces: of a tetrahedron, or over and under three points
fn build(poly: ptr<function, Polytope>) {
    var corners = array<u32, 10>(0x020100u, 0x010300u, 0x030200u, 0x010203u,
        0x010004u, 0x000204u, 0x020104u, 0x000103u, 0x020003u, 0x010203u);
    var across = array<u32, 10>(0x020301u, 0x000302u, 0x010300u, 0x010002u,
        0x020301u, 0x000402u, 0x010500u, 0x040005u, 0x050103u, 0x030204u);
    let solid = count == 4u;
    let total = select(6u, 4u, solid);
    lists = 0u;
    for (var k = 0u; k < total; k++) {
        let row = select(4u + k, k, solid);
        let own = corners[row];
        let a = (*poly).first[byte(own, 0u)];
        let b = (*poly).first[byte(own, 1u)];
        let c = (*poly).first[byte(own, 2u)];
        if attach(poly, k, a | (b << 8u) | (c << 16u), across[row]) < MINVAL * MINVAL {
            // the origin lies in a face: starts again from that triangle
            phase = select(DONE, START, count != 3u);
            kept = vec4<u32>(a, b, c, 0u);
            count = 3u;
            return;
        }
    }
    phase = GROW;
    if solid && !(same_side(s0, s1, s2, s3) && same_side(s1, s2, s3, s0) && same_side(s2, s3, s0, s1) && same_side(s3, s0, s1, s2)) {
        phase = DONE;
    }
    if count == 2u {
        // the line through the ends must pass between the three points around it
        let along = s1 - s0;
        let d = vec3r(det3(t0 - s0, t1 - s0, along), det3(t1 - s0, t2 - s0, along), det3(t2 - s0, t0 - s0, along));
        if !(all(d >= vec3r(0.0)) || all(d <= vec3r(0.0))) { phase = DONE; }
    }
    // points of the walk that are not part of it must not count as known
    var used = 0u;
    for (var k = 0u; k < select(5u, 4u, solid); k++) { used |= 1u << (*poly).first[k]; }
    for (var k = 0u; k < EPA_FIRST; k++) { if ((used >> k) & 1u) == 0u { (*poly).point_id[k] = vec2<u32>(NONE); } }
    faces = total;
    for (var k = 0u; k < total; k++) { list_face(poly, k); }
    made = total;
    grown = 0u;
    upper = HUGE;
    upper_square = HUGE;
    best.w = -1.0;
    slot = EPA_FIRST - 1u;
}

// the closest face bounds the depth from below; asks for the point along its normal, which bounds it from above
fn grow(poly: ptr<function, Polytope>) {
    phase = WITNESS;
    var least = HUGE;
    current = NONE;
    for (var k = 0u; k < lists; k++) {
        let square = (*poly).face_point[(*poly).listed[k]].w;
        if square < least { current = (*poly).listed[k]; least = square; }
    }
    if grown >= CCD_ITERATIONS || current == NONE || least > upper_square { return; }
    grown++;
    best = (*poly).face_point[current];
    let link = (*poly).face_link[current].x;
    epa_face = vec3<u32>(byte(link, 0u), byte(link, 1u), byte(link, 2u));
    if least <= 0.0 || slot + 1u >= EPA_VERTS { return; }
    lower = sqrt(least);
    ask = best.xyz / lower;
    if lower <= MINVAL { ask = vec3r(1.0, 0.0, 0.0); }
    slot++;
    phase = EXPAND;
}

// takes the new point in; the search ends when the bounds meet or the numbers no longer allow it
fn expand(room: ptr<function, Solids>, poly: ptr<function, Polytope>, p: vec3r) {
    let discrete = is_discrete(room);
    let reach = dot(best.xyz, p) / lower;
    if reach < upper { upper = reach; upper_square = upper * upper; }
    phase = WITNESS;
    if upper - lower < select(f(CCD_TOLERANCE), MINVAL, discrete) { return; }
    if discrete {
        let id = vec2<u32>((*room).solids[0].vertex, (*room).solids[1].vertex);
        for (var k = 0u; k < slot; k++) { if all((*poly).point_id[k] == id) { return; } }
    }
    find_horizon(poly, current, p);
    if horizons < 3u { best.w = -1.0; return; }
    if horizons + made > 6u * CCD_ITERATIONS { return; }
    made += horizons;
    if !fill_horizon(poly, best.w, upper_square) { best.w = -1.0; return; }
    if lists > 0u { phase = GROW; }
}

// the points of the solids on the face of least depth, and the depth; none if there is no such face
fn epa_witness(room: ptr<function, Solids>, poly: ptr<function, Polytope>) {
    phase = DONE;
    far = 0.0;
    if best.w < 0.0 { return; }
    let a = (*poly).point_p[epa_face.x];
    let b = (*poly).point_p[epa_face.y];
    let c = (*poly).point_p[epa_face.z];
    let own = areas(a, b, c, best.xyz);
    var t = own.xyz / own.w;
    // a face so thin that rounding leaves it no area: any of its points will do
    if !all(abs(t) < vec3r(HUGE)) { t = vec3r(1.0, 0.0, 0.0); }
    (*room).witness_a[0] = (*poly).point_a[epa_face.x] * t.x + (*poly).point_a[epa_face.y] * t.y + (*poly).point_a[epa_face.z] * t.z;
    (*room).witness_b[0] = (*room).witness_a[0] - (a * t.x + b * t.y + c * t.z);
    witnesses = 1u;
    far = -sqrt(best.w);
}

fn put_point(poly: ptr<function, Polytope>, at: u32, s: Sample) {
    (*poly).point_p[at] = s.p;
    (*poly).point_a[at] = s.a;
    (*poly).point_id[at] = s.id;
}

// how deep the solids overlap, and where, after a walk that ended with the origin in its simplex
fn find_depth(room: ptr<function, Solids>, most: u32) {
    var poly: Polytope;
    for (var k = 0u; k < WALK_POINTS; k++) { put_point(&poly, k, (*room).sample[k]); }
    var p = vec3r(0.0);
    loop {
        if phase == TIPS { take_tip(&poly, p); }
        if phase == START && count == 4u {
            for (var k = 0u; k < 4u; k++) { poly.first[k] = kept[k]; }
            phase = BUILD;
        }
        if phase == BUILD { build(&poly); }
        if phase == START { start_tips(&poly); }
        if phase == EXPAND { expand(room, &poly, p); }
        if phase == GROW { grow(&poly); }
        if phase == WITNESS { epa_witness(room, &poly); }
        if phase == DONE { break; }
        let found = support(room);
        put_point(&poly, slot, found);
        p = found.p;
    }
    if most > 1u && witnesses == 1u { lay_faces(room, &poly, most); }
}
