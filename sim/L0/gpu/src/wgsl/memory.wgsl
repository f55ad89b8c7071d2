// Solving with the Hessian where rows do not fit in registers, because there are more dofs than lanes, or would take too
// many for something rare: they stay in memory.

fn solve_in_memory(plain: bool) {
    for (var i = lane; i < NV; i += LANES) {
        for (var g = 0u; g < NV4; g++) { set_H(i, g, Mq(i, g)); }
        if plain { set_H1(i, i, H1(i, i) + w[DIAG + i]); continue; }
        for (var r = 0u; !CONJUGATE && r < nefc; r++) {
            if !counts(r) || !reaches_dof(r, i) { continue; }
            let c = w[EFC_D + r] * J(r, i);
            if c == 0.0 { continue; }
            add_to_H(i, r, c);
        }
        if ELLIPTIC && !CONJUGATE { add_cones(i); }
    }
    eliminate();
}

fn add_to_H(i: u32, r: u32, c: real) {
    let fours = row_fours(r);
    for (var g = fours.x; g < fours.y; g++) { set_H(i, g, Hq(i, g) + c * Jq(r, g)); }
}

fn eliminate() {
    for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] = w[GRAD + i]; }
    for (var k = 0u; k < NV; k++) {
        sync_matrices();
        let pivot = H1(k, k);
        let b = w[SEARCH + k];
        for (var i = lane; i < NV; i += LANES) {
            if i == k { continue; }
            let m = H1(i, k) / pivot;
            if m == 0.0 { continue; }
            w[SEARCH + i] -= m * b;
            for (var g = column(k) >> 2u; g < NV4; g++) { set_H(i, g, Hq(i, g) - m * Hq(k, g)); }
        }
    }
    sync_matrices();
    for (var i = lane; i < NV; i += LANES) { w[SEARCH + i] /= H1(i, i); }
    sync_matrices();
}
