// mj_transmission and mj_fwdActuation: actuator lengths, moments, activation dynamics and forces.

fn fwd_actuation() {
    dense_moments();
    for (var i = lane; i < NU; i += LANES) { actuator_force(i); }
    if TENDON_ACTFRC_LIMITED {
        // Scale factors that keep the total actuator force on each tendon within its range.
        sync();
        for (var t = lane; t < NTENDON; t += LANES) { w[TEN_FORCE + t] = tendon_force_scale(t); }
        sync();
    }
    for (var i = lane; i < NU; i += LANES) { clamp_actuator_force(i); }
    sync();
#ifdef ADHESION
    for (var k = lane; k < NADHESION; k += LANES) { w[ADHESION_FORCE + k] = w[ACTUATOR_FORCE + ti[ADHESION_ACT + k]]; }
#endif
    for (var i = lane; i < NV; i += LANES) {
        if HAS_ACTGRAVCOMP && ti[DOF_ACTGRAVCOMP + i] == 1u {
            // Gravity compensation of this dof is applied through actuators, so it is removed from the passive force
            // here.
            w[QFRC_SMOOTH + i] -= gravcomp_force(i);
            if !ACTUATION_ENABLED { continue; }
        }
        w[QFRC_SMOOTH + i] += qfrc_actuator(i);
    }
    sync();
}

// Generalised actuator force of a dof (qfrc_actuator), including gravity compensation applied through actuators.
fn qfrc_actuator(i: u32) -> real {
    var sum = real(0.0);
    let last = ti[DOF_ACT_ADR + i + 1u];
    for (var k = ti[DOF_ACT_ADR + i]; k < last; k++) { sum += f(DOF_ACT_COEF + k) * w[ACTUATOR_FORCE + ti[DOF_ACT_ID + k]]; }
    for (var k = 0u; k < NDENSE; k++) { sum += w[MOMENT + k * NV + i] * w[ACTUATOR_FORCE + ti[DENSE_ACT + k]]; }
    if HAS_ACTGRAVCOMP && ACTUATION_ENABLED { if ti[DOF_ACTGRAVCOMP + i] == 1u { sum += gravcomp_force(i); } }
    return clamp(sum, f(DOF_ACTFRC_MIN + i), f(DOF_ACTFRC_MAX + i));
}

// Generalised gravity compensation force of a dof.
fn gravcomp_force(i: u32) -> real {
    var sum = real(0.0);
    if !GRAVCOMP { return sum; }
    let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    for (var b = 1u; b < NBODY; b++) {
        let gravcomp_mass = f4(BODY_INERTIA, b).w * f4(BODY_IPOS, b).w;
        if gravcomp_mass == 0.0 || !dof_moves_body(b, i) { continue; }
        let centre = w3(XPOS + 3u * b) + qrot(w4(xquat_adr(b)), f3(BODY_IPOS, b));
        sum -= gravcomp_mass * dot(gravity, jac_difference(i, 0u, centre, b, centre).lin);
    }
    return sum;
}

// Moments of actuators that act on ball and free joints and on sites: one dense row of nv entries each.
fn dense_moments() {
    for (var k = 0u; k < NDENSE; k++) {
        let kind = ti[DENSE_TYPE + k];
        if kind == DENSE_SITE { site_moment(k); }
        else if kind == DENSE_SLIDERCRANK { slidercrank_moment(k); }
        else if kind == DENSE_TENDON { tendon_moment(k); }
        else { joint_moment(k); }
    }
    if NDENSE > 0u { sync(); }
}

fn joint_moment(k: u32) {
    let rot = qunit(w4(QPOS + ti[DENSE_QPOSADR + k]));
    let force = f3(DENSE_GEAR_LIN, k);
    var torque = f3(DENSE_GEAR_ROT, k);
    if ti[DENSE_IN_PARENT + k] == 1u { torque = qrot(qconj(rot), torque); }
    let free = ti[DENSE_TYPE + k] == DENSE_FREE;
    let d = ti[DENSE_DOFADR + k];
    for (var i = lane; i < NV; i += LANES) {
        var value = real(0.0);
        if i >= d && i < d + 3u { value = torque[i - d]; }
        if free && i + 3u >= d && i < d { value = force[i + 3u - d]; }
        w[MOMENT + k * NV + i] = value;
    }
    if lane == 0u { w[DENSE_LENGTH + k] = select(dot(quat_to_rotvec(rot), torque), real(0.0), free); }
}

