// mj_instantiateEquality: connect, weld, joint and tendon equality constraints.

struct EqualityFrames { p1: vec3r, p2: vec3r, q1: vec4r, q2: vec4r, b1: u32, b2: u32 }

// With `saved`, the poses are those that were saved for sensors.
fn equality_frames(e: u32, saved: bool) -> EqualityFrames {
    var frames: EqualityFrames;
    frames.b1 = ti[EQ_BODY1 + e];
    frames.b2 = ti[EQ_BODY2 + e];
    var r1: vec4r;
    var r2: vec4r;
    if saved {
        r1 = sensor_xquat(frames.b1);
        r2 = sensor_xquat(frames.b2);
        frames.p1 = sensor_xpos(frames.b1);
        frames.p2 = sensor_xpos(frames.b2);
    } else {
        r1 = w4(xquat_adr(frames.b1));
        r2 = w4(xquat_adr(frames.b2));
        frames.p1 = w3(XPOS + 3u * frames.b1);
        frames.p2 = w3(XPOS + 3u * frames.b2);
    }
    frames.p1 += qrot(r1, f3(EQ_POS1, e));
    frames.p2 += qrot(r2, f3(EQ_POS2, e));
    frames.q1 = qmul(r1, f4(EQ_QUAT1, e));
    frames.q2 = qmul(r2, f4(EQ_QUAT2, e));
    return frames;
}

fn instantiate_equality() {
    if NEQ == 0u { return; }
#ifdef BODY_EQUALITY
    // Frames of all body equalities, one per lane, then their Jacobians, one column per lane.
    for (var e = lane; e < NEQ; e += LANES) {
        if ti[EQ_TYPE + e] != EQ_SCALAR { store_equality_frames(e); }
    }
    sync();
    for (var e = 0u; e < NEQ; e++) {
        if ti[EQ_TYPE + e] != EQ_SCALAR { body_equality_jacobian(e); }
    }
    sync();
#endif
    for (var e = lane; e < NEQ; e += LANES) {
        if ti[EQ_TYPE + e] == EQ_SCALAR { scalar_equality(e); }
#ifdef BODY_EQUALITY
        else { body_equality_params(e); }
#endif
    }
    sync_matrices();
}

fn set_equality_params(r: u32, count: u32, e: u32, pos: array<real, 6>) {
    let prm = EQ_SOLPARAMS + 3u * e;
    var norm2 = real(0.0);
    for (var k = 0u; k < count; k++) { norm2 += pos[k] * pos[k]; }
    let imp = impedance(prm, sqrt(norm2));
    for (var k = 0u; k < count; k++) {
        let weight = select(f4(prm, 1u).w, f4(prm, 2u).x, k > 2u);
        w[EFC_D + r + k] = 1.0 / max((1.0 - imp) * weight / imp, MINVAL);
#ifdef SLEEP
        if equality_asleep(e) { w[EFC_D + r + k] = 0.0; }
#endif
        w[EFC_JAR + r + k] = -f4(prm, 0u).x * imp * pos[k];
        w[EFC_JV + r + k] = f4(prm, 0u).y;
        set_row_group(r + k, ti[EQ_GROUP + e]);
    }
}

#ifdef BODY_EQUALITY
// The frames are kept in the row parameters, which are set later: positions and imaginary parts of the quaternions in
// EFC_JAR and EFC_JV, real parts in EFC_D.
fn store_equality_frames(e: u32) {
    let r = ti[EQ_ROW + e];
    let frames = equality_frames(e, false);
    put3(EFC_JAR + r, frames.p1);
    put3(EFC_JV + r, frames.p2);
    if ti[EQ_TYPE + e] == EQ_WELD {
        put3(EFC_JAR + r + 3u, frames.q1.yzw);
        put3(EFC_JV + r + 3u, frames.q2.yzw);
        w[EFC_D + r] = frames.q1.x;
        w[EFC_D + r + 1u] = frames.q2.x;
    }
}

fn body_equality_jacobian(e: u32) {
    let r = ti[EQ_ROW + e];
    let b1 = ti[EQ_BODY1 + e];
    let b2 = ti[EQ_BODY2 + e];
    let weld = ti[EQ_TYPE + e] == EQ_WELD;
    for (var i = lane; i < NV; i += LANES) {
        let v = jac_difference(i, b1, w3(EFC_JAR + r), b2, w3(EFC_JV + r));
        for (var k = 0u; k < 3u; k++) { set_J(r + k, i, -v.lin[k]); }
        if weld {
            let q1 = vec4r(w[EFC_D + r], w3(EFC_JAR + r + 3u));
            let inverse = qconj(vec4r(w[EFC_D + r + 1u], w3(EFC_JV + r + 3u)));
            let ang_jac = 0.5 * f(EQ_TORQUESCALE + e) * qmul(qmul(inverse, vec4r(0.0, -v.ang)), q1).yzw;
            for (var k = 0u; k < 3u; k++) { set_J(r + 3u + k, i, ang_jac[k]); }
        }
    }
}

