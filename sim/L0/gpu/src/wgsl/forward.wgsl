// Entry point and mj_step. One workgroup per environment, with as many lanes as dofs rounded up to whole subgroups;
// one dispatch takes several steps.

// Index of this lane in the workgroup, the environment, and the address of its entries in the real table.
var<private> lane: u32;
var<private> env: u32;
var<private> model_offset: u32;
var<private> ncon: u32;
var<private> nefc: u32;
var<private> iterations: u32;
var<private> flags: u32;
// Whether this pass cannot finish the step of this environment, and suspends it.
var<private> suspend_requested: bool;

#import shared/scratch_index

// Entry of the real table, and of the environment's inputs.
fn f(i: u32) -> real { return tf[model_offset + i]; }
fn input(i: u32) -> real {
    if i >= IN_APPLIED && !APPLIED { return real(0.0); }
    return inputs[env * IN_SIZE + i];
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // The modulo tells the compiler an upper bound, which lets it drop loops of one iteration. A single lane must
    // not be known to be zero, or all loops over lanes would be unrolled.
    lane = index % max(LANES, 2u);
    var count = run.count;
    if PASS == PASS_SECOND { count = atomicLoad(&run.suspended_count); }
    var k = workgroup.x + workgroup.y * 65535u;
    while k < count {
        env = dispatched_env(k);
        if PASS == PASS_SECOND { env = suspended_environment(k); }
        step_environment();
        // Only the second pass has fewer workgroups than environments.
        if PASS != PASS_SECOND { break; }
        sync();
        k = take_suspended(workgroups.x * workgroups.y);
    }
#ifdef NARROW_PHASE_PASS
    // Without suspended environments, the lists of the next round are empty too.
    if PASS == PASS_SECOND && lane == 0u && count > 0u { finish_round(workgroups.x * workgroups.y); }
#endif
}

#import shared/suspended
#import suspended_list
// The pairs of the contacts found so far are saved too, so that the collision stage is not repeated.
fn suspend() {
#ifdef NARROW_PHASE_PASS
    submit_deferred();
#endif
    if lane == 0u { list_suspended(); }
    for (var k = lane; k < W_SIZE; k += LANES) { out[suspended_adr(k)] = w[W_FIRST + k]; }
    for (var c = lane; c < ncon; c += LANES) { out[suspended_adr(W_SIZE + c)] = real(wu[CONTACT_PAIR_ROW + c]); }
    save_inertia(suspended_adr(W_SIZE + MAXCON));
}
fn resume() {
    for (var k = lane; k < W_SIZE; k += LANES) { w[W_FIRST + k] = out[suspended_adr(k)]; }
    for (var c = lane; c < ncon; c += LANES) { wu[CONTACT_PAIR_ROW + c] = u32(out[suspended_adr(W_SIZE + c)]); }
    restore_inertia(suspended_adr(W_SIZE + MAXCON));
}

// Part of the state that is kept in workgroup memory. The warm start is read once per step and stays in the storage
// buffer.
#ifdef HISTORY
const STATE_KEPT: u32 = STATE_SIZE - NV - NHISTORY;
#else
const STATE_KEPT: u32 = STATE_SIZE - NV;
#endif
fn warmstart_adr(i: u32) -> u32 { return env * STATE_SIZE + STATE_KEPT + i; }

fn step_environment() {
    model_offset = env * run.model_stride;
    set_array_offsets(scratch_index() * W_ALLOCATED);
    flags = info[env].flags;
    var steps = run.steps;
    if PASS == PASS_SECOND { steps = info[env].remaining_steps; }
    ncon = info[env].ncon;
    nefc = info[env].nefc;
    iterations = info[env].solver_niter;
    var episode_steps = info[env].episode_steps;
    var resets = info[env].resets;
    let reset = PASS != PASS_SECOND && run.slots[env].reset != 0u;
    if reset { reset_environment(&episode_steps, &resets); }
    else if PASS != PASS_SECOND {
        for (var k = lane; k < STATE_KEPT; k += LANES) { w[TIME + k] = states[env * STATE_SIZE + k]; }
    }
    if run.matrices_zeroed == 0u { clear_matrices(); }
    sync_matrices();
    // Rates of activations without dynamics are never written.
    for (var k = lane; k < NA; k += LANES) { w[ACT_DOT + k] = 0.0; }
    for (var k = lane; k < NF; k += LANES) { init_friction_row(k); }
    if PASS == PASS_SECOND { resume(); }
    sync_matrices();
    // A diverged environment waits for a reset. Loops with barriers have a single exit, because further exits add
    // instructions.
    var remaining = select(steps, 0u, (flags & DIVERGED) != 0u);
    suspend_requested = false;
    while remaining > 0u && !(SUSPENDS && suspend_requested) {
#ifdef SENSOR_HISTORY
        // Sensors with a buffer are sampled in every step.
        let finite = mj_step(true, PASS == PASS_SECOND && remaining == steps);
#else
        let finite = mj_step(remaining == 1u, PASS == PASS_SECOND && remaining == steps);
#endif
        if !finite { flags |= DIVERGED; remaining = 0u; }
        else if !(SUSPENDS && suspend_requested) { remaining--; episode_steps++; }
    }
    if SUSPENDS && remaining > 0u { suspend(); }
    var ended = EPISODE_RUNNING;
    if TASK && remaining == 0u {
        let value = reward();
        if lane == 0u { out[env * OUT_SIZE + REWARD] = value; }
        if (flags & DIVERGED) != 0u || terminated() { ended = EPISODE_TERMINATED; }
        else if episode_steps >= run.max_episode_steps { ended = EPISODE_TRUNCATED; }
        sync();
        if ended != EPISODE_RUNNING { reset_environment(&episode_steps, &resets); sync(); }
    }
    for (var k = lane; k < STATE_KEPT; k += LANES) { states[env * STATE_SIZE + k] = w[TIME + k]; }
    if lane == 0u {
        info[env].flags = flags;
        info[env].ncon = ncon;
        info[env].nefc = nefc;
        info[env].solver_niter = iterations;
        info[env].episode_steps = episode_steps;
        info[env].resets = resets;
        info[env].ended = ended;
        info[env].remaining_steps = remaining;
        run.slots[env].reset = 0u;
    }
}

