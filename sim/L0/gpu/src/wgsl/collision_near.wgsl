// Pairs whose narrow phase is a pass of its own: an environment lists them and is suspended, and reads their contacts
// when it is resumed.

// Pairs that have been listed in this step; more than MAX_NEAR do not fit.
var<private> near_count: u32;

// Lists the pairs of lanes with `near`.
fn list_near(p: u32, near: bool) {
    let slots = workgroup_scan(u32(near));
    let slot = near_count + slots.x;
    if near && slot < MAX_NEAR { out[near_adr(slot)] = real(p); }
    near_count += slots.y;
    suspend_requested = true;
}

// Adds the pairs of this environment to the list of all environments.
fn submit_near() {
    if near_count > MAX_NEAR {
        near_count = MAX_NEAR;
        flags |= OVERFLOW_CONTACTS;
    }
    if lane == 0u {
        out[near_count_adr()] = real(near_count);
        var first: u32;
        if PASS == PASS_SECOND { first = atomicAdd(&run.next_near_count, near_count); }
        else { first = atomicAdd(&run.near_count, near_count); }
        for (var k = 0u; k < near_count; k++) {
            let at = near_list_adr(first + k);
            out[at] = real(env);
            out[at + 1u] = real(k);
        }
    }
}

// Appends the contacts that the narrow-phase pass has found, as `store_contacts` does.
fn store_near_contacts() {
    let total = u32(out[near_count_adr()]);
    for (var first = 0u; first < total; first += LANES) {
        let slot = first + lane;
        let at = near_adr(slot);
        var p = 0u;
        var found = 0u;
        var count = 0u;
        var include = real(0.0);
        if slot < total {
            p = u32(out[at]);
            found = u32(out[at + 1u]);
            if found == 0u { store_separation(p, out[at + 2u]); }
            include = include_distance(p);
            count = u32(found > NEAR_CONTACTS) << 16u;
            found = min(found, ti[PAIR_CONTACT_LIMIT]);
        }
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
