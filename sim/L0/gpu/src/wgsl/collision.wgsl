// mj_collision: broad phase over the compile-time pair list, one lane per surviving pair in the narrow phase,
// contacts stored in lane order so that results are deterministic.

#import collision_pair

// Pair of a contact and its first constraint row (NONE without rows).
#ifdef MANY_PAIRS
fn con_pair(c: u32) -> u32 { return wu[CONTACT_PAIR_ROW + c]; }
fn con_row(c: u32) -> u32 { return wu[CONTACT_PAIR_ROW + MAXCON + c]; }
fn set_con_row(c: u32, r: u32) { wu[CONTACT_PAIR_ROW + MAXCON + c] = r; }
#else
// Packed into 16 bits each.
fn con_pair(c: u32) -> u32 { return wu[CONTACT_PAIR_ROW + c] & 0xffffu; }
fn con_row(c: u32) -> u32 {
    let r = wu[CONTACT_PAIR_ROW + c] >> 16u;
    return select(r, NONE, r == 0xffffu);
}
fn set_con_row(c: u32, r: u32) { wu[CONTACT_PAIR_ROW + c] = con_pair(c) | r << 16u; }
#endif

fn geom_poses() {
    for (var g = lane; g < NGEOM; g += LANES) {
        let b = ti[GEOM_BODY + g];
        let rot = w4(xquat_adr(b));
        let pos = w3(XPOS + 3u * b) + qrot(rot, f3(GEOM_POS, g));
        let own = qmul(rot, f4(GEOM_QUAT, g));
#ifdef GEOM_AXES_IN_STORAGE
        put3(GEOM_POSE + 3u * g, pos);
        scratch[rare_adr(GEOM_AXIS4 + 2u * g)] = vec4r(qx(own), 0.0);
        scratch[rare_adr(GEOM_AXIS4 + 2u * g + 1u)] = vec4r(qz(own), 0.0);
    }
    sync_matrices();
#else
        put3(GEOM_POSE + 9u * g, pos);
        put3(GEOM_POSE + 9u * g + 3u, qx(own));
        put3(GEOM_POSE + 9u * g + 6u, qz(own));
    }
    sync();
#endif
}

// Bounding-sphere test, or sphere-plane test for the first NPLANE pairs.
fn bounding_spheres_overlap(p: u32) -> bool {
    let g = geom1(p);
    let delta = geom_xpos(geom2(p)) - geom_xpos(g);
    let max_dist = f4(PAIR_DISTANCES, p).x;
    if p < NPLANE { return dot(delta, geom_z_axis(g)) <= max_dist; }
    return dot(delta, delta) <= max_dist * max_dist;
}

// Bit k is set if pair `start + k * LANES + lane` passes the bounding-sphere test.
fn broadphase_bits(start: u32, end: u32) -> u32 {
    var bits = 0u;
    for (var k = 0u; k < 32u; k++) {
        let p = start + k * LANES + lane;
        if p >= end { break; }
        bits |= u32(bounding_spheres_overlap(p)) << k;
    }
    return bits;
}

// Moves pairs from the bit masks of all lanes into the queue, at most one per lane. Returns the number of pairs that
// were pending.
fn queue_pairs(bits: ptr<function, u32>, start: u32) -> u32 {
    let slots = workgroup_scan(countOneBits(*bits));
    for (var at = slots.x; *bits != 0u && at < LANES; at++) {
        w[PAIR_QUEUE + at] = real(start + firstTrailingBit(*bits) * LANES + lane);
        *bits &= *bits - 1u;
    }
    sync();
    return slots.y;
}

// Lower bound of the distance between two geoms beyond the pair's margin: separating-axis test on the faces of both
// oriented bounding boxes, and bounding spheres.
fn obb_separation(a: GeomPose, b: GeomPose, p: u32) -> real {
    let g = geom1(p);
    let h = geom2(p);
    let delta = b.pos + to_world(b, f3(GEOM_AABB_CENTER, h)) - a.pos - to_world(a, f3(GEOM_AABB_CENTER, g));
    let half1 = f3(GEOM_AABB_HALF, g);
    let half2 = f3(GEOM_AABB_HALF, h);
    let x = to_local(a, x_axis(b));
    let y = to_local(a, y_axis(b));
    let z = to_local(a, z_axis(b));
    let extent1 = half1 + abs(x) * half2.x + abs(y) * half2.y + abs(z) * half2.z;
    let extent2 = half2 + vec3r(dot(abs(x), half1), dot(abs(y), half1), dot(abs(z), half1));
    let gap = max(abs(to_local(a, delta)) - extent1, abs(to_local(b, delta)) - extent2);
    let centers = b.pos - a.pos;
    return max(max(gap.x, max(gap.y, gap.z)) - f4(PAIR_DISTANCES, p).y, sqrt(dot(centers, centers)) - f4(PAIR_DISTANCES, p).x);
}

// Distance below which a contact is kept.
fn include_distance(p: u32) -> real {
#ifdef KEEP_GAP_CONTACTS
    // Contacts inside the gap have no rows, but adhesion, contact and tactile sensors see them.
    return f4(PAIR_DISTANCES, p).y;
#else
    return f4(PAIR_DISTANCES, p).z;
#endif
}

// Appends the contacts of all lanes to the contact list in lane order. Contacts with dist >= includemargin (margin -
// gap) generate no forces and are dropped.
fn store_contacts(contacts: ptr<function, ContactPoints>, p: u32) {
    // The bound comes from a table because the compiler would unroll loops with a constant bound.
    let found = min(pair_ncon, ti[PAIR_CONTACT_LIMIT + u32(PASS != PASS_SINGLE)]);
    var include = real(0.0);
    if found > 0u { include = include_distance(p); }
    // The upper 16 bits count the lanes whose contacts overflowed.
    var count = u32(pair_ncon > MAX_PAIR_CONTACTS) << 16u;
    for (var k = 0u; k < found; k++) { count += u32(!((*contacts)[k].dist >= include)); }
    let slots = workgroup_scan(count);
    if slots.y == 0u { return; }
    var c = ncon + (slots.x & 0xffffu);
    for (var k = 0u; k < found; k++) {
        if (*contacts)[k].dist >= include { continue; }
        if c < MAXCON {
            let at = CONTACT + 10u * c;
            w[at] = (*contacts)[k].dist;
            put3(at + 1u, (*contacts)[k].pos);
            put3(at + 4u, (*contacts)[k].normal);
            put3(at + 7u, (*contacts)[k].tangent);
            wu[CONTACT_PAIR_ROW + c] = p;
        }
        c++;
    }
    count_contacts(slots.y);
}

// Adds the contacts of all lanes to the number of contacts; the upper 16 bits count lanes with too many.
fn count_contacts(found: u32) {
    ncon += found & 0xffffu;
    if ncon > MAXCON || found > 0xffffu {
        ncon = min(ncon, MAXCON);
        flags |= OVERFLOW_CONTACTS;
    }
}

#import collision_functions
#ifdef COLLIDE_MOTION_BOUND
#import collision_motion_bound
#endif
#ifdef SEPARATING_AXES
#import collision_separating_axis
#endif
#ifdef NARROW_PHASE_PASS
#import collision_deferred
#endif
