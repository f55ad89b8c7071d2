// Sums over the lanes of a workgroup that is several subgroups of 32.
fn crew_sum2(x: vec2<real>) -> vec2<real> {
    let own = vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y));
    if alone() { return own; }
    workgroupBarrier();
    if (lane & 31u) == 0u {
        w[SUMS + 2u * (lane >> 5u)] = own.x;
        w[SUMS + 2u * (lane >> 5u) + 1u] = own.y;
    }
    workgroupBarrier();
    var sum = vec2<real>(0.0);
    for (var k = 0u; k < LANES / 32u; k++) { sum += vec2<real>(w[SUMS + 2u * k], w[SUMS + 2u * k + 1u]); }
    return sum;
}
fn crew_sum(x: real) -> real { return crew_sum2(vec2<real>(x, 0.0)).x; }
fn crew_any(x: bool) -> bool {
    if alone() { return subgroupOr(u32(x)) != 0u; }
    return lane_any(x);
}
fn team_scan(x: u32) -> vec2<u32> {
    let sum = sum_before(x, lane & 31u);
    return vec2<u32>(sum - x, subgroupBroadcast(sum, 31u));
}
fn team_sum(x: real) -> real { return subgroupAdd(x); }
fn goes_on(x: bool) -> bool { return x; }
// how many those before have, and how many all have
fn lane_scan(x: u32) -> vec2<u32> {
    let own = team_scan(x);
    return over_subgroups(own.x, own.y);
}
fn over_subgroups(first: u32, own: u32) -> vec2<u32> {
    var before = first;
    workgroupBarrier();
    if (lane & 31u) == 0u { wu[SCAN + (lane >> 5u)] = own; }
    workgroupBarrier();
    var all = 0u;
    for (var k = 0u; k < LANES / 32u; k++) {
        if k == lane >> 5u { before += all; }
        all += wu[SCAN + k];
    }
    return vec2<u32>(before, all);
}
fn lane_any(x: bool) -> bool { return over_subgroups(0u, subgroupOr(u32(x))).y != 0u; }
