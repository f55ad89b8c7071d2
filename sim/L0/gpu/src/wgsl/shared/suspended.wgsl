// Suspended environments. A pass stops an environment at pairs that it cannot test, or that couple tree groups. The
// workgroup memory of a suspended environment is saved behind the separation data of the output buffer, and the second
// pass resumes from there.

fn suspended_adr(k: u32) -> u32 { return (OUT_SIZE + SEPARATION_SIZE) * run.envs + scratch_index() * SUSPENDED_SIZE + k; }

#ifdef NARROW_PHASE_PASS
// The deferred pairs of the environment follow: their number, then for each pair its index, the number of contacts
// found, the separation if there are none, and the contacts.
const DEFERRED_STRIDE: u32 = 3u + 10u * DEFERRED_CONTACTS;
fn deferred_count_adr() -> u32 { return suspended_adr(DEFERRED_FIRST); }
fn deferred_adr(slot: u32) -> u32 { return suspended_adr(DEFERRED_FIRST + 1u + slot * DEFERRED_STRIDE); }
// Entry of the list of deferred pairs of all environments: environment and slot. Each environment has room for MAX_DEFERRED entries.
fn deferred_list_adr(k: u32) -> u32 {
    let first = (OUT_SIZE + SEPARATION_SIZE) * run.envs + (k / MAX_DEFERRED) * SUSPENDED_SIZE;
    return first + DEFERRED_FIRST + 1u + MAX_DEFERRED * DEFERRED_STRIDE + 2u * (k % MAX_DEFERRED);
}
#endif
