// Linear solve with the Hessian in memory: for models with more dofs than lanes, and for coupled tree groups with
// too many coupling rows for the Woodbury correction.

// Builds the Hessian row by row, then eliminates.
fn solve_in_memory(damping: bool) {
    for (var i = lane; i < NV; i += LANES) {
        for (var g = 0u; g < NV4; g++) { set_H4(i, g, M4(i, g)); }
        if damping { set_H(i, i, H(i, i) + w[DAMPING_DIAG + i]); continue; }
        for (var r = 0u; !SOLVER_CG && r < nefc; r++) {
            if !is_quadratic(r) || !row_affects_dof(r, i) { continue; }
            let c = w[EFC_D + r] * J(r, i);
            if c == 0.0 { continue; }
            add_row_to_H(i, r, c);
        }
        if ELLIPTIC && !SOLVER_CG { add_cone_hessian(i); }
    }
    eliminate();
}

fn add_row_to_H(i: u32, r: u32, c: real) {
    let cols = row_columns4(r);
    for (var g = cols.x; g < cols.y; g++) { set_H4(i, g, H4(i, g) + c * J4(r, g)); }
}

fn eliminate() {
    for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] = w[GRAD + i]; }
    for (var k = 0u; k < NV; k++) {
        sync_matrices();
        let pivot = H(k, k);
        let b = w[SEARCH + k];
        for (var i = lane; i < NV; i += LANES) {
            if i == k { continue; }
            let m = H(i, k) / pivot;
            if m == 0.0 { continue; }
            w[SEARCH + i] -= m * b;
            for (var g = dof_column(k) >> 2u; g < NV4; g++) { set_H4(i, g, H4(i, g) - m * H4(k, g)); }
        }
    }
    sync_matrices();
    for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] /= H(i, i); }
    sync_matrices();
}

fn add_cone_hessian(i: u32) {
#import cone_hessian HESSIAN_TO_MEMORY
}
