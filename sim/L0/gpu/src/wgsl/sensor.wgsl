// Sensors, read in the last of several steps: after positions and velocities, after forces, after accelerations.

struct Seen { pos: vec3r, rot: vec4r, vel: Six, body: u32 }

fn seen(body_at: u32, pos_at: u32, quat_at: u32, s: u32) -> Seen {
    var o: Seen;
    o.body = ti[body_at + s];
    let rot = w4(turn_at(o.body));
    o.pos = w3(XPOS + 3u * o.body) + qrot(rot, f3(pos_at, s));
    o.rot = qmul(rot, f4(quat_at, s));
    // velocity of the point
    let v = six(CVEL + 6u * o.body);
    o.vel = Six(vec3r(0.0), vec3r(0.0));
    let tree = ti[BODY_TREE + o.body];
    if tree < NTREE { o.vel = Six(v.a, v.l + cross(v.a, o.pos - w3(REF + 3u * tree))); }
    return o;
}

fn read_sensors(stage: u32) {
    let last = ti[SENSOR_STAGE + stage + 1u];
    for (var s = ti[SENSOR_STAGE + stage] + lane; s < last; s += LANES) {
        var v = vec4r(0.0);
        if stage == 0u { v = sense_motion(s); } else if stage == 1u { v = sense_force(s); } else { v = sense_late(s); }
        let at = env * OUT_SIZE + ti[SENSOR_ADR + s];
        let dim = ti[SENSOR_DIM + s];
        for (var k = 0u; k < dim; k++) { out[at + k] = clamp(v[k], f(SENSOR_LOW + s), f(SENSOR_HIGH + s)); }
    }
    sync();
}

fn sense_motion(s: u32) -> vec4r {
    let kind = ti[SENSOR_KIND + s];
    let id = ti[SENSOR_ID + s];
    if kind == S_CLOCK { return vec4r(w[TIME], 0.0, 0.0, 0.0); }
    if kind == S_QPOS { return vec4r(w[QPOS + id], 0.0, 0.0, 0.0); }
    if kind == S_QVEL { return vec4r(w[QVEL + id], 0.0, 0.0, 0.0); }
    if kind == S_BALLQUAT { return qunit(w4(QPOS + id)); }
    if kind == S_BALLVEL { return vec4r(w3(QVEL + id), 0.0); }
    if SEES_SUBTREES && (kind == S_SUBCOM || kind == S_SUBVEL || kind == S_SUBMOM) { return vec4r(sense_subtree(kind, id), 0.0); }
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    if kind == S_MAGNETOMETER {
        return vec4r(qrot(qconj(o.rot), vec3r(f(MAGNETIC), f(MAGNETIC + 1u), f(MAGNETIC + 2u))), 0.0);
    }
    if kind == S_GYRO { return vec4r(qrot(qconj(o.rot), o.vel.a), 0.0); }
    if kind == S_VELOCIMETER { return vec4r(qrot(qconj(o.rot), o.vel.l), 0.0); }
    var pos = o.pos;
    var rot = o.rot;
    var vel = o.vel;
    if ti[SENSOR_REF + s] != NONE {
        let r = seen(SENSOR_REF, SENSOR_REFPOS, SENSOR_REFQUAT, s);
        let back = qconj(r.rot);
        let arm = o.pos - r.pos;
        pos = qrot(back, arm);
        rot = qmul(back, o.rot);
        vel = Six(qrot(back, o.vel.a - r.vel.a), qrot(back, o.vel.l - r.vel.l - cross(r.vel.a, arm)));
    }
    if kind == S_POS { return vec4r(pos, 0.0); }
    if kind == S_QUAT { return rot; }
    if kind == S_X { return vec4r(qx(rot), 0.0); }
    if kind == S_Y { return vec4r(qy(rot), 0.0); }
    if kind == S_Z { return vec4r(qz(rot), 0.0); }
    if kind == S_LINVEL { return vec4r(vel.l, 0.0); }
    return vec4r(vel.a, 0.0);
}

