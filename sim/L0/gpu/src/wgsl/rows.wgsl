// Rows of constraints: their Jacobian, how soft they are, what they are steered towards.
// Equality rows come first, then dry friction, limits, contacts.

// impedance at a violation; the parameters of a row are: stiffness, damping, five of the impedance, weight
fn impedance(prm: u32, violation: real) -> real {
    let low = f4(prm, 0u).z;
    let high = f4(prm, 0u).w;
    let rest = f4(prm, 1u);
    let width = rest.x;
    let middle = rest.y;
    let p = rest.z;
    if low == high || width <= MINVAL { return 0.5 * (low + high); }
    let x = abs(violation) / width;
    if x >= 1.0 { return high; }
    if x <= 0.0 { return low; }
    if p == 1.0 { return low + x * (high - low); }
    // from the end on its side of the middle
    let upper = x > middle;
    let t = select(x, 1.0 - x, upper);
    let y = power(t, p) / power(select(middle, 1.0 - middle, upper), p - 1.0);
    return low + select(y, 1.0 - y, upper) * (high - low);
}

// softness of a row of its own: D, the part of the reference that does not depend on velocity, damping
fn soften(r: u32, prm: u32, violation: real, stiff: real) {
    let imp = impedance(prm, violation);
    w[EFC_D + r] = 1.0 / max((1.0 - imp) * f4(prm, 1u).w / imp, MINVAL);
    w[EFC_JAR + r] = -stiff * f4(prm, 0u).x * imp * violation;
    w[EFC_JV + r] = f4(prm, 0u).y;
}

fn clear_rows(first: u32, count: u32) {
    for (var k = lane; k < count * NV4; k += LANES) { set_Jq(first, k, vec4r(0.0)); }
    sync_matrices();
}

fn make_rows() {
    nefc = NE + NF;
    if ELLIPTIC { for (var r = lane; r < MAXROW; r += LANES) { wu[ROW_CONE + r] = 0u; } sync(); }
    equality_rows();
    friction_rows();
    limit_rows();
    contact_rows();
    sync_matrices();
    // what each row is steered towards
    spread(QVEL);
    for (var r = lane; r < nefc; r += LANES) { w[EFC_AREF + r] = w[EFC_JAR + r] - w[EFC_JV + r] * row_dot(r); }
    sync();
    equality_drift();
}

// rows of dry friction are the same in every step
fn lay_friction(k: u32) {
    let d = ti[FRICTION_DOF + k];
    if k < NF_DOF { set_J(NE + k, d, real(1.0)); return; }
    let last = ti[TENDON + d + 1u];
    for (var j = ti[TENDON + d]; j < last; j++) { set_J(NE + k, ti[TENDON_DOF + j], f(TENDON_COEF + j)); }
}

fn friction_rows() {
    for (var k = lane; k < NF; k += LANES) {
        let r = NE + k;
        soften(r, FRICTION_PRM + 2u * k, real(0.0), real(0.0));
        w[EFC_LOSS + k] = f(FRICTION_LOSS + k);
        var d = ti[FRICTION_DOF + k];
        if k >= NF_DOF { d = ti[TENDON_DOF + ti[TENDON + d]]; }
        note_team(r, ti[DOF_TEAM + d]);
    }
}

// a row that does nothing
fn rest(r: u32) {
    w[EFC_D + r] = 0.0;
    w[EFC_JAR + r] = 0.0;
    w[EFC_JV + r] = 0.0;
    note_team(r, 0u);
}

// room for more rows of this lane; NONE if there is none
fn take_rows(count: u32) -> u32 {
    let place = lane_scan(count);
    let first = nefc + place.x;
    let fits = first + count <= MAXROW;
    nefc += place.y;
    if nefc > MAXROW {
        nefc = MAXROW;
        flags |= OVERFLOW_ROWS;
        // the rows that are left are too few for anyone
        if !fits { for (var r = first; r < MAXROW; r++) { rest(r); } }
    }
    return select(NONE, first, count > 0u && fits);
}

