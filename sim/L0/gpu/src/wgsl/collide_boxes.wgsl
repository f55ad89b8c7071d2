// Two boxes: separating axes, then a face cut by a face or an edge against an edge.

const BOX_POINTS: u32 = 24u;
// points found, the distance last; axes of the second box in the frame of the first, and the other way round
struct Boxes { box_point: array<vec4r, BOX_POINTS>, box_rot: array<vec3r, 3>, box_back: array<vec3r, 3> }
var<private> box_count: u32;

// what separates the boxes best: a face of one of them, or (edges) an axis of each, the corners that say which
// edges, and the direction across both, which may point from the second box to the first
struct BoxAxis { overlap: real, edges: bool, second: bool, side: u32, axis1: u32, axis2: u32, found: bool }

fn box_push(room: ptr<function, Boxes>, p: vec3r, dist: real) {
    if box_count < BOX_POINTS {
        (*room).box_point[box_count] = vec4r(p, dist);
        box_count++;
    }
}

// a vector in the frame in which a face looks along z, and back; faces 0 to 2 look along positive axes
fn turned(side: u32, v: vec3r) -> vec3r {
    switch side {
        case 0u: { return vec3r(-v.z, v.y, v.x); }
        case 1u: { return vec3r(v.x, -v.z, v.y); }
        case 2u: { return v; }
        case 3u: { return vec3r(v.z, v.y, -v.x); }
        case 4u: { return vec3r(v.x, v.z, -v.y); }
        default: { return vec3r(-v.x, v.y, -v.z); }
    }
}
fn turned_back(side: u32, v: vec3r) -> vec3r {
    switch side {
        case 0u: { return vec3r(v.z, v.y, -v.x); }
        case 1u: { return vec3r(v.x, v.z, -v.y); }
        case 2u: { return v; }
        case 3u: { return vec3r(-v.z, v.y, v.x); }
        case 4u: { return vec3r(v.x, -v.z, v.y); }
        default: { return vec3r(-v.x, v.y, -v.z); }
    }
}

fn box_box(hits: ptr<function, Touches>, room: ptr<function, Boxes>, a: Shape, b: Shape, margin: real) {
    let away = b.pos - a.pos;
    let pos21 = to_local(a, away);
    let pos12 = to_local(b, -away);
    (*room).box_rot = array<vec3r, 3>(to_local(a, x_axis(b)), to_local(a, y_axis(b)), to_local(a, z_axis(b)));
    (*room).box_back = array<vec3r, 3>(to_local(b, x_axis(a)), to_local(b, y_axis(a)), to_local(b, z_axis(a)));
    let best = least_overlap(room, a.size, b.size, pos21, pos12, margin);
    if !best.found { return; }
    var normal = vec3r(0.0);
    // the slip of the reference engine first; nothing can be deeper than the overlap, so it shows
    for (var slip = 1u; ; slip--) {
        touches = 0u;
        box_count = 0u;
        if best.edges {
            normal = box_edges(room, a, b, pos21, best, margin, slip == 1u);
            if dot(normal, normal) == 0.0 { return; }
        } else {
            normal = box_face(room, a, b, pos21, pos12, best, margin);
        }
        box_keep(hits, room, a, b, margin, normal);
        var deep = false;
        for (var k = 0u; k < min(touches, MAX_TOUCH); k++) {
            deep = deep || (*hits)[k].dist < -best.overlap - 1e-6 * abs(best.overlap);
        }
        if !deep || slip == 0u { break; }
    }
    // boxes that overlap deeply may have none of their corners and crossings in both
    if best.overlap > 0.0 && touches == 0u { add_touch(hits, -best.overlap, common_point(a, b), normal, vec3r(0.0)); }
}

fn common_point(a: Shape, b: Shape) -> vec3r {
    var p = 0.5 * (a.pos + b.pos);
    for (var round = 0u; round < 64u; round++) {
        let before = p;
        let la = to_local(a, p - a.pos);
        let ia = clamp(la, -a.size, a.size);
        if any(ia != la) { p = a.pos + to_world(a, ia); }
        let lb = to_local(b, p - b.pos);
        let ib = clamp(lb, -b.size, b.size);
        if any(ib != lb) { p = b.pos + to_world(b, ib); }
        if all(p == before) { break; }
    }
    return p;
}

