// Multiple contacts of two polyhedral geoms from one EPA query (native multiccd): the two faces, or the face and the
// edge, that are in contact are clipped against each other.

// One, two or three distinct vertices of a geom on which the query ended.
struct FaceVertices { count: u32, id: vec3<u32>, first: vec3r, second: vec3r }
// Faces that contain all of these vertices: a range in the index table (`start`), or up to three face indices.
struct FaceList { count: u32, start: u32, id: vec3<u32> }

// Cosine of the largest angle between two faces in contact, and sine of the largest angle between an edge and a face
// (1.6 mrad).
const FACE_COSINE: real = 0.99999872;
const EDGE_SINE: real = 0.00159999931;

fn distinct_vertices(id: vec3<u32>, a: vec3r, b: vec3r, c: vec3r) -> FaceVertices {
    if id.x != id.y { return FaceVertices(select(3u, 2u, id.z == id.x || id.z == id.y), id, a, b); }
    if id.x != id.z { return FaceVertices(2u, vec3<u32>(id.x, id.z, id.z), a, c); }
    return FaceVertices(1u, id, a, b);
}

fn has_faces(ws: ptr<function, ConvexScratch>, which: u32) -> bool {
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH { return ti[(*ws).geoms[which].mesh + 6u] > 0u; }
    return (*ws).geoms[which].shape == SHAPE_BOX;
}

fn polygons_at_vertex(mesh: u32, vertex: u32) -> vec2<u32> {
    let at = ti[mesh + 5u] + vertex;
    return vec2<u32>(ti[at], ti[at + 1u]);
}
fn vertex_on_polygon(mesh: u32, vertex: u32, face: u32) -> bool {
    let range = polygons_at_vertex(mesh, vertex);
    for (var k = range.x; k < range.y; k++) { if ti[k] == face { return true; } }
    return false;
}

// Faces that contain all vertices; `dir` is the contact direction out of the geom.
fn faces_with_vertices(ws: ptr<function, ConvexScratch>, which: u32, c: FaceVertices, dir: vec3r) -> FaceList {
    var out = FaceList(0u, NONE, vec3<u32>(0u));
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        let mesh = (*ws).geoms[which].mesh;
        let first = polygons_at_vertex(mesh, c.id.x);
        if c.count == 1u { return FaceList(first.y - first.x, first.x, vec3<u32>(0u)); }
        // Two vertices share at most two faces, three vertices one.
        var both = 0u;
        for (var k = first.x; k < first.y && both < 2u; k++) {
            let face = ti[k];
            if !vertex_on_polygon(mesh, c.id.y, face) { continue; }
            both++;
            if c.count == 3u && !vertex_on_polygon(mesh, c.id.z, face) { continue; }
            out.id[out.count] = face;
            out.count++;
            if c.count == 3u { break; }
        }
        return out;
    }
    // Sides of the box on which all vertices lie.
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
    // The vertices do not determine a corner, an edge or a side: use the face whose normal is closest to the contact
    // direction.
    out.count = 0u;
    var local = vec3r(dot((*ws).geoms[which].x, dir), dot((*ws).geoms[which].y, dir), dot((*ws).geoms[which].z, dir));
    local /= sqrt(dot(local, local));
    for (var side = 0u; side < 6u && out.count == 0u; side++) {
        let along = local[side >> 1u];
        if select(along, -along, (side & 1u) == 1u) > FACE_COSINE { out.id[0] = side; out.count = 1u; }
    }
    return out;
}

fn face_index(list: FaceList, k: u32) -> u32 {
    if list.start != NONE { return ti[list.start + k]; }
    return list.id[k];
}

fn geom_axis(ws: ptr<function, ConvexScratch>, which: u32, k: u32) -> vec3r {
    if k == 0u { return (*ws).geoms[which].x; }
    if k == 1u { return (*ws).geoms[which].y; }
    return (*ws).geoms[which].z;
}

fn face_normal(ws: ptr<function, ConvexScratch>, which: u32, face: u32) -> vec3r {
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        let at = ti[(*ws).geoms[which].mesh + 3u] + 3u * face;
        return (*ws).geoms[which].x * tf[at] + (*ws).geoms[which].y * tf[at + 1u] + (*ws).geoms[which].z * tf[at + 2u];
    }
    let axis = geom_axis(ws, which, face >> 1u);
    return select(axis, -axis, (face & 1u) == 1u);
}

fn face_size(ws: ptr<function, ConvexScratch>, which: u32, face: u32) -> u32 {
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        let at = ti[(*ws).geoms[which].mesh + 4u] + face;
        return min(ti[at + 1u] - ti[at], MAX_CLIP_VERTS / 2u);
    }
    return 4u;
}

fn geom_point(ws: ptr<function, ConvexScratch>, which: u32, p: vec3r) -> vec3r {
    return (*ws).geoms[which].x * p.x + (*ws).geoms[which].y * p.y + (*ws).geoms[which].z * p.z + (*ws).geoms[which].pos;
}

