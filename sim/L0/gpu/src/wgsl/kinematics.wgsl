// Poses, velocities and inertial forces of bodies; then inertias of subtrees, leaves to root.

// Where things of a body or a dof are. Odd distances, which keep lanes out of each other's banks, bring nothing.
fn turn_at(b: u32) -> u32 { return XQUAT + QUAT_STEP * b; }
fn dof_at(i: u32) -> u32 { return CDOF + DOF_STEP * i; }
fn inert_at(b: u32) -> u32 { return INERT + INERT_STEP * (b - 1u); }

// indices that are read together are in one word
fn jnt_kind(j: u32) -> u32 { return ti[JOINT + j] & 3u; }
fn jnt_qpos(j: u32) -> u32 { return (ti[JOINT + j] >> 2u) & 0x7fffu; }
fn jnt_dof(j: u32) -> u32 { return ti[JOINT + j] >> 17u; }
fn body_jnt(b: u32) -> u32 { return ti[BODY_JOINTS + b] & 0xffffu; }
fn body_njnt(b: u32) -> u32 { return ti[BODY_JOINTS + b] >> 16u; }
// beyond all dofs if there is none
fn dof_parent(i: u32) -> u32 { return ti[DOF_UP + i] & 0xffffu; }
fn dof_opens(i: u32) -> bool { return ti[DOF_UP + i] > 0xffffu; }

// Everything is done for all bodies at once.
fn kinematics() {
    for (var b = lane; b < NBODY; b += LANES) { place_body(b); }
    sync();
    for (var k = 0u; k < NJUMP; k++) { join_bodies(JUMP + k * NBODY); }
    for (var b = lane; b < NBODY; b += LANES) { if ti[BODY_ROOT + b] == 1u { put_reference(b); } }
    sync();
    for (var b = lane; b < NBODY; b += LANES) { place_axes(b); }
    sync();
    for (var b = lane; b < NBODY; b += LANES) { move_body(b); }
    sync();
}

// Poses in frames that are twice as far up as those before: of the parent, of its parent, of the one two further up.
// Parents come before their children, so bodies that do not fit in one round of the lanes are done from the last on.
fn join_bodies(jump: u32) {
    if NBODY <= LANES { join_from(jump, 0u); return; }
    for (var base = (NBODY + LANES - 1u) / LANES * LANES; base > 0u; ) {
        base -= LANES;
        join_from(jump, base);
    }
}
fn join_from(jump: u32, base: u32) {
    let b = base + lane;
    var up = NONE;
    if b < NBODY { up = ti[jump + b]; }
    var pos: vec3r;
    var rot: vec4r;
    if up != NONE {
        let frame = w4(turn_at(up));
        pos = w3(XPOS + 3u * up) + qrot(frame, w3(XPOS + 3u * b));
        rot = qmul(frame, w4(turn_at(b)));
    }
    sync();
    if up != NONE {
        put3(XPOS + 3u * b, pos);
        put4(turn_at(b), rot);
    }
    sync();
}

// kinds of joints; text for kinds that a model does not have falls away
fn is_free(kind: u32) -> bool { return HAS_FREE && kind == FREE; }
fn is_slide(kind: u32) -> bool { return HAS_SLIDE && kind == SLIDE; }
fn is_hinge(kind: u32) -> bool { return HAS_HINGE && (kind == HINGE || !(HAS_FREE || HAS_BALL || HAS_SLIDE)); }
// one dof, which is the joint's position
fn is_scalar(kind: u32) -> bool { return !(HAS_FREE || HAS_BALL) || kind == SLIDE || kind == HINGE; }

fn hinge_turn(j: u32, q: u32) -> vec4r {
    let sc = sincos(0.5 * (w[q] - f4(JNT_AXIS, j).w));
    return vec4r(sc.y, f3(JNT_AXIS, j) * sc.x);
}

// a body in the frame of its parent
fn place_body(b: u32) {
    var pos = f3(BODY_POS, b);
    var rot = f4(BODY_QUAT, b);
    if NMOCAP > 0u {
        // its parent is the world
        let k = ti[BODY_MOCAP + b];
        if k != NONE {
            let at = IN_MOCAP + 7u * k;
            pos = vec3r(input(at), input(at + 1u), input(at + 2u));
            rot = qunit(vec4r(input(at + 3u), input(at + 4u), input(at + 5u), input(at + 6u)));
        }
    }
    let first = body_jnt(b);
    let count = body_njnt(b);
    for (var j = first; j < first + count; j++) {
        let kind = jnt_kind(j);
        let q = QPOS + jnt_qpos(j);
        if is_free(kind) {
            pos = w3(q);
            rot = qunit(w4(q + 3u));
        } else if is_slide(kind) {
            pos += qrot(rot, f3(JNT_AXIS, j)) * (w[q] - f4(JNT_AXIS, j).w);
        } else {
            let offset = f3(JNT_POS, j);
            pos += qrot(rot, offset);
            if is_hinge(kind) { rot = qmul(rot, hinge_turn(j, q)); } else { rot = qmul(rot, qunit(w4(q))); }
            pos -= qrot(rot, offset);
        }
    }
    put3(XPOS + 3u * b, pos);
    put4(turn_at(b), rot);
}

// what a tree's motion is measured from: where its root is before its joints move it
fn put_reference(b: u32) {
    let p = ti[BODY_PARENT + b];
    let first = body_jnt(b);
    var at = w3(XPOS + 3u * p) + qrot(w4(turn_at(p)), f3(BODY_POS, b));
    if is_free(jnt_kind(first)) { at = w3(QPOS + jnt_qpos(first)); }
    put3(REF + 3u * ti[BODY_TREE + b], at);
}

