// Poses, velocities and inertial forces of bodies, root to leaves; then inertias of subtrees, leaves to root.

fn kinematics() {
    if lane == 0u {
        put3(XPOS, vec3r(0.0));
        put4(XQUAT, vec4r(1.0, 0.0, 0.0, 0.0));
        put6(CVEL, Six(vec3r(0.0), vec3r(0.0)));
        put6(CACC, Six(vec3r(0.0), -vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u))));
    }
    sync();
    for (var l = 0u; l < NLEVEL; l++) {
        let last = ti[LEVEL + l + 1u];
        for (var k = ti[LEVEL + l] + lane; k < last; k += LANES) { place_body(ti[LEVEL_BODY + k]); }
        sync();
    }
}

struct Moving { pos: vec3r, rot: vec4r, vel: Six, acc: Six, ref_: vec3r }

fn place_body(b: u32) {
    let p = ti[BODY_PARENT + b];
    let ppos = w3(XPOS + 3u * p);
    let prot = w4(XQUAT + 4u * p);
    var m: Moving;
    m.pos = ppos + qrot(prot, f3(BODY_POS, NBODY, b));
    m.rot = qmul(prot, f4(BODY_QUAT, NBODY, b));
    if NMOCAP > 0u {
        // its parent is the world
        let k = ti[BODY_MOCAP + b];
        if k != NONE {
            let at = IN_MOCAP + 7u * k;
            m.pos = vec3r(input(at), input(at + 1u), input(at + 2u));
            m.rot = qunit(vec4r(input(at + 3u), input(at + 4u), input(at + 5u), input(at + 6u)));
        }
    }
    m.vel = six(CVEL + 6u * p);
    m.acc = six(CACC + 6u * p);
    let tree = ti[BODY_TREE + b];
    let root = ti[BODY_ROOT + b] == 1u;
    let first = ti[BODY_JNT + b];
    let count = ti[BODY_NJNT + b];
    if root {
        m.ref_ = m.pos;
        if ti[JNT_TYPE + first] == FREE { m.ref_ = w3(QPOS + ti[JNT_QPOS + first]); }
        put3(REF + 3u * tree, m.ref_);
    } else if tree < NTREE {
        m.ref_ = w3(REF + 3u * tree);
    }
    for (var j = first; j < first + count; j++) { move_joint(j, &m); }
    if count > 0u { m.rot = qunit(m.rot); }
    put3(XPOS + 3u * b, m.pos);
    put4(XQUAT + 4u * b, m.rot);
    put6(CVEL + 6u * b, m.vel);
    put6(CACC + 6u * b, m.acc);
    if tree < NTREE { weigh_body(b, m); }
}

fn move_joint(j: u32, m: ptr<function, Moving>) {
    let kind = ti[JNT_TYPE + j];
    let q = QPOS + ti[JNT_QPOS + j];
    let d = ti[JNT_DOF + j];
    if kind == FREE {
        (*m).pos = w3(q);
        (*m).rot = qunit(w4(q + 3u));
        for (var k = 0u; k < 3u; k++) {
            var e = vec3r(0.0);
            e[k] = 1.0;
            put6(CDOF + 6u * (d + k), Six(vec3r(0.0), e));
        }
        (*m).vel.l += w3(QVEL + d);
        turn(d + 3u, (*m).pos, m);
        return;
    }
    let offset = f3(JNT_POS, NJNT, j);
    let axis = qrot((*m).rot, f3(JNT_AXIS, NJNT, j));
    let anchor = (*m).pos + qrot((*m).rot, offset);
    if kind == SLIDE {
        (*m).pos += axis * (w[q] - f(JNT_Q0 + j));
        dof(d, Six(vec3r(0.0), axis), m);
        return;
    }
    if kind == HINGE {
        let sc = sincos(0.5 * (w[q] - f(JNT_Q0 + j)));
        (*m).rot = qmul((*m).rot, vec4r(sc.y, f3(JNT_AXIS, NJNT, j) * sc.x));
        (*m).pos = anchor - qrot((*m).rot, offset);
        dof(d, Six(axis, cross(axis, (*m).ref_ - anchor)), m);
        return;
    }
    (*m).rot = qmul((*m).rot, qunit(w4(q)));
    (*m).pos = anchor - qrot((*m).rot, offset);
    turn(d, anchor, m);
}

