// Spheres on height fields (mjc_ConvexHField): closest points of prisms in closed form, with the prisms of a sphere
// distributed over several lanes. The pair of a sphere whose center is inside a prism is deferred to the narrow-phase
// pass, where EPA finds its penetration depth.

// Lanes that share the prisms of a sphere.
const PRISM_LANES: u32 = min(8u, LANES);

// A height field around a sphere. Address of the samples, rows, columns; half width, half depth, height, base
// thickness; center of the sphere in the frame of the height field; first row and column, columns of prisms.
struct HFieldCells { samples: vec3<u32>, size: vec4r, center: vec3r, first: vec2<u32>, columns: u32 }

// Largest distance of the sphere's center from a prism at which there is a contact, m.
fn sphere_contact_distance(p: u32) -> real { return f3(GEOM_SIZE, geom2(p)).x + 0.5 * f4(PAIR_DISTANCES, p).y; }

// First and last grid line around an interval.
fn grid_lines(low: real, high: real, half: real, samples: u32) -> vec2<u32> {
    let last = real(samples - 1u);
    let first = clamp(floor((low + half) / (2.0 * half) * last), real(0.0), last);
    return vec2<u32>(u32(first), u32(clamp(ceil((high + half) / (2.0 * half) * last), real(0.0), last)));
}

// Cells around a sphere. Returns the number of prisms.
fn find_cells(cells: ptr<function, HFieldCells>, p: u32) -> u32 {
    let a = geom_pose(geom1(p));
    let record = ti[GEOM_MESH + a.geom];
    let at = ti[record + 3u];
    let samples = vec3<u32>(ti[record], ti[record + 1u], ti[record + 2u]);
    let size = vec4r(tf[at], tf[at + 1u], tf[at + 2u], tf[at + 3u]);
    let center = to_local(a, geom_xpos(geom2(p)) - a.pos);
    let radius = f3(GEOM_SIZE, geom2(p)).x;
    let margin = f4(PAIR_DISTANCES, p).y;
    let outside = any(abs(center.xy) > size.xy + radius + margin) || center.z - radius - margin > size.z
        || center.z + radius + margin < -size.w;
    let columns = grid_lines(center.x - radius, center.x + radius, size.x, samples.z);
    let rows = grid_lines(center.y - radius, center.y + radius, size.y, samples.y);
    *cells = HFieldCells(samples, size, center, vec2<u32>(rows.x, columns.x), 2u * (columns.y - columns.x));
    return select((rows.y - rows.x) * (*cells).columns, 0u, outside);
}

// Grid point relative to the center of the sphere.
fn grid_point(cells: ptr<function, HFieldCells>, row: u32, column: u32) -> vec3r {
    let samples = (*cells).samples;
    let size = (*cells).size;
    let x = 2.0 * size.x / real(samples.z - 1u) * real(column) - size.x;
    let y = 2.0 * size.y / real(samples.y - 1u) * real(row) - size.y;
    return vec3r(x, y, tf[samples.x + row * samples.z + column] * size.z) - (*cells).center;
}

// Closest point to the origin on a segment.
fn closest_on_segment(a: vec3r, b: vec3r) -> vec3r {
    let d = b - a;
    return a + clamp(-dot(a, d) / max(dot(d, d), MINVAL), real(0.0), real(1.0)) * d;
}

fn nearer(p: vec3r, q: vec3r) -> vec3r { return select(p, q, dot(q, q) < dot(p, p)); }

// Closest point to the origin on the side of a prism below the top edge from `a` to `b`; the closest point of the edge
// itself is that of the top triangle.
fn closest_on_side(a: vec3r, b: vec3r, bottom: real) -> vec3r {
    let d = b.xy - a.xy;
    let t = clamp(-dot(a.xy, d) / max(dot(d, d), MINVAL), real(0.0), real(1.0));
    return vec3r(a.xy + t * d, clamp(real(0.0), bottom, max(mix(a.z, b.z, t), bottom)));
}

// Twice the signed area of the triangle of an edge and the origin.
fn cross_2d(a: vec3r, b: vec3r) -> real { return a.x * b.y - a.y * b.x; }

// Whether the center of the sphere is inside a prism.
var<private> sphere_inside: bool;

