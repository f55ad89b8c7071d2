// Support functions of convex geoms: the farthest point in a direction.

struct ConvexGeom { pos: vec3r, x: vec3r, y: vec3r, z: vec3r, size: vec3r, margin: real, shape: u32, mesh: u32, vertex: u32 }
// Working memory of a convex query. Arrays that only EPA needs are in `Polytope`: variables are zero-initialised where
// they are declared, which takes time.
struct ConvexScratch {
    geoms: array<ConvexGeom, 2>,
#ifdef COLLIDE_CONVEX
    simplex_point: array<SupportPoint, SIMPLEX_POINTS>,
    witness_a: array<vec3r, 4>,
    witness_b: array<vec3r, 4>,
#endif
#ifdef COLLIDE_HFIELD
    prism: array<vec3r, 6>,
#endif
}
// Origin of the local coordinates, close to both geoms so that single precision suffices.
var<private> origin: vec3r;

fn convex_geom(s: GeomPose, margin: real) -> ConvexGeom {
    return ConvexGeom(s.pos - origin, x_axis(s), y_axis(s), z_axis(s), s.size, margin, ti[GEOM_SHAPE + s.geom], ti[GEOM_MESH + s.geom], NONE);
}

// Whether both geoms are polyhedra without margin, so that support points are among finitely many vertices.
fn is_discrete(ws: ptr<function, ConvexScratch>) -> bool {
    return (*ws).geoms[0].margin == 0.0 && (*ws).geoms[0].shape >= SHAPE_BOX && (*ws).geoms[1].margin == 0.0 && (*ws).geoms[1].shape >= SHAPE_BOX;
}

fn geom_support(ws: ptr<function, ConvexScratch>, k: u32, dir: vec3r) -> vec3r {
    let shape = (*ws).geoms[k].shape;
    let size = (*ws).geoms[k].size;
    if shape == SHAPE_POINT { return (*ws).geoms[k].pos; }
    if shape == SHAPE_SPHERE { return size.x * dir + (*ws).geoms[k].pos; }
    if shape == SHAPE_SEGMENT { return (*ws).geoms[k].z * toward(dot((*ws).geoms[k].z, dir), size.y) + (*ws).geoms[k].pos; }
    if HAS_PRISM && shape == SHAPE_PRISM { return prism_support(ws, dir); }
    let local = vec3r(dot((*ws).geoms[k].x, dir), dot((*ws).geoms[k].y, dir), dot((*ws).geoms[k].z, dir));
    var p: vec3r;
    if shape == SHAPE_CAPSULE {
        p = local * size.x;
        p.z += toward(local.z, size.y);
    } else if shape == SHAPE_ELLIPSOID {
        let scaled = local * size;
        let square = dot(scaled, scaled);
        if square < MINVAL * MINVAL { p = vec3r(size.x, 0.0, 0.0); } else { p = scaled * size / sqrt(square); }
    } else if shape == SHAPE_CYLINDER {
        let square = local.x * local.x + local.y * local.y;
        var factor = real(0.0);
        if square >= MINVAL * MINVAL { factor = size.x / sqrt(square); }
        p = vec3r(factor * local.x, factor * local.y, toward(local.z, size.y));
    } else if shape == SHAPE_BOX {
        p = vec3r(toward(local.x, size.x), toward(local.y, size.y), toward(local.z, size.z));
        (*ws).geoms[k].vertex = u32(p.x > 0.0) | (u32(p.y > 0.0) << 1u) | (u32(p.z > 0.0) << 2u);
    } else if HAS_MESH {
        let mesh = (*ws).geoms[k].mesh;
        if ti[mesh + 2u] == NONE {
            (*ws).geoms[k].vertex = exhaustive_search(mesh, (*ws).geoms[k].vertex, local);
        } else {
            (*ws).geoms[k].vertex = hill_climb(mesh, select((*ws).geoms[k].vertex, 0u, (*ws).geoms[k].vertex == NONE), -FAR, local);
        }
        p = mesh_vertex(mesh, (*ws).geoms[k].vertex);
    }
    return (*ws).geoms[k].x * p.x + (*ws).geoms[k].y * p.y + (*ws).geoms[k].z * p.z + (*ws).geoms[k].pos;
}
