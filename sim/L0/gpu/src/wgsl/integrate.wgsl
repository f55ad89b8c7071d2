// From accelerations to the next state.

// what is solved for where dampers act at the end of the step
fn damp() {
    let h = f(TIMESTEP);
    // at the minimum, M qacc is the sum of all forces
    for (var i = lane; i < NV; i += LANES) {
        w[GRAD + i] = w[MA + i];
        w[DIAG + i] = h * damping_slope(DOF_DAMPING, NV, i, w[QVEL + i]);
    }
    sync();
    if IMPLICIT { slopes(h); }
}

fn integrate() {
    let h = f(TIMESTEP);
    if !DAMPED {
        for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] = w[QACC + i]; }
        sync();
    }
    if LONE { move_lone(h); }
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] += h * w[SEARCH + i]; }
    for (var i = lane; i < NA; i += LANES) { w[ACT + i] = w[ACT_NEXT + i]; }
    sync();
    for (var j = lane; j < NJNT; j += LANES) {
        let kind = jnt_kind(j);
        var q = QPOS + jnt_qpos(j);
        var d = QVEL + jnt_dof(j);
        if is_scalar(kind) {
            w[q] += h * w[d];
            continue;
        }
        if is_free(kind) {
            // a body alone moves with the velocity half way
            if LONE { if ti[JNT_LONE + j] == 1u { d = GRAD + jnt_dof(j); } }
            put3(q, w3(q) + h * w3(d));
            q += 3u;
            d += 3u;
        }
        put4(q, qmul(qunit(w4(q)), qexp(h * w3(d))));
    }
    if lane == 0u { w[TIME] += h; }
    sync();
}

// adds what tendons and actuators damp and couple; the matrix is made anew in every step
fn slopes(h: real) {
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        var last = ti[DRIVE + i + 1u];
        for (var k = ti[DRIVE + i]; k < last; k++) {
            let c = f(DRIVE_COEF + k);
            sum += c * c * w[SLOPE + ti[DRIVE_ACT + k]];
        }
        last = ti[PULL + i + 1u];
        for (var k = ti[PULL + i]; k < last; k++) {
            let c = f(PULL_COEF + k);
            sum += c * c * w[SLOPE + NU + ti[PULL_TENDON + k]];
        }
        for (var k = 0u; k < NWIDE; k++) {
            let c = w[MOMENT + k * NV + i];
            sum += c * c * w[SLOPE + ti[WIDE_ACT + k]];
        }
        w[DIAG + i] -= h * sum;
    }
    for (var e = lane; e < NCOUPLE; e += LANES) {
        var sum = real(0.0);
        let last = ti[COUPLE + e + 1u];
        for (var k = ti[COUPLE + e]; k < last; k++) { sum += f(COUPLE_COEF + k) * w[SLOPE + ti[COUPLE_BY + k]]; }
        add_M(ti[COUPLE_ROW + e], ti[COUPLE_COLUMN + e], -h * sum);
    }
    sync_matrices();
    if NWIDE == 0u { return; }
    for (var i = lane; i < NV; i += LANES) {
        if ti[DOF_ALONE + i] == 1u { continue; }
        for (var j = dof_parent(i); j < NV; j = dof_parent(j)) {
            var sum = real(0.0);
            for (var k = 0u; k < NWIDE; k++) {
                sum += w[MOMENT + k * NV + i] * w[MOMENT + k * NV + j] * w[SLOPE + ti[WIDE_ACT + k]];
            }
            if sum != 0.0 { add_M(i, j, -h * sum); }
        }
    }
    sync_matrices();
}
fn add_M(i: u32, j: u32, x: real) {
    let value = M(i, j) + x;
    set_M(i, j, value);
    set_M(j, i, value);
}
