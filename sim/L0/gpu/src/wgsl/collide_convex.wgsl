// Contacts of two convex solids: one query, then either the faces that meet or the solids turned a little.

// points at which the solids touch
var<private> witness_a: array<vec3r, 4>;
var<private> witness_b: array<vec3r, 4>;
var<private> witnesses: u32;

// the signed distance; huge when the solids are apart
fn query(most: u32) -> real {
    witnesses = 0u;
    let tolerance = f(CCD_TOLERANCE);
    let form_a = solid_a.form;
    let form_b = solid_b.form;
    let round_a = form_a == FORM_SPHERE || form_a == FORM_CAPSULE;
    let round_b = form_b == FORM_SPHERE || form_b == FORM_CAPSULE;
    let margin_a = solid_a.margin;
    let margin_b = solid_b.margin;
    let radius_a = select(real(0.0), solid_a.size.x + 0.5 * margin_a, round_a);
    let radius_b = select(real(0.0), solid_b.size.x + 0.5 * margin_b, round_b);
    // a sphere is a point with a distance around it: exact unless the point itself is inside
    for (var shrunk = round_a || round_b; ; shrunk = false) {
        if shrunk && round_a { solid_a.form -= 2u; solid_a.margin = 0.0; }
        if shrunk && round_b { solid_b.form -= 2u; solid_b.margin = 0.0; }
        gjk(solid_centre(), solid_b.pos, select(real(0.0), radius_a + radius_b, shrunk));
        solid_a.form = form_a;
        solid_b.form = form_b;
        solid_a.margin = margin_a;
        solid_b.margin = margin_b;
        if !shrunk { break; }
        if gjk_dist > tolerance {
            if !gjk_points { return HUGE; }
            let n = unit(gjk_b - gjk_a);
            witness_a[0] = gjk_a + n * radius_a;
            witness_b[0] = gjk_b - n * radius_b;
            witnesses = 1u;
            return gjk_dist - (radius_a + radius_b);
        }
    }
    if !(gjk_dist <= tolerance && simplex_count > 1u) { return gjk_dist; }
    if !epa_start() { return real(0.0); }
    if !epa_expand() { return real(0.0); }
    witness_a[0] = epa_a;
    witness_b[0] = epa_b;
    witnesses = 1u;
    if most > 1u { spread(most); }
    return epa_dist;
}

fn is_smooth(form: u32) -> bool { return form == FORM_SPHERE || form == FORM_ELLIPSOID; }
fn is_faceted(form: u32) -> bool { return form == FORM_BOX || form == FORM_MESH; }

// turns a solid about a point
fn turn_solid(s: ptr<private, Solid>, q: vec4r, origin: vec3r) {
    (*s).x = qrot(q, (*s).x);
    (*s).y = qrot(q, (*s).y);
    (*s).z = qrot(q, (*s).z);
    let arm = origin - (*s).pos;
    (*s).pos -= qrot(q, arm) - arm;
}

fn place_solid(s: ptr<private, Solid>, to: Shape) {
    (*s).pos = to.pos;
    (*s).x = x_axis(to);
    (*s).y = y_axis(to);
    (*s).z = z_axis(to);
}

fn convex(a: Shape, b: Shape, margin: real) {
    solid_a = solid(a, margin);
    solid_b = solid(b, margin);
    let faceted = MULTICCD && margin <= 0.0 && is_faceted(solid_a.form) && is_faceted(solid_b.form);
    let turns = MULTICCD && !faceted && !is_smooth(solid_a.form) && !is_smooth(solid_b.form);
    let nearby = 1e-3 * min(f(GEOM_BOUND + a.geom), f(GEOM_BOUND + b.geom));
    var depth = real(0.0);
    // the first round finds the contact; four more turn the solids about its tangents, each way
    for (var round = 0u; round < 5u; round++) {
        if round > 0u {
            let x = touch[0].normal;
            var y = select(vec3r(0.0, 0.0, 1.0), vec3r(0.0, 1.0, 0.0), x.y < 0.5 && x.y > -0.5);
            y = unit(y - x * dot(x, y));
            let axis = select(cross(x, y), y, round < 3u);
            let sine = select(real(0.000499999979166666927), real(-0.000499999979166666927), (round & 1u) == 1u);
            let q = vec4r(0.999999875000002604, axis * sine);
            turn_solid(&solid_a, q, touch[0].pos);
            turn_solid(&solid_b, qconj(q), touch[0].pos);
        }
        let dist = query(select(1u, 4u, faceted));
        if round == 0u { depth = margin + dist; }
        if dist < 0.0 && dist > -HUGE { add_witnesses(depth, nearby, round > 0u); }
        if !turns || touches == 0u { return; }
        place_solid(&solid_a, a);
        place_solid(&solid_b, b);
    }
}

// adds the points of a query; of one that was turned only if they are elsewhere
fn add_witnesses(dist: real, nearby: real, elsewhere: bool) {
    for (var k = 0u; k < witnesses; k++) {
        let pos = 0.5 * (witness_a[k] + witness_b[k]);
        var known = false;
        for (var i = 0u; elsewhere && i < min(touches, MAX_TOUCH); i++) {
            let away = touch[i].pos - pos;
            known = known || sqrt(dot(away, away)) <= nearby;
        }
        if !known && all(abs(pos) < vec3r(HUGE)) { add_touch(dist, pos, unit(witness_a[k] - witness_b[k]), vec3r(0.0)); }
    }
}
