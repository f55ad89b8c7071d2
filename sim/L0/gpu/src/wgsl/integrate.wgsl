// mj_Euler and mj_implicit: from accelerations to the next state.

// Right-hand side and diagonal of the system (M + h D) qacc' = M qacc, where dampers act at the end of the step. At the
// solver's minimum, M qacc is the sum of all forces. If D is diagonal, the solution is the change of qacc, with the
// right-hand side -h D qacc.
fn setup_implicit_damping() {
    let h = f(TIMESTEP);
    for (var i = lane; i < NV; i += LANES) {
        if !DIAGONAL_DAMPING { w[GRAD + i] = w[MA + i]; }
        w[DAMPING_DIAG + i] = h * damper_derivative(DOF_DAMPING, NV, i, w[QVEL + i]);
    }
    sync();
    if FORCE_DERIVATIVES { add_force_derivatives(h); }
#ifdef FLUID
    if FORCE_DERIVATIVES { add_fluid_derivatives(h); }
#endif
#ifdef IMPLICIT_FULL
    add_rne_derivatives(h);
#endif
    if DIAGONAL_DAMPING {
        for (var i = lane; i < NV; i += LANES) { w[GRAD + i] = -w[DAMPING_DIAG + i] * w[QACC + i]; }
        sync();
    }
}

fn integrate() {
    let h = f(TIMESTEP);
    if !IMPLICIT_DAMPING || DIAGONAL_DAMPING {
        for (var i = lane; i < NV; i += LANES) {
            w[SEARCH + i] = w[QACC + i] + select(real(0.0), w[SEARCH + i], IMPLICIT_DAMPING);
        }
        sync();
    }
    if SINGLE_FREE_BODY { single_body_midpoint(h); }
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] += h * w[SEARCH + i]; }
    advance_activations();
    sync();
    if lane == 0u { w[TIME] += h; }
    integrate_pos(QVEL, h);
}

// mj_integratePos: positions advance with a velocity for a time h.
fn integrate_pos(vel: u32, h: real) {
    for (var j = lane; j < NJNT; j += LANES) {
        let kind = jnt_type(j);
#ifdef SLEEP
        if tree_asleep(ti[DOF_TREE + jnt_dofadr(j)]) { continue; }
#endif
        var q = QPOS + jnt_qposadr(j);
        var d = vel + jnt_dofadr(j);
        if is_scalar(kind) {
            w[q] += h * w[d];
            continue;
        }
        if is_free(kind) {
            // A single free body moves with its midpoint velocity.
            if SINGLE_FREE_BODY { if ti[JNT_SINGLE_BODY + j] == 1u { d = GRAD + jnt_dofadr(j); } }
            put3(q, w3(q) + h * w3(d));
            q += 3u;
            d += 3u;
        }
        put4(q, qmul(qunit(w4(q)), rotvec_to_quat(h * w3(d))));
    }
    sync();
}

// Adds the velocity derivatives of tendon and actuator forces to the matrix, which is recomputed in every step.
fn add_force_derivatives(h: real) {
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        var last = ti[DOF_ACT_ADR + i + 1u];
        for (var k = ti[DOF_ACT_ADR + i]; k < last; k++) {
            let c = f(DOF_ACT_COEF + k);
            sum += c * c * w[FORCE_DERIV + ti[DOF_ACT_ID + k]];
        }
        last = ti[DOF_TENDON_ADR + i + 1u];
        for (var k = ti[DOF_TENDON_ADR + i]; k < last; k++) {
            let c = f(DOF_TENDON_COEF + k);
            sum += c * c * w[FORCE_DERIV + NU + ti[DOF_TENDON_ID + k]];
        }
        for (var k = 0u; k < NDENSE; k++) {
            let c = w[MOMENT + k * NV + i];
            sum += c * c * w[FORCE_DERIV + ti[DENSE_ACT + k]];
        }
#ifdef SPATIAL_TENDON
        for (var s = 0u; s < NSPATIAL; s++) {
            let c = ten_J(s, i);
            sum += c * c * w[FORCE_DERIV + NU + ti[SPATIAL_TENDON_ID + s]];
        }
#endif
        w[DAMPING_DIAG + i] -= h * sum;
    }
    for (var e = lane; e < NDAMPING_PAIR; e += LANES) {
        var sum = real(0.0);
        let last = ti[DAMPING_PAIR_ADR + e + 1u];
        for (var k = ti[DAMPING_PAIR_ADR + e]; k < last; k++) { sum += f(DAMPING_PAIR_COEF + k) * w[FORCE_DERIV + ti[DAMPING_PAIR_SOURCE + k]]; }
        add_M(ti[DAMPING_PAIR_ROW + e], ti[DAMPING_PAIR_COLUMN + e], -h * sum);
    }
    sync_matrices();
    if NDENSE + NSPATIAL == 0u { return; }
    for (var i = lane; i < NV; i += LANES) {
        if ti[DOF_DERIV_DIAGONAL + i] == 1u { continue; }
        for (var j = dof_parentid(i); j < NV; j = dof_parentid(j)) {
            var sum = real(0.0);
            for (var k = 0u; k < NDENSE; k++) {
                sum += w[MOMENT + k * NV + i] * w[MOMENT + k * NV + j] * w[FORCE_DERIV + ti[DENSE_ACT + k]];
            }
#ifdef SPATIAL_TENDON
            for (var s = 0u; s < NSPATIAL; s++) {
                sum += ten_J(s, i) * ten_J(s, j) * w[FORCE_DERIV + NU + ti[SPATIAL_TENDON_ID + s]];
            }
#endif
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