fn site_moment(k: u32) {
    let b1 = ti[DENSE_BODY1 + k];
    let b2 = ti[DENSE_BODY2 + k];
    let r1 = w4(xquat_adr(b1));
    let r2 = w4(xquat_adr(b2));
    let p1 = w3(XPOS + 3u * b1) + qrot(r1, f3(DENSE_POS1, k));
    let p2 = w3(XPOS + 3u * b2) + qrot(r2, f3(DENSE_POS2, k));
    let q1 = f4(DENSE_QUAT1, k);
    let q2 = f4(DENSE_QUAT2, k);
    let has_refsite = ti[DENSE_HAS_REFSITE + k] == 1u;
    var axes = qmul(r2, q2);
    if has_refsite { axes = qmul(r1, q1); }
    let force = f3(DENSE_GEAR_LIN, k);
    let torque = f3(DENSE_GEAR_ROT, k);
    let force_world = qrot(axes, force);
    let torque_world = qrot(axes, torque);
    for (var i = lane; i < NV; i += LANES) {
        var value = real(0.0);
        // Dofs that move both bodies do no work.
        if dof_moves_body(b1, i) != dof_moves_body(b2, i) {
            let v = jac_difference(i, b1, p1, b2, p2);
            value = dot(v.lin, force_world) + dot(v.ang, torque_world);
        }
        w[MOMENT + k * NV + i] = value;
    }
    if lane == 0u {
        var length = real(0.0);
        if has_refsite {
            // Quaternion products in the order of the CPU implementation.
            let rotvec = quat_to_rotvec(qmul(qconj(qmul(q1, r1)), qmul(q2, r2)));
            length = dot(qrot(qconj(axes), p2 - p1), force) + dot(rotvec, torque);
        }
        w[DENSE_LENGTH + k] = length;
    }
}

// Slider-crank: a rod of length r between the crank (body 2) and a slider that moves along the z axis of its site
// (body 1). The length is a·v - sqrt((a·v)² + r² - v·v).
fn slidercrank_moment(k: u32) {
    let b1 = ti[DENSE_BODY1 + k];
    let b2 = ti[DENSE_BODY2 + k];
    let r1 = w4(xquat_adr(b1));
    let p1 = w3(XPOS + 3u * b1) + qrot(r1, f3(DENSE_POS1, k));
    let p2 = w3(XPOS + 3u * b2) + qrot(w4(xquat_adr(b2)), f3(DENSE_POS2, k));
    let axis = qz(qmul(r1, f4(DENSE_QUAT1, k)));
    let rod = f3(DENSE_GEAR_ROT, k).x;
    let gear = f3(DENSE_GEAR_LIN, k).x;
    let v = p2 - p1;
    let along = dot(v, axis);
    let det = along * along + rod * rod - dot(v, v);
    // Gradients of the length with respect to the axis and v.
    var length = along;
    var by_axis = v;
    var by_v = axis;
    if det > 0.0 {
        let root = sqrt(det);
        length -= root;
        by_axis = v * (1.0 - along / root);
        by_v = axis * (1.0 - along / root) + v / root;
    }
    for (var i = lane; i < NV; i += LANES) {
        var value = dot(by_v, jac_difference(i, b1, p1, b2, p2).lin);
        if dof_moves_body(b1, i) { value += dot(by_axis, cross(w3(cdof_adr(i)), axis)); }
        w[MOMENT + k * NV + i] = gear * value;
    }
    if lane == 0u { w[DENSE_LENGTH + k] = gear * length; }
}

fn tendon_moment(k: u32) {
#ifdef SPATIAL_TENDON
    let gear = f3(DENSE_GEAR_LIN, k).x;
    let t = ti[ACT_TENDON + ti[DENSE_ACT + k]];
    for (var i = lane; i < NV; i += LANES) { w[MOMENT + k * NV + i] = gear * ten_J(ti[TENDON_SPATIAL + t], i); }
    if lane == 0u { w[DENSE_LENGTH + k] = gear * w[TEN_LENGTH + t]; }
#endif
}

