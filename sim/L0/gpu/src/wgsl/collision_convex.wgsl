// Convex-convex contacts (mjc_Convex): one GJK/EPA query, then either polygon clipping of the contacting faces or
// additional queries with slightly rotated geoms (multiccd).

// Number of witness point pairs in `witness_a` and `witness_b`.
var<private> witness_count: u32;

// Signed distance of the two geoms (GJK, then EPA if they overlap); FAR if they are separated, zero if it is
// unknown.
fn gjk_epa(ws: ptr<function, ConvexScratch>, max_contacts: u32) -> real {
    witness_count = 0u;
    pair_separation = 0.0;
    let shape = vec2<u32>((*ws).geoms[0].shape, (*ws).geoms[1].shape);
    let margin = vec2<real>((*ws).geoms[0].margin, (*ws).geoms[1].margin);
    // A sphere is a point with a radius, a capsule a segment with a radius: exact unless the core itself penetrates.
    var radius = vec2<real>(0.0);
    for (var k = 0u; k < 2u; k++) {
        if shape[k] != SHAPE_SPHERE && shape[k] != SHAPE_CAPSULE { continue; }
        radius[k] = (*ws).geoms[k].size.x + 0.5 * margin[k];
        (*ws).geoms[k].shape -= 2u;
        (*ws).geoms[k].margin = 0.0;
    }
    cutoff = radius.x + radius.y;
    gjk_restart(ws);
    var p = vec3r(0.0);
    loop {
        if phase == GJK_VERTEX { gjk_add_vertex(ws, p); }
        if phase == ORIGIN_VERTEX { replace_tetrahedron_vertex(ws, p); }
        if phase == ORIGIN_TEST { test_tetrahedron(); }
        if phase == GJK_REDUCE { gjk_reduce(); }
        loop {
            if phase == GJK_NEXT { gjk_next(ws); }
            let far_apart = phase == DONE && gjk_distance == FAR;
            if phase != GJK_CONVERGED && !(far_apart && cutoff > 0.0) { break; }
            let core_query = cutoff > 0.0;
            for (var k = 0u; k < 2u; k++) { (*ws).geoms[k].shape = shape[k]; (*ws).geoms[k].margin = margin[k]; }
            cutoff = 0.0;
            if far_apart { break; }
            if gjk_distance > f(CCD_TOLERANCE) {
                phase = DONE;
                if core_query {
                    gjk_witness(ws);
                    let n = unit((*ws).witness_b[0] - (*ws).witness_a[0]);
                    (*ws).witness_a[0] += n * radius.x;
                    (*ws).witness_b[0] -= n * radius.y;
                    witness_count = 1u;
                    gjk_distance -= radius.x + radius.y;
                }
                break;
            }
            if !core_query { phase = select(DONE, EPA_START, simplex_len > 1u); break; }
            gjk_restart(ws);
        }
        if phase == DONE || phase == EPA_START { break; }
        let found = support(ws);
        (*ws).simplex_point[slot] = found;
        p = found.p;
    }
    if separated { return FAR; }
    if phase == EPA_START { epa(ws, max_contacts); }
    return gjk_distance;
}

fn gjk_restart(ws: ptr<function, ConvexScratch>) {
    simplex_len = 0u;
    gjk_iterations = 0u;
    weights = vec4r(1.0, 0.0, 0.0, 0.0);
    test_origin = cutoff <= 0.0;
    separated = false;
    closest = geom_center(ws) - (*ws).geoms[1].pos;
    gjk_distance = 0.0;
    slot = 0u;
    phase = GJK_NEXT;
}

fn is_smooth(shape: u32) -> bool { return shape == SHAPE_SPHERE || shape == SHAPE_ELLIPSOID; }
fn is_polyhedral(shape: u32) -> bool { return shape == SHAPE_BOX || shape == SHAPE_MESH; }

