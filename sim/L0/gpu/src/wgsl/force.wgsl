// Forces that do not depend on constraints: springs, dampers, actuators, what is applied.

fn forces() {
    for (var i = lane; i < NV; i += LANES) {
        let v = w[QVEL + i];
        w[SMOOTH + i] += input(IN_APPLIED + i) - damping(DOF_DAMPING, NV, i, v) * v;
    }
    sync();
    for (var j = lane; j < NJNT; j += LANES) { spring(j); }
    tendons();
    drive();
}

// force of a damper by its speed, and how it changes with it
fn damping(field: u32, n: u32, i: u32, v: real) -> real {
    if !DAMPER_POLY && field == DOF_DAMPING { return f(field + i); }
    return f(field + i) + f(field + n + i) * abs(v) + f(field + 2u * n + i) * v * v;
}
fn damping_slope(field: u32, n: u32, i: u32, v: real) -> real {
    if !DAMPER_POLY && field == DOF_DAMPING { return f(field + i); }
    return f(field + i) + 2.0 * f(field + n + i) * abs(v) + 3.0 * f(field + 2u * n + i) * v * v;
}

// force of a joint's spring by its stretch
fn stiffness(j: u32, x: real) -> real {
    if !SPRING_POLY { return f(JNT_STIFFNESS + j); }
    return f(JNT_STIFFNESS + j) + f(JNT_POLY + j) * x + f(JNT_POLY + NJNT + j) * x * x;
}

fn spring(j: u32) {
    if !SPRING_POLY && f(JNT_STIFFNESS + j) == 0.0 { return; }
    let kind = jnt_kind(j);
    let q = jnt_qpos(j);
    let d = SMOOTH + jnt_dof(j);
    if is_scalar(kind) {
        let x = w[QPOS + q] - f(QPOS_SPRING + q);
        w[d] -= stiffness(j, x) * x;
        return;
    }
    var at = q;
    var to = d;
    if is_free(kind) {
        let away = w3(QPOS + q) - vec3r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u));
        put3(d, w3(d) - stiffness(j, sqrt(dot(away, away))) * away);
        at += 3u;
        to += 3u;
    }
    let rest = vec4r(f(QPOS_SPRING + at), f(QPOS_SPRING + at + 1u), f(QPOS_SPRING + at + 2u), f(QPOS_SPRING + at + 3u));
    let away = qvec(qmul(qconj(rest), qunit(w4(QPOS + at))));
    put3(to, w3(to) - stiffness(j, sqrt(dot(away, away))) * away);
}

// lengths and speeds of fixed tendons, and their springs and dampers
fn tendons() {
    if NTENDON == 0u { return; }
    for (var t = lane; t < NTENDON; t += LANES) {
        var length = real(0.0);
        var speed = real(0.0);
        let last = ti[TENDON + t + 1u];
        for (var k = ti[TENDON + t]; k < last; k++) {
            length += f(TENDON_COEF + k) * w[QPOS + ti[TENDON_QPOS + k]];
            speed += f(TENDON_COEF + k) * w[QVEL + ti[TENDON_DOF + k]];
        }
        w[TEN_LENGTH + t] = length;
        // how far it is out of the range in which it is slack
        let x = max(length - f(TENDON_HIGH + t), real(0.0)) + min(length - f(TENDON_LOW + t), real(0.0));
        let stiff = f(TENDON_STIFFNESS + t) + f(TENDON_STIFFNESS + NTENDON + t) * x
            + f(TENDON_STIFFNESS + 2u * NTENDON + t) * x * x;
        let pull = -damping(TENDON_DAMPING, NTENDON, t, speed) * speed - stiff * x;
        if IMPLICIT { w[SLOPE + NU + t] = -damping_slope(TENDON_DAMPING, NTENDON, t, speed); }
        w[TEN_FORCE + t] = pull;
    }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        let last = ti[PULL + i + 1u];
        for (var k = ti[PULL + i]; k < last; k++) {
            sum += f(PULL_COEF + k) * w[TEN_FORCE + ti[PULL_TENDON + k]];
        }
        w[SMOOTH + i] += sum;
    }
    sync();
}
