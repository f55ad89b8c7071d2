// mj_makeConstraint: Jacobian, impedance and reference acceleration of all constraint rows. Equality rows come
// first, then friction loss, limits, contacts.

// getimpedance: impedance d(r) at a violation r. Solver parameters of a row (two vec4): K, B, dmin, dmax; width,
// midpoint, power, diagApprox.
fn impedance(prm: u32, pos: real) -> real {
    let dmin = f4(prm, 0u).z;
    let dmax = f4(prm, 0u).w;
    let rest = f4(prm, 1u);
    let width = rest.x;
    let middle = rest.y;
    let p = rest.z;
    if dmin == dmax || width <= MINVAL { return 0.5 * (dmin + dmax); }
    let x = abs(pos) / width;
    if x >= 1.0 { return dmax; }
    if x <= 0.0 { return dmin; }
    if p == 1.0 { return dmin + x * (dmax - dmin); }
    // Distance from the end of the interval on this side of the midpoint.
    let upper = x > middle;
    let t = select(x, 1.0 - x, upper);
    let y = power(t, p) / power(select(middle, 1.0 - middle, upper), p - 1.0);
    return dmin + select(y, 1.0 - y, upper) * (dmax - dmin);
}

// Sets efc_D, and for the reference acceleration the position term -K d r (in EFC_JAR) and the damping B (in
// EFC_JV).
fn set_row_params(r: u32, prm: u32, pos: real, has_pos_term: real) {
    let imp = impedance(prm, pos);
    w[EFC_D + r] = 1.0 / max((1.0 - imp) * f4(prm, 1u).w / imp, MINVAL);
    w[EFC_JAR + r] = -has_pos_term * f4(prm, 0u).x * imp * pos;
    w[EFC_JV + r] = f4(prm, 0u).y;
}

fn zero_rows(first: u32, count: u32) {
    for (var k = lane; k < count * NV4; k += LANES) { set_J4(first, k, vec4r(0.0)); }
    sync_matrices();
}

fn make_constraint() {
    nefc = NE + NF;
    if ELLIPTIC { for (var r = lane; r < MAXEFC; r += LANES) { wu[ROW_CONE_STATE + r] = 0u; } sync(); }
    instantiate_equality();
    instantiate_friction();
    instantiate_limit();
    instantiate_contact();
    sync_matrices();
    // mj_referenceConstraint: efc_aref = -K d r - B (J qvel).
    broadcast_dofs(QVEL);
    for (var r = lane; r < nefc; r += LANES) { w[EFC_AREF + r] = w[EFC_JAR + r] - w[EFC_JV + r] * J_dot(r); }
    sync();
}

// Friction loss of a dof: the only entry of the row is one, in the column of the dof. Loops over dense rows skip these.
fn is_dof_friction(r: u32) -> bool { return NF_DOF > 0u && r - NE < NF_DOF; }
// The next row of a loop over all rows; rows of tree groups are not in this order.
fn skip_dof_friction(k: u32) -> u32 { return select(k, k + NF_DOF, NGROUP == 1u && NF_DOF > 0u && k == NE); }

// The Jacobian of friction loss is constant, so it is written once, except for spatial tendons.
fn init_friction_row(k: u32) {
    let d = ti[FRICTION_DOF + k];
    if k < NF_DOF { set_J(NE + k, d, real(1.0)); return; }
    if spatial_index(d) != NONE { return; }
    let last = ti[TENDON_ADR + d + 1u];
    for (var j = ti[TENDON_ADR + d]; j < last; j++) { set_J(NE + k, ti[TENDON_DOF + j], f(TENDON_COEF + j)); }
}

