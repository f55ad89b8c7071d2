// Sensors, read in the last of several steps: after positions and velocities, after forces, after accelerations.

struct Seen { pos: vec3r, rot: vec4r, vel: Six, body: u32 }

fn seen(body_at: u32, pos_at: u32, quat_at: u32, s: u32) -> Seen {
    var o: Seen;
    o.body = ti[body_at + s];
    let rot = w4(XQUAT + 4u * o.body);
    o.pos = w3(XPOS + 3u * o.body) + qrot(rot, f3(pos_at, NSENSOR, s));
    o.rot = qmul(rot, f4(quat_at, NSENSOR, s));
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
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
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

fn sense_force(s: u32) -> vec4r {
    let kind = ti[SENSOR_KIND + s];
    let id = ti[SENSOR_ID + s];
    var sum = real(0.0);
    if kind == S_ACTFRC { return vec4r(w[ACTUATOR + id], 0.0, 0.0, 0.0); }
    if kind == S_JNTFRC {
        let last = ti[DRIVE + id + 1u];
        for (var k = ti[DRIVE + id]; k < last; k++) { sum += f(DRIVE_COEF + k) * w[ACTUATOR + ti[DRIVE_ACT + k]]; }
        return vec4r(clamp(sum, f(DOF_LOWEST + id), f(DOF_HIGHEST + id)), 0.0, 0.0, 0.0);
    }
    if kind == S_ACTPOS || kind == S_ACTVEL {
        let last = ti[DRIVEN + id + 1u];
        for (var k = ti[DRIVEN + id]; k < last; k++) {
            if kind == S_ACTPOS { sum += f(DRIVEN_COEF + k) * w[QPOS + ti[DRIVEN_QPOS + k]]; }
            else { sum += f(DRIVEN_COEF + k) * w[QVEL + ti[DRIVEN_DOF + k]]; }
        }
        return vec4r(sum, 0.0, 0.0, 0.0);
    }
    let last = ti[TENDON + id + 1u];
    for (var k = ti[TENDON + id]; k < last; k++) {
        if kind == S_TENPOS { sum += f(TENDON_COEF + k) * w[QPOS + ti[TENDON_QPOS + k]]; }
        else { sum += f(TENDON_COEF + k) * w[QVEL + ti[TENDON_DOF + k]]; }
    }
    return vec4r(sum, 0.0, 0.0, 0.0);
}

fn sense_late(s: u32) -> vec4r {
    let kind = ti[SENSOR_KIND + s];
    if kind == S_TOUCH { return vec4r(sense_touch(s), 0.0, 0.0, 0.0); }
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    // acceleration of the point: what motion makes and what joints add; gravity pulls the other way
    var a = six(CACC + 6u * o.body);
    for (var i = 0u; i < NV; i++) {
        if moves(o.body, i) { a = six_add(a, six_scale(six(CDOF + 6u * i), w[QACC + i])); }
    }
    let tree = ti[BODY_TREE + o.body];
    var arm = vec3r(0.0);
    if tree < NTREE { arm = o.pos - w3(REF + 3u * tree); }
    if kind == S_ANGACC { return vec4r(a.a, 0.0); }
    let linear = a.l + cross(a.a, arm) + cross(o.vel.a, o.vel.l);
    if kind == S_LINACC { return vec4r(linear, 0.0); }
    return vec4r(qrot(qconj(o.rot), linear), 0.0);
}

// the normal forces on a site's body that act through the site's volume
fn sense_touch(s: u32) -> real {
    let o = seen(SENSOR_BODY, SENSOR_POS, SENSOR_QUAT, s);
    let back = qconj(o.rot);
    var sum = real(0.0);
    for (var c = 0u; c < ncon; c++) {
        let p = wu[CON_PAIR + c];
        let r = wu[CON_ROW + c];
        let second = ti[PAIR_BODY2 + p] == o.body;
        if r == NONE || !second && ti[PAIR_BODY1 + p] != o.body { continue; }
        var normal = w[EFC_FORCE + r];
        let dim = ti[PAIR_DIM + p];
        if !ELLIPTIC { for (var k = 1u; k < rows_of(dim); k++) { normal += w[EFC_FORCE + r + k]; } }
        if normal <= 0.0 { continue; }
        let at = CON + 10u * c;
        let away = select(w3(at + 4u), -w3(at + 4u), second);
        if meets(ti[SENSOR_ID + s], f3(SENSOR_REFPOS, NSENSOR, s), qrot(back, w3(at + 1u) - o.pos), qrot(back, away)) {
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
