// mjd_rne_vel: derivative of the bias force with respect to velocity. The bias force is quadratic in velocity, so that
// column j is a sum of bilinear terms of the motion of each body and of dof j.

fn rne_derivatives() {
    for (var j = lane; j < NV; j += LANES) {
        for (var i = 0u; i < NV; i++) { w[RNE_DERIV + i * NV + j] = 0.0; }
        for (var b = 1u; b < NBODY; b++) {
            if !dof_moves_body(b, j) { continue; }
            let force = body_force_derivative(b, j);
            for (var i = ti[BODY_LAST_DOF + b]; i < NV; i = dof_parentid(i)) {
                w[RNE_DERIV + i * NV + j] += spatial_dot(spatial(cdof_adr(i)), force);
            }
        }
    }
    sync();
}

// Derivative of the force that produces the motion of a body for qacc = 0 with respect to the velocity of a dof.
fn body_force_derivative(b: u32, j: u32) -> Spatial {
    let zero = Spatial(vec3r(0.0), vec3r(0.0));
    var vel = zero;
    var own = zero;
    var dvel = zero;
    var down = zero;
    var dacc = zero;
    for (var i = ti[BODY_LAST_DOF + b]; i < NV; i = dof_parentid(i)) {
        own = spatial_add(own, spatial_scale(spatial(cdof_adr(i)), w[QVEL + i]));
        if i == j { down = spatial(cdof_adr(i)); }
        if (HAS_FREE || HAS_BALL) && !dof_starts_block(i) { continue; }
        dacc = spatial_add(dacc, spatial_add(cross_motion(down, vel), cross_motion(own, dvel)));
        vel = spatial_add(vel, own);
        dvel = spatial_add(dvel, down);
        own = zero;
        down = zero;
    }
    let inertia = body_inertia(b);
    let force = spatial_add(cross_force(dvel, inertia_mul(inertia, vel)), cross_force(vel, inertia_mul(inertia, dvel)));
    return spatial_add(inertia_mul(inertia, dacc), force);
}

// Adds them to the inertia matrix.
fn add_rne_derivatives(h: real) {
    for (var i = lane; i < NV; i += LANES) {
        w[DAMPING_DIAG + i] += h * w[RNE_DERIV + i * NV + i];
        for (var j = dof_parentid(i); j < NV; j = dof_parentid(j)) {
            set_M(i, j, M(i, j) + h * w[RNE_DERIV + i * NV + j]);
            set_M(j, i, M(j, i) + h * w[RNE_DERIV + j * NV + i]);
        }
    }
    sync_matrices();
}