fn least_overlap(room: ptr<function, Boxes>, size1: vec3r, size2: vec3r, pos21: vec3r, pos12: vec3r, margin: real) -> BoxAxis {
    var best = BoxAxis(margin + 3.0 * (size1.x + size1.y + size1.z + size2.x + size2.y + size2.z), false, false, 0u, 0u, 0u, false);
    let none = best;
    for (var k = 0u; k < 3u; k++) {
        let overlap1 = -abs(pos21[k]) + size1[k] + dot(abs((*room).box_back[k]), size2);
        let overlap2 = -abs(pos12[k]) + size2[k] + dot(abs((*room).box_rot[k]), size1);
        if overlap1 < -margin || overlap2 < -margin { return none; }
        if overlap1 < best.overlap { best = BoxAxis(overlap1, false, false, k + 3u * u32(pos21[k] < 0.0), 0u, 0u, true); }
        if overlap2 < best.overlap { best = BoxAxis(overlap2, false, true, k + 3u * u32(pos12[k] < 0.0), 0u, 0u, true); }
    }
    for (var axis1 = 0u; axis1 < 3u; axis1++) {
        let i = select(0u, 1u, axis1 == 0u);
        let j = select(2u, 1u, axis1 == 2u);
        for (var axis2 = 0u; axis2 < 3u; axis2++) {
            // coordinates i and j of the direction across, but for the sign they share
            var x = -(*room).box_rot[axis2][j];
            var y = (*room).box_rot[axis2][i];
            let length = sqrt(x * x + y * y);
            if length < select(real(1e-4), MINVAL, DOUBLE) { continue; }
            x /= length;
            y /= length;
            let apart = abs(pos21[i] * x + pos21[j] * y);
            let k = select(0u, 1u, axis2 == 0u);
            let l = select(2u, 1u, axis2 == 2u);
            let reach = size1[i] * abs(x) + size1[j] * abs(y) + size2[k] * abs((*room).box_rot[l][axis1]) / length
                + size2[l] * abs((*room).box_rot[k][axis1]) / length;
            let overlap = reach - apart;
            if overlap < -margin { return none; }
            // an edge must be clearly better than what was found before
            if overlap < best.overlap * (1.0 - select(real(1e-5), real(1e-12), DOUBLE)) { best = BoxAxis(overlap, true, false, 0u, axis1, axis2, true); }
        }
    }
    return best;
}

// where a line crosses the sides of a rectangle; with `lifted` the points are half way up to a second line
fn cross_sides(room: ptr<function, Boxes>, start: vec3r, along: vec3r, size: vec3r, lifted: bool, corner: vec3r, edge: vec3r, slope: real, margin: real) {
    for (var q = 0u; q < 2u; q++) {
        if abs(along[q]) <= MINVAL { continue; }
        for (var e = 0u; e < 2u; e++) {
            let side = select(-size[q], size[q], e == 1u);
            let t = (side - start[q]) * (1.0 / along[q]);
            if !(t >= 0.0 && t <= 1.0) { continue; }
            let other = start[1u - q] + along[1u - q] * t;
            if abs(other) > size[1u - q] { continue; }
            if lifted {
                if (corner.z + edge.z * t) * slope > margin { continue; }
                var p = 0.5 * (corner + edge * t);
                p[q] += 0.5 * side;
                p[1u - q] += 0.5 * other;
                box_push(room, p, p.z * slope * 2.0);
            } else {
                let p = start + along * t;
                box_push(room, p, p.z);
            }
        }
    }
}

