// Distance of two convex geoms by the Gilbert–Johnson–Keerthi algorithm (GJK), or detection of overlap.

// The search is a state machine with a single support query in its loop, and so is EPA: drivers inline a function at
// every call site, and lanes in different phases share one call.

// `simplex_point`: support points found by the search.
const SIMPLEX_POINTS: u32 = 8u;

// The simplex: its vertices, their slots in `simplex_point`, their number, and the barycentric weights of the
// closest point.
var<private> s0: vec3r;
var<private> s1: vec3r;
var<private> s2: vec3r;
var<private> s3: vec3r;
var<private> simplex_slot: vec4<u32>;
var<private> simplex_len: u32;
var<private> weights: vec4r;
// The tetrahedron of the origin-inclusion test, its slots, and the vertex to replace.
var<private> t0: vec3r;
var<private> t1: vec3r;
var<private> t2: vec3r;
var<private> t3: vec3r;
var<private> tet_slot: vec4<u32>;
var<private> replaced: u32;

// State of the search, direction of the next support query and the slot for its result.
var<private> phase: u32;
var<private> direction: vec3r;
var<private> slot: u32;
// Point of the simplex closest to the origin, number of iterations, and whether the origin-inclusion test may run.
var<private> closest: vec3r;
var<private> gjk_iterations: u32;
var<private> test_origin: bool;
// Whether a separating plane is known.
var<private> separated: bool;
var<private> cutoff: real;
// Signed distance found.
var<private> gjk_distance: real;

// Phases that wait for a support point.
const GJK_VERTEX: u32 = 0u;
const ORIGIN_VERTEX: u32 = 1u;
const SEED_VERTEX: u32 = 2u;
const EPA_VERTEX: u32 = 3u;
// Phases that do not.
const ORIGIN_TEST: u32 = 4u;
const GJK_REDUCE: u32 = 5u;
const GJK_NEXT: u32 = 6u;
const GJK_CONVERGED: u32 = 7u;
const EPA_START: u32 = 8u;
const EPA_BUILD: u32 = 9u;
const EPA_CLOSEST: u32 = 10u;
const EPA_WITNESS: u32 = 11u;
const DONE: u32 = 12u;

// A point of the Minkowski difference, the support point of the first geom and the support vertices of both.
struct SupportPoint { p: vec3r, a: vec3r, id: vec2<u32> }

// Support point of the Minkowski difference in direction `direction`; half of each geom's margin is included.
fn support(ws: ptr<function, ConvexScratch>) -> SupportPoint {
    var at: array<vec3r, 2>;
    for (var k = 0u; k < 2u; k++) {
        let dir = select(direction, -direction, k == 1u);
        at[k] = geom_support(ws, k, dir) + dir * (0.5 * (*ws).geoms[k].margin);
    }
    return SupportPoint(at[0] - at[1], at[0], vec2<u32>((*ws).geoms[0].vertex, (*ws).geoms[1].vertex));
}

