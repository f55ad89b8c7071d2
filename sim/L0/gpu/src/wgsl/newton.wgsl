// The convex problem of all constraints, by Newton's method or by conjugate gradients, and the line search they need.

// columns that all lanes read, by fours
var<workgroup> columns: array<vec4r, COLUMNS>;
fn col(c: u32) -> real { return columns[c >> 2u][c & 3u]; }
fn col4(g: u32) -> vec4r { return columns[g]; }
fn set_col(c: u32, x: real) { columns[c >> 2u][c & 3u] = x; }
fn set_col4(g: u32, x: vec4r) { columns[g] = x; }

// products with a vector of dofs that has been spread before
fn spread(vec: u32) {
    sync();
    // the last four of a team may be more than it has dofs
    if TEAMS == 1u {
        for (var k = NV + lane; k < 4u * NV4; k += LANES) { set_col(k, 0.0); }
    } else if lane < 4u * TEAMS {
        let c = 4u * ti[TEAM_FOUR + (lane >> 2u) + 1u] - 4u + (lane & 3u);
        if ti[COLUMN_DOF + c] == NONE { set_col(c, 0.0); }
    }
    for (var i = lane; i < NV; i += LANES) { let c = column(i); set_col(c, w[vec + i]); }
    sync();
}
fn team_fours(team: u32) -> vec2<u32> { return vec2<u32>(ti[TEAM_FOUR + team], ti[TEAM_FOUR + team + 1u]); }
fn row_fours(r: u32) -> vec2<u32> {
    if TEAMS == 1u { return vec2<u32>(0u, NV4); }
    let team = wu[ROW_TEAM + r];
    if team == NONE { return vec2<u32>(0u, NV4); }
    return team_fours(team);
}
fn row_dot(r: u32) -> real {
    var sum = real(0.0);
    let fours = row_fours(r);
    for (var g = fours.x; g < fours.y; g++) { sum += dot(Jq(r, g), col4(g)); }
    return sum;
}
fn mass_mul(i: u32) -> real {
    var sum = real(0.0);
    var fours = vec2<u32>(0u, NV4);
    if TEAMS > 1u { fours = team_fours(ti[DOF_TEAM + i]); }
    for (var g = fours.x; g < fours.y; g++) { sum += dot(Mq(i, g), col4(g)); }
    return sum;
}

// first row of inequalities that are not elliptic cones is NE + NF; cones are handled by contact
fn is_cone(r: u32) -> bool { return ELLIPTIC && wu[ROW_CONE + r] != 0u; }
// whether a row has its own curvature: a cone's do where the whole contact sticks
fn counts(r: u32) -> bool {
    if is_cone(r) { return wu[ROW_CONE + r] == 1u + QUADRATIC; }
    return state_of(r) == QUADRATIC;
}

// the state of a row that is not of a cone, as its force tells it
fn state_of(r: u32) -> u32 {
    if r < NE { return QUADRATIC; }
    let force = w[EFC_FORCE + r];
    if r >= NE + NF { return select(SATISFIED, QUADRATIC, force != 0.0); }
    let loss = w[EFC_LOSS + r - NE];
    if force >= loss { return LINEAR_NEG; }
    return select(QUADRATIC, LINEAR_POS, force <= -loss);
}

// forces of all rows; whether any state is another than before
fn update() -> bool {
    var changed = false;
    for (var k = rows_from() + crew_lane(); k < rows_to(); k += crew_size()) {
        let r = row_at(k);
        if is_cone(r) { continue; }
        let x = w[EFC_JAR + r];
        var force = -w[EFC_D + r] * x;
        if r >= NE + NF {
            force = max(force, real(0.0));
        } else if r >= NE {
            let loss = w[EFC_LOSS + r - NE];
            force = clamp(force, -loss, loss);
        }
        let before = state_of(r);
        w[EFC_FORCE + r] = force;
        changed = changed || state_of(r) != before;
    }
    if ELLIPTIC {
        for (var c = crew_lane(); c < ncon; c += crew_size()) {
            let r = con_row(c);
            if r != NONE && in_crew(c) && is_cone(r) && update_cone(c, r) { changed = true; }
        }
    }
    return crew_any(changed);
}

