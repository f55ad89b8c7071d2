// Height fields: every triangle under a solid is the top of a prism, and each prism is a convex solid. All is in the
// frame of the field.

// `prism`: three corners at the bottom, three at the top
// where the samples are, rows and columns of them, half width, half depth, height, thickness
var<private> field: vec3<u32>;
var<private> field_size: vec4r;
// grid lines around the solid (rows, columns: first and last), its lowest point, the triangle at hand
var<private> field_rows: vec2<u32>;
var<private> field_columns: vec2<u32>;
var<private> field_lowest: real;
var<private> field_at: vec3<u32>;

fn prism_support(room: ptr<function, Solids>, dir: vec3r) -> vec3r {
    let start = select(3u, 0u, dir.z < 0.0);
    var farthest = (*room).prism[start];
    for (var k = start + 1u; k < start + 3u; k++) {
        if dot((*room).prism[k], dir) > dot(farthest, dir) { farthest = (*room).prism[k]; }
    }
    return farthest;
}

fn solid_centre(room: ptr<function, Solids>) -> vec3r {
    if (*room).solids[0].form != FORM_PRISM { return (*room).solids[0].pos; }
    return ((*room).prism[0] + (*room).prism[1] + (*room).prism[2] + (*room).prism[3] + (*room).prism[4] + (*room).prism[5]) * (1.0 / 6.0);
}

// the grid lines around an interval
fn cells(low: real, high: real, half: real, samples: u32) -> vec2<u32> {
    let last = real(samples - 1u);
    let first = clamp(floor((low + half) / (2.0 * half) * last), real(0.0), last);
    return vec2<u32>(u32(first), u32(clamp(ceil((high + half) / (2.0 * half) * last), real(0.0), last)));
}

// whether a box is beyond the field's own
fn beyond_field(low: vec3r, high: vec3r) -> bool {
    let bottom = vec3r(-field_size.xy, -field_size.w);
    return any(field_size.xyz < low) || any(bottom > high);
}

struct Reach { low: vec3r, high: vec3r }

// the least and greatest coordinates of the solid, by its form: one support function more would be long
fn field_reach(room: ptr<function, Solids>) -> Reach {
    let s = (*room).solids[1];
    if HAS_MESH && s.form == FORM_MESH {
        var out = Reach(vec3r(HUGE), vec3r(-HUGE));
        for (var k = 0u; k < ti[s.mesh + 1u]; k++) {
            let v = mesh_vertex(s.mesh, k);
            let p = s.x * v.x + s.y * v.y + s.z * v.z + s.pos;
            out = Reach(min(out.low, p), max(out.high, p));
        }
        return out;
    }
    var half = vec3r(s.size.x);
    if s.form == FORM_CAPSULE {
        half += abs(s.z) * s.size.y;
    } else if s.form == FORM_ELLIPSOID {
        half = sqrt(s.x * s.x * (s.size.x * s.size.x) + s.y * s.y * (s.size.y * s.size.y) + s.z * s.z * (s.size.z * s.size.z));
    } else if s.form == FORM_CYLINDER {
        half = sqrt(max(vec3r(1.0) - s.z * s.z, vec3r(0.0))) * s.size.x + abs(s.z) * s.size.y;
    } else if s.form == FORM_BOX {
        half = abs(s.x) * s.size.x + abs(s.y) * s.size.y + abs(s.z) * s.size.z;
    }
    return Reach(s.pos - half, s.pos + half);
}

fn field_start(room: ptr<function, Solids>, a: Shape, b: Shape, margin: real) -> bool {
    let record = (*room).solids[0].mesh;
    field = vec3<u32>(ti[record], ti[record + 1u], ti[record + 2u]);
    let at = ti[record + 3u];
    field_size = vec4r(tf[at], tf[at + 1u], tf[at + 2u], tf[at + 3u]);
    (*room).solids[0].margin = 0.0;
    (*room).solids[1].margin = margin;
    (*room).solids[1].pos = to_local(a, b.pos - a.pos);
    (*room).solids[1].x = to_local(a, (*room).solids[1].x);
    (*room).solids[1].y = to_local(a, (*room).solids[1].y);
    (*room).solids[1].z = to_local(a, (*room).solids[1].z);
    let radius = f(GEOM_BOUND + b.geom) + margin;
    if beyond_field((*room).solids[1].pos - radius, (*room).solids[1].pos + radius) { return false; }
    let reach = field_reach(room);
    let low = reach.low;
    let high = reach.high;
    if beyond_field(low - margin, high + margin) { return false; }
    field_columns = cells(low.x, high.x, field_size.x, field.z);
    field_rows = cells(low.y, high.y, field_size.y, field.y);
    field_lowest = low.z;
    field_at = vec3<u32>(field_rows.x, field_columns.x, 0u);
    return true;
}

// puts a sample at the end of the prism and drops the oldest
fn next_corner(room: ptr<function, Solids>, row: u32, column: u32, margin: real) {
    (*room).prism[0] = (*room).prism[1];
    (*room).prism[1] = (*room).prism[2];
    (*room).prism[3] = (*room).prism[4];
    (*room).prism[4] = (*room).prism[5];
    let x = 2.0 * field_size.x / real(field.z - 1u) * real(column) - field_size.x;
    let y = 2.0 * field_size.y / real(field.y - 1u) * real(row) - field_size.y;
    (*room).prism[2] = vec3r(x, y, -field_size.w);
    (*room).prism[5] = vec3r(x, y, tf[field.x + row * field.z + column] * field_size.z + margin);
}

// goes on to the next prism that is not below the solid; false if there is none
fn field_next(room: ptr<function, Solids>, margin: real) -> bool {
    while field_at.x < field_rows.y {
        let row = field_at.x;
        let column = field_at.y;
        if column > field_columns.y {
            field_at = vec3<u32>(row + 1u, field_columns.x, 0u);
            continue;
        }
        next_corner(room, row + 1u - field_at.z, column, margin);
        if field_at.z == 0u { field_at.z = 1u; } else { field_at = vec3<u32>(row, column + 1u, 0u); }
        // the first two corners of a row make no triangle yet
        if column == field_columns.x { continue; }
        if (*room).prism[3].z >= field_lowest || (*room).prism[4].z >= field_lowest || (*room).prism[5].z >= field_lowest { return true; }
    }
    return false;
}

fn field_touch(hits: ptr<function, Touches>, room: ptr<function, Solids>, a: Shape, dist: real) {
    if !(dist < 0.0 && dist > -HUGE) || witnesses == 0u { return; }
    let pos = 0.5 * ((*room).witness_a[0] + (*room).witness_b[0]);
    add_touch(hits, dist, to_world(a, pos) + a.pos, to_world(a, unit((*room).witness_a[0] - (*room).witness_b[0])), vec3r(0.0));
}
