// Signed distance fields (mjc_distance, mjc_gradient): primitives, octrees of meshes and the closed forms of plugins. A field
// is evaluated with its gradient, as the vector (gradient, distance). model/signed_distance.rs declares the codes FIELD_*.

// Distance of a geom without a field, m.
const NO_FIELD: real = 1e10;


// Arithmetic of values with their gradients.
fn d_const(x: real) -> vec4r { return vec4r(0.0, 0.0, 0.0, x); }
fn d_sub(a: vec4r, x: real) -> vec4r { return vec4r(a.xyz, a.w - x); }
fn d_mul(a: vec4r, b: vec4r) -> vec4r { return vec4r(a.xyz * b.w + b.xyz * a.w, a.w * b.w); }
fn d_min(a: vec4r, b: vec4r) -> vec4r { if a.w < b.w { return a; } return b; }
fn d_max(a: vec4r, b: vec4r) -> vec4r { if a.w > b.w { return a; } return b; }
fn d_abs(a: vec4r) -> vec4r { return select(a, -a, a.w < 0.0); }
// Square root of a² + b².
fn d_hypot(a: vec4r, b: vec4r) -> vec4r {
    let r = sqrt(a.w * a.w + b.w * b.w);
    return vec4r((a.xyz * a.w + b.xyz * b.w) / max(r, MINVAL), r);
}
// Distance from the z axis.
fn d_radial(p: vec3r) -> vec4r {
    let r = sqrt(p.x * p.x + p.y * p.y);
    return vec4r(p.x / max(r, MINVAL), p.y / max(r, MINVAL), 0.0, r);
}
// Angle around the z axis.
fn d_angle(p: vec3r) -> vec4r {
    let square = max(p.x * p.x + p.y * p.y, MINVAL * MINVAL);
    return vec4r(-p.y / square, p.x / square, 0.0, atan2_(p.y, p.x));
}
fn d_z(p: vec3r) -> vec4r { return vec4r(0.0, 0.0, 1.0, p.z); }
// Points of the first shape outside the second.
fn d_subtraction(a: vec4r, b: vec4r) -> vec4r { return d_max(a, -b); }

fn torus_field(at: u32, p: vec3r) -> vec4r {
    return d_sub(d_hypot(d_sub(d_radial(p), tf[at]), d_z(p)), tf[at + 1u]);
}

fn bowl_field(at: u32, p: vec3r) -> vec4r {
    let height = tf[at];
    let width = tf[at + 3u];
    let rho = d_radial(p);
    if height * rho.w < width * p.z {
        return d_sub(d_hypot(d_sub(rho, width), d_sub(d_z(p), height)), tf[at + 2u]);
    }
    return d_sub(d_abs(d_sub(d_hypot(rho, d_z(p)), tf[at + 1u])), tf[at + 2u]);
}

// Remainder of a division, with the sign of the divisor.
fn d_modulo(x: vec4r, y: real) -> vec4r { return d_sub(x, y * floor(x.w / y)); }
// Union with an edge that is rounded over the length `k`.
fn d_smooth_union(a: vec4r, b: vec4r, k: real) -> vec4r {
    let h = d_min(d_max((b - a) * (0.5 / k) + d_const(0.5), d_const(0.0)), d_const(1.0));
    let rest = d_const(1.0) - h;
    return d_mul(b, rest) + d_mul(a, h) - k * d_mul(h, rest);
}

fn gear_profile(at: u32, p: vec3r) -> vec4r {
    let diameter = tf[at + 1u];
    let inner = tf[at + 3u];
    let base = tf[at + 4u];
    let outer = tf[at + 5u];
    let stride = tf[at + 7u];
    let shift = tf[at + 8u];
    let rho = d_radial(p);
    if inner - rho.w > 0.0 { return d_const(inner) - rho; }
    if outer - rho.w < -0.2 { return d_sub(rho, outer); }
    let angle = d_angle(p) + d_const(tf[at]);
    // Angles from both flanks of the tooth.
    let one = d_sub(d_modulo(angle + d_const(0.5 * shift), stride), 0.5 * shift);
    let two = d_sub(d_modulo(d_const(-0.5 * shift) - angle, stride), 0.5 * shift);
    var flanks = d_const(-1e6);
    if base < rho.w {
        let ratio = base / rho.w;
        let tangent = sqrt(rho.w * rho.w - base * base);
        // acos(base / rho), whose derivative is base / (rho tangent)
        let unwound = vec4r(rho.xyz * (ratio / max(tangent, MINVAL)), atan2_(tangent, base));
        let length = vec4r(rho.xyz * (rho.w / max(tangent, MINVAL)), tangent);
        flanks = d_max(length - base * (one + unwound), length - base * (two + unwound));
    }
    let walls = d_max(d_sub(one, stride - shift), d_sub(two, stride - shift));
    let a = d_sub(rho, outer);
    let b = d_max(walls, flanks);
    let rounded = d_smooth_union(d_subtraction(a, b), d_subtraction(b, a), 0.0035 * diameter);
    let tooth = d_subtraction(d_max(a, b), rounded);
    let depth = tf[at + 6u];
    let wheel = d_smooth_union(d_sub(rho, outer - depth), tooth, base - outer + depth);
    return d_subtraction(wheel, d_sub(rho, inner));
}