// Vertex k of a face, in the order in which the clipping planes point inward.
fn face_vertex(ws: ptr<function, ConvexScratch>, which: u32, face: u32, k: u32) -> vec3r {
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        let at = ti[(*ws).geoms[which].mesh + 4u] + face;
        return geom_point(ws, which, mesh_vertex((*ws).geoms[which].mesh, ti[ti[at] + face_size(ws, which, face) - 1u - k]));
    }
    // Corners of each box side in order, four bits per corner.
    var sides = array<u32, 6>(0x5137u, 0x0462u, 0x6732u, 0x0154u, 0x4576u, 0x1023u);
    return geom_point(ws, which, corner_of((*ws).geoms[which].size, (sides[face] >> (4u * k)) & 15u));
}

// Edges that contain all vertices, by their other end points.
fn edge_count(ws: ptr<function, ConvexScratch>, which: u32, c: FaceVertices) -> u32 {
    if c.count == 2u { return 1u; }
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        let range = polygons_at_vertex((*ws).geoms[which].mesh, c.id.x);
        return range.y - range.x;
    }
    return 3u;
}
fn edge_other_end(ws: ptr<function, ConvexScratch>, which: u32, c: FaceVertices, k: u32) -> vec3r {
    if c.count == 2u { return c.second; }
    if HAS_MESH && (*ws).geoms[which].shape == SHAPE_MESH {
        // Vertex that precedes this one on the polygon.
        let mesh = (*ws).geoms[which].mesh;
        let at = ti[mesh + 4u] + ti[polygons_at_vertex(mesh, c.id.x).x + k];
        var before = ti[ti[at + 1u] - 1u];
        for (var i = ti[at]; i < ti[at + 1u]; i++) {
            if ti[i] == c.id.x { break; }
            before = ti[i];
        }
        return geom_point(ws, which, mesh_vertex(mesh, before));
    }
    return geom_point(ws, which, corner_of((*ws).geoms[which].size, c.id.x ^ (1u << k)));
}

fn epa_vertex(poly: ptr<function, Polytope>, k: u32, which: u32) -> vec3r {
    return (*poly).vertex_a[k] - select(vec3r(0.0), (*poly).vertex_p[k], which == 1u);
}

// Replaces the witness pair by several if the geoms are in contact along a face.
fn multicontact(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>, max_contacts: u32) {
    if !has_faces(ws, 0u) || !has_faces(ws, 1u) { return; }
    let out_of_b = (*ws).witness_b[0] - (*ws).witness_a[0];
    let length = sqrt(dot(out_of_b, out_of_b));
    var corners: array<FaceVertices, 2>;
    var list: array<FaceList, 2>;
    for (var k = 0u; k < 2u; k++) {
        let id = vec3<u32>((*poly).vertex_id[epa_face.x][k], (*poly).vertex_id[epa_face.y][k], (*poly).vertex_id[epa_face.z][k]);
        corners[k] = distinct_vertices(id, epa_vertex(poly, epa_face.x, k), epa_vertex(poly, epa_face.y, k), epa_vertex(poly, epa_face.z, k));
        list[k] = faces_with_vertices(ws, k, corners[k], select(-out_of_b, out_of_b, k == 1u));
    }
    // First pair of faces with opposite normals.
    for (var i = 0u; i < list[0].count; i++) {
        let n = face_normal(ws, 0u, face_index(list[0], i));
        for (var j = 0u; j < list[1].count; j++) {
            let m = face_normal(ws, 1u, face_index(list[1], j));
            if dot(n, m) < -FACE_COSINE {
                clip_polygon(ws, poly, 0u, face_index(list[0], i), face_index(list[1], j), vec3r(0.0), n, m * length);
                return;
            }
        }
    }
    // Otherwise the first edge that lies in a face.
    var edge = 1u;
    if corners[0].count < 3u && corners[0].count <= corners[1].count { edge = 0u; }
    let own = corners[edge];
    if own.count == 3u { return; }
    let edges = edge_count(ws, edge, own);
    for (var j = 0u; j < list[1u - edge].count; j++) {
        let face = face_index(list[1u - edge], j);
        let n = face_normal(ws, 1u - edge, face);
        for (var i = 0u; i < edges; i++) {
            let end = edge_other_end(ws, edge, own, i);
            if abs(dot(unit(end - own.first), n)) < EDGE_SINE {
                (*poly).face_point[0] = vec4r(epa_vertex(poly, epa_face.x, edge), 0.0);
                clip_polygon(ws, poly, 1u - edge, face, NONE, end, n, n * select(length, -length, edge == 1u));
                return;
            }
        }
    }
}