fn instantiate_friction() {
    for (var k = lane; k < NF; k += LANES) {
        let r = NE + k;
        set_row_params(r, FRICTION_SOLPARAMS + 2u * k, real(0.0), real(0.0));
#ifdef SLEEP
        if friction_asleep(k) { w[EFC_D + r] = 0.0; }
#endif
        w[EFC_FRICTIONLOSS + k] = f(FRICTIONLOSS + k);
        var d = ti[FRICTION_DOF + k];
        if k >= NF_DOF {
            if spatial_index(d) != NONE {
                for (var i = 0u; i < NV; i++) { set_J(r, i, real(0.0)); }
                add_tendon_row(r, d, real(1.0));
            }
            d = tendon_dof(d);
        }
        set_row_group(r, ti[DOF_GROUP + d]);
    }
}

// A row without effect.
fn set_inactive_row(r: u32) {
    w[EFC_D + r] = 0.0;
    w[EFC_JAR + r] = 0.0;
    w[EFC_JV + r] = 0.0;
    set_row_group(r, 0u);
}

// Allocates rows for this lane. Returns the first one, or NONE if they do not fit.
fn allocate_rows(count: u32) -> u32 {
    let slots = workgroup_scan(count);
    let first = nefc + slots.x;
    let in_capacity = first + count <= MAXEFC;
    nefc += slots.y;
    if nefc > MAXEFC {
        nefc = MAXEFC;
        flags |= OVERFLOW_EFC;
        // The remaining rows are too few for this lane and stay inactive.
        if !in_capacity { for (var r = first; r < MAXEFC; r++) { set_inactive_row(r); } }
    }
    return select(NONE, first, count > 0u && in_capacity);
}

// Distances to the lower and upper limit, the margin, and the rotation axis of a ball joint.
struct LimitDistance { low: real, high: real, margin: real, axis: vec3r }
fn limit_distance(k: u32) -> LimitDistance {
    var g = LimitDistance(real(1.0), real(1.0), real(0.0), vec3r(0.0));
    if k >= NLIMIT { return g; }
#ifdef SLEEP
    if limit_asleep(k) { return g; }
#endif
    let kind = ti[LIMIT_TYPE + k];
    let range = f4(LIMIT_RANGE, k);
    g.margin = range.z;
    var value: real;
    if HAS_BALL && kind == BALL {
        let rotvec = quat_to_rotvec(qunit(w4(QPOS + ti[LIMIT_QPOSADR + k])));
        value = sqrt(dot(rotvec, rotvec));
        if value >= MINVAL { g.axis = rotvec / value; }
        g.low = g.margin;
    } else {
        if kind == TENDON_LIMIT { value = w[TEN_LENGTH + ti[LIMIT_QPOSADR + k]]; } else { value = w[QPOS + ti[LIMIT_QPOSADR + k]]; }
        g.low = value - range.x;
    }
    g.high = range.y - value;
    return g;
}

// A loop with barriers adds instructions even if it has a single iteration.
fn instantiate_limit() {
    if NLIMIT == 0u { return; }
    if NLIMIT <= LANES { instantiate_limit_block(0u); return; }
    for (var base = 0u; base < NLIMIT; base += LANES) { instantiate_limit_block(base); }
}

fn instantiate_limit_block(base: u32) {
    let k = base + lane;
    let prm = LIMIT_SOLPARAMS + 2u * k;
    let g = limit_distance(k);
    let count = u32(g.low < g.margin) + u32(g.high < g.margin);
    let before = nefc;
    var r = allocate_rows(count);
    if nefc == before { return; }
    zero_rows(before, nefc - before);
    if r != NONE {
        let d = ti[LIMIT_DOF + k];
        let kind = ti[LIMIT_TYPE + k];
        // Lower limit, upper limit, or both.
        for (var high = g.low >= g.margin; ; high = true) {
            let gap = select(g.low, g.high, high);
            limit_row(r, kind, d, select(real(1.0), real(-1.0), high), g.axis, prm, gap - g.margin);
            if high || count == 1u { break; }
            r++;
        }
    }
    sync_matrices();
}

