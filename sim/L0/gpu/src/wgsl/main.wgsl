// One workgroup for each environment, or in a second pass for several, of as many lanes as there are dofs, in whole
// subgroups; several steps without leaving.

@group(0) @binding(0) var<storage, read> tf: array<real>;
@group(0) @binding(1) var<storage, read> ti: array<u32>;
@group(0) @binding(2) var<storage, read_write> states: array<real>;
@group(0) @binding(3) var<storage, read> inputs: array<real>;
// for each environment: flags, contacts, rows, iterations of the last step, steps since the last reset, resets,
// how the episode ended, steps left for the second pass; then for each whether to reset it
@group(0) @binding(4) var<storage, read_write> info: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<real>;
@group(0) @binding(6) var<storage, read_write> run: Run;

struct Run {
    envs: u32,
    steps: u32,
    // numbers of the model from one environment to the next
    stride: u32,
    // whether matrices are clear
    clear: u32,
    // states in the bank
    bank: u32,
    seed: u32,
    // most steps of an episode
    longest: u32,
    // environments that the first pass leaves to the second: how many, which
    left: atomic<u32>,
    list: array<u32>,
}

// the same as the first, by fours: one instruction instead of four
@group(0) @binding(8) var<storage, read> tf4: array<vec4r>;

var<workgroup> w: array<real, W_ROOM>;
var<workgroup> wu: array<u32, WU_SIZE>;

var<private> lane: u32;
var<private> env: u32;
var<private> own: u32;
var<private> ncon: u32;
var<private> nefc: u32;
var<private> iterations: u32;
var<private> flags: u32;
// whether a pair is so close that the second pass has to go on
var<private> unfinished: bool;

fn f(i: u32) -> real { return tf[own + i]; }
fn input(i: u32) -> real {
    if i >= IN_APPLIED && !APPLIED { return real(0.0); }
    return inputs[env * IN_SIZE + i];
}

@compute @workgroup_size(LANES)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    // a compiler does not know that it is less than this, and loops of one round would stay loops; but a single lane is
    // not to be known as zero, or all loops would be written out
    lane = index % max(LANES, 2u);
    var count = run.envs;
    if PASS == SECOND { count = atomicLoad(&run.left); }
    for (var k = group.x + group.y * 65535u; k < count; k += groups.x * groups.y) {
        env = k;
        if PASS == SECOND { env = run.list[k]; }
        visit();
        // only the second pass has fewer workgroups than there may be environments for it
        if PASS != SECOND { break; }
        sync();
    }
}

// The first pass ends where pairs are found that it cannot test. What it has in workgroup memory goes behind all else
// that is kept, and the second begins there.
fn halted_at(k: u32) -> u32 { return (OUT_SIZE + CLEAR_SIZE) * run.envs + env * HALTED_SIZE + k; }
fn leave_to_second() {
    if lane == 0u { run.list[atomicAdd(&run.left, 1u)] = env; }
    for (var k = lane; k < W_SIZE; k += LANES) { out[halted_at(k)] = w[k]; }
    leave_inertia(halted_at(W_SIZE));
}
fn take_over() {
    for (var k = lane; k < W_SIZE; k += LANES) { w[k] = out[halted_at(k)]; }
    take_inertia(halted_at(W_SIZE));
}

// what a solve begins with is read once in a step, and has no place in workgroup memory
const KEPT: u32 = STATE_SIZE - NV;
fn warm_at(i: u32) -> u32 { return env * STATE_SIZE + KEPT + i; }

