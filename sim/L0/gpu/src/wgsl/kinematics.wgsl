// mj_kinematics, mj_comPos, mj_comVel and the forward pass of mj_rne, each for all bodies in parallel.
//
// Names in capitals are addresses and sizes that `kernel.rs` and `layout.rs` generate. `tf` and `ti`
// are the real and the index table of the model (`StorageBuffer` in layout.rs), `w` and `wu` the real
// and the index arrays of the environment (`declarations` in kernel.rs). `f` in forward.wgsl and `f3`,
// `f4` in shared/math.wgsl read the real table; `w3`, `w4`, `put3` and `put4` in shared/memory.wgsl
// access vectors in `w`.
//
// The fourth components of some vectors of the real table hold scalars: f4(JNT_AXIS, j).w is the
// joint's entry of qpos0, f4(BODY_IPOS, b).w is body_mass, and f4(BODY_INERTIA, b).w is body_gravcomp
// (model/kinematics.rs).

// Addresses of the quantities of a body or a dof. Odd strides, which would avoid bank conflicts, did not improve
// throughput.
fn xquat_adr(b: u32) -> u32 { return XQUAT + XQUAT_STRIDE * b; }
fn cdof_adr(i: u32) -> u32 { return CDOF + CDOF_STRIDE * i; }

// Indices that are read together are packed into one word.
fn jnt_type(j: u32) -> u32 { return ti[JNT_PACKED + j] & 3u; }
fn jnt_qposadr(j: u32) -> u32 { return (ti[JNT_PACKED + j] >> 2u) & 0x7fffu; }
fn jnt_dofadr(j: u32) -> u32 { return ti[JNT_PACKED + j] >> 17u; }
fn body_jntadr(b: u32) -> u32 { return ti[BODY_JNT_PACKED + b] & 0xffffu; }
fn body_jntnum(b: u32) -> u32 { return ti[BODY_JNT_PACKED + b] >> 16u; }
// At least NV if the dof has no parent.
fn dof_parentid(i: u32) -> u32 { return ti[DOF_PARENT_PACKED + i] & 0xffffu; }
fn dof_starts_block(i: u32) -> bool { return ti[DOF_PARENT_PACKED + i] > 0xffffu; }

// mj_kinematics: poses of all bodies.
fn kinematics() {
    for (var b = lane; b < NBODY; b += LANES) { body_local_pose(b); }
    sync();
    for (var k = 0u; k < NANCESTOR; k++) { compose_poses(ANCESTOR + k * NBODY); }
}

// mj_comPos: reference points of the trees and motion axes of the dofs.
fn com_pos() {
    for (var b = lane; b < NBODY; b += LANES) { if ti[BODY_ROOT + b] == 1u { tree_reference(b); } }
    sync();
    for (var b = lane; b < NBODY; b += LANES) { body_cdof(b); }
    sync();
}

// mj_comVel, and the forward pass of mj_rne.
fn com_vel() {
    for (var b = lane; b < NBODY; b += LANES) { body_com_vel(b); }
    if KEEP_BODY_VELOCITY { sync_matrices(); } else { sync_inertias(); }
}

// Pointer jumping: poses relative to the parent, then to the grandparent, then to the ancestor four levels up, and
// so on. Parents precede their children, so with more bodies than lanes the blocks are processed from the last to
// the first. `jump` is the address of a table with one ancestor of each body, NONE if it is the
// world or does not exist; table k of ANCESTOR has the ancestors 2^k levels up.
fn compose_poses(jump: u32) {
    if NBODY <= LANES { compose_poses_block(jump, 0u); return; }
    for (var base = (NBODY + LANES - 1u) / LANES * LANES; base > 0u; ) {
        base -= LANES;
        compose_poses_block(jump, base);
    }
}
fn compose_poses_block(jump: u32, base: u32) {
    let b = base + lane;
    var up = NONE;
    if b < NBODY { up = ti[jump + b]; }
    var pos: vec3r;
    var rot: vec4r;
    if up != NONE {
        let ancestor_quat = w4(xquat_adr(up));
        pos = w3(XPOS + 3u * up) + qrot(ancestor_quat, w3(XPOS + 3u * b));
        rot = qmul(ancestor_quat, w4(xquat_adr(b)));
    }
    sync();
    if up != NONE {
        put3(XPOS + 3u * b, pos);
        put4(xquat_adr(b), rot);
    }
    sync();
}

