// Rows that hold bodies together or couple joints and tendons.

struct Tie { p1: vec3r, p2: vec3r, q1: vec4r, q2: vec4r, b1: u32, b2: u32 }

fn tie(e: u32) -> Tie {
    var t: Tie;
    t.b1 = ti[EQ_BODY1 + e];
    t.b2 = ti[EQ_BODY2 + e];
    let r1 = w4(turn_at(t.b1));
    let r2 = w4(turn_at(t.b2));
    t.p1 = w3(XPOS + 3u * t.b1) + qrot(r1, f3(EQ_POS1, e));
    t.p2 = w3(XPOS + 3u * t.b2) + qrot(r2, f3(EQ_POS2, e));
    t.q1 = qmul(r1, f4(EQ_QUAT1, e));
    t.q2 = qmul(r2, f4(EQ_QUAT2, e));
    return t;
}

fn equality_rows() {
    for (var e = 0u; e < NEQ; e++) {
        let kind = ti[EQ_KIND + e];
        let r = ti[EQ_ROW + e];
        if kind == EQ_COUPLE { couple(e, r); } else { hold(e, r, kind == EQ_WELD); }
    }
    if NEQ > 0u { sync_matrices(); }
}

fn soften_equal(r: u32, count: u32, e: u32, pos: array<real, 6>) {
    let prm = EQ_PRM + 3u * e;
    var norm2 = real(0.0);
    for (var k = 0u; k < count; k++) { norm2 += pos[k] * pos[k]; }
    let imp = impedance(prm, sqrt(norm2));
    for (var k = 0u; k < count; k++) {
        let weight = select(f4(prm, 1u).w, f4(prm, 2u).x, k > 2u);
        w[EFC_D + r + k] = 1.0 / max((1.0 - imp) * weight / imp, MINVAL);
        w[EFC_JAR + r + k] = -f4(prm, 0u).x * imp * pos[k];
        w[EFC_JV + r + k] = f4(prm, 0u).y;
        note_team(r + k, ti[EQ_TEAM + e]);
    }
}

fn hold(e: u32, r: u32, weld: bool) {
    let t = tie(e);
    let torque = f(EQ_TORQUE + e);
    let inverse = qconj(t.q2);
    for (var i = lane; i < NV; i += LANES) {
        let v = relative(i, t.b1, t.p1, t.b2, t.p2);
        for (var k = 0u; k < 3u; k++) { set_J(r + k, i, -v.l[k]); }
        if weld {
            let turned = 0.5 * torque * qmul(qmul(inverse, vec4r(0.0, -v.a)), t.q1).yzw;
            for (var k = 0u; k < 3u; k++) { set_J(r + 3u + k, i, turned[k]); }
        }
    }
    if lane == 0u {
        let apart = t.p1 - t.p2;
        let turn = torque * qmul(inverse, t.q1).yzw;
        let pos = array<real, 6>(apart.x, apart.y, apart.z, turn.x, turn.y, turn.z);
        soften_equal(r, select(3u, 6u, weld), e, pos);
    }
}

// joints and tendons: the first is a polynomial of the second
fn couple(e: u32, r: u32) {
    var x = real(0.0);
    let tendon = ti[EQ_BODY1 + e] == 1u;
    let one = ti[EQ_ONE + e];
    let two = ti[EQ_TWO + e];
    var first: real;
    if tendon { first = w[TEN_LENGTH + one]; } else { first = w[QPOS + jnt_qpos(one)]; }
    first -= f(EQ_ZERO + e);
    if two != NONE {
        if tendon { x = w[TEN_LENGTH + two]; } else { x = w[QPOS + jnt_qpos(two)]; }
        x -= f(EQ_ZERO + NEQ + e);
    }
    let a0 = f(EQ_POLY + e);
    let a1 = f(EQ_POLY + NEQ + e);
    let a2 = f(EQ_POLY + 2u * NEQ + e);
    let a3 = f(EQ_POLY + 3u * NEQ + e);
    let a4 = f(EQ_POLY + 4u * NEQ + e);
    let target_ = x * (a1 + x * (a2 + x * (a3 + x * a4)));
    let slope = a1 + x * (2.0 * a2 + x * (3.0 * a3 + x * 4.0 * a4));
    if lane == 0u {
        for (var i = 0u; i < NV; i++) { set_J(r, i, real(0.0)); }
        add_term(r, tendon, one, real(1.0));
        if two != NONE { add_term(r, tendon, two, -slope); }
        let pos = array<real, 6>(first - a0 - target_, 0.0, 0.0, 0.0, 0.0, 0.0);
        soften_equal(r, 1u, e, pos);
    }
}

fn add_term(r: u32, tendon: bool, id: u32, factor: real) {
    if !tendon {
        let d = jnt_dof(id);
        set_J(r, d, J(r, d) + factor);
        return;
    }
    let last = ti[TENDON + id + 1u];
    for (var k = ti[TENDON + id]; k < last; k++) {
        let d = ti[TENDON_DOF + k];
        set_J(r, d, J(r, d) + factor * f(TENDON_COEF + k));
    }
}

// acceleration of a point and of a body's rotation that joint accelerations do not make
fn drift(b: u32, p: vec3r) -> Six {
    let tree = ti[BODY_TREE + b];
    if tree >= NTREE { return Six(vec3r(0.0), vec3r(0.0)); }
    let arm = p - w3(REF + 3u * tree);
    let v = six(CVEL + 6u * b);
    let a = six(CACC + 6u * b);
    let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    let speed = v.l + cross(v.a, arm);
    return Six(a.a, a.l + gravity + cross(a.a, arm) + cross(v.a, speed));
}

fn equality_drift() {
    for (var e = lane; e < NEQ; e += LANES) {
        let kind = ti[EQ_KIND + e];
        if kind == EQ_COUPLE { continue; }
        let t = tie(e);
        let r = ti[EQ_ROW + e];
        let a1 = drift(t.b1, t.p1);
        let a2 = drift(t.b2, t.p2);
        put3(EFC_AREF + r, w3(EFC_AREF + r) - (a1.l - a2.l));
        if kind != EQ_WELD { continue; }
        let w1 = w3(CVEL + 6u * t.b1);
        let w2 = w3(CVEL + 6u * t.b2);
        let against = w1 - w2;
        let inverse = qconj(t.q2);
        let rate1 = 0.5 * qmul(vec4r(0.0, w1), t.q1);
        let rate2 = qconj(0.5 * qmul(vec4r(0.0, w2), t.q2));
        let turning = a1.a - a2.a;
        let sum = qmul(qmul(rate2, vec4r(0.0, against)), t.q1)
            + qmul(qmul(inverse, vec4r(0.0, turning)), t.q1)
            + qmul(qmul(inverse, vec4r(0.0, against)), rate1);
        put3(EFC_AREF + r + 3u, w3(EFC_AREF + r + 3u) - 0.5 * f(EQ_TORQUE + e) * sum.yzw);
    }
    if NEQ > 0u { sync(); }
}
