// Temporal coherence of expensive narrow-phase tests. A separated pair is skipped while the accumulated displacement
// bounds of its two geoms are smaller than their last known distance. For each environment the output buffer holds,
// per pair, the remaining displacement budget (m), and the reference configuration (qpos and mocap poses) from which
// displacements are measured; because they are measured between configurations, a reset needs no special handling. A
// budget of zero means "test in every step", a negative one "save a new reference configuration first".

fn separation_adr(k: u32) -> u32 { return OUT_SIZE * run.envs + env * SEPARATION_SIZE + k; }
fn saved(q: u32) -> real { return out[separation_adr(NPAIR + q)]; }
fn saved3(q: u32) -> vec3r { return vec3r(saved(q), saved(q + 1u), saved(q + 2u)); }
fn saved4(q: u32) -> vec4r { return vec4r(saved3(q), saved(q + 3u)); }

// Displacement bound of a rotation at unit distance: |a - b| of two unit quaternions is twice the sine of a quarter
// of the angle.
fn rotation_displacement(a: vec4r, b: vec4r) -> real { return 2.0 * sqrt(min(dot(a - b, a - b), dot(a + b, a + b))); }

// Upper bound of the displacement of any point that a joint (or a mocap body) carries, m.
fn joint_displacement(j: u32) -> real {
    let kind = jnt_type(j);
    let q = jnt_qposadr(j);
    if is_scalar(kind) {
        let displacement = abs(w[QPOS + q] - saved(q));
        if is_hinge(kind) { return displacement * f(JNT_RADIUS + j); }
        // The slide joint left the range that the displacement bounds of its parents assume.
        if abs(w[QPOS + q] - f4(JNT_AXIS, j).w) > f(JNT_SLIDE_BOUND + j) { return UNBOUNDED; }
        return displacement;
    }
    if is_free(kind) {
        let turn = rotation_displacement(qunit(w4(QPOS + q + 3u)), qunit(saved4(q + 3u)));
        return length3(w3(QPOS + q) - saved3(q)) + turn * f(JNT_RADIUS + j);
    }
    return rotation_displacement(qunit(w4(QPOS + q)), qunit(saved4(q))) * f(JNT_RADIUS + j);
}
const UNBOUNDED: real = 1e9;
fn mocap_displacement(k: u32) -> real {
    let at = IN_MOCAP + 7u * k;
    let q = NQ + 7u * k;
    let pos = vec3r(input(at), input(at + 1u), input(at + 2u));
    let rot = vec4r(input(at + 3u), input(at + 4u), input(at + 5u), input(at + 6u));
    return length3(pos - saved3(q)) + rotation_displacement(qunit(rot), qunit(saved4(q + 3u))) * f(MOCAP_RADIUS + k);
}

// Sums the displacement bounds of all joints on the path from the root to each body.
fn update_displacements() {
    for (var i = lane; i < NV; i += LANES) { w[DOF_DISPLACEMENT + i] = 0.0; }
    sync();
    for (var j = lane; j < NJNT; j += LANES) { w[DOF_DISPLACEMENT + jnt_dofadr(j)] = joint_displacement(j); }
    sync();
    for (var b = lane; b < NBODY; b += LANES) {
        var sum = real(0.0);
        for (var i = ti[BODY_LAST_DOF + b]; i < NV; i = dof_parentid(i)) { sum += w[DOF_DISPLACEMENT + i]; }
        if NMOCAP > 0u { if ti[BODY_ROOT_MOCAP + b] != NONE { sum += mocap_displacement(ti[BODY_ROOT_MOCAP + b]); } }
        w[BODY_DISPLACEMENT + b] = sum;
    }
    // Another lane may have written the pair's budget in the previous step.
    sync_storage();
}

// Displacements of common ancestors cancel, except for cancellation error.
fn pair_displacement(p: u32) -> real {
    let ancestor = w[BODY_DISPLACEMENT + ti[PAIR_ANCESTOR + p]];
    let relative_displacement = (w[BODY_DISPLACEMENT + body1(p)] - ancestor) + (w[BODY_DISPLACEMENT + body2(p)] - ancestor);
    return relative_displacement + 1e-6 * ancestor;
}

// Bit k is set if the displacement budget of pair `start + k * LANES + lane` is used up.
fn expired_pair_bits(start: u32, end: u32) -> u32 {
    var needs_reference = false;
    var bits = 0u;
    for (var second = false; ; second = true) {
        bits = 0u;
        for (var k = 0u; k < 32u; k++) {
            let p = start + k * LANES + lane;
            if p >= end { break; }
            let budget = out[separation_adr(p)];
            // A NaN displacement expires the budget too.
            let expired = !(pair_displacement(p) < budget);
            bits |= u32(expired) << k;
            needs_reference = needs_reference || expired && budget != 0.0;
        }
        if second || !workgroup_any(needs_reference) { break; }
        save_reference_configuration();
    }
    return bits;
}

// Saves the current configuration as reference and reduces each budget by the displacement so far.
fn save_reference_configuration() {
    sync_storage();
    for (var p = lane; p < NPAIR; p += LANES) {
        // Slightly less, to cover rounding errors of repeated updates.
        let remaining = 0.999999 * out[separation_adr(p)] - pair_displacement(p);
        out[separation_adr(p)] = select(real(0.0), remaining, remaining > 0.0);
    }
    for (var q = lane; q < NQ; q += LANES) { out[separation_adr(NPAIR + q)] = w[QPOS + q]; }
    for (var k = lane; k < 7u * NMOCAP; k += LANES) { out[separation_adr(NPAIR + NQ + k)] = input(IN_MOCAP + k); }
    sync_storage();
    for (var b = lane; b < NBODY; b += LANES) { w[BODY_DISPLACEMENT + b] = 0.0; }
    sync();
}

// A gap between two geoms, reduced by a bound of the rounding error of their poses.
fn safe_gap(p: u32, gap: real) -> real {
    let pos = abs(geom_xpos(geom1(p)));
    return 0.9999 * gap - 1e-5 - 2e-6 * (pos.x + pos.y + pos.z);
}
// Stores the displacement budget of a pair whose distance exceeds its margin by `gap`.
fn store_separation(p: u32, gap: real) {
    let displacement = pair_displacement(p);
    let safe = safe_gap(p, gap);
    var budget = safe - displacement;
    // A budget that would expire soon but is worthwhile requests a new reference configuration in the next step.
    if !(budget > displacement) { budget = select(real(0.0), real(-1.0), safe > 5e-4 * f4(PAIR_DISTANCES, p).x); }
    out[separation_adr(p)] = budget;
}
// Whether the oriented bounding boxes overlap, or nearly do.
fn obb_overlap(p: u32) -> bool {
    let gap = obb_separation(geom_pose(geom1(p)), geom_pose(geom2(p)), p);
    let close = gap <= f4(PAIR_DISTANCES, p).w;
    // An overlapping pair stays expired until the narrow phase stores a distance.
    store_separation(p, select(gap, real(0.0), close));
    return close;
}
