// mj_tendon for spatial tendons: paths through sites that may wrap around spheres and cylinders. A path is a list of
// spans from one site to the next; a span may have a geom to wrap around.

// End points of a span.
fn span_start(p: u32) -> vec3r { let b = ti[SPAN_BODY1 + p]; return w3(XPOS + 3u * b) + qrot(w4(xquat_adr(b)), f3(SPAN_POS1, p)); }
fn span_end(p: u32) -> vec3r { let b = ti[SPAN_BODY2 + p]; return w3(XPOS + 3u * b) + qrot(w4(xquat_adr(b)), f3(SPAN_POS2, p)); }

// A straight segment of a path: a point on it and its direction, divided by the divisor of its pulley. A span has one
// segment, or two if there is a geom between its sites: one from the first site to the geom, one from the geom to the
// second site. Where the path does not touch the geom, both are the line from site to site. `put_segment` stores it, and
// `segment` returns point and direction as the two parts of a spatial vector (shared/rare_arrays.wgsl).

fn spatial_tendons() {
    for (var p = lane; p < NSPAN; p += LANES) { span_segments(p); }
    sync_matrices();
    for (var s = lane; s < NSPATIAL; s += LANES) {
        var length = real(0.0);
        for (var p = ti[SPAN_ADR + s]; p < ti[SPAN_ADR + s + 1u]; p++) { length += w[SPAN_LENGTH + p]; }
        w[TEN_LENGTH + ti[SPATIAL_TENDON_ID + s]] = length;
    }
    for (var i = lane; i < NV; i += LANES) {
        let axis = spatial(cdof_adr(i));
        let reference = w3(TREE_REF + 3u * ti[DOF_TREE + i]);
        for (var s = 0u; s < NSPATIAL; s++) {
            var sum = real(0.0);
            for (var k = ti[SEGMENT_ADR + s]; k < ti[SEGMENT_ADR + s + 1u]; k++) {
                sum += segment_gradient(k, i, axis, reference);
            }
            set_ten_J(s, i, sum);
        }
    }
    sync_matrices();
}

// Segments of a span and its length, divided by the divisor of its pulley.
fn span_segments(p: u32) {
    let a = span_start(p);
    let b = span_end(p);
    let scale = f4(SPAN_POS1, p).w;
    let first = ti[SPAN_SEGMENT + p];
    let k = ti[SPAN_WRAP + p];
    let direction = scale * unit(b - a);
    put_segment(first, a, direction);
    w[SPAN_LENGTH + p] = scale * length3(b - a);
    if k == NONE { return; }
    put_segment(first + 1u, a, direction);
    let wrap = wrap_span(k, a, b);
    if wrap.length < 0.0 { return; }
    put_segment(first, a, scale * unit(wrap.start - a));
    put_segment(first + 1u, b, scale * unit(b - wrap.end));
    w[SPAN_LENGTH + p] = scale * (length3(wrap.start - a) + wrap.length + length3(b - wrap.end));
}

// Derivative of the length of a segment with respect to dof `i`. Dofs that move both of its ends have no effect: the
// directions of the dofs that move only its end, or only its start, are in two masks.
fn segment_gradient(k: u32, i: u32, axis: Spatial, reference: vec3r) -> real {
    let word = k * DOF_MASK_WORDS + (i >> 5u);
    let moves_end = (ti[SEGMENT_END_DOFS + word] >> (i & 31u)) & 1u;
    let moves_start = (ti[SEGMENT_START_DOFS + word] >> (i & 31u)) & 1u;
    if moves_end == moves_start { return real(0.0); }
    let line = segment(k);
    let rate = dot(line.lin, axis.lin + cross(axis.ang, line.ang - reference));
    return select(-rate, rate, moves_end == 1u);
}

// Points where the path meets a geom, and the length of the curve between them; a negative length if the path is
// straight.
struct Wrap { start: vec3r, end: vec3r, length: real }

