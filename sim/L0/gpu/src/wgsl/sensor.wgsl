// mj_sensorPos, mj_sensorVel and mj_sensorAcc, evaluated in the last step of a dispatch: after positions and
// velocities, after forces, after accelerations.

struct SensorFrame { pos: vec3r, rot: vec4r, vel: Spatial, body: u32 }

fn sensor_frame(body_at: u32, pos_at: u32, quat_at: u32, s: u32) -> SensorFrame {
    var o: SensorFrame;
    o.body = ti[body_at + s];
    let rot = sensor_xquat(o.body);
    o.pos = sensor_xpos(o.body) + qrot(rot, f3(pos_at, s));
    o.rot = qmul(rot, f4(quat_at, s));
    // Velocity of the point, in world axes.
    let v = body_velocity(o.body);
    o.vel = Spatial(vec3r(0.0), vec3r(0.0));
    let tree = ti[BODY_TREE + o.body];
    if tree < NTREE { o.vel = Spatial(v.ang, v.lin + cross(v.ang, o.pos - w3(TREE_REF + 3u * tree))); }
    return o;
}

fn sensors(stage: u32) {
    let last = ti[SENSOR_STAGE_ADR + stage + 1u];
    for (var s = ti[SENSOR_STAGE_ADR + stage] + lane; s < last; s += LANES) {
        var v = vec4r(0.0);
        if stage == 0u { v = sensor_pos_vel(s); } else if stage == 1u { v = sensor_force(s); } else { v = sensor_acc(s); }
        let at = env * OUT_SIZE + ti[SENSOR_ADR + s];
        let dim = ti[SENSOR_DIM + s];
#ifdef SENSOR_HISTORY
        if ti[SENSOR_HISTORY_ADR + s] != NONE {
            sensor_history(s, at, dim, clamp(v, vec4r(f(SENSOR_CUTOFF_MIN + s)), vec4r(f(SENSOR_CUTOFF_MAX + s))));
            continue;
        }
#endif
        for (var k = 0u; k < dim; k++) { out[at + k] = clamp(v[k], f(SENSOR_CUTOFF_MIN + s), f(SENSOR_CUTOFF_MAX + s)); }
    }
    // The user's reward function (`task`) may read sensor values that other lanes wrote.
    sync_sensors();
}

