// Tactile sensors: for every vertex of a mesh, the penetration-based pressure of the geoms in contact with the sensor's
// body, and the magnitudes of the tangential slip velocity. Evaluated after collision detection.

// Penetration depth at which the pressure is half of its maximum, m.
const TACTILE_HALF_DEPTH: real = 0.05;

fn tactile_sensors() {
    for (var s = 0u; s < NTACTILE; s++) {
        sync();
        for (var g = lane; g < NGEOM; g += LANES) { wu[TACTILE_CONTACT + g] = u32(contacts_group(s, g)); }
        sync();
        let count = ti[TACTILE_VERTNUM + s];
        for (var v = lane; v < count; v += LANES) { tactile_vertex(s, v, count); }
    }
    sync_sensors();
}

// Whether a geom is in contact with the bodies that are welded to the sensor.
fn contacts_group(s: u32, g: u32) -> bool {
    for (var c = 0u; c < ncon; c++) {
        let a = geom1(con_pair(c));
        let b = geom2(con_pair(c));
        if a == g && ti[TACTILE_GROUP + s * NGEOM + b] == 1u || b == g && ti[TACTILE_GROUP + s * NGEOM + a] == 1u { return true; }
    }
    return false;
}

// Velocity of the point of a body at a world position.
fn tactile_velocity(b: u32, p: vec3r) -> vec3r {
    let v = body_velocity(b);
    return v.lin + cross(v.ang, offset_from_reference(b, p));
}

fn tactile_vertex(s: u32, v: u32, count: u32) {
    let at = ti[TACTILE_VERTADR + s] + 3u * v;
    let b = ti[TACTILE_BODY + s];
    let rot = w4(xquat_adr(b));
    let local = f3(TACTILE_VERTEX, at);
    let p = w3(XPOS + 3u * b) + qrot(rot, f3(TACTILE_POS, s) + qrot(f4(TACTILE_QUAT, s), local));
    var reading = vec3r(0.0);
    for (var g = 0u; g < NGEOM; g++) {
        if wu[TACTILE_CONTACT + g] == 0u || ti[TACTILE_TYPE + g] == NONE { continue; }
        let pose = geom_pose(g);
        let x = to_local(pose, p - pose.pos);
#ifdef SIGNED_DISTANCE
        var depth: real;
        if ti[TACTILE_TYPE + g] == TACTILE_SDF {
            depth = field(ti[TACTILE_FIELD + g], pose.size, f3(TACTILE_FIELD_POS, g) + qrot(f4(TACTILE_FIELD_QUAT, g), x)).w;
        } else {
            depth = tactile_distance(ti[TACTILE_TYPE + g], pose.size, x);
        }
#else
        let depth = tactile_distance(ti[TACTILE_TYPE + g], pose.size, x);
#endif
        if !(depth < 0.0) { continue; }
        let slip = tactile_velocity(b, p) - tactile_velocity(ti[GEOM_BODY + g], pose.pos);
        reading += vec3r(depth / (TACTILE_HALF_DEPTH - depth) * f4(TACTILE_VERTEX, at).w,
            abs(dot(slip, f3(TACTILE_VERTEX, at + 1u))), abs(dot(slip, f3(TACTILE_VERTEX, at + 2u))));
    }
    for (var k = 0u; k < 3u; k++) {
        out[env * OUT_SIZE + ti[TACTILE_ADR + s] + k * count + v] = clamp(reading[k], -f(TACTILE_CUTOFF + s), f(TACTILE_CUTOFF + s));
    }
}

// Signed distance of a point to a primitive (mjc_distance); codes as in mjtGeom.
fn tactile_distance(kind: u32, size: vec3r, x: vec3r) -> real {
    if kind == 0u { return x.z; }
    if kind == 2u { return sqrt(dot(x, x)) - size.x; }
    if kind == 3u {
        let q = vec3r(x.xy, x.z - clamp(x.z, -size.y, size.y));
        return sqrt(dot(q, q)) - size.x;
    }
    if kind == 4u {
        let a = x / size;
        let b = a / size;
        let k0 = sqrt(dot(a, a));
        return k0 * (k0 - 1.0) / sqrt(dot(b, b));
    }
    if kind == 5u {
        let a = vec2<real>(sqrt(dot(x.xy, x.xy)) - size.x, abs(x.z) - size.y);
        let outside = max(a, vec2<real>(0.0));
        return min(max(a.x, a.y), real(0.0)) + sqrt(dot(outside, outside));
    }
    let a = abs(x) - size;
    if all(a < vec3r(0.0)) {
        // Along a direction that changes from radial to normal towards the surface.
        let depth = -a / unit(-size / a);
        return -min(depth.x, min(depth.y, depth.z));
    }
    let outside = max(a, vec3r(0.0));
    return sqrt(dot(outside, outside)) + min(max(a.x, max(a.y, a.z)), real(0.0));
}
