// Ring buffers of timestamped samples: delayed controls and sensors (mju_historyInsert, mju_historyRead). Layout of a
// buffer with n samples of dimension dim: one user value, the slot of the newest sample, n times, n * dim values.
// Buffers are part of the state, behind the warm start; each is read and written by one lane only.

struct HistoryRing { at: u32, samples: u32, dim: u32, newest: u32 }

fn history_ring(adr: u32, samples: u32, dim: u32) -> HistoryRing {
    let at = env * STATE_SIZE + STATE_KEPT + NV + adr;
    return HistoryRing(at, samples, dim, u32(states[at + 1u]) % samples);
}
// Samples are counted from the oldest, slots by their position in memory.
fn ring_slot(r: HistoryRing, k: u32) -> u32 { return (r.newest + 1u + k) % r.samples; }
fn ring_time(r: HistoryRing, k: u32) -> real { return states[r.at + 2u + ring_slot(r, k)]; }
fn slot_adr(r: HistoryRing, slot: u32) -> u32 { return r.at + 2u + r.samples + slot * r.dim; }
fn ring_value(r: HistoryRing, k: u32, j: u32) -> real { return states[slot_adr(r, ring_slot(r, k)) + j]; }

// First sample at or after a time; the number of samples if all are earlier.
fn ring_find(r: HistoryRing, t: real) -> u32 {
    for (var k = 0u; k < r.samples; k++) { if ring_time(r, k) >= t { return k; } }
    return r.samples;
}

// Component `j` at a time, with constant extrapolation. Times of samples are compared with a tolerance, because they are
// sums of time steps.
fn ring_read(r: HistoryRing, t: real, interp: u32, j: u32) -> real {
    let last = r.samples - 1u;
    if t <= ring_time(r, 0u) + HISTORY_TOLERANCE { return ring_value(r, 0u, j); }
    if t >= ring_time(r, last) - HISTORY_TOLERANCE { return ring_value(r, last, j); }
    let k = min(ring_find(r, t), last);
    if k == 0u || abs(t - ring_time(r, k)) < HISTORY_TOLERANCE { return ring_value(r, k, j); }
    let a = ring_value(r, k - 1u, j);
    let b = ring_value(r, k, j);
    let start = ring_time(r, k - 1u);
    let step = ring_time(r, k) - start;
    let x = (t - start) / step;
    if interp == 0u { return a; }
    if interp == 1u { return a + x * (b - a); }
    // Cubic Hermite interpolation with Catmull–Rom tangents, which are zero at the ends of the buffer.
    var first = real(0.0);
    var second = real(0.0);
    if k > 1u { first = (b - ring_value(r, k - 2u, j)) / (ring_time(r, k) - ring_time(r, k - 2u)); }
    if k < last { second = (ring_value(r, k + 1u, j) - a) / (ring_time(r, k + 1u) - start); }
    let x2 = x * x;
    let x3 = x2 * x;
    return (2.0 * x3 - 3.0 * x2 + 1.0) * a + step * (x3 - 2.0 * x2 + x) * first
        + (3.0 * x2 - 2.0 * x3) * b + step * (x3 - x2) * second;
}

// Makes room for a sample in place of the oldest one, or of the sample at the same time. Returns the address of its
// values.
fn ring_insert(r: HistoryRing, t: real) -> u32 {
    let k = ring_find(r, t - HISTORY_TOLERANCE);
    let oldest = ring_slot(r, 0u);
    if k < r.samples { if abs(t - ring_time(r, k)) < HISTORY_TOLERANCE { return slot_adr(r, ring_slot(r, k)); } }
    var to = oldest;
    if k == r.samples { states[r.at + 1u] = real(oldest); }
    else if k > 0u {
        // Between two samples, because time was set back: the earlier ones are shifted by one slot.
        for (var i = 0u; i + 1u < k; i++) {
            states[r.at + 2u + ring_slot(r, i)] = ring_time(r, i + 1u);
            for (var j = 0u; j < r.dim; j++) { states[slot_adr(r, ring_slot(r, i)) + j] = ring_value(r, i + 1u, j); }
        }
        to = ring_slot(r, k - 1u);
    }
    states[r.at + 2u + to] = t;
    return slot_adr(r, to);
}

// The control that an actuator applies: mj_readCtrl.
fn delayed_ctrl(i: u32) -> real {
    if ti[ACT_HISTORY_DELAYED + i] == 0u { return mjcb_control(i); }
    let r = history_ring(ti[ACT_HISTORY_ADR + i], ti[ACT_HISTORY_SAMPLES + i], 1u);
    return ring_read(r, w[TIME] - f(ACT_DELAY + i), ti[ACT_HISTORY_INTERP + i], 0u);
}
// Appends the controls of this step to their buffers.
fn record_controls() {
    for (var i = lane; i < NU; i += LANES) {
        if ti[ACT_HISTORY_ADR + i] == NONE { continue; }
        let to = ring_insert(history_ring(ti[ACT_HISTORY_ADR + i], ti[ACT_HISTORY_SAMPLES + i], 1u), w[TIME]);
        states[to] = mjcb_control(i);
    }
}

#ifdef SENSOR_HISTORY
// Writes the reading of a sensor with a buffer: the value `v` of this step, or one from the buffer if the sensor is
// delayed or its interval has not elapsed. Then appends the value if the interval has elapsed.
fn sensor_history(s: u32, at: u32, dim: u32, v: vec4r) {
    let r = history_ring(ti[SENSOR_HISTORY_ADR + s], ti[SENSOR_HISTORY_SAMPLES + s], dim);
    let period = f(SENSOR_PERIOD + s);
    let due = period <= 0.0 || states[r.at] + period <= w[TIME] + select(HISTORY_TOLERANCE, real(0.0), IS_DOUBLE);
    let delay = f(SENSOR_DELAY + s);
    for (var j = 0u; j < dim; j++) {
        if delay > 0.0 || !due { out[at + j] = ring_read(r, w[TIME] - delay, ti[SENSOR_HISTORY_INTERP + s], j); } else { out[at + j] = v[j]; }
    }
    if !due { return; }
    if period > 0.0 { states[r.at] += period; }
    let to = ring_insert(r, w[TIME]);
    for (var j = 0u; j < dim; j++) { states[to + j] = v[j]; }
}
#endif