fn visit() {
    own = env * run.stride;
    let about = INFO * env;
    flags = info[about];
    var steps = run.steps;
    if PASS == SECOND { steps = info[about + 7u]; }
    ncon = info[about + 1u];
    nefc = info[about + 2u];
    iterations = info[about + 3u];
    var age = info[about + 4u];
    var turn = info[about + 5u];
    // the host asks for a reset behind the last environment's entry
    let reset = PASS != SECOND && info[INFO * run.envs + env] != 0u;
    if reset { start_again(&age, &turn); }
    else if PASS != SECOND { for (var k = lane; k < KEPT; k += LANES) { w[TIME + k] = states[env * STATE_SIZE + k]; } }
    if run.clear == 0u { clear_matrices(); }
    sync_matrices();
    for (var k = lane; k < NF; k += LANES) { lay_friction(k); }
    if PASS == SECOND { take_over(); }
    sync_matrices();
    // an environment that has diverged waits to be reset; a loop with barriers in it ends in one place, because every
    // other one takes more text
    var left = select(steps, 0u, (flags & DIVERGED) != 0u);
    unfinished = false;
    while left > 0u && !(PASS == FIRST && unfinished) {
        let fine = one_step(left == 1u, PASS == SECOND && left == steps);
        if !fine { flags |= DIVERGED; left = 0u; }
        else if !(PASS == FIRST && unfinished) { left--; age++; }
    }
    if PASS == FIRST && left > 0u { leave_to_second(); }
    var ended = 0u;
    if TASK && left == 0u {
        let value = reward();
        if lane == 0u { out[env * OUT_SIZE + REWARD] = value; }
        if (flags & DIVERGED) != 0u || terminated() { ended = 1u; }
        else if age >= run.longest { ended = 2u; }
        sync();
        if ended != 0u { start_again(&age, &turn); sync(); }
    }
    for (var k = lane; k < KEPT; k += LANES) { states[env * STATE_SIZE + k] = w[TIME + k]; }
    if lane == 0u {
        info[about] = flags;
        info[about + 1u] = ncon;
        info[about + 2u] = nefc;
        info[about + 3u] = iterations;
        info[about + 4u] = age;
        info[about + 5u] = turn;
        info[about + 6u] = ended;
        info[about + 7u] = left;
        info[INFO * run.envs + env] = 0u;
    }
}

// one step, which may have begun already; false if an acceleration is not finite
fn one_step(last: bool, begun: bool) -> bool {
    if !begun {
        kinematics();
        if NSENSOR > 0u && last { read_sensors(0u); }
        subtrees();
        inertia();
        forces();
        if NSENSOR > 0u && last { read_sensors(1u); }
        place_geoms();
    }
    collide();
    if PASS == FIRST && unfinished { return true; }
    make_rows();
    start_cold();
    begin_solve();
    // rounds of the solver, then one for damping; a system is solved in one place, so that its text is there once
    var plain = false;
    var fine = true;
    loop {
        if !plain { plain = !begin_round(); }
        if plain {
            fine = end_solve();
            if NSENSOR > 0u && last && fine { read_sensors(2u); }
            if PROBE && last { probe(); }
            if DAMPED { damp(); }
        }
        if DAMPED || !plain { solve_system(plain); }
        if plain { break; }
        plain = !end_round();
    }
    if fine { integrate(); }
    return fine;
}

// a state from the bank, which a counter picks: the same for the same seed
fn start_again(age: ptr<function, u32>, turn: ptr<function, u32>) {
    var x = run.seed ^ (env * 0x9e3779b9u) ^ (*turn * 0x85ebca6bu);
    x ^= x >> 16u; x *= 0x7feb352du; x ^= x >> 15u; x *= 0x846ca68bu; x ^= x >> 16u;
    let bank = (run.envs + x % run.bank) * STATE_SIZE;
    for (var k = lane; k < KEPT; k += LANES) { w[TIME + k] = states[bank + k]; }
    for (var i = lane; i < NV; i += LANES) { states[warm_at(i)] = states[bank + KEPT + i]; }
    flags = 0u;
    *age = 0u;
    *turn += 1u;
}

// what a task reads
fn qpos(i: u32) -> real { return w[QPOS + i]; }
fn qvel(i: u32) -> real { return w[QVEL + i]; }
fn ctrl(i: u32) -> real { return inputs[env * IN_SIZE + IN_CTRL + i]; }
fn sensor(i: u32) -> real { return out[env * OUT_SIZE + i]; }
fn time() -> real { return w[TIME]; }

fn probe() {
    sync();
    let at = env * OUT_SIZE + PROBE_AT;
    for (var k = lane; k < W_SIZE; k += LANES) { out[at + k] = w[k]; }
    probe_matrices(at + W_SIZE);
    if lane == 0u {
        out[(env + 1u) * OUT_SIZE - 2u] = real(ncon);
        out[(env + 1u) * OUT_SIZE - 1u] = real(nefc);
    }
    sync();
}
