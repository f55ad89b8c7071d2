// Geom distance sensors (mj_geomDistance): signed distance, direction and end points of the shortest segment between two
// geoms, or between the geoms of two bodies. Evaluated after collision detection, while the poses of geoms are known.

struct GeomDistance { dist: real, origin: vec3r, end: vec3r }

fn distance_sensors() {
    sync();
    for (var s = lane; s < NDISTANCE_SENSOR; s += LANES) { distance_sensor(s); }
    sync_sensors();
}

fn distance_sensor(s: u32) {
    let cutoff_dist = f(DISTANCE_CUTOFF + s);
    var best = GeomDistance(cutoff_dist, vec3r(0.0), vec3r(0.0));
    for (var k = ti[DISTANCE_PAIR_ADR + s]; k < ti[DISTANCE_PAIR_ADR + s + 1u]; k++) {
        let one = geom_pose(ti[DISTANCE_GEOMS + k] & 0xffffu);
        let two = geom_pose(ti[DISTANCE_GEOMS + k] >> 16u);
        // The bounding spheres overlap at least as deeply as the geoms.
        let centers = two.pos - one.pos;
        let separation = sqrt(dot(centers, centers));
        let radii = f(DISTANCE_RADII + k);
        if separation - radii > best.dist + 1e-5 * (separation + radii) { continue; }
        let found = geom_distance(k, one, two, cutoff_dist);
        if found.dist < best.dist { best = found; }
    }
    let at = env * OUT_SIZE + ti[DISTANCE_ADR + s];
    let kind = ti[DISTANCE_KIND + s];
    let segment = best.end - best.origin;
    if kind == DISTANCE_SCALAR {
        out[at] = select(best.dist, clamp(best.dist, -cutoff_dist, cutoff_dist), cutoff_dist > 0.0);
    } else if kind == DISTANCE_NORMAL {
        var normal = vec3r(0.0);
        if any(segment != vec3r(0.0)) { normal = unit(segment); }
        for (var c = 0u; c < 3u; c++) { out[at + c] = normal[c]; }
    } else {
        for (var c = 0u; c < 3u; c++) { out[at + c] = best.origin[c]; out[at + 3u + c] = best.end[c]; }
    }
}

fn geom_distance(k: u32, one: GeomPose, two: GeomPose, limit: real) -> GeomDistance {
    let function_code = ti[DISTANCE_FUNCTION + k] >> 1u;
#ifdef COLLIDE_CONVEX
    if function_code == DISTANCE_CONVEX { return convex_distance(one, two, limit); }
#endif
    // Narrow-phase functions expect the geoms in the order of their types.
    let swapped = (ti[DISTANCE_FUNCTION + k] & 1u) == 1u;
    var contacts: ContactPoints;
    pair_ncon = 0u;
    if swapped { distance_contacts(&contacts, function_code, two, one, limit); }
    else { distance_contacts(&contacts, function_code, one, two, limit); }
    var result = GeomDistance(limit, vec3r(0.0), vec3r(0.0));
    for (var c = 0u; c < min(pair_ncon, MAX_PAIR_CONTACTS); c++) {
        let contact = contacts[c];
        if !(contact.dist < result.dist) { continue; }
        let half = select(real(0.5), real(-0.5), swapped) * contact.dist * contact.normal;
        result = GeomDistance(contact.dist, contact.pos - half, contact.pos + half);
    }
    return result;
}

