// Separating axes of pairs whose oriented bounding boxes overlap. The projections of both geoms onto a direction are a
// lower bound of their distance, and the search for a direction that separates them is much cheaper than suspending the
// environment. It starts from the direction of the last search, which the output buffer holds behind the separation
// budgets and the reference configuration, in a cache for each environment: index of the pair plus one, negative if the
// geoms were in contact; axis in the frame of the first geom; the last support vertices of both geoms.

fn axis_adr(p: u32) -> u32 { return separation_adr(AXIS_CACHE + AXIS_SIZE * (p % AXIS_SLOTS)); }

// Most directions that a search tries.
const AXIS_ITERATIONS: u32 = 16u;

fn is_convex(shape: u32) -> bool { return shape >= SHAPE_SPHERE && shape <= SHAPE_MESH; }

// Support point of a geom in a unit direction, relative to its position. `vertex_adr` is the address of the support
// vertex of a mesh.
fn axis_support(s: GeomPose, dir: vec3r, vertex_adr: u32) -> vec3r {
    let local = to_local(s, dir);
    let shape = ti[GEOM_SHAPE + s.geom];
    let size = s.size;
    if HAS_MESH && shape == SHAPE_MESH {
        let mesh = ti[GEOM_MESH + s.geom];
        let last = u32(out[vertex_adr]);
        // Another geom may have used the slot.
        let start = select(0u, last, last < ti[mesh + 1u]);
        var vertex: u32;
        if ti[mesh + 2u] == NONE { vertex = exhaustive_search(mesh, start, local); }
        else { vertex = hill_climb(mesh, start, dot(local, mesh_vertex(mesh, start)), local); }
        out[vertex_adr] = real(vertex);
        return to_world(s, mesh_vertex(mesh, vertex));
    }
    var p = local * size.x;
    if shape == SHAPE_CAPSULE { p.z += toward(local.z, size.y); }
    if shape == SHAPE_ELLIPSOID { p = local * size * size / max(length3(local * size), MINVAL); }
    if shape == SHAPE_CYLINDER {
        p /= sqrt(max(local.x * local.x + local.y * local.y, MINVAL));
        p.z = toward(local.z, size.y);
    }
    if shape == SHAPE_BOX { p = vec3r(toward(local.x, size.x), toward(local.y, size.y), toward(local.z, size.z)); }
    return to_world(s, p);
}

// Triangle of points of the Minkowski difference of two geoms, and its point closest to the origin.
struct Simplex { a: vec3r, b: vec3r, c: vec3r, closest: vec3r }

// Point closest to the origin among the three faces of a tetrahedron that contain the new point `w`; the fourth face is
// the last simplex, whose corners may coincide.
fn extend_simplex(s: Simplex, w: vec3r) -> Simplex {
    var best = s;
    var least = FAR;
    var a = s.a;
    var b = s.b;
    var c = s.c;
    for (var k = 0u; k < 3u; k++) {
        let e = a - w;
        let g = b - w;
        var closest = w + clamp(-dot(w, e) / max(dot(e, e), MINVAL), real(0.0), real(1.0)) * e;
        let normal = cross(e, g);
        // Barycentric coordinates of the projection of the origin, not normalised.
        let inside = vec3r(dot(normal, cross(a, b)), dot(normal, cross(b, w)), dot(normal, cross(w, a)));
        let square = dot(normal, normal);
        if square > 0.0 && all(inside > vec3r(0.0)) { closest = normal * (dot(normal, w) / square); }
        let distance = dot(closest, closest);
        if distance < least {
            least = distance;
            best = Simplex(w, a, b, closest);
        }
        let first = a;
        a = b;
        b = c;
        c = first;
    }
    return best;
}

// Whether a pair is separated, as far as a search of its separating axis can tell (the Gilbert–Johnson–Keerthi
// algorithm). Stores the axis and the displacement budget then. A pair that was in contact the last time is left to the
// narrow phase.
fn axis_separates(p: u32) -> bool {
    let at = axis_adr(p);
    if out[at] == -real(p + 1u) { return false; }
    let a = geom_pose(geom1(p));
    let b = geom_pose(geom2(p));
    if !is_convex(ti[GEOM_SHAPE + a.geom]) || !is_convex(ti[GEOM_SHAPE + b.geom]) { return false; }
    let between = b.pos - a.pos;
    var dir = between;
    if out[at] == real(p + 1u) { dir = to_world(a, vec3r(out[at + 1u], out[at + 2u], out[at + 3u])); }
    // With a smaller gap the axis would be tested in every step.
    let enough = 5e-4 * f4(PAIR_DISTANCES, p).x;
    var simplex: Simplex;
    var best_gap = real(0.0);
    var best_dir = dir;
    for (var k = 0u; k < AXIS_ITERATIONS; k++) {
        let length = length3(dir);
        if !(length > 1e-6) { break; }
        dir /= length;
        let w = between + axis_support(b, -dir, at + 5u) - axis_support(a, dir, at + 4u);
        let projection = dot(dir, w);
        let gap = projection - f4(PAIR_DISTANCES, p).y;
        if gap > best_gap { best_gap = gap; best_dir = dir; }
        // After the first direction, `length` is an upper bound of the distance.
        if safe_gap(p, best_gap) > enough || k > 0u && projection > 0.99 * length { break; }
        if k == 0u { simplex = Simplex(w, w, w, w); } else { simplex = extend_simplex(simplex, w); }
        dir = simplex.closest;
    }
    if !(safe_gap(p, best_gap) > 0.0) { return false; }
    store_separation(p, best_gap);
    let axis = to_local(a, best_dir);
    out[at] = real(p + 1u);
    for (var k = 0u; k < 3u; k++) { out[at + 1u + k] = axis[k]; }
    return true;
}

// Stores what the narrow-phase pass found for the deferred pair at address `at`, if the lane has one: its axis, or that
// the geoms are in contact. If several pairs have the same slot, the one whose index is stored takes it.
fn store_axis(p: u32, at: u32, deferred: bool, separated: bool) {
    if deferred { out[axis_adr(p)] = select(-real(p + 1u), real(p + 1u), separated); }
    sync_storage();
    if separated && out[axis_adr(p)] == real(p + 1u) {
        for (var k = 1u; k < AXIS_SIZE; k++) { out[axis_adr(p) + k] = out[at + 2u + k]; }
    }
}
