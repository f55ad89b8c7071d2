// Penetration depth of two convex geoms by the expanding polytope algorithm (EPA): a polytope inside the Minkowski
// difference expands until one of its faces lies on the boundary. Each lane has room for EPA_VERTS vertices and
// EPA_FACES faces; slots of deleted faces are reused.

// Number of face slots in use. `face_point`: projection of the origin onto a face's plane and its squared distance
// (later reused for clipping polygons). `face_link`: three vertex indices and the position in `open_faces`, 8 bits
// each; the neighbour across each edge, 8 bits each.
var<private> face_count: u32;
// Length of `open_faces`: faces that may be closest to the origin.
var<private> open_count: u32;
// Length of `horizon`: edges that bound the faces visible from a new vertex (face, edge, index of the new face
// there).
var<private> horizon_len: u32;
// `visit_stack`: faces whose neighbours have to be visited (face, entry edge, next edge). `seed`: vertices of the
// initial polytope; number of vertices found so far, whether it is built around a segment, and the axis of that
// segment.
var<private> seed_count: u32;
var<private> seed_segment: bool;
var<private> segment_axis: vec3r;
// Iterations, faces created, bounds of the depth, the closest face so far: projection of the origin, vertices.
var<private> epa_iterations: u32;
var<private> faces_created: u32;
var<private> depth_lower: real;
var<private> depth_upper: real;
var<private> depth_upper2: real;
var<private> current_face: u32;
var<private> closest_face: vec4r;
var<private> epa_face: vec3<u32>;

// `vertex_p`: vertices of the Minkowski difference; `vertex_a`, `vertex_id`: the support points of the first geom
// and the support vertices of both. Shader compilers fail on kernels with more than about ten kilobytes of private
// memory per lane.
struct Polytope {
    vertex_p: array<vec3r, EPA_VERTS>,
    vertex_a: array<vec3r, EPA_VERTS>,
    vertex_id: array<vec2<u32>, EPA_VERTS>,
    face_point: array<vec4r, EPA_FACE_POINTS>,
    face_link: array<vec2<u32>, EPA_FACES>,
    open_faces: array<u32, EPA_FACES>,
    horizon: array<u32, EPA_FACES>,
    visit_stack: array<u32, EPA_FACES>,
    seed: array<u32, 5>,
}

const FACE_DELETED: u32 = 255u;
const FACE_CLOSED: u32 = 254u;
// Vertices of the GJK simplex search and of the initial polytope.
const EPA_SEED_VERTS: u32 = 13u;

fn byte(x: u32, k: u32) -> u32 { return (x >> (8u * k)) & 255u; }

// Creates a face in a slot. Returns the squared distance of its plane from the origin, zero if its vertices are
// collinear.
fn add_face(poly: ptr<function, Polytope>, face: u32, corners: u32, adjacent: u32) -> real {
    let p = project_origin((*poly).vertex_p[byte(corners, 2u)], (*poly).vertex_p[byte(corners, 1u)], (*poly).vertex_p[byte(corners, 0u)]);
    let square = dot(p.xyz, p.xyz);
    (*poly).face_point[face] = vec4r(p.xyz, square);
    (*poly).face_link[face] = vec2<u32>(corners | (FACE_CLOSED << 24u), adjacent);
    return square;
}

fn set_open_index(poly: ptr<function, Polytope>, face: u32, index: u32) { (*poly).face_link[face].x = ((*poly).face_link[face].x & 0xffffffu) | (index << 24u); }

fn open_face(poly: ptr<function, Polytope>, face: u32) {
    set_open_index(poly, face, open_count);
    (*poly).open_faces[open_count] = face;
    open_count++;
}

fn delete_face(poly: ptr<function, Polytope>, face: u32) {
    let index = (*poly).face_link[face].x >> 24u;
    set_open_index(poly, face, FACE_DELETED);
    if index < FACE_CLOSED {
        open_count--;
        if index != open_count {
            (*poly).open_faces[index] = (*poly).open_faces[open_count];
            set_open_index(poly, (*poly).open_faces[index], index);
        }
    }
}

// Neighbour across an edge, and the index of that edge in the neighbour.
fn face_neighbour(poly: ptr<function, Polytope>, face: u32, edge: u32) -> vec2<u32> {
    let end = byte((*poly).face_link[face].x, (edge + 1u) % 3u);
    let neighbour = byte((*poly).face_link[face].y, edge % 3u);
    let vertices = (*poly).face_link[neighbour].x;
    return vec2<u32>(neighbour, select(select(2u, 1u, byte(vertices, 1u) == end), 0u, byte(vertices, 0u) == end));
}

