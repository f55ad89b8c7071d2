// Sphere-box and capsule-box contacts (mjc_SphereBox, mjc_CapsuleBox).

fn sphere_box_contact(contacts: ptr<function, ContactPoints>, centre: vec3r, radius: real, b: GeomPose, margin: real) {
    let local = to_local(b, centre - b.pos);
    let nearest = clamp(local, -b.size, b.size);
    let inward = nearest - local;
    let d = sqrt(dot(inward, inward));
    if d - radius > margin { return; }
    if d > MINVAL {
        let n = inward / d;
        let pos = 0.5 * (nearest + local + n * radius);
        add_contact(contacts, d - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
        return;
    }
    // The center is inside the box: push out through the closest face.
    var n = vec3r(0.0);
    var closest = 2.0 * (b.size.x + b.size.y + b.size.z);
    for (var k = 0u; k < 3u; k++) {
        let low = abs(-b.size[k] - local[k]);
        let high = abs(b.size[k] - local[k]);
        if low < closest { closest = low; n = vec3r(0.0); n[k] = 1.0; }
        if high < closest { closest = high; n = vec3r(0.0); n[k] = -1.0; }
    }
    let pos = local + n * (0.5 * (radius - closest));
    add_contact(contacts, -closest - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
}
fn sphere_box(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) { sphere_box_contact(contacts, a.pos, a.size.x, b, margin); }

// Closest feature of a box to a capsule's segment: squared distance, segment parameter in [-1, 1], and a face
// (`axis` 3: inside the box), a corner, or a parameter along an edge.
struct ClosestFeature { square: real, along: real, at: real, kind: u32, axis: u32, corner: u32 }
struct Segment { centre: vec3r, axis: vec3r, half: vec3r, length: real, direction: u32 }
const FEATURE_NONE: u32 = 0u;
const FEATURE_FACE: u32 = 1u;
const FEATURE_CORNER: u32 = 2u;
const FEATURE_EDGE: u32 = 3u;

fn capsule_box(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let axis = to_local(b, z_axis(a));
    let half = axis * a.size.y;
    let direction = u32(half.x > 0.0) | (u32(half.y > 0.0) << 1u) | (u32(half.z > 0.0) << 2u);
    let s = Segment(to_local(b, a.pos - b.pos), axis, half, a.size.y, direction);
    let far = margin + 2.0 * (a.size.x + a.size.y + b.size.x + b.size.y + b.size.z);
    let feature = closest_feature(s, b.size, far);
    if feature.kind == FEATURE_NONE { return; }
    sphere_box_contact(contacts, b.pos + to_world(b, s.centre + s.half * feature.along), a.size.x, b, margin);
    let step = second_contact(s, b.size, feature);
    if step == 0.0 { return; }
    sphere_box_contact(contacts, b.pos + to_world(b, s.centre + s.half * (feature.along + step)), a.size.x, b, margin);
}

fn closest_feature(s: Segment, size: vec3r, far: real) -> ClosestFeature {
    var best = ClosestFeature(far, 0.0, 0.0, FEATURE_NONE, 0u, 0u);
    for (var e = 0u; e < 2u; e++) {
        let along = select(real(-1.0), real(1.0), e == 1u);
        let end = s.centre + s.half * along;
        let inside = clamp(end, -size, size);
        var face = 3u;
        var count = 0u;
        for (var k = 3u; k > 0u; k--) { if inside[k - 1u] != end[k - 1u] { face = k - 1u; count++; } }
        if count > 1u { continue; }
        let delta = inside - end;
        let square = dot(delta, delta);
        if square < best.square { best = ClosestFeature(square, along, 0.0, FEATURE_FACE, face, 0u); }
    }
    for (var axis = 0u; axis < 3u; axis++) {
        for (var corner = 0u; corner < 8u; corner++) {
            if ((corner >> axis) & 1u) != 0u { continue; }
            let edge = closest_on_edge(s, size, axis, corner);
            if edge.kind != FEATURE_NONE && edge.square < best.square - MINVAL { best = edge; }
        }
    }
    return best;
}

fn closest_on_edge(s: Segment, size: vec3r, axis: u32, corner: u32) -> ClosestFeature {
    var middle = corner_of(size, corner);
    middle[axis] = 0.0;
    let delta = middle - s.centre;
    let long = size[axis];
    let a = long * long;
    let b = -long * s.half[axis];
    let c = s.length * s.length;
    let u = -long * delta[axis];
    let v = dot(s.half, delta);
    let det = a * c - b * b;
    if abs(det) < MINVAL { return ClosestFeature(0.0, 0.0, 0.0, FEATURE_NONE, 0u, 0u); }
    var at = (c * u - b * v) / det;
    var along = (a * v - b * u) / det;
    // A corner stays the closest feature even if the second clamp moves the point away from it.
    var kind = FEATURE_EDGE;
    var high = false;
    if at > 1.0 { at = 1.0; along = (v - b) / c; kind = FEATURE_CORNER; high = true; }
    else if at < -1.0 { at = -1.0; along = (v + b) / c; kind = FEATURE_CORNER; }
    if abs(along) > 1.0 {
        along = sign(along);
        at = (u - along * b) / a;
        if abs(at) > 1.0 { at = sign(at); kind = FEATURE_CORNER; high = at > 0.0; }
    }
    var gap = delta - s.half * along;
    gap[axis] += long * at;
    let own = corner | (u32(kind == FEATURE_CORNER && high) << axis);
    return ClosestFeature(dot(gap, gap), along, at, kind, axis, own);
}

// Offset along the segment from its closest point to the second contact; zero if there is none.
fn second_contact(s: Segment, size: vec3r, feature: ClosestFeature) -> real {
    if feature.kind == FEATURE_CORNER { return second_contact_corner(s, size, feature.along, feature.corner); }
    if feature.kind == FEATURE_EDGE { return second_contact_edge(s, size, feature); }
    if feature.axis == 3u { return real(0.0); }
    let end = s.centre + s.half * feature.along;
    var extent = real(2.0);
    for (var k = 0u; k < 3u; k++) {
        if k == feature.axis { continue; }
        for (var e = 0u; e < 2u; e++) {
            let step = (select(-size[k], size[k], e == 0u) - end[k]) / s.half[k] * -feature.along;
            if step > 0.0 && step < extent { extent = step; }
        }
    }
    return -feature.along * extent;
}

fn second_contact_corner(s: Segment, size: vec3r, along: real, corner: u32) -> real {
    var mismatch = s.direction ^ corner;
    if mismatch == 0u || mismatch == 7u { return real(0.0); }
    var dir = real(1.0);
    if mismatch != 1u && mismatch != 2u && mismatch != 4u { mismatch = 7u - mismatch; dir = -1.0; }
    let axis = mismatch >> 1u;
    if s.axis[axis] * s.axis[axis] > 0.5 { return dir * min(1.0 - dir * along, 2.0 * size[axis] / abs(s.half[axis])); }
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    return -dir * min(min(1.0 + dir * along, 2.0 * size[i] / abs(s.half[i])), 2.0 * size[j] / abs(s.half[j]));
}

fn second_contact_edge(s: Segment, size: vec3r, feature: ClosestFeature) -> real {
    let axis = feature.axis;
    let mismatch = (s.direction ^ feature.corner) & (7u - (1u << axis));
    if mismatch != 1u && mismatch != 2u && mismatch != 4u { return real(0.0); }
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    let across = select(j, i, abs(s.axis[i]) > abs(s.axis[j]));
    let ahead = ((mismatch >> across) & 1u) != 0u;
    let dir = select(real(-1.0), real(1.0), ahead);
    let same = (((s.direction >> axis) & 1u) != 0u) == ahead;
    let left = select(1.0 + feature.at, 1.0 - feature.at, same);
    let extent = min(1.0 - dir * feature.along, 2.0 * size[across] / abs(s.half[across]));
    return dir * min(extent, size[axis] * left / abs(s.half[axis]));
}