fn cone_mu(p: u32) -> real { return f(PAIR_FRICTION + 5u * p) / sqrt(f(IMPRATIO)); }
fn cone_scale(p: u32, k: u32, mu: real) -> real {
    if k == 0u { return mu; }
    return f(PAIR_FRICTION + 5u * p + k - 1u);
}

fn update_cone(c: u32, r: u32) -> bool {
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let mu = cone_mu(p);
    let n = w[EFC_JAR + r] * mu;
    var t2 = real(0.0);
    for (var k = 1u; k < dim; k++) {
        let u = w[EFC_JAR + r + k] * cone_scale(p, k, mu);
        t2 += u * u;
    }
    let t = sqrt(t2);
    var state = CONE;
    if n >= mu * t || (t <= 0.0 && n >= 0.0) { state = SATISFIED; }
    else if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) { state = QUADRATIC; }
    let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
    let push = -dm * (n - mu * t) * mu;
    for (var k = 0u; k < dim; k++) {
        var force = real(0.0);
        if state == QUADRATIC { force = -w[EFC_D + r + k] * w[EFC_JAR + r + k]; }
        if state == CONE {
            let s = cone_scale(p, k, mu);
            if k == 0u { force = push; } else { force = -push / t * w[EFC_JAR + r + k] * s * s; }
        }
        w[EFC_FORCE + r + k] = force;
        wu[ROW_CONE + r + k] = 1u + state;
    }
    // a cone's curvature changes wherever it is in its middle zone
    let same = wu[CON_STATE + c] == state && state != CONE;
    wu[CON_STATE + c] = state;
    return !same;
}

// one entry of the Hessian of a contact in its middle zone, by the rows' residuals
fn cone_entry(p: u32, r: u32, k: u32, l: u32, mu: real, n: real, t: real, dm: real) -> real {
    let sk = cone_scale(p, k, mu);
    let sl = cone_scale(p, l, mu);
    var value: real;
    if k == 0u && l == 0u { value = 1.0; }
    else if k == 0u || l == 0u {
        let m = max(k, l);
        value = -mu / t * w[EFC_JAR + r + m] * cone_scale(p, m, mu);
    } else {
        value = mu * n / (t * t * t) * w[EFC_JAR + r + k] * sk * w[EFC_JAR + r + l] * sl;
        if k == l { value += mu * mu - mu * n / t; }
    }
    return value * dm * sk * sl;
}

// how much the slope of the rows' cost at alpha differs from that at the start, and its curvature: differences of
// totals would drown in rounding
fn slope_at(alpha: real) -> vec2<real> {
    var sum = vec2<real>(0.0);
    for (var k = rows_from() + crew_lane(); k < rows_to(); k += crew_size()) {
        let r = row_at(k);
        if is_cone(r) { continue; }
        let v = w[EFC_JV + r];
        let d = w[EFC_D + r];
        let x = w[EFC_JAR + r] + alpha * v;
        var now = QUADRATIC;
        if r < NE + NF {
            if r >= NE && abs(d * x) >= w[EFC_LOSS + r - NE] { now = select(LINEAR_NEG, LINEAR_POS, x > 0.0); }
        } else if x >= 0.0 { now = SATISFIED; }
        let before = state_of(r);
        if now == QUADRATIC { sum.y += d * v * v; }
        if now == before {
            if now == QUADRATIC { sum.x += alpha * d * v * v; }
        } else {
            sum.x += (row_slope(r, now, d, x) + w[EFC_FORCE + r]) * v;
        }
    }
    if ELLIPTIC {
        for (var c = crew_lane(); c < ncon; c += crew_size()) {
            let r = con_row(c);
            if r != NONE && in_crew(c) && is_cone(r) {
                let there = cone_slope(c, r, alpha);
                sum += vec2<real>(there.x - cone_slope(c, r, real(0.0)).x, there.y);
            }
        }
    }
    return crew_sum2(sum);
}

