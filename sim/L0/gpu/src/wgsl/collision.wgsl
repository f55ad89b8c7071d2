// mj_collision: broad phase over the compile-time pair list, one lane per surviving pair in the narrow phase,
// contacts stored in lane order so that results are deterministic.

struct ContactPoint { dist: real, pos: vec3r, normal: vec3r, tangent: vec3r }
struct GeomPose { pos: vec3r, size: vec3r, at: u32, geom: u32 }

// Contacts that a lane has found for its pair. The array is a function-local variable of each narrow-phase entry:
// private variables are zero-initialised in every lane at every dispatch.
alias ContactPoints = array<ContactPoint, MAX_PAIR_CONTACTS>;
var<private> pair_ncon: u32;
// Lower bound of the distance between two geoms that were found separated, m.
var<private> pair_separation: real;

// Geoms and bodies of a pair, packed into 16 bits each.
fn geom1(p: u32) -> u32 { return ti[PAIR_GEOMS + p] & 0xffffu; }
fn geom2(p: u32) -> u32 { return ti[PAIR_GEOMS + p] >> 16u; }
fn body1(p: u32) -> u32 { return ti[PAIR_BODIES + p] & 0xffffu; }
fn body2(p: u32) -> u32 { return ti[PAIR_BODIES + p] >> 16u; }

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
        put3(GEOM_POSE + 9u * g, w3(XPOS + 3u * b) + qrot(rot, f3(GEOM_POS, g)));
        let own = qmul(rot, f4(GEOM_QUAT, g));
        put3(GEOM_POSE + 9u * g + 3u, qx(own));
        put3(GEOM_POSE + 9u * g + 6u, qz(own));
    }
    sync();
}

fn geom_pose(g: u32) -> GeomPose { return GeomPose(w3(GEOM_POSE + 9u * g), f3(GEOM_SIZE, g), GEOM_POSE + 9u * g, g); }
fn x_axis(s: GeomPose) -> vec3r { return w3(s.at + 3u); }
fn y_axis(s: GeomPose) -> vec3r { return cross(z_axis(s), x_axis(s)); }
fn z_axis(s: GeomPose) -> vec3r { return w3(s.at + 6u); }
fn to_world(s: GeomPose, v: vec3r) -> vec3r { return v.x * x_axis(s) + v.y * y_axis(s) + v.z * z_axis(s); }
fn to_local(s: GeomPose, v: vec3r) -> vec3r { return vec3r(dot(x_axis(s), v), dot(y_axis(s), v), dot(z_axis(s), v)); }

// Corner of a box; bit k of `corner` selects the positive side along axis k.
fn corner_of(size: vec3r, corner: u32) -> vec3r {
    return vec3r(select(-size.x, size.x, (corner & 1u) != 0u), select(-size.y, size.y, (corner & 2u) != 0u),
        select(-size.z, size.z, (corner & 4u) != 0u));
}

// Contacts beyond the capacity are counted but not stored, so that the overflow is detected.
fn add_contact(contacts: ptr<function, ContactPoints>, dist: real, pos: vec3r, normal: vec3r, tangent: vec3r) {
    if pair_ncon < MAX_PAIR_CONTACTS { (*contacts)[pair_ncon] = ContactPoint(dist, pos, normal, tangent); }
    pair_ncon++;
}

// Bounding-sphere test, or sphere-plane test for the first NPLANE pairs.
fn bounding_spheres_overlap(p: u32) -> bool {
    let at = GEOM_POSE + 9u * geom1(p);
    let delta = w3(GEOM_POSE + 9u * geom2(p)) - w3(at);
    let max_dist = f4(PAIR_DISTANCES, p).x;
    if p < NPLANE { return dot(delta, w3(at + 6u)) <= max_dist; }
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

// Appends the contacts of all lanes to the contact list in lane order. Contacts with dist >= includemargin (margin -
// gap) generate no forces and are dropped.
fn store_contacts(contacts: ptr<function, ContactPoints>, p: u32) {
    // The bound comes from a table because the compiler would unroll loops with a constant bound.
    let found = min(pair_ncon, ti[PAIR_CONTACT_LIMIT + u32(PASS == PASS_FIRST)]);
    var include = real(0.0);
#ifdef KEEP_GAP_CONTACTS
    // Contacts inside the gap have no rows, but adhesion, contact and tactile sensors see them.
    if found > 0u { include = f4(PAIR_DISTANCES, p).y; }
#else
    if found > 0u { include = f4(PAIR_DISTANCES, p).z; }
#endif
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
    ncon += slots.y & 0xffffu;
    if ncon > MAXCON || slots.y > 0xffffu {
        ncon = min(ncon, MAXCON);
        flags |= OVERFLOW_CONTACTS;
    }
}

#import collision_dispatch
#ifdef COLLIDE_MOTION_BOUND
#import collision_motion_bound
#endif
#ifdef COLLIDE_PLANE
#import collision_plane
#endif
#ifdef COLLIDE_PLANE_MESH
#import collision_plane_mesh
#endif
#ifdef COLLIDE_CAPSULE
#import collision_capsule
#endif
#ifdef COLLIDE_SPHERE_BOX
#import collision_sphere_box
#endif
#ifdef COLLIDE_BOX_BOX
#import collision_box_box
#endif
#ifdef COLLIDE_SUPPORT
#import collision_support
#ifdef COLLIDE_HFIELD
#import collision_hfield
#else
#import collision_no_hfield
#endif
#endif
#ifdef COLLIDE_HFIELD_SPHERE
#import collision_hfield_sphere
#endif
#ifdef COLLIDE_CONVEX
#import collision_gjk
#import collision_epa
#import collision_convex
#ifdef COLLIDE_MULTICONTACT
#import collision_multicontact
#else
fn multicontact(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>, max_contacts: u32) {}
#endif
#endif
