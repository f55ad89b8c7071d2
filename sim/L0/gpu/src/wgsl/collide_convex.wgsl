// Contacts of two convex solids: one query, then either the faces that meet or the solids turned a little.

// points of the solids at which they touch: `witness_a`, `witness_b`, this many
var<private> witnesses: u32;

// the signed distance; huge when the solids are apart, zero when it is not known
fn query(room: ptr<function, Solids>, most: u32) -> real {
    witnesses = 0u;
    apart = 0.0;
    let form = vec2<u32>((*room).solids[0].form, (*room).solids[1].form);
    let margin = vec2<real>((*room).solids[0].margin, (*room).solids[1].margin);
    // a sphere is a point with a distance around it: exact unless the point itself is inside
    var radius = vec2<real>(0.0);
    for (var k = 0u; k < 2u; k++) {
        if form[k] != FORM_SPHERE && form[k] != FORM_CAPSULE { continue; }
        radius[k] = (*room).solids[k].size.x + 0.5 * margin[k];
        (*room).solids[k].form -= 2u;
        (*room).solids[k].margin = 0.0;
    }
    cutoff = radius.x + radius.y;
    restart(room);
    var p = vec3r(0.0);
    loop {
        if phase == WALK { walk(room, p); }
        if phase == OVERLAP { move_vertex(p); }
        if phase == CHECK { check_overlap(); }
        if phase == REDUCE { reduce_and_go_on(); }
        loop {
            if phase == NEXT { next_vertex(room); }
            let parted = phase == DONE && far == HUGE;
            if phase != ENDED && !(parted && cutoff > 0.0) { break; }
            let shrunk = cutoff > 0.0;
            for (var k = 0u; k < 2u; k++) { (*room).solids[k].form = form[k]; (*room).solids[k].margin = margin[k]; }
            cutoff = 0.0;
            if parted { break; }
            if far > f(CCD_TOLERANCE) {
                phase = DONE;
                if shrunk {
                    walk_points(room);
                    let n = unit((*room).witness_b[0] - (*room).witness_a[0]);
                    (*room).witness_a[0] += n * radius.x;
                    (*room).witness_b[0] -= n * radius.y;
                    witnesses = 1u;
                    far -= radius.x + radius.y;
                }
                break;
            }
            if !shrunk { phase = select(DONE, START, count > 1u); break; }
            restart(room);
        }
        if phase == DONE || phase == START { break; }
        let found = support(room);
        (*room).sample[slot] = found;
        p = found.p;
    }
    if divided { return HUGE; }
    if phase == START { find_depth(room, most); }
    return far;
}

fn restart(room: ptr<function, Solids>) {
    count = 0u;
    walked = 0u;
    weights = vec4r(1.0, 0.0, 0.0, 0.0);
    may_overlap = cutoff <= 0.0;
    divided = false;
    nearest = solid_centre(room) - (*room).solids[1].pos;
    far = 0.0;
    slot = 0u;
    phase = NEXT;
}

fn is_smooth(form: u32) -> bool { return form == FORM_SPHERE || form == FORM_ELLIPSOID; }
fn is_faceted(form: u32) -> bool { return form == FORM_BOX || form == FORM_MESH; }

// turns a solid about a point
fn turn_solid(room: ptr<function, Solids>, k: u32, q: vec4r, pivot: vec3r) {
    (*room).solids[k].x = qrot(q, (*room).solids[k].x);
    (*room).solids[k].y = qrot(q, (*room).solids[k].y);
    (*room).solids[k].z = qrot(q, (*room).solids[k].z);
    let arm = pivot - (*room).solids[k].pos;
    (*room).solids[k].pos -= qrot(q, arm) - arm;
}

fn place_solid(room: ptr<function, Solids>, k: u32, to: Shape) {
    (*room).solids[k].pos = to.pos - origin;
    (*room).solids[k].x = x_axis(to);
    (*room).solids[k].y = y_axis(to);
    (*room).solids[k].z = z_axis(to);
}

fn convex(hits: ptr<function, Touches>, room: ptr<function, Solids>, a: Shape, b: Shape, margin: real) {
    origin = a.pos;
    (*room).solids[0] = solid(a, margin);
    (*room).solids[1] = solid(b, margin);
    let prisms = HAS_PRISM && (*room).solids[0].form == FORM_PRISM;
    if prisms { if !field_start(room, a, b, margin) { return; } }
    let faceted = MULTICCD && margin <= 0.0 && is_faceted((*room).solids[0].form) && is_faceted((*room).solids[1].form);
    let turns = MULTICCD && !faceted && !is_smooth((*room).solids[0].form) && !is_smooth((*room).solids[1].form);
    let nearby = 1e-3 * min(f(GEOM_BOUND + a.geom), f(GEOM_BOUND + b.geom));
    var depth = real(0.0);
    // the first round finds the contact; four more turn the solids about its tangents, each way
    for (var round = 0u; prisms || round < 5u; round++) {
        if prisms {
            if touches >= MAX_TOUCH || !field_next(room, margin) { apart = 0.0; return; }
        } else if round > 0u {
            let x = (*hits)[0].normal;
            var y = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
            y = unit(y - x * dot(x, y));
            let axis = select(cross(x, y), y, round < 3u);
            let sine = select(real(0.000499999979166666927), real(-0.000499999979166666927), (round & 1u) == 1u);
            let q = vec4r(0.999999875000002604, axis * sine);
            for (var k = 0u; k < 2u; k++) { turn_solid(room, k, select(q, qconj(q), k == 1u), (*hits)[0].pos - origin); }
        }
        let dist = query(room, select(1u, 4u, faceted));
        if prisms { field_touch(hits, room, a, dist); continue; }
        if round == 0u { depth = margin + dist; }
        if dist < 0.0 && dist > -HUGE { add_witnesses(hits, room, depth, nearby, round > 0u); }
        if !turns || touches == 0u { return; }
        place_solid(room, 0u, a);
        place_solid(room, 1u, b);
    }
}

// adds the points of a query; of one that was turned only if they are elsewhere
fn add_witnesses(hits: ptr<function, Touches>, room: ptr<function, Solids>, dist: real, nearby: real, elsewhere: bool) {
    for (var k = 0u; k < witnesses; k++) {
        let pos = origin + 0.5 * ((*room).witness_a[k] + (*room).witness_b[k]);
        var known = false;
        for (var i = 0u; elsewhere && i < min(touches, MAX_TOUCH); i++) {
            let away = (*hits)[i].pos - pos;
            known = known || sqrt(dot(away, away)) <= nearby;
        }
        if !known && all(abs(pos) < vec3r(HUGE)) { add_touch(hits, dist, pos, unit((*room).witness_a[k] - (*room).witness_b[k]), vec3r(0.0)); }
    }
}
