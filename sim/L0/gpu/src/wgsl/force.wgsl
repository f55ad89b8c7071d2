// Forces that do not depend on constraints: springs, dampers, actuators, what is applied.

fn forces() {
    for (var i = lane; i < NV; i += LANES) {
        let v = w[QVEL + i];
        w[SMOOTH + i] = -w[BIAS + i] - f(DOF_DAMPING + i) * v + input(IN_APPLIED + i);
    }
    sync();
    for (var j = lane; j < NJNT; j += LANES) { spring(j); }
    tendons();
    for (var i = lane; i < NU; i += LANES) { actuate(i); }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        let last = ti[DRIVE + i + 1u];
        for (var k = ti[DRIVE + i]; k < last; k++) {
            sum += f(DRIVE_COEF + k) * w[ACTUATOR + ti[DRIVE_ACT + k]];
        }
        w[SMOOTH + i] += clamp(sum, f(DOF_LOWEST + i), f(DOF_HIGHEST + i));
    }
    sync();
}

fn spring(j: u32) {
    let k = f(JNT_STIFFNESS + j);
    if k == 0.0 { return; }
    let kind = ti[JNT_TYPE + j];
    let q = ti[JNT_QPOS + j];
    let d = SMOOTH + ti[JNT_DOF + j];
    if kind == SLIDE || kind == HINGE {
        w[d] -= k * (w[QPOS + q] - f(QPOS_SPRING + q));
        return;
    }
    var at = q;
    var to = d;
    if kind == FREE {
        let away = w3(QPOS + q) - vec3r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u));
        put3(d, w3(d) - k * away);
        at += 3u;
        to += 3u;
    }
    let rest = vec4r(f(QPOS_SPRING + at), f(QPOS_SPRING + at + 1u), f(QPOS_SPRING + at + 2u), f(QPOS_SPRING + at + 3u));
    let away = qvec(qmul(qconj(rest), qunit(w4(QPOS + at))));
    put3(to, w3(to) - k * away);
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
        let low = f(TENDON_LOW + t) - length;
        let high = f(TENDON_HIGH + t) - length;
        var pull = -f(TENDON_DAMPING + t) * speed;
        if low > 0.0 { pull += f(TENDON_STIFFNESS + t) * low; }
        if high < 0.0 { pull += f(TENDON_STIFFNESS + t) * high; }
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

fn actuate(i: u32) {
    var length = real(0.0);
    var speed = real(0.0);
    let last = ti[DRIVEN + i + 1u];
    for (var k = ti[DRIVEN + i]; k < last; k++) {
        length += f(DRIVEN_COEF + k) * w[QPOS + ti[DRIVEN_QPOS + k]];
        speed += f(DRIVEN_COEF + k) * w[QVEL + ti[DRIVEN_DOF + k]];
    }
    let u = clamp(input(IN_CTRL + i), f(CTRL_LOW + i), f(CTRL_HIGH + i));
    var drive = u;
    let a = ti[ACT_ADR + i];
    if a < NA {
        let act = w[ACT + a];
        // where it will be after the step: its rate times a time that the kind of filter decides
        var rate = u;
        if ti[ACT_FILTER + i] == 1u { rate = u - act; }
        let next = clamp(act + f(ACT_TIME + i) * rate, f(ACT_LOW + i), f(ACT_HIGH + i));
        w[ACT_NEXT + a] = next;
        drive = select(act, next, ti[ACT_EARLY + i] == 1u);
    }
    let gain = f(GAIN + i) + f(GAIN + NU + i) * length + f(GAIN + 2u * NU + i) * speed;
    let bias = f(BIAS_PRM + i) + f(BIAS_PRM + NU + i) * length + f(BIAS_PRM + 2u * NU + i) * speed;
    w[ACTUATOR + i] = clamp(gain * drive + bias, f(FORCE_LOW + i), f(FORCE_HIGH + i));
    if IMPLICIT {
        // how the force changes with speed; not at all at a bound, and by the control before clamping
        let force = w[ACTUATOR + i];
        let held = force <= f(FORCE_LOW + i) || force >= f(FORCE_HIGH + i);
        if a >= NA { drive = input(IN_CTRL + i); }
        w[ACT_SLOPE + i] = select(f(GAIN + 2u * NU + i) * drive + f(BIAS_PRM + 2u * NU + i), real(0.0), held);
    }
}
