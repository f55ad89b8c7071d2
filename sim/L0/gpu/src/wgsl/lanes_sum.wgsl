// Sums within a subgroup, for workgroups of one and of several.

// the sum over the lanes up to this one
fn sum_before(x: u32, own: u32) -> u32 {
    var sum = x;
    sum += select(0u, subgroupShuffleUp(sum, 1u), own >= 1u);
    sum += select(0u, subgroupShuffleUp(sum, 2u), own >= 2u);
    sum += select(0u, subgroupShuffleUp(sum, 4u), own >= 4u);
    sum += select(0u, subgroupShuffleUp(sum, 8u), own >= 8u);
    sum += select(0u, subgroupShuffleUp(sum, 16u), own >= 16u);
    return sum;
}
