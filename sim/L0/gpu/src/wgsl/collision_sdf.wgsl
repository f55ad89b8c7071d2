// Contacts of signed distance fields (engine_collision_sdf.c): two fields (mjc_SDF), and the triangles of a mesh and a
// field (mjc_MeshSDF). Each function evaluates fields at one place: drivers inline functions at every call.

// Largest component of a valid gradient.
const MAX_GRADIENT: real = 1e10;
// Line search: sufficient decrease (Armijo), and the smallest step length.
const SDF_ARMIJO: real = 0.1;
const SDF_MIN_STEP: real = 1e-4;

// Working memory of a pair: points of the contacts in the frame of the field.
struct SdfScratch { points: array<vec3r, MAX_PAIR_CONTACTS> }

// Frame of a second geom relative to the first: position of its origin and its axes.
struct RelativeFrame { pos: vec3r, x: vec3r, y: vec3r, z: vec3r }
fn relative_frame(a: GeomPose, b: GeomPose) -> RelativeFrame {
    return RelativeFrame(to_local(a, b.pos - a.pos), to_local(a, x_axis(b)), to_local(a, y_axis(b)), to_local(a, z_axis(b)));
}
fn from_frame(s: RelativeFrame, v: vec3r) -> vec3r { return s.x * v.x + s.y * v.y + s.z * v.z; }
fn into_frame(s: RelativeFrame, v: vec3r) -> vec3r { return vec3r(dot(s.x, v), dot(s.y, v), dot(s.z, v)); }

// Adds a contact at a point of the frame of `b` unless it has one already; `outward` is the direction of the normal.
fn add_sdf_contact(contacts: ptr<function, ContactPoints>, ws: ptr<function, SdfScratch>, b: GeomPose, point: vec3r, dist: real, outward: vec3r) {
    if !(dist <= 0.0) { return; }
    for (var k = 0u; k < min(pair_ncon, MAX_PAIR_CONTACTS); k++) {
        if length3((*ws).points[k] - point) < MINVAL { return; }
    }
    let length = length3(outward);
    if !(length >= MINVAL && length < MAX_GRADIENT) { return; }
    if pair_ncon < MAX_PAIR_CONTACTS { (*ws).points[pair_ncon] = point; }
    let normal = to_world(b, -outward / length);
    add_contact(contacts, dist, to_world(b, point) + b.pos - normal * (0.5 * dist), normal, vec3r(0.0));
}

#ifdef COLLIDE_SDF_PAIR
// Gradients and distances of both fields of a pair at a point; gradients in the frame of the first one.
struct FieldPair { first: vec4r, second: vec4r }

// The function that is minimised: the intersection max(a, b), or a + b + |max(a, b)|, whose minimum is the deepest overlap,
// or between the shapes if they are separated.
fn sdf_objective(at: FieldPair, intersection: bool) -> real {
    let larger = max(at.first.w, at.second.w);
    if intersection { return larger; }
    return at.first.w + at.second.w + abs(larger);
}
fn sdf_objective_gradient(at: FieldPair, intersection: bool) -> vec3r {
    let larger = select(at.second, at.first, at.first.w > at.second.w);
    if intersection { return larger.xyz; }
    return at.first.xyz + at.second.xyz + larger.xyz * select(real(-1.0), real(1.0), larger.w > 0.0);
}
fn is_bad_gradient(g: vec3r) -> bool { return !all(abs(g) <= vec3r(MAX_GRADIENT)); }

// Intersection of the bounding boxes of two geoms in the frame of the first, the second one enclosed axis-aligned.
struct SdfBounds { low: vec3r, high: vec3r }
fn sdf_bounds(a: u32, b: u32, frame: RelativeFrame) -> SdfBounds {
    let center = frame.pos + from_frame(frame, f3(GEOM_AABB_CENTER, b));
    let half = f3(GEOM_AABB_HALF, b);
    let extent = abs(frame.x) * half.x + abs(frame.y) * half.y + abs(frame.z) * half.z;
    let own = f3(GEOM_AABB_CENTER, a);
    let own_half = f3(GEOM_AABB_HALF, a);
    return SdfBounds(max(own - own_half, center - extent), min(own + own_half, center + extent));
}

// Descent from points of the intersection of the bounding boxes. The field of `b` is the first one.
fn sdf_sdf(contacts: ptr<function, ContactPoints>, ws: ptr<function, SdfScratch>, a: GeomPose, b: GeomPose, margin: real) {
    let frame = relative_frame(a, b);
    let bounds = sdf_bounds(a.geom, b.geom, frame);
    if !all(bounds.high >= bounds.low) { return; }
    let records = vec2<u32>(ti[GEOM_FIELD + b.geom], ti[GEOM_FIELD + a.geom]);
    for (var start = 0u; start < SDF_INIT_POINTS; start++) {
        if pair_ncon >= MAX_PAIR_CONTACTS { return; }
        var origin_point = into_frame(frame, bounds.low + (bounds.high - bounds.low) * f3(SDF_HALTON, start) - frame.pos);
        var x = origin_point;
        var at: FieldPair;
        var gradient = vec3r(0.0);
        var step = real(0.0);
        var slope = real(0.0);
        var before = real(0.0);
        var dist = MAX_GRADIENT;
        var descents = 0u;
        var intersection = SDF_ITERATIONS == 0u;
        loop {
            x = origin_point - step * gradient;
            for (var k = 0u; k < 2u; k++) {
                let second = k == 1u;
                let point = select(x, frame.pos + from_frame(frame, x), second);
                let found = field(records[k], select(b.size, a.size, second), point);
                if second { at.second = vec4r(into_frame(frame, found.xyz), found.w); } else { at.first = found; }
            }
            if step > 0.0 {
                let value = sdf_objective(at, intersection);
                // Also accepts NaN.
                if step > SDF_MIN_STEP && value - before > -SDF_ARMIJO * step * slope {
                    step *= 0.5;
                    continue;
                }
                if intersection { dist = value; break; }
                descents++;
                intersection = before < value || descents >= SDF_ITERATIONS;
            }
            gradient = sdf_objective_gradient(at, intersection);
            if is_bad_gradient(gradient) {
                if intersection { break; }
                intersection = true;
                gradient = sdf_objective_gradient(at, true);
                if is_bad_gradient(gradient) { break; }
            }
            origin_point = x;
            before = sdf_objective(at, intersection);
            slope = dot(gradient, gradient);
            step = 1.0;
        }
        // The normal is that of the surface midway between both.
        add_sdf_contact(contacts, ws, b, x, dist, unit(unit(at.first.xyz) - unit(at.second.xyz)));
    }
}
#endif

