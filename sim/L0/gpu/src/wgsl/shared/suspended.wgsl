// Suspended environments. A pass stops an environment at pairs that it cannot test, or that couple tree groups. The
// workgroup memory of a suspended environment is saved behind the separation data of the output buffer, and the second
// pass resumes from there.

fn suspended_adr(k: u32) -> u32 { return (OUT_SIZE + SEPARATION_SIZE) * run.envs + scratch_index() * SUSPENDED_SIZE + k; }

#ifdef NARROW_PHASE_PASS
// Pairs that are left to the narrow-phase pass follow: their number, then for each pair its index, the number of
// contacts found, the separation if there are none, and the contacts.
const NEAR_STRIDE: u32 = 3u + 10u * NEAR_CONTACTS;
fn near_count_adr() -> u32 { return suspended_adr(NEAR_FIRST); }
fn near_adr(slot: u32) -> u32 { return suspended_adr(NEAR_FIRST + 1u + slot * NEAR_STRIDE); }
// Entry of the list of pairs of all environments: environment and slot. Each environment has room for MAX_NEAR entries.
fn near_list_adr(k: u32) -> u32 {
    let first = (OUT_SIZE + SEPARATION_SIZE) * run.envs + (k / MAX_NEAR) * SUSPENDED_SIZE;
    return first + NEAR_FIRST + 1u + MAX_NEAR * NEAR_STRIDE + 2u * (k % MAX_NEAR);
}
#endif
