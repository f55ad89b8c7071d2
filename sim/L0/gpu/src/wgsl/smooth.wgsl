// Passive forces (mj_passive): springs, dampers and applied forces.

fn passive() {
    for (var i = lane; i < NV; i += LANES) {
        let v = w[QVEL + i];
        w[QFRC_SMOOTH + i] += input(IN_APPLIED + i) - damper_coef(DOF_DAMPING, NV, i, v) * v;
#ifdef PASSIVE_CALLBACK
        w[QFRC_SMOOTH + i] += mjcb_passive(i);
#endif
    }
    sync();
    for (var j = lane; j < NJNT; j += LANES) { joint_spring(j); }
    tendon_forces();
#ifdef FLUID
    fluid_forces();
#endif
}

// Damping coefficient c(v) of the force -c(v) v, and the derivative of the force magnitude with respect to velocity.
fn damper_coef(field: u32, n: u32, i: u32, v: real) -> real {
    if !DAMPER_POLY && field == DOF_DAMPING { return f(field + i); }
    return f(field + i) + f(field + n + i) * abs(v) + f(field + 2u * n + i) * v * v;
}
fn damper_derivative(field: u32, n: u32, i: u32, v: real) -> real {
    if !DAMPER_POLY && field == DOF_DAMPING { return f(field + i); }
    return f(field + i) + 2.0 * f(field + n + i) * abs(v) + 3.0 * f(field + 2u * n + i) * v * v;
}

// Stiffness k(x) of a joint spring with the force -k(x) x.
fn spring_coef(j: u32, x: real) -> real {
    if !SPRING_POLY { return f(JNT_STIFFNESS + j); }
    return f(JNT_STIFFNESS + j) + f(JNT_STIFFNESSPOLY + j) * x + f(JNT_STIFFNESSPOLY + NJNT + j) * x * x;
}

fn joint_spring(j: u32) {
    if !SPRING_POLY && f(JNT_STIFFNESS + j) == 0.0 { return; }
    let kind = jnt_type(j);
    let q = jnt_qposadr(j);
    let d = QFRC_SMOOTH + jnt_dofadr(j);
    if is_scalar(kind) {
        let x = w[QPOS + q] - f(QPOS_SPRING + q);
        w[d] -= spring_coef(j, x) * x;
        return;
    }
    var at = q;
    var to = d;
    if is_free(kind) {
        let delta = w3(QPOS + q) - vec3r(f(QPOS_SPRING + q), f(QPOS_SPRING + q + 1u), f(QPOS_SPRING + q + 2u));
        put3(d, w3(d) - spring_coef(j, sqrt(dot(delta, delta))) * delta);
        at += 3u;
        to += 3u;
    }
    let ref_quat = vec4r(f(QPOS_SPRING + at), f(QPOS_SPRING + at + 1u), f(QPOS_SPRING + at + 2u), f(QPOS_SPRING + at + 3u));
    let delta = quat_to_rotvec(qmul(qconj(ref_quat), qunit(w4(QPOS + at))));
    put3(to, w3(to) - spring_coef(j, sqrt(dot(delta, delta))) * delta);
}

fn accumulate_subtrees() {
    // Each lane sums one of the 16 components, so no barrier is needed. The list is terminated by a sentinel,
    // because the compiler would unroll a loop with a known length.
    for (var k = lane; k < 16u; k += LANES) {
        for (var e = SUBTREE_PAIRS; ti[e] != NONE; e += 2u) { add_inertia(ti[e + 1u], ti[e], k); }
    }
    sync_inertias();
}
// Inertia matrix M (mj_crb) and minus the bias force (mj_rne).
fn crb() {
    for (var i = lane; i < NV; i += LANES) {
        let b = ti[DOF_BODY + i];
        let own = spatial(cdof_adr(i));
        let cfrc = inertia_mul(body_inertia(b), own);
        w[QFRC_SMOOTH + i] = -spatial_dot(own, body_force(b));
        set_M(i, i, spatial_dot(own, cfrc) + f(DOF_ARMATURE + i));
        for (var j = dof_parentid(i); j < NV; j = dof_parentid(j)) {
            let value = spatial_dot(spatial(cdof_adr(j)), cfrc);
            set_M(i, j, value);
            set_M(j, i, value);
        }
    }
    sync_matrices();
    for (var e = lane; e < NTENDON_ARMATURE; e += LANES) {
        add_M(ti[TENDON_ARMATURE_ROW + e], ti[TENDON_ARMATURE_COLUMN + e], f(TENDON_ARMATURE + e));
    }
    if NTENDON_ARMATURE > 0u { sync_matrices(); }
#ifdef SPATIAL_TENDON
    spatial_armature();
#endif
}
