// mj_RungeKutta: classical method of fourth order. Every stage evaluates the whole pipeline.

// Weight of a stage in the result, and node of the stage after it.
fn rk4_weight(stage: u32) -> real { return select(real(1.0) / 3.0, real(1.0) / 6.0, stage == 0u || stage == 3u); }
fn rk4_node(stage: u32) -> real { return select(real(0.5), real(1.0), stage == 2u); }

fn mj_step(last: bool, resumed: bool) -> bool {
    let start = w[TIME];
    for (var i = lane; i < NQ; i += LANES) { w[RK4_QPOS + i] = w[QPOS + i]; }
    for (var i = lane; i < NV; i += LANES) {
        w[RK4_QVEL + i] = w[QVEL + i];
        w[RK4_DQPOS + i] = 0.0;
        w[RK4_DQVEL + i] = 0.0;
    }
    for (var i = lane; i < NA; i += LANES) {
        w[RK4_ACT + i] = w[ACT + i];
        w[RK4_DACT + i] = 0.0;
    }
    sync();
    var finite = true;
    for (var stage = 0u; stage < 4u && finite; stage++) {
        finite = mj_forward(last && stage == 0u, false);
        rk4_accumulate(stage);
        rk4_restore();
        let next = finite && stage < 3u;
        let h = select(real(0.0), rk4_node(stage) * f(TIMESTEP), next);
        if lane == 0u { w[TIME] = start + h; }
        if next { rk4_next_stage(h); }
    }
    if finite { rk4_advance(); }
    return finite;
}

// Adds the derivatives of a stage to the weighted sums. SEARCH keeps its velocity.
fn rk4_accumulate(stage: u32) {
    let weight = rk4_weight(stage);
    for (var i = lane; i < NV; i += LANES) {
        w[SEARCH + i] = w[QVEL + i];
        w[RK4_DQPOS + i] += weight * w[QVEL + i];
        w[RK4_DQVEL + i] += weight * w[QACC + i];
    }
    for (var i = lane; i < NA; i += LANES) { w[RK4_DACT + i] += weight * w[ACT_DOT + i]; }
    sync();
}

fn rk4_restore() {
    for (var i = lane; i < NQ; i += LANES) { w[QPOS + i] = w[RK4_QPOS + i]; }
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] = w[RK4_QVEL + i]; }
    for (var i = lane; i < NA; i += LANES) { w[ACT + i] = w[RK4_ACT + i]; }
    sync();
}

// State of the next stage: the initial state, advanced for a time h with the derivatives of this stage.
fn rk4_next_stage(h: real) {
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] += h * w[QACC + i]; }
    for (var i = lane; i < NA; i += LANES) { w[ACT + i] += h * w[ACT_DOT + i]; }
    integrate_pos(SEARCH, h);
}

fn rk4_advance() {
    let h = f(TIMESTEP);
    for (var i = lane; i < NA; i += LANES) { w[ACT_DOT + i] = w[RK4_DACT + i]; }
    for (var i = lane; i < NV; i += LANES) { w[QVEL + i] += h * w[RK4_DQVEL + i]; }
    sync();
    advance_activations();
    if lane == 0u { w[TIME] += h; }
    integrate_pos(RK4_DQPOS, h);
}
