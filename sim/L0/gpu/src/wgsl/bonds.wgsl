// A few rows that tie teams: each team solves for itself, with a column more for every such row, and what the rows
// add follows from a system as small as there are rows (Sherman, Morrison and Woodbury).

const BONDS: u32 = 8u;

// lists the rows that tie teams and count; NONE if they are too many, or if one is of a cone in its middle zone
fn find_bonds() -> u32 {
    var n = 0u;
    for (var k = tie_rows.x; k < tie_rows.y; k++) {
        let r = listed(k);
        if ELLIPTIC { if wu[ROW_CONE + r] == 1u + CONE { n = NONE; break; } }
        if !counts(r) { continue; }
        if n == BONDS { n = NONE; break; }
        if lane == 0u { wu[BOND + n] = r; }
        n++;
    }
    sync();
    return n;
}

// four columns of a dof
fn bond(i: u32, first: u32, n: u32) -> vec4r {
    var x = vec4r(0.0);
    for (var c = 0u; c < 4u; c++) { if first + c < n { x[c] = J(wu[BOND + first + c], i); } }
    return x;
}

fn of_eight(x0: vec4r, x1: vec4r, c: u32) -> real { return select(x0, x1, vec4<bool>(c > 3u))[c & 3u]; }

// the solution with ties from that without them, where x is what the columns became
fn join_teams(i: u32, live: bool, n: u32, y: real, x0: vec4r, x1: vec4r) -> real {
    if n == 0u { return y; }
    workgroupBarrier();
    // what the rows make of the solution and of the columns
    let begin = 18u * crew();
    for (var a = 0u; a < n; a++) {
        let u = select(real(0.0), J(wu[BOND + a], i), live);
        let s0 = vec4r(team_sum(u * x0.x), team_sum(u * x0.y), team_sum(u * x0.z), team_sum(u * x0.w));
        var s1 = vec4r(0.0);
        if n > 4u { s1 = vec4r(team_sum(u * x1.x), team_sum(u * x1.y), team_sum(u * x1.z), team_sum(u * x1.w)); }
        let t = team_sum(u * y);
        if (lane & 31u) == 0u {
            set_col4(begin + 2u * a, s0);
            set_col4(begin + 2u * a + 1u, s1);
            set_col(4u * (begin + 16u) + a, t);
        }
    }
    workgroupBarrier();
    // a lane for each row of the small system
    let a = lane & 7u;
    var h0 = vec4r(0.0);
    var h1 = vec4r(0.0);
    var t = real(0.0);
    if a < n {
        for (var team = 0u; team < TEAMS; team++) {
            h0 += col4(18u * team + 2u * a);
            h1 += col4(18u * team + 2u * a + 1u);
            t += col(4u * (18u * team + 16u) + a);
        }
        let d = w[EFC_D + wu[BOND + a]];
        h0 *= d;
        h1 *= d;
        t *= d;
    }
    if a < 4u { h0[a] += 1.0; } else { h1[a - 4u] += 1.0; }
    workgroupBarrier();
    for (var c = 0u; c < n; c++) {
        let side = 3u * (c & 1u);
        if lane == c {
            set_col4(side, h0);
            set_col4(side + 1u, h1);
            set_col(4u * side + 8u, t);
        }
        workgroupBarrier();
        if a != c {
            let m = of_eight(h0, h1, c) / of_eight(col4(side), col4(side + 1u), c);
            h0 -= m * col4(side);
            h1 -= m * col4(side + 1u);
            t -= m * col(4u * side + 8u);
        }
    }
    if lane < BONDS { set_col(24u + lane, t / of_eight(h0, h1, a)); }
    workgroupBarrier();
    return y - dot(x0, col4(6u)) - dot(x1, col4(7u));
}