fn sensor_pos_vel(s: u32) -> vec4r {
    let kind = ti[SENSOR_TYPE + s];
    let id = ti[SENSOR_ID + s];
    if kind == S_CLOCK { return vec4r(w[TIME], 0.0, 0.0, 0.0); }
    if kind == S_JOINTPOS { return vec4r(w[QPOS + id], 0.0, 0.0, 0.0); }
    if kind == S_JOINTVEL { return vec4r(w[QVEL + id], 0.0, 0.0, 0.0); }
    if kind == S_BALLQUAT { return qunit(w4(QPOS + id)); }
    if kind == S_BALLANGVEL { return vec4r(w3(QVEL + id), 0.0); }
    if SENSE_SUBTREE && (kind == S_SUBTREECOM || kind == S_SUBTREELINVEL || kind == S_SUBTREEANGMOM) { return vec4r(subtree_sensor(kind, id), 0.0); }
    let o = sensor_frame(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    if kind == S_MAGNETOMETER {
        return vec4r(qrot(qconj(o.rot), vec3r(f(MAGNETIC), f(MAGNETIC + 1u), f(MAGNETIC + 2u))), 0.0);
    }
#ifdef RANGEFINDER
    if kind == S_RANGEFINDER { return rangefinder(s, o); }
#endif
    if kind == S_GYRO { return vec4r(qrot(qconj(o.rot), o.vel.ang), 0.0); }
    if kind == S_VELOCIMETER { return vec4r(qrot(qconj(o.rot), o.vel.lin), 0.0); }
    var pos = o.pos;
    var rot = o.rot;
    var vel = o.vel;
    if ti[SENSOR_REFBODY + s] != NONE {
        let r = sensor_frame(SENSOR_REFBODY, SENSOR_REFPOS, SENSOR_REFQUAT, s);
        let inv_quat = qconj(r.rot);
        let offset = o.pos - r.pos;
        pos = qrot(inv_quat, offset);
        rot = qmul(inv_quat, o.rot);
        vel = Spatial(qrot(inv_quat, o.vel.ang - r.vel.ang), qrot(inv_quat, o.vel.lin - r.vel.lin - cross(r.vel.ang, offset)));
    }
    if kind == S_FRAMEPOS { return vec4r(pos, 0.0); }
    if kind == S_FRAMEQUAT { return rot; }
    if kind == S_FRAMEXAXIS { return vec4r(qx(rot), 0.0); }
    if kind == S_FRAMEYAXIS { return vec4r(qy(rot), 0.0); }
    if kind == S_FRAMEZAXIS { return vec4r(qz(rot), 0.0); }
    if kind == S_FRAMELINVEL { return vec4r(vel.lin, 0.0); }
    return vec4r(vel.ang, 0.0);
}

// Whether a body is `top` or one of its descendants.
fn in_subtree(body: u32, top: u32) -> bool {
    var at = body;
    while at > top { at = ti[BODY_PARENT + at]; }
    return at == top;
}
fn xipos(b: u32) -> vec3r { return sensor_xpos(b) + qrot(sensor_xquat(b), f3(BODY_IPOS, b)); }
// Product of a body's rotational inertia about its center of mass (world axes) and a vector.
fn rotational_inertia_mul(b: u32, v: vec3r) -> vec3r {
    let rot = qmul(sensor_xquat(b), f4(BODY_IQUAT, b));
    return qrot(rot, f3(BODY_INERTIA, b) * qrot(qconj(rot), v));
}
// Vector from the reference point of a body's spatial velocity to a point; zero for static bodies.
fn offset_from_reference(b: u32, p: vec3r) -> vec3r {
    let tree = ti[BODY_TREE + b];
    if tree >= NTREE { return vec3r(0.0); }
    return p - w3(TREE_REF + 3u * tree);
}

// Center of mass, linear velocity or angular momentum of a subtree (mj_subtreeVel).
fn subtree_sensor(kind: u32, top: u32) -> vec3r {
    var mass = real(0.0);
    var centre = vec3r(0.0);
    var momentum = vec3r(0.0);
    var angmom = vec3r(0.0);
    for (var b = top; b < NBODY; b++) {
        if !in_subtree(b, top) { continue; }
        let m = f4(BODY_IPOS, b).w;
        let c = xipos(b);
        let v = body_velocity(b);
        let p = m * (v.lin + cross(v.ang, offset_from_reference(b, c)));
        mass += m;
        centre += m * c;
        momentum += p;
        if kind == S_SUBTREEANGMOM { angmom += rotational_inertia_mul(b, v.ang) + cross(c, p); }
    }
    if kind == S_SUBTREELINVEL { return momentum / max(mass, MINVAL); }
    if kind == S_SUBTREEANGMOM { return angmom - cross(centre / max(mass, MINVAL), momentum); }
    if mass < MINVAL { return xipos(top); }
    return centre / mass;
}

// Potential energy of a spring at elongation x.
fn spring_energy(x: real, k: real, a: real, b: real) -> real { return x * x * (0.5 * k + x * (a / 3.0 + 0.25 * b * x)); }
fn joint_spring_energy(j: u32, x: real) -> real {
    return spring_energy(x, f(JNT_STIFFNESS + j), f(JNT_STIFFNESSPOLY + j), f(JNT_STIFFNESSPOLY + NJNT + j));
}

// Energy of gravity and springs (mj_energyPos).
fn potential_energy() -> real {
    var sum = real(0.0);
    let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    for (var b = 1u; b < NBODY; b++) { sum -= f4(BODY_IPOS, b).w * dot(gravity, xipos(b)); }
    for (var j = 0u; j < NJNT; j++) {
        let kind = jnt_type(j);
        var q = jnt_qposadr(j);
        if kind == SLIDE || kind == HINGE { sum += joint_spring_energy(j, w[QPOS + q] - f(QPOS_SPRING + q)); continue; }
        if kind == FREE {
            let delta = w3(QPOS + q) - vec3r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u));
            sum += joint_spring_energy(j, sqrt(dot(delta, delta)));
            q += 3u;
        }
        let ref_quat = vec4r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u), f(QPOS_SPRING + q + 3u));
        let rotvec = quat_to_rotvec(qmul(qconj(ref_quat), qunit(w4(QPOS + q))));
        sum += joint_spring_energy(j, sqrt(dot(rotvec, rotvec)));
    }
    for (var t = 0u; t < NTENDON; t++) {
        let length = w[TEN_LENGTH + t];
        let x = max(length - f(TENDON_SPRING_MAX + t), real(0.0)) + min(length - f(TENDON_SPRING_MIN + t), real(0.0));
        sum += spring_energy(x, f(TENDON_STIFFNESS + t), f(TENDON_STIFFNESS + NTENDON + t), f(TENDON_STIFFNESS + 2u * NTENDON + t));
    }
    return sum;
}

