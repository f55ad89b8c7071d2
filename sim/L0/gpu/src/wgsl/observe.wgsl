// Gathers positions, velocities and sensors of all environments, one after another.
@group(0) @binding(0) var<storage, read> states: array<real>;
@group(0) @binding(1) var<storage, read> outputs: array<real>;
// how many numbers in all, numbers of an observation, of those from states, length of a state, length of outputs
@group(0) @binding(2) var<storage, read> size: array<u32>;
@group(0) @binding(3) var<storage, read_write> seen: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let k = (id.x + id.y * 65535u) * 64u + lane;
    if k >= size[0] { return; }
    let env = k / size[1];
    let i = k % size[1];
    if i < size[2] {
        // time comes first
        seen[k] = f32(states[env * size[3] + 1u + i]);
    } else {
        seen[k] = f32(outputs[env * size[4] + i - size[2]]);
    }
}
