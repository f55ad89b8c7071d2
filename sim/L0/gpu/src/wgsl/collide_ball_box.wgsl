// Balls and capsules against boxes.

fn ball_box(hits: ptr<function, Touches>, centre: vec3r, radius: real, b: Shape, margin: real) {
    let local = to_local(b, centre - b.pos);
    let nearest = clamp(local, -b.size, b.size);
    let inward = nearest - local;
    let d = sqrt(dot(inward, inward));
    if d - radius > margin { return; }
    if d > MINVAL {
        let n = inward / d;
        let pos = 0.5 * (nearest + local + n * radius);
        add_touch(hits, d - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
        return;
    }
    // the centre is within: leave through the nearest face
    var n = vec3r(0.0);
    var closest = 2.0 * (b.size.x + b.size.y + b.size.z);
    for (var k = 0u; k < 3u; k++) {
        let low = abs(-b.size[k] - local[k]);
        let high = abs(b.size[k] - local[k]);
        if low < closest { closest = low; n = vec3r(0.0); n[k] = 1.0; }
        if high < closest { closest = high; n = vec3r(0.0); n[k] = -1.0; }
    }
    let pos = local + n * (0.5 * (radius - closest));
    add_touch(hits, -closest - radius, b.pos + to_world(b, pos), to_world(b, n), vec3r(0.0));
}
fn sphere_box(hits: ptr<function, Touches>, a: Shape, b: Shape, margin: real) { ball_box(hits, a.pos, a.size.x, b, margin); }

// where a capsule's segment comes nearest to a box: squared distance, place on the segment (-1 to 1), and what
// of the box is near: a face across an axis (3 if within the box), a corner, or the place on an edge
struct Nearest { square: real, along: real, at: real, kind: u32, axis: u32, corner: u32 }
struct Segment { centre: vec3r, axis: vec3r, half: vec3r, length: real, direction: u32 }
const NEAR_NONE: u32 = 0u;
const NEAR_FACE: u32 = 1u;
const NEAR_CORNER: u32 = 2u;
const NEAR_EDGE: u32 = 3u;

fn capsule_box(hits: ptr<function, Touches>, a: Shape, b: Shape, margin: real) {
    let axis = to_local(b, z_axis(a));
    let half = axis * a.size.y;
    let direction = u32(half.x > 0.0) | (u32(half.y > 0.0) << 1u) | (u32(half.z > 0.0) << 2u);
    let s = Segment(to_local(b, a.pos - b.pos), axis, half, a.size.y, direction);
    let far = margin + 2.0 * (a.size.x + a.size.y + b.size.x + b.size.y + b.size.z);
    let near = nearest_feature(s, b.size, far);
    if near.kind == NEAR_NONE { return; }
    ball_box(hits, b.pos + to_world(b, s.centre + s.half * near.along), a.size.x, b, margin);
    let step = second_point(s, b.size, near);
    if step == 0.0 { return; }
    ball_box(hits, b.pos + to_world(b, s.centre + s.half * (near.along + step)), a.size.x, b, margin);
}

fn nearest_feature(s: Segment, size: vec3r, far: real) -> Nearest {
    var best = Nearest(far, 0.0, 0.0, NEAR_NONE, 0u, 0u);
    for (var e = 0u; e < 2u; e++) {
        let along = select(real(-1.0), real(1.0), e == 1u);
        let end = s.centre + s.half * along;
        let inside = clamp(end, -size, size);
        var face = 3u;
        var count = 0u;
        for (var k = 3u; k > 0u; k--) { if inside[k - 1u] != end[k - 1u] { face = k - 1u; count++; } }
        if count > 1u { continue; }
        let away = inside - end;
        let square = dot(away, away);
        if square < best.square { best = Nearest(square, along, 0.0, NEAR_FACE, face, 0u); }
    }
    for (var axis = 0u; axis < 3u; axis++) {
        for (var corner = 0u; corner < 8u; corner++) {
            if ((corner >> axis) & 1u) != 0u { continue; }
            let edge = nearest_on_edge(s, size, axis, corner);
            if edge.kind != NEAR_NONE && edge.square < best.square - MINVAL { best = edge; }
        }
    }
    return best;
}

fn nearest_on_edge(s: Segment, size: vec3r, axis: u32, corner: u32) -> Nearest {
    var middle = corner_of(size, corner);
    middle[axis] = 0.0;
    let away = middle - s.centre;
    let long = size[axis];
    let a = long * long;
    let b = -long * s.half[axis];
    let c = s.length * s.length;
    let u = -long * away[axis];
    let v = dot(s.half, away);
    let det = a * c - b * b;
    if abs(det) < MINVAL { return Nearest(0.0, 0.0, 0.0, NEAR_NONE, 0u, 0u); }
    var at = (c * u - b * v) / det;
    var along = (a * v - b * u) / det;
    // the end of the edge that the place was moved to counts even if it is left again
    var kind = NEAR_EDGE;
    var high = false;
    if at > 1.0 { at = 1.0; along = (v - b) / c; kind = NEAR_CORNER; high = true; }
    else if at < -1.0 { at = -1.0; along = (v + b) / c; kind = NEAR_CORNER; }
    if abs(along) > 1.0 {
        along = sign(along);
        at = (u - along * b) / a;
        if abs(at) > 1.0 { at = sign(at); kind = NEAR_CORNER; high = at > 0.0; }
    }
    var gap = away - s.half * along;
    gap[axis] += long * at;
    let own = corner | (u32(kind == NEAR_CORNER && high) << axis);
    return Nearest(dot(gap, gap), along, at, kind, axis, own);
}

// how far along the segment from its nearest point the second contact lies; zero for none
fn second_point(s: Segment, size: vec3r, near: Nearest) -> real {
    if near.kind == NEAR_CORNER { return second_from_corner(s, size, near.along, near.corner); }
    if near.kind == NEAR_EDGE { return second_from_edge(s, size, near); }
    if near.axis == 3u { return real(0.0); }
    let end = s.centre + s.half * near.along;
    var reach = real(2.0);
    for (var k = 0u; k < 3u; k++) {
        if k == near.axis { continue; }
        for (var e = 0u; e < 2u; e++) {
            let step = (select(-size[k], size[k], e == 0u) - end[k]) / s.half[k] * -near.along;
            if step > 0.0 && step < reach { reach = step; }
        }
    }
    return -near.along * reach;
}

fn second_from_corner(s: Segment, size: vec3r, along: real, corner: u32) -> real {
    var odd = s.direction ^ corner;
    if odd == 0u || odd == 7u { return real(0.0); }
    var way = real(1.0);
    if odd != 1u && odd != 2u && odd != 4u { odd = 7u - odd; way = -1.0; }
    let axis = odd >> 1u;
    if s.axis[axis] * s.axis[axis] > 0.5 { return way * min(1.0 - way * along, 2.0 * size[axis] / abs(s.half[axis])); }
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    return -way * min(min(1.0 + way * along, 2.0 * size[i] / abs(s.half[i])), 2.0 * size[j] / abs(s.half[j]));
}

fn second_from_edge(s: Segment, size: vec3r, near: Nearest) -> real {
    let axis = near.axis;
    let odd = (s.direction ^ near.corner) & (7u - (1u << axis));
    if odd != 1u && odd != 2u && odd != 4u { return real(0.0); }
    let i = (axis + 1u) % 3u;
    let j = (axis + 2u) % 3u;
    let across = select(j, i, abs(s.axis[i]) > abs(s.axis[j]));
    let ahead = ((odd >> across) & 1u) != 0u;
    let way = select(real(-1.0), real(1.0), ahead);
    let same = (((s.direction >> axis) & 1u) != 0u) == ahead;
    let left = select(1.0 + near.at, 1.0 - near.at, same);
    let reach = min(1.0 - way * near.along, 2.0 * size[across] / abs(s.half[across]));
    return way * min(reach, size[axis] * left / abs(s.half[axis]));
}
