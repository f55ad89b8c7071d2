// Rays against meshes and height fields (mj_rayMesh, mj_rayHfield), in the frame of the geom.

// Two-sided triangle: parameter and normal; a miss has the parameter -1.
fn ray_triangle(a: vec3r, b: vec3r, c: vec3r, p: vec3r, v: vec3r) -> vec4r {
    let e1 = b - a;
    let e2 = c - a;
    let across = cross(v, e2);
    let det = dot(e1, across);
    let normal = cross(e1, e2);
    let along = dot(v, normal);
    if abs(along) < MINVAL * RAY_TRIANGLE_SCALE || det == 0.0 { return ray_miss(); }
    let s = dot(p - a, across) / det;
    let t = dot(v, cross(p - a, e1)) / det;
    if !(s >= 0.0 && t >= 0.0 && s + t <= 1.0) { return ray_miss(); }
    // The distance along the normal is most accurate, also for thin triangles.
    return vec4r(-dot(p - c, normal) / along, normal);
}
// In single precision MINVAL is larger, but the areas of triangles are not.
const RAY_TRIANGLE_SCALE: real = select(real(1e-6), real(1.0), IS_DOUBLE);

fn ray_surface(kind: u32, record: u32, size: vec3r, p: vec3r, v: vec3r, best: real) -> vec4r {
    var hit: vec4r;
#ifdef SIGNED_DISTANCE
    if kind == RAY_FIELD { return ray_field(record, size, p, v); }
#endif
    let limit = select(best, RAY_FAR, best < 0.0);
    if kind == RAY_HFIELD { hit = ray_hfield(record, p, v); } else { hit = ray_mesh(record, p, v, limit); }
    if hit.x < 0.0 { return ray_miss(); }
    return vec4r(hit.x, unit_normal(hit.yzw));
}
const RAY_FAR: real = 1e30;
// Normals of small triangles are short.
fn unit_normal(n: vec3r) -> vec3r {
    let size = max(abs(n.x), max(abs(n.y), abs(n.z)));
    if size == 0.0 { return vec3r(1.0, 0.0, 0.0); }
    return unit(n / size);
}

fn table3(at: u32) -> vec3r { return vec3r(tf[at], tf[at + 1u], tf[at + 2u]); }

// Traversal of the bounding volume hierarchy of a mesh. Record: boxes and nodes of the hierarchy, vertices, faces.
fn ray_mesh(record: u32, p: vec3r, v: vec3r, best: real) -> vec4r {
    let boxes = ti[record];
    let nodes = ti[record + 1u];
    let vertices = ti[record + 2u];
    let faces = ti[record + 3u];
    let inverse = 1.0 / v;
    var hit = ray_miss();
    var limit = best;
    var stack: array<u32, RAY_STACK>;
    var len = 1u;
    stack[0] = 0u;
    while len > 0u {
        len--;
        let node = stack[len];
        if !ray_crosses_box(table3(boxes + 6u * node), table3(boxes + 6u * node + 3u), p, v, inverse, limit) { continue; }
        let face = ti[nodes + 3u * node + 2u];
        if face != NONE {
            let at = faces + 3u * face;
            let found = ray_triangle(table3(vertices + 3u * ti[at]), table3(vertices + 3u * ti[at + 1u]), table3(vertices + 3u * ti[at + 2u]), p, v);
            if found.x >= 0.0 && found.x < limit { limit = found.x; hit = found; }
            continue;
        }
        for (var k = 0u; k < 2u; k++) {
            let child = ti[nodes + 3u * node + k];
            if child != NONE && len < RAY_STACK { stack[len] = child; len++; }
        }
    }
    return hit;
}