#ifdef COLLIDE_SDF_MESH
// What the field is evaluated for: the centre of a bounding box, the centre of a triangle, its circumsphere, or the
// search for a minimum on the triangle.
const AT_NODE: u32 = 0u;
const AT_TRIANGLE: u32 = 1u;
const AT_CIRCUMSPHERE: u32 = 2u;
const AT_MINIMUM: u32 = 3u;

// Triangles with at most this much height of their circumsphere's fourth point are tested by their circumcircle, m.
const SDF_MIN_HEIGHT: real = 0.1;
const SDF_FLATNESS: real = 10.0;

fn mesh_corner(frame: RelativeFrame, at: u32) -> vec3r { return into_frame(frame, tf3(at) - frame.pos); }

// Frank–Wolfe minimisation of the field of `b` on the triangles of the mesh `a` that may intersect it.
fn mesh_sdf(contacts: ptr<function, ContactPoints>, ws: ptr<function, SdfScratch>, a: GeomPose, b: GeomPose, margin: real) {
    let frame = relative_frame(a, b);
    let own = ti[GEOM_FIELD + b.geom];
    let record = ti[GEOM_TRIANGLES + a.geom];
    let count = ti[record];
    let points = max(SDF_INIT_POINTS, 1u);
    var node = 0u;
    var phase = AT_NODE;
    var p: vec3r;
    var q: vec3r;
    var r: vec3r;
    var x: vec3r;
    var apex: vec3r;
    var start = 0u;
    var step = 0u;
    var found = 0u;
    loop {
        if phase == AT_NODE {
            if node >= count || found >= MAX_SDF_CONTACTS { break; }
            x = mesh_corner(frame, ti[record + 1u + 2u * node] >> 1u);
        }
        let at = field(own, b.size, x);
        var search = false;
        if phase == AT_NODE {
            let code = ti[record + 1u + 2u * node];
            let inside = at.w < length3(tf3((code >> 1u) + 3u));
            if !inside { node = ti[record + 2u + 2u * node]; continue; }
            node++;
            if (code & 1u) == 0u { continue; }
            let corners = (code >> 1u) + 6u;
            p = mesh_corner(frame, corners);
            q = mesh_corner(frame, corners + 3u);
            r = mesh_corner(frame, corners + 6u);
            x = (p + q + r) * (1.0 / 3.0);
            phase = AT_TRIANGLE;
            continue;
        }
        if phase == AT_TRIANGLE {
            let height = -at.w / SDF_FLATNESS;
            if abs(height) < SDF_MIN_HEIGHT {
                let sides = vec3r(length3(q - p), length3(r - q), length3(p - r));
                let s = 0.5 * (sides.x + sides.y + sides.z);
                let area = sqrt(max(s * (s - sides.x) * (s - sides.y) * (s - sides.z), real(0.0)));
                search = at.w < sides.x * sides.y * sides.z / (4.0 * max(area, MINVAL));
            } else {
                apex = x - unit(cross(q - p, r - p)) * height;
                let u = p - apex;
                let v = q - apex;
                let w = r - apex;
                let volume = 2.0 * dot(u, cross(v, w));
                if abs(volume) < MINVAL {
                    search = at.w < length3(q - p);
                } else {
                    x = (cross(v, w) * dot(u, u) + cross(w, u) * dot(v, v) + cross(u, v) * dot(w, w)) / volume + apex;
                    phase = AT_CIRCUMSPHERE;
                    continue;
                }
            }
        } else if phase == AT_CIRCUMSPHERE {
            search = at.w < length3(x - apex);
        } else if step < SDF_ITERATIONS {
            // Towards the corner that the gradient decreases most.
            let slopes = vec3r(dot(p, at.xyz), dot(q, at.xyz), dot(r, at.xyz));
            var best = p;
            var least = MAX_GRADIENT;
            if slopes.x < least { least = slopes.x; }
            if slopes.y < least { least = slopes.y; best = q; }
            if slopes.z < least { best = r; }
            x += (2.0 / (real(step) + 2.0)) * (best - x);
            step++;
            continue;
        } else {
            if at.w < 0.0 {
                add_sdf_contact(contacts, ws, b, x, at.w, at.xyz);
                found++;
            }
            search = start < points;
        }
        if phase != AT_MINIMUM {
            start = 0u;
            phase = AT_MINIMUM;
        }
        if !search || found >= MAX_SDF_CONTACTS {
            phase = AT_NODE;
            continue;
        }
        start++;
        step = 0u;
        let weights = f3(SDF_TRIANGLE_HALTON, start);
        x = weights.x * p + weights.y * q + weights.z * r;
    }
}
#endif
