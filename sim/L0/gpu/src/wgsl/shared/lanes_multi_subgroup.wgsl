// Reductions and scans over the lanes of a workgroup of several subgroups of 32.
fn active_sum2(x: vec2<real>) -> vec2<real> {
    let own = vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y));
    if groups_independent() { return own; }
    sync();
    if (lane & 31u) == 0u {
        w[LANE_SUMS + 2u * (lane >> 5u)] = own.x;
        w[LANE_SUMS + 2u * (lane >> 5u) + 1u] = own.y;
    }
    sync();
    var sum = vec2<real>(0.0);
    for (var k = 0u; k < LANES / 32u; k++) { sum += vec2<real>(w[LANE_SUMS + 2u * k], w[LANE_SUMS + 2u * k + 1u]); }
    return sum;
}
fn active_sum(x: real) -> real { return active_sum2(vec2<real>(x, 0.0)).x; }
fn active_any(x: bool) -> bool {
    if groups_independent() { return subgroupOr(u32(x)) != 0u; }
    return workgroup_any(x);
}
fn group_scan(x: u32) -> vec2<u32> {
    let sum = subgroup_inclusive_sum(x, lane & 31u);
    return vec2<u32>(sum - x, subgroupBroadcast(sum, 31u));
}
fn group_sum(x: real) -> real { return subgroupAdd(x); }
fn any_continues(x: bool) -> bool { return x; }
// Exclusive prefix sum over the workgroup, and the total.
fn workgroup_scan(x: u32) -> vec2<u32> {
    let own = group_scan(x);
    return scan_subgroup_totals(own.x, own.y);
}
fn scan_subgroup_totals(first: u32, own: u32) -> vec2<u32> {
    var before = first;
    sync();
    if (lane & 31u) == 0u { wu[LANE_SCAN + (lane >> 5u)] = own; }
    sync();
    var all = 0u;
    for (var k = 0u; k < LANES / 32u; k++) {
        if k == lane >> 5u { before += all; }
        all += wu[LANE_SCAN + k];
    }
    return vec2<u32>(before, all);
}
fn workgroup_any(x: bool) -> bool { return scan_subgroup_totals(0u, subgroupOr(u32(x))).y != 0u; }