// the axes of a body's dofs, from its last joint back to its first
fn place_axes(b: u32) {
    var rot = qunit(w4(turn_at(b)));
    put4(turn_at(b), rot);
    let first = body_jnt(b);
    let count = body_njnt(b);
    if count == 0u { return; }
    let centre = w3(REF + 3u * ti[BODY_TREE + b]);
    var pos = w3(XPOS + 3u * b);
    for (var j = first + count; j > first; ) {
        j--;
        let kind = jnt_kind(j);
        let q = QPOS + jnt_qpos(j);
        var d = dof_at(jnt_dof(j));
        let axis = qrot(rot, f3(JNT_AXIS, j));
        if is_slide(kind) {
            put6(d, Six(vec3r(0.0), axis));
            pos -= axis * (w[q] - f4(JNT_AXIS, j).w);
            continue;
        }
        let offset = f3(JNT_POS, j);
        var anchor = pos;
        if is_free(kind) {
            for (var k = 0u; k < 3u; k++) {
                put6(d, Six(vec3r(0.0), vec3r(real(k == 0u), real(k == 1u), real(k == 2u))));
                d += DOF_STEP;
            }
        } else {
            anchor += qrot(rot, offset);
        }
        let arm = centre - anchor;
        if is_hinge(kind) {
            put6(d, Six(axis, cross(axis, arm)));
            if j == first { break; }
            rot = qmul(rot, qconj(hinge_turn(j, q)));
        } else {
            let x = qx(rot);
            let y = qy(rot);
            let z = qz(rot);
            put6(d, Six(x, cross(x, arm)));
            put6(d + DOF_STEP, Six(y, cross(y, arm)));
            put6(d + 2u * DOF_STEP, Six(z, cross(z, arm)));
            if j == first { break; }
            rot = qmul(rot, qconj(qunit(w4(q))));
        }
        pos = anchor - qrot(rot, offset);
    }
}

// velocity of a body and what its acceleration would be if no joint had one, summed over the joints that move it from
// the last to the first: each carries the motion of those after it along
fn move_body(b: u32) {
    var vel = Six(vec3r(0.0), vec3r(0.0));
    var acc = vel;
    var own = vel;
    for (var i = ti[BODY_LAST + b]; i < NV; i = dof_parent(i)) {
        own = six_add(own, six_scale(six(dof_at(i)), w[QVEL + i]));
        // dofs of a rotation go together
        if (HAS_FREE || HAS_BALL) && !dof_opens(i) { continue; }
        acc = six_add(acc, cross_motion(own, vel));
        vel = six_add(vel, own);
        own = Six(vec3r(0.0), vec3r(0.0));
    }
    acc.l -= vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    if MOTION {
        put6(CVEL + 6u * b, vel);
        put6(CACC + 6u * b, acc);
    }
    if ti[BODY_TREE + b] < NTREE { weigh_body(b, vel, acc); }
}

// inertia about the tree's reference point, and the force that keeps the body on its way
fn weigh_body(b: u32, vel: Six, acc: Six) {
    let frame = w4(turn_at(b));
    let rot = qmul(frame, f4(BODY_IQUAT, b));
    let c = w3(XPOS + 3u * b) + qrot(frame, f3(BODY_IPOS, b)) - w3(REF + 3u * ti[BODY_TREE + b]);
    let mass = f4(BODY_IPOS, b).w;
    let i = f3(BODY_INERTIA, b);
    let x = qx(rot);
    let y = qy(rot);
    let z = qz(rot);
    let d = i.x * x * x + i.y * y * y + i.z * z * z + mass * (vec3r(dot(c, c)) - c * c);
    let o = i.x * x.xxy * x.yzz + i.y * y.xxy * y.yzz + i.z * z.xxy * z.yzz - mass * c.xxy * c.yzz;
    let at = inert_at(b);
    put3(at, d);
    put3(at + 3u, o);
    put3(at + 6u, mass * c);
    w[at + 9u] = mass;
    var push = six_add(inertia_mul(at, acc), cross_force(vel, inertia_mul(at, vel)));
    if GRAVCOMP {
        let lift = f4(BODY_INERTIA, b).w * mass * vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
        push = six_add(push, Six(cross(c, lift), lift));
    }
    put6(at + 10u, push);
}

fn subtrees() {
    // each lane has a number of its own, so nothing has to wait; that a list ends is not known beforehand, so that
    // the loop stays one
    for (var k = lane; k < 16u; k += LANES) {
        for (var e = SUBTREE; ti[e] != NONE; e += 2u) { w[inert_at(ti[e + 1u]) + k] += w[inert_at(ti[e]) + k]; }
    }
    sync();
}

// the inertia matrix, and the force that gravity and motion leave
fn inertia() {
    for (var i = lane; i < NV; i += LANES) {
        let b = ti[DOF_BODY + i];
        let own = six(dof_at(i));
        let push = inertia_mul(inert_at(b), own);
        w[SMOOTH + i] = -six_dot(own, six(inert_at(b) + 10u));
        set_M(i, i, six_dot(own, push) + f(DOF_ARMATURE + i));
        for (var j = dof_parent(i); j < NV; j = dof_parent(j)) {
            let value = six_dot(six(dof_at(j)), push);
            set_M(i, j, value);
            set_M(j, i, value);
        }
    }
    sync_matrices();
    for (var e = lane; e < NTIED; e += LANES) {
        add_M(ti[TIED_ROW + e], ti[TIED_COLUMN + e], f(TIED_ARMATURE + e));
    }
    if NTIED > 0u { sync_matrices(); }
}
