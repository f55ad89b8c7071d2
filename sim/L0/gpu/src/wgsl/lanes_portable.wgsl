// Sums over the lanes of a workgroup, for subgroups of any size.
fn lane_sum(x: real) -> real {
    workgroupBarrier();
    w[SUMS + lane] = x;
    workgroupBarrier();
    var sum = real(0.0);
    for (var k = 0u; k < LANES; k++) { sum += w[SUMS + k]; }
    return sum;
}
fn lane_sum2(x: vec2<real>) -> vec2<real> {
    let a = lane_sum(x.x);
    return vec2<real>(a, lane_sum(x.y));
}
// how many those before have, and how many all have
fn lane_scan(x: u32) -> vec2<u32> {
    workgroupBarrier();
    wu[SCAN + lane] = x;
    workgroupBarrier();
    var before = 0u;
    var all = 0u;
    for (var k = 0u; k < LANES; k++) {
        if k == lane { before = all; }
        all += wu[SCAN + k];
    }
    return vec2<u32>(before, all);
}
fn lane_any(x: bool) -> bool { return lane_scan(u32(x)).y != 0u; }
