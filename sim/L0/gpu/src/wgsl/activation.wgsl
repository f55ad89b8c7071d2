// Activation dynamics: act_dot, and activations at the end of a step (mj_nextActivation).

// Rate of change of an activation at the control u. ACT_DYN: rate coefficients of the dynamics type in x, z, w; factor
// between the rate and the change over a step in y.
fn act_dot(i: u32, u: real, act: real) -> real {
    let kind = ti[ACT_DYN_TYPE + i];
    if kind == DYN_INTEGRATOR { return u; }
    if kind == DYN_FILTER { return (u - act) * f4(ACT_DYN, i).x; }
#ifdef MUSCLE
    if kind == DYN_MUSCLE { return muscle_act_dot(i, u, act); }
#endif
    return real(0.0);
}

fn next_activation(i: u32, a: u32, rate: real) -> real {
#ifdef DC_MOTOR
    if ti[ACT_MOTOR + i] != NONE { return motor_next_activation(i, a, rate); }
#endif
    return clamp(w[ACT + a] + f4(ACT_DYN, i).y * rate, f4(ACT_RANGE, i).z, f4(ACT_RANGE, i).w);
}

// Writes act_dot of an actuator. Returns the input of its gain: the control, or the last activation.
fn update_activation(i: u32, u: real) -> real {
    let a = ti[ACT_ADR + i];
    if a >= NA { return u; }
    let rate = act_dot(i, u, w[ACT + a]);
    w[ACT_DOT + a] = rate;
    if ti[ACT_EARLY + i] == 1u { return next_activation(i, a, rate); }
    return w[ACT + a];
}

fn advance_activations() {
    for (var a = lane; a < NA; a += LANES) { w[ACT + a] = next_activation(ti[ACT_OWNER + a], a, w[ACT_DOT + a]); }
}