// whether a body is another one or hangs from it
fn under(body: u32, top: u32) -> bool {
    var at = body;
    while at > top { at = ti[BODY_PARENT + at]; }
    return at == top;
}
fn centre_of(b: u32) -> vec3r { return w3(XPOS + 3u * b) + qrot(w4(turn_at(b)), f3(BODY_IPOS, b)); }
// a body's inertia about its centre times a vector
fn spun(b: u32, v: vec3r) -> vec3r {
    let rot = qmul(w4(turn_at(b)), f4(BODY_IQUAT, b));
    return qrot(rot, f3(BODY_INERTIA, b) * qrot(qconj(rot), v));
}
// from the point that velocities of a body are about to another; nothing for what cannot move
fn arm_of(b: u32, p: vec3r) -> vec3r {
    let tree = ti[BODY_TREE + b];
    if tree >= NTREE { return vec3r(0.0); }
    return p - w3(REF + 3u * tree);
}

// centre, velocity or angular momentum of all bodies that hang from one
fn sense_subtree(kind: u32, top: u32) -> vec3r {
    var mass = real(0.0);
    var centre = vec3r(0.0);
    var speed = vec3r(0.0);
    var turning = vec3r(0.0);
    for (var b = top; b < NBODY; b++) {
        if !under(b, top) { continue; }
        let m = f4(BODY_IPOS, b).w;
        let c = centre_of(b);
        let v = six(CVEL + 6u * b);
        let p = m * (v.l + cross(v.a, arm_of(b, c)));
        mass += m;
        centre += m * c;
        speed += p;
        if kind == S_SUBMOM { turning += spun(b, v.a) + cross(c, p); }
    }
    if kind == S_SUBVEL { return speed / max(mass, MINVAL); }
    if kind == S_SUBMOM { return turning - cross(centre / max(mass, MINVAL), speed); }
    if mass < MINVAL { return centre_of(top); }
    return centre / mass;
}

// energy of a spring at a stretch
fn stored(x: real, k: real, a: real, b: real) -> real { return x * x * (0.5 * k + x * (a / 3.0 + 0.25 * b * x)); }
fn stored_joint(j: u32, x: real) -> real {
    return stored(x, f(JNT_STIFFNESS + j), f(JNT_POLY + j), f(JNT_POLY + NJNT + j));
}