fn limit_row(r: u32, kind: u32, d: u32, sign: real, axis: vec3r, prm: u32, pos: real) {
    var moved = d;
    if kind == TENDON_LIMIT { moved = tendon_dof(d); }
    set_row_group(r, ti[DOF_GROUP + moved]);
    if HAS_BALL && kind == BALL {
        set_J(r, d, -axis.x);
        set_J(r, d + 1u, -axis.y);
        set_J(r, d + 2u, -axis.z);
    } else if kind == TENDON_LIMIT {
        add_tendon_row(r, d, sign);
    } else {
        set_J(r, d, sign);
    }
    set_row_params(r, prm, pos, real(1.0));
}

// Whether dof `i` moves body `b`.
fn dof_moves_body(b: u32, i: u32) -> bool {
    return ((ti[BODY_DOF_MASK + b * DOF_MASK_WORDS + (i >> 5u)] >> (i & 31u)) & 1u) != 0u;
}

// Column of the difference Jacobian of two points: velocity of p2 on body b2 relative to p1 on body b1 for unit
// velocity of dof `i`.
fn jac_difference(i: u32, b1: u32, p1: vec3r, b2: u32, p2: vec3r) -> Spatial {
    let axis = spatial(cdof_adr(i));
    var out = Spatial(vec3r(0.0), vec3r(0.0));
    let reference = w3(TREE_REF + 3u * ti[DOF_TREE + i]);
    if dof_moves_body(b2, i) { out = Spatial(axis.ang, axis.lin + cross(axis.ang, p2 - reference)); }
    if dof_moves_body(b1, i) { out = Spatial(out.ang - axis.ang, out.lin - axis.lin - cross(axis.ang, p1 - reference)); }
    return out;
}

fn contact_tangent(at: u32) -> vec3r {
    let x = w3(at + 4u);
    var hint = w3(at + 7u);
    if dot(hint, hint) < 0.25 {
        hint = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
    }
    return unit(hint - x * dot(x, hint));
}

fn contact_nefc(dim: u32) -> u32 {
    if dim == 1u { return 1u; }
    return select(2u * (dim - 1u), dim, ELLIPTIC);
}

// Rows and solver parameters of one contact per lane.
fn contact_params_block(base: u32) {
    let c = base + lane;
    var count = 0u;
    if c < ncon { count = contact_nefc(ti[PAIR_DIM + con_pair(c)]); }
#ifdef KEEP_GAP_CONTACTS
    if c < ncon && w[CONTACT + 10u * min(c, MAXCON - 1u)] >= f4(PAIR_DISTANCES, con_pair(min(c, MAXCON - 1u))).z { count = 0u; }
#endif
    let r = allocate_rows(count);
    if c < ncon { set_con_row(c, r); set_contact_params(c, r); }
    sync();
}

fn instantiate_contact() {
    if MAXCON <= LANES { contact_params_block(0u); }
    else { for (var base = 0u; base < ncon; base += LANES) { contact_params_block(base); } }
    for (var c = 0u; c < ncon; c++) {
        if con_row(c) != NONE && affects_group(c) { set_friction_params(con_row(c), con_pair(c)); }
    }
    // Dofs of other groups are not affected.
    for (var i = lane_dof(); i < NV; i += LANES) {
        let axis = spatial(cdof_adr(i));
        let reference = w3(TREE_REF + 3u * ti[DOF_TREE + i]);
        for (var c = 0u; c < ncon; c++) {
            if con_row(c) != NONE && affects_group(c) { contact_jacobian_column(c, i, axis, reference); }
        }
    }
}