// how far below its range something limited may go, and how far above it; and where a ball has turned to
struct Gap { low: real, high: real, margin: real, axis: vec3r }
fn limit_gap(k: u32) -> Gap {
    var g = Gap(real(1.0), real(1.0), real(0.0), vec3r(0.0));
    if k >= NLIMIT { return g; }
    let kind = ti[LIMIT_KIND + k];
    let range = f4(LIMIT_RANGE, k);
    g.margin = range.z;
    var value: real;
    if HAS_BALL && kind == BALL {
        let turned = qvec(qunit(w4(QPOS + ti[LIMIT_QPOS + k])));
        value = sqrt(dot(turned, turned));
        if value >= MINVAL { g.axis = turned / value; }
        g.low = g.margin;
    } else {
        if kind == TENDON_LIMIT { value = w[TEN_LENGTH + ti[LIMIT_QPOS + k]]; } else { value = w[QPOS + ti[LIMIT_QPOS + k]]; }
        g.low = value - range.x;
    }
    g.high = range.y - value;
    return g;
}

// a loop with barriers in it takes more text, even one of a single round
fn limit_rows() {
    if NLIMIT == 0u { return; }
    if NLIMIT <= LANES { limits_from(0u); return; }
    for (var base = 0u; base < NLIMIT; base += LANES) { limits_from(base); }
}

fn limits_from(base: u32) {
    let k = base + lane;
    let prm = LIMIT_PRM + 2u * k;
    let g = limit_gap(k);
    let count = u32(g.low < g.margin) + u32(g.high < g.margin);
    let before = nefc;
    var r = take_rows(count);
    if nefc == before { return; }
    clear_rows(before, nefc - before);
    if r != NONE {
        let d = ti[LIMIT_DOF + k];
        let kind = ti[LIMIT_KIND + k];
        // one side, or the other, or both
        for (var high = g.low >= g.margin; ; high = true) {
            let gap = select(g.low, g.high, high);
            limit_row(r, kind, d, select(real(1.0), real(-1.0), high), g.axis, prm, gap - g.margin);
            if high || count == 1u { break; }
            r++;
        }
    }
    sync_matrices();
}

fn limit_row(r: u32, kind: u32, d: u32, sign: real, axis: vec3r, prm: u32, violation: real) {
    var moved = d;
    if kind == TENDON_LIMIT { moved = ti[TENDON_DOF + ti[TENDON + d]]; }
    note_team(r, ti[DOF_TEAM + moved]);
    if HAS_BALL && kind == BALL {
        set_J(r, d, -axis.x);
        set_J(r, d + 1u, -axis.y);
        set_J(r, d + 2u, -axis.z);
    } else if kind == TENDON_LIMIT {
        let last = ti[TENDON + d + 1u];
        for (var k = ti[TENDON + d]; k < last; k++) { set_J(r, ti[TENDON_DOF + k], sign * f(TENDON_COEF + k)); }
    } else {
        set_J(r, d, sign);
    }
    soften(r, prm, violation, real(1.0));
}

// whether a dof moves a body
fn moves(b: u32, i: u32) -> bool {
    return ((ti[BODY_CHAIN + b * CHAIN_WORDS + (i >> 5u)] >> (i & 31u)) & 1u) != 0u;
}

// velocity of a point of body 2 against that of body 1 for a unit speed of a dof
fn relative(i: u32, b1: u32, p1: vec3r, b2: u32, p2: vec3r) -> Six {
    let axis = six(dof_at(i));
    var out = Six(vec3r(0.0), vec3r(0.0));
    let centre = w3(REF + 3u * ti[DOF_TREE + i]);
    if moves(b2, i) { out = Six(axis.a, axis.l + cross(axis.a, p2 - centre)); }
    if moves(b1, i) { out = Six(out.a - axis.a, out.l - axis.l - cross(axis.a, p1 - centre)); }
    return out;
}

fn contact_frame(at: u32) -> vec3r {
    let x = w3(at + 4u);
    var hint = w3(at + 7u);
    if dot(hint, hint) < 0.25 {
        hint = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
    }
    return unit(hint - x * dot(x, hint));
}

fn rows_of(dim: u32) -> u32 {
    if dim == 1u { return 1u; }
    return select(2u * (dim - 1u), dim, ELLIPTIC);
}

// where each contact's rows are, and how soft
fn soften_from(base: u32) {
    let c = base + lane;
    var count = 0u;
    if c < ncon { count = rows_of(ti[PAIR_DIM + con_pair(c)]); }
    let r = take_rows(count);
    if c < ncon { set_con_row(c, r); soften_contact(c, r); }
    sync();
}

