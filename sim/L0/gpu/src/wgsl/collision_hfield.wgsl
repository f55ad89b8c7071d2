// Height-field contacts (mjc_ConvexHField): each triangle of the grid below a geom is the top of a prism, and each
// prism is a convex geom. All quantities are in the frame of the height field.

// `prism`: three vertices at the bottom, three at the top. Address of the samples, rows, columns; half width, half
// depth, height, base thickness.
var<private> hfield: vec3<u32>;
var<private> hfield_size: vec4r;
// Grid rows and columns around the geom (first, last), its lowest point, and the current triangle (row, column,
// half).
var<private> hfield_rows: vec2<u32>;
var<private> hfield_cols: vec2<u32>;
var<private> geom_lowest: real;
var<private> hfield_cell: vec3<u32>;

fn prism_support(ws: ptr<function, ConvexScratch>, dir: vec3r) -> vec3r {
    let start = select(3u, 0u, dir.z < 0.0);
    var farthest = (*ws).prism[start];
    for (var k = start + 1u; k < start + 3u; k++) {
        if dot((*ws).prism[k], dir) > dot(farthest, dir) { farthest = (*ws).prism[k]; }
    }
    return farthest;
}

fn geom_center(ws: ptr<function, ConvexScratch>) -> vec3r {
    if (*ws).geoms[0].shape != SHAPE_PRISM { return (*ws).geoms[0].pos; }
    return ((*ws).prism[0] + (*ws).prism[1] + (*ws).prism[2] + (*ws).prism[3] + (*ws).prism[4] + (*ws).prism[5]) * (1.0 / 6.0);
}

// First and last grid line around an interval.
fn grid_range(low: real, high: real, half: real, samples: u32) -> vec2<u32> {
    let last = real(samples - 1u);
    let first = clamp(floor((low + half) / (2.0 * half) * last), real(0.0), last);
    return vec2<u32>(u32(first), u32(clamp(ceil((high + half) / (2.0 * half) * last), real(0.0), last)));
}

// Whether a box lies outside the bounding box of the height field.
fn outside_hfield(low: vec3r, high: vec3r) -> bool {
    let bottom = vec3r(-hfield_size.xy, -hfield_size.w);
    return any(hfield_size.xyz < low) || any(bottom > high);
}

struct Aabb { low: vec3r, high: vec3r }

// Bounding box of the geom in closed form; six support queries would add instructions.
fn geom_aabb(ws: ptr<function, ConvexScratch>) -> Aabb {
    let s = (*ws).geoms[1];
    if HAS_MESH && s.shape == SHAPE_MESH {
        var out = Aabb(vec3r(FAR), vec3r(-FAR));
        for (var k = 0u; k < ti[s.mesh + 1u]; k++) {
            let v = mesh_vertex(s.mesh, k);
            let p = s.x * v.x + s.y * v.y + s.z * v.z + s.pos;
            out = Aabb(min(out.low, p), max(out.high, p));
        }
        return out;
    }
    var half = vec3r(s.size.x);
    if s.shape == SHAPE_CAPSULE {
        half += abs(s.z) * s.size.y;
    } else if s.shape == SHAPE_ELLIPSOID {
        half = sqrt(s.x * s.x * (s.size.x * s.size.x) + s.y * s.y * (s.size.y * s.size.y) + s.z * s.z * (s.size.z * s.size.z));
    } else if s.shape == SHAPE_CYLINDER {
        half = sqrt(max(vec3r(1.0) - s.z * s.z, vec3r(0.0))) * s.size.x + abs(s.z) * s.size.y;
    } else if s.shape == SHAPE_BOX {
        half = abs(s.x) * s.size.x + abs(s.y) * s.size.y + abs(s.z) * s.size.z;
    }
    return Aabb(s.pos - half, s.pos + half);
}

fn hfield_begin(ws: ptr<function, ConvexScratch>, a: GeomPose, b: GeomPose, margin: real) -> bool {
    let record = (*ws).geoms[0].mesh;
    hfield = vec3<u32>(ti[record], ti[record + 1u], ti[record + 2u]);
    let at = ti[record + 3u];
    hfield_size = vec4r(tf[at], tf[at + 1u], tf[at + 2u], tf[at + 3u]);
    (*ws).geoms[0].margin = 0.0;
    (*ws).geoms[1].margin = margin;
    (*ws).geoms[1].pos = to_local(a, b.pos - a.pos);
    (*ws).geoms[1].x = to_local(a, (*ws).geoms[1].x);
    (*ws).geoms[1].y = to_local(a, (*ws).geoms[1].y);
    (*ws).geoms[1].z = to_local(a, (*ws).geoms[1].z);
    let radius = f(GEOM_RBOUND + b.geom) + margin;
    if outside_hfield((*ws).geoms[1].pos - radius, (*ws).geoms[1].pos + radius) { return false; }
    let aabb = geom_aabb(ws);
    let low = aabb.low;
    let high = aabb.high;
    if outside_hfield(low - margin, high + margin) { return false; }
    hfield_cols = grid_range(low.x, high.x, hfield_size.x, hfield.z);
    hfield_rows = grid_range(low.y, high.y, hfield_size.y, hfield.y);
    geom_lowest = low.z;
    hfield_cell = vec3<u32>(hfield_rows.x, hfield_cols.x, 0u);
    return true;
}

// Appends a sample to the prism and drops the oldest one.
fn push_prism_vertex(ws: ptr<function, ConvexScratch>, row: u32, column: u32, margin: real) {
    (*ws).prism[0] = (*ws).prism[1];
    (*ws).prism[1] = (*ws).prism[2];
    (*ws).prism[3] = (*ws).prism[4];
    (*ws).prism[4] = (*ws).prism[5];
    let x = 2.0 * hfield_size.x / real(hfield.z - 1u) * real(column) - hfield_size.x;
    let y = 2.0 * hfield_size.y / real(hfield.y - 1u) * real(row) - hfield_size.y;
    (*ws).prism[2] = vec3r(x, y, -hfield_size.w);
    (*ws).prism[5] = vec3r(x, y, tf[hfield.x + row * hfield.z + column] * hfield_size.z + margin);
}

// Advances to the next prism that is not entirely below the geom. Returns false at the end.
fn hfield_next(ws: ptr<function, ConvexScratch>, margin: real) -> bool {
    while hfield_cell.x < hfield_rows.y {
        let row = hfield_cell.x;
        let column = hfield_cell.y;
        if column > hfield_cols.y {
            hfield_cell = vec3<u32>(row + 1u, hfield_cols.x, 0u);
            continue;
        }
        push_prism_vertex(ws, row + 1u - hfield_cell.z, column, margin);
        if hfield_cell.z == 0u { hfield_cell.z = 1u; } else { hfield_cell = vec3<u32>(row, column + 1u, 0u); }
        // The first two vertices of a row do not form a triangle yet.
        if column == hfield_cols.x { continue; }
        if (*ws).prism[3].z >= geom_lowest || (*ws).prism[4].z >= geom_lowest || (*ws).prism[5].z >= geom_lowest { return true; }
    }
    return false;
}

fn hfield_contact(contacts: ptr<function, ContactPoints>, ws: ptr<function, ConvexScratch>, a: GeomPose, dist: real) {
    if !(dist < 0.0 && dist > -FAR) || witness_count == 0u { return; }
    let pos = 0.5 * ((*ws).witness_a[0] + (*ws).witness_b[0]);
    add_contact(contacts, dist, to_world(a, pos) + a.pos, to_world(a, unit((*ws).witness_a[0] - (*ws).witness_b[0])), vec3r(0.0));
}