// Joint types. The compiler removes the code of types that the model does not have.
fn is_free(kind: u32) -> bool { return HAS_FREE && kind == FREE; }
fn is_slide(kind: u32) -> bool { return HAS_SLIDE && kind == SLIDE; }
fn is_hinge(kind: u32) -> bool { return HAS_HINGE && (kind == HINGE || !(HAS_FREE || HAS_BALL || HAS_SLIDE)); }
// One dof that is the joint's position.
fn is_scalar(kind: u32) -> bool { return !(HAS_FREE || HAS_BALL) || kind == SLIDE || kind == HINGE; }

fn hinge_quat(j: u32, q: u32) -> vec4r {
    let sc = sincos(0.5 * (w[q] - f4(JNT_AXIS, j).w));
    return vec4r(sc.y, f3(JNT_AXIS, j) * sc.x);
}

// Pose of a body relative to its parent.
fn body_local_pose(b: u32) {
    var pos = f3(BODY_POS, b);
    var rot = f4(BODY_QUAT, b);
    if NMOCAP > 0u {
        // The parent of a mocap body is the world.
        let k = ti[BODY_MOCAP + b];
        if k != NONE {
            let at = IN_MOCAP + 7u * k;
            pos = vec3r(input(at), input(at + 1u), input(at + 2u));
            rot = qunit(vec4r(input(at + 3u), input(at + 4u), input(at + 5u), input(at + 6u)));
        }
    }
    let first = body_jntadr(b);
    let count = body_jntnum(b);
    for (var j = first; j < first + count; j++) {
        let kind = jnt_type(j);
        let q = QPOS + jnt_qposadr(j);
        if is_free(kind) {
            pos = w3(q);
            rot = qunit(w4(q + 3u));
        } else if is_slide(kind) {
            pos += qrot(rot, f3(JNT_AXIS, j)) * (w[q] - f4(JNT_AXIS, j).w);
        } else {
            let offset = f3(JNT_POS, j);
            pos += qrot(rot, offset);
            if is_hinge(kind) { rot = qmul(rot, hinge_quat(j, q)); } else { rot = qmul(rot, qunit(w4(q))); }
            pos -= qrot(rot, offset);
        }
    }
    put3(XPOS + 3u * b, pos);
    put4(xquat_adr(b), rot);
}

// Reference point of a tree's spatial vectors: the position of its root if that has a free joint,
// otherwise the origin of the root's frame before its joint displacements. (MuJoCo uses the center
// of mass of the tree.)
fn tree_reference(b: u32) {
    let p = ti[BODY_PARENT + b];
    let first = body_jntadr(b);
    var at = w3(XPOS + 3u * p) + qrot(w4(xquat_adr(p)), f3(BODY_POS, b));
    if is_free(jnt_type(first)) { at = w3(QPOS + jnt_qposadr(first)); }
    put3(TREE_REF + 3u * ti[BODY_TREE + b], at);
}

