// Several points of contact from one query: the two faces, or the face and the edge, on which boxes or meshes lie
// against each other, cut by one another.

// one, two or three different corners of a solid that a query ended on
struct Corners { count: u32, id: vec3<u32>, first: vec3r, second: vec3r }
// faces that hold all of them: so many from a place of the tables on, or three by number
struct Faces { count: u32, start: u32, id: vec3<u32> }

// a polygon and the one it is cut to
var<private> clipped: array<vec3r, 2u * CLIP>;

// cosine of the angle up to which two faces lie flat on each other, sine of that of an edge on a face (1.6 mrad)
const FACE_COSINE: real = 0.99999872;
const EDGE_SINE: real = 0.00159999931;

fn distinct(id: vec3<u32>, a: vec3r, b: vec3r, c: vec3r) -> Corners {
    if id.x != id.y { return Corners(select(3u, 2u, id.z == id.x || id.z == id.y), id, a, b); }
    if id.x != id.z { return Corners(2u, vec3<u32>(id.x, id.z, id.z), a, c); }
    return Corners(1u, id, a, b);
}

fn has_faces(s: ptr<private, Solid>) -> bool {
    if HAS_MESH && (*s).form == FORM_MESH { return ti[(*s).mesh + 6u] > 0u; }
    return (*s).form == FORM_BOX;
}

fn around(mesh: u32, vertex: u32) -> vec2<u32> {
    let at = ti[mesh + 5u] + vertex;
    return vec2<u32>(ti[at], ti[at + 1u]);
}
fn is_around(mesh: u32, vertex: u32, face: u32) -> bool {
    let range = around(mesh, vertex);
    for (var k = range.x; k < range.y; k++) { if ti[k] == face { return true; } }
    return false;
}

// the faces that hold all corners; `dir` is the contact's direction out of them
fn faces_of(s: ptr<private, Solid>, c: Corners, dir: vec3r) -> Faces {
    var out = Faces(0u, NONE, vec3<u32>(0u));
    if HAS_MESH && (*s).form == FORM_MESH {
        let mesh = (*s).mesh;
        let first = around(mesh, c.id.x);
        if c.count == 1u { return Faces(first.y - first.x, first.x, vec3<u32>(0u)); }
        // two corners share two faces at most, three one
        var both = 0u;
        for (var k = first.x; k < first.y && both < 2u; k++) {
            let face = ti[k];
            if !is_around(mesh, c.id.y, face) { continue; }
            both++;
            if c.count == 3u && !is_around(mesh, c.id.z, face) { continue; }
            out.id[out.count] = face;
            out.count++;
            if c.count == 3u { break; }
        }
        return out;
    }
    // the bits in which all corners of a box are alike
    var high = c.id.x;
    var low = ~c.id.x;
    if c.count > 1u { high &= c.id.y; low &= ~c.id.y; }
    if c.count > 2u { high &= c.id.z; low &= ~c.id.z; }
    for (var axis = 0u; axis < 3u; axis++) {
        if (((high | low) >> axis) & 1u) == 0u { continue; }
        out.id[out.count] = 2u * axis + ((low >> axis) & 1u);
        out.count++;
    }
    if out.count == 4u - c.count { return out; }
    // they are not on a corner, an edge or a side: ask the direction
    out.count = 0u;
    var local = vec3r(dot((*s).x, dir), dot((*s).y, dir), dot((*s).z, dir));
    local /= sqrt(dot(local, local));
    for (var side = 0u; side < 6u && out.count == 0u; side++) {
        let along = local[side >> 1u];
        if select(along, -along, (side & 1u) == 1u) > FACE_COSINE { out.id[0] = side; out.count = 1u; }
    }
    return out;
}

fn face_number(list: Faces, k: u32) -> u32 {
    if list.start != NONE { return ti[list.start + k]; }
    return list.id[k];
}

fn axis_of(s: ptr<private, Solid>, k: u32) -> vec3r {
    if k == 0u { return (*s).x; }
    if k == 1u { return (*s).y; }
    return (*s).z;
}

