// Several points of contact from one query: the two faces, or the face and the edge, on which boxes or meshes lie
// against each other, cut by one another.

// one, two or three different corners of a solid that a query ended on
struct Corners { count: u32, id: vec3<u32>, first: vec3r, second: vec3r }
// faces that hold all of them: so many from a place of the tables on, or three by number
struct Faces { count: u32, start: u32, id: vec3<u32> }

// `clipped`: a polygon and the one it is cut to

// cosine of the angle up to which two faces lie flat on each other, sine of that of an edge on a face (1.6 mrad)
const FACE_COSINE: real = 0.99999872;
const EDGE_SINE: real = 0.00159999931;

fn distinct(id: vec3<u32>, a: vec3r, b: vec3r, c: vec3r) -> Corners {
    if id.x != id.y { return Corners(select(3u, 2u, id.z == id.x || id.z == id.y), id, a, b); }
    if id.x != id.z { return Corners(2u, vec3<u32>(id.x, id.z, id.z), a, c); }
    return Corners(1u, id, a, b);
}

fn has_faces(room: ptr<function, Solids>, which: u32) -> bool {
    if HAS_MESH && (*room).solids[which].form == FORM_MESH { return ti[(*room).solids[which].mesh + 6u] > 0u; }
    return (*room).solids[which].form == FORM_BOX;
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
fn faces_of(room: ptr<function, Solids>, which: u32, c: Corners, dir: vec3r) -> Faces {
    var out = Faces(0u, NONE, vec3<u32>(0u));
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        let mesh = (*room).solids[which].mesh;
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
    var local = vec3r(dot((*room).solids[which].x, dir), dot((*room).solids[which].y, dir), dot((*room).solids[which].z, dir));
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

fn axis_of(room: ptr<function, Solids>, which: u32, k: u32) -> vec3r {
    if k == 0u { return (*room).solids[which].x; }
    if k == 1u { return (*room).solids[which].y; }
    return (*room).solids[which].z;
}

fn face_normal(room: ptr<function, Solids>, which: u32, face: u32) -> vec3r {
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        let at = ti[(*room).solids[which].mesh + 3u] + 3u * face;
        return (*room).solids[which].x * tf[at] + (*room).solids[which].y * tf[at + 1u] + (*room).solids[which].z * tf[at + 2u];
    }
    let axis = axis_of(room, which, face >> 1u);
    return select(axis, -axis, (face & 1u) == 1u);
}

fn face_size(room: ptr<function, Solids>, which: u32, face: u32) -> u32 {
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        let at = ti[(*room).solids[which].mesh + 4u] + face;
        return min(ti[at + 1u] - ti[at], CLIP / 2u);
    }
    return 4u;
}

fn solid_point(room: ptr<function, Solids>, which: u32, p: vec3r) -> vec3r {
    return (*room).solids[which].x * p.x + (*room).solids[which].y * p.y + (*room).solids[which].z * p.z + (*room).solids[which].pos;
}

// a corner of a face, in the order that makes its cutting planes point inward
fn face_corner(room: ptr<function, Solids>, which: u32, face: u32, k: u32) -> vec3r {
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        let at = ti[(*room).solids[which].mesh + 4u] + face;
        return solid_point(room, which, mesh_vertex((*room).solids[which].mesh, ti[ti[at] + face_size(room, which, face) - 1u - k]));
    }
    // the side's own corners in turn: bits of the positive coordinates, four bits each
    var sides = array<u32, 6>(0x5137u, 0x0462u, 0x6732u, 0x0154u, 0x4576u, 0x1023u);
    return solid_point(room, which, corner_of((*room).solids[which].size, (sides[face] >> (4u * k)) & 15u));
}

// edges that hold all corners, by their far ends
fn edge_count(room: ptr<function, Solids>, which: u32, c: Corners) -> u32 {
    if c.count == 2u { return 1u; }
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        let range = around((*room).solids[which].mesh, c.id.x);
        return range.y - range.x;
    }
    return 3u;
}
fn edge_end(room: ptr<function, Solids>, which: u32, c: Corners, k: u32) -> vec3r {
    if c.count == 2u { return c.second; }
    if HAS_MESH && (*room).solids[which].form == FORM_MESH {
        // the corner before this one on a polygon
        let mesh = (*room).solids[which].mesh;
        let at = ti[mesh + 4u] + ti[around(mesh, c.id.x).x + k];
        var before = ti[ti[at + 1u] - 1u];
        for (var i = ti[at]; i < ti[at + 1u]; i++) {
            if ti[i] == c.id.x { break; }
            before = ti[i];
        }
        return solid_point(room, which, mesh_vertex(mesh, before));
    }
    return solid_point(room, which, corner_of((*room).solids[which].size, c.id.x ^ (1u << k)));
}

fn epa_corner(poly: ptr<function, Polytope>, k: u32, which: u32) -> vec3r {
    return (*poly).point_a[k] - select(vec3r(0.0), (*poly).point_p[k], which == 1u);
}

