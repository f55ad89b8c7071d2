// Cold start (`warmstart="disable"`): the solver starts at the unconstrained acceleration qacc_smooth = M⁻¹
// qfrc_smooth.
fn cold_start() {
    let contacts = ncon;
    let rows = nefc;
    ncon = 0u;
    nefc = 0u;
    partition_rows();
    for (var i = lane; i < NV; i += LANES) { w[GRAD + i] = w[QFRC_SMOOTH + i]; }
    sync();
    solve_hessian(false);
    sync();
    for (var i = lane; i < NV; i += LANES) { states[warmstart_adr(i)] = w[SEARCH + i]; }
    ncon = contacts;
    nefc = rows;
    sync();
}