// Length and velocity of an actuator's transmission.
fn transmission(i: u32) -> vec2<real> {
    var sum = vec2<real>(0.0);
    let last = ti[ACT_MOMENT_ADR + i + 1u];
    for (var k = ti[ACT_MOMENT_ADR + i]; k < last; k++) {
        sum += f(ACT_MOMENT_COEF + k) * vec2<real>(w[QPOS + ti[ACT_MOMENT_QPOSADR + k]], w[QVEL + ti[ACT_MOMENT_DOF + k]]);
    }
    if NDENSE > 0u {
        let dense = ti[ACT_DENSE + i];
        if dense != NONE {
            sum.x = w[DENSE_LENGTH + dense];
            for (var d = 0u; d < NV; d++) { sum.y += w[MOMENT + dense * NV + d] * w[QVEL + d]; }
        }
    }
    return sum;
}

fn actuator_force(i: u32) {
    let at = transmission(i);
    let length = at.x;
    let velocity = at.y;
    let gainprm = f4(ACT_GAINPRM, i);
    let biasprm = f4(ACT_BIASPRM, i);
#ifdef HISTORY
    let u = clamp(delayed_ctrl(i), gainprm.w, biasprm.w);
#else
    let u = clamp(mjcb_control(i), gainprm.w, biasprm.w);
#endif
#ifdef DC_MOTOR
    let motor = ti[ACT_MOTOR + i];
    if motor != NONE {
        w[ACTUATOR_VELOCITY + i] = velocity;
        // The gain is one, or zero if the actuator is disabled.
        w[ACTUATOR_FORCE + i] = gainprm.x * motor_force(i, u, length, velocity);
        if FORCE_DERIVATIVES { w[FORCE_DERIV + i] = gainprm.x * f(MOTOR_DERIV + motor); }
        return;
    }
#endif
    var ctrl_act = update_activation(i, u);
    var gain = gainprm.x + gainprm.y * length + gainprm.z * velocity;
    var gain_derivative = gainprm.z;
    var bias = biasprm.x + biasprm.y * length + biasprm.z * velocity;
#ifdef MUSCLE
    let kind = ti[ACT_MUSCLE + i];
    if (kind & 1u) != 0u { let muscle = muscle_gain(i, length, velocity); gain = muscle.x; gain_derivative = muscle.y; }
    if (kind & 2u) != 0u { bias = muscle_bias(i, length); }
#endif
    w[ACTUATOR_FORCE + i] = gain * ctrl_act + bias;
    if FORCE_DERIVATIVES {
        // Derivative of the force with respect to velocity, with the unclamped control.
        if ti[ACT_ADR + i] >= NA { ctrl_act = mjcb_control(i); }
        w[FORCE_DERIV + i] = gain_derivative * ctrl_act + biasprm.z;
    }
}

// Factor that keeps the total actuator force on a tendon within its range.
fn tendon_force_scale(t: u32) -> real {
    var sum = real(0.0);
    for (var i = 0u; i < NU; i++) { if ti[ACT_TENDON + i] == t { sum += w[ACTUATOR_FORCE + i]; } }
    if sum < f(TENDON_ACTFRC_MIN + t) { return f(TENDON_ACTFRC_MIN + t) / sum; }
    if sum > f(TENDON_ACTFRC_MAX + t) { return f(TENDON_ACTFRC_MAX + t) / sum; }
    return real(1.0);
}

// Clamps an actuator force; a clamped force does not depend on velocity.
fn clamp_actuator_force(i: u32) {
    var force = w[ACTUATOR_FORCE + i];
    if TENDON_ACTFRC_LIMITED {
        let t = ti[ACT_TENDON + i];
        if t != NONE { force *= w[TEN_FORCE + t]; }
    }
    let range = f4(ACT_RANGE, i);
    force = clamp(force, range.x, range.y);
#ifdef DC_MOTOR
    if ti[ACT_MOTOR + i] != NONE && f4(ACT_DYN, i).y != 0.0 { force += motor_mechanical_force(i); }
#endif
    w[ACTUATOR_FORCE + i] = force;
    if FORCE_DERIVATIVES { if force <= range.x || force >= range.y { w[FORCE_DERIV + i] = 0.0; } }
}