fn kinetic_energy() -> real {
    var sum = real(0.0);
    for (var i = 0u; i < NV; i++) {
        for (var j = 0u; j < NV; j++) { sum += M(i, j) * w[QVEL + i] * w[QVEL + j]; }
    }
    return 0.5 * sum;
}

fn sensor_force(s: u32) -> vec4r {
    let kind = ti[SENSOR_TYPE + s];
    let id = ti[SENSOR_ID + s];
    var sum = real(0.0);
    if kind == S_ACTUATORFRC { return vec4r(w[ACTUATOR_FORCE + id], 0.0, 0.0, 0.0); }
    if kind == S_JOINTACTFRC { return vec4r(qfrc_actuator(id), 0.0, 0.0, 0.0); }
    if kind == S_ACTUATORPOS || kind == S_ACTUATORVEL {
        let at = transmission(id);
        return vec4r(select(at.y, at.x, kind == S_ACTUATORPOS), 0.0, 0.0, 0.0);
    }
    if SENSE_ENERGY {
        if kind == S_E_POTENTIAL { return vec4r(potential_energy(), 0.0, 0.0, 0.0); }
        if kind == S_E_KINETIC { return vec4r(kinetic_energy(), 0.0, 0.0, 0.0); }
    }
    if kind == S_TENDONACTFRC {
        for (var i = 0u; i < NU; i++) { if ti[ACT_TENDON + i] == id { sum += w[ACTUATOR_FORCE + i]; } }
        return vec4r(sum, 0.0, 0.0, 0.0);
    }
    if kind == S_TENDONPOS { return vec4r(w[TEN_LENGTH + id], 0.0, 0.0, 0.0); }
    return vec4r(tendon_velocity(id), 0.0, 0.0, 0.0);
}

// Sensor of a joint or tendon limit, from its first active row: distance beyond the margin, velocity, or force.
fn limit_sensor(kind: u32, k: u32) -> real {
    if k == NONE { return real(0.0); }
    var r = NE + NF;
    var g: LimitDistance;
    for (var other = 0u; other <= k; other++) {
        g = limit_distance(other);
        if other < k { r += u32(g.low < g.margin) + u32(g.high < g.margin); }
    }
    if g.low >= g.margin && g.high >= g.margin { return real(0.0); }
    let low = g.low < g.margin;
    if kind == S_LIMITPOS { return select(g.high, g.low, low) - g.margin; }
    if kind == S_LIMITFRC {
        if r >= nefc { return real(0.0); }
        return w[EFC_FORCE + r];
    }
    let d = ti[LIMIT_DOF + k];
    var velocity: real;
    if ti[LIMIT_TYPE + k] == TENDON_LIMIT {
        velocity = tendon_velocity(d);
    } else if ti[LIMIT_TYPE + k] == BALL { velocity = dot(g.axis, w3(QVEL + d)); } else { velocity = w[QVEL + d]; }
    return select(-velocity, velocity, low);
}

// Acceleration of a body including qacc; the gravity term is included with opposite sign, as in MuJoCo's cacc.
fn body_acceleration(b: u32) -> Spatial {
    var a = body_bias_acceleration(b);
    for (var i = ti[BODY_LAST_DOF + b]; i < NV; i = dof_parentid(i)) {
        a = spatial_add(a, spatial_scale(sensor_cdof(i), w[QACC + i]));
    }
    return a;
}

