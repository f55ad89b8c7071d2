// Sums over the lanes of a workgroup that is one subgroup.
fn crew_sum(x: real) -> real { return subgroupAdd(x); }
fn crew_sum2(x: vec2<real>) -> vec2<real> { return vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y)); }
// how many those before have, and how many all have
fn lane_scan(x: u32) -> vec2<u32> { return vec2<u32>(subgroupExclusiveAdd(x), subgroupAdd(x)); }
// how many lanes before have it, and how many all
fn lane_count(x: bool) -> vec2<u32> {
    let have = subgroupBallot(x).x;
    return vec2<u32>(countOneBits(have & ((1u << lane) - 1u)), countOneBits(have));
}
fn lane_any(x: bool) -> bool { return subgroupAny(x); }
fn crew_any(x: bool) -> bool { return subgroupAny(x); }
fn team_scan(x: u32) -> vec2<u32> { return lane_scan(x); }
fn goes_on(x: bool) -> bool { return x; }
fn lane_near(x: bool) -> bool { return lane_any(x); }
