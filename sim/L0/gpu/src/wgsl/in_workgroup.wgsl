// Matrices in workgroup memory.
var<workgroup> m4: array<vec4r, NV * ROW4>;
var<workgroup> j4: array<vec4r, MAXROW * ROW4>;

fn Mq(i: u32, g: u32) -> vec4r { return m4[i * ROW4 + g]; }
fn M(i: u32, j: u32) -> real { return m4[i * ROW4 + (j >> 2u)][j & 3u]; }
fn set_M(i: u32, j: u32, x: real) { m4[i * ROW4 + (j >> 2u)][j & 3u] = x; }
fn J(r: u32, i: u32) -> real { return j4[r * ROW4 + (i >> 2u)][i & 3u]; }
fn Jq(r: u32, g: u32) -> vec4r { return j4[r * ROW4 + g]; }
fn set_J(r: u32, i: u32, x: real) { j4[r * ROW4 + (i >> 2u)][i & 3u] = x; }
// group k of all groups of the rows from the first on
fn set_Jq(first: u32, k: u32, x: vec4r) { j4[(first + k / NV4) * ROW4 + k % NV4] = x; }
fn clear_matrices() {
    for (var k = lane; k < NV * ROW4; k += LANES) { m4[k] = vec4r(0.0); }
    for (var k = lane; k < MAXROW * ROW4; k += LANES) { j4[k] = vec4r(0.0); }
}
fn leave_inertia(at: u32) {
    for (var k = lane; k < NV * ROW4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[at + 4u * k + c] = m4[k][c]; } }
}
fn take_inertia(at: u32) {
    for (var k = lane; k < NV * ROW4; k += LANES) { for (var c = 0u; c < 4u; c++) { m4[k][c] = out[at + 4u * k + c]; } }
}
fn probe_matrices(at: u32) {
    leave_inertia(at);
    let next = at + 4u * NV * ROW4;
    for (var k = lane; k < MAXROW * ROW4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[next + 4u * k + c] = j4[k][c]; } }
}
