// Box-box contacts (mjc_BoxBox): separating-axis test, then face clipping or edge-edge contact.

const MAX_BOX_POINTS: u32 = 24u;
// Contact candidates with the distance in w, and the axes of each box in the frame of the other.
struct BoxScratch { points: array<vec4r, MAX_BOX_POINTS>, axes21: array<vec3r, 3>, axes12: array<vec3r, 3> }
var<private> box_npoint: u32;

// Axis of least overlap: a face normal of one box (`side`, `second`), or the cross product of one axis of each box
// (`edges`).
struct BoxAxis { overlap: real, edges: bool, second: bool, side: u32, axis1: u32, axis2: u32, found: bool }

fn add_box_point(ws: ptr<function, BoxScratch>, p: vec3r, dist: real) {
    if box_npoint < MAX_BOX_POINTS {
        (*ws).points[box_npoint] = vec4r(p, dist);
        box_npoint++;
    }
}

// Transforms into the frame in which a face's outward normal is +z, and back. Faces 0 to 2 have positive normals, 3
// to 5 negative ones.
fn to_face_frame(side: u32, v: vec3r) -> vec3r {
    switch side {
        case 0u: { return vec3r(-v.z, v.y, v.x); }
        case 1u: { return vec3r(v.x, -v.z, v.y); }
        case 2u: { return v; }
        case 3u: { return vec3r(v.z, v.y, -v.x); }
        case 4u: { return vec3r(v.x, v.z, -v.y); }
        default: { return vec3r(-v.x, v.y, -v.z); }
    }
}
fn from_face_frame(side: u32, v: vec3r) -> vec3r {
    switch side {
        case 0u: { return vec3r(v.z, v.y, -v.x); }
        case 1u: { return vec3r(v.x, v.z, -v.y); }
        case 2u: { return v; }
        case 3u: { return vec3r(-v.z, v.y, v.x); }
        case 4u: { return vec3r(v.x, -v.z, v.y); }
        default: { return vec3r(-v.x, v.y, -v.z); }
    }
}

fn box_box(contacts: ptr<function, ContactPoints>, ws: ptr<function, BoxScratch>, a: GeomPose, b: GeomPose, margin: real) {
    let delta = b.pos - a.pos;
    let pos21 = to_local(a, delta);
    let pos12 = to_local(b, -delta);
    (*ws).axes21 = array<vec3r, 3>(to_local(a, x_axis(b)), to_local(a, y_axis(b)), to_local(a, z_axis(b)));
    (*ws).axes12 = array<vec3r, 3>(to_local(b, x_axis(a)), to_local(b, y_axis(a)), to_local(b, z_axis(a)));
    let best = min_overlap_axis(ws, a.size, b.size, pos21, pos12, margin);
    if !best.found { return; }
    var normal = vec3r(0.0);
    // First as the reference implementation computes it, including its reuse of `det`; the result is wrong if a
    // contact is deeper than the overlap, and then it is computed again without that reuse.
    for (var reuse_det = 1u; ; reuse_det--) {
        pair_ncon = 0u;
        box_npoint = 0u;
        if best.edges {
            normal = box_edge_contact(ws, a, b, pos21, best, margin, reuse_det == 1u);
            if dot(normal, normal) == 0.0 { return; }
        } else {
            normal = box_face_contact(ws, a, b, pos21, pos12, best, margin);
        }
        filter_box_points(contacts, ws, a, b, margin, normal);
        var deep = false;
        for (var k = 0u; k < min(pair_ncon, MAX_PAIR_CONTACTS); k++) {
            deep = deep || (*contacts)[k].dist < -best.overlap - 1e-6 * abs(best.overlap);
        }
        if !deep || reuse_det == 0u { break; }
    }
    // Deeply overlapping boxes may have no corner or crossing inside both.
    if best.overlap > 0.0 && pair_ncon == 0u { add_contact(contacts, -best.overlap, common_point(a, b), normal, vec3r(0.0)); }
}