// mju_wrap, in the plane in which the cross-section of the geom is a circle.
fn wrap_span(k: u32, first: vec3r, last: vec3r) -> Wrap {
    var wrap = Wrap(vec3r(0.0), vec3r(0.0), real(-1.0));
    let b = ti[WRAP_BODY + k];
    let rot = qmul(w4(xquat_adr(b)), f4(WRAP_QUAT, k));
    let pos = w3(XPOS + 3u * b) + qrot(w4(xquat_adr(b)), f3(WRAP_POS, k));
    let radius = f4(WRAP_POS, k).w;
    let inverse = qconj(rot);
    let p1 = qrot(inverse, first - pos);
    let p2 = qrot(inverse, last - pos);
    if length3(p1) < MINVAL || length3(p2) < MINVAL { return wrap; }
    let cylinder = ti[WRAP_CYLINDER + k] == 1u;
    var x = vec3r(1.0, 0.0, 0.0);
    var y = vec3r(0.0, 1.0, 0.0);
    if !cylinder { x = unit(p1); y = unit(cross(wrap_plane_normal(p1, p2, x), x)); }
    let e1 = vec2<real>(dot(p1, x), dot(p1, y));
    let e2 = vec2<real>(dot(p2, x), dot(p2, y));
    var side = vec3r(0.0);
    let s = ti[WRAP_SIDE_BODY + k];
    if s != NONE { side = qrot(inverse, w3(XPOS + 3u * s) + qrot(w4(xquat_adr(s)), f3(WRAP_SIDE_POS, k)) - pos); }
    var curve: WrapCurve;
    if s != NONE && length3(side) < radius { curve = wrap_inside(e1, e2, radius); }
    else { curve = wrap_outside(e1, e2, radius, s != NONE, radius * unit2(vec2<real>(dot(side, x), dot(side, y)))); }
    if curve.length < 0.0 { return wrap; }
    var one = x * curve.start.x + y * curve.start.y;
    var two = x * curve.end.x + y * curve.end.y;
    var length = curve.length;
    if cylinder {
        // On a helix, height is proportional to the length in the plane.
        let before = length2(p1.xy - one.xy);
        let after = length2(p2.xy - two.xy);
        let height = p2.z - p1.z;
        let planar = before + length + after;
        one.z = p1.z + height * before / planar;
        two.z = p1.z + height * (before + length) / planar;
        length = sqrt(length * length + (two.z - one.z) * (two.z - one.z));
    }
    return Wrap(qrot(rot, one) + pos, qrot(rot, two) + pos, length);
}

// Normal of the plane through the origin and two points.
fn wrap_plane_normal(p1: vec3r, p2: vec3r, first: vec3r) -> vec3r {
    let normal = cross(p1, p2);
    if length3(normal) >= MINVAL { return unit(normal); }
    // Collinear with the origin: any plane through the line.
    let size = abs(first);
    var other = vec3r(0.0, 1.0, 1.0);
    if size.z > size.x && size.z > size.y { other = vec3r(1.0, 1.0, 0.0); }
    else if size.y > size.x && size.y > size.z { other = vec3r(1.0, 0.0, 1.0); }
    return unit(cross(first, other));
}

// A curve on a circle; its length is negative if the path is straight.
struct WrapCurve { start: vec2<real>, end: vec2<real>, length: real }
fn straight() -> WrapCurve { return WrapCurve(vec2<real>(0.0), vec2<real>(0.0), real(-1.0)); }

fn length2(v: vec2<real>) -> real { return sqrt(dot(v, v)); }
fn unit2(v: vec2<real>) -> vec2<real> {
    let n = length2(v);
    if n < MINVAL { return vec2<real>(1.0, 0.0); }
    return v / n;
}
fn cross2(a: vec2<real>, b: vec2<real>) -> real { return a.x * b.y - a.y * b.x; }

