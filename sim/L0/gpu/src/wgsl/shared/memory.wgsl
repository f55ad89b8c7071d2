// Access to vectors in workgroup memory.

fn w3(at: u32) -> vec3r { return vec3r(w[at], w[at + 1u], w[at + 2u]); }
fn w4(at: u32) -> vec4r { return vec4r(w[at], w[at + 1u], w[at + 2u], w[at + 3u]); }
fn put3(at: u32, v: vec3r) { w[at] = v.x; w[at + 1u] = v.y; w[at + 2u] = v.z; }
fn put4(at: u32, v: vec4r) { put3(at, v.xyz); w[at + 3u] = v.w; }
fn spatial(at: u32) -> Spatial { return Spatial(w3(at), w3(at + 3u)); }
fn put_spatial(at: u32, v: Spatial) { put3(at, v.ang); put3(at + 3u, v.lin); }
