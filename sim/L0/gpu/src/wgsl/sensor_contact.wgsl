// Contact sensors: selection of the matching contacts, reduction, and the reported fields.

// Reductions (mjtConDataReduce): by distance, by force, and the net wrench.
const REDUCE_MINDIST: u32 = 1u;
const REDUCE_MAXFORCE: u32 = 2u;
const REDUCE_NETFORCE: u32 = 3u;
// How a contact matches a sensor.
const NO_MATCH: u32 = 0u;
const MATCH: u32 = 1u;
const MATCH_REVERSED: u32 = 2u;

fn contact_sensors() {
    order_contacts();
    for (var s = lane; s < NCONTACT_SENSOR; s += LANES) { contact_sensor(s); }
    sync_sensors();
}

fn inside_site(kind: u32, size: vec3r, p: vec3r) -> bool {
    if kind == 2u { return dot(p, p) < size.x * size.x; }
    if kind == 3u {
        let beyond = p.z - clamp(p.z, -size.y, size.y);
        return dot(p.xy, p.xy) + beyond * beyond < size.x * size.x;
    }
    if kind == 4u { return dot(p / size, p / size) < 1.0; }
    if kind == 5u { return abs(p.z) < size.y && dot(p.xy, p.xy) < size.x * size.x; }
    return all(abs(p) < size);
}

fn match_contact(s: u32, c: u32) -> u32 {
    let p = con_pair(c);
    // Bits: geom 1 and geom 2 belong to the first and the second object, which may be unspecified.
    let own = ti[CONTACT_SENSOR_GEOMS + s * NGEOM + geom1(p)] | ti[CONTACT_SENSOR_GEOMS + s * NGEOM + geom2(p)] << 2u;
    if (own & 5u) == 0u || (own & 10u) == 0u { return NO_MATCH; }
    let specified = ti[CONTACT_SENSOR_SPECIFIED + s];
    let b = ti[CONTACT_SENSOR_SITE_BODY + s];
    if b != NONE {
        let rot = sensor_xquat(b);
        let origin = sensor_xpos(b) + qrot(rot, f3(CONTACT_SENSOR_SITE_POS, s));
        let local = qrot(qconj(qmul(rot, f4(CONTACT_SENSOR_SITE_QUAT, s))), w3(CONTACT + 10u * c + 1u) - origin);
        if !inside_site(ti[CONTACT_SENSOR_SITE_TYPE + s], f3(CONTACT_SENSOR_SITE_SIZE, s), local) { return NO_MATCH; }
    }
    if specified == 3u {
        if (own & 9u) == 9u { return MATCH; }
        return select(NO_MATCH, MATCH_REVERSED, (own & 6u) == 6u);
    }
    if specified == 1u { return select(MATCH_REVERSED, MATCH, (own & 1u) != 0u); }
    if specified == 2u { return select(MATCH_REVERSED, MATCH, (own & 8u) != 0u); }
    return MATCH;
}

// mj_contactForce: force and torque in the contact frame.
fn contact_force(c: u32) -> Spatial {
    let r = con_row(c);
    var along = array<real, 6>();
    if r != NONE {
        let p = con_pair(c);
        let dim = ti[PAIR_DIM + p];
        along[0] = w[EFC_FORCE + r];
        for (var k = 1u; k < dim; k++) {
            if ELLIPTIC { along[k] = w[EFC_FORCE + r + k]; continue; }
            let a = w[EFC_FORCE + r + 2u * k - 2u];
            let b = w[EFC_FORCE + r + 2u * k - 1u];
            along[0] = select(along[0], real(0.0), k == 1u) + a + b;
            along[k] = f(PAIR_FRICTION + 5u * p + k - 1u) * (a - b);
        }
    }
    return Spatial(vec3r(along[3], along[4], along[5]), vec3r(along[0], along[1], along[2]));
}

fn contact_criterion(c: u32, reduce: u32) -> real {
    if reduce == REDUCE_MINDIST { return w[CONTACT + 10u * c]; }
    if reduce == REDUCE_MAXFORCE { let force = contact_force(c).lin; return -dot(force, force); }
    return real(0.0);
}

struct ContactReading { found: real, wrench: Spatial, dist: real, pos: vec3r, normal: vec3r, tangent: vec3r }

