// Trees of a single free body under implicit integration: implicit midpoint rule for the rotation in the
// principal axes of inertia.

// Writes the mean acceleration over the step to SEARCH and the midpoint velocity to GRAD.
fn single_body_midpoint(h: real) {
    for (var j = lane; j < NJNT; j += LANES) {
        if ti[JNT_SINGLE_BODY + j] == 0u { continue; }
        let d = jnt_dofadr(j);
#ifdef SLEEP
        if tree_asleep(ti[DOF_TREE + d]) { continue; }
#endif
        let b = ti[DOF_BODY + d];
        let q = QPOS + jnt_qposadr(j);
        let xquat = qunit(w4(q + 3u));
        let iquat = f4(BODY_IQUAT, b);
        let ipos = f3(BODY_IPOS, b);
        let iquat_inv = qconj(iquat);
        let inertia = f3(BODY_INERTIA, b);
        let mass = f4(BODY_IPOS, b).w;
        let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
        let linvel = w3(QVEL + d);
        let angvel = w3(QVEL + d + 3u);
        let v = qrot(iquat_inv, angvel);
        // All forces except gravity and the inertial forces, which M qacc already contains with opposite sign.
        let arm = qrot(xquat, ipos);
        let angvel_world = qrot(xquat, angvel);
        let inertial = mass * (cross(angvel_world, cross(angvel_world, arm)) - gravity);
        var force = w3(MA + d) + inertial;
        let gyro = qrot(iquat, cross(v, inertia * v)) + cross(ipos, qrot(qconj(xquat), inertial));
        var total_torque = w3(MA + d + 3u) + gyro;
#ifdef SPATIAL_TENDON
        if SPATIAL_ARMATURE {
            force += w3(TEN_BIAS + d);
            total_torque += w3(TEN_BIAS + d + 3u);
        }
#endif
        var torque = qrot(iquat_inv, total_torque);
        var v_mid_world: vec3r;
        let from_world = qmul(iquat_inv, qconj(xquat));
        let com = qrot(iquat_inv, ipos);
        let aligned = all(ipos == vec3r(0.0));
        let force_local = qrot(from_world, force);
        if !aligned { torque -= cross(com, force_local); }
        let mid = solve_midpoint_angvel(inertia, v, torque, h);
        let angvel_mid = qrot(iquat, mid);
        let angvel_next = qrot(iquat, 2.0 * mid - v);
        if aligned {
            // Translation as for any other dof.
            v_mid_world = linvel + h * w3(SEARCH + d);
        } else {
            let own = qrot(from_world, linvel);
            let rate = 2.0 / h;
            let b0 = force_local / mass + qrot(from_world, gravity) + rate * (own + cross(v, com));
            let along = mid * (dot(mid, b0) / rate);
            let v_mid = (rate * b0 + along - cross(mid, b0)) / (rate * rate + dot(mid, mid)) - cross(mid, com);
            let turned = qmul(xquat, rotvec_to_quat(h * angvel_mid));
            let next = qrot(turned, qrot(iquat, 2.0 * v_mid - own));
            v_mid_world = 0.5 * (next + linvel);
            put3(SEARCH + d, (next - linvel) / h);
        }
        put3(SEARCH + d + 3u, (angvel_next - angvel) / h);
        put3(GRAD + d, v_mid_world);
        put3(GRAD + d + 3u, 0.5 * (angvel_next + angvel));
    }
    sync();
}

// Solves (2/h) I (x - v) + x × I x = torque by Newton's method with backtracking.
fn solve_midpoint_angvel(inertia: vec3r, v: vec3r, torque: vec3r, h: real) -> vec3r {
    let rate = 2.0 / h;
    let inertia_diff = inertia.zxy - inertia.yzx;
    var x = v;
    var r = midpoint_residual(inertia, v, torque, rate, x);
    for (var k = 0u; k < 100u; k++) {
        let size = dot(r, r);
        let momentum = inertia * x;
        let small = 100.0 * MINVAL * (1.0 + rate * sqrt(dot(momentum, momentum)));
        if size < small * small { break; }
        let r0 = vec3r(rate * inertia.x, x.z * inertia_diff.x, x.y * inertia_diff.x);
        let r1 = vec3r(x.z * inertia_diff.y, rate * inertia.y, x.x * inertia_diff.y);
        let r2 = vec3r(x.y * inertia_diff.z, x.x * inertia_diff.z, rate * inertia.z);
        let c0 = cross(r1, r2);
        let det = dot(r0, c0);
        if det == 0.0 { break; }
        let step = (c0 * r.x + cross(r2, r0) * r.y + cross(r0, r1) * r.z) / det;
        var length = real(1.0);
        var improved = false;
        for (var i = 0u; i < 20u; i++) {
            let trial = x - length * step;
            let trial_residual = midpoint_residual(inertia, v, torque, rate, trial);
            if dot(trial_residual, trial_residual) < size { x = trial; r = trial_residual; improved = true; break; }
            length *= 0.5;
        }
        if !improved { break; }
    }
    return x;
}
fn midpoint_residual(inertia: vec3r, v: vec3r, torque: vec3r, rate: real, x: vec3r) -> vec3r {
    return rate * inertia * (x - v) + cross(x, inertia * x) - torque;
}