// slope of a row's cost by its residual
fn row_slope(r: u32, state: u32, d: real, x: real) -> real {
    if state == QUADRATIC { return d * x; }
    if state == SATISFIED { return real(0.0); }
    let loss = w[EFC_LOSS + r - NE];
    return select(-loss, loss, state == LINEAR_POS);
}

fn cone_slope(c: u32, r: u32, alpha: real) -> vec2<real> {
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let mu = cone_mu(p);
    let n = (w[EFC_JAR + r] + alpha * w[EFC_JV + r]) * mu;
    let nv = w[EFC_JV + r] * mu;
    var uu = real(0.0);
    var uv = real(0.0);
    var vv = real(0.0);
    var quad = vec2<real>(0.0);
    for (var k = 0u; k < dim; k++) {
        let v = w[EFC_JV + r + k];
        let x = w[EFC_JAR + r + k] + alpha * v;
        quad += vec2<real>(w[EFC_D + r + k] * x * v, w[EFC_D + r + k] * v * v);
        if k > 0u {
            let s = cone_scale(p, k, mu);
            uu += s * s * x * x;
            uv += s * s * x * v;
            vv += s * s * v * v;
        }
    }
    let t = sqrt(uu);
    if n >= mu * t || (t <= 0.0 && n >= 0.0) { return vec2<real>(0.0); }
    if mu * n + t <= 0.0 || (t <= 0.0 && n < 0.0) { return quad; }
    let dm = w[EFC_D + r] / (mu * mu * (1.0 + mu * mu));
    let t1 = uv / t;
    let t2 = (vv - t1 * t1) / t;
    let out = n - mu * t;
    let rate = nv - mu * t1;
    return vec2<real>(dm * out * rate, dm * (rate * rate - out * mu * t2));
}

// the step along the search at which the cost is least; slope0 < 0. Who is not busy only keeps others company
fn line_search(square: real, slope0: real, busy: bool) -> real {
    var alpha = real(1.0);
    var low = real(0.0);
    var high = real(-1.0);
    var on = busy;
    for (var k = 0u; k < LS_ITERATIONS && goes_on(on); k++) {
        let s = slope_at(alpha) + vec2<real>(slope0 + alpha * square, square);
        on = on && abs(s.x) > LS_TOLERANCE * abs(slope0);
        if on {
            if s.x < 0.0 { low = alpha; } else { high = alpha; }
            var next = alpha - s.x / max(s.y, MINVAL);
            // back into the bracket if it left
            if high < 0.0 {
                next = clamp(next, low, 10.0 * alpha + 1.0);
            } else if next <= low || next >= high {
                next = 0.5 * (low + high);
            }
            on = next != alpha;
            alpha = next;
        }
    }
    return alpha;
}

// turns a step against the slope so that it does not undo those before (Polak and Ribière)
fn conjugate(first: bool) {
    var sums = vec2<real>(0.0);
    var down = vec2<real>(0.0);
    for (var i = first_dof(); !first && i < NV; i += LANES) {
        let change = w[SEARCH + i] - w[OLD_STEP + i];
        sums += vec2<real>(w[GRAD + i] * change, w[OLD_GRAD + i] * w[OLD_STEP + i]);
        down += w[GRAD + i] * vec2<real>(w[SEARCH + i], w[OLD_SEARCH + i]);
    }
    sums = crew_sum2(sums);
    down = crew_sum2(down);
    var keep = max(sums.x / max(sums.y, MINVAL), real(0.0));
    // it has to go down
    if !(down.x + keep * down.y > 0.0) { keep = 0.0; }
    for (var i = first_dof(); i < NV; i += LANES) {
        let step = w[SEARCH + i];
        w[OLD_GRAD + i] = w[GRAD + i];
        w[OLD_STEP + i] = step;
        // what is there at first is not a number of this solve
        if !first { w[SEARCH + i] = step + keep * w[OLD_SEARCH + i]; }
        w[OLD_SEARCH + i] = w[SEARCH + i];
    }
    sync();
}

