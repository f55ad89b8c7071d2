// Dof vector that all lanes read, as vec4 columns; also the exchange buffer of the linear solver.
#ifdef PRIVATE_MEMORY
var<private> columns: array<vec4r, COLUMNS4>;
#else
var<workgroup> columns: array<vec4r, COLUMNS4>;
#endif
fn col(c: u32) -> real { return columns[c >> 2u][c & 3u]; }
fn col4(g: u32) -> vec4r { return columns[g]; }
fn set_col(c: u32, x: real) { columns[c >> 2u][c & 3u] = x; }
fn set_col4(g: u32, x: vec4r) { columns[g] = x; }
// Copies a dof vector into `columns` for the products below.
fn broadcast_dofs(src: u32) {
    sync();
    // The last vec4 of a group may have more components than dofs.
    if NGROUP == 1u {
        for (var k = NV + lane; k < 4u * NV4; k += LANES) { set_col(k, 0.0); }
    } else if lane < 4u * NGROUP {
        let c = 4u * ti[GROUP_COLUMN4 + (lane >> 2u) + 1u] - 4u + (lane & 3u);
        if ti[COLUMN_DOF + c] == NONE { set_col(c, 0.0); }
    }
    for (var i = lane; i < NV; i += LANES) { let c = dof_column(i); set_col(c, w[src + i]); }
    sync();
}
fn group_columns4(group: u32) -> vec2<u32> { return vec2<u32>(ti[GROUP_COLUMN4 + group], ti[GROUP_COLUMN4 + group + 1u]); }
fn row_columns4(r: u32) -> vec2<u32> {
    if NGROUP == 1u { return vec2<u32>(0u, NV4); }
    let group = wu[ROW_GROUP + r];
    if group == NONE { return vec2<u32>(0u, NV4); }
    return group_columns4(group);
}
fn J_dot(r: u32) -> real {
    if is_dof_friction(r) { return col(dof_column(ti[FRICTION_DOF + r - NE])); }
    var sum = real(0.0);
    let cols = row_columns4(r);
    for (var g = cols.x; g < cols.y; g++) { sum += dot(J4(r, g), col4(g)); }
    return sum;
}
// M_dot of dof `i` and, with PAIRED_DOFS, of dof `i + LANES`.
fn M_dot_pair(i: u32) -> vec2<real> {
    if !PAIRED_DOFS { return vec2<real>(M_dot(i), 0.0); }
    let second = min(i + LANES, NV - 1u);
    var sum = vec2<real>(0.0);
    for (var g = 0u; g < NV4; g++) { sum += vec2<real>(dot(M4(i, g), col4(g)), dot(M4(second, g), col4(g))); }
    return sum;
}
fn M_dot(i: u32) -> real {
    var sum = real(0.0);
    var cols = vec2<u32>(0u, NV4);
    if NGROUP > 1u { cols = group_columns4(ti[DOF_GROUP + i]); }
    for (var g = cols.x; g < cols.y; g++) { sum += dot(M4(i, g), col4(g)); }
    return sum;
}