// Parameters of the rows. The bias acceleration, which does not depend on qacc, is a part of the reference
// acceleration.
fn body_equality_params(e: u32) {
    let r = ti[EQ_ROW + e];
    let frames = equality_frames(e, false);
    let torque = f(EQ_TORQUESCALE + e);
    let inverse = qconj(frames.q2);
    let weld = ti[EQ_TYPE + e] == EQ_WELD;
    let pos_error = frames.p1 - frames.p2;
    let ang_error = torque * qmul(inverse, frames.q1).yzw;
    let pos = array<real, 6>(pos_error.x, pos_error.y, pos_error.z, ang_error.x, ang_error.y, ang_error.z);
    set_equality_params(r, select(3u, 6u, weld), e, pos);
    let a1 = bias_acceleration(frames.b1, frames.p1);
    let a2 = bias_acceleration(frames.b2, frames.p2);
    put3(EFC_JAR + r, w3(EFC_JAR + r) - (a1.lin - a2.lin));
    if !weld { return; }
    let w1 = body_velocity(frames.b1).ang;
    let w2 = body_velocity(frames.b2).ang;
    let angvel = w1 - w2;
    let rate1 = 0.5 * qmul(vec4r(0.0, w1), frames.q1);
    let rate2 = qconj(0.5 * qmul(vec4r(0.0, w2), frames.q2));
    let angacc = a1.ang - a2.ang;
    let sum = qmul(qmul(rate2, vec4r(0.0, angvel)), frames.q1)
        + qmul(qmul(inverse, vec4r(0.0, angacc)), frames.q1)
        + qmul(qmul(inverse, vec4r(0.0, angvel)), rate1);
    put3(EFC_JAR + r + 3u, w3(EFC_JAR + r + 3u) - 0.5 * torque * sum.yzw);
}
#endif

// Bias acceleration of a point and of a body's rotation: the part that does not depend on qacc.
fn bias_acceleration(b: u32, p: vec3r) -> Spatial {
    let tree = ti[BODY_TREE + b];
    if tree >= NTREE { return Spatial(vec3r(0.0), vec3r(0.0)); }
    let arm = p - w3(TREE_REF + 3u * tree);
    let v = body_velocity(b);
    let a = body_bias_acceleration(b);
    let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    let velocity = v.lin + cross(v.ang, arm);
    return Spatial(a.ang, a.lin + gravity + cross(a.ang, arm) + cross(v.ang, velocity));
}

// Joint and tendon equalities, one per lane: the first scalar is a polynomial of the second. Entries of the row other
// than those of the joints or tendons are always zero.
fn scalar_equality(e: u32) {
    let r = ti[EQ_ROW + e];
    var x = real(0.0);
    let tendon = ti[EQ_BODY1 + e] == 1u;
    let id1 = ti[EQ_OBJ1 + e];
    let id2 = ti[EQ_OBJ2 + e];
    var first: real;
    if tendon { first = w[TEN_LENGTH + id1]; } else { first = w[QPOS + jnt_qposadr(id1)]; }
    first -= f(EQ_REF0 + e);
    if id2 != NONE {
        if tendon { x = w[TEN_LENGTH + id2]; } else { x = w[QPOS + jnt_qposadr(id2)]; }
        x -= f(EQ_REF0 + NEQ + e);
    }
    let a0 = f(EQ_POLYCOEF + e);
    let a1 = f(EQ_POLYCOEF + NEQ + e);
    let a2 = f(EQ_POLYCOEF + 2u * NEQ + e);
    let a3 = f(EQ_POLYCOEF + 3u * NEQ + e);
    let a4 = f(EQ_POLYCOEF + 4u * NEQ + e);
    let target_ = x * (a1 + x * (a2 + x * (a3 + x * a4)));
    let slope = a1 + x * (2.0 * a2 + x * (3.0 * a3 + x * 4.0 * a4));
    clear_scalar_jacobian(r, tendon, id1);
    if id2 != NONE { clear_scalar_jacobian(r, tendon, id2); }
    add_scalar_jacobian(r, tendon, id1, real(1.0));
    if id2 != NONE { add_scalar_jacobian(r, tendon, id2, -slope); }
    set_equality_params(r, 1u, e, array<real, 6>(first - a0 - target_, 0.0, 0.0, 0.0, 0.0, 0.0));
}

fn clear_scalar_jacobian(r: u32, tendon: bool, id: u32) {
    if tendon { clear_tendon_row(r, id); } else { set_J(r, jnt_dofadr(id), real(0.0)); }
}

fn add_scalar_jacobian(r: u32, tendon: bool, id: u32, factor: real) {
    if !tendon {
        let d = jnt_dofadr(id);
        set_J(r, d, J(r, d) + factor);
        return;
    }
    add_tendon_row(r, id, factor);
}
