// Intersections of rays with geoms. Back faces are not hit, as in a rasteriser that culls them: a ray that starts
// inside a geom leaves it unseen.

struct Ray { origin: vec3<f32>, direction: vec3<f32> }

struct Hit {
    // Distance in multiples of the direction.
    t: f32,
    geom: u32,
    // Triangle of a mesh, and barycentric coordinates.
    triangle: u32,
    u: f32,
    v: f32,
}

const MISS: f32 = 1e30;

// Entry of a ray into the unit sphere around the origin, or into the unit cylinder if only x and y are given.
fn enter_unit_sphere(o: vec3<f32>, d: vec3<f32>) -> f32 {
    let dd = dot(d, d);
    let nearest = -dot(o, d) / dd;
    // distance from the line instead of a difference of large squares
    let across = o + nearest * d;
    let inside = 1.0 - dot(across, across);
    if inside < 0.0 { return MISS; }
    return nearest - sqrt(inside / dd);
}

fn hit_sphere(size: vec3<f32>, o: vec3<f32>, d: vec3<f32>) -> f32 { return enter_unit_sphere(o / size, d / size); }

// Interval of a ray in the infinite cylinder of this radius.
fn in_cylinder(radius: f32, o: vec3<f32>, d: vec3<f32>) -> vec2<f32> {
    let dd = dot(d.xy, d.xy);
    if dd < 1e-12 * d.z * d.z {
        return select(vec2<f32>(MISS, -MISS), vec2<f32>(-MISS, MISS), dot(o.xy, o.xy) <= radius * radius);
    }
    let nearest = -dot(o.xy, d.xy) / dd;
    let across = o.xy + nearest * d.xy;
    let inside = radius * radius - dot(across, across);
    if inside < 0.0 { return vec2<f32>(MISS, -MISS); }
    let half = sqrt(inside / dd);
    return vec2<f32>(nearest - half, nearest + half);
}

fn hit_cylinder(size: vec3<f32>, o: vec3<f32>, d: vec3<f32>) -> f32 {
    let side = in_cylinder(size.x, o, d);
    let a = (-size.z - o.z) / d.z;
    let b = (size.z - o.z) / d.z;
    let enter = max(side.x, min(a, b));
    if enter > min(side.y, max(a, b)) { return MISS; }
    return enter;
}

// The entry into a union of convex parts that is convex itself is the first entry into any of them.
fn hit_capsule(size: vec3<f32>, o: vec3<f32>, d: vec3<f32>) -> f32 {
    let offset = vec3<f32>(0.0, 0.0, size.z);
    var t = enter_unit_sphere((o - offset) / size.x, d / size.x);
    t = min(t, enter_unit_sphere((o + offset) / size.x, d / size.x));
    let side = in_cylinder(size.x, o, d);
    if side.x < t && abs(o.z + side.x * d.z) <= size.z && side.x > -MISS { t = side.x; }
    return t;
}

fn hit_box(size: vec3<f32>, o: vec3<f32>, d: vec3<f32>) -> f32 {
    let inverse = 1.0 / d;
    let a = (-size - o) * inverse;
    let b = (size - o) * inverse;
    let low = min(a, b);
    let high = max(a, b);
    let enter = max(max(low.x, low.y), low.z);
    if enter > min(min(high.x, high.y), high.z) { return MISS; }
    return enter;
}

fn hit_plane(size: vec3<f32>, o: vec3<f32>, d: vec3<f32>) -> f32 {
    if o.z < 0.0 || d.z >= 0.0 { return MISS; }
    let t = -o.z / d.z;
    let p = o.xy + t * d.xy;
    if (size.x > 0.0 && abs(p.x) > size.x) || (size.y > 0.0 && abs(p.y) > size.y) { return MISS; }
    return t;
}

// The ray in the frame of a geom.
fn to_local(g: u32, ray: Ray) -> Ray {
    let r0 = pose_row(g, 0u);
    let r1 = pose_row(g, 1u);
    let r2 = pose_row(g, 2u);
    let at = ray.origin - vec3<f32>(r0.w, r1.w, r2.w);
    let d = ray.direction;
    return Ray(at.x * r0.xyz + at.y * r1.xyz + at.z * r2.xyz, d.x * r0.xyz + d.y * r1.xyz + d.z * r2.xyz);
}