#ifdef COLLIDE_CONVEX
// GJK for distances up to `limit`. Returns the distance, zero if the geoms overlap, FAR beyond the limit. `exact` avoids
// a defect of the reference implementation: if the closest point is on the side opposite to the fourth vertex, its
// weight stays, and separated geoms seem to overlap.
fn gjk_closest(ws: ptr<function, ConvexScratch>, limit: real, exact: bool) -> real {
    let tolerance = f(CCD_TOLERANCE);
    let discrete = is_discrete(ws);
    let gap = select(0.5 * tolerance * tolerance, real(0.0), discrete);
    let min_square = select(max(tolerance * tolerance, MINVAL * MINVAL), MINVAL * MINVAL, discrete);
    weights = vec4r(1.0, 0.0, 0.0, 0.0);
    simplex_len = 0u;
    closest = (*ws).geoms[0].pos - (*ws).geoms[1].pos;
    (*ws).witness_a[0] = (*ws).geoms[0].pos;
    (*ws).witness_b[0] = (*ws).geoms[1].pos;
    var dist = real(0.0);
    for (var k = 0u; k < CCD_ITERATIONS; k++) {
        dist = dot(closest, closest);
        if dist < min_square { break; }
        dist = sqrt(dist);
        direction = -(closest * (1.0 / dist));
        var used = 0u;
        for (var v = 0u; v < simplex_len; v++) { used |= 1u << simplex_slot[v]; }
        let next_slot = free_slot(used);
        let found = support(ws);
        (*ws).simplex_point[next_slot] = found;
        let p = found.p;
        if simplex_len == 0u { s0 = p; } else if simplex_len == 1u { s1 = p; } else if simplex_len == 2u { s2 = p; } else { s3 = p; }
        simplex_slot[simplex_len] = next_slot;
        if dot(closest, closest - p) < gap {
            if k == 0u { simplex_len = 1u; }
            break;
        }
        let ahead = dot(closest, p);
        if ahead > 0.0 && ahead * ahead / dot(closest, closest) >= limit * limit { simplex_len = 0u; return FAR; }
        if exact && simplex_len == 3u {
            let v = tetrahedron_weights();
            let side = v.x + v.y + v.z;
            // The weights of a side sum up to one without the fourth vertex.
            if abs(side - 1.0) < 0.5 * abs(side + v.w - 1.0) { simplex_len = 2u; }
        }
        reduce_simplex();
        if simplex_len == 0u { return FAR; }
        let next = s0 * weights.x + s1 * weights.y + s2 * weights.z + s3 * weights.w;
        if all(abs(next - closest) < vec3r(MINVAL)) { break; }
        closest = next;
        if simplex_len == 4u { dist = 0.0; break; }
    }
    gjk_witness(ws);
    return dist;
}

// Distance of convex geoms: first the exact distance. Where they overlap, the iteration for the depth ends early and
// depends on its start, which is that of the reference implementation.
fn convex_distance(one: GeomPose, two: GeomPose, limit: real) -> GeomDistance {
    var ws: ConvexScratch;
    var result = GeomDistance(limit, vec3r(0.0), vec3r(0.0));
    origin = one.pos;
    for (var exact = true; ; exact = false) {
        ws.geoms[0] = convex_geom(one, real(0.0));
        ws.geoms[1] = convex_geom(two, real(0.0));
        // A sphere is a point with a radius, a capsule a segment: exact unless the cores overlap.
        let shape = vec2<u32>(ws.geoms[0].shape, ws.geoms[1].shape);
        var radius = vec2<real>(0.0);
        for (var k = 0u; k < 2u; k++) {
            if shape[k] != SHAPE_SPHERE && shape[k] != SHAPE_CAPSULE { continue; }
            radius[k] = ws.geoms[k].size.x;
            ws.geoms[k].shape -= 2u;
        }
        var dist = real(0.0);
        for (var cores = radius.x + radius.y > 0.0; ; cores = false) {
            dist = gjk_closest(&ws, limit + select(real(0.0), radius.x + radius.y, cores), exact);
            if !cores { break; }
            ws.geoms[0].shape = shape.x;
            ws.geoms[1].shape = shape.y;
            if dist > f(CCD_TOLERANCE) {
                if dist < FAR {
                    let n = unit(ws.witness_b[0] - ws.witness_a[0]);
                    ws.witness_a[0] += n * radius.x;
                    ws.witness_b[0] -= n * radius.y;
                    dist -= radius.x + radius.y;
                }
                simplex_len = 1u;
                break;
            }
        }
        if abs(dist) <= f(CCD_TOLERANCE) && simplex_len > 1u {
            witness_count = 0u;
            pair_separation = 0.0;
            phase = EPA_START;
            epa(&ws, 1u);
            dist = gjk_distance;
        }
        if dist < limit && (exact || dist < 0.0) { result = GeomDistance(dist, origin + ws.witness_a[0], origin + ws.witness_b[0]); }
        if !exact || dist > 0.0 { break; }
    }
    return result;
}
#endif
