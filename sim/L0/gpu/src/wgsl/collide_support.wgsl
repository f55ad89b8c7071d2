// Convex solids as their support functions: the farthest point in a direction.

struct Solid { pos: vec3r, x: vec3r, y: vec3r, z: vec3r, size: vec3r, margin: real, form: u32, mesh: u32, vertex: u32 }
// what positions are measured from: close to both solids, so that single precision has digits left
var<private> origin: vec3r;

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
    return Solid(s.pos - origin, x_axis(s), y_axis(s), z_axis(s), s.size, margin, ti[GEOM_FORM + s.geom], ti[GEOM_MESH + s.geom], NONE);
}

// whether only finitely many points can be farthest in some direction
fn is_discrete(room: ptr<function, Solids>) -> bool {
    return (*room).solids[0].margin == 0.0 && (*room).solids[0].form >= FORM_BOX && (*room).solids[1].margin == 0.0 && (*room).solids[1].form >= FORM_BOX;
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

fn bare_support(room: ptr<function, Solids>, k: u32, dir: vec3r) -> vec3r {
    let form = (*room).solids[k].form;
    let size = (*room).solids[k].size;
    if form == FORM_POINT { return (*room).solids[k].pos; }
    if form == FORM_SPHERE { return size.x * dir + (*room).solids[k].pos; }
    if form == FORM_SEGMENT { return (*room).solids[k].z * toward(dot((*room).solids[k].z, dir), size.y) + (*room).solids[k].pos; }
    if HAS_PRISM && form == FORM_PRISM { return prism_support(room, dir); }
    let local = vec3r(dot((*room).solids[k].x, dir), dot((*room).solids[k].y, dir), dot((*room).solids[k].z, dir));
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
        (*room).solids[k].vertex = u32(p.x > 0.0) | (u32(p.y > 0.0) << 1u) | (u32(p.z > 0.0) << 2u);
    } else if HAS_MESH {
        let mesh = (*room).solids[k].mesh;
        if ti[mesh + 2u] == NONE {
            (*room).solids[k].vertex = scan(mesh, (*room).solids[k].vertex, local);
        } else {
            (*room).solids[k].vertex = climb(mesh, select((*room).solids[k].vertex, 0u, (*room).solids[k].vertex == NONE), -HUGE, local);
        }
        p = mesh_vertex(mesh, (*room).solids[k].vertex);
    }
    return (*room).solids[k].x * p.x + (*room).solids[k].y * p.y + (*room).solids[k].z * p.z + (*room).solids[k].pos;
}