// a face of one box cut by the side of the other that looks at it
fn box_face(room: ptr<function, Boxes>, a: Shape, b: Shape, pos21: vec3r, pos12: vec3r, best: BoxAxis, margin: real) -> vec3r {
    var owner = a;
    var other = b;
    var pos = pos21;
    var axes = (*room).box_rot;
    if best.second {
        owner = b;
        other = a;
        pos = pos12;
        axes = (*room).box_back;
    }
    let size = abs(turned(best.side, owner.size));
    // the lowest corner of the other box and its edges that are nearly level
    var corner = turned(best.side, pos);
    corner.z -= size.z;
    var e1 = vec3r(0.0);
    var e2 = vec3r(0.0);
    var flat = 0u;
    for (var k = 0u; k < 3u; k++) {
        let axis = turned(best.side, axes[k]);
        let down = select(real(-1.0), real(1.0), axis.z < 0.0);
        corner += axis * (other.size[k] * down);
        if abs(axis.z) < 0.5 && flat < 2u {
            let edge = axis * (-2.0 * down * other.size[k]);
            if flat == 0u { e1 = edge; } else { e2 = edge; }
            flat++;
        }
    }
    let lines = select(flat, 4u, flat == 2u);
    for (var k = 0u; k < lines; k++) {
        let start = corner + select(vec3r(0.0), e1, k == 2u) + select(vec3r(0.0), e2, k == 3u);
        cross_sides(room, start, select(e2, e1, k == 0u || k == 3u), size, false, vec3r(0.0), vec3r(0.0), real(0.0), real(0.0));
    }
    if flat == 2u {
        let det = e1.x * e2.y - e2.x * e1.y;
        for (var k = 0u; k < 4u; k++) {
            let p = vec3r(select(-size.x, size.x, k > 1u), select(-size.y, size.y, (k & 1u) != 0u), 0.0);
            let x = p.x - corner.x;
            let y = p.y - corner.y;
            let u = (x * e2.y - y * e2.x) * (1.0 / det);
            let v = (y * e1.x - x * e1.y) * (1.0 / det);
            if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
                let z = corner.z + u * e1.z + v * e2.z;
                box_push(room, vec3r(p.xy, z), z);
            }
        }
    }
    box_push(room, corner, corner.z);
    for (var k = 0u; k < select(flat, 3u, flat == 2u); k++) {
        let p = corner + select(e1, vec3r(0.0), k == 1u) + select(vec3r(0.0), e2, k > 0u);
        if abs(p.x) < size.x && abs(p.y) < size.y { box_push(room, p, p.z); }
    }
    // back to the world, halfway between the surfaces
    var kept = 0u;
    for (var k = 0u; k < box_count; k++) {
        let p = (*room).box_point[k];
        if p.z > margin { continue; }
        let half_way = vec3r(p.xy, 0.5 * p.z + size.z);
        (*room).box_point[kept] = vec4r(to_world(owner, turned_back(best.side, half_way)) + owner.pos, p.z);
        kept++;
    }
    box_count = kept;
    let normal = to_world(owner, turned_back(best.side, vec3r(0.0, 0.0, 1.0)));
    return select(normal, -normal, best.second);
}

// an edge across an edge: the side of the second box beyond its edge is projected along the normal onto the face
// of the first beyond its edge, and the two are cut with each other; no normal where the geometry degenerates
fn box_edges(room: ptr<function, Boxes>, a: Shape, b: Shape, pos21: vec3r, best: BoxAxis, margin: real, slip: bool) -> vec3r {
    let axis1 = best.axis1;
    let axis2 = best.axis2;
    var axis = vec3r(0.0);
    axis[axis1] = 1.0;
    let across = unit(cross(axis, (*room).box_rot[axis2]));
    let reversed = dot(pos21, across) < 0.0;
    // of the two faces beyond each edge, the one that leans less
    var i = select(0u, 1u, axis1 != 1u);
    var j = select(2u, 0u, axis1 == 2u);
    let leaning1 = select(j, i, abs((*room).box_rot[axis2][i]) < abs((*room).box_rot[axis2][j]));
    i = select(0u, 1u, axis2 != 1u);
    j = select(2u, 0u, axis2 == 2u);
    let lower = abs((*room).box_rot[i][axis1]) < abs((*room).box_rot[j][axis1]);
    let leaning2 = select(j, i, lower);
    let level2 = select(i, j, lower);
    let side = select(leaning1 + 3u, leaning1, (across[leaning1] > 0.0) != reversed);
    let normal = turned(side, across);
    if abs(normal.z) < MINVAL { return vec3r(0.0); }
    let size = abs(turned(side, a.size));
    var centre = turned(side, pos21);
    centre.z -= size.z;
    let along = turned(side, (*room).box_rot[axis2]) * b.size[axis2];
    let level = turned(side, (*room).box_rot[level2]) * b.size[level2] * corner_sign(room, level2, axis1, axis2, reversed);
    let shift = turned(side, (*room).box_rot[leaning2]) * b.size[leaning2] * corner_sign(room, leaning2, axis1, axis2, reversed);
    let edge = centre + level + shift;
    let opposite = centre - level + shift;
    var corners = array<vec3r, 4>(edge + along, edge - along, opposite + along, opposite - along);
    var shadows: array<vec3r, 4>;
    for (var k = 0u; k < 4u; k++) { shadows[k] = corners[k] + normal * (-corners[k].z * (1.0 / normal.z)); }
    let way = select(real(1.0), real(-1.0), reversed);
    let slope = (1.0 / normal.z) * way;

    // the outline of the shadow across that of the face
    let s1 = shadows[1] - shadows[0];
    let s2 = shadows[2] - shadows[0];
    let c1 = corners[1] - corners[0];
    let c2 = corners[2] - corners[0];
    for (var k = 0u; k < 4u; k++) {
        let first = k == 0u || k == 3u;
        let start = shadows[0] + select(vec3r(0.0), s1, k == 2u) + select(vec3r(0.0), s2, k == 3u);
        let begin = corners[0] + select(vec3r(0.0), c1, k == 2u) + select(vec3r(0.0), c2, k == 3u);
        cross_sides(room, start, select(s2, s1, first), size, true, begin, select(c2, c1, first), slope, margin);
    }
    let crossings = box_count;
    // corners of the face below the shadow
    var det = s1.x * s2.y - s2.x * s1.y;
    for (var k = 0u; k < 4u; k++) {
        let p = vec3r(select(-size.x, size.x, k > 1u), select(-size.y, size.y, (k & 1u) != 0u), 0.0);
        let x = p.x - shadows[0].x;
        let y = p.y - shadows[0].y;
        let u = (x * s2.y - y * s2.x) * (1.0 / det);
        let v = (y * s1.x - x * s1.y) * (1.0 / det);
        let past_u = !(u >= 0.0 && u <= 1.0);
        let past_v = !(v >= 0.0 && v <= 1.0);
        if past_u && past_v || crossings > 0u && (past_u || past_v) { continue; }
        let cu = clamp(u, real(0.0), real(1.0));
        let cv = clamp(v, real(0.0), real(1.0));
        let above = corners[0] * (1.0 - cu - cv) + corners[1] * cu + corners[2] * cv;
        let gap = p - above;
        let square = dot(gap, gap);
        if slip { det = square; }
        if above.z > 0.0 && square > margin * margin { continue; }
        box_push(room, 0.5 * (p + above), select(sqrt(square), -sqrt(square), above.z < 0.0));
    }
    let others = box_count;
    // corners of the shadow above the face; all of them where nothing else was found
    for (var k = 0u; k < 4u; k++) {
        let c = corners[k];
        let s = shadows[k];
        let past_x = abs(s.x) > size.x;
        let past_y = abs(s.y) > size.y;
        if select(others > 0u && past_x && past_y, past_x || past_y, crossings > 0u) { continue; }
        let foot = clamp(s.xy, -size.xy, size.xy);
        let d = s.xy - foot;
        let height = c.z * slope;
        let square = d.x * d.x + d.y * d.y + height * height;
        if c.z > 0.0 && square > margin * margin { continue; }
        box_push(room, 0.5 * (vec3r(foot, 0.0) + c), select(sqrt(square), -sqrt(square), c.z < 0.0));
    }
    for (var k = 0u; k < box_count; k++) {
        let p = vec3r((*room).box_point[k].xy, (*room).box_point[k].z + size.z);
        (*room).box_point[k] = vec4r(to_world(a, turned_back(side, p)) + a.pos, (*room).box_point[k].w);
    }
    return to_world(a, turned_back(side, normal)) * way;
}

