// Reductions and scans over the lanes of a workgroup that is one subgroup. Reductions and shuffles are a few
// instructions each; votes and the built-in scans compile to many.
fn active_sum(x: real) -> real { return subgroupAdd(x); }
fn active_sum2(x: vec2<real>) -> vec2<real> { return vec2<real>(subgroupAdd(x.x), subgroupAdd(x.y)); }
// Exclusive prefix sum over the workgroup, and the total.
fn workgroup_scan(x: u32) -> vec2<u32> {
    let sum = subgroup_inclusive_sum(x, lane);
    return vec2<u32>(sum - x, subgroupBroadcast(sum, 31u));
}
fn workgroup_any(x: bool) -> bool { return subgroupOr(u32(x)) != 0u; }
fn active_any(x: bool) -> bool { return workgroup_any(x); }
fn group_scan(x: u32) -> vec2<u32> { return workgroup_scan(x); }
fn any_continues(x: bool) -> bool { return x; }
