// Inertia matrix and constraint Jacobian in workgroup memory, one vec4 per four columns.
var<workgroup> m4: array<vec4r, max(NV, 1u) * ROW_STRIDE4>;
var<workgroup> j4: array<vec4r, MAXEFC * ROW_STRIDE4>;

fn M4(i: u32, g: u32) -> vec4r { return m4[i * ROW_STRIDE4 + g]; }
fn M(i: u32, j: u32) -> real { return m4[i * ROW_STRIDE4 + (j >> 2u)][j & 3u]; }
fn set_M(i: u32, j: u32, x: real) { m4[i * ROW_STRIDE4 + (j >> 2u)][j & 3u] = x; }
fn J(r: u32, i: u32) -> real { return j4[r * ROW_STRIDE4 + (i >> 2u)][i & 3u]; }
fn J4(r: u32, g: u32) -> vec4r { return j4[r * ROW_STRIDE4 + g]; }
fn set_J(r: u32, i: u32, x: real) { j4[r * ROW_STRIDE4 + (i >> 2u)][i & 3u] = x; }
// Sets vec4 number `k` of the rows from `first` on.
fn set_J4(first: u32, k: u32, x: vec4r) { j4[(first + k / max(NV4, 1u)) * ROW_STRIDE4 + k % max(NV4, 1u)] = x; }
fn clear_matrices() {
    for (var k = lane; k < NV * ROW_STRIDE4; k += LANES) { m4[k] = vec4r(0.0); }
    for (var k = lane; k < MAXEFC * ROW_STRIDE4; k += LANES) { j4[k] = vec4r(0.0); }
}
fn save_inertia(at: u32) {
    for (var k = lane; k < NV * ROW_STRIDE4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[at + 4u * k + c] = m4[k][c]; } }
}
fn restore_inertia(at: u32) {
    for (var k = lane; k < NV * ROW_STRIDE4; k += LANES) { for (var c = 0u; c < 4u; c++) { m4[k][c] = out[at + 4u * k + c]; } }
}
fn probe_matrices(at: u32) {
    save_inertia(at);
    let next = at + 4u * NV * ROW_STRIDE4;
    for (var k = lane; k < MAXEFC * ROW_STRIDE4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[next + 4u * k + c] = j4[k][c]; } }
}
