// Plane-primitive contacts in closed form (mjc_PlaneSphere, mjc_PlaneCapsule, mjc_PlaneBox, mjc_PlaneCylinder,
// mjc_PlaneEllipsoid).

// A sphere (half length zero), or both ends of a capsule.
fn plane_capsule(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let axis = z_axis(b);
    let normal = z_axis(a);
    let tangent = select(vec3r(0.0), axis, b.size.y > 0.0);
    for (var end = b.size.y; ; end = -end) {
        let centre = b.pos + axis * end;
        let dist = dot(centre - a.pos, normal) - b.size.x;
        if dist <= margin { add_contact(contacts, dist, centre - normal * (0.5 * dist + b.size.x), normal, tangent); }
        if end <= 0.0 { break; }
    }
}
fn plane_box(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let normal = z_axis(a);
    let height = dot(b.pos - a.pos, normal);
    for (var i = 0u; i < 8u; i++) {
        if pair_ncon == 4u { break; }
        let sign = vec3r(select(real(-1.0), real(1.0), (i & 1u) != 0u), select(real(-1.0), real(1.0), (i & 2u) != 0u),
            select(real(-1.0), real(1.0), (i & 4u) != 0u));
        let corner = to_world(b, sign * b.size);
        let below = dot(normal, corner);
        let dist = height + below;
        if dist > margin || below > 0.0 { continue; }
        add_contact(contacts, dist, corner + b.pos - normal * (0.5 * dist), normal, vec3r(0.0));
    }
}
fn plane_cylinder(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let normal = z_axis(a);
    var axis = z_axis(b);
    var along = dot(normal, axis);
    if along > 0.0 { axis = -axis; along = -along; }
    let height = dot(b.pos - a.pos, normal);
    let down = axis * along - normal;
    let length2 = dot(down, down);
    var rim: vec3r;
    if length2 >= MINVAL * MINVAL { rim = down * (b.size.x / sqrt(length2)); } else { rim = x_axis(b) * b.size.x; }
    let sink = dot(rim, normal);
    axis *= b.size.y;
    along *= b.size.y;
    let dist = height + along + sink;
    if dist > margin { return; }
    add_contact(contacts, dist, b.pos + rim + axis - normal * (0.5 * dist), normal, vec3r(0.0));
    let far_dist = height - along + sink;
    if far_dist <= margin { add_contact(contacts, far_dist, b.pos + rim - axis - normal * (0.5 * far_dist), normal, vec3r(0.0)); }
    let side_dist = height + along - 0.5 * sink;
    if side_dist <= margin {
        let across = unit(cross(rim, axis)) * (b.size.x * 0.86602540378443865);
        let inner = b.pos + axis - 0.5 * rim - normal * (0.5 * side_dist);
        add_contact(contacts, side_dist, inner + across, normal, vec3r(0.0));
        add_contact(contacts, side_dist, inner - across, normal, vec3r(0.0));
    }
}
fn plane_ellipsoid(contacts: ptr<function, ContactPoints>, a: GeomPose, b: GeomPose, margin: real) {
    let normal = z_axis(a);
    let n = to_local(b, -normal) * b.size;
    let lowest = to_world(b, b.size * n / sqrt(dot(n, n))) + b.pos;
    let dist = dot(lowest - a.pos, normal);
    if dist <= margin { add_contact(contacts, dist, lowest - normal * (0.5 * dist), normal, vec3r(0.0)); }
}