// Every crew solves for itself; they go together because of the barriers, and who is done waits. What solves the
// system of a round is called by `one_step`, which also needs it for damping.
var<private> done: bool;
// of slopes and gains, so that they do not depend on the size of the model
var<private> scale: real;

fn begin_solve() {
    for (var i = lane; i < NV; i += LANES) { w[QACC + i] = states[warm_at(i)]; }
    if ELLIPTIC { for (var c = lane; c < ncon; c += LANES) { wu[CON_STATE + c] = NONE; } }
    share_rows();
    spread(QACC);
    for (var i = lane; i < NV; i += LANES) { w[MA + i] = mass_mul(i); }
    for (var r = lane; r < nefc; r += LANES) { w[EFC_JAR + r] = row_dot(r) - w[EFC_AREF + r]; }
    sync();
    update();
    scale = f(SOLVER_SCALE);
    if alone() { scale *= real(NV) / real(ti[TEAM_SIZE + crew()]); }
    iterations = 0u;
    done = false;
}

// finds the slope; whether there is another round
fn begin_round() -> bool {
    sync();
    var norm2 = real(0.0);
    for (var i = first_dof(); i < NV; i += LANES) {
        var g = w[MA + i] - w[SMOOTH + i];
        for (var k = own_rows.x; k < own_rows.y; k++) { let r = listed(k); g -= J(r, i) * w[EFC_FORCE + r]; }
        for (var k = tie_rows.x; k < tie_rows.y; k++) { let r = listed(k); g -= J(r, i) * w[EFC_FORCE + r]; }
        w[GRAD + i] = -g;
        norm2 += g * g;
    }
    norm2 = crew_sum(norm2);
    done = done || scale * sqrt(norm2) < TOLERANCE || iterations >= ITERATIONS;
    let more = any_crew(!done);
    iterations += u32(more);
    sync();
    return more;
}

// goes along what the system said; whether there may be another round
fn end_round() -> bool {
    if CONJUGATE { conjugate(iterations == 1u); }
    spread(SEARCH);
    var square = real(0.0);
    var slope = real(0.0);
    for (var i = first_dof(); i < NV; i += LANES) {
        let s = w[SEARCH + i];
        let ms = mass_mul(i);
        w[MV + i] = ms;
        square += s * ms;
        slope -= s * w[GRAD + i];
    }
    for (var k = rows_from() + crew_lane(); k < rows_to(); k += crew_size()) {
        let r = row_at(k);
        w[EFC_JV + r] = row_dot(r);
    }
    sync();
    let sums = crew_sum2(vec2<real>(square, slope));
    square = sums.x;
    slope = sums.y;
    // what a whole step would gain; if that is nothing, it is the last
    var last = 0.5 * abs(slope) * scale < TOLERANCE;
    let busy = !done && (CONJUGATE || !last) && rows_to() > rows_from();
    let alpha = line_search(square, slope, busy);
    if CONJUGATE { last = 0.5 * alpha * abs(slope) * scale < TOLERANCE; }
    if !done {
        for (var i = first_dof(); i < NV; i += LANES) {
            w[QACC + i] += alpha * w[SEARCH + i];
            w[MA + i] += alpha * w[MV + i];
        }
        for (var k = rows_from() + crew_lane(); k < rows_to(); k += crew_size()) {
            let r = row_at(k);
            w[EFC_JAR + r] += alpha * w[EFC_JV + r];
        }
    }
    sync();
    let changed = update();
    // a step of Newton's was exact if it was a whole one and no row changed
    done = done || last || !busy || !CONJUGATE && !changed && alpha == 1.0;
    return any_crew(!done);
}

// whether accelerations are finite
fn end_solve() -> bool {
    sync();
    var bad = false;
    for (var i = lane; i < NV; i += LANES) {
        states[warm_at(i)] = w[QACC + i];
        bad = bad || !(abs(w[QACC + i]) < 1e10);
    }
    return !lane_any(bad);
}