// Rotates a geom about a point.
fn rotate_geom(ws: ptr<function, ConvexScratch>, k: u32, q: vec4r, pivot: vec3r) {
    (*ws).geoms[k].x = qrot(q, (*ws).geoms[k].x);
    (*ws).geoms[k].y = qrot(q, (*ws).geoms[k].y);
    (*ws).geoms[k].z = qrot(q, (*ws).geoms[k].z);
    let arm = pivot - (*ws).geoms[k].pos;
    (*ws).geoms[k].pos -= qrot(q, arm) - arm;
}

fn reset_geom_pose(ws: ptr<function, ConvexScratch>, k: u32, to: GeomPose) {
    (*ws).geoms[k].pos = to.pos - origin;
    (*ws).geoms[k].x = x_axis(to);
    (*ws).geoms[k].y = y_axis(to);
    (*ws).geoms[k].z = z_axis(to);
}

fn convex_convex(contacts: ptr<function, ContactPoints>, ws: ptr<function, ConvexScratch>, a: GeomPose, b: GeomPose, margin: real) {
    origin = a.pos;
    (*ws).geoms[0] = convex_geom(a, margin);
    (*ws).geoms[1] = convex_geom(b, margin);
    let prisms = HAS_PRISM && (*ws).geoms[0].shape == SHAPE_PRISM;
    if prisms { if !hfield_begin(ws, a, b, margin) { return; } }
    let faceted = MULTICCD && margin <= 0.0 && is_polyhedral((*ws).geoms[0].shape) && is_polyhedral((*ws).geoms[1].shape);
    let perturbs = MULTICCD && !faceted && !is_smooth((*ws).geoms[0].shape) && !is_smooth((*ws).geoms[1].shape);
    let min_spacing = 1e-3 * min(f(GEOM_RBOUND + a.geom), f(GEOM_RBOUND + b.geom));
    var depth = real(0.0);
    // Round 0 finds the contact; rounds 1 to 4 rotate the geoms about both tangents in both directions.
    for (var round = 0u; prisms || round < 5u; round++) {
        if prisms {
            if pair_ncon >= MAX_PAIR_CONTACTS || !hfield_next(ws, margin) { pair_separation = 0.0; return; }
        } else if round > 0u {
            let x = (*contacts)[0].normal;
            var y = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
            y = unit(y - x * dot(x, y));
            let axis = select(cross(x, y), y, round < 3u);
            let sine = select(real(0.000499999979166666927), real(-0.000499999979166666927), (round & 1u) == 1u);
            let q = vec4r(0.999999875000002604, axis * sine);
            for (var k = 0u; k < 2u; k++) { rotate_geom(ws, k, select(q, qconj(q), k == 1u), (*contacts)[0].pos - origin); }
        }
        let dist = gjk_epa(ws, select(1u, 4u, faceted));
        if prisms { hfield_contact(contacts, ws, a, dist); continue; }
        if round == 0u { depth = margin + dist; }
        if dist < 0.0 && dist > -FAR { add_witness_contacts(contacts, ws, depth, min_spacing, round > 0u); }
        if !perturbs || pair_ncon == 0u { return; }
        reset_geom_pose(ws, 0u, a);
        reset_geom_pose(ws, 1u, b);
    }
}

// Adds the witness points of a query; those of a rotated query only if they are not close to a known contact.
fn add_witness_contacts(contacts: ptr<function, ContactPoints>, ws: ptr<function, ConvexScratch>, dist: real, min_spacing: real, filter_duplicates: bool) {
    for (var k = 0u; k < witness_count; k++) {
        let pos = origin + 0.5 * ((*ws).witness_a[k] + (*ws).witness_b[k]);
        var duplicate = false;
        for (var i = 0u; filter_duplicates && i < min(pair_ncon, MAX_PAIR_CONTACTS); i++) {
            let delta = (*contacts)[i].pos - pos;
            duplicate = duplicate || sqrt(dot(delta, delta)) <= min_spacing;
        }
        if !duplicate && all(abs(pos) < vec3r(FAR)) { add_contact(contacts, dist, pos, unit((*ws).witness_a[k] - (*ws).witness_b[k]), vec3r(0.0)); }
    }
}
