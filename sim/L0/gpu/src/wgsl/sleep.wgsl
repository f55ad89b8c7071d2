// Trees that are asleep initially (`sleep="init"`). Such a tree is at rest in its initial configuration and stays there
// until its state, an applied force or a mocap body changes (mj_wake), or a tendon, a contact or an equality constraint
// couples it to an awake tree (mj_wakeTendon, mj_wakeCollision, mj_wakeEquality). A tree that was woken has a velocity,
// so that no sleep state has to be kept between steps. Other trees, and woken ones, never fall asleep.

// False for NONE.
fn tree_asleep(t: u32) -> bool {
    if t >= NTREE { return false; }
    return wu[TREE_ASLEEP + t] != 0u;
}
fn tree_awake(t: u32) -> bool { return t < NTREE && !tree_asleep(t); }
// Whether all of up to two trees are asleep; false if both are NONE.
fn trees_asleep(adr: u32) -> bool {
    let a = ti[adr];
    let b = ti[adr + 1u];
    return (tree_asleep(a) || tree_asleep(b)) && !tree_awake(a) && !tree_awake(b);
}
fn equality_asleep(e: u32) -> bool {
    for (var k = 0u; k < 4u; k++) { if tree_awake(ti[EQ_TREES + 4u * e + k]) { return false; } }
    return true;
}
fn limit_asleep(k: u32) -> bool {
    let d = ti[LIMIT_DOF + k];
    if ti[LIMIT_TYPE + k] == TENDON_LIMIT { return trees_asleep(TENDON_TREES + 2u * d); }
    return tree_asleep(ti[DOF_TREE + d]);
}
fn friction_asleep(k: u32) -> bool {
    let d = ti[FRICTION_DOF + k];
    if k >= NF_DOF { return trees_asleep(TENDON_TREES + 2u * d); }
    return tree_asleep(ti[DOF_TREE + d]);
}

fn mocap_moved(k: u32) -> bool {
    if k >= NMOCAP { return false; }
    for (var i = 7u * k; i < 7u * k + 7u; i++) { if input(IN_MOCAP + i) != f(MOCAP_INITIAL + i) { return true; } }
    return false;
}

// Whether a tree is at rest in its initial configuration, without applied forces.
fn at_initial_state(t: u32) -> bool {
    let first = ti[TREE_DOFADR + t];
    let last = first + ti[TREE_DOFNUM + t];
    for (var i = first; i < last; i++) { if w[QVEL + i] != 0.0 || input(IN_APPLIED + i) != 0.0 { return false; } }
    for (var q = ti[TREE_QPOSADR + t]; q < ti[TREE_QPOSADR + t + 1u]; q++) {
        if w[QPOS + q] != f(QPOS_INITIAL + q) { return false; }
    }
    return !mocap_moved(ti[TREE_MOCAP + t]);
}

// Whether two trees, one of them awake, wake the sleep cycle of tree `t`.
fn couples_to_awake(t: u32, a: u32, b: u32) -> bool {
    if a >= NTREE || b >= NTREE { return false; }
    let cycle = ti[TREE_CYCLE + t];
    return (tree_asleep(a) && ti[TREE_CYCLE + a] == cycle && !tree_asleep(b))
        || (tree_asleep(b) && ti[TREE_CYCLE + b] == cycle && !tree_asleep(a));
}
// Waking one tree of a sleep cycle wakes all of them.
fn woken_by_state(t: u32) -> bool {
    for (var other = 0u; other < NTREE; other++) {
        if ti[TREE_CYCLE + other] == ti[TREE_CYCLE + t] && !tree_asleep(other) { return true; }
    }
    return false;
}
fn woken_by_tendon(t: u32) -> bool {
    for (var k = 0u; k < NWAKE_TENDON; k++) {
        let trees = TENDON_TREES + 2u * ti[WAKE_TENDON + k];
        if !couples_to_awake(t, ti[trees], ti[trees + 1u]) { continue; }
        let limit = ti[WAKE_TENDON_LIMIT + k];
        if limit == NONE { return true; }
        let g = limit_distance(limit);
        if g.low < g.margin || g.high < g.margin { return true; }
    }
    return false;
}
fn woken_by_contact(t: u32) -> bool {
    for (var c = 0u; c < ncon; c++) {
        let p = con_pair(c);
        if couples_to_awake(t, ti[BODY_TREE + body1(p)], ti[BODY_TREE + body2(p)]) { return true; }
    }
    return false;
}
fn woken_by_equality(t: u32) -> bool {
    for (var e = 0u; e < NEQ; e++) {
        var own = false;
        for (var k = 0u; k < 4u; k++) {
            let other = ti[EQ_TREES + 4u * e + k];
            own = own || tree_asleep(other) && ti[TREE_CYCLE + min(other, NTREE - 1u)] == ti[TREE_CYCLE + t];
        }
        let moved = mocap_moved(ti[EQ_MOCAP + 2u * e]) || mocap_moved(ti[EQ_MOCAP + 2u * e + 1u]);
        if own && (moved || !equality_asleep(e)) { return true; }
    }
    return false;
}