// Column of dof `i` in the rows of a contact.
fn contact_jacobian_column(c: u32, i: u32, axis: Spatial, reference: vec3r) {
    let r = con_row(c);
    let p = con_pair(c);
    let dim = ti[PAIR_DIM + p];
    let at = CONTACT + 10u * c;
    let x = w3(at + 4u);
    let y = w3(at + 7u);
    let z = cross(x, y);
    // Dofs that move both bodies cancel.
    let sign = real(dof_moves_body(body2(p), i)) - real(dof_moves_body(body1(p), i));
    let v = sign * (axis.lin + cross(axis.ang, w3(at + 1u) - reference));
    let ang = sign * axis.ang;
    let normal = dot(x, v);
    if ELLIPTIC || dim == 1u { set_J(r, i, normal); }
    if dim == 1u { return; }
    set_friction_direction(r, 1u, i, p, normal, dot(y, v));
    set_friction_direction(r, 2u, i, p, normal, dot(z, v));
    if MAX_DIM > 3u && dim > 3u { set_friction_direction(r, 3u, i, p, normal, dot(x, ang)); }
    if MAX_DIM > 4u && dim > 4u {
        set_friction_direction(r, 4u, i, p, normal, dot(y, ang));
        set_friction_direction(r, 5u, i, p, normal, dot(z, ang));
    }
}
// Sets the row of a friction direction (elliptic), or the two pyramid edges along it (pyramidal).
fn set_friction_direction(r: u32, k: u32, i: u32, p: u32, normal: real, tangent_vel: real) {
    if ELLIPTIC { set_J(r + k, i, tangent_vel); return; }
    let friction_vel = f(PAIR_FRICTION + 5u * p + k - 1u) * tangent_vel;
    set_J(r + 2u * k - 2u, i, normal + friction_vel);
    set_J(r + 2u * k - 1u, i, normal - friction_vel);
}

fn set_contact_params(c: u32, r: u32) {
    let at = CONTACT + 10u * c;
    put3(at + 7u, contact_tangent(at));
    if r == NONE { return; }
    let p = con_pair(c);
    let prm = PAIR_SOLPARAMS + 3u * p;
    let dim = ti[PAIR_DIM + p];
    let pos = w[at] - f4(PAIR_DISTANCES, p).z;
    let imp = impedance(prm, pos);
    let invweight = f4(prm, 1u).w;
    let mu = f(PAIR_FRICTION + 5u * p);
    // diagApprox of the normal row of a pyramidal contact with friction.
    var weight = invweight;
    if dim > 1u && !ELLIPTIC { weight = invweight * (1.0 + mu * mu); }
    let normal = max((1.0 - imp) * weight / imp, MINVAL);
    let solparams = f4(prm, 0u);
    let pos_term = -solparams.x * imp * pos;
    // Regularisation of the pyramid edges.
    var R = normal;
    if dim > 1u && !ELLIPTIC { R = 2.0 * mu * mu / f(IMPRATIO) * normal; }
    w[EFC_D + r] = 1.0 / R;
    w[EFC_JAR + r] = pos_term;
    w[EFC_JV + r] = solparams.y;
}

// Remaining rows of a contact: pyramid edges share all parameters; tangential rows of an elliptic cone scale D by
// the friction ratio and have no position term.
fn set_friction_params(r: u32, p: u32) {
    let dim = ti[PAIR_DIM + p];
    let first = select(lane & 31u, lane, NGROUP == 1u);
    if first == 0u {
        set_row_group(r, ti[PAIR_GROUP + p]);
        if ELLIPTIC && dim > 1u { wu[ROW_CONE_STATE + r] = 1u; }
    }
    // A contact has at most ten rows; the bound keeps the loop from being unrolled.
    for (var k = first + 1u; k < min(contact_nefc(dim), 10u); k += LANES) {
        set_row_group(r + k, ti[PAIR_GROUP + p]);
        var scale = real(1.0);
        if ELLIPTIC {
            let ratio = f(PAIR_FRICTION + 5u * p + k - 1u) / f(PAIR_FRICTION + 5u * p);
            scale = ratio * ratio * f(IMPRATIO);
            wu[ROW_CONE_STATE + r + k] = 1u;
        }
        w[EFC_D + r + k] = scale * w[EFC_D + r];
        w[EFC_JAR + r + k] = select(w[EFC_JAR + r], real(0.0), ELLIPTIC);
        w[EFC_JV + r + k] = select(w[EFC_JV + r], f4(PAIR_SOLPARAMS + 3u * p, 2u).y, ELLIPTIC);
    }
}
