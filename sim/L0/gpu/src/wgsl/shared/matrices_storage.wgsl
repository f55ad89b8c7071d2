// Inertia matrix, Hessian and constraint Jacobian in a storage buffer, one vec4 per four columns.
#import shared/scratch_layout

// The inertia matrix and the Hessian are stored by columns of vec4s: lanes read neighbouring rows at the same time.
fn M_adr(i: u32, g: u32) -> u32 { return scratch_index() * SCRATCH_SIZE + g * NV + i; }
fn H_adr(i: u32, g: u32) -> u32 { return scratch_index() * SCRATCH_SIZE + NV * ROW_STRIDE4 + g * NV + i; }
fn J_adr(r: u32) -> u32 { return scratch_index() * SCRATCH_SIZE + (NV + HESSIAN_ROWS + r) * ROW_STRIDE4; }
fn M4(i: u32, g: u32) -> vec4r { return scratch[M_adr(i, g)]; }
fn M(i: u32, j: u32) -> real { let c = dof_column(j); return scratch[M_adr(i, c >> 2u)][c & 3u]; }
fn set_M(i: u32, j: u32, x: real) { let c = dof_column(j); scratch[M_adr(i, c >> 2u)][c & 3u] = x; }
fn H4(i: u32, g: u32) -> vec4r { return scratch[H_adr(i, g)]; }
fn H(i: u32, j: u32) -> real { let c = dof_column(j); return scratch[H_adr(i, c >> 2u)][c & 3u]; }
fn set_H4(i: u32, g: u32, x: vec4r) { scratch[H_adr(i, g)] = x; }
fn set_H(i: u32, j: u32, x: real) { let c = dof_column(j); scratch[H_adr(i, c >> 2u)][c & 3u] = x; }
fn J(r: u32, i: u32) -> real { let c = dof_column(i); return scratch[J_adr(r) + (c >> 2u)][c & 3u]; }
fn J4(r: u32, g: u32) -> vec4r { return scratch[J_adr(r) + g]; }
fn set_J(r: u32, i: u32, x: real) { let c = dof_column(i); scratch[J_adr(r) + (c >> 2u)][c & 3u] = x; }
// Sets vec4 number `k` of the rows from `first` on.
fn set_J4(first: u32, k: u32, x: vec4r) { scratch[J_adr(first + k / max(NV4, 1u)) + k % max(NV4, 1u)] = x; }
fn clear_matrices() {
    for (var k = lane; k < SCRATCH_SIZE; k += LANES) { scratch[scratch_index() * SCRATCH_SIZE + k] = vec4r(0.0); }
}
// The inertia matrix stays in the storage buffer between the two passes.
fn save_inertia(at: u32) {}
fn restore_inertia(at: u32) {}
fn probe_matrices(at: u32) {
    for (var i = lane; i < NV; i += LANES) {
        for (var g = 0u; g < NV4; g++) {
            for (var c = 0u; c < 4u; c++) { out[at + 4u * (i * ROW_STRIDE4 + g) + c] = M4(i, g)[c]; }
        }
    }
    let next = at + 4u * NV * ROW_STRIDE4;
    for (var k = lane; k < MAXEFC * ROW_STRIDE4; k += LANES) { for (var c = 0u; c < 4u; c++) { out[next + 4u * k + c] = scratch[J_adr(0u) + k][c]; } }
}