fn sensor_acc(s: u32) -> vec4r {
    let kind = ti[SENSOR_TYPE + s];
    if SENSE_TOUCH && kind == S_TOUCH { return vec4r(touch_sensor(s), 0.0, 0.0, 0.0); }
    if SENSE_LIMIT && kind >= S_LIMITPOS && kind <= S_LIMITFRC { return vec4r(limit_sensor(kind, ti[SENSOR_ID + s]), 0.0, 0.0, 0.0); }
    let o = sensor_frame(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    if SENSE_INTERACTION && (kind == S_FORCE || kind == S_TORQUE) {
        let frc = interaction_wrench(o.body, o.pos);
        if kind == S_FORCE { return vec4r(qrot(qconj(o.rot), frc.lin), 0.0); }
        return vec4r(qrot(qconj(o.rot), frc.ang), 0.0);
    }
    // Static bodies have zero acceleration.
    if ti[BODY_TREE + o.body] >= NTREE { return vec4r(0.0); }
    let a = body_acceleration(o.body);
    let offset = offset_from_reference(o.body, o.pos);
    if kind == S_FRAMEANGACC { return vec4r(a.ang, 0.0); }
    let linear = a.lin + cross(a.ang, offset) + cross(o.vel.ang, o.vel.lin);
    if kind == S_FRAMELINACC { return vec4r(linear, 0.0); }
    return vec4r(qrot(qconj(o.rot), linear), 0.0);
}

// Interaction wrench between a body and its parent at a point (mj_rnePostConstraint): inertial forces of the subtree
// minus external contact and equality forces.
fn interaction_wrench(top: u32, p: vec3r) -> Spatial {
    var sum = Spatial(vec3r(0.0), vec3r(0.0));
    for (var b = max(top, 1u); b < NBODY; b++) {
        if !in_subtree(b, top) { continue; }
        let c = xipos(b);
        let offset = offset_from_reference(b, c);
        let v = body_velocity(b);
        let a = body_acceleration(b);
        let force = f4(BODY_IPOS, b).w * (a.lin + cross(a.ang, offset) + cross(v.ang, v.lin + cross(v.ang, offset)));
        sum = spatial_add(sum, Spatial(rotational_inertia_mul(b, a.ang) + cross(v.ang, rotational_inertia_mul(b, v.ang)) + cross(c - p, force), force));
    }
    for (var c = 0u; c < ncon; c++) {
        let r = con_row(c);
        if r == NONE { continue; }
        let pair = con_pair(c);
        let at = CONTACT + 10u * c;
        let frc = contact_wrench(pair, r, at);
        let wrench = Spatial(frc.ang + cross(w3(at + 1u) - p, frc.lin), frc.lin);
        sum = spatial_add(sum, spatial_scale(wrench, subtree_factor(body1(pair), top) - subtree_factor(body2(pair), top)));
    }
    for (var e = 0u; e < NEQ; e++) {
        if ti[EQ_TYPE + e] == EQ_SCALAR { continue; }
        let t = equality_frames(e, true);
        let r = EFC_FORCE + ti[EQ_ROW + e];
        let force = w3(r);
        var torque = vec3r(0.0);
        if ti[EQ_TYPE + e] == EQ_WELD { torque = w3(r + 3u); }
        let one = Spatial(torque + cross(t.p1 - p, force), force);
        let two = Spatial(torque + cross(t.p2 - p, force), force);
        sum = spatial_add(sum, spatial_scale(one, -subtree_factor(t.b1, top)));
        sum = spatial_add(sum, spatial_scale(two, subtree_factor(t.b2, top)));
    }
    return sum;
}
// One if the body belongs to the subtree of `top`; the world is excluded.
fn subtree_factor(b: u32, top: u32) -> real { return select(real(0.0), real(1.0), b > 0u && in_subtree(b, top)); }

// Wrench of a contact on its second body at the contact point.
fn contact_wrench(pair: u32, r: u32, at: u32) -> Spatial {
    let dim = ti[PAIR_DIM + pair];
    var along = array<real, 6>(w[EFC_FORCE + r], 0.0, 0.0, 0.0, 0.0, 0.0);
    for (var k = 1u; k < dim; k++) {
        if ELLIPTIC { along[k] = w[EFC_FORCE + r + k]; continue; }
        let a = w[EFC_FORCE + r + 2u * k - 2u];
        let b = w[EFC_FORCE + r + 2u * k - 1u];
        along[0] = select(along[0], real(0.0), k == 1u) + a + b;
        along[k] = f(PAIR_FRICTION + 5u * pair + k - 1u) * (a - b);
    }
    let x = w3(at + 4u);
    let y = w3(at + 7u);
    let z = cross(x, y);
    return Spatial(x * along[3] + y * along[4] + z * along[5], x * along[0] + y * along[1] + z * along[2]);
}

// Touch sensor: sum of the normal forces of contacts whose ray intersects the site's volume.
fn touch_sensor(s: u32) -> real {
    let o = sensor_frame(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    let inv_quat = qconj(o.rot);
    var sum = real(0.0);
    for (var c = 0u; c < ncon; c++) {
        let p = con_pair(c);
        let r = con_row(c);
        let second = body2(p) == o.body;
        if r == NONE || !second && body1(p) != o.body { continue; }
        var normal = w[EFC_FORCE + r];
        let dim = ti[PAIR_DIM + p];
        if !ELLIPTIC { for (var k = 1u; k < contact_nefc(dim); k++) { normal += w[EFC_FORCE + r + k]; } }
        if normal <= 0.0 { continue; }
        let at = CONTACT + 10u * c;
        let delta = select(w3(at + 4u), -w3(at + 4u), second);
        if ray_hits_site(ti[SENSOR_ID + s], f3(SENSOR_REFPOS, s), qrot(inv_quat, w3(at + 1u) - o.pos), qrot(inv_quat, delta)) {
            sum += normal;
        }
    }
    return sum;
}

// Whether a ray intersects a site shape centered at the origin; shape codes as in mjtGeom (2 sphere, 3 capsule, 4
// ellipsoid, 5 cylinder, 6 box).
fn ray_hits_site(kind: u32, size: vec3r, p: vec3r, d: vec3r) -> bool {
    if kind == 2u { return ray_hits_sphere(p / size.x, d / size.x); }
    if kind == 4u { return ray_hits_sphere(p / size, d / size); }
    if kind == 6u {
        let span = ray_slab(p.x, d.x, size.x, ray_slab(p.y, d.y, size.y, ray_slab(p.z, d.z, size.z, vec2<real>(0.0, 1e30))));
        return span.x <= span.y;
    }
    if kind == 3u {
        let end = vec3r(0.0, 0.0, size.y);
        if ray_hits_sphere((p - end) / size.x, d / size.x) || ray_hits_sphere((p + end) / size.x, d / size.x) { return true; }
    }
    let span = ray_slab(p.z, d.z, size.y, vec2<real>(0.0, 1e30));
    let a = dot(d.xy, d.xy);
    let b = dot(p.xy, d.xy);
    let c = dot(p.xy, p.xy) - size.x * size.x;
    if a < MINVAL { return c <= 0.0 && span.x <= span.y; }
    let root = b * b - a * c;
    if root < 0.0 { return false; }
    return max(span.x, (-b - sqrt(root)) / a) <= min(span.y, (-b + sqrt(root)) / a);
}
fn ray_hits_sphere(p: vec3r, d: vec3r) -> bool {
    let b = dot(p, d);
    let c = dot(p, p) - 1.0;
    return c <= 0.0 || (b < 0.0 && b * b >= c * dot(d, d));
}
fn ray_slab(p: real, d: real, half: real, span: vec2<real>) -> vec2<real> {
    if abs(d) < MINVAL {
        if abs(p) > half { return vec2<real>(1.0, 0.0); }
        return span;
    }
    let s = (-half - p) / d;
    let t = (half - p) / d;
    return vec2<real>(max(span.x, min(s, t)), min(span.y, max(s, t)));
}
