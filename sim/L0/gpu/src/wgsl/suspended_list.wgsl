// List of suspended environments. The first pass fills the list; the second pass resumes the environments of the list,
// and fills the other list with those that it suspends again, which are the environments of the next round.

fn suspended_environment(k: u32) -> u32 {
    if run.list == 0u { return run.slots[k].suspended_even; }
    return run.slots[k].suspended_odd;
}

// Position in the list of the next environment of this workgroup. Environments need different times, so workgroups take
// the next one when they have finished one.
fn take_suspended(workgroups: u32) -> u32 {
    var taken = 0u;
    if lane == 0u { taken = atomicAdd(&run.taken, 1u); }
    return workgroups + workgroup_scan(taken).y;
}

#ifdef NARROW_PHASE_PASS
fn list_suspended() {
    if PASS == PASS_SECOND {
        let k = atomicAdd(&run.next_suspended_count, 1u);
        if run.list == 0u { run.slots[k].suspended_odd = env; } else { run.slots[k].suspended_even = env; }
    } else {
        run.slots[atomicAdd(&run.suspended_count, 1u)].suspended_even = env;
    }
}

// The last workgroup of the second pass makes the list of the next round the current one.
fn finish_round(workgroups: u32) {
    if atomicAdd(&run.finished, 1u) + 1u < workgroups { return; }
    atomicStore(&run.suspended_count, atomicExchange(&run.next_suspended_count, 0u));
    atomicStore(&run.deferred_count, atomicExchange(&run.next_deferred_count, 0u));
    atomicStore(&run.finished, 0u);
    atomicStore(&run.taken, 0u);
    run.list = 1u - run.list;
}
#else
fn list_suspended() { run.slots[atomicAdd(&run.suspended_count, 1u)].suspended_even = env; }
#endif
