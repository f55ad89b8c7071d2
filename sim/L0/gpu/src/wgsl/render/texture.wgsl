// Textures in a storage buffer: bilinear samples of two levels of detail.

fn texel(texture: Texture, first: u32, size: vec2<i32>, at: vec2<i32>) -> vec4<f32> {
    var p = at;
    if texture.is_cube != 0u { p = clamp(at, vec2<i32>(0), size - 1); }
    else { p = ((at % size) + size) % size; }
    let color = unpack4x8unorm(texels[first + u32(p.y * size.x + p.x)]);
    if texture.is_srgb == 0u { return color; }
    let linear = select(pow((color.rgb + 0.055) / 1.055, vec3<f32>(2.4)), color.rgb / 12.92, color.rgb <= vec3<f32>(0.04045));
    return vec4<f32>(linear, color.a);
}

fn bilinear(texture: Texture, first: u32, size: vec2<i32>, uv: vec2<f32>) -> vec4<f32> {
    let at = uv * vec2<f32>(size) - 0.5;
    let low = floor(at);
    let f = at - low;
    let i = vec2<i32>(low);
    let top = mix(texel(texture, first, size, i), texel(texture, first, size, i + vec2<i32>(1, 0)), f.x);
    let bottom = mix(texel(texture, first, size, i + vec2<i32>(0, 1)), texel(texture, first, size, i + vec2<i32>(1, 1)), f.x);
    return mix(top, bottom, f.y);
}

fn sample_level(texture: Texture, face: u32, level: u32, uv: vec2<f32>) -> vec4<f32> {
    var first = texture.first;
    var size = vec2<u32>(texture.width, texture.height);
    let faces = select(1u, 6u, texture.is_cube != 0u);
    for (var k = 0u; k < level; k++) {
        first += faces * size.x * size.y;
        size = max(size / 2u, vec2<u32>(1u));
    }
    return bilinear(texture, first + face * size.x * size.y, vec2<i32>(size), uv);
}

// `lod` is the logarithm of the size of a pixel in texels.
fn sample(texture: Texture, face: u32, uv: vec2<f32>, lod: f32) -> vec4<f32> {
    let level = clamp(lod, 0.0, f32(texture.levels - 1u));
    let low = u32(level);
    let a = sample_level(texture, face, low, uv);
    let part = level - f32(low);
    if part < 0.01 { return a; }
    return mix(a, sample_level(texture, face, low + 1u, uv), part);
}

// A cube map in a direction: faces +x, -x, +y, -y, +z, -z.
fn sample_cube(texture: Texture, v: vec3<f32>, lod: f32) -> vec4<f32> {
    let a = abs(v);
    var face: u32;
    var uv: vec2<f32>;
    if a.x >= a.y && a.x >= a.z {
        face = select(1u, 0u, v.x > 0.0);
        uv = vec2<f32>(select(v.z, -v.z, v.x > 0.0), -v.y) / a.x;
    } else if a.y >= a.z {
        face = select(3u, 2u, v.y > 0.0);
        uv = vec2<f32>(v.x, select(-v.z, v.z, v.y > 0.0)) / a.y;
    } else {
        face = select(5u, 4u, v.z > 0.0);
        uv = vec2<f32>(select(-v.x, v.x, v.z > 0.0), -v.y) / a.z;
    }
    return sample(texture, face, 0.5 * uv + 0.5, lod);
}