fn contact_rows() {
    if MAXCON <= LANES { soften_from(0u); }
    else { for (var base = 0u; base < ncon; base += LANES) { soften_from(base); } }
    for (var c = 0u; c < ncon; c++) {
        if con_row(c) != NONE && moves_team(c) { share_softness(con_row(c), con_pair(c)); }
    }
    // what other teams have is not looked at
    for (var i = first_dof(); i < NV; i += LANES) {
        let axis = six(dof_at(i));
        let centre = w3(REF + 3u * ti[DOF_TREE + i]);
        for (var c = 0u; c < ncon; c++) {
            if con_row(c) != NONE && moves_team(c) { contact_column(c, i, axis, centre); }
        }
    }
}

// what a dof adds to the rows of a contact
fn contact_column(c: u32, i: u32, axis: Six, centre: vec3r) {
    let r = con_row(c);
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let at = CON + 10u * c;
    let x = w3(at + 4u);
    let y = w3(at + 7u);
    let z = cross(x, y);
    // what moves both bodies does not matter
    let sign = real(moves(body2(p), i)) - real(moves(body1(p), i));
    let v = sign * (axis.l + cross(axis.a, w3(at + 1u) - centre));
    let turn = sign * axis.a;
    let normal = dot(x, v);
    if ELLIPTIC || dim == 1u { set_J(r, i, normal); }
    if dim == 1u { return; }
    set_side(r, 1u, i, p, normal, dot(y, v));
    set_side(r, 2u, i, p, normal, dot(z, v));
    if MAX_DIM > 3u && dim > 3u { set_side(r, 3u, i, p, normal, dot(x, turn)); }
    if MAX_DIM > 4u && dim > 4u {
        set_side(r, 4u, i, p, normal, dot(y, turn));
        set_side(r, 5u, i, p, normal, dot(z, turn));
    }
}
// the row of a direction, or the two edges of a pyramid that lean to it
fn set_side(r: u32, k: u32, i: u32, p: u32, normal: real, along: real) {
    if ELLIPTIC { set_J(r + k, i, along); return; }
    let slide = f(PAIR_FRICTION + 5u * p + k - 1u) * along;
    set_J(r + 2u * k - 2u, i, normal + slide);
    set_J(r + 2u * k - 1u, i, normal - slide);
}

fn soften_contact(c: u32, r: u32) {
    let at = CON + 10u * c;
    put3(at + 7u, contact_frame(at));
    if r == NONE { return; }
    let p = con_pair(c);
    let prm = PAIR_PRM + 3u * p;
    let dim = ti[PAIR_DIM + p];
    let violation = w[at] - f4(PAIR_RANGE, p).z;
    let imp = impedance(prm, violation);
    let linear = f4(prm, 1u).w;
    let mu = f(PAIR_FRICTION + 5u * p);
    // a pyramid's edges share the softness that a frictional normal has
    var weight = linear;
    if dim > 1u && !ELLIPTIC { weight = linear * (1.0 + mu * mu); }
    let normal = max((1.0 - imp) * weight / imp, MINVAL);
    let soft = f4(prm, 0u);
    let steer = -soft.x * imp * violation;
    // of a pyramid's edges
    var own = normal;
    if dim > 1u && !ELLIPTIC { own = 2.0 * mu * mu / f(IMPRATIO) * normal; }
    w[EFC_D + r] = 1.0 / own;
    w[EFC_JAR + r] = steer;
    w[EFC_JV + r] = soft.y;
}

// rows of a contact after its first: edges of a pyramid are as soft as each other, tangents are not steered
fn share_softness(r: u32, p: u32) {
    let dim = ti[PAIR_DIM + p];
    let first = select(lane & 31u, lane, TEAMS == 1u);
    if first == 0u {
        note_team(r, ti[PAIR_TEAM + p]);
        if ELLIPTIC && dim > 1u { wu[ROW_CONE + r] = 1u; }
    }
    // there are never more than ten
    for (var k = first + 1u; k < min(rows_of(dim), 10u); k += LANES) {
        note_team(r + k, ti[PAIR_TEAM + p]);
        var scale = real(1.0);
        if ELLIPTIC {
            let ratio = f(PAIR_FRICTION + 5u * p + k - 1u) / f(PAIR_FRICTION + 5u * p);
            scale = ratio * ratio * f(IMPRATIO);
            wu[ROW_CONE + r + k] = 1u;
        }
        w[EFC_D + r + k] = scale * w[EFC_D + r];
        w[EFC_JAR + r + k] = select(w[EFC_JAR + r], real(0.0), ELLIPTIC);
        w[EFC_JV + r + k] = select(w[EFC_JV + r], f4(PAIR_PRM + 3u * p, 2u).y, ELLIPTIC);
    }
}