// Contact of a sphere with prism `k`.
fn prism_sphere(contacts: ptr<function, ContactPoints>, cells: ptr<function, HFieldCells>, p: u32, k: u32) {
    let row = (*cells).first.x + k / (*cells).columns;
    let column = (*cells).first.y + k % (*cells).columns / 2u;
    let half = k & 1u;
    let margin = vec3r(0.0, 0.0, f4(PAIR_DISTANCES, p).y);
    let a = grid_point(cells, row + 1u - half, column) + margin;
    let b = grid_point(cells, row + half, column + half) + margin;
    let c = grid_point(cells, row + 1u - half, column + 1u) + margin;
    let radius = f3(GEOM_SIZE, geom2(p)).x;
    // Entirely below the sphere.
    if max(a.z, max(b.z, c.z)) < -radius { return; }
    let bottom = -(*cells).size.w - (*cells).center.z;
    // Signs of the areas of the triangles of the edges and the center.
    let sides = vec3r(cross_2d(a, b), cross_2d(b, c), cross_2d(c, a));
    let within = all(sides >= vec3r(0.0)) || all(sides <= vec3r(0.0));
    let up = cross(b - a, c - a);
    let normal = select(up, -up, up.z < 0.0);
    // Height of the top above the center, along the normal.
    let top = dot(a, normal);
    if within && top >= 0.0 && bottom <= 0.0 { sphere_inside = true; return; }
    // Foot on the plane of the top triangle, if it is inside.
    let foot = normal * (top / dot(normal, normal));
    let inside = vec3r(dot(cross(b - a, foot - a), up), dot(cross(c - b, foot - b), up), dot(cross(a - c, foot - c), up));
    var point = nearer(nearer(closest_on_segment(a, b), closest_on_segment(b, c)), closest_on_segment(c, a));
    if all(inside >= vec3r(0.0)) { point = foot; }
    let sides_point = nearer(nearer(closest_on_side(a, b, bottom), closest_on_side(b, c, bottom)), closest_on_side(c, a, bottom));
    point = nearer(point, sides_point);
    if within && bottom > 0.0 { point = nearer(point, vec3r(0.0, 0.0, bottom)); }
    let distance = sqrt(dot(point, point));
    let contact_distance = sphere_contact_distance(p);
    if distance >= contact_distance { return; }
    // EPA decides where the center is on the surface.
    if distance <= f(CCD_TOLERANCE) { sphere_inside = true; return; }
    let field = geom_pose(geom1(p));
    let direction = point / distance;
    // Midpoint of the point on the prism and the deepest point of the sphere.
    let pos = (*cells).center + 0.5 * (point + contact_distance * direction);
    add_contact(contacts, distance - contact_distance, to_world(field, pos) + field.pos, to_world(field, -direction), vec3r(0.0));
}

// Removes contacts from index `first` on whose pair is marked in the queue of `size` pairs: the narrow-phase pass finds
// all contacts of such a pair.
fn discard_marked(first: u32, size: u32) {
    var kept = 0u;
    if lane == 0u {
        kept = first;
        for (var c = first; c < ncon; c++) {
            let p = wu[CONTACT_PAIR_ROW + c];
            var marked = false;
            for (var k = 0u; k < size; k++) { marked = marked || w[PAIR_QUEUE + k] == -1.0 - real(p); }
            if marked { continue; }
            for (var i = 0u; i < 10u; i++) { w[CONTACT + 10u * kept + i] = w[CONTACT + 10u * c + i]; }
            wu[CONTACT_PAIR_ROW + kept] = p;
            kept++;
        }
    }
    ncon = workgroup_scan(kept).y;
    sync();
}

fn collide_hfield_sphere(p: u32, queued: bool) {
    var overlaps = queued;
    if queued { overlaps = obb_overlap(p); }
    let slots = workgroup_scan(u32(overlaps));
    if slots.y == 0u { return; }
    let first_contact = ncon;
    if overlaps { w[PAIR_QUEUE + slots.x] = real(p); }
    sync();
    for (var first = 0u; first < slots.y; first += LANES / PRISM_LANES) {
        let slot = first + lane / PRISM_LANES;
        var pair = 0u;
        var count = 0u;
        var cells: HFieldCells;
        if slot < slots.y {
            pair = u32(w[PAIR_QUEUE + slot]);
            count = find_cells(&cells, pair);
        }
        var k = lane % PRISM_LANES;
        loop {
            if !workgroup_any(k < count) { break; }
            var contacts: ContactPoints;
            pair_ncon = 0u;
            sphere_inside = false;
            if k < count { prism_sphere(&contacts, &cells, pair, k); }
            store_contacts(&contacts, pair);
            // Marks the pair; several lanes may write the same number.
            if sphere_inside { w[PAIR_QUEUE + slot] = -1.0 - real(pair); }
            k += PRISM_LANES;
        }
    }
    sync();
    if PASS != PASS_SINGLE {
        var mark = real(0.0);
        if lane < slots.y { mark = w[PAIR_QUEUE + lane]; }
        if workgroup_any(mark < 0.0) {
            list_deferred(u32(max(-1.0 - mark, real(0.0))), mark < 0.0);
            discard_marked(first_contact, slots.y);
        }
    }
    sync();
}