fn gear_field(at: u32, p: vec3r) -> vec4r {
    let a = gear_profile(at, p);
    let b = d_sub(d_abs(d_z(p)), 0.5 * tf[at + 2u]);
    let zero = d_const(0.0);
    return d_min(d_max(a, b), zero) + d_hypot(d_max(a, zero), d_max(b, zero));
}

// √2 / 2, which makes a distance along a 45° slope normal to it.
const SLOPE: real = 0.70710678118654752440;
// Turns of a thread per metre.
const THREAD_TURNS: real = 12.0;

// Distance to the thread of a screw; `outside` is the distance from its cylinder.
fn thread_field(p: vec3r, outside: vec4r) -> vec4r {
    let turn = d_z(p) * THREAD_TURNS - d_angle(p) * (0.5 / PI);
    let wave = d_abs(d_sub(turn, floor(turn.w) + 0.5));
    return (outside - wave * (1.0 / THREAD_TURNS)) * SLOPE;
}

// A hexagonal prism of half a metre with a conical chamfer.
fn hexagon_field(p: vec3r, outside: vec4r) -> vec4r {
    let per_side = 3.0 / PI;
    let sc = sincos(-floor(atan2_(p.y, p.x) * per_side + 0.5) / per_side);
    let side = vec4r(sc.y, -sc.x, 0.0, sc.y * p.x - sc.x * p.y - 0.5);
    let ends = d_sub(d_abs(d_sub(d_z(p), -0.25)), 0.25);
    return d_max(d_max(side, ends), d_sub(d_z(p) + outside, 0.22) * SLOPE);
}

fn screw_field(is_nut: bool, at: u32, p: vec3r) -> vec4r {
    let outside = d_sub(d_radial(p), tf[at]);
    let thread = thread_field(p, outside);
    let head = hexagon_field(p, outside);
    let cone = (d_z(p) - outside) * SLOPE;
    if is_nut {
        let hole = d_min(d_subtraction(thread, d_sub(cone, -0.5 * SLOPE)), d_sub(-cone, 0.05 * SLOPE));
        return d_subtraction(head, hole);
    }
    let cut = d_subtraction(thread, d_const(0.5) - d_abs(d_sub(d_z(p), -0.5)));
    return d_min(d_subtraction(cut, d_sub(cone, -SLOPE)), head);
}

// Distance inside the root cell of an octree to which outside points are projected, m.
const OCTREE_INSET: real = 1e-6;
// Limit on the depth of the search for a leaf.
const OCTREE_DEPTH: u32 = 100u;

fn tf3(at: u32) -> vec3r { return vec3r(tf[at], tf[at + 1u], tf[at + 2u]); }

// Trilinear interpolation in the leaf of an octree. Inside the root cell the gradient is the derivative with respect to
// the normalised coordinates of the leaf, as in MuJoCo: its length depends on the size of the leaf.
fn octree_field(record: u32, p: vec3r) -> vec4r {
    let cells = ti[record];
    let offset = p - tf3(cells);
    let excess = abs(offset) - tf3(cells + 3u);
    let outside = any(excess > vec3r(0.0));
    let beyond = excess >= vec3r(0.0);
    var inside = p;
    if outside { inside -= select(vec3r(0.0), (excess + OCTREE_INSET) * select(vec3r(-1.0), vec3r(1.0), offset > vec3r(0.0)), beyond); }
    var at = cells;
    var child = 0u;
    for (var depth = 0u; depth < OCTREE_DEPTH; depth++) {
        let centre = tf3(at);
        let corner = u32(!(inside.x < centre.x)) | u32(!(inside.y < centre.y)) << 1u | u32(!(inside.z < centre.z)) << 2u;
        child = ti[record + 2u + 8u * child + corner];
        if child >= ti[record + 1u] { break; }
        at = cells + 14u * child;
    }
    let size = 2.0 * tf3(at + 3u);
    let x = (inside - tf3(at) + 0.5 * size) / size;
    var sum = vec4r(0.0);
    for (var j = 0u; j < 8u; j++) {
        let upper = vec3<bool>((j & 1u) != 0u, (j & 2u) != 0u, (j & 4u) != 0u);
        let weight = select(1.0 - x, x, upper);
        let slope = select(vec3r(-1.0), vec3r(1.0), upper);
        let terms = vec4r(slope.x * weight.y * weight.z, weight.x * slope.y * weight.z, weight.x * weight.y * slope.z,
            weight.x * weight.y * weight.z);
        sum += terms * tf[at + 6u + j];
    }
    if !outside { return sum; }
    let away = select(vec3r(0.0), excess * select(vec3r(-1.0), vec3r(1.0), offset > vec3r(0.0)), beyond);
    let distance = length3(away);
    return vec4r(select(sum.xyz / size, away / max(distance, MINVAL), beyond), sum.w + distance);
}