fn common_point(a: GeomPose, b: GeomPose) -> vec3r {
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

fn min_overlap_axis(ws: ptr<function, BoxScratch>, size1: vec3r, size2: vec3r, pos21: vec3r, pos12: vec3r, margin: real) -> BoxAxis {
    var best = BoxAxis(margin + 3.0 * (size1.x + size1.y + size1.z + size2.x + size2.y + size2.z), false, false, 0u, 0u, 0u, false);
    let none = best;
    for (var k = 0u; k < 3u; k++) {
        let overlap1 = -abs(pos21[k]) + size1[k] + dot(abs((*ws).axes12[k]), size2);
        let overlap2 = -abs(pos12[k]) + size2[k] + dot(abs((*ws).axes21[k]), size1);
        if overlap1 < -margin || overlap2 < -margin { return none; }
        if overlap1 < best.overlap { best = BoxAxis(overlap1, false, false, k + 3u * u32(pos21[k] < 0.0), 0u, 0u, true); }
        if overlap2 < best.overlap { best = BoxAxis(overlap2, false, true, k + 3u * u32(pos12[k] < 0.0), 0u, 0u, true); }
    }
    for (var axis1 = 0u; axis1 < 3u; axis1++) {
        let i = select(0u, 1u, axis1 == 0u);
        let j = select(2u, 1u, axis1 == 2u);
        for (var axis2 = 0u; axis2 < 3u; axis2++) {
            // Components i and j of the normalised cross product, up to a common sign.
            var x = -(*ws).axes21[axis2][j];
            var y = (*ws).axes21[axis2][i];
            let length = sqrt(x * x + y * y);
            if length < select(real(1e-4), MINVAL, IS_DOUBLE) { continue; }
            x /= length;
            y /= length;
            let center_dist = abs(pos21[i] * x + pos21[j] * y);
            let k = select(0u, 1u, axis2 == 0u);
            let l = select(2u, 1u, axis2 == 2u);
            let extent = size1[i] * abs(x) + size1[j] * abs(y) + size2[k] * abs((*ws).axes21[l][axis1]) / length
                + size2[l] * abs((*ws).axes21[k][axis1]) / length;
            let overlap = extent - center_dist;
            if overlap < -margin { return none; }
            // An edge axis must be clearly better than the best face axis.
            if overlap < best.overlap * (1.0 - select(real(1e-5), real(1e-12), IS_DOUBLE)) { best = BoxAxis(overlap, true, false, 0u, axis1, axis2, true); }
        }
    }
    return best;
}

// Intersections of a segment with the sides of a rectangle. With `lifted`, points lie half way between the segment
// and a second one.
fn clip_to_rectangle(ws: ptr<function, BoxScratch>, start: vec3r, along: vec3r, size: vec3r, lifted: bool, corner: vec3r, edge: vec3r, slope: real, margin: real) {
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
                add_box_point(ws, p, p.z * slope * 2.0);
            } else {
                let p = start + along * t;
                add_box_point(ws, p, p.z);
            }
        }
    }
}

// Clips the incident face of one box against the reference face of the other.
fn box_face_contact(ws: ptr<function, BoxScratch>, a: GeomPose, b: GeomPose, pos21: vec3r, pos12: vec3r, best: BoxAxis, margin: real) -> vec3r {
    var owner = a;
    var other = b;
    var pos = pos21;
    var axes = (*ws).axes21;
    if best.second {
        owner = b;
        other = a;
        pos = pos12;
        axes = (*ws).axes12;
    }
    let size = abs(to_face_frame(best.side, owner.size));
    // Lowest corner of the other box and its edges that are nearly parallel to the face.
    var corner = to_face_frame(best.side, pos);
    corner.z -= size.z;
    var e1 = vec3r(0.0);
    var e2 = vec3r(0.0);
    var level_edges = 0u;
    for (var k = 0u; k < 3u; k++) {
        let axis = to_face_frame(best.side, axes[k]);
        let down = select(real(-1.0), real(1.0), axis.z < 0.0);
        corner += axis * (other.size[k] * down);
        if abs(axis.z) < 0.5 && level_edges < 2u {
            let edge = axis * (-2.0 * down * other.size[k]);
            if level_edges == 0u { e1 = edge; } else { e2 = edge; }
            level_edges++;
        }
    }
    let lines = select(level_edges, 4u, level_edges == 2u);
    for (var k = 0u; k < lines; k++) {
        let start = corner + select(vec3r(0.0), e1, k == 2u) + select(vec3r(0.0), e2, k == 3u);
        clip_to_rectangle(ws, start, select(e2, e1, k == 0u || k == 3u), size, false, vec3r(0.0), vec3r(0.0), real(0.0), real(0.0));
    }
    if level_edges == 2u {
        let det = e1.x * e2.y - e2.x * e1.y;
        for (var k = 0u; k < 4u; k++) {
            let p = vec3r(select(-size.x, size.x, k > 1u), select(-size.y, size.y, (k & 1u) != 0u), 0.0);
            let x = p.x - corner.x;
            let y = p.y - corner.y;
            let u = (x * e2.y - y * e2.x) * (1.0 / det);
            let v = (y * e1.x - x * e1.y) * (1.0 / det);
            if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
                let z = corner.z + u * e1.z + v * e2.z;
                add_box_point(ws, vec3r(p.xy, z), z);
            }
        }
    }
    add_box_point(ws, corner, corner.z);
    for (var k = 0u; k < select(level_edges, 3u, level_edges == 2u); k++) {
        let p = corner + select(e1, vec3r(0.0), k == 1u) + select(vec3r(0.0), e2, k > 0u);
        if abs(p.x) < size.x && abs(p.y) < size.y { add_box_point(ws, p, p.z); }
    }
    // Back to the world frame, half way between the two surfaces.
    var kept = 0u;
    for (var k = 0u; k < box_npoint; k++) {
        let p = (*ws).points[k];
        if p.z > margin { continue; }
        let half_way = vec3r(p.xy, 0.5 * p.z + size.z);
        (*ws).points[kept] = vec4r(to_world(owner, from_face_frame(best.side, half_way)) + owner.pos, p.z);
        kept++;
    }
    box_npoint = kept;
    let normal = to_world(owner, from_face_frame(best.side, vec3r(0.0, 0.0, 1.0)));
    return select(normal, -normal, best.second);
}

