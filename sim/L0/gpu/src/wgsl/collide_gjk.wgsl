// The distance between two convex solids (Gilbert, Johnson and Keerthi), or the fact that they overlap.

// The walk has one support query in its loop, and so has the search for the depth: drivers put a function's text
// wherever it is called, and lanes in different phases share it.

// `sample`: points of the walk
const WALK_POINTS: u32 = 8u;

// the simplex: its points, where they are kept, how many count
var<private> s0: vec3r;
var<private> s1: vec3r;
var<private> s2: vec3r;
var<private> s3: vec3r;
var<private> kept: vec4<u32>;
var<private> count: u32;
var<private> weights: vec4r;
// the same for the search for an overlap
var<private> t0: vec3r;
var<private> t1: vec3r;
var<private> t2: vec3r;
var<private> t3: vec3r;
var<private> t_kept: vec4<u32>;
var<private> worst: u32;

// what is to be done next, the direction of the next support query and where its answer goes
var<private> phase: u32;
var<private> ask: vec3r;
var<private> slot: u32;
// the point of the simplex closest to the origin, rounds, whether it is told where overlaps begin
var<private> nearest: vec3r;
var<private> walked: u32;
var<private> may_overlap: bool;
// whether a plane between the solids is known
var<private> divided: bool;
var<private> cutoff: real;
// the distance found
var<private> far: real;

// phases that wait for a support query
const WALK: u32 = 0u;
const OVERLAP: u32 = 1u;
const TIPS: u32 = 2u;
const EXPAND: u32 = 3u;
// phases that do not
const CHECK: u32 = 4u;
const REDUCE: u32 = 5u;
const NEXT: u32 = 6u;
const ENDED: u32 = 7u;
const START: u32 = 8u;
const BUILD: u32 = 9u;
const GROW: u32 = 10u;
const WITNESS: u32 = 11u;
const DONE: u32 = 12u;

// a point of the difference, the point of the first solid and the corners it comes from
struct Sample { p: vec3r, a: vec3r, id: vec2<u32> }

// the farthest point of the difference in the direction asked for, half the margins included
fn support(room: ptr<function, Solids>) -> Sample {
    var at: array<vec3r, 2>;
    for (var k = 0u; k < 2u; k++) {
        let way = select(ask, -ask, k == 1u);
        at[k] = bare_support(room, k, way) + way * (0.5 * (*room).solids[k].margin);
    }
    return Sample(at[0] - at[1], at[0], vec2<u32>((*room).solids[0].vertex, (*room).solids[1].vertex));
}

