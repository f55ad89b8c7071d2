// Scan within a subgroup.

// Inclusive prefix sum over the lanes of the subgroup; `own` is the lane's index in it.
fn subgroup_inclusive_sum(x: u32, own: u32) -> u32 {
    var sum = x;
    sum += select(0u, subgroupShuffleUp(sum, 1u), own >= 1u);
    sum += select(0u, subgroupShuffleUp(sum, 2u), own >= 2u);
    sum += select(0u, subgroupShuffleUp(sum, 4u), own >= 4u);
    sum += select(0u, subgroupShuffleUp(sum, 8u), own >= 8u);
    sum += select(0u, subgroupShuffleUp(sum, 16u), own >= 16u);
    return sum;
}
