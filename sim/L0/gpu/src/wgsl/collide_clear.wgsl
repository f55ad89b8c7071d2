// Pairs that take long to test are left alone until their geoms can have come together. Behind what is read by the host
// there is, from step to step, for each pair how far both geoms together may be from where they were when bodies were
// last noted, and for each body that pose. As ways are measured between poses, a reset needs no attention.

fn clear_at(k: u32) -> u32 { return OUT_SIZE * run.envs + env * CLEAR_SIZE + k; }
fn noted_at(k: u32, b: u32) -> u32 { return clear_at(NPAIR + k * NBODY + b); }
fn noted3(k: u32, b: u32) -> vec3r { return vec3r(out[noted_at(k, b)], out[noted_at(k + 1u, b)], out[noted_at(k + 2u, b)]); }

// how far any point of a geom can be at most from where it was
fn travel() {
    for (var g = lane; g < NGEOM; g += LANES) {
        let b = ti[GEOM_BODY + g];
        let moved = w3(XPOS + 3u * b) - noted3(0u, b);
        let old = vec4r(noted3(3u, b), out[noted_at(6u, b)]);
        let turn = w4(turn_at(b));
        let turned = min(dot(turn - old, turn - old), dot(turn + old, turn + old));
        // the difference of quaternions is twice the sine of a quarter of the angle
        w[TRAVEL + g] = sqrt(dot(moved, moved)) + 2.0 * f(GEOM_REACH + g) * sqrt(turned);
    }
    // another lane may have looked at a pair in the last step
    sync_storage();
}

fn pair_travel(p: u32) -> real { return w[TRAVEL + ti[PAIR_GEOM1 + p]] + w[TRAVEL + ti[PAIR_GEOM2 + p]]; }

// whether a pair has to be tested
fn is_due(p: u32, end: u32) -> bool {
    var due = false;
    var late = false;
    if p < end {
        let most = out[clear_at(p)];
        due = pair_travel(p) >= most;
        late = due && most > 0.0;
    }
    if lane_any(late) {
        note_bodies();
        due = p < end && out[clear_at(p)] <= 0.0;
    }
    return due;
}

// notes where bodies are now, and what is left for each pair from there
fn note_bodies() {
    sync_storage();
    for (var p = lane; p < NPAIR; p += LANES) { out[clear_at(p)] -= pair_travel(p); }
    for (var b = lane; b < NBODY; b += LANES) {
        for (var k = 0u; k < 3u; k++) { out[noted_at(k, b)] = w[XPOS + 3u * b + k]; }
        for (var k = 0u; k < 4u; k++) { out[noted_at(3u + k, b)] = w[turn_at(b) + k]; }
    }
    sync_storage();
    for (var g = lane; g < NGEOM; g += LANES) { w[TRAVEL + g] = 0.0; }
    sync();
}

// a pair is known to be apart by so much beyond its margin
fn keep_clear(p: u32, gap: real) {
    let way = pair_travel(p);
    let pos = abs(w3(GEOM + 9u * ti[PAIR_GEOM1 + p]));
    // less what rounding may have made of poses
    let sure = 0.9999 * gap - 1e-5 - 2e-6 * (pos.x + pos.y + pos.z);
    var most = sure - way;
    // what has run out already, but is worth it, has bodies noted in the next step
    if most <= way { most = select(real(0.0), real(1e-30), sure > 5e-4 * f(PAIR_REACH + p)); }
    out[clear_at(p)] = most;
}
// whether boxes around a pair are together, or nearer than a part of the pair's size
fn is_close(p: u32, part: real) -> bool {
    let gap = gap_boxes(shape(ti[PAIR_GEOM1 + p]), shape(ti[PAIR_GEOM2 + p]), p);
    let close = gap <= part * f(PAIR_REACH + p);
    // what is close stays due until it is looked into
    keep_clear(p, select(gap, real(0.0), close));
    return close;
}