fn ray_crosses_box(center: vec3r, half: vec3r, p: vec3r, v: vec3r, inverse: vec3r, limit: real) -> bool {
    var enter = real(0.0);
    var leave = limit;
    for (var k = 0u; k < 3u; k++) {
        if abs(v[k]) < MINVAL {
            if abs(p[k] - center[k]) > half[k] { return false; }
            continue;
        }
        let a = (center[k] - half[k] - p[k]) * inverse[k];
        let b = (center[k] + half[k] - p[k]) * inverse[k];
        enter = max(enter, min(a, b));
        leave = min(leave, max(a, b));
    }
    // Equality, because flat meshes have flat boxes; rounding must not lose their hits.
    return enter <= leave + RAY_BOX_SLACK * abs(leave);
}
const RAY_BOX_SLACK: real = select(real(1e-5), real(1e-14), IS_DOUBLE);

// Parameters of the intersections with the faces of a box: by axis, lower face first; -1 without one.
fn ray_box_faces(size: vec3r, p: vec3r, v: vec3r) -> array<real, 6> {
    var faces = array<real, 6>(-1.0, -1.0, -1.0, -1.0, -1.0, -1.0);
    for (var axis = 0u; axis < 3u; axis++) {
        if abs(v[axis]) <= MINVAL { continue; }
        let a = (axis + 1u) % 3u;
        let b = (axis + 2u) % 3u;
        for (var k = 0u; k < 2u; k++) {
            let x = (select(-size[axis], size[axis], k == 1u) - p[axis]) / v[axis];
            if x >= 0.0 && abs(p[a] + x * v[a]) <= size[a] && abs(p[b] + x * v[b]) <= size[b] { faces[2u * axis + k] = x; }
        }
    }
    return faces;
}
fn ray_face_normal(face: u32) -> vec3r {
    let side = select(real(-1.0), real(1.0), (face & 1u) == 1u);
    return side * vec3r(real(face / 2u == 0u), real(face / 2u == 1u), real(face / 2u == 2u));
}

// Record: samples, rows, columns, size.
struct RayField { samples: u32, rows: u32, columns: u32, size: vec3r, spacing: vec2<real> }
fn field_sample(h: RayField, row: u32, column: u32) -> real { return tf[h.samples + row * h.columns + column]; }
fn field_vertex(h: RayField, row: u32, column: u32) -> vec3r {
    return vec3r(h.spacing.x * real(column) - h.size.x, h.spacing.y * real(row) - h.size.y, field_sample(h, row, column) * h.size.z);
}
fn cell_range(from_: real, to_: real, cells: u32) -> vec2<u32> {
    let low = clamp(floor(min(from_, to_)) - 1.0, real(0.0), real(cells));
    let high = clamp(ceil(max(from_, to_)) + 1.0, real(0.0), real(cells));
    return vec2<u32>(u32(low), u32(high));
}

// Base box, surface triangles of the cells along the ray, and side walls.
fn ray_hfield(record: u32, p: vec3r, v: vec3r) -> vec4r {
    let at = ti[record + 3u];
    let rows = ti[record + 1u];
    let columns = ti[record + 2u];
    let size = table3(at);
    let deep = tf[at + 3u];
    let h = RayField(ti[record], rows, columns, size, 2.0 * size.xy / vec2<real>(real(columns - 1u), real(rows - 1u)));
    var best = ray_miss();
    let base = ray_box_faces(vec3r(size.xy, 0.5 * deep), p + vec3r(0.0, 0.0, 0.5 * deep), v);
    let faces = ray_box_faces(vec3r(size.xy, 0.5 * size.z), p - vec3r(0.0, 0.0, 0.5 * size.z), v);
    var first = real(-1.0);
    var last = real(-1.0);
    for (var k = 0u; k < 6u; k++) {
        best = ray_nearer(best, vec4r(base[k], ray_face_normal(k)));
        if faces[k] >= 0.0 {
            if first < 0.0 || faces[k] < first { first = faces[k]; }
            last = max(last, faces[k]);
        }
    }
    if first < 0.0 { return best; }
    // Inside the bounding box the ray starts at its origin.
    if !(last > first) { first = 0.0; }
    best = ray_nearer(best, ray_cells(h, p, v, first, last));
    for (var face = 0u; face < 4u; face++) { if faces[face] >= 0.0 { best = ray_nearer(best, ray_wall(h, p, v, face, faces[face])); } }
    return best;
}

