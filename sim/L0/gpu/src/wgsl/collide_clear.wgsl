// Pairs that take long to test are left alone until their geoms can have come together. Behind what is read by the host
// there is, from step to step, for each pair how far joints may move its geoms towards each other, and where joints, and
// bodies that are held, were when they were last noted. As ways are measured between positions, a reset needs no
// attention. A pair with nothing left is tested in every step; one with less than nothing has joints noted first.

fn clear_at(k: u32) -> u32 { return OUT_SIZE * run.envs + env * CLEAR_SIZE + k; }
fn noted(q: u32) -> real { return out[clear_at(NPAIR + q)]; }
fn noted3(q: u32) -> vec3r { return vec3r(noted(q), noted(q + 1u), noted(q + 2u)); }
fn noted4(q: u32) -> vec4r { return vec4r(noted3(q), noted(q + 3u)); }

fn length_of(v: vec3r) -> real { return sqrt(dot(v, v)); }
// what a turn moves at most, for a distance of one: the difference is twice the sine of a quarter of the angle
fn turn_way(a: vec4r, b: vec4r) -> real { return 2.0 * sqrt(min(dot(a - b, a - b), dot(a + b, a + b))); }

// how far a joint, or a hand, has moved any point that it carries at most
fn joint_way(j: u32) -> real {
    let kind = jnt_kind(j);
    let q = jnt_qpos(j);
    if is_scalar(kind) {
        let way = abs(w[QPOS + q] - noted(q));
        if is_hinge(kind) { return way * f(JNT_REACH + j); }
        // further than thought when distances were found
        if abs(w[QPOS + q] - f4(JNT_AXIS, j).w) > f(JNT_BOUND + j) { return FAR_AWAY; }
        return way;
    }
    if is_free(kind) {
        let turn = turn_way(qunit(w4(QPOS + q + 3u)), qunit(noted4(q + 3u)));
        return length_of(w3(QPOS + q) - noted3(q)) + turn * f(JNT_REACH + j);
    }
    return turn_way(qunit(w4(QPOS + q)), qunit(noted4(q))) * f(JNT_REACH + j);
}
const FAR_AWAY: real = 1e9;
fn held_way(k: u32) -> real {
    let at = IN_MOCAP + 7u * k;
    let q = NQ + 7u * k;
    let pos = vec3r(input(at), input(at + 1u), input(at + 2u));
    let rot = vec4r(input(at + 3u), input(at + 4u), input(at + 5u), input(at + 6u));
    return length_of(pos - noted3(q)) + turn_way(qunit(rot), qunit(noted4(q + 3u))) * f(MOCAP_REACH + k);
}

// sums the ways of all that carries a body
fn travel() {
    for (var i = lane; i < NV; i += LANES) { w[DOF_WAY + i] = 0.0; }
    sync();
    for (var j = lane; j < NJNT; j += LANES) { w[DOF_WAY + jnt_dof(j)] = joint_way(j); }
    sync();
    for (var b = lane; b < NBODY; b += LANES) {
        var sum = real(0.0);
        for (var i = ti[BODY_LAST + b]; i < NV; i = dof_parent(i)) { sum += w[DOF_WAY + i]; }
        if NMOCAP > 0u { if ti[BODY_HAND + b] != NONE { sum += held_way(ti[BODY_HAND + b]); } }
        w[BODY_WAY + b] = sum;
    }
    // another lane may have looked at a pair in the last step
    sync_storage();
}

// what carries both geoms does not matter, but for what sums lose of small ways next to large ones
fn pair_travel(p: u32) -> real {
    let both = w[BODY_WAY + ti[PAIR_FORK + p]];
    let ways = (w[BODY_WAY + body1(p)] - both) + (w[BODY_WAY + body2(p)] - both);
    return ways + 1e-6 * both;
}

// which of a lane's pairs have to be tested
fn due_bits(start: u32, end: u32) -> u32 {
    var late = false;
    var bits = 0u;
    for (var again = false; ; again = true) {
        bits = 0u;
        for (var k = 0u; k < 32u; k++) {
            let p = start + k * LANES + lane;
            if p >= end { break; }
            let most = out[clear_at(p)];
            // what is not a number is due too
            let due = !(pair_travel(p) < most);
            bits |= u32(due) << k;
            late = late || due && most != 0.0;
        }
        if again || !lane_any(late) { break; }
        note_joints();
    }
    return bits;
}

// notes where joints are now, and what is left for each pair from there
fn note_joints() {
    sync_storage();
    for (var p = lane; p < NPAIR; p += LANES) {
        // a little less, for what rounding may add each time
        let rest = 0.999999 * out[clear_at(p)] - pair_travel(p);
        out[clear_at(p)] = select(real(0.0), rest, rest > 0.0);
    }
    for (var q = lane; q < NQ; q += LANES) { out[clear_at(NPAIR + q)] = w[QPOS + q]; }
    for (var k = lane; k < 7u * NMOCAP; k += LANES) { out[clear_at(NPAIR + NQ + k)] = input(IN_MOCAP + k); }
    sync_storage();
    for (var b = lane; b < NBODY; b += LANES) { w[BODY_WAY + b] = 0.0; }
    sync();
}

// a pair is known to be apart by so much beyond its margin
fn keep_clear(p: u32, gap: real) {
    let way = pair_travel(p);
    let pos = abs(w3(GEOM + 9u * geom1(p)));
    // less what rounding may have made of poses
    let sure = 0.9999 * gap - 1e-5 - 2e-6 * (pos.x + pos.y + pos.z);
    var most = sure - way;
    // what would soon run out, but is worth it, has joints noted in the next step
    if !(most > way) { most = select(real(0.0), real(-1.0), sure > 5e-4 * f4(PAIR_RANGE, p).x); }
    out[clear_at(p)] = most;
}
// whether boxes around a pair are together, or nearly
fn is_close(p: u32) -> bool {
    let gap = gap_boxes(shape(geom1(p)), shape(geom2(p)), p);
    let close = gap <= f4(PAIR_RANGE, p).w;
    // what is close stays due until it is looked into
    keep_clear(p, select(gap, real(0.0), close));
    return close;
}