// of weight and springs
fn potential_energy() -> real {
    var sum = real(0.0);
    let down = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    for (var b = 1u; b < NBODY; b++) { sum -= f4(BODY_IPOS, b).w * dot(down, centre_of(b)); }
    for (var j = 0u; j < NJNT; j++) {
        let kind = jnt_kind(j);
        var q = jnt_qpos(j);
        if kind == SLIDE || kind == HINGE { sum += stored_joint(j, w[QPOS + q] - f(QPOS_SPRING + q)); continue; }
        if kind == FREE {
            let away = w3(QPOS + q) - vec3r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u));
            sum += stored_joint(j, sqrt(dot(away, away)));
            q += 3u;
        }
        let rest = vec4r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u), f(QPOS_SPRING + q + 3u));
        let turned = qvec(qmul(qconj(rest), qunit(w4(QPOS + q))));
        sum += stored_joint(j, sqrt(dot(turned, turned)));
    }
    for (var t = 0u; t < NTENDON; t++) {
        let length = w[TEN_LENGTH + t];
        let x = max(length - f(TENDON_HIGH + t), real(0.0)) + min(length - f(TENDON_LOW + t), real(0.0));
        sum += stored(x, f(TENDON_STIFFNESS + t), f(TENDON_STIFFNESS + NTENDON + t), f(TENDON_STIFFNESS + 2u * NTENDON + t));
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

fn sense_force(s: u32) -> vec4r {
    let kind = ti[SENSOR_KIND + s];
    let id = ti[SENSOR_ID + s];
    var sum = real(0.0);
    if kind == S_ACTFRC { return vec4r(w[ACTUATOR + id], 0.0, 0.0, 0.0); }
    if kind == S_JNTFRC { return vec4r(driven(id), 0.0, 0.0, 0.0); }
    if kind == S_ACTPOS || kind == S_ACTVEL {
        let at = reach(id);
        return vec4r(select(at.y, at.x, kind == S_ACTPOS), 0.0, 0.0, 0.0);
    }
    if SEES_ENERGY {
        if kind == S_ENERGYPOS { return vec4r(potential_energy(), 0.0, 0.0, 0.0); }
        if kind == S_ENERGYVEL { return vec4r(kinetic_energy(), 0.0, 0.0, 0.0); }
    }
    if kind == S_TENFRC {
        for (var i = 0u; i < NU; i++) { if ti[ACT_TENDON + i] == id { sum += w[ACTUATOR + i]; } }
        return vec4r(sum, 0.0, 0.0, 0.0);
    }
    let last = ti[TENDON + id + 1u];
    for (var k = ti[TENDON + id]; k < last; k++) {
        if kind == S_TENPOS { sum += f(TENDON_COEF + k) * w[QPOS + ti[TENDON_QPOS + k]]; }
        else { sum += f(TENDON_COEF + k) * w[QVEL + ti[TENDON_DOF + k]]; }
    }
    return vec4r(sum, 0.0, 0.0, 0.0);
}

// of the first row of a limit: how far it is beyond its margin, how fast, how hard it is pushed back
fn sense_limit(kind: u32, k: u32) -> real {
    if k == NONE { return real(0.0); }
    var r = NE + NF;
    var g: Gap;
    for (var other = 0u; other <= k; other++) {
        g = limit_gap(other);
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
    var speed: real;
    if ti[LIMIT_KIND + k] == TENDON_LIMIT {
        let last = ti[TENDON + d + 1u];
        for (var j = ti[TENDON + d]; j < last; j++) { speed += f(TENDON_COEF + j) * w[QVEL + ti[TENDON_DOF + j]]; }
    } else if ti[LIMIT_KIND + k] == BALL { speed = dot(g.axis, w3(QVEL + d)); } else { speed = w[QVEL + d]; }
    return select(-speed, speed, low);
}

// what motion makes and what joints add; gravity pulls the other way
fn acceleration_of(b: u32) -> Six {
    var a = six(CACC + 6u * b);
    for (var i = 0u; i < NV; i++) {
        if moves(b, i) { a = six_add(a, six_scale(six(dof_at(i)), w[QACC + i])); }
    }
    return a;
}

fn sense_late(s: u32) -> vec4r {
    let kind = ti[SENSOR_KIND + s];
    if SEES_TOUCH && kind == S_TOUCH { return vec4r(sense_touch(s), 0.0, 0.0, 0.0); }
    if SEES_LIMITS && kind >= S_LIMITPOS && kind <= S_LIMITFRC { return vec4r(sense_limit(kind, ti[SENSOR_ID + s]), 0.0, 0.0, 0.0); }
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    if SEES_BETWEEN && (kind == S_FORCE || kind == S_TORQUE) {
        let push = between(o.body, o.pos);
        if kind == S_FORCE { return vec4r(qrot(qconj(o.rot), push.l), 0.0); }
        return vec4r(qrot(qconj(o.rot), push.a), 0.0);
    }
    // what cannot move does not feel gravity
    if ti[BODY_TREE + o.body] >= NTREE { return vec4r(0.0); }
    let a = acceleration_of(o.body);
    let arm = arm_of(o.body, o.pos);
    if kind == S_ANGACC { return vec4r(a.a, 0.0); }
    let linear = a.l + cross(a.a, arm) + cross(o.vel.a, o.vel.l);
    if kind == S_LINACC { return vec4r(linear, 0.0); }
    return vec4r(qrot(qconj(o.rot), linear), 0.0);
}

// torque and force between a body and its parent, at a point: what keeps all that hangs from it on its way, less
// what pushes it from outside
fn between(top: u32, p: vec3r) -> Six {
    var sum = Six(vec3r(0.0), vec3r(0.0));
    for (var b = max(top, 1u); b < NBODY; b++) {
        if !under(b, top) { continue; }
        let c = centre_of(b);
        let arm = arm_of(b, c);
        let v = six(CVEL + 6u * b);
        let a = acceleration_of(b);
        let force = f4(BODY_IPOS, b).w * (a.l + cross(a.a, arm) + cross(v.a, v.l + cross(v.a, arm)));
        sum = six_add(sum, Six(spun(b, a.a) + cross(v.a, spun(b, v.a)) + cross(c - p, force), force));
    }
    for (var c = 0u; c < ncon; c++) {
        let r = con_row(c);
        if r == NONE { continue; }
        let pair = con_pair(c);
        let at = CON + 10u * c;
        let push = contact_push(pair, r, at);
        let wrench = Six(push.a + cross(w3(at + 1u) - p, push.l), push.l);
        sum = six_add(sum, six_scale(wrench, outside(body1(pair), top) - outside(body2(pair), top)));
    }
    for (var e = 0u; e < NEQ; e++) {
        if ti[EQ_KIND + e] == EQ_COUPLE { continue; }
        let t = tie(e);
        let r = EFC_FORCE + ti[EQ_ROW + e];
        let force = w3(r);
        var torque = vec3r(0.0);
        if ti[EQ_KIND + e] == EQ_WELD { torque = w3(r + 3u); }
        let one = Six(torque + cross(t.p1 - p, force), force);
        let two = Six(torque + cross(t.p2 - p, force), force);
        sum = six_add(sum, six_scale(one, -outside(t.b1, top)));
        sum = six_add(sum, six_scale(two, outside(t.b2, top)));
    }
    return sum;
}
// one if what pushes a body pushes what hangs from another; the world is not pushed
fn outside(b: u32, top: u32) -> real { return select(real(0.0), real(1.0), b > 0u && under(b, top)); }

// torque and force of a contact on its second body, at the contact
fn contact_push(pair: u32, r: u32, at: u32) -> Six {
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
    return Six(x * along[3] + y * along[4] + z * along[5], x * along[0] + y * along[1] + z * along[2]);
}

// the normal forces on a site's body that act through the site's volume
fn sense_touch(s: u32) -> real {
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    let back = qconj(o.rot);
    var sum = real(0.0);
    for (var c = 0u; c < ncon; c++) {
        let p = con_pair(c);
        let r = con_row(c);
        let second = body2(p) == o.body;
        if r == NONE || !second && body1(p) != o.body { continue; }
        var normal = w[EFC_FORCE + r];
        let dim = ti[PAIR_DIM + p];
        if !ELLIPTIC { for (var k = 1u; k < rows_of(dim); k++) { normal += w[EFC_FORCE + r + k]; } }
        if normal <= 0.0 { continue; }
        let at = CON + 10u * c;
        let away = select(w3(at + 4u), -w3(at + 4u), second);
        if meets(ti[SENSOR_ID + s], f3(SENSOR_REFPOS, s), qrot(back, w3(at + 1u) - o.pos), qrot(back, away)) {
            sum += normal;
        }
    }
    return sum;
}

// whether a half-line meets a volume about the origin: sphere 2, capsule 3, ellipsoid 4, cylinder 5, box 6
fn meets(kind: u32, size: vec3r, p: vec3r, d: vec3r) -> bool {
    if kind == 2u { return meets_ball(p / size.x, d / size.x); }
    if kind == 4u { return meets_ball(p / size, d / size); }
    if kind == 6u {
        let span = slab(p.x, d.x, size.x, slab(p.y, d.y, size.y, slab(p.z, d.z, size.z, vec2<real>(0.0, 1e30))));
        return span.x <= span.y;
    }
    if kind == 3u {
        let end = vec3r(0.0, 0.0, size.y);
        if meets_ball((p - end) / size.x, d / size.x) || meets_ball((p + end) / size.x, d / size.x) { return true; }
    }
    let span = slab(p.z, d.z, size.y, vec2<real>(0.0, 1e30));
    let a = dot(d.xy, d.xy);
    let b = dot(p.xy, d.xy);
    let c = dot(p.xy, p.xy) - size.x * size.x;
    if a < MINVAL { return c <= 0.0 && span.x <= span.y; }
    let root = b * b - a * c;
    if root < 0.0 { return false; }
    return max(span.x, (-b - sqrt(root)) / a) <= min(span.y, (-b + sqrt(root)) / a);
}
fn meets_ball(p: vec3r, d: vec3r) -> bool {
    let b = dot(p, d);
    let c = dot(p, p) - 1.0;
    return c <= 0.0 || (b < 0.0 && b * b >= c * dot(d, d));
}
fn slab(p: real, d: real, half: real, span: vec2<real>) -> vec2<real> {
    if abs(d) < MINVAL {
        if abs(p) > half { return vec2<real>(1.0, 0.0); }
        return span;
    }
    let s = (-half - p) / d;
    let t = (half - p) / d;
    return vec2<real>(max(span.x, min(s, t)), min(span.y, max(s, t)));
}
