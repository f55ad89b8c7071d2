// Where the solver begins if it may not begin where it ended before: at the accelerations that there are without rows.
fn start_cold() {
    let contacts = ncon;
    let rows = nefc;
    ncon = 0u;
    nefc = 0u;
    share_rows();
    for (var i = lane; i < NV; i += LANES) { w[GRAD + i] = w[SMOOTH + i]; }
    sync();
    solve_system(false);
    sync();
    for (var i = lane; i < NV; i += LANES) { states[warm_at(i)] = w[SEARCH + i]; }
    ncon = contacts;
    nefc = rows;
    sync();
}