// Deletes every face visible from a vertex and collects the horizon edges; depth-first order makes them a closed
// loop.
fn find_horizon(poly: ptr<function, Polytope>, face: u32, p: vec3r) {
    horizon_len = 0u;
    delete_face(poly, face);
    (*poly).visit_stack[0] = face;
    var stack_len = 1u;
    while stack_len > 0u {
        let visit = (*poly).visit_stack[stack_len - 1u];
        let edge_step = visit >> 16u;
        if edge_step < 2u { (*poly).visit_stack[stack_len - 1u] = visit + (1u << 16u); } else { stack_len--; }
        let next = face_neighbour(poly, visit & 255u, ((visit >> 8u) & 255u) + edge_step);
        if ((*poly).face_link[next.x].x >> 24u) == FACE_DELETED { continue; }
        if dot((*poly).face_point[next.x].xyz, p) - (*poly).face_point[next.x].w > MINVAL {
            delete_face(poly, next.x);
            (*poly).visit_stack[stack_len] = next.x | (next.y << 8u) | (1u << 16u);
            stack_len++;
        } else if horizon_len < EPA_FACES {
            (*poly).horizon[horizon_len] = next.x | (next.y << 8u);
            horizon_len++;
        }
    }
}

// Connects the newest vertex to every horizon edge. Returns false if a new face is degenerate.
fn fill_horizon(poly: ptr<function, Polytope>, min_dist2: real, max_dist2: real) -> bool {
    // Assign a slot to each new face.
    var free = 0u;
    for (var k = 0u; k < horizon_len; k++) {
        while free < face_count && ((*poly).face_link[free].x >> 24u) != FACE_DELETED { free++; }
        if free >= EPA_FACES { return false; }
        (*poly).horizon[k] |= free << 16u;
        free++;
        face_count = max(face_count, free);
    }
    for (var k = 0u; k < horizon_len; k++) {
        let own = (*poly).horizon[k] >> 16u;
        let outside = (*poly).horizon[k] & 255u;
        let edge = ((*poly).horizon[k] >> 8u) & 255u;
        let shift = 8u * edge;
        (*poly).face_link[outside].y = ((*poly).face_link[outside].y & ~(255u << shift)) | (own << shift);
        let vertices = (*poly).face_link[outside].x;
        let corners = slot | (byte(vertices, (edge + 1u) % 3u) << 8u) | (byte(vertices, edge) << 16u);
        let before = (*poly).horizon[select(k - 1u, horizon_len - 1u, k == 0u)] >> 16u;
        let after = (*poly).horizon[select(k + 1u, 0u, k + 1u == horizon_len)] >> 16u;
        let square = add_face(poly, own, corners, before | (outside << 8u) | (after << 16u));
        if square == 0.0 { return false; }
        // Faces farther away than the upper bound can never become the closest.
        if square >= min_dist2 && square <= max_dist2 { open_face(poly, own); }
    }
    return true;
}

// Starts a polytope from a segment or triangle of the simplex: requests three support points around the segment, or
// one on either side of the triangle.
fn epa_start(poly: ptr<function, Polytope>) {
    phase = SEED_VERTEX;
    seed_count = 0u;
    seed_segment = simplex_len == 2u;
    if seed_segment {
        (*poly).seed[3] = simplex_slot.y;
        (*poly).seed[4] = simplex_slot.x;
        segment_axis = s1 - s0;
        let size = abs(segment_axis);
        var e = vec3r(1.0, 0.0, 0.0);
        if size.y < size.x { e = vec3r(0.0, 1.0, 0.0); }
        if size.z < min(size.x, size.y) { e = vec3r(0.0, 0.0, 1.0); }
        direction = cross(e, segment_axis);
        segment_axis /= sqrt(dot(segment_axis, segment_axis));
        slot = 8u;
    } else {
        (*poly).seed[0] = simplex_slot.x;
        (*poly).seed[1] = simplex_slot.y;
        (*poly).seed[2] = simplex_slot.z;
        s0 = (*poly).vertex_p[simplex_slot.x];
        s1 = (*poly).vertex_p[simplex_slot.y];
        s2 = (*poly).vertex_p[simplex_slot.z];
        direction = -cross(s1 - s0, s2 - s0);
        if simplex_len != 3u || sqrt(dot(direction, direction)) < MINVAL { phase = DONE; }
        slot = 11u;
    }
    direction = unit(direction);
}

