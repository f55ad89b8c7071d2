// mj_tendon for fixed tendons; velocities, springs and dampers of all tendons.

// Index of a spatial tendon among the spatial ones; NONE for fixed tendons.
fn spatial_index(t: u32) -> u32 {
#ifdef SPATIAL_TENDON
    return ti[TENDON_SPATIAL + t];
#else
    return NONE;
#endif
}

fn tendon_velocity(t: u32) -> real {
    var velocity = real(0.0);
#ifdef SPATIAL_TENDON
    let s = ti[TENDON_SPATIAL + t];
    if s != NONE {
        for (var i = 0u; i < NV; i++) { velocity += ten_J(s, i) * w[QVEL + i]; }
        return velocity;
    }
#endif
    let last = ti[TENDON_ADR + t + 1u];
    for (var k = ti[TENDON_ADR + t]; k < last; k++) { velocity += f(TENDON_COEF + k) * w[QVEL + ti[TENDON_DOF + k]]; }
    return velocity;
}

// Adds a multiple of a tendon's Jacobian to a constraint row.
fn add_tendon_row(r: u32, t: u32, factor: real) {
#ifdef SPATIAL_TENDON
    let s = ti[TENDON_SPATIAL + t];
    if s != NONE {
        for (var i = 0u; i < NV; i++) { set_J(r, i, J(r, i) + factor * ten_J(s, i)); }
        return;
    }
#endif
    let last = ti[TENDON_ADR + t + 1u];
    for (var k = ti[TENDON_ADR + t]; k < last; k++) {
        let d = ti[TENDON_DOF + k];
        set_J(r, d, J(r, d) + factor * f(TENDON_COEF + k));
    }
}

// Clears the entries of a constraint row that belong to a tendon's dofs.
fn clear_tendon_row(r: u32, t: u32) {
    if spatial_index(t) != NONE {
        for (var i = 0u; i < NV; i++) { set_J(r, i, real(0.0)); }
        return;
    }
    let last = ti[TENDON_ADR + t + 1u];
    for (var k = ti[TENDON_ADR + t]; k < last; k++) { set_J(r, ti[TENDON_DOF + k], real(0.0)); }
}

// A dof that a tendon moves; they all belong to the same tree group.
fn tendon_dof(t: u32) -> u32 {
    if spatial_index(t) != NONE { return 0u; }
    return ti[TENDON_DOF + ti[TENDON_ADR + t]];
}

// Lengths of fixed tendons, and the spring and damper forces of all tendons.
fn tendon_forces() {
    if NTENDON == 0u { return; }
    for (var t = lane; t < NTENDON; t += LANES) {
        if spatial_index(t) == NONE {
            var sum = real(0.0);
            let last = ti[TENDON_ADR + t + 1u];
            for (var k = ti[TENDON_ADR + t]; k < last; k++) { sum += f(TENDON_COEF + k) * w[QPOS + ti[TENDON_QPOS + k]]; }
            w[TEN_LENGTH + t] = sum;
        }
        let length = w[TEN_LENGTH + t];
        let velocity = tendon_velocity(t);
        // Elongation beyond the dead band of the spring.
        let x = max(length - f(TENDON_SPRING_MAX + t), real(0.0)) + min(length - f(TENDON_SPRING_MIN + t), real(0.0));
        let stiffness = f(TENDON_STIFFNESS + t) + f(TENDON_STIFFNESS + NTENDON + t) * x
            + f(TENDON_STIFFNESS + 2u * NTENDON + t) * x * x;
        let force = -damper_coef(TENDON_DAMPING, NTENDON, t, velocity) * velocity - stiffness * x;
        if FORCE_DERIVATIVES { w[FORCE_DERIV + NU + t] = -damper_derivative(TENDON_DAMPING, NTENDON, t, velocity); }
        w[TEN_FORCE + t] = force;
    }
    sync();
    for (var i = lane; i < NV; i += LANES) {
        var sum = real(0.0);
        let last = ti[DOF_TENDON_ADR + i + 1u];
        for (var k = ti[DOF_TENDON_ADR + i]; k < last; k++) {
            sum += f(DOF_TENDON_COEF + k) * w[TEN_FORCE + ti[DOF_TENDON_ID + k]];
        }
#ifdef SPATIAL_TENDON
        for (var s = 0u; s < NSPATIAL; s++) { sum += ten_J(s, i) * w[TEN_FORCE + ti[SPATIAL_TENDON_ID + s]]; }
#endif
        w[QFRC_SMOOTH + i] += sum;
    }
    sync();
}