fn ellipsoid_field(size: vec3r, p: vec3r) -> vec4r {
    let a = p / size;
    let b = a / size;
    let k0 = length3(a);
    let k1 = length3(b);
    let gradient = b / k0 * ((2.0 * k0 - 1.0) / k1) - b / k1 / (size * size) * (k0 * (k0 - 1.0) / (k1 * k1));
    return vec4r(unit(gradient), k0 * (k0 - 1.0) / k1);
}

fn cylinder_field(size: vec3r, p: vec3r) -> vec4r {
    let radial = sqrt(p.x * p.x + p.y * p.y);
    let a = vec2<real>(radial - size.x, abs(p.z) - size.y);
    let b = max(a, vec2<real>(0.0));
    let around = vec3r(p.xy / max(radial, MINVAL), 0.0);
    let along = vec3r(0.0, 0.0, p.z / max(abs(p.z), MINVAL));
    let outside = sqrt(b.x * b.x + b.y * b.y);
    let distance = min(max(a.x, a.y), real(0.0)) + outside;
    if max(a.x, a.y) < 0.0 { return vec4r(select(along, around, a.x > a.y), distance); }
    return vec4r((around * b.x + along * b.y) / max(outside, MINVAL), distance);
}

// Outside, the distance to the surface; inside, the distance along a direction that changes from radial to normal
// towards the surface.
fn box_field(size: vec3r, p: vec3r) -> vec4r {
    let a = abs(p) - size;
    if any(a >= vec3r(0.0)) {
        let b = max(a, vec3r(0.0));
        let outside = length3(b);
        return vec4r(b / max(outside, MINVAL) * select(vec3r(1.0), vec3r(-1.0), p < vec3r(0.0)), outside);
    }
    let inward = unit(-size / a);
    let direction = select(inward, -inward, p < vec3r(0.0));
    let depth = -a / abs(direction);
    return vec4r(direction, -min(depth.x, min(depth.y, depth.z)) * length3(direction));
}

// Gradient and distance of a field at a point of its frame. The record of a field has the code of its formula, and the
// address of its parameters or of its octree.
fn field(record: u32, size: vec3r, p: vec3r) -> vec4r {
    let kind = ti[record];
    let at = ti[record + 1u];
    if HAS_FIELD_OCTREE && kind == FIELD_OCTREE { return octree_field(at, p); }
    if HAS_FIELD_TORUS && kind == FIELD_TORUS { return torus_field(at, p); }
    if HAS_FIELD_BOWL && kind == FIELD_BOWL { return bowl_field(at, p); }
    if HAS_FIELD_GEAR && kind == FIELD_GEAR { return gear_field(at, p); }
    if (HAS_FIELD_BOLT && kind == FIELD_BOLT) || (HAS_FIELD_NUT && kind == FIELD_NUT) {
        return screw_field(kind == FIELD_NUT, at, p);
    }
    if HAS_FIELD_PRIMITIVE {
        if kind == FIELD_ELLIPSOID { return ellipsoid_field(size, p); }
        if kind == FIELD_CYLINDER { return cylinder_field(size, p); }
        if kind == FIELD_BOX { return box_field(size, p); }
        var q = p;
        if kind == FIELD_CAPSULE { q.z -= clamp(p.z, -size.y, size.y); }
        let length = length3(q);
        return vec4r(q / max(length, MINVAL), length - size.x);
    }
    return vec4r(0.0, 0.0, 1.0, NO_FIELD);
}
