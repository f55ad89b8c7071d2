// From accelerations to the next state.

fn integrate() {
    let h = f(TIMESTEP);
    if DAMPED {
        // at the minimum, M qacc is the sum of all forces
        for (var i = lane; i < NV; i += LANES) {
            w[GRAD + i] = w[MA + i];
            w[DIAG + i] = h * f(DOF_IMPLICIT + i);
        }
        sync();
        if IMPLICIT { actuator_slopes(h); }
        solve_plain();
    } else {
        for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] = w[QACC + i]; }
        sync();
    }
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] += h * w[SEARCH + i]; }
    for (var i = lane; i < NA; i += LANES) { w[ACT + i] = w[ACT_NEXT + i]; }
    sync();
    for (var j = lane; j < NJNT; j += LANES) {
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

// adds what actuators damp, and what tendons and actuators on them couple; the matrix is made anew in every step
fn actuator_slopes(h: real) {
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        let last = ti[DRIVE + i + 1u];
        for (var k = ti[DRIVE + i]; k < last; k++) {
            let c = f(DRIVE_COEF + k);
            sum += c * c * w[ACT_SLOPE + ti[DRIVE_ACT + k]];
        }
        w[DIAG + i] -= h * sum;
    }
    for (var e = lane; e < NCOUPLE; e += LANES) {
        var sum = real(0.0);
        let last = ti[COUPLE + e + 1u];
        for (var k = ti[COUPLE + e]; k < last; k++) {
            let by = ti[COUPLE_ACT + k];
            if by == NONE { sum += f(COUPLE_COEF + k); } else { sum += f(COUPLE_COEF + k) * w[ACT_SLOPE + by]; }
        }
        let i = ti[COUPLE_ROW + e];
        let j = ti[COUPLE_COLUMN + e];
        let value = Mq(i, j >> 2u)[j & 3u] - h * sum;
        set_M(i, j, value);
        set_M(j, i, value);
    }
    sync_matrices();
}
