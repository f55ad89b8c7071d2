// Lists the contacts in the order of the CPU engine, in which pairs are ordered by their geoms instead of their
// narrow-phase functions.
fn order_contacts() {
    for (var c = lane; c < ncon; c += LANES) {
        let own = ti[PAIR_ORDER + con_pair(c)];
        var rank = 0u;
        for (var other = 0u; other < ncon; other++) {
            let order = ti[PAIR_ORDER + con_pair(other)];
            rank += u32(order < own || order == own && other < c);
        }
        wu[CONTACT_ORDER + rank] = c;
    }
    sync();
}
