// Sums over lanes, for subgroups of any size.
fn crew_sum2(x: vec2<real>) -> vec2<real> {
    workgroupBarrier();
    w[SUMS + 2u * lane] = x.x;
    w[SUMS + 2u * lane + 1u] = x.y;
    workgroupBarrier();
    var sum = vec2<real>(0.0);
    let first = lane - crew_lane();
    for (var k = first; k < first + crew_size(); k++) { sum += vec2<real>(w[SUMS + 2u * k], w[SUMS + 2u * k + 1u]); }
    return sum;
}
fn crew_sum(x: real) -> real { return crew_sum2(vec2<real>(x, 0.0)).x; }
fn crew_any(x: bool) -> bool { return crew_sum(select(real(0.0), real(1.0), x)) != 0.0; }
// how many those before have, and how many all have, of so many lanes from the first on
fn range_scan(x: u32, first: u32, count: u32) -> vec2<u32> {
    workgroupBarrier();
    wu[SCAN + lane] = x;
    workgroupBarrier();
    var before = 0u;
    var all = 0u;
    for (var k = first; k < first + count; k++) {
        if k == lane { before = all; }
        all += wu[SCAN + k];
    }
    return vec2<u32>(before, all);
}
fn team_scan(x: u32) -> vec2<u32> { return range_scan(x, lane & ~31u, 32u); }
fn team_sum(x: real) -> real {
    workgroupBarrier();
    w[SUMS + lane] = x;
    workgroupBarrier();
    var sum = real(0.0);
    for (var k = lane & ~31u; k < (lane & ~31u) + 32u; k++) { sum += w[SUMS + k]; }
    return sum;
}
fn lane_scan(x: u32) -> vec2<u32> { return range_scan(x, 0u, LANES); }
// sums of a crew need every lane here, so all go on while any has to
fn goes_on(x: bool) -> bool { if TEAMS == 1u { return x; } return lane_any(x); }
fn lane_any(x: bool) -> bool { return lane_scan(u32(x)).y != 0u; }