// Writes the selected fields of a slot. Returns the address after it.
fn write_contact(first: u32, fields: u32, v: ContactReading) -> u32 {
    var at = first;
    if (fields & 1u) != 0u { out[at] = v.found; at += 1u; }
    if (fields & 2u) != 0u { put_out3(at, v.wrench.lin); at += 3u; }
    if (fields & 4u) != 0u { put_out3(at, v.wrench.ang); at += 3u; }
    if (fields & 8u) != 0u { out[at] = v.dist; at += 1u; }
    if (fields & 16u) != 0u { put_out3(at, v.pos); at += 3u; }
    if (fields & 32u) != 0u { put_out3(at, v.normal); at += 3u; }
    if (fields & 64u) != 0u { put_out3(at, v.tangent); at += 3u; }
    return at;
}
fn put_out3(at: u32, v: vec3r) { out[at] = v.x; out[at + 1u] = v.y; out[at + 2u] = v.z; }

fn contact_sensor(s: u32) {
    let reduce = ti[CONTACT_SENSOR_REDUCE + s];
    let fields = ti[CONTACT_SENSOR_FIELDS + s];
    let slots = ti[CONTACT_SENSOR_SLOTS + s];
    var at = env * OUT_SIZE + ti[CONTACT_SENSOR_ADR + s];
    let end = at + ti[CONTACT_SENSOR_DIM + s];
    for (var k = at; k < end; k++) { out[k] = 0.0; }
    var count = 0u;
    for (var c = 0u; c < ncon; c++) { count += u32(match_contact(s, c) != NO_MATCH); }
    if reduce == REDUCE_NETFORCE { at = write_contact(at, fields, net_contact(s, count)); return; }
    // Slots are filled in ascending order of the criterion, then of the contacts.
    var last = -FAR_CRITERION;
    var last_k = 0u;
    for (var slot = 0u; slot < min(slots, count); slot++) {
        var best = FAR_CRITERION;
        var best_k = NONE;
        for (var k = 0u; k < ncon; k++) {
            let c = wu[CONTACT_ORDER + k];
            if match_contact(s, c) == NO_MATCH { continue; }
            let criterion = contact_criterion(c, reduce);
            let after = criterion > last || criterion == last && k > last_k;
            if after && (best_k == NONE || criterion < best) { best = criterion; best_k = k; }
        }
        if best_k == NONE { return; }
        last = best;
        last_k = best_k;
        at = write_contact(at, fields, single_contact(s, wu[CONTACT_ORDER + best_k], count));
    }
}
const FAR_CRITERION: real = 1e30;

// A contact in its contact frame; a reversed one is rotated by 180 degrees about its second tangent.
fn single_contact(s: u32, c: u32, count: u32) -> ContactReading {
    let at = CONTACT + 10u * c;
    let sign = select(real(1.0), real(-1.0), match_contact(s, c) == MATCH_REVERSED);
    let wrench = contact_force(c);
    return ContactReading(real(count), Spatial(vec3r(wrench.ang.xy, sign * wrench.ang.z), vec3r(wrench.lin.xy, sign * wrench.lin.z)),
        w[at], w3(at + 1u), sign * w3(at + 4u), sign * w3(at + 7u));
}

// Net wrench of all matches in world axes, at the force-weighted mean of their positions.
fn net_contact(s: u32, count: u32) -> ContactReading {
    var total = real(0.0);
    var point = vec3r(0.0);
    var wrench = Spatial(vec3r(0.0), vec3r(0.0));
    for (var torques = false; ; torques = true) {
        for (var k = 0u; k < ncon; k++) {
            let c = wu[CONTACT_ORDER + k];
            let kind = match_contact(s, c);
            if kind == NO_MATCH { continue; }
            let at = CONTACT + 10u * c;
            let own = spatial_scale(contact_force(c), select(real(1.0), real(-1.0), kind == MATCH_REVERSED));
            if !torques {
                let weight = sqrt(dot(own.lin, own.lin));
                point += weight * w3(at + 1u);
                total += weight;
                continue;
            }
            let x = w3(at + 4u);
            let y = w3(at + 7u);
            let z = cross(x, y);
            let force = own.lin.x * x + own.lin.y * y + own.lin.z * z;
            let torque = own.ang.x * x + own.ang.y * y + own.ang.z * z;
            wrench = spatial_add(wrench, Spatial(torque + cross(w3(at + 1u) - point, force), force));
        }
        if torques { break; }
        point = point / max(total, MINVAL);
    }
    return ContactReading(real(count), wrench, real(0.0), point, vec3r(1.0, 0.0, 0.0), vec3r(0.0, 1.0, 0.0));
}