// Polygon vertices are kept in a ring buffer of MAX_CLIP_VERTS + 2 entries.
fn ring_index(k: u32) -> u32 { return select(k, k - (MAX_CLIP_VERTS + 2u), k >= MAX_CLIP_VERTS + 2u); }
fn ring_vertex(poly: ptr<function, Polytope>, k: u32) -> vec3r { return (*poly).face_point[ring_index(k)].xyz; }

// Sutherland–Hodgman clipping: clips a face of the other geom (or an edge to `end`) against the side planes of a
// face along its normal. The vertices of the result become witness points separated by `depth`; the witnesses stay
// unchanged if nothing remains.
fn clip_polygon(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>, which: u32, face: u32, subject: u32, end: vec3r, normal: vec3r, depth: vec3r) {
    let sides = face_size(ws, which, face);
    if sides < 3u { return; }
    var count = 2u;
    (*poly).face_point[1] = vec4r(end, 0.0);
    if subject != NONE {
        count = face_size(ws, 1u - which, subject);
        for (var k = 0u; k < count; k++) { (*poly).face_point[k] = vec4r(face_vertex(ws, 1u - which, subject, k), 0.0); }
    }
    // Each clip consumes vertices at the front of the ring and appends the remaining ones at its back.
    var head = 0u;
    var corner = face_vertex(ws, which, face, 0u);
    for (var k = 0u; k < sides; k++) {
        let next_corner = face_vertex(ws, which, face, select(k + 1u, 0u, k + 1u == sides));
        let inward = cross(next_corner - corner, normal);
        let offset = dot(inward, corner);
        let next = ring_index(head + count);
        var kept = 0u;
        let first = ring_vertex(poly, head);
        var p = first;
        for (var i = 0u; i < count; i++) {
            var q = first;
            if i + 1u < count { q = ring_vertex(poly, head + i + 1u); }
            let limit = min(MAX_CLIP_VERTS, MAX_CLIP_VERTS + 3u + i - count);
            let p_in = dot(p - corner, inward) > -MINVAL;
            let q_in = dot(q - corner, inward) > -MINVAL;
            let rate = dot(inward, q - p);
            if p_in != q_in && rate != 0.0 {
                let t = (offset - dot(inward, p)) / rate;
                if t >= 0.0 && t <= 1.0 && kept < limit { (*poly).face_point[ring_index(next + kept)] = vec4r(p + (q - p) * t, 0.0); kept++; }
            }
            if q_in && kept < limit { (*poly).face_point[ring_index(next + kept)] = vec4r(q, 0.0); kept++; }
            p = q;
        }
        head = next;
        count = kept;
        corner = next_corner;
    }
    if count == 0u { return; }
    witness_count = 0u;
    if count > 4u {
        let chosen = max_area_quad(poly, head, count);
        for (var k = 0u; k < 4u; k++) { (*ws).witness_b[k] = ring_vertex(poly, head + chosen[k]); (*ws).witness_a[k] = (*ws).witness_b[k] - depth; }
        witness_count = 4u;
        return;
    }
    // Coincident vertices count once.
    for (var k = 0u; k < count; k++) {
        let p = ring_vertex(poly, head + k);
        var known = false;
        for (var i = 0u; i < witness_count; i++) { known = known || all(abs((*ws).witness_b[i] - p) < vec3r(MINVAL)); }
        if known { continue; }
        (*ws).witness_b[witness_count] = p;
        (*ws).witness_a[witness_count] = p - depth;
        witness_count++;
    }
}

fn quad_area(poly: ptr<function, Polytope>, at: u32, k: vec4<u32>) -> real {
    let a = ring_vertex(poly, at + k.x);
    let b = ring_vertex(poly, at + k.y);
    let c = ring_vertex(poly, at + k.z);
    let d = ring_vertex(poly, at + k.w);
    let n = cross(d - a, b - d) + cross(c - b, a - c);
    return 0.5 * sqrt(dot(n, n));
}

// Four vertices of a polygon (n >= 5) whose quadrilateral has about the largest area: each vertex in turn is the
// first, the others advance while the area grows.
fn max_area_quad(poly: ptr<function, Polytope>, at: u32, n: u32) -> vec4<u32> {
    var quad = vec4<u32>(0u, 1u, 2u, 3u);
    var best = quad;
    var largest = quad_area(poly, at, quad);
    for (var first = 0u; first < n; first++) {
        quad.x = first;
        var which = 3u;
        loop {
            var moved = quad;
            moved[which] = (moved[which] + 1u) % n;
            let area = quad_area(poly, at, moved);
            let grows = area > largest;
            if grows { largest = area; quad = moved; best = moved; }
            // The fourth vertex advances one step, then the third and the second as far as the area grows.
            if which == 3u { if !grows { break; } which = 2u; }
            else if !grows { which = select(3u, 1u, which == 2u); }
        }
        for (var k = 1u; k < 4u; k++) {
            if quad[k] != quad[k - 1u] { break; }
            quad[k] = (quad[k] + 1u) % n;
        }
    }
    return best;
}
