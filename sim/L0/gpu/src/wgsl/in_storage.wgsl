// Matrices outside of workgroup memory.
@group(0) @binding(7) var<storage, read_write> scratch: array<vec4r>;

const HESSIAN: u32 = select(0u, NV, IN_MEMORY);
const SCRATCH: u32 = (NV + HESSIAN + MAXROW) * ROW4;

fn m_at(i: u32) -> u32 { return env * SCRATCH + i * ROW4; }
fn h_at(i: u32) -> u32 { return env * SCRATCH + (NV + i) * ROW4; }
fn j_at(r: u32) -> u32 { return env * SCRATCH + (NV + HESSIAN + r) * ROW4; }
fn Mq(i: u32, g: u32) -> vec4r { return scratch[m_at(i) + g]; }
fn M(i: u32, j: u32) -> real { let c = column(j); return scratch[m_at(i) + (c >> 2u)][c & 3u]; }
fn set_M(i: u32, j: u32, x: real) { let c = column(j); scratch[m_at(i) + (c >> 2u)][c & 3u] = x; }
fn Hq(i: u32, g: u32) -> vec4r { return scratch[h_at(i) + g]; }
fn H1(i: u32, j: u32) -> real { let c = column(j); return scratch[h_at(i) + (c >> 2u)][c & 3u]; }
fn set_H(i: u32, g: u32, x: vec4r) { scratch[h_at(i) + g] = x; }
fn set_H1(i: u32, j: u32, x: real) { let c = column(j); scratch[h_at(i) + (c >> 2u)][c & 3u] = x; }
fn J(r: u32, i: u32) -> real { let c = column(i); return scratch[j_at(r) + (c >> 2u)][c & 3u]; }
fn Jq(r: u32, g: u32) -> vec4r { return scratch[j_at(r) + g]; }
fn set_J(r: u32, i: u32, x: real) { let c = column(i); scratch[j_at(r) + (c >> 2u)][c & 3u] = x; }
// group k of all groups of the rows from the first on
fn set_Jq(first: u32, k: u32, x: vec4r) { scratch[j_at(first + k / NV4) + k % NV4] = x; }
fn clear_matrices() {
    for (var k = lane; k < SCRATCH; k += LANES) { scratch[env * SCRATCH + k] = vec4r(0.0); }
}
// the inertia matrix is there for a second pass
fn leave_inertia(at: u32) {}
fn take_inertia(at: u32) {}
fn probe_matrices(at: u32) {
    for (var k = lane; k < NV * ROW4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[at + 4u * k + c] = scratch[m_at(0u) + k][c]; } }
    let next = at + 4u * NV * ROW4;
    for (var k = lane; k < MAXROW * ROW4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[next + 4u * k + c] = scratch[j_at(0u) + k][c]; } }
}