// mj_step, or the rest of a suspended one; mj_forward if the integrator evaluates it several times. `last` marks the
// last step of the dispatch, in which sensors are evaluated. Returns false if an acceleration is not finite.
#ifdef RK4
fn mj_forward(last: bool, resumed: bool) -> bool {
#else
fn mj_step(last: bool, resumed: bool) -> bool {
#endif
    if !resumed {
        kinematics();
        com_pos();
        com_vel();
#ifdef SPATIAL_TENDON
        spatial_tendons();
#endif
#ifdef IMPLICIT_FULL
        rne_derivatives();
#endif
#ifdef POSES_SAVED
        if POSES_FOR_FLUID || last { save_poses(); }
#endif
        if NSENSOR > 0u && last { sensors(0u); }
        accumulate_subtrees();
        crb();
        passive();
        fwd_actuation();
        if NSENSOR > 0u && last { sensors(1u); }
        geom_poses();
    }
    collision(resumed);
    if SUSPENDS && suspend_requested { return true; }
#ifdef DISTANCE_SENSOR
    if last { distance_sensors(); }
#endif
#ifdef SLEEP
    update_sleep();
#endif
#ifdef TACTILE_SENSOR
    if last { tactile_sensors(); }
#endif
#ifdef ADHESION
    adhesion_forces();
#endif
    make_constraint();
    cold_start();
    solver_init();
    // Solver iterations, then one more linear solve for implicit damping. There is one call site for the linear
    // solver, so that its code exists once.
    var damping = false;
    var finite = true;
    loop {
        if !damping { damping = !solver_gradient(); }
        if damping {
#ifdef NOSLIP
            noslip();
#endif
            finite = solver_finish();
            if POSES_FOR_FLUID { restore_poses(); }
            if NSENSOR > 0u && last && finite { sensors(2u); }
#ifdef CONTACT_SENSOR
            if last && finite { contact_sensors(); }
#endif
            if PROBE && last { probe(); }
            if IMPLICIT_DAMPING { setup_implicit_damping(); }
        }
        if IMPLICIT_DAMPING || !damping { solve_hessian(damping); }
        if damping { break; }
        damping = !solver_line_step();
    }
#ifdef HISTORY
    if finite { record_controls(); }
#endif
#ifndef RK4
    if finite { integrate(); }
#endif
    return finite;
}

// Resets to a state of the initial-state table, chosen by a hash of the seed, the environment and the number of resets.
fn reset_environment(episode_steps: ptr<function, u32>, resets: ptr<function, u32>) {
    var x = run.seed ^ (env * 0x9e3779b9u) ^ (*resets * 0x85ebca6bu);
    x ^= x >> 16u; x *= 0x7feb352du; x ^= x >> 15u; x *= 0x846ca68bu; x ^= x >> 16u;
    let initial = (run.envs + x % run.initial_states) * STATE_SIZE;
    for (var k = lane; k < STATE_KEPT; k += LANES) { w[TIME + k] = states[initial + k]; }
    for (var i = lane; i < NV; i += LANES) { states[warmstart_adr(i)] = states[initial + STATE_KEPT + i]; }
#ifdef HISTORY
    for (var k = lane; k < NHISTORY; k += LANES) { states[warmstart_adr(NV + k)] = states[initial + STATE_KEPT + NV + k]; }
    // Buffers are read by other lanes.
    sync_storage();
#endif
    flags = 0u;
    *episode_steps = 0u;
    *resets += 1u;
}

// Functions for the sources of the user.
fn qpos(i: u32) -> real { return w[QPOS + i]; }
fn qvel(i: u32) -> real { return w[QVEL + i]; }
fn ctrl(i: u32) -> real { return inputs[env * IN_SIZE + IN_CTRL + i]; }
fn sensor(i: u32) -> real { return out[env * OUT_SIZE + i]; }
fn time() -> real { return w[TIME]; }

// Writes workgroup memory, matrices and counts to the output buffer.
fn probe() {
    sync();
    let adr = env * OUT_SIZE + PROBE_ADR;
    for (var k = lane; k < W_SIZE; k += LANES) { out[adr + k] = w[W_FIRST + k]; }
    probe_matrices(adr + W_SIZE);
    if lane == 0u {
        out[(env + 1u) * OUT_SIZE - 2u] = real(ncon);
        out[(env + 1u) * OUT_SIZE - 1u] = real(nefc);
    }
    sync();
}