// replaces the one pair of points by several, if the solids touch along a face
fn lay_faces(room: ptr<function, Solids>, poly: ptr<function, Polytope>, most: u32) {
    if !has_faces(room, 0u) || !has_faces(room, 1u) { return; }
    let out_of_b = (*room).witness_b[0] - (*room).witness_a[0];
    let length = sqrt(dot(out_of_b, out_of_b));
    var corners: array<Corners, 2>;
    var list: array<Faces, 2>;
    for (var k = 0u; k < 2u; k++) {
        let id = vec3<u32>((*poly).point_id[epa_face.x][k], (*poly).point_id[epa_face.y][k], (*poly).point_id[epa_face.z][k]);
        corners[k] = distinct(id, epa_corner(poly, epa_face.x, k), epa_corner(poly, epa_face.y, k), epa_corner(poly, epa_face.z, k));
        list[k] = faces_of(room, k, corners[k], select(-out_of_b, out_of_b, k == 1u));
    }
    // the first two faces that face each other
    for (var i = 0u; i < list[0].count; i++) {
        let n = face_normal(room, 0u, face_number(list[0], i));
        for (var j = 0u; j < list[1].count; j++) {
            let m = face_normal(room, 1u, face_number(list[1], j));
            if dot(n, m) < -FACE_COSINE {
                clip(room, poly, 0u, face_number(list[0], i), face_number(list[1], j), vec3r(0.0), n, m * length);
                return;
            }
        }
    }
    // or the first edge that lies in a face
    var edge = 1u;
    if corners[0].count < 3u && corners[0].count <= corners[1].count { edge = 0u; }
    let own = corners[edge];
    if own.count == 3u { return; }
    let edges = edge_count(room, edge, own);
    for (var j = 0u; j < list[1u - edge].count; j++) {
        let face = face_number(list[1u - edge], j);
        let n = face_normal(room, 1u - edge, face);
        for (var i = 0u; i < edges; i++) {
            let end = edge_end(room, edge, own, i);
            if abs(dot(unit(end - own.first), n)) < EDGE_SINE {
                (*poly).face_point[0] = vec4r(epa_corner(poly, epa_face.x, edge), 0.0);
                clip(room, poly, 1u - edge, face, NONE, end, n, n * select(length, -length, edge == 1u));
                return;
            }
        }
    }
}

// corners of a polygon, which goes around in CLIP places and two more
fn corner_place(k: u32) -> u32 { return select(k, k - (CLIP + 2u), k >= CLIP + 2u); }
fn clipped(poly: ptr<function, Polytope>, k: u32) -> vec3r { return (*poly).face_point[corner_place(k)].xyz; }

// cuts a face of the other solid, or an edge to `end`, by the planes that stand on the edges of a face, along its
// normal, and makes its corners witnesses that are `depth` apart; leaves those alone if nothing remains
fn clip(room: ptr<function, Solids>, poly: ptr<function, Polytope>, which: u32, face: u32, subject: u32, end: vec3r, normal: vec3r, depth: vec3r) {
    let sides = face_size(room, which, face);
    if sides < 3u { return; }
    var count = 2u;
    (*poly).face_point[1] = vec4r(end, 0.0);
    if subject != NONE {
        count = face_size(room, 1u - which, subject);
        for (var k = 0u; k < count; k++) { (*poly).face_point[k] = vec4r(face_corner(room, 1u - which, subject, k), 0.0); }
    }
    // each cut takes corners from the front and puts those that remain behind them
    var now = 0u;
    var corner = face_corner(room, which, face, 0u);
    for (var k = 0u; k < sides; k++) {
        let next_corner = face_corner(room, which, face, select(k + 1u, 0u, k + 1u == sides));
        let inward = cross(next_corner - corner, normal);
        let offset = dot(inward, corner);
        let next = corner_place(now + count);
        var kept = 0u;
        let first = clipped(poly, now);
        var p = first;
        for (var i = 0u; i < count; i++) {
            var q = first;
            if i + 1u < count { q = clipped(poly, now + i + 1u); }
            let most = min(CLIP, CLIP + 3u + i - count);
            let p_in = dot(p - corner, inward) > -MINVAL;
            let q_in = dot(q - corner, inward) > -MINVAL;
            let rate = dot(inward, q - p);
            if p_in != q_in && rate != 0.0 {
                let t = (offset - dot(inward, p)) / rate;
                if t >= 0.0 && t <= 1.0 && kept < most { (*poly).face_point[corner_place(next + kept)] = vec4r(p + (q - p) * t, 0.0); kept++; }
            }
            if q_in && kept < most { (*poly).face_point[corner_place(next + kept)] = vec4r(q, 0.0); kept++; }
            p = q;
        }
        now = next;
        count = kept;
        corner = next_corner;
    }
    if count == 0u { return; }
    witnesses = 0u;
    if count > 4u {
        let chosen = widest_four(poly, now, count);
        for (var k = 0u; k < 4u; k++) { (*room).witness_b[k] = clipped(poly, now + chosen[k]); (*room).witness_a[k] = (*room).witness_b[k] - depth; }
        witnesses = 4u;
        return;
    }
    // corners that fell together count once
    for (var k = 0u; k < count; k++) {
        let p = clipped(poly, now + k);
        var known = false;
        for (var i = 0u; i < witnesses; i++) { known = known || all(abs((*room).witness_b[i] - p) < vec3r(MINVAL)); }
        if known { continue; }
        (*room).witness_b[witnesses] = p;
        (*room).witness_a[witnesses] = p - depth;
        witnesses++;
    }
}

fn quad_area(poly: ptr<function, Polytope>, at: u32, k: vec4<u32>) -> real {
    let a = clipped(poly, at + k.x);
    let b = clipped(poly, at + k.y);
    let c = clipped(poly, at + k.z);
    let d = clipped(poly, at + k.w);
    let n = cross(d - a, b - d) + cross(c - b, a - c);
    return 0.5 * sqrt(dot(n, n));
}

// four corners of a polygon of at least five whose quadrilateral is about the largest: each corner in turn is the
// first, and the others move on as long as that adds area
fn widest_four(poly: ptr<function, Polytope>, at: u32, n: u32) -> vec4<u32> {
    var now = vec4<u32>(0u, 1u, 2u, 3u);
    var best = now;
    var largest = quad_area(poly, at, now);
    for (var first = 0u; first < n; first++) {
        now.x = first;
        var which = 3u;
        loop {
            var moved = now;
            moved[which] = (moved[which] + 1u) % n;
            let area = quad_area(poly, at, moved);
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
