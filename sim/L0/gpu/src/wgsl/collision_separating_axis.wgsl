// Separating axes of pairs that the narrow-phase pass has found separated. The projections of both geoms onto the axis
// are a lower bound of their distance at later poses too, which is much cheaper than suspending the environment. Behind
// the separation budgets and the reference configuration, the output buffer holds a cache of axes for each environment:
// index of the pair plus one, axis in the frame of the first geom, and the last support vertices of both geoms.

fn axis_adr(p: u32) -> u32 { return separation_adr(AXIS_CACHE + AXIS_SIZE * (p % AXIS_SLOTS)); }

// Largest projection of a geom onto a unit direction, relative to its position. `vertex_adr` is the address of the
// support vertex of a mesh.
fn projection(s: GeomPose, dir: vec3r, vertex_adr: u32) -> real {
    let local = to_local(s, dir);
    let shape = ti[GEOM_SHAPE + s.geom];
    if shape == SHAPE_SPHERE { return s.size.x; }
    if shape == SHAPE_CAPSULE { return s.size.x + s.size.y * abs(local.z); }
    if shape == SHAPE_ELLIPSOID { return length3(local * s.size); }
    if shape == SHAPE_CYLINDER { return s.size.x * sqrt(local.x * local.x + local.y * local.y) + s.size.y * abs(local.z); }
    if shape == SHAPE_BOX { return dot(abs(local), s.size); }
    if !HAS_MESH { return FAR; }
    let mesh = ti[GEOM_MESH + s.geom];
    let last = u32(out[vertex_adr]);
    // Another geom may have used the slot.
    let start = select(0u, last, last < ti[mesh + 1u]);
    var vertex: u32;
    if ti[mesh + 2u] == NONE { vertex = exhaustive_search(mesh, start, local); }
    else { vertex = hill_climb(mesh, start, dot(local, mesh_vertex(mesh, start)), local); }
    out[vertex_adr] = real(vertex);
    return dot(local, mesh_vertex(mesh, vertex));
}

// Whether a pair is separated along its axis, if it has one. Stores the displacement budget then.
fn axis_separates(p: u32) -> bool {
    let at = axis_adr(p);
    if out[at] != real(p + 1u) { return false; }
    let a = geom_pose(geom1(p));
    let b = geom_pose(geom2(p));
    let dir = unit(to_world(a, vec3r(out[at + 1u], out[at + 2u], out[at + 3u])));
    let extent = projection(a, dir, at + 4u) + projection(b, -dir, at + 5u);
    let gap = dot(dir, b.pos - a.pos) - extent - f4(PAIR_DISTANCES, p).y;
    if !(safe_gap(p, gap) > 0.0) { return false; }
    store_separation(p, gap);
    return true;
}

// Stores the axis of the deferred pair at address `at`, if the lane has one. If several pairs have the same slot, the
// one whose index is stored takes it.
fn store_axis(p: u32, at: u32, separated: bool) {
    if separated { out[axis_adr(p)] = real(p + 1u); }
    sync_storage();
    if separated && out[axis_adr(p)] == real(p + 1u) {
        for (var k = 1u; k < AXIS_SIZE; k++) { out[axis_adr(p) + k] = out[at + 2u + k]; }
    }
}
