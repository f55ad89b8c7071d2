// Reductions and scans over lanes in workgroup memory, for subgroups of any size.
fn active_sum2(x: vec2<real>) -> vec2<real> {
    sync();
    w[LANE_SUMS + 2u * lane] = x.x;
    w[LANE_SUMS + 2u * lane + 1u] = x.y;
    sync();
    var sum = vec2<real>(0.0);
    let first = lane - active_lane();
    for (var k = first; k < first + active_size(); k++) { sum += vec2<real>(w[LANE_SUMS + 2u * k], w[LANE_SUMS + 2u * k + 1u]); }
    return sum;
}
fn active_sum(x: real) -> real { return active_sum2(vec2<real>(x, 0.0)).x; }
fn active_any(x: bool) -> bool { return active_sum(select(real(0.0), real(1.0), x)) != 0.0; }
// Exclusive prefix sum over `count` lanes from `first` on, and their total.
fn range_scan(x: u32, first: u32, count: u32) -> vec2<u32> {
    sync();
    wu[LANE_SCAN + lane] = x;
    sync();
    var before = 0u;
    var all = 0u;
    for (var k = first; k < first + count; k++) {
        if k == lane { before = all; }
        all += wu[LANE_SCAN + k];
    }
    return vec2<u32>(before, all);
}
fn group_scan(x: u32) -> vec2<u32> { return range_scan(x, lane & ~31u, 32u); }
fn group_sum(x: real) -> real {
    sync();
    w[LANE_SUMS + lane] = x;
    sync();
    var sum = real(0.0);
    for (var k = lane & ~31u; k < (lane & ~31u) + 32u; k++) { sum += w[LANE_SUMS + k]; }
    return sum;
}
fn workgroup_scan(x: u32) -> vec2<u32> { return range_scan(x, 0u, LANES); }
// Reductions over an active group contain workgroup barriers here, so that all lanes iterate while any active group
// has to.
fn any_continues(x: bool) -> bool { if NGROUP == 1u { return x; } return workgroup_any(x); }
fn workgroup_any(x: bool) -> bool { return workgroup_scan(u32(x)).y != 0u; }