// Whether the segments p1 p2 and p3 p4 intersect.
fn segments_intersect(p1: vec2<real>, p2: vec2<real>, p3: vec2<real>, p4: vec2<real>) -> bool {
    let u = p2 - p1;
    let v = p4 - p3;
    let d = p1 - p3;
    let det = cross2(u, v);
    if abs(det) < MINVAL { return false; }
    let a = cross2(v, d) / det;
    let b = cross2(u, d) / det;
    return a >= 0.0 && a <= 1.0 && b >= 0.0 && b <= 1.0;
}

fn tangent_point(p: vec2<real>, radius: real, sign: real) -> vec2<real> {
    let square = dot(p, p);
    let t = sign * radius * sqrt(square - radius * radius);
    return vec2<real>(p.x * radius * radius + p.y * t, p.y * radius * radius - p.x * t) / square;
}

// Preference of a pair of tangents: on the side of the side site, or short.
fn wrap_quality(e1: vec2<real>, t1: vec2<real>, e2: vec2<real>, t2: vec2<real>, has_side: bool, side: vec2<real>) -> real {
    if segments_intersect(e1, t1, e2, t2) { return real(-10000.0); }
    if has_side { return dot(unit2(t1 + t2), side); }
    return -dot(t1 - t2, t1 - t2);
}

// Two tangents and the arc between them.
fn wrap_outside(e1: vec2<real>, e2: vec2<real>, radius: real, has_side: bool, side: vec2<real>) -> WrapCurve {
    let radius2 = radius * radius;
    if dot(e1, e1) < radius2 || dot(e2, e2) < radius2 || radius < MINVAL { return straight(); }
    let line = e2 - e1;
    let line2 = dot(line, line);
    if line2 < MINVAL { return straight(); }
    let closest = e1 + clamp(-dot(line, e1) / line2, real(0.0), real(1.0)) * line;
    if dot(closest, closest) > radius2 && (!has_side || dot(side, closest) >= 0.0) { return straight(); }
    var t1 = tangent_point(e1, radius, real(1.0));
    var t2 = tangent_point(e2, radius, real(-1.0));
    let s1 = tangent_point(e1, radius, real(-1.0));
    let s2 = tangent_point(e2, radius, real(1.0));
    let second = wrap_quality(e1, t1, e2, t2, has_side, side) <= wrap_quality(e1, s1, e2, s2, has_side, side);
    if second { t1 = s1; t2 = s2; }
    if segments_intersect(e1, t1, e2, t2) { return straight(); }
    // Between coincident points the arc is zero, whatever the sign of their cross product.
    let turn = cross2(t1, t2);
    let angle = atan2_(abs(turn), dot(t1, t2));
    let reversed = select(turn > 0.0, turn < 0.0, second) && angle > WRAP_COINCIDENT;
    return WrapCurve(t1, t2, radius * select(angle, 2.0 * PI - angle, reversed));
}
const WRAP_COINCIDENT: real = 1e-5;

fn asin_(x: real) -> real { return atan2_(x, sqrt(max(1.0 - x * x, real(0.0)))); }
fn reflection_residual(a: real, b: real, angle: real, z: real) -> real { return asin_(a * z) + asin_(b * z) - 2.0 * asin_(z) + angle; }
fn reflection_slope(c: real, z: real) -> real { return c / max(sqrt(1.0 - z * z * c * c), MINVAL); }

// Solves asin(a z) + asin(b z) - 2 asin(z) + angle = 0 by Newton's method; negative if there is no solution.
fn wrap_reflection(a: real, b: real, angle: real) -> real {
    var z = real(1.0) - real(REFLECTION_START);
    var residual = reflection_residual(a, b, angle, z);
    if residual > 0.0 { return real(-1.0); }
    for (var k = 0u; k < 20u; k++) {
        if abs(residual) <= REFLECTION_TOLERANCE { return z; }
        let derivative = reflection_slope(a, z) + reflection_slope(b, z) - 2.0 * reflection_slope(real(1.0), z);
        let next = z - residual / derivative;
        if derivative > -MINVAL || next > z { return real(-1.0); }
        z = next;
        residual = reflection_residual(a, b, angle, z);
        if residual > REFLECTION_TOLERANCE { return real(-1.0); }
    }
    return real(-1.0);
}
const REFLECTION_TOLERANCE: real = 1e-6;
const REFLECTION_START: real = 1e-7;

