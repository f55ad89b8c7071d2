// Deferred pairs: an environment lists them and is suspended, and reads their contacts when it is resumed. A deferred
// pair is one whose narrow phase is left to the narrow-phase pass.

// Pairs that have been deferred in this step; more than MAX_DEFERRED do not fit.
var<private> deferred_count: u32;

// Defers the pairs of lanes with `deferred`.
fn list_deferred(p: u32, deferred: bool) {
    let slots = workgroup_scan(u32(deferred));
    let slot = deferred_count + slots.x;
    if deferred && slot < MAX_DEFERRED { out[deferred_adr(slot)] = real(p); }
    deferred_count += slots.y;
    suspend_requested = true;
}

// Adds the deferred pairs of this environment to the list of all environments.
fn submit_deferred() {
    if deferred_count > MAX_DEFERRED {
        deferred_count = MAX_DEFERRED;
        flags |= OVERFLOW_CONTACTS;
    }
    if lane == 0u {
        out[deferred_count_adr()] = real(deferred_count);
        var first: u32;
        if PASS == PASS_SECOND { first = atomicAdd(&run.next_deferred_count, deferred_count); }
        else { first = atomicAdd(&run.deferred_count, deferred_count); }
        for (var k = 0u; k < deferred_count; k++) {
            let at = deferred_list_adr(first + k);
            out[at] = real(env);
            out[at + 1u] = real(k);
        }
    }
}

// Appends the contacts of deferred pairs, which the narrow-phase pass has found, as `store_contacts` does.
fn store_deferred_contacts() {
    let total = u32(out[deferred_count_adr()]);
    for (var first = 0u; first < total; first += LANES) {
        let slot = first + lane;
        let at = deferred_adr(slot);
        var p = 0u;
        var found = 0u;
        var count = 0u;
        var include = real(0.0);
        if slot < total {
            p = u32(out[at]);
            found = u32(out[at + 1u]);
            if found == 0u { store_separation(p, out[at + 2u]); }
            include = include_distance(p);
            count = u32(found > DEFERRED_CONTACTS) << 16u;
            found = min(found, ti[PAIR_CONTACT_LIMIT]);
        }
#ifdef SEPARATING_AXES
        store_axis(p, at, slot < total, slot < total && found == 0u && out[at + 2u] > 0.0);
#endif
        for (var k = 0u; k < found; k++) { count += u32(!(out[at + 3u + 10u * k] >= include)); }
        let slots = workgroup_scan(count);
        var c = ncon + (slots.x & 0xffffu);
        for (var k = 0u; k < found; k++) {
            let source = at + 3u + 10u * k;
            if out[source] >= include { continue; }
            if c < MAXCON {
                for (var i = 0u; i < 10u; i++) { w[CONTACT + 10u * c + i] = out[source + i]; }
                wu[CONTACT_PAIR_ROW + c] = p;
            }
            c++;
        }
        count_contacts(slots.y);
    }
}