fn same_sign(a: real, b: real) -> bool { return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0); }
fn det3(a: vec3r, b: vec3r, c: vec3r) -> real {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

// Barycentric weights of a segment's point closest to the origin.
fn segment_weights(a: vec3r, b: vec3r) -> vec2<real> {
    let along = b - a;
    let p = b - along * (dot(b, along) / dot(along, along));
    // Computed along the axis on which the segment is longest.
    var axis = 0u;
    var whole = a.x - b.x;
    if abs(a.y - b.y) >= abs(whole) { axis = 1u; whole = a.y - b.y; }
    if abs(a.z - b.z) >= abs(whole) { axis = 2u; whole = a.z - b.z; }
    let s = p[axis] - b[axis];
    let t = a[axis] - p[axis];
    if same_sign(whole, s) && same_sign(whole, t) { return vec2<real>(s / whole, t / whole); }
    return vec2<real>(0.0, 1.0);
}

// Projection of the origin onto the plane of three points; w is zero if they are collinear.
fn project_origin(a: vec3r, b: vec3r, c: vec3r) -> vec4r {
    let ab = b - a;
    let bc = c - b;
    var n = cross(bc, ab);
    var offset = dot(n, b);
    var square = dot(n, n);
    if square == 0.0 { return vec4r(0.0); }
    if offset != 0.0 && square > MINVAL { return vec4r(n * (offset / square), 1.0); }
    let ac = c - a;
    n = cross(ab, ac);
    offset = dot(n, a);
    square = dot(n, n);
    if square == 0.0 { return vec4r(0.0); }
    if offset != 0.0 && square > MINVAL { return vec4r(n * (offset / square), 1.0); }
    n = cross(ac, bc);
    return vec4r(n * (dot(n, c) / dot(n, n)), 1.0);
}

fn area2(p: vec2<real>, q: vec2<real>, r: vec2<real>) -> real {
    return p.x * q.y + p.y * r.x + q.x * r.y - p.x * r.y - p.y * q.x - r.x * q.y;
}
fn minor(a: vec2<real>, b: vec2<real>, c: vec2<real>) -> real {
    return b.x * c.y - b.y * c.x - a.x * c.y + a.y * c.x + a.x * b.y - a.y * b.x;
}
// Twice the signed areas of the triangles that a point forms with the sides of a triangle, and of the triangle
// itself, projected along the axis with the largest projected area.
fn areas(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> vec4r {
    let x = minor(a.yz, b.yz, c.yz);
    let y = minor(a.xz, b.xz, c.xz);
    let z = minor(a.xy, b.xy, c.xy);
    if abs(x) >= abs(y) && abs(x) >= abs(z) { return vec4r(area2(p.yz, b.yz, c.yz), area2(p.yz, c.yz, a.yz), area2(p.yz, a.yz, b.yz), x); }
    if abs(y) >= abs(z) { return vec4r(area2(p.xz, b.xz, c.xz), area2(p.xz, c.xz, a.xz), area2(p.xz, a.xz, b.xz), y); }
    return vec4r(area2(p.xy, b.xy, c.xy), area2(p.xy, c.xy, a.xy), area2(p.xy, a.xy, b.xy), z);
}

fn triangle_weights(a: vec3r, b: vec3r, c: vec3r) -> vec3r {
    let p = project_origin(a, b, c);
    if p.w == 0.0 { return vec3r(segment_weights(a, b), 0.0); }
    let own = areas(a, b, c, p.xyz);
    let in_a = same_sign(own.w, own.x);
    let in_b = same_sign(own.w, own.y);
    let in_c = same_sign(own.w, own.z);
    if in_a && in_b && in_c { return own.xyz / own.w; }
    var best = FAR;
    var weights = vec3r(0.0);
    if !in_a {
        let w2 = segment_weights(b, c);
        let q = b * w2.x + c * w2.y;
        best = dot(q, q);
        weights = vec3r(0.0, w2);
    }
    if !in_b {
        let w2 = segment_weights(a, c);
        let q = a * w2.x + c * w2.y;
        if dot(q, q) < best { best = dot(q, q); weights = vec3r(w2.x, 0.0, w2.y); }
    }
    if !in_c {
        let w2 = segment_weights(a, b);
        let q = a * w2.x + b * w2.y;
        if dot(q, q) < best { weights = vec3r(w2, 0.0); }
    }
    return weights;
}

fn tetrahedron_weights() -> vec4r {
    // Signed volumes of the tetrahedra that the origin forms with each side; their sum is the volume of the whole.
    let v = vec4r(-det3(s1, s2, s3), det3(s0, s2, s3), -det3(s0, s1, s3), det3(s0, s1, s2));
    let whole = v.x + v.y + v.z + v.w;
    let in0 = same_sign(whole, v.x);
    let in1 = same_sign(whole, v.y);
    let in2 = same_sign(whole, v.z);
    let in3 = same_sign(whole, v.w);
    if in0 && in1 && in2 && in3 { return v / whole; }
    var best = FAR;
    var weights = vec4r(0.0);
    for (var k = 0u; k < 4u; k++) {
        if (k == 0u && in0) || (k == 1u && in1) || (k == 2u && in2) || (k == 3u && in3) { continue; }
        let a = select(s0, s1, k == 0u);
        let b = select(s1, s2, k < 2u);
        let c = select(s3, s2, k == 3u);
        let t = triangle_weights(a, b, c);
        let q = a * t.x + b * t.y + c * t.z;
        if k != 0u && !(dot(q, q) < best) { continue; }
        best = dot(q, q);
        if k == 0u { weights = vec4r(0.0, t); }
        else if k == 1u { weights = vec4r(t.x, 0.0, t.yz); }
        else if k == 2u { weights = vec4r(t.xy, 0.0, t.z); }
        // As in the reference implementation, the weight of the fourth vertex stays.
        else { weights = vec4r(t, weights.w); }
    }
    return weights;
}

// Keeps the vertices with nonzero barycentric weight.
fn reduce_simplex() {
    if simplex_len == 1u { weights = vec4r(segment_weights(s0, s1), 0.0, 0.0); }
    else if simplex_len == 3u { weights = tetrahedron_weights(); }
    else if simplex_len == 2u { weights = vec4r(triangle_weights(s0, s1, s2), 0.0); }
    else { weights = vec4r(1.0, 0.0, 0.0, 0.0); }
    simplex_len = u32(weights.x != 0.0) + u32(weights.y != 0.0) + u32(weights.z != 0.0) + u32(weights.w != 0.0);
    if weights.z == 0.0 { s2 = s3; simplex_slot.z = simplex_slot.w; weights = vec4r(weights.xyw, 0.0); }
    if weights.y == 0.0 { s1 = s2; s2 = s3; simplex_slot = simplex_slot.xzww; weights = vec4r(weights.xzw, 0.0); }
    if weights.x == 0.0 { s0 = s1; s1 = s2; s2 = s3; simplex_slot = simplex_slot.yzww; weights = vec4r(weights.yzw, 0.0); }
}

// Unit normal of a side and its signed distance from the origin; FAR if the side is degenerate.
fn side_plane(a: vec3r, b: vec3r, c: vec3r) -> vec4r {
    let n = cross(c - a, b - a);
    let square = dot(n, n);
    if square > MINVAL * MINVAL {
        let m = n / sqrt(square);
        return vec4r(m, dot(m, a));
    }
    return vec4r(n, FAR);
}

fn slot_bits(ids: vec4<u32>) -> u32 { return (1u << ids.x) | (1u << ids.y) | (1u << ids.z) | (1u << ids.w); }

// A slot that is not in use.
fn free_slot(used: u32) -> u32 { return firstTrailingBit(~used); }

// Tests whether the tetrahedron contains the origin, and otherwise selects the vertex to replace.
fn test_tetrahedron() {
    let h0 = side_plane(t2, t1, t3);
    let h1 = side_plane(t0, t2, t3);
    let h2 = side_plane(t1, t0, t3);
    let h3 = side_plane(t0, t1, t2);
    // The origin lies in the plane of a side: the sign is not reliable.
    if gjk_iterations >= CCD_ITERATIONS || h0.w == 0.0 || h1.w == 0.0 || h2.w == 0.0 || h3.w == 0.0 {
        test_origin = false;
        phase = GJK_REDUCE;
        return;
    }
    replaced = select(1u, 0u, h0.w < h1.w);
    var side = select(h1, h0, h0.w < h1.w);
    let other = select(h3, h2, h2.w < h3.w);
    if !(side.w < other.w) { replaced = select(3u, 2u, h2.w < h3.w); side = other; }
    if side.w > 0.0 {
        s0 = t0; s1 = t1; s2 = t2; s3 = t3;
        simplex_slot = tet_slot;
        simplex_len = 4u;
        gjk_distance = 0.0;
        phase = EPA_START;
        return;
    }
    direction = side.xyz;
    var rest = tet_slot;
    rest[replaced] = rest[(replaced + 1u) & 3u];
    slot = free_slot(slot_bits(simplex_slot) | slot_bits(rest));
    phase = ORIGIN_VERTEX;
}

// Stores a distance bound along the direction of the last support query.
fn set_separation(ws: ptr<function, ConvexScratch>, distance: real) {
    pair_separation = distance;
    pair_axis = direction;
    pair_vertices = vec2<u32>((*ws).geoms[0].vertex, (*ws).geoms[1].vertex);
}

// Replaces a vertex of the tetrahedron by the new support point; two others are swapped to keep the orientation.
fn replace_tetrahedron_vertex(ws: ptr<function, ConvexScratch>, p: vec3r) {
    if dot(direction, p) < 0.0 {
        // Separated; the GJK iteration continues to compute the distance.
        separated = true;
        set_separation(ws, -dot(direction, p));
        test_origin = false;
        phase = select(GJK_REDUCE, DONE, 2.0 * pair_separation >= sqrt(dot(closest, closest)));
        return;
    }
    tet_slot[replaced] = slot;
    if replaced == 0u { t0 = t2; t2 = t1; t1 = t0; t0 = p; tet_slot = tet_slot.xzyw; }
    else if replaced == 1u { t1 = t3; t3 = t2; t2 = t1; t1 = p; tet_slot = tet_slot.xywz; }
    else if replaced == 2u { t2 = t3; t3 = t0; t0 = t2; t2 = p; tet_slot = tet_slot.wyzx; }
    else { t3 = t1; t1 = t0; t0 = t3; t3 = p; tet_slot = tet_slot.yxzw; }
    gjk_iterations++;
    phase = ORIGIN_TEST;
}

// Adds a vertex to the simplex; detects convergence and separation.
fn gjk_add_vertex(ws: ptr<function, ConvexScratch>, p: vec3r) {
    let tolerance = f(CCD_TOLERANCE);
    if simplex_len == 0u { s0 = p; simplex_slot.x = slot; } else if simplex_len == 1u { s1 = p; simplex_slot.y = slot; }
    else if simplex_len == 2u { s2 = p; simplex_slot.z = slot; } else { s3 = p; simplex_slot.w = slot; }
    if dot(closest, closest - p) < select(0.5 * tolerance * tolerance, real(0.0), is_discrete(ws)) {
        if gjk_iterations == 0u { simplex_len = 1u; }
        phase = GJK_CONVERGED;
        return;
    }
    // A separating plane was found: there is no contact, or it is beyond the cutoff. The iteration continues until
    // the plane's distance is at least half of the distance of the geoms, because a larger separation bound lets the
    // pair be skipped for longer.
    let length = sqrt(dot(closest, closest));
    let core_radius = max(cutoff, real(0.0));
    let plane_dist = dot(closest, p) / length - core_radius;
    if plane_dist > 0.0 {
        if plane_dist > pair_separation { set_separation(ws, plane_dist); }
        if plane_dist >= 0.5 * (length - core_radius) { gjk_distance = FAR; phase = DONE; return; }
    }
    phase = GJK_REDUCE;
    // The origin-inclusion test is cheaper than the distance.
    if simplex_len == 3u && test_origin {
        t0 = s0; t1 = s1; t2 = s2; t3 = s3;
        tet_slot = simplex_slot;
        phase = ORIGIN_TEST;
    }
}

fn gjk_reduce() {
    reduce_simplex();
    if simplex_len == 0u { gjk_distance = FAR; phase = DONE; return; }
    let next = s0 * weights.x + s1 * weights.y + s2 * weights.z + s3 * weights.w;
    phase = GJK_NEXT;
    if all(abs(next - closest) < vec3r(MINVAL)) { phase = GJK_CONVERGED; return; }
    closest = next;
    if simplex_len == 4u { gjk_distance = 0.0; phase = GJK_CONVERGED; return; }
    gjk_iterations++;
}

// Requests the next support point.
fn gjk_next(ws: ptr<function, ConvexScratch>) {
    phase = GJK_CONVERGED;
    if gjk_iterations >= CCD_ITERATIONS { return; }
    let tolerance = f(CCD_TOLERANCE);
    gjk_distance = dot(closest, closest);
    if gjk_distance < select(max(tolerance * tolerance, MINVAL * MINVAL), MINVAL * MINVAL, is_discrete(ws)) { return; }
    gjk_distance = sqrt(gjk_distance);
    direction = -(closest * (1.0 / gjk_distance));
    var used = 0u;
    for (var k = 0u; k < simplex_len; k++) { used |= 1u << simplex_slot[k]; }
    slot = free_slot(used);
    phase = GJK_VERTEX;
}

// Witness points of the closest point of the simplex.
fn gjk_witness(ws: ptr<function, ConvexScratch>) {
    if simplex_len == 0u { return; }
    (*ws).witness_a[0] = vec3r(0.0);
    var p = vec3r(0.0);
    for (var k = 0u; k < simplex_len; k++) { (*ws).witness_a[0] += (*ws).simplex_point[simplex_slot[k]].a * weights[k]; p += (*ws).simplex_point[simplex_slot[k]].p * weights[k]; }
    (*ws).witness_b[0] = (*ws).witness_a[0] - p;
}