// The point where the path touches the circle from within.
fn wrap_inside(e1: vec2<real>, e2: vec2<real>, radius: real) -> WrapCurve {
    let len1 = length2(e1);
    let len2 = length2(e2);
    let line = e2 - e1;
    let line2 = dot(line, line);
    if len1 <= radius || len2 <= radius || min(radius, min(len1, len2)) < MINVAL { return straight(); }
    if line2 > MINVAL {
        let a = -dot(line, e1) / line2;
        if a > 0.0 && a < 1.0 && length2(e1 + a * line) <= radius { return straight(); }
    }
    let cosine = (len1 * len1 + len2 * len2 - line2) / (2.0 * len1 * len2);
    if cosine < -1.0 + MINVAL { return straight(); }
    let turn = cross2(e1, e2);
    var z = real(-1.0);
    let a = radius / len1;
    let b = radius / len2;
    if cosine <= 1.0 - MINVAL { z = wrap_reflection(a, b, atan2_(abs(turn), dot(e1, e2))); }
    // Without a solution: the direction of the midpoint.
    var point = radius * unit2(0.5 * (e1 + e2));
    if z >= 0.0 {
        let ccw = turn > 0.0;
        let start = unit2(select(e2, e1, ccw));
        let sc = sincos(asin_(z) - asin_(select(b, a, ccw) * z));
        point = radius * vec2<real>(sc.y * start.x - sc.x * start.y, sc.x * start.x + sc.y * start.y);
    }
    return WrapCurve(point, point, real(0.0));
}

// Tendon armature a: a Jᵀ J in the inertia matrix, and a Jᵀ J' qvel in the bias force (mj_tendonArmature,
// mj_tendonBias). Only spans without geoms occur.
fn spatial_armature() {
    if !SPATIAL_ARMATURE { return; }
    for (var i = lane; i < NV; i += LANES) {
        var bias = real(0.0);
        for (var s = 0u; s < NSPATIAL; s++) {
            let armature = f(SPATIAL_TENDON_ARMATURE + s);
            if armature == 0.0 { continue; }
            let own = armature * ten_J(s, i);
            add_M(i, i, own * ten_J(s, i));
            for (var j = dof_parentid(i); j < NV; j = dof_parentid(j)) {
                if ti[DOF_SIMPLE + i] == 0u { add_M(i, j, own * ten_J(s, j)); }
            }
            for (var p = ti[SPAN_ADR + s]; p < ti[SPAN_ADR + s + 1u]; p++) { bias += own * span_acceleration(p); }
        }
        w[QFRC_SMOOTH + i] -= bias;
        w[TEN_BIAS + i] = bias;
    }
    sync_matrices();
}

// Second time derivative of the length of a span at qacc = 0.
fn span_acceleration(p: u32) -> real {
    let b1 = ti[SPAN_BODY1 + p];
    let b2 = ti[SPAN_BODY2 + p];
    if b1 == b2 { return real(0.0); }
    let p1 = span_start(p);
    let p2 = span_end(p);
    let direction = unit(p2 - p1);
    let velocity = point_velocity(b2, p2) - point_velocity(b1, p1);
    let normal = velocity - direction * dot(direction, velocity);
    let length = length3(p2 - p1);
    var centripetal = real(0.0);
    if length > MINVAL { centripetal = dot(normal, velocity) / length; }
    let acceleration = bias_acceleration(b2, p2).lin - bias_acceleration(b1, p1).lin;
    return f4(SPAN_POS1, p).w * (dot(direction, acceleration) + centripetal);
}
fn point_velocity(b: u32, p: vec3r) -> vec3r {
    let v = body_velocity(b);
    return v.lin + cross(v.ang, offset_from_reference(b, p));
}
