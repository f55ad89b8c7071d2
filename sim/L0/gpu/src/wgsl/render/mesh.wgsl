// Triangles of meshes and height fields, below a bounding volume hierarchy.

// vec4s of a triangle: a corner and two edges, then normals with the texture coordinates as two 16-bit floats.
const TRIANGLE: u32 = 6u;

// Entry of a ray into the bounds of a node; MISS if it does not hit them before `end`.
fn enter_bounds(i: u32, o: vec3<f32>, inverse: vec3<f32>, start: f32, end: f32) -> f32 {
    let a = (nodes[i].low - o) * inverse;
    let b = (nodes[i].high - o) * inverse;
    let low = min(a, b);
    let high = max(a, b);
    let enter = max(max(low.x, low.y), max(low.z, start));
    return select(MISS, enter, enter <= min(min(high.x, high.y), min(high.z, end)));
}

fn hit_mesh(g: u32, ray: Ray, start: f32, hit: ptr<function, Hit>) {
    var stack: array<u32, STACK>;
    var depth = 0u;
    let o = ray.origin;
    let d = ray.direction;
    let inverse = 1.0 / d;
    var node = geoms[g].root;
    if enter_bounds(node, o, inverse, start, (*hit).t) >= MISS { return; }
    loop {
        let count = nodes[node].count;
        let second = nodes[node].second;
        if count == 0u {
            let a = enter_bounds(node + 1u, o, inverse, start, (*hit).t);
            let b = enter_bounds(second, o, inverse, start, (*hit).t);
            let first_is_near = a <= b;
            let near = select(second, node + 1u, first_is_near);
            let far = select(node + 1u, second, first_is_near);
            if max(a, b) < MISS {
                stack[depth] = far;
                depth++;
            }
            if min(a, b) < MISS {
                node = near;
                continue;
            }
        }
        for (var k = second; k < second + count; k++) {
            let edge1 = triangles[TRIANGLE * k + 1u].xyz;
            let edge2 = triangles[TRIANGLE * k + 2u].xyz;
            let p = cross(d, edge2);
            let determinant = dot(edge1, p);
            // back faces have a negative one
            if determinant <= 0.0 { continue; }
            let s = o - triangles[TRIANGLE * k].xyz;
            let u = dot(s, p);
            let q = cross(s, edge1);
            let v = dot(d, q);
            if u < 0.0 || v < 0.0 || u + v > determinant { continue; }
            let t = dot(edge2, q) / determinant;
            if t > start && t < (*hit).t { *hit = Hit(t, g, k, u / determinant, v / determinant); }
        }
        // the stack holds nodes that may have become farther than the hit
        if depth == 0u { return; }
        depth--;
        node = stack[depth];
    }
}

fn triangle_normal(hit: Hit) -> vec3<f32> {
    let at = TRIANGLE * hit.triangle + 3u;
    let n = (1.0 - hit.u - hit.v) * triangles[at].xyz + hit.u * triangles[at + 1u].xyz + hit.v * triangles[at + 2u].xyz;
    return normalize(n);
}

fn triangle_uv(hit: Hit) -> vec2<f32> {
    let at = TRIANGLE * hit.triangle + 3u;
    let a = unpack2x16float(bitcast<u32>(triangles[at].w));
    let b = unpack2x16float(bitcast<u32>(triangles[at + 1u].w));
    let c = unpack2x16float(bitcast<u32>(triangles[at + 2u].w));
    return (1.0 - hit.u - hit.v) * a + hit.u * b + hit.v * c;
}
