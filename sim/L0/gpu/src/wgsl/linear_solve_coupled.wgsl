// Solve with the Hessian of several tree groups that are coupled by a few constraint rows
// (Sherman–Morrison–Woodbury). Each group eliminates its own block with one more right-hand-side column per coupling
// row; the correction follows from a dense system of the size of the number of coupling rows.

// Lists the quadratic rows that couple tree groups. Returns NONE if there are more than MAX_COUPLING_ROWS, or if one
// belongs to an elliptic cone in its middle zone, whose Hessian is not diagonal.
fn find_coupling_rows() -> u32 {
    var n = 0u;
    for (var k = coupling_rows.x; k < coupling_rows.y; k++) {
        let r = listed_row(k);
        if ELLIPTIC { if wu[ROW_CONE_STATE + r] == 1u + CONE { n = NONE; break; } }
        if !is_quadratic(r) { continue; }
        if n == MAX_COUPLING_ROWS { n = NONE; break; }
        if lane == 0u { wu[COUPLING_ROW + n] = r; }
        n++;
    }
    sync();
    return n;
}

// Entries of dof `i` in four of the coupling columns, starting at column `first`.
fn coupling_columns(i: u32, first: u32, n: u32) -> vec4r {
    var x = vec4r(0.0);
    for (var c = 0u; c < 4u; c++) { if first + c < n { x[c] = J(wu[COUPLING_ROW + first + c], i); } }
    return x;
}

fn component8(x0: vec4r, x1: vec4r, c: u32) -> real { return select(x0, x1, vec4<bool>(c > 3u))[c & 3u]; }

// Woodbury correction: `y` is the solution of the uncoupled systems for the gradient, `x0` and `x1` are the
// solutions for the coupling columns.
fn couple_groups(i: u32, live: bool, n: u32, y: real, x0: vec4r, x1: vec4r) -> real {
    if n == 0u { return y; }
    sync();
    // Products of the coupling rows with the uncoupled solutions, summed over the dofs of each group.
    let base = 18u * group_index();
    for (var a = 0u; a < n; a++) {
        let u = select(real(0.0), J(wu[COUPLING_ROW + a], i), live);
        let s0 = vec4r(group_sum(u * x0.x), group_sum(u * x0.y), group_sum(u * x0.z), group_sum(u * x0.w));
        var s1 = vec4r(0.0);
        if n > 4u { s1 = vec4r(group_sum(u * x1.x), group_sum(u * x1.y), group_sum(u * x1.z), group_sum(u * x1.w)); }
        let t = group_sum(u * y);
        if (lane & 31u) == 0u {
            set_col4(base + 2u * a, s0);
            set_col4(base + 2u * a + 1u, s1);
            set_col(4u * (base + 16u) + a, t);
        }
    }
    sync();
    // One lane per row of the small system, replicated over the workgroup.
    let a = lane & 7u;
    var h0 = vec4r(0.0);
    var h1 = vec4r(0.0);
    var t = real(0.0);
    if a < n {
        for (var group = 0u; group < NGROUP; group++) {
            h0 += col4(18u * group + 2u * a);
            h1 += col4(18u * group + 2u * a + 1u);
            t += col(4u * (18u * group + 16u) + a);
        }
        let d = w[EFC_D + wu[COUPLING_ROW + a]];
        h0 *= d;
        h1 *= d;
        t *= d;
    }
    if a < 4u { h0[a] += 1.0; } else { h1[a - 4u] += 1.0; }
    sync();
    for (var c = 0u; c < n; c++) {
        let buffer = 3u * (c & 1u);
        if lane == c {
            set_col4(buffer, h0);
            set_col4(buffer + 1u, h1);
            set_col(4u * buffer + 8u, t);
        }
        sync();
        if a != c {
            let m = component8(h0, h1, c) / component8(col4(buffer), col4(buffer + 1u), c);
            h0 -= m * col4(buffer);
            h1 -= m * col4(buffer + 1u);
            t -= m * col(4u * buffer + 8u);
        }
    }
    if lane < MAX_COUPLING_ROWS { set_col(24u + lane, t / component8(h0, h1, a)); }
    sync();
    return y - dot(x0, col4(6u)) - dot(x1, col4(7u));
}