// one scalar dof
fn dof(d: u32, axis: Six, m: ptr<function, Moving>) {
    put6(CDOF + 6u * d, axis);
    let v = w[QVEL + d];
    (*m).acc = six_add((*m).acc, six_scale(cross_motion((*m).vel, axis), v));
    (*m).vel = six_add((*m).vel, six_scale(axis, v));
}

// the three dofs of a rotation in the body's axes
fn turn(d: u32, anchor: vec3r, m: ptr<function, Moving>) {
    let arm = (*m).ref_ - anchor;
    let rot = (*m).rot;
    let x = qx(rot);
    let y = qy(rot);
    let z = qz(rot);
    put6(CDOF + 6u * d, Six(x, cross(x, arm)));
    put6(CDOF + 6u * d + 6u, Six(y, cross(y, arm)));
    put6(CDOF + 6u * d + 12u, Six(z, cross(z, arm)));
    let spin = x * w[QVEL + d] + y * w[QVEL + d + 1u] + z * w[QVEL + d + 2u];
    let all = Six(spin, cross(spin, arm));
    (*m).acc = six_add((*m).acc, cross_motion((*m).vel, all));
    (*m).vel = six_add((*m).vel, all);
}

// inertia about the tree's reference point, and the force that keeps the body on its way
fn weigh_body(b: u32, m: Moving) {
    let rot = qmul(m.rot, f4(BODY_IQUAT, NBODY, b));
    let c = m.pos + qrot(m.rot, f3(BODY_IPOS, NBODY, b)) - m.ref_;
    let mass = f(BODY_MASS + b);
    let i = f3(BODY_INERTIA, NBODY, b);
    let x = qx(rot);
    let y = qy(rot);
    let z = qz(rot);
    let d = i.x * x * x + i.y * y * y + i.z * z * z + mass * (vec3r(dot(c, c)) - c * c);
    let o = i.x * x.xxy * x.yzz + i.y * y.xxy * y.yzz + i.z * z.xxy * z.yzz - mass * c.xxy * c.yzz;
    let at = INERT + 16u * b;
    put3(at, d);
    put3(at + 3u, o);
    put3(at + 6u, mass * c);
    w[at + 9u] = mass;
    var push = six_add(inertia_mul(at, m.acc), cross_force(m.vel, inertia_mul(at, m.vel)));
    if GRAVCOMP {
        let lift = f(BODY_GRAVCOMP + b) * mass * vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
        push = six_add(push, Six(cross(c, lift), lift));
    }
    put6(at + 10u, push);
}

fn subtrees() {
    // each lane has a number of its own, so nothing has to wait
    if lane < 16u {
        for (var b = NBODY - 1u; b > 0u; b--) {
            let p = ti[BODY_PARENT + b];
            if ti[BODY_TREE + b] < NTREE && ti[BODY_ROOT + b] == 0u {
                w[INERT + 16u * p + lane] += w[INERT + 16u * b + lane];
            }
        }
    }
    sync();
}

// the inertia matrix, and the force of gravity and motion
fn inertia() {
    for (var i = lane; i < NV; i += LANES) {
        let b = ti[DOF_BODY + i];
        let own = six(CDOF + 6u * i);
        let push = inertia_mul(INERT + 16u * b, own);
        w[BIAS + i] = six_dot(own, six(INERT + 16u * b + 10u));
        set_M(i, i, six_dot(own, push) + f(DOF_ARMATURE + i));
        for (var j = ti[DOF_PARENT + i]; j < NV; j = ti[DOF_PARENT + j]) {
            let value = six_dot(six(CDOF + 6u * j), push);
            set_M(i, j, value);
            set_M(j, i, value);
        }
    }
    sync();
    for (var e = lane; e < NTIED; e += LANES) {
        add_M(ti[TIED_ROW + e], ti[TIED_COLUMN + e], f(TIED_ARMATURE + e));
    }
    if NTIED > 0u { sync(); }
}
