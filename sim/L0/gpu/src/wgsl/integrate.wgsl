// From accelerations to the next state.

fn integrate() {
    let h = f(TIMESTEP);
    if DAMPED {
        // at the minimum, M qacc is the sum of all forces
        for (var i = lane; i < NV; i += 32u) {
            w[GRAD + i] = w[MA + i];
            w[DIAG + i] = h * f(DOF_IMPLICIT + i);
        }
        sync();
        if IMPLICIT { actuator_slopes(h); }
        solve_plain();
    } else {
        for (var i = lane; i < NV; i += 32u) { w[SEARCH + i] = w[QACC + i]; }
        sync();
    }
    for (var i = lane; i < NV; i += 32u) { w[QVEL + i] += h * w[SEARCH + i]; }
    for (var i = lane; i < NA; i += 32u) { w[ACT + i] = w[ACT_NEXT + i]; }
    sync();
    for (var j = lane; j < NJNT; j += 32u) {
        let kind = ti[JNT_TYPE + j];
        var q = QPOS + ti[JNT_QPOS + j];
        var d = QVEL + ti[JNT_DOF + j];
        if kind == SLIDE || kind == HINGE {
            w[q] += h * w[d];
            continue;
        }
        if kind == FREE {
            put3(q, w3(q) + h * w3(d));
            q += 3u;
            d += 3u;
        }
        put4(q, qmul(qunit(w4(q)), qexp(h * w3(d))));
    }
    if lane == 0u { w[TIME] += h; }
    sync();
}

// adds what actuators damp, on the diagonal
fn actuator_slopes(h: real) {
    for (var i = lane; i < NV; i += 32u) {
        var sum = real(0.0);
        let last = ti[DRIVE + i + 1u];
        for (var k = ti[DRIVE + i]; k < last; k++) {
            let c = f(DRIVE_COEF + k);
            sum += c * c * w[ACT_SLOPE + ti[DRIVE_ACT + k]];
        }
        w[DIAG + i] -= h * sum;
    }
    sync();
}
