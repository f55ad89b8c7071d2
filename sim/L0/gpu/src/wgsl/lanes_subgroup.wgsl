// Sums over the lanes of a workgroup that is one subgroup.
fn lane_sum(x: real) -> real { return subgroupAdd(x); }
fn lane_sum2(x: vec2<real>) -> vec2<real> { return vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y)); }
// how many those before have, and how many all have
fn lane_scan(x: u32) -> vec2<u32> { return vec2<u32>(subgroupExclusiveAdd(x), subgroupAdd(x)); }
fn lane_any(x: bool) -> bool { return subgroupAny(x); }
