// Sums over the lanes of a workgroup that is one subgroup. Reductions and shuffles stay a few instructions; a vote, or a
// scan that the driver writes, becomes many.
fn crew_sum(x: real) -> real { return subgroupAdd(x); }
fn crew_sum2(x: vec2<real>) -> vec2<real> { return vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y)); }
// how many those before have, and how many all have
fn lane_scan(x: u32) -> vec2<u32> {
    let sum = sum_before(x, lane);
    return vec2<u32>(sum - x, subgroupBroadcast(sum, 31u));
}
fn lane_any(x: bool) -> bool { return subgroupOr(u32(x)) != 0u; }
fn crew_any(x: bool) -> bool { return lane_any(x); }
fn team_scan(x: u32) -> vec2<u32> { return lane_scan(x); }
fn goes_on(x: bool) -> bool { return x; }
