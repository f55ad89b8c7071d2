// Hill-type muscles (mju_muscleGain, mju_muscleBias, mju_muscleDynamics). Lengths are in units of the optimal fibre
// length, velocities in units of the maximum shortening velocity.

// Rows of two vec4: start of the length range, 1 / L0, normalised length at that start, -F0; then for gains lmin, lmax,
// 1 / (vmax L0), fvmax, and for biases lmax, fpmax.
fn muscle_length(row: vec4r, length: real) -> real { return row.z + (length - row.x) * row.y; }
fn muscle_ratio(x: real, y: real) -> real { return x / max(y, MINVAL); }

// Active force-length curve.
fn muscle_length_curve(x: real, lmin: real, lmax: real) -> real {
    if x < lmin || x > lmax { return real(0.0); }
    let low = 0.5 * (lmin + 1.0);
    let high = 0.5 * (1.0 + lmax);
    var y = muscle_ratio(lmax - x, lmax - high);
    if x <= low { y = muscle_ratio(x - lmin, low - lmin); }
    else if x <= 1.0 { y = muscle_ratio(1.0 - x, 1.0 - low); }
    else if x <= high { y = muscle_ratio(x - 1.0, high - 1.0); }
    return select(1.0 - 0.5 * y * y, 0.5 * y * y, x <= low || x > high);
}

// Force-velocity curve and its derivative.
fn muscle_velocity_curve(v: real, fvmax: real) -> vec2<real> {
    let y = fvmax - 1.0;
    if v <= -1.0 { return vec2<real>(0.0); }
    if v <= 0.0 { return vec2<real>((v + 1.0) * (v + 1.0), 2.0 * v + 2.0); }
    if v <= y { return vec2<real>(fvmax - (y - v) * (y - v) / max(y, MINVAL), 2.0 * (y - v) / max(y, MINVAL)); }
    return vec2<real>(fvmax, 0.0);
}

// Gain and its derivative with respect to velocity.
fn muscle_gain(i: u32, length: real, velocity: real) -> vec2<real> {
    let one = f4(ACT_MUSCLE_GAIN, 2u * i);
    let two = f4(ACT_MUSCLE_GAIN, 2u * i + 1u);
    let active_force = one.w * muscle_length_curve(muscle_length(one, length), two.x, two.y);
    let curve = muscle_velocity_curve(velocity * two.z, two.w);
    return active_force * vec2<real>(curve.x, curve.y * two.z);
}

// Passive force-length curve.
fn muscle_bias(i: u32, length: real) -> real {
    let one = f4(ACT_MUSCLE_BIAS, 2u * i);
    let two = f4(ACT_MUSCLE_BIAS, 2u * i + 1u);
    let x = muscle_length(one, length);
    let half = 0.5 * (1.0 + two.x);
    if x <= 1.0 { return real(0.0); }
    var y = muscle_ratio(x - 1.0, half - 1.0);
    y = 0.5 * y * y;
    if x > half { y = 0.5 + muscle_ratio(x - half, half - 1.0); }
    return one.w * two.y * y;
}

// ACT_DYN: time constants of activation (x) and deactivation (z), width of the blend between them (w).
fn muscle_act_dot(i: u32, u: real, act: real) -> real {
    let prm = f4(ACT_DYN, i);
    let excess = clamp(u, real(0.0), real(1.0)) - act;
    let factor = 0.5 + 1.5 * clamp(act, real(0.0), real(1.0));
    let up = prm.x * factor;
    let down = prm.z / factor;
    var tau = select(down, up, excess > 0.0);
    if prm.w >= MINVAL { tau = down + (up - down) * sigmoid(excess / prm.w + 0.5); }
    return excess / max(tau, MINVAL);
}

// Quintic step from 0 to 1 over the unit interval (mju_sigmoid).
fn sigmoid(x: real) -> real {
    let y = clamp(x, real(0.0), real(1.0));
    return y * y * y * (3.0 * y * (2.0 * y - 5.0) + 10.0);
}
