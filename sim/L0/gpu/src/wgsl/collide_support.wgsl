// Convex solids as their support functions: the farthest point in a direction.

struct Solid { pos: vec3r, x: vec3r, y: vec3r, z: vec3r, size: vec3r, margin: real, form: u32, mesh: u32, vertex: u32 }
// a point of the difference of two solids and the points it is the difference of, with the corners they are
struct Vertex { p: vec3r, a: vec3r, b: vec3r, id: vec2<u32> }

var<private> solid_a: Solid;
var<private> solid_b: Solid;

const FORM_POINT: u32 = 0u;
const FORM_SEGMENT: u32 = 1u;
const FORM_SPHERE: u32 = 2u;
const FORM_CAPSULE: u32 = 3u;
const FORM_ELLIPSOID: u32 = 4u;
const FORM_CYLINDER: u32 = 5u;
const FORM_BOX: u32 = 6u;
const FORM_MESH: u32 = 7u;
const FORM_PRISM: u32 = 8u;
const HUGE: real = 1e30;

fn solid(s: Shape, margin: real) -> Solid {
    return Solid(s.pos, x_axis(s), y_axis(s), z_axis(s), s.size, margin, ti[GEOM_FORM + s.geom], ti[GEOM_MESH + s.geom], NONE);
}

// whether only finitely many points can be farthest in some direction
fn is_discrete() -> bool {
    return solid_a.margin == 0.0 && solid_a.form >= FORM_BOX && solid_b.margin == 0.0 && solid_b.form >= FORM_BOX;
}

// the mesh's vertices are not different in each environment, so the first copy is read
fn mesh_vertex(mesh: u32, k: u32) -> vec3r {
    let at = ti[mesh] + 3u * k;
    return vec3r(tf[at], tf[at + 1u], tf[at + 2u]);
}

// uphill along the edges of the hull, as long as there is a vertex beyond all seen before
fn climb(mesh: u32, start: u32, least: real, local: vec3r) -> u32 {
    let starts = ti[mesh + 2u];
    var best = start;
    var farthest = least;
    loop {
        let begin = best;
        let end = ti[starts + begin + 1u];
        for (var e = ti[starts + begin]; e < end; e++) {
            let reach = dot(local, mesh_vertex(mesh, ti[e]));
            if reach > farthest { farthest = reach; best = ti[e]; }
        }
        if best == begin { break; }
    }
    return best;
}

// the farthest of all vertices; of equals, the one found last time
fn scan(mesh: u32, last: u32, local: vec3r) -> u32 {
    var best = 0u;
    var farthest = -HUGE;
    if last != NONE { best = last; farthest = dot(local, mesh_vertex(mesh, last)); }
    let count = ti[mesh + 1u];
    for (var k = 0u; k < count; k++) {
        let reach = dot(local, mesh_vertex(mesh, k));
        if reach > farthest { farthest = reach; best = k; }
    }
    return best;
}

fn toward(way: real, extent: real) -> real { return select(-extent, extent, way >= 0.0); }

fn bare_support(s: ptr<private, Solid>, dir: vec3r) -> vec3r {
    let form = (*s).form;
    let size = (*s).size;
    if form == FORM_POINT { return (*s).pos; }
    if form == FORM_SPHERE { return size.x * dir + (*s).pos; }
    if form == FORM_SEGMENT { return (*s).z * toward(dot((*s).z, dir), size.y) + (*s).pos; }
    if HAS_PRISM && form == FORM_PRISM { return prism_support(dir); }
    let local = vec3r(dot((*s).x, dir), dot((*s).y, dir), dot((*s).z, dir));
    var p: vec3r;
    if form == FORM_CAPSULE {
        p = local * size.x;
        p.z += toward(local.z, size.y);
    } else if form == FORM_ELLIPSOID {
        let scaled = local * size;
        let square = dot(scaled, scaled);
        if square < MINVAL * MINVAL { p = vec3r(size.x, 0.0, 0.0); } else { p = scaled * size / sqrt(square); }
    } else if form == FORM_CYLINDER {
        let square = local.x * local.x + local.y * local.y;
        var factor = real(0.0);
        if square >= MINVAL * MINVAL { factor = size.x / sqrt(square); }
        p = vec3r(factor * local.x, factor * local.y, toward(local.z, size.y));
    } else if form == FORM_BOX {
        p = vec3r(toward(local.x, size.x), toward(local.y, size.y), toward(local.z, size.z));
        (*s).vertex = u32(p.x > 0.0) | (u32(p.y > 0.0) << 1u) | (u32(p.z > 0.0) << 2u);
    } else if HAS_MESH {
        let mesh = (*s).mesh;
        if ti[mesh + 2u] == NONE {
            (*s).vertex = scan(mesh, (*s).vertex, local);
        } else {
            (*s).vertex = climb(mesh, select((*s).vertex, 0u, (*s).vertex == NONE), -HUGE, local);
        }
        p = mesh_vertex(mesh, (*s).vertex);
    }
    return (*s).x * p.x + (*s).y * p.y + (*s).z * p.z + (*s).pos;
}

// the farthest point of the difference in a direction of unit length, half the margins included
fn support(dir: vec3r) -> Vertex {
    let a = bare_support(&solid_a, dir) + dir * (0.5 * solid_a.margin);
    let b = bare_support(&solid_b, -dir) - dir * (0.5 * solid_b.margin);
    return Vertex(a - b, a, b, vec2<u32>(solid_a.vertex, solid_b.vertex));
}