fn same_sign(a: real, b: real) -> bool { return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0); }
fn det3(a: vec3r, b: vec3r, c: vec3r) -> real {
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

// weights of the ends of a segment at its point closest to the origin
fn segment_weights(a: vec3r, b: vec3r) -> vec2<real> {
    let along = b - a;
    let p = b - along * (dot(b, along) / dot(along, along));
    // measured along the axis on which the segment is longest
    var axis = 0u;
    var whole = a.x - b.x;
    if abs(a.y - b.y) >= abs(whole) { axis = 1u; whole = a.y - b.y; }
    if abs(a.z - b.z) >= abs(whole) { axis = 2u; whole = a.z - b.z; }
    let s = p[axis] - b[axis];
    let t = a[axis] - p[axis];
    if same_sign(whole, s) && same_sign(whole, t) { return vec2<real>(s / whole, t / whole); }
    return vec2<real>(0.0, 1.0);
}

// the origin projected onto the plane through three points; the last number is zero if they are on a line
fn on_plane(a: vec3r, b: vec3r, c: vec3r) -> vec4r {
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
// twice the signed areas that a point makes with the sides of a triangle, and of the triangle, all seen along the
// axis from which the triangle looks largest
fn areas(a: vec3r, b: vec3r, c: vec3r, p: vec3r) -> vec4r {
    let x = minor(a.yz, b.yz, c.yz);
    let y = minor(a.xz, b.xz, c.xz);
    let z = minor(a.xy, b.xy, c.xy);
    if abs(x) >= abs(y) && abs(x) >= abs(z) { return vec4r(area2(p.yz, b.yz, c.yz), area2(p.yz, c.yz, a.yz), area2(p.yz, a.yz, b.yz), x); }
    if abs(y) >= abs(z) { return vec4r(area2(p.xz, b.xz, c.xz), area2(p.xz, c.xz, a.xz), area2(p.xz, a.xz, b.xz), y); }
    return vec4r(area2(p.xy, b.xy, c.xy), area2(p.xy, c.xy, a.xy), area2(p.xy, a.xy, b.xy), z);
}

fn triangle_weights(a: vec3r, b: vec3r, c: vec3r) -> vec3r {
    let p = on_plane(a, b, c);
    if p.w == 0.0 { return vec3r(segment_weights(a, b), 0.0); }
    let own = areas(a, b, c, p.xyz);
    let in_a = same_sign(own.w, own.x);
    let in_b = same_sign(own.w, own.y);
    let in_c = same_sign(own.w, own.z);
    if in_a && in_b && in_c { return own.xyz / own.w; }
    var best = HUGE;
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
    // the volumes that the origin spans with each side; their sum is that of the whole
    let v = vec4r(-det3(s1, s2, s3), det3(s0, s2, s3), -det3(s0, s1, s3), det3(s0, s1, s2));
    let whole = v.x + v.y + v.z + v.w;
    let in0 = same_sign(whole, v.x);
    let in1 = same_sign(whole, v.y);
    let in2 = same_sign(whole, v.z);
    let in3 = same_sign(whole, v.w);
    if in0 && in1 && in2 && in3 { return v / whole; }
    var best = HUGE;
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
        // as in the reference engine, the weight of the fourth vertex stays
        else { weights = vec4r(t, weights.w); }
    }
    return weights;
}

// keeps the vertices that carry the closest point
fn reduce() {
    if count == 1u { weights = vec4r(segment_weights(s0, s1), 0.0, 0.0); }
    else if count == 3u { weights = tetrahedron_weights(); }
    else if count == 2u { weights = vec4r(triangle_weights(s0, s1, s2), 0.0); }
    else { weights = vec4r(1.0, 0.0, 0.0, 0.0); }
    count = u32(weights.x != 0.0) + u32(weights.y != 0.0) + u32(weights.z != 0.0) + u32(weights.w != 0.0);
    if weights.z == 0.0 { s2 = s3; kept.z = kept.w; weights = vec4r(weights.xyw, 0.0); }
    if weights.y == 0.0 { s1 = s2; s2 = s3; kept = kept.xzww; weights = vec4r(weights.xzw, 0.0); }
    if weights.x == 0.0 { s0 = s1; s1 = s2; s2 = s3; kept = kept.yzww; weights = vec4r(weights.yzw, 0.0); }
}

// height of a side's plane over the origin along its normal, after the normal; huge without a normal
fn side_height(a: vec3r, b: vec3r, c: vec3r) -> vec4r {
    let n = cross(c - a, b - a);
    let square = dot(n, n);
    if square > MINVAL * MINVAL {
        let m = n / sqrt(square);
        return vec4r(m, dot(m, a));
    }
    return vec4r(n, HUGE);
}

fn bits(ids: vec4<u32>) -> u32 { return (1u << ids.x) | (1u << ids.y) | (1u << ids.z) | (1u << ids.w); }

// a place for a point, apart from those in use
fn free_slot(used: u32) -> u32 { return firstTrailingBit(~used); }

// whether a tetrahedron holds the origin, or which of its vertices to move
fn check_overlap() {
    let h0 = side_height(t2, t1, t3);
    let h1 = side_height(t0, t2, t3);
    let h2 = side_height(t1, t0, t3);
    let h3 = side_height(t0, t1, t2);
    // the origin in the plane of a side: the sign says nothing
    if walked >= CCD_ITERATIONS || h0.w == 0.0 || h1.w == 0.0 || h2.w == 0.0 || h3.w == 0.0 {
        may_overlap = false;
        phase = REDUCE;
        return;
    }
    worst = select(1u, 0u, h0.w < h1.w);
    var side = select(h1, h0, h0.w < h1.w);
    let other = select(h3, h2, h2.w < h3.w);
    if !(side.w < other.w) { worst = select(3u, 2u, h2.w < h3.w); side = other; }
    if side.w > 0.0 {
        s0 = t0; s1 = t1; s2 = t2; s3 = t3;
        kept = t_kept;
        count = 4u;
        far = 0.0;
        phase = START;
        return;
    }
    ask = side.xyz;
    var rest = t_kept;
    rest[worst] = rest[(worst + 1u) & 3u];
    slot = free_slot(bits(kept) | bits(rest));
    phase = OVERLAP;
}

// puts the new vertex into the tetrahedron: on the other side of its side, so two others change places
fn move_vertex(p: vec3r) {
    if dot(ask, p) < 0.0 {
        // they are apart; the walk tells how far
        divided = true;
        apart = -dot(ask, p);
        may_overlap = false;
        phase = select(REDUCE, DONE, 2.0 * apart >= sqrt(dot(nearest, nearest)));
        return;
    }
    t_kept[worst] = slot;
    if worst == 0u { t0 = t2; t2 = t1; t1 = t0; t0 = p; t_kept = t_kept.xzyw; }
    else if worst == 1u { t1 = t3; t3 = t2; t2 = t1; t1 = p; t_kept = t_kept.xywz; }
    else if worst == 2u { t2 = t3; t3 = t0; t0 = t2; t2 = p; t_kept = t_kept.wyzx; }
    else { t3 = t1; t1 = t0; t0 = t3; t3 = p; t_kept = t_kept.yxzw; }
    walked++;
    phase = CHECK;
}

// the walk has a new vertex: whether it ends, or the solids are apart
fn walk(room: ptr<function, Solids>, p: vec3r) {
    let tolerance = f(CCD_TOLERANCE);
    if count == 0u { s0 = p; kept.x = slot; } else if count == 1u { s1 = p; kept.y = slot; }
    else if count == 2u { s2 = p; kept.z = slot; } else { s3 = p; kept.w = slot; }
    if dot(nearest, nearest - p) < select(0.5 * tolerance * tolerance, real(0.0), is_discrete(room)) {
        if walked == 0u { count = 1u; }
        phase = ENDED;
        return;
    }
    // a plane between the difference and the origin: no contact, or one too far away. The walk goes on until the plane
    // is at least half as far as the solids can be: the pair is left alone for longer then
    let length = sqrt(dot(nearest, nearest));
    let reach = max(cutoff, real(0.0));
    let ahead = dot(nearest, p) / length - reach;
    if ahead > 0.0 {
        apart = max(apart, ahead);
        if ahead >= 0.5 * (length - reach) { far = HUGE; phase = DONE; return; }
    }
    phase = REDUCE;
    // whether a tetrahedron can hold the origin is cheaper to learn than the distance
    if count == 3u && may_overlap {
        t0 = s0; t1 = s1; t2 = s2; t3 = s3;
        t_kept = kept;
        phase = CHECK;
    }
}

fn reduce_and_go_on() {
    reduce();
    if count == 0u { far = HUGE; phase = DONE; return; }
    let next = s0 * weights.x + s1 * weights.y + s2 * weights.z + s3 * weights.w;
    phase = NEXT;
    if all(abs(next - nearest) < vec3r(MINVAL)) { phase = ENDED; return; }
    nearest = next;
    if count == 4u { far = 0.0; phase = ENDED; return; }
    walked++;
}

// asks for the next vertex of the walk
fn next_vertex(room: ptr<function, Solids>) {
    phase = ENDED;
    if walked >= CCD_ITERATIONS { return; }
    let tolerance = f(CCD_TOLERANCE);
    far = dot(nearest, nearest);
    if far < select(max(tolerance * tolerance, MINVAL * MINVAL), MINVAL * MINVAL, is_discrete(room)) { return; }
    far = sqrt(far);
    ask = -(nearest * (1.0 / far));
    var used = 0u;
    for (var k = 0u; k < count; k++) { used |= 1u << kept[k]; }
    slot = free_slot(used);
    phase = WALK;
}

// the points of the solids at which the walk ended
fn walk_points(room: ptr<function, Solids>) {
    if count == 0u { return; }
    (*room).witness_a[0] = vec3r(0.0);
    var p = vec3r(0.0);
    for (var k = 0u; k < count; k++) { (*room).witness_a[0] += (*room).sample[kept[k]].a * weights[k]; p += (*room).sample[kept[k]].p * weights[k]; }
    (*room).witness_b[0] = (*room).witness_a[0] - p;
}
