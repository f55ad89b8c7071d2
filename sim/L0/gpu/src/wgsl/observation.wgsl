// Gathers qpos, qvel and sensordata of all environments into one contiguous f32 array.

#import declarations

@group(0) @binding(0) var<storage, read> states: array<real>;
@group(0) @binding(1) var<storage, read> outputs: array<real>;
@group(0) @binding(2) var<storage, read> sizes: ObservationLayout;
@group(0) @binding(3) var<storage, read_write> observations: array<f32>;

@compute @workgroup_size(OBSERVATION_LANES)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = (id.x + id.y * 65535u) * OBSERVATION_LANES + lane;
    if k >= sizes.len { return; }
    let env = k / sizes.width;
    let i = k % sizes.width;
    if i < sizes.state_width {
        // The state begins with time.
        observations[k] = f32(states[env * sizes.state_stride + 1u + i]);
    } else {
        observations[k] = f32(outputs[env * sizes.output_stride + i - sizes.state_width]);
    }
}