// The rows of cells below an interval of the ray, and in each row the cells that the ray may cross.
fn ray_cells(h: RayField, p: vec3r, v: vec3r, first: real, last: real) -> vec4r {
    var best = ray_miss();
    let from_ = (p.xy + first * v.xy + h.size.xy) / h.spacing;
    let to_ = (p.xy + last * v.xy + h.size.xy) / h.spacing;
    let rows = cell_range(from_.y, to_.y, h.rows - 1u);
    for (var row = rows.x; row < rows.y; row++) {
        var start = from_.x;
        var end = to_.x;
        let slope = (to_.x - from_.x) / (to_.y - from_.y);
        if abs(to_.y - from_.y) > 1e-3 {
            let a = clamp(from_.x + slope * (real(row) - from_.y), min(from_.x, to_.x), max(from_.x, to_.x));
            let b = clamp(from_.x + slope * (real(row + 1u) - from_.y), min(from_.x, to_.x), max(from_.x, to_.x));
            start = min(a, b);
            end = max(a, b);
        }
        let cells = cell_range(start, end, h.columns - 1u);
        for (var column = cells.x; column < cells.y; column++) {
            let corner = field_vertex(h, row, column);
            let far = field_vertex(h, row + 1u, column + 1u);
            best = ray_nearer(best, ray_triangle(corner, field_vertex(h, row, column + 1u), far, p, v));
            best = ray_nearer(best, ray_triangle(corner, far, field_vertex(h, row + 1u, column), p, v));
        }
    }
    return best;
}

// A side wall, which ends at the surface.
fn ray_wall(h: RayField, p: vec3r, v: vec3r, face: u32, x: real) -> vec4r {
    // Horizontal axis along the wall.
    let along = select(0u, 1u, face < 2u);
    let count = select(h.columns, h.rows, along == 1u);
    let position = (p[along] + x * v[along] + h.size[along]) / h.spacing[along];
    let cell = clamp(floor(position), real(0.0), real(count - 2u));
    let k = u32(cell);
    var low: real;
    var high: real;
    if along == 1u {
        let column = select(0u, h.columns - 1u, face == 1u);
        low = field_sample(h, k, column);
        high = field_sample(h, k + 1u, column);
    } else {
        let row = select(0u, h.rows - 1u, face == 3u);
        low = field_sample(h, row, k);
        high = field_sample(h, row, k + 1u);
    }
    let height = (p.z + x * v.z) / h.size.z;
    if height < low * (cell + 1.0 - position) + high * (position - cell) { return vec4r(x, ray_face_normal(face)); }
    return ray_miss();
}

#ifdef SIGNED_DISTANCE
// Most steps of sphere tracing, the distance at which the surface counts as hit, and that at which the search ends, m.
const RAY_FIELD_STEPS: u32 = 40u;
const RAY_FIELD_TOLERANCE: real = select(real(1e-5), real(1e-7), IS_DOUBLE);
const RAY_FIELD_FAR: real = 1e6;

// Sphere tracing (mj_raySdf). A ray that misses the bounding box misses the field.
fn ray_field(record: u32, size: vec3r, p: vec3r, v: vec3r) -> vec4r {
    if ray_box(size, p, v).x < 0.0 { return ray_miss(); }
    var total = real(0.0);
    var hit = false;
    for (var k = 0u; k <= RAY_FIELD_STEPS; k++) {
        let at = field(record, size, p + total * v);
        if hit { return vec4r(total, unit_normal(at.xyz)); }
        let step = abs(at.w);
        if k == RAY_FIELD_STEPS || step > RAY_FIELD_FAR { break; }
        total += step;
        hit = step < RAY_FIELD_TOLERANCE;
    }
    return ray_miss();
}
#endif
