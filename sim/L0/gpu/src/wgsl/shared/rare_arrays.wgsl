// Arrays that few stages use: velocities and accelerations of bodies, segments and Jacobians of spatial tendons, and the
// poses and motion axes that sensors read. Workgroup memory limits how many environments are executed at once, so they
// are in the scratch buffer, after the matrices, if that exists from the start.
#ifdef RARE_ARRAYS_IN_STORAGE
fn rare_spatial(k: u32) -> Spatial { return Spatial(scratch[rare_adr(k)].xyz, scratch[rare_adr(k + 1u)].xyz); }
fn put_rare_spatial(k: u32, x: Spatial) {
    scratch[rare_adr(k)] = vec4r(x.ang, 0.0);
    scratch[rare_adr(k + 1u)] = vec4r(x.lin, 0.0);
}
fn body_velocity(b: u32) -> Spatial { return rare_spatial(BODY_MOTION4 + 4u * b); }
fn body_bias_acceleration(b: u32) -> Spatial { return rare_spatial(BODY_MOTION4 + 4u * b + 2u); }
fn put_body_motion(b: u32, velocity: Spatial, acceleration: Spatial) {
    put_rare_spatial(BODY_MOTION4 + 4u * b, velocity);
    put_rare_spatial(BODY_MOTION4 + 4u * b + 2u, acceleration);
}
fn segment(k: u32) -> Spatial { return rare_spatial(SEGMENT4 + 2u * k); }
fn put_segment(k: u32, point: vec3r, direction: vec3r) { put_rare_spatial(SEGMENT4 + 2u * k, Spatial(point, direction)); }
// Jacobian of spatial tendon `s`.
fn ten_J(s: u32, i: u32) -> real {
    let k = s * NV + i;
    if TEN_J_IN_STORAGE { return scratch[rare_adr(TEN_J4 + (k >> 2u))][k & 3u]; }
    return w[TEN_J + k];
}
fn set_ten_J(s: u32, i: u32, x: real) {
    let k = s * NV + i;
    if TEN_J_IN_STORAGE { scratch[rare_adr(TEN_J4 + (k >> 2u))][k & 3u] = x; } else { w[TEN_J + k] = x; }
}

// Poses and motion axes are saved before the solver reuses their memory. Sensors read the saved ones; for fluids, whose
// forces are differentiated after the solver, they are read back.
fn save_poses() {
    for (var b = lane; b < NBODY; b += LANES) {
        scratch[rare_adr(POSE4 + 2u * b)] = vec4r(w3(XPOS + 3u * b), 0.0);
        scratch[rare_adr(POSE4 + 2u * b + 1u)] = w4(xquat_adr(b));
    }
    for (var i = lane; i < NV; i += LANES) { put_rare_spatial(AXIS4 + 2u * i, spatial(cdof_adr(i))); }
    sync_matrices();
}
fn restore_poses() {
    for (var b = lane; b < NBODY; b += LANES) {
        put3(XPOS + 3u * b, scratch[rare_adr(POSE4 + 2u * b)].xyz);
        put4(xquat_adr(b), scratch[rare_adr(POSE4 + 2u * b + 1u)]);
    }
    for (var i = lane; i < NV; i += LANES) { put_spatial(cdof_adr(i), rare_spatial(AXIS4 + 2u * i)); }
    sync();
}
#ifdef POSES_SAVED
fn sensor_xpos(b: u32) -> vec3r { return scratch[rare_adr(POSE4 + 2u * b)].xyz; }
fn sensor_xquat(b: u32) -> vec4r { return scratch[rare_adr(POSE4 + 2u * b + 1u)]; }
fn sensor_cdof(i: u32) -> Spatial { return rare_spatial(AXIS4 + 2u * i); }
#endif
#else
fn body_velocity(b: u32) -> Spatial { return spatial(CVEL + 6u * b); }
fn body_bias_acceleration(b: u32) -> Spatial { return spatial(CACC + 6u * b); }
fn put_body_motion(b: u32, velocity: Spatial, acceleration: Spatial) {
    put_spatial(CVEL + 6u * b, velocity);
    put_spatial(CACC + 6u * b, acceleration);
}
fn segment(k: u32) -> Spatial { return spatial(SEGMENT + 6u * k); }
fn put_segment(k: u32, point: vec3r, direction: vec3r) { put_spatial(SEGMENT + 6u * k, Spatial(point, direction)); }
fn ten_J(s: u32, i: u32) -> real { return w[TEN_J + s * NV + i]; }
fn set_ten_J(s: u32, i: u32, x: real) { w[TEN_J + s * NV + i] = x; }
fn save_poses() {}
fn restore_poses() {}
#endif

// Without saved poses, sensors read those of the kinematics.
#ifndef POSES_SAVED
fn sensor_xpos(b: u32) -> vec3r { return w3(XPOS + 3u * b); }
fn sensor_xquat(b: u32) -> vec4r { return w4(xquat_adr(b)); }
fn sensor_cdof(i: u32) -> Spatial { return spatial(cdof_adr(i)); }
#endif