// Motion axes (cdof) of a body's dofs, from its last joint back to its first.
fn body_cdof(b: u32) {
    var rot = qunit(w4(xquat_adr(b)));
    put4(xquat_adr(b), rot);
    let first = body_jntadr(b);
    let count = body_jntnum(b);
    if count == 0u { return; }
    let centre = w3(TREE_REF + 3u * ti[BODY_TREE + b]);
    var pos = w3(XPOS + 3u * b);
    for (var j = first + count; j > first; ) {
        j--;
        let kind = jnt_type(j);
        let q = QPOS + jnt_qposadr(j);
        var d = cdof_adr(jnt_dofadr(j));
        let axis = qrot(rot, f3(JNT_AXIS, j));
        if is_slide(kind) {
            put_spatial(d, Spatial(vec3r(0.0), axis));
            pos -= axis * (w[q] - f4(JNT_AXIS, j).w);
            continue;
        }
        let offset = f3(JNT_POS, j);
        var anchor = pos;
        if is_free(kind) {
            for (var k = 0u; k < 3u; k++) {
                put_spatial(d, Spatial(vec3r(0.0), vec3r(real(k == 0u), real(k == 1u), real(k == 2u))));
                d += CDOF_STRIDE;
            }
        } else {
            anchor += qrot(rot, offset);
        }
        let arm = centre - anchor;
        if is_hinge(kind) {
            put_spatial(d, Spatial(axis, cross(axis, arm)));
            if j == first { break; }
            rot = qmul(rot, qconj(hinge_quat(j, q)));
        } else {
            let x = qx(rot);
            let y = qy(rot);
            let z = qz(rot);
            put_spatial(d, Spatial(x, cross(x, arm)));
            put_spatial(d + CDOF_STRIDE, Spatial(y, cross(y, arm)));
            put_spatial(d + 2u * CDOF_STRIDE, Spatial(z, cross(z, arm)));
            if j == first { break; }
            rot = qmul(rot, qconj(qunit(w4(q))));
        }
        pos = anchor - qrot(rot, offset);
    }
}

// Spatial velocity (cvel) of a body and its acceleration for qacc = 0, summed over the joints on the path to the
// root. Each joint also rotates the motion of the joints after it.
fn body_com_vel(b: u32) {
    var vel = Spatial(vec3r(0.0), vec3r(0.0));
    var acc = vel;
    var own = vel;
    for (var i = ti[BODY_LAST_DOF + b]; i < NV; i = dof_parentid(i)) {
        own = spatial_add(own, spatial_scale(spatial(cdof_adr(i)), w[QVEL + i]));
        // The dofs of a rotation are accumulated together.
        if (HAS_FREE || HAS_BALL) && !dof_starts_block(i) { continue; }
        acc = spatial_add(acc, cross_motion(own, vel));
        vel = spatial_add(vel, own);
        own = Spatial(vec3r(0.0), vec3r(0.0));
    }
    acc.lin -= vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
    if KEEP_BODY_VELOCITY {
        put_body_motion(b, vel, acc);
    }
    if ti[BODY_TREE + b] < NTREE { body_cinert(b, vel, acc); }
}

// Spatial inertia (cinert) about the tree's reference point, and the force that produces the body's motion for qacc
// = 0.
fn body_cinert(b: u32, vel: Spatial, acc: Spatial) {
    let xquat = w4(xquat_adr(b));
    let rot = qmul(xquat, f4(BODY_IQUAT, b));
    let c = w3(XPOS + 3u * b) + qrot(xquat, f3(BODY_IPOS, b)) - w3(TREE_REF + 3u * ti[BODY_TREE + b]);
    let mass = f4(BODY_IPOS, b).w;
    let i = f3(BODY_INERTIA, b);
    let x = qx(rot);
    let y = qy(rot);
    let z = qz(rot);
    let d = i.x * x * x + i.y * y * y + i.z * z * z + mass * (vec3r(dot(c, c)) - c * c);
    let o = i.x * x.xxy * x.yzz + i.y * y.xxy * y.yzz + i.z * z.xxy * z.yzz - mass * c.xxy * c.yzz;
    let inertia = SpatialInertia(d, o, mass * c, mass);
    var cfrc = spatial_add(inertia_mul(inertia, acc), cross_force(vel, inertia_mul(inertia, vel)));
    if GRAVCOMP {
        let lift = f4(BODY_INERTIA, b).w * mass * vec3r(f(GRAVITY), f(GRAVITY + 1u), f(GRAVITY + 2u));
        cfrc = spatial_add(cfrc, Spatial(cross(c, lift), lift));
    }
    put_body_inertia(b, inertia, cfrc);
}