// on which side of the second box along an axis its edge is
fn corner_sign(room: ptr<function, Boxes>, k: u32, axis1: u32, axis2: u32, reversed: bool) -> real {
    let next = (k + 3u - axis2) % 3u == 1u;
    let positive = (((*room).box_rot[3u - k - axis2][axis1] > 0.0) != reversed) != next;
    return select(real(-1.0), real(1.0), positive);
}

// passes on the points that are near both boxes, each place once
fn box_keep(hits: ptr<function, Touches>, room: ptr<function, Boxes>, a: Shape, b: Shape, margin: real, normal: vec3r) {
    var good = 0u;
    for (var k = 0u; k < box_count; k++) {
        let s1 = box_zone(a, (*room).box_point[k].xyz, margin);
        let s2 = box_zone(b, (*room).box_point[k].xyz, margin);
        let lost = s1 == 2u && s2 != 0u || s2 == 2u && s1 != 0u;
        good |= u32(!lost) << k;
    }
    for (var k = 0u; k < box_count; k++) {
        var keeps = ((good >> k) & 1u) != 0u;
        // the last of equal places stays
        for (var l = k + 1u; keeps && l < box_count; l++) {
            keeps = ((good >> l) & 1u) == 0u || any((*room).box_point[l].xyz != (*room).box_point[k].xyz);
        }
        if keeps { add_touch(hits, (*room).box_point[k].w, (*room).box_point[k].xyz, normal, vec3r(0.0)); }
    }
}

// whether a point is inside a box (0), near its surface (1) or outside (2)
fn box_zone(s: Shape, p: vec3r, margin: real) -> u32 {
    let local = abs(to_local(s, p - s.pos));
    let size = s.size + margin;
    if any(local > size * 1.01) { return 2u; }
    return select(1u, 0u, all(local < size / 1.01));
}
