// One step of an Ornstein–Uhlenbeck process of the controls of every environment.

struct Parameters {
    envs: u32,
    // numbers of an environment's inputs, which begin with the controls
    stride: u32,
    nu: u32,
    step: u32,
    rate: f32,
    scale: f32,
}

@group(0) @binding(0) var<storage, read> parameters: Parameters;
@group(0) @binding(1) var<storage, read> mean: array<f32>;
@group(0) @binding(2) var<storage, read_write> inputs: array<f32>;

// Permuted congruential generator, used as a hash function.
fn hash(x: u32) -> u32 {
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// In (0, 1).
fn uniform(bits: u32) -> f32 {
    return (f32(bits >> 9u) + 0.5) / 8388608.0;
}

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.x + group.y * 65535u) * 64u + lane;
    if i >= parameters.envs * parameters.nu {
        return;
    }
    let actuator = i % parameters.nu;
    let at = i / parameters.nu * parameters.stride + actuator;
    let first = hash(i ^ hash(parameters.step));
    let normal = sqrt(-2.0 * log(uniform(first))) * cos(6.2831853 * uniform(hash(first)));
    let ctrl = inputs[at];
    inputs[at] = ctrl + parameters.rate * (mean[actuator] - ctrl) + parameters.scale * normal;
}
