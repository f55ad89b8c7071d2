// Free bodies that carry nothing, under implicit integration: the midpoint rule in their principal axes.

// puts accelerations over the step into SEARCH and the velocities half way into GRAD
fn move_lone(h: real) {
    for (var j = lane; j < NJNT; j += LANES) {
        if ti[JNT_LONE + j] == 0u { continue; }
        let d = jnt_dof(j);
        let b = ti[DOF_BODY + d];
        let q = QPOS + jnt_qpos(j);
        let xquat = qunit(w4(q + 3u));
        let iquat = f4(BODY_IQUAT, b);
        let ipos = f3(BODY_IPOS, b);
        let back = qconj(iquat);
        let inertia = f3(BODY_INERTIA, b);
        let mass = f4(BODY_IPOS, b).w;
        let gravity = vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
        let linear = w3(QVEL + d);
        let spin = w3(QVEL + d + 3u);
        let v = qrot(back, spin);
        // all forces but those of gravity and motion, which the total has taken off
        let arm = qrot(xquat, ipos);
        let turning = qrot(xquat, spin);
        let swing = mass * (cross(turning, cross(turning, arm)) - gravity);
        let force = w3(MA + d) + swing;
        let gyro = qrot(iquat, cross(v, inertia * v)) + cross(ipos, qrot(qconj(xquat), swing));
        var torque = qrot(back, w3(MA + d + 3u) + gyro);
        var middle: vec3r;
        let from_world = qmul(back, qconj(xquat));
        let com = qrot(back, ipos);
        let aligned = all(ipos == vec3r(0.0));
        let pull = qrot(from_world, force);
        if !aligned { torque -= cross(com, pull); }
        let mid = middle_spin(inertia, v, torque, h);
        let spin_mid = qrot(iquat, mid);
        let spin_next = qrot(iquat, 2.0 * mid - v);
        if aligned {
            // as any other dof
            middle = linear + h * w3(SEARCH + d);
        } else {
            let own = qrot(from_world, linear);
            let rate = 2.0 / h;
            let b0 = pull / mass + qrot(from_world, gravity) + rate * (own + cross(v, com));
            let along = mid * (dot(mid, b0) / rate);
            let v_mid = (rate * b0 + along - cross(mid, b0)) / (rate * rate + dot(mid, mid)) - cross(mid, com);
            let turned = qmul(xquat, qexp(h * spin_mid));
            let next = qrot(turned, qrot(iquat, 2.0 * v_mid - own));
            middle = 0.5 * (next + linear);
            put3(SEARCH + d, (next - linear) / h);
        }
        put3(SEARCH + d + 3u, (spin_next - spin) / h);
        put3(GRAD + d, middle);
        put3(GRAD + d + 3u, 0.5 * (spin_next + spin));
    }
    sync();
}

// solves (2/h) I (x - v) + x cross I x = torque by Newton's method with backtracking
fn middle_spin(inertia: vec3r, v: vec3r, torque: vec3r, h: real) -> vec3r {
    let rate = 2.0 / h;
    let spread = inertia.zxy - inertia.yzx;
    var x = v;
    var r = spin_residual(inertia, v, torque, rate, x);
    for (var k = 0u; k < 100u; k++) {
        let size = dot(r, r);
        let momentum = inertia * x;
        let small = 100.0 * MINVAL * (1.0 + rate * sqrt(dot(momentum, momentum)));
        if size < small * small { break; }
        let r0 = vec3r(rate * inertia.x, x.z * spread.x, x.y * spread.x);
        let r1 = vec3r(x.z * spread.y, rate * inertia.y, x.x * spread.y);
        let r2 = vec3r(x.y * spread.z, x.x * spread.z, rate * inertia.z);
        let c0 = cross(r1, r2);
        let det = dot(r0, c0);
        if det == 0.0 { break; }
        let step = (c0 * r.x + cross(r2, r0) * r.y + cross(r0, r1) * r.z) / det;
        var length = real(1.0);
        var found = false;
        for (var i = 0u; i < 20u; i++) {
            let trial = x - length * step;
            let there = spin_residual(inertia, v, torque, rate, trial);
            if dot(there, there) < size { x = trial; r = there; found = true; break; }
            length *= 0.5;
        }
        if !found { break; }
    }
    return x;
}
fn spin_residual(inertia: vec3r, v: vec3r, torque: vec3r, rate: real, x: vec3r) -> vec3r {
    return rate * inertia * (x - v) + cross(x, inertia * x) - torque;
}
