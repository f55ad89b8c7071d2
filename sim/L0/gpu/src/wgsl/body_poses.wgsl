// Poses of all bodies at the current positions, for rendering: one workgroup per environment, with the kinematics of
// the step kernel. The output buffer of this kernel holds position and orientation of each body, eight reals each.

#import declarations
#import shared/constants
#import shared/barriers
#ifdef DOUBLE_PRECISION
#import shared/math_f64
#else
#import shared/math_f32
#endif
#import shared/math
#import shared/memory
#import shared/rare_arrays
#import shared/body_inertia
#import kinematics

var<private> lane: u32;
var<private> env: u32;
var<private> model_offset: u32;

#import shared/scratch_index

fn f(i: u32) -> real { return tf[model_offset + i]; }
fn input(i: u32) -> real { return inputs[env * IN_SIZE + i]; }

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    lane = index % max(LANES, 2u);
    let k = workgroup.x + workgroup.y * 65535u;
    if k >= run.count { return; }
    env = dispatched_env(k);
    model_offset = env * run.model_stride;
    set_array_offsets(scratch_index() * W_ALLOCATED);
    for (var k = lane; k < NQ; k += LANES) { w[QPOS + k] = states[env * STATE_SIZE + 1u + k]; }
    sync();
    kinematics();
    for (var b = lane; b < NBODY; b += LANES) {
        let at = 8u * (env * NBODY + b);
        let pos = w3(XPOS + 3u * b);
        let quat = qunit(w4(xquat_adr(b)));
        for (var k = 0u; k < 3u; k++) { out[at + k] = pos[k]; }
        for (var k = 0u; k < 4u; k++) { out[at + 4u + k] = quat[k]; }
    }
}
