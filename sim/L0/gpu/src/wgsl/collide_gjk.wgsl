// The distance between two convex solids (Gilbert, Johnson and Keerthi), or the fact that they overlap.

var<private> simplex: array<Vertex, 4>;
var<private> simplex_count: u32;
// what the walk found: the distance, zero when the solids overlap; the closest points, if they were computed
var<private> gjk_dist: real;
var<private> gjk_a: vec3r;
var<private> gjk_b: vec3r;
var<private> gjk_points: bool;

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
    let s0 = simplex[0].p;
    let s1 = simplex[1].p;
    let s2 = simplex[2].p;
    let s3 = simplex[3].p;
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

// keeps the vertices that carry the closest point; their weights
fn reduce() -> vec4r {
    var weights = vec4r(1.0, 0.0, 0.0, 0.0);
    switch simplex_count {
        case 1u: { weights = vec4r(segment_weights(simplex[0].p, simplex[1].p), 0.0, 0.0); }
        case 2u: { weights = vec4r(triangle_weights(simplex[0].p, simplex[1].p, simplex[2].p), 0.0); }
        case 3u: { weights = tetrahedron_weights(); }
        default: {}
    }
    var kept = 0u;
    for (var i = 0u; i < 4u; i++) {
        if weights[i] == 0.0 { continue; }
        if kept != i { simplex[kept] = simplex[i]; weights[kept] = weights[i]; }
        kept++;
    }
    simplex_count = kept;
    return weights;
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

const OVERLAP_NO: u32 = 0u;
const OVERLAP_YES: u32 = 1u;
const OVERLAP_UNCLEAR: u32 = 2u;

// moves a tetrahedron toward the origin, one vertex at a time, until it holds it; the rounds left after the state
fn overlaps(round: u32) -> vec2<u32> {
    var s = simplex;
    var k = round;
    while k < CCD_ITERATIONS {
        let h0 = side_height(s[2].p, s[1].p, s[3].p);
        let h1 = side_height(s[0].p, s[2].p, s[3].p);
        let h2 = side_height(s[1].p, s[0].p, s[3].p);
        let h3 = side_height(s[0].p, s[1].p, s[2].p);
        // the origin in the plane of a side: the sign says nothing
        if h0.w == 0.0 || h1.w == 0.0 || h2.w == 0.0 || h3.w == 0.0 { return vec2<u32>(OVERLAP_UNCLEAR, k); }
        var worst = select(1u, 0u, h0.w < h1.w);
        var side = select(h1, h0, h0.w < h1.w);
        let other = select(h3, h2, h2.w < h3.w);
        if !(side.w < other.w) { worst = select(3u, 2u, h2.w < h3.w); side = other; }
        if side.w > 0.0 {
            simplex = s;
            return vec2<u32>(OVERLAP_YES, k);
        }
        let tip = support(side.xyz);
        s[worst] = tip;
        if dot(side.xyz, tip.p) < 0.0 { return vec2<u32>(OVERLAP_NO, k); }
        // the new vertex lies on the other side of its side: two others change places
        let i = (worst + 1u) & 3u;
        let j = (worst + 2u) & 3u;
        let swapped = s[i];
        s[i] = s[j];
        s[j] = swapped;
        k++;
    }
    return vec2<u32>(OVERLAP_UNCLEAR, k);
}

fn set_apart() {
    simplex_count = 0u;
    gjk_dist = HUGE;
    gjk_points = false;
}

// the closest points, or that the solids overlap; a cutoff of zero asks for overlaps only
fn gjk(start_a: vec3r, start_b: vec3r, cutoff: real) {
    let wants_distance = cutoff > 0.0;
    var may_overlap = !wants_distance;
    let tolerance = f(CCD_TOLERANCE);
    let discrete = is_discrete();
    let gap = select(0.5 * tolerance * tolerance, real(0.0), discrete);
    let touching = select(max(tolerance * tolerance, MINVAL * MINVAL), MINVAL * MINVAL, discrete);
    var weights = vec4r(1.0, 0.0, 0.0, 0.0);
    simplex_count = 0u;
    gjk_a = start_a;
    gjk_b = start_b;
    var x = gjk_a - gjk_b;
    var length = real(0.0);
    var k = 0u;
    while k < CCD_ITERATIONS {
        length = dot(x, x);
        if length < touching { break; }
        length = sqrt(length);
        let s = support(-(x * (1.0 / length)));
        simplex[simplex_count] = s;
        if dot(x, x - s.p) < gap {
            if k == 0u { simplex_count = 1u; }
            break;
        }
        // a plane between the difference and the origin: no contact, or one too far away
        let ahead = dot(x, s.p);
        if ahead > 0.0 && (!wants_distance || ahead * ahead / dot(x, x) >= cutoff * cutoff) {
            set_apart();
            return;
        }
        // whether a tetrahedron can hold the origin is cheaper to learn than the distance
        if simplex_count == 3u && may_overlap {
            let state = overlaps(k);
            k = state.y;
            if state.x == OVERLAP_NO { set_apart(); return; }
            if state.x == OVERLAP_YES {
                simplex_count = 4u;
                gjk_dist = 0.0;
                gjk_points = false;
                return;
            }
            may_overlap = false;
        }
        weights = reduce();
        if simplex_count == 0u { set_apart(); return; }
        var next = simplex[0].p * weights.x;
        for (var i = 1u; i < simplex_count; i++) { next += simplex[i].p * weights[i]; }
        if all(abs(next - x) < vec3r(MINVAL)) { break; }
        x = next;
        if simplex_count == 4u { length = 0.0; break; }
        k++;
    }
    if simplex_count > 0u {
        gjk_a = simplex[0].a * weights.x;
        gjk_b = simplex[0].b * weights.x;
        for (var i = 1u; i < simplex_count; i++) {
            gjk_a += simplex[i].a * weights[i];
            gjk_b += simplex[i].b * weights[i];
        }
    }
    gjk_dist = length;
    gjk_points = true;
}
