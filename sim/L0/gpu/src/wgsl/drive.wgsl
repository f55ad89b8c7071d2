// What actuators act on, and their forces.

fn drive() {
    moments();
    for (var i = lane; i < NU; i += LANES) { actuate(i); }
    if TENDON_CLAMPS {
        // what is left of the forces of all actuators on a tendon
        sync();
        for (var t = lane; t < NTENDON; t += LANES) { w[TEN_FORCE + t] = share_left(t); }
        sync();
    }
    for (var i = lane; i < NU; i += LANES) { hold_back(i); }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        if BEARS && ti[DOF_BORNE + i] == 1u {
            // it is in the force of gravity already
            w[SMOOTH + i] -= lift(i);
            if !BORNE { continue; }
        }
        w[SMOOTH + i] += driven(i);
    }
    sync();
}

// the force of all actuators on a dof
fn driven(i: u32) -> real {
    var sum = real(0.0);
    let last = ti[DRIVE + i + 1u];
    for (var k = ti[DRIVE + i]; k < last; k++) { sum += f(DRIVE_COEF + k) * w[ACTUATOR + ti[DRIVE_ACT + k]]; }
    for (var k = 0u; k < NWIDE; k++) { sum += w[MOMENT + k * NV + i] * w[ACTUATOR + ti[WIDE_ACT + k]]; }
    if BEARS && BORNE { if ti[DOF_BORNE + i] == 1u { sum += lift(i); } }
    return clamp(sum, f(DOF_LOWEST + i), f(DOF_HIGHEST + i));
}

// the force on a dof that compensates gravity
fn lift(i: u32) -> real {
    var sum = real(0.0);
    if !GRAVCOMP { return sum; }
    let down = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    for (var b = 1u; b < NBODY; b++) {
        let part = f4(BODY_INERTIA, b).w * f4(BODY_IPOS, b).w;
        if part == 0.0 || !moves(b, i) { continue; }
        let centre = w3(XPOS + 3u * b) + qrot(w4(turn_at(b)), f3(BODY_IPOS, b));
        sum -= part * dot(down, relative(i, 0u, centre, b, centre).l);
    }
    return sum;
}

// how much each dof moves actuators on ball and free joints and on sites
fn moments() {
    for (var k = 0u; k < NWIDE; k++) {
        if ti[WIDE_KIND + k] == WIDE_SITE { site_moment(k); } else { joint_moment(k); }
    }
    if NWIDE > 0u { sync(); }
}

fn joint_moment(k: u32) {
    let rot = qunit(w4(QPOS + ti[WIDE_QPOS + k]));
    let force = f3(WIDE_FORCE, k);
    var torque = f3(WIDE_TORQUE, k);
    if ti[WIDE_IN_PARENT + k] == 1u { torque = qrot(qconj(rot), torque); }
    let free = ti[WIDE_KIND + k] == WIDE_FREE;
    let d = ti[WIDE_DOF + k];
    for (var i = lane; i < NV; i += LANES) {
        var value = real(0.0);
        if i >= d && i < d + 3u { value = torque[i - d]; }
        if free && i + 3u >= d && i < d { value = force[i + 3u - d]; }
        w[MOMENT + k * NV + i] = value;
    }
    if lane == 0u { w[WIDE_LENGTH + k] = select(dot(qvec(rot), torque), real(0.0), free); }
}