// Whether a ray intersects the bounding sphere of a geom between `start` and `end`.
fn ray_overlaps_bounding_sphere(g: u32, ray: Ray, start: f32, end: f32) -> bool {
    let sphere = spheres[first_object + g];
    let o = ray.origin - sphere.xyz;
    let dd = dot(ray.direction, ray.direction);
    let nearest = -dot(o, ray.direction) / dd;
    let across = o + nearest * ray.direction;
    let inside = sphere.w * sphere.w - dot(across, across);
    if inside < 0.0 { return false; }
    let half = sqrt(inside / dd);
    return nearest + half >= start && nearest - half <= end;
}

// Hits of geom `g` beyond `start` that are nearer than the given one.
fn hit_geom(g: u32, ray: Ray, start: f32, hit: ptr<function, Hit>) {
    let size = geoms[g].size;
    let shape = geoms[g].shape;
    let o = ray.origin;
    let d = ray.direction;
    var t = MISS;
    if HAS_MESH && shape == SHAPE_MESH {
        hit_mesh(g, ray, start, hit);
        return;
    }
    if shape == SHAPE_PLANE { t = hit_plane(size, o, d); }
    else if shape == SHAPE_SPHERE { t = hit_sphere(size, o, d); }
    else if shape == SHAPE_CAPSULE { t = hit_capsule(size, o, d); }
    else if shape == SHAPE_CYLINDER { t = hit_cylinder(size, o, d); }
    else { t = hit_box(size, o, d); }
    if t > start && t < (*hit).t { *hit = Hit(t, g, NONE, 0.0, 0.0); }
}

// The nearest hit between `start` and `end`; `in_tile` restricts it to the geoms of the tile.
fn trace(ray: Ray, start: f32, end: f32, in_tile: bool) -> Hit {
    var hit = Hit(end, NONE, NONE, 0.0, 0.0);
    for (var word = 0u; word < MASK_WORDS; word++) {
        var bits = candidates(word, in_tile);
        while bits != 0u {
            let g = 32u * word + countTrailingZeros(bits);
            bits &= bits - 1u;
            if ray_overlaps_bounding_sphere(g, ray, start, hit.t) { hit_geom(g, to_local(g, ray), start, &hit); }
        }
    }
    return hit;
}

// Whether anything that casts shadows is between a point and a light.
fn occluded(ray: Ray, end: f32) -> bool {
    var hit = Hit(end, NONE, NONE, 0.0, 0.0);
    for (var g = 0u; g < NGEOM; g++) {
        if ray_overlaps_bounding_sphere(g, ray, 0.0, end) && geoms[g].casts_shadow != 0u {
            hit_geom(g, to_local(g, ray), 0.0, &hit);
            if hit.geom != NONE { return true; }
        }
    }
    return false;
}

// Normal of a hit in the frame of the geom.
fn local_normal(hit: Hit, p: vec3<f32>) -> vec3<f32> {
    let size = geoms[hit.geom].size;
    let shape = geoms[hit.geom].shape;
    if HAS_MESH && shape == SHAPE_MESH { return triangle_normal(hit); }
    if shape == SHAPE_PLANE { return vec3<f32>(0.0, 0.0, 1.0); }
    if shape == SHAPE_SPHERE { return normalize(p / (size * size)); }
    if shape == SHAPE_CAPSULE { return normalize(vec3<f32>(p.xy, p.z - clamp(p.z, -size.z, size.z))); }
    if shape == SHAPE_CYLINDER {
        if size.z - abs(p.z) < size.x - length(p.xy) { return vec3<f32>(0.0, 0.0, sign(p.z)); }
        return vec3<f32>(normalize(p.xy), 0.0);
    }
    let gap = size - abs(p);
    if gap.x <= gap.y && gap.x <= gap.z { return vec3<f32>(sign(p.x), 0.0, 0.0); }
    if gap.y <= gap.z { return vec3<f32>(0.0, sign(p.y), 0.0); }
    return vec3<f32>(0.0, 0.0, sign(p.z));
}