fn epa_seed_vertex(poly: ptr<function, Polytope>, p: vec3r) {
    if seed_segment {
        if seed_count == 0u { t0 = p; } else if seed_count == 1u { t1 = p; } else { t2 = p; }
        (*poly).seed[seed_count] = slot;
        // Rotation by 120° about the segment; the digits of the sine are those of the reference implementation.
        direction = unit(-0.5 * direction + segment_axis * (1.5 * dot(segment_axis, direction)) + 0.86602540378 * cross(segment_axis, direction));
    } else {
        let own = areas(s0, s1, s2, p);
        let t = own.xyz / own.w;
        let delta = s0 * t.x + s1 * t.y + s2 * t.z - p;
        if !any(t < vec3r(0.0)) && sqrt(dot(delta, delta)) < MINVAL { phase = DONE; }
        (*poly).seed[3u + seed_count] = slot;
        direction = -direction;
    }
    seed_count++;
    slot++;
    if seed_count == select(2u, 3u, seed_segment) && phase != DONE { phase = EPA_BUILD; }
}

fn same_side(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> bool {
    let n = cross(b - a, c - a);
    return same_sign(dot(n, p - a), -dot(n, a));
}

// Initial faces: of a tetrahedron, or of a double pyramid over a triangle.
fn epa_build(poly: ptr<function, Polytope>) {
    var corners = array<u32, 10>(0x020100u, 0x010300u, 0x030200u, 0x010203u,
        0x010004u, 0x000204u, 0x020104u, 0x000103u, 0x020003u, 0x010203u);
    var across = array<u32, 10>(0x020301u, 0x000302u, 0x010300u, 0x010002u,
        0x020301u, 0x000402u, 0x010500u, 0x040005u, 0x050103u, 0x030204u);
    let tetrahedron = simplex_len == 4u;
    let total = select(6u, 4u, tetrahedron);
    open_count = 0u;
    for (var k = 0u; k < total; k++) {
        let row = select(4u + k, k, tetrahedron);
        let own = corners[row];
        let a = (*poly).seed[byte(own, 0u)];
        let b = (*poly).seed[byte(own, 1u)];
        let c = (*poly).seed[byte(own, 2u)];
        if add_face(poly, k, a | (b << 8u) | (c << 16u), across[row]) < MINVAL * MINVAL {
            // The origin lies in a face: restart from that triangle.
            phase = select(DONE, EPA_START, simplex_len != 3u);
            simplex_slot = vec4<u32>(a, b, c, 0u);
            simplex_len = 3u;
            return;
        }
    }
    phase = EPA_CLOSEST;
    if tetrahedron && !(same_side(s0, s1, s2, s3) && same_side(s1, s2, s3, s0) && same_side(s2, s3, s0, s1) && same_side(s3, s0, s1, s2)) {
        phase = DONE;
    }
    if simplex_len == 2u {
        // The line through the segment's ends must pass through the triangle around it.
        let along = s1 - s0;
        let d = vec3r(det3(t0 - s0, t1 - s0, along), det3(t1 - s0, t2 - s0, along), det3(t2 - s0, t0 - s0, along));
        if !(all(d >= vec3r(0.0)) || all(d <= vec3r(0.0))) { phase = DONE; }
    }
    // Simplex vertices that are not part of the polytope must not count as duplicates.
    var used = 0u;
    for (var k = 0u; k < select(5u, 4u, tetrahedron); k++) { used |= 1u << (*poly).seed[k]; }
    for (var k = 0u; k < EPA_SEED_VERTS; k++) { if ((used >> k) & 1u) == 0u { (*poly).vertex_id[k] = vec2<u32>(NONE); } }
    face_count = total;
    for (var k = 0u; k < total; k++) { open_face(poly, k); }
    faces_created = total;
    epa_iterations = 0u;
    depth_upper = FAR;
    depth_upper2 = FAR;
    closest_face.w = -1.0;
    slot = EPA_SEED_VERTS - 1u;
}

// The closest face is a lower bound of the depth; requests the support point along its normal, which gives an upper
// bound.
fn epa_closest_face(poly: ptr<function, Polytope>) {
    phase = EPA_WITNESS;
    var least = FAR;
    current_face = NONE;
    for (var k = 0u; k < open_count; k++) {
        let square = (*poly).face_point[(*poly).open_faces[k]].w;
        if square < least { current_face = (*poly).open_faces[k]; least = square; }
    }
    if epa_iterations >= CCD_ITERATIONS || current_face == NONE || least > depth_upper2 { return; }
    epa_iterations++;
    closest_face = (*poly).face_point[current_face];
    let link = (*poly).face_link[current_face].x;
    epa_face = vec3<u32>(byte(link, 0u), byte(link, 1u), byte(link, 2u));
    if least <= 0.0 || slot + 1u >= EPA_VERTS { return; }
    depth_lower = sqrt(least);
    direction = closest_face.xyz / depth_lower;
    if depth_lower <= MINVAL { direction = vec3r(1.0, 0.0, 0.0); }
    slot++;
    phase = EPA_VERTEX;
}

// Inserts the new vertex. The expansion ends when the bounds meet, or when rounding prevents further progress.
fn epa_expand(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>, p: vec3r) {
    let discrete = is_discrete(ws);
    let support_dist = dot(closest_face.xyz, p) / depth_lower;
    if support_dist < depth_upper { depth_upper = support_dist; depth_upper2 = depth_upper * depth_upper; }
    phase = EPA_WITNESS;
    if depth_upper - depth_lower < select(f(CCD_TOLERANCE), MINVAL, discrete) { return; }
    if discrete {
        let id = vec2<u32>((*ws).geoms[0].vertex, (*ws).geoms[1].vertex);
        for (var k = 0u; k < slot; k++) { if all((*poly).vertex_id[k] == id) { return; } }
    }
    find_horizon(poly, current_face, p);
    if horizon_len < 3u { closest_face.w = -1.0; return; }
    if horizon_len + faces_created > 6u * CCD_ITERATIONS { return; }
    faces_created += horizon_len;
    if !fill_horizon(poly, closest_face.w, depth_upper2) { closest_face.w = -1.0; return; }
    if open_count > 0u { phase = EPA_CLOSEST; }
}

// Witness points and depth from the closest face; none if there is no such face.
fn epa_witness(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>) {
    phase = DONE;
    gjk_distance = 0.0;
    if closest_face.w < 0.0 { return; }
    let a = (*poly).vertex_p[epa_face.x];
    let b = (*poly).vertex_p[epa_face.y];
    let c = (*poly).vertex_p[epa_face.z];
    let own = areas(a, b, c, closest_face.xyz);
    var t = own.xyz / own.w;
    // The face is degenerate in floating point: use one of its vertices.
    if !all(abs(t) < vec3r(FAR)) { t = vec3r(1.0, 0.0, 0.0); }
    (*ws).witness_a[0] = (*poly).vertex_a[epa_face.x] * t.x + (*poly).vertex_a[epa_face.y] * t.y + (*poly).vertex_a[epa_face.z] * t.z;
    (*ws).witness_b[0] = (*ws).witness_a[0] - (a * t.x + b * t.y + c * t.z);
    witness_count = 1u;
    gjk_distance = -sqrt(closest_face.w);
}

fn set_vertex(poly: ptr<function, Polytope>, index: u32, s: SupportPoint) {
    (*poly).vertex_p[index] = s.p;
    (*poly).vertex_a[index] = s.a;
    (*poly).vertex_id[index] = s.id;
}

// Depth and witness points, after a GJK run that ended with the origin inside its simplex.
fn epa(ws: ptr<function, ConvexScratch>, max_contacts: u32) {
    var poly: Polytope;
    for (var k = 0u; k < SIMPLEX_POINTS; k++) { set_vertex(&poly, k, (*ws).simplex_point[k]); }
    var p = vec3r(0.0);
    loop {
        if phase == SEED_VERTEX { epa_seed_vertex(&poly, p); }
        if phase == EPA_START && simplex_len == 4u {
            for (var k = 0u; k < 4u; k++) { poly.seed[k] = simplex_slot[k]; }
            phase = EPA_BUILD;
        }
        if phase == EPA_BUILD { epa_build(&poly); }
        if phase == EPA_START { epa_start(&poly); }
        if phase == EPA_VERTEX { epa_expand(ws, &poly, p); }
        if phase == EPA_CLOSEST { epa_closest_face(&poly); }
        if phase == EPA_WITNESS { epa_witness(ws, &poly); }
        if phase == DONE { break; }
        let found = support(ws);
        set_vertex(&poly, slot, found);
        p = found.p;
    }
    if max_contacts > 1u && witness_count == 1u { multicontact(ws, &poly, max_contacts); }
}