fn site_moment(k: u32) {
    let b1 = ti[WIDE_BODY1 + k];
    let b2 = ti[WIDE_BODY2 + k];
    let r1 = w4(turn_at(b1));
    let r2 = w4(turn_at(b2));
    let p1 = w3(XPOS + 3u * b1) + qrot(r1, f3(WIDE_POS1, k));
    let p2 = w3(XPOS + 3u * b2) + qrot(r2, f3(WIDE_POS2, k));
    let q1 = f4(WIDE_QUAT1, k);
    let q2 = f4(WIDE_QUAT2, k);
    let refers = ti[WIDE_REFERS + k] == 1u;
    var axes = qmul(r2, q2);
    if refers { axes = qmul(r1, q1); }
    let force = f3(WIDE_FORCE, k);
    let torque = f3(WIDE_TORQUE, k);
    let pull = qrot(axes, force);
    let turn = qrot(axes, torque);
    for (var i = lane; i < NV; i += LANES) {
        var value = real(0.0);
        // what moves both alike does no work
        if moves(b1, i) != moves(b2, i) {
            let v = relative(i, b1, p1, b2, p2);
            value = dot(v.l, pull) + dot(v.a, turn);
        }
        w[MOMENT + k * NV + i] = value;
    }
    if lane == 0u {
        var length = real(0.0);
        if refers {
            // products in this order, as on the processor
            let turned = qvec(qmul(qconj(qmul(q1, r1)), qmul(q2, r2)));
            length = dot(qrot(qconj(axes), p2 - p1), force) + dot(turned, torque);
        }
        w[WIDE_LENGTH + k] = length;
    }
}

// length and speed of what an actuator drives
fn reach(i: u32) -> vec2<real> {
    var sum = vec2<real>(0.0);
    let last = ti[DRIVEN + i + 1u];
    for (var k = ti[DRIVEN + i]; k < last; k++) {
        sum += f(DRIVEN_COEF + k) * vec2<real>(w[QPOS + ti[DRIVEN_QPOS + k]], w[QVEL + ti[DRIVEN_DOF + k]]);
    }
    if NWIDE > 0u {
        let wide = ti[ACT_WIDE + i];
        if wide != NONE {
            sum.x = w[WIDE_LENGTH + wide];
            for (var d = 0u; d < NV; d++) { sum.y += w[MOMENT + wide * NV + d] * w[QVEL + d]; }
        }
    }
    return sum;
}

fn actuate(i: u32) {
    let at = reach(i);
    let length = at.x;
    let speed = at.y;
    let factor = f4(GAIN, i);
    let offset = f4(BIAS_PRM, i);
    let u = clamp(input(IN_CTRL + i), factor.w, offset.w);
    var drive = u;
    let a = ti[ACT_ADR + i];
    if a < NA {
        let act = w[ACT + a];
        // where it will be after the step: its rate times a time that the kind of filter decides
        var rate = u;
        if ti[ACT_FILTER + i] == 1u { rate = u - act; }
        let next = clamp(act + f(ACT_TIME + i) * rate, f4(ACT_RANGE, i).z, f4(ACT_RANGE, i).w);
        w[ACT_NEXT + a] = next;
        drive = select(act, next, ti[ACT_EARLY + i] == 1u);
    }
    let gain = factor.x + factor.y * length + factor.z * speed;
    let bias = offset.x + offset.y * length + offset.z * speed;
    w[ACTUATOR + i] = gain * drive + bias;
    if IMPLICIT {
        // how the force changes with speed, by the control before clamping
        if a >= NA { drive = input(IN_CTRL + i); }
        w[SLOPE + i] = factor.z * drive + offset.z;
    }
}

// the part of the forces of all actuators on a tendon that its range leaves
fn share_left(t: u32) -> real {
    var sum = real(0.0);
    for (var i = 0u; i < NU; i++) { if ti[ACT_TENDON + i] == t { sum += w[ACTUATOR + i]; } }
    if sum < f(TENDON_LOWEST + t) { return f(TENDON_LOWEST + t) / sum; }
    if sum > f(TENDON_HIGHEST + t) { return f(TENDON_HIGHEST + t) / sum; }
    return real(1.0);
}

// keeps a force in its range; at a bound it does not change with speed
fn hold_back(i: u32) {
    var force = w[ACTUATOR + i];
    if TENDON_CLAMPS {
        let t = ti[ACT_TENDON + i];
        if t != NONE { force *= w[TEN_FORCE + t]; }
    }
    let range = f4(ACT_RANGE, i);
    force = clamp(force, range.x, range.y);
    w[ACTUATOR + i] = force;
    if IMPLICIT { if force <= range.x || force >= range.y { w[SLOPE + i] = 0.0; } }
}
