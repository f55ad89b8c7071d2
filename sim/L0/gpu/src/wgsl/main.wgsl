// One workgroup of 32 lanes for each environment; several steps without leaving.

@group(0) @binding(0) var<storage, read> tf: array<real>;
@group(0) @binding(1) var<storage, read> ti: array<u32>;
@group(0) @binding(2) var<storage, read_write> states: array<real>;
@group(0) @binding(3) var<storage, read> inputs: array<real>;
// for each environment: flags, contacts, rows, iterations of the last step
@group(0) @binding(4) var<storage, read_write> info: array<u32>;
@group(0) @binding(5) var<storage, read_write> out: array<real>;
// environments, steps, numbers of the model from one environment to the next
@group(0) @binding(6) var<storage, read> run: array<u32>;

var<workgroup> w: array<real, W_SIZE>;
var<workgroup> wu: array<u32, WU_SIZE>;
var<workgroup> x4: array<vec4r, NV4>;
var<workgroup> col: array<vec4r, COLUMNS>;

var<private> lane: u32;
var<private> env: u32;
var<private> own: u32;
var<private> ncon: u32;
var<private> nefc: u32;
var<private> iterations: u32;
var<private> flags: u32;

fn f(i: u32) -> real { return tf[own + i]; }
fn input(i: u32) -> real {
    if i >= IN_APPLIED && !APPLIED { return real(0.0); }
    return inputs[env * IN_SIZE + i];
}

@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    lane = index;
    env = group.x + group.y * 65535u;
    if env >= run[0] { return; }
    own = env * run[2];
    flags = info[4u * env];
    for (var k = lane; k < STATE_SIZE; k += 32u) { w[TIME + k] = states[env * STATE_SIZE + k]; }
    clear_matrices();
    if lane < NV4 { x4[lane] = vec4r(0.0); }
    for (var k = lane + 32u; k < NV4; k += 32u) { x4[k] = vec4r(0.0); }
    if lane < COLUMNS { col[lane] = vec4r(0.0); }
    sync();
    for (var k = lane; k < NF; k += 32u) { set_J(NE + k, ti[FRICTION_DOF + k], real(1.0)); }
    sync();
    for (var step = 0u; step < run[1]; step++) {
        // an environment that has diverged waits to be reset
        if (flags & DIVERGED) != 0u { break; }
        kinematics();
        subtrees();
        inertia();
        forces();
        place_geoms();
        collide();
        make_rows();
        solve();
        var bad = 0u;
        for (var i = lane; i < NV; i += 32u) { bad |= u32(!(abs(w[QACC + i]) < 1e10)); }
        if lane_scan(bad).y != 0u { flags |= DIVERGED; break; }
        if PROBE && step + 1u == run[1] { probe(); }
        integrate();
    }
    for (var k = lane; k < STATE_SIZE; k += 32u) { states[env * STATE_SIZE + k] = w[TIME + k]; }
    if lane == 0u {
        info[4u * env] = flags;
        info[4u * env + 1u] = ncon;
        info[4u * env + 2u] = nefc;
        info[4u * env + 3u] = iterations;
    }
}

fn probe() {
    sync();
    let at = env * PROBE_SIZE;
    for (var k = lane; k < W_SIZE; k += 32u) { out[at + k] = w[k]; }
    probe_matrices(at + W_SIZE);
    if lane == 0u {
        out[at + PROBE_SIZE - 2u] = real(ncon);
        out[at + PROBE_SIZE - 1u] = real(nefc);
    }
    sync();
}