// Edge-edge contact: the face of box 2 adjacent to its edge is projected along the normal onto the face of box 1
// adjacent to its edge, and the two polygons are clipped. Returns a zero normal if the geometry is degenerate.
fn box_edge_contact(ws: ptr<function, BoxScratch>, a: GeomPose, b: GeomPose, pos21: vec3r, best: BoxAxis, margin: real, reuse_det: bool) -> vec3r {
    let axis1 = best.axis1;
    let axis2 = best.axis2;
    var axis = vec3r(0.0);
    axis[axis1] = 1.0;
    let across = unit(cross(axis, (*ws).axes21[axis2]));
    let reversed = dot(pos21, across) < 0.0;
    // Of the two faces adjacent to each edge, the one with the smaller angle to the normal.
    var i = select(0u, 1u, axis1 != 1u);
    var j = select(2u, 0u, axis1 == 2u);
    let face_axis1 = select(j, i, abs((*ws).axes21[axis2][i]) < abs((*ws).axes21[axis2][j]));
    i = select(0u, 1u, axis2 != 1u);
    j = select(2u, 0u, axis2 == 2u);
    let lower = abs((*ws).axes21[i][axis1]) < abs((*ws).axes21[j][axis1]);
    let face_axis2 = select(j, i, lower);
    let edge_axis2 = select(i, j, lower);
    let side = select(face_axis1 + 3u, face_axis1, (across[face_axis1] > 0.0) != reversed);
    let normal = to_face_frame(side, across);
    if abs(normal.z) < MINVAL { return vec3r(0.0); }
    let size = abs(to_face_frame(side, a.size));
    var centre = to_face_frame(side, pos21);
    centre.z -= size.z;
    let along = to_face_frame(side, (*ws).axes21[axis2]) * b.size[axis2];
    let level = to_face_frame(side, (*ws).axes21[edge_axis2]) * b.size[edge_axis2] * edge_side(ws, edge_axis2, axis1, axis2, reversed);
    let shift = to_face_frame(side, (*ws).axes21[face_axis2]) * b.size[face_axis2] * edge_side(ws, face_axis2, axis1, axis2, reversed);
    let edge = centre + level + shift;
    let opposite = centre - level + shift;
    var corners = array<vec3r, 4>(edge + along, edge - along, opposite + along, opposite - along);
    var projected: array<vec3r, 4>;
    for (var k = 0u; k < 4u; k++) { projected[k] = corners[k] + normal * (-corners[k].z * (1.0 / normal.z)); }
    let flip = select(real(1.0), real(-1.0), reversed);
    let slope = (1.0 / normal.z) * flip;

    // Outline of the projected face against the outline of the reference face.
    let s1 = projected[1] - projected[0];
    let s2 = projected[2] - projected[0];
    let c1 = corners[1] - corners[0];
    let c2 = corners[2] - corners[0];
    for (var k = 0u; k < 4u; k++) {
        let first = k == 0u || k == 3u;
        let start = projected[0] + select(vec3r(0.0), s1, k == 2u) + select(vec3r(0.0), s2, k == 3u);
        let begin = corners[0] + select(vec3r(0.0), c1, k == 2u) + select(vec3r(0.0), c2, k == 3u);
        clip_to_rectangle(ws, start, select(s2, s1, first), size, true, begin, select(c2, c1, first), slope, margin);
    }
    let crossings = box_npoint;
    // Corners of the reference face below the projected face.
    var det = s1.x * s2.y - s2.x * s1.y;
    for (var k = 0u; k < 4u; k++) {
        let p = vec3r(select(-size.x, size.x, k > 1u), select(-size.y, size.y, (k & 1u) != 0u), 0.0);
        let x = p.x - projected[0].x;
        let y = p.y - projected[0].y;
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
        if reuse_det { det = square; }
        if above.z > 0.0 && square > margin * margin { continue; }
        add_box_point(ws, 0.5 * (p + above), select(sqrt(square), -sqrt(square), above.z < 0.0));
    }
    let others = box_npoint;
    // Corners of the projected face above the reference face; all of them if nothing else was found.
    for (var k = 0u; k < 4u; k++) {
        let c = corners[k];
        let s = projected[k];
        let past_x = abs(s.x) > size.x;
        let past_y = abs(s.y) > size.y;
        if select(others > 0u && past_x && past_y, past_x || past_y, crossings > 0u) { continue; }
        let foot = clamp(s.xy, -size.xy, size.xy);
        let d = s.xy - foot;
        let height = c.z * slope;
        let square = d.x * d.x + d.y * d.y + height * height;
        if c.z > 0.0 && square > margin * margin { continue; }
        add_box_point(ws, 0.5 * (vec3r(foot, 0.0) + c), select(sqrt(square), -sqrt(square), c.z < 0.0));
    }
    for (var k = 0u; k < box_npoint; k++) {
        let p = vec3r((*ws).points[k].xy, (*ws).points[k].z + size.z);
        (*ws).points[k] = vec4r(to_world(a, from_face_frame(side, p)) + a.pos, (*ws).points[k].w);
    }
    return to_world(a, from_face_frame(side, normal)) * flip;
}

