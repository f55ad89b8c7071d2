// Contacts of two convex solids: one query, then either the faces that meet or the solids turned a little.

// points at which the solids touch
var<private> witness_a: array<vec3r, 4>;
var<private> witness_b: array<vec3r, 4>;
var<private> witnesses: u32;

// the signed distance; huge when the solids are apart, zero when it is not known
fn query(most: u32) -> real {
    witnesses = 0u;
    let form = vec2<u32>(solids[0].form, solids[1].form);
    let margin = vec2<real>(solids[0].margin, solids[1].margin);
    // a sphere is a point with a distance around it: exact unless the point itself is inside
    var radius = vec2<real>(0.0);
    for (var k = 0u; k < 2u; k++) {
        if form[k] != FORM_SPHERE && form[k] != FORM_CAPSULE { continue; }
        radius[k] = solids[k].size.x + 0.5 * margin[k];
        solids[k].form -= 2u;
        solids[k].margin = 0.0;
    }
    cutoff = radius.x + radius.y;
    restart();
    loop {
        let p = point_p[slot];
        if phase == WALK { walk(p); }
        if phase == OVERLAP { move_vertex(p); }
        if phase == CHECK { check_overlap(); }
        if phase == REDUCE { reduce_and_go_on(); }
        loop {
            if phase == NEXT { next_vertex(); }
            let apart = phase == DONE && far == HUGE;
            if phase != ENDED && !(apart && cutoff > 0.0) { break; }
            let shrunk = cutoff > 0.0;
            for (var k = 0u; k < 2u; k++) { solids[k].form = form[k]; solids[k].margin = margin[k]; }
            cutoff = 0.0;
            if apart { break; }
            if far > f(CCD_TOLERANCE) {
                phase = DONE;
                if shrunk {
                    walk_points();
                    let n = unit(witness_b[0] - witness_a[0]);
                    witness_a[0] += n * radius.x;
                    witness_b[0] -= n * radius.y;
                    witnesses = 1u;
                    far -= radius.x + radius.y;
                }
                break;
            }
            if !shrunk { phase = select(DONE, START, count > 1u); break; }
            restart();
        }
        if phase == TIPS { take_tip(p); }
        if phase == START && count == 4u {
            for (var k = 0u; k < 4u; k++) { first[k] = kept[k]; }
            phase = BUILD;
        }
        if phase == BUILD { build(); }
        if phase == START { start_tips(); }
        if phase == EXPAND { expand(p); }
        if phase == GROW { grow(); }
        if phase == WITNESS { epa_witness(); }
        if phase == DONE { break; }
        support();
    }
    if most > 1u && witnesses == 1u { lay_faces(most); }
    return far;
}

fn restart() {
    count = 0u;
    walked = 0u;
    weights = vec4r(1.0, 0.0, 0.0, 0.0);
    may_overlap = cutoff <= 0.0;
    nearest = solid_centre() - solids[1].pos;
    far = 0.0;
    slot = 0u;
    phase = NEXT;
}

fn is_smooth(form: u32) -> bool { return form == FORM_SPHERE || form == FORM_ELLIPSOID; }
fn is_faceted(form: u32) -> bool { return form == FORM_BOX || form == FORM_MESH; }

// turns a solid about a point
fn turn_solid(k: u32, q: vec4r, pivot: vec3r) {
    solids[k].x = qrot(q, solids[k].x);
    solids[k].y = qrot(q, solids[k].y);
    solids[k].z = qrot(q, solids[k].z);
    let arm = pivot - solids[k].pos;
    solids[k].pos -= qrot(q, arm) - arm;
}

fn place_solid(k: u32, to: Shape) {
    solids[k].pos = to.pos - origin;
    solids[k].x = x_axis(to);
    solids[k].y = y_axis(to);
    solids[k].z = z_axis(to);
}

fn convex(a: Shape, b: Shape, margin: real) {
    origin = a.pos;
    solids[0] = solid(a, margin);
    solids[1] = solid(b, margin);
    let prisms = HAS_PRISM && solids[0].form == FORM_PRISM;
    if prisms { if !field_start(a, b, margin) { return; } }
    let faceted = MULTICCD && margin <= 0.0 && is_faceted(solids[0].form) && is_faceted(solids[1].form);
    let turns = MULTICCD && !faceted && !is_smooth(solids[0].form) && !is_smooth(solids[1].form);
    let nearby = 1e-3 * min(f(GEOM_BOUND + a.geom), f(GEOM_BOUND + b.geom));
    var depth = real(0.0);
    // the first round finds the contact; four more turn the solids about its tangents, each way
    for (var round = 0u; prisms || round < 5u; round++) {
        if prisms {
            if touches >= MAX_TOUCH || !field_next(margin) { return; }
        } else if round > 0u {
            let x = touch[0].normal;
            var y = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
            y = unit(y - x * dot(x, y));
            let axis = select(cross(x, y), y, round < 3u);
            let sine = select(real(0.000499999979166666927), real(-0.000499999979166666927), (round & 1u) == 1u);
            let q = vec4r(0.999999875000002604, axis * sine);
            for (var k = 0u; k < 2u; k++) { turn_solid(k, select(q, qconj(q), k == 1u), touch[0].pos - origin); }
        }
        let dist = query(select(1u, 4u, faceted));
        if prisms { field_touch(a, dist); continue; }
        if round == 0u { depth = margin + dist; }
        if dist < 0.0 && dist > -HUGE { add_witnesses(depth, nearby, round > 0u); }
        if !turns || touches == 0u { return; }
        place_solid(0u, a);
        place_solid(1u, b);
    }
}

// adds the points of a query; of one that was turned only if they are elsewhere
fn add_witnesses(dist: real, nearby: real, elsewhere: bool) {
    for (var k = 0u; k < witnesses; k++) {
        let pos = origin + 0.5 * (witness_a[k] + witness_b[k]);
        var known = false;
        for (var i = 0u; elsewhere && i < min(touches, MAX_TOUCH); i++) {
            let away = touch[i].pos - pos;
            known = known || sqrt(dot(away, away)) <= nearby;
        }
        if !known && all(abs(pos) < vec3r(HUGE)) { add_touch(dist, pos, unit(witness_a[k] - witness_b[k]), vec3r(0.0)); }
    }
}