fn face_normal(s: ptr<private, Solid>, face: u32) -> vec3r {
    if HAS_MESH && (*s).form == FORM_MESH {
        let at = ti[(*s).mesh + 3u] + 3u * face;
        return (*s).x * tf[at] + (*s).y * tf[at + 1u] + (*s).z * tf[at + 2u];
    }
    let axis = axis_of(s, face >> 1u);
    return select(axis, -axis, (face & 1u) == 1u);
}

fn face_size(s: ptr<private, Solid>, face: u32) -> u32 {
    if HAS_MESH && (*s).form == FORM_MESH {
        let at = ti[(*s).mesh + 4u] + face;
        return min(ti[at + 1u] - ti[at], CLIP / 2u);
    }
    return 4u;
}

fn solid_point(s: ptr<private, Solid>, p: vec3r) -> vec3r {
    return (*s).x * p.x + (*s).y * p.y + (*s).z * p.z + (*s).pos;
}

// a corner of a face, in the order that makes its cutting planes point inward
fn face_corner(s: ptr<private, Solid>, face: u32, k: u32) -> vec3r {
    if HAS_MESH && (*s).form == FORM_MESH {
        let at = ti[(*s).mesh + 4u] + face;
        return solid_point(s, mesh_vertex((*s).mesh, ti[ti[at] + face_size(s, face) - 1u - k]));
    }
    // the side's own corners in turn: bits of the positive coordinates, four bits each
    var sides = array<u32, 6>(0x5137u, 0x0462u, 0x6732u, 0x0154u, 0x4576u, 0x1023u);
    return solid_point(s, corner_of((*s).size, (sides[face] >> (4u * k)) & 15u));
}

// edges that hold all corners, by their far ends
fn edge_count(s: ptr<private, Solid>, c: Corners) -> u32 {
    if c.count == 2u { return 1u; }
    if HAS_MESH && (*s).form == FORM_MESH {
        let range = around((*s).mesh, c.id.x);
        return range.y - range.x;
    }
    return 3u;
}
fn edge_end(s: ptr<private, Solid>, c: Corners, k: u32) -> vec3r {
    if c.count == 2u { return c.second; }
    if HAS_MESH && (*s).form == FORM_MESH {
        // the corner before this one on a polygon
        let mesh = (*s).mesh;
        let at = ti[mesh + 4u] + ti[around(mesh, c.id.x).x + k];
        var before = ti[ti[at + 1u] - 1u];
        for (var i = ti[at]; i < ti[at + 1u]; i++) {
            if ti[i] == c.id.x { break; }
            before = ti[i];
        }
        return solid_point(s, mesh_vertex(mesh, before));
    }
    return solid_point(s, corner_of((*s).size, c.id.x ^ (1u << k)));
}

// replaces the one pair of points by several, if the solids touch along a face
fn spread(most: u32) {
    if !has_faces(&solid_a) || !has_faces(&solid_b) { return; }
    let u = epa_vertex[epa_face.x];
    let v = epa_vertex[epa_face.y];
    let t = epa_vertex[epa_face.z];
    let out_of_b = witness_b[0] - witness_a[0];
    let depth = sqrt(dot(out_of_b, out_of_b));
    let ca = distinct(vec3<u32>(u.id.x, v.id.x, t.id.x), u.a, v.a, t.a);
    let cb = distinct(vec3<u32>(u.id.y, v.id.y, t.id.y), u.b, v.b, t.b);
    let fa = faces_of(&solid_a, ca, -out_of_b);
    let fb = faces_of(&solid_b, cb, out_of_b);
    // the first two faces that face each other
    for (var i = 0u; i < fa.count; i++) {
        let n = face_normal(&solid_a, face_number(fa, i));
        for (var j = 0u; j < fb.count; j++) {
            let face = face_number(fb, j);
            let m = face_normal(&solid_b, face);
            if !(dot(n, m) < -FACE_COSINE) { continue; }
            let count = face_size(&solid_b, face);
            for (var k = 0u; k < count; k++) { clipped[k] = face_corner(&solid_b, face, k); }
            clip(&solid_a, face_number(fa, i), count, n, m * depth, most);
            return;
        }
    }
    // or the first edge that lies in a face
    if ca.count < 3u && ca.count <= cb.count {
        lay_edge(&solid_a, ca, u.a, &solid_b, fb, depth, most);
    } else if cb.count < 3u {
        lay_edge(&solid_b, cb, u.b, &solid_a, fa, -depth, most);
    }
}