// Side of box 2 along an axis on which its edge lies.
fn edge_side(ws: ptr<function, BoxScratch>, k: u32, axis1: u32, axis2: u32, reversed: bool) -> real {
    let next = (k + 3u - axis2) % 3u == 1u;
    let positive = (((*ws).axes21[3u - k - axis2][axis1] > 0.0) != reversed) != next;
    return select(real(-1.0), real(1.0), positive);
}

// Removes the candidates that are outside of one box and not inside the other, and duplicates.
fn filter_box_points(contacts: ptr<function, ContactPoints>, ws: ptr<function, BoxScratch>, a: GeomPose, b: GeomPose, margin: real, normal: vec3r) {
    var good = 0u;
    for (var k = 0u; k < box_npoint; k++) {
        let s1 = box_region(a, (*ws).points[k].xyz, margin);
        let s2 = box_region(b, (*ws).points[k].xyz, margin);
        let lost = s1 == 2u && s2 != 0u || s2 == 2u && s1 != 0u;
        good |= u32(!lost) << k;
    }
    for (var k = 0u; k < box_npoint; k++) {
        var keeps = ((good >> k) & 1u) != 0u;
        // Of coincident points the last one is kept.
        for (var l = k + 1u; keeps && l < box_npoint; l++) {
            keeps = ((good >> l) & 1u) == 0u || any((*ws).points[l].xyz != (*ws).points[k].xyz);
        }
        if keeps { add_contact(contacts, (*ws).points[k].w, (*ws).points[k].xyz, normal, vec3r(0.0)); }
    }
}

// Region of a point relative to a box that is inflated by the margin: inside (0), within 1 % of the
// surface (1), outside (2).
fn box_region(s: GeomPose, p: vec3r, margin: real) -> u32 {
    let local = abs(to_local(s, p - s.pos));
    let size = s.size + margin;
    if any(local > size * 1.01) { return 2u; }
    return select(1u, 0u, all(local < size / 1.01));
}