const WOKEN_BY_STATE: u32 = 0u;
const WOKEN_BY_TENDON: u32 = 1u;
const WOKEN_BY_CONTACT: u32 = 2u;
const WOKEN_BY_EQUALITY: u32 = 3u;
// Wakes all trees with a cause. Returns whether there are any.
fn wake_trees(cause: u32) -> bool {
    for (var t = lane; t < NTREE; t += LANES) {
        var wakes = false;
        if tree_asleep(t) {
            if cause == WOKEN_BY_STATE { wakes = woken_by_state(t); }
            else if cause == WOKEN_BY_TENDON { wakes = woken_by_tendon(t); }
            else if cause == WOKEN_BY_CONTACT { wakes = woken_by_contact(t); }
            else { wakes = woken_by_equality(t); }
        }
        wu[TREE_WAKES + t] = u32(wakes);
    }
    sync();
    var any = false;
    for (var t = lane; t < NTREE; t += LANES) {
        if wu[TREE_WAKES + t] != 0u { wu[TREE_ASLEEP + t] = 0u; any = true; }
    }
    sync();
    return workgroup_any(any);
}

// Removes the contacts that no awake tree takes part in; the others keep their order.
fn drop_sleeping_contacts() {
    let count = ncon;
    ncon = 0u;
    for (var base = 0u; base < count; base += LANES) {
        let c = base + lane;
        var pair = 0u;
        var kept = false;
        var record: array<real, 10>;
        if c < count {
            pair = con_pair(c);
            kept = tree_awake(ti[BODY_TREE + body1(pair)]) || tree_awake(ti[BODY_TREE + body2(pair)]);
            for (var k = 0u; k < 10u; k++) { record[k] = w[CONTACT + 10u * c + k]; }
        }
        let slots = workgroup_scan(u32(kept));
        sync();
        if kept {
            let to = ncon + slots.x;
            for (var k = 0u; k < 10u; k++) { w[CONTACT + 10u * to + k] = record[k]; }
            wu[CONTACT_PAIR_ROW + to] = pair;
        }
        ncon += slots.y;
        sync();
    }
}

// Determines the trees that are asleep in this step. Without forces and constraint rows their accelerations are zero.
fn update_sleep() {
    sync();
    for (var t = lane; t < NTREE; t += LANES) {
        wu[TREE_ASLEEP + t] = u32(ti[TREE_CYCLE + t] != NONE && at_initial_state(t));
    }
    sync();
    var cause = WOKEN_BY_STATE;
    loop {
        let woken = wake_trees(cause);
        // Trees that contacts wake may be in contact with others.
        if cause == WOKEN_BY_CONTACT && woken { continue; }
        if cause == WOKEN_BY_CONTACT { drop_sleeping_contacts(); }
        if cause == WOKEN_BY_EQUALITY { break; }
        cause++;
    }
    for (var i = lane; i < NV; i += LANES) {
        if tree_asleep(ti[DOF_TREE + i]) { w[QFRC_SMOOTH + i] = 0.0; states[warmstart_adr(i)] = 0.0; }
    }
    for (var a = lane; a < NA; a += LANES) { if trees_asleep(ACT_TREES + 2u * ti[ACT_OWNER + a]) { w[ACT_DOT + a] = 0.0; } }
    sync();
}