fn lay_edge(s: ptr<private, Solid>, c: Corners, start: vec3r, other: ptr<private, Solid>, list: Faces, depth: real, most: u32) {
    let edges = edge_count(s, c);
    for (var j = 0u; j < list.count; j++) {
        let face = face_number(list, j);
        let n = face_normal(other, face);
        for (var i = 0u; i < edges; i++) {
            let end = edge_end(s, c, i);
            if !(abs(dot(unit(end - c.first), n)) < EDGE_SINE) { continue; }
            clipped[0] = start;
            clipped[1] = end;
            clip(other, face, 2u, n, n * depth, most);
            return;
        }
    }
}

// cuts a polygon by the planes that stand on the edges of a face, along its normal, and makes its corners
// witnesses that are `depth` apart; leaves the witnesses alone if nothing remains
fn clip(s: ptr<private, Solid>, face: u32, subject: u32, normal: vec3r, depth: vec3r, most: u32) {
    let sides = face_size(s, face);
    if sides < 3u { return; }
    var count = subject;
    var now = 0u;
    var corner = face_corner(s, face, 0u);
    for (var k = 0u; k < sides; k++) {
        let end = face_corner(s, face, select(k + 1u, 0u, k + 1u == sides));
        let inward = cross(end - corner, normal);
        let offset = dot(inward, corner);
        let next = CLIP - now;
        var kept = 0u;
        for (var i = 0u; i < count; i++) {
            let p = clipped[now + i];
            let q = clipped[now + select(i + 1u, 0u, i + 1u == count)];
            let p_in = dot(p - corner, inward) > -MINVAL;
            let q_in = dot(q - corner, inward) > -MINVAL;
            let rate = dot(inward, q - p);
            if p_in != q_in && rate != 0.0 {
                let t = (offset - dot(inward, p)) / rate;
                if t >= 0.0 && t <= 1.0 && kept < CLIP { clipped[next + kept] = p + (q - p) * t; kept++; }
            }
            if q_in && kept < CLIP { clipped[next + kept] = q; kept++; }
        }
        now = next;
        count = kept;
        corner = end;
    }
    if count == 0u { return; }
    witnesses = 0u;
    if count > 4u {
        let chosen = widest_four(now, count);
        for (var k = 0u; k < 4u; k++) { witness_b[k] = clipped[now + chosen[k]]; witness_a[k] = witness_b[k] - depth; }
        witnesses = 4u;
        return;
    }
    // corners that fell together count once
    for (var k = 0u; k < count; k++) {
        let p = clipped[now + k];
        var known = false;
        for (var i = 0u; i < witnesses; i++) { known = known || all(abs(witness_b[i] - p) < vec3r(MINVAL)); }
        if known { continue; }
        witness_b[witnesses] = p;
        witness_a[witnesses] = p - depth;
        witnesses++;
    }
}

fn quad_area(at: u32, k: vec4<u32>) -> real {
    let a = clipped[at + k.x];
    let b = clipped[at + k.y];
    let c = clipped[at + k.z];
    let d = clipped[at + k.w];
    let n = cross(d - a, b - d) + cross(c - b, a - c);
    return 0.5 * sqrt(dot(n, n));
}

// four corners of a polygon of at least five whose quadrilateral is about the largest: each corner in turn is the
// first, and the others move on as long as that adds area
fn widest_four(at: u32, n: u32) -> vec4<u32> {
    var now = vec4<u32>(0u, 1u, 2u, 3u);
    var best = now;
    var largest = quad_area(at, now);
    for (var first = 0u; first < n; first++) {
        now.x = first;
        var which = 3u;
        loop {
            var moved = now;
            moved[which] = (moved[which] + 1u) % n;
            let area = quad_area(at, moved);
            let grows = area > largest;
            if grows { largest = area; now = moved; best = moved; }
            // the fourth moves a step, then the third and the second as far as they can
            if which == 3u { if !grows { break; } which = 2u; }
            else if !grows { which = select(3u, 1u, which == 2u); }
        }
        for (var k = 1u; k < 4u; k++) {
            if now[k] != now[k - 1u] { break; }
            now[k] = (now[k] + 1u) % n;
        }
    }
    return best;
}
