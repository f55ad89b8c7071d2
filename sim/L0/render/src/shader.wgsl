// Shading of a scene. Lighting is evaluated at vertices, as OpenGL's fixed pipeline does: ambient, diffuse and
// Blinn–Phong specular terms of up to eight lights, clamped to [0, 1], then multiplied by the texture. Each light
// with a shadow map is clamped on its own, and added where the map does not hide it.
//
// Lines that begin with "//$ " are repeated for each shadow map of the module; $k is its number, $a and $b are
// free locations of varyings.

struct Light {
    ambient: vec4<f32>,
    diffuse: vec4<f32>,
    specular: vec4<f32>,
    // In the camera frame; w = 0 for directions.
    position: vec4<f32>,
    // Direction of a spot light in the camera frame, and the cosine of its cutoff; below -1: no spot light.
    direction: vec4<f32>,
    // Constant, linear and quadratic attenuation, and the exponent of the spot light.
    attenuation: vec4<f32>,
}

struct View {
    // Model frame to camera frame.
    view: mat4x4<f32>,
    // Camera frame to clip space.
    projection: mat4x4<f32>,
    // Model frame to the texture coordinates of each shadow map.
    shadow: array<mat4x4<f32>, 4>,
    // Light of each shadow map.
    shadow_lights: vec4<u32>,
    // Fragments on the negative side of this plane, in the model frame, are discarded.
    clip_plane: vec4<f32>,
    fog_color: vec4<f32>,
    global_ambient: vec4<f32>,
    // Distances at which fog begins and is complete; equal without fog.
    fog: vec2<f32>,
    // Size of the image in pixels.
    viewport: vec2<f32>,
    // Factor of all colours of reflected geoms.
    color_scale: f32,
    // Factor of emission: 0 in passes that add the light of one lamp.
    emission_scale: f32,
    // Bit i: light i is on.
    light_mask: u32,
    padding: f32,
    lights: array<Light, 8>,
}

struct Part {
    // Object frame to model frame.
    model: mat4x4<f32>,
    // Positive multiple of the inverse transpose of `model`.
    normal: mat3x3<f32>,
    rgba: vec4<f32>,
    // Emission, specular, shininess exponent, width of lines in pixels.
    material: vec4<f32>,
    // Planes of the texture coordinates in the object frame.
    texture_s: vec4<f32>,
    texture_t: vec4<f32>,
    texture_r: vec4<f32>,
    // Segmentation id + 1; 0: background.
    id: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> parts: array<Part>;
@group(0) @binding(2) var shadow_maps: texture_depth_2d_array;
@group(0) @binding(3) var shadow_sampler: sampler_comparison;
// Part of each instance of all draws.
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(1) @binding(0) var texture_flat: texture_2d<f32>;
@group(1) @binding(1) var texture_cube_map: texture_cube<f32>;
@group(1) @binding(2) var texture_sampler: sampler;

// 0: none; 1: 2D with the coordinates of vertices; 2: 2D with generated coordinates; 3: cube.
override TEXTURE: u32 = 0;
override LIT: bool = true;
// Colours of vertices come from the haze instead of the part.
override HAZE: bool = false;

struct Input {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) uv: vec2<f32>,
    @builtin(instance_index) instance: u32,
}

struct Varying {
    @invariant @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
    @location(1) uv: vec3<f32>,
    // Distance from the clipping plane, depth in the camera frame.
    @location(2) distances: vec2<f32>,
    // Normal in the model frame.
    @location(3) normal: vec3<f32>,
    @location(4) @interpolate(flat) id: u32,
    // Colour of a light, and coordinates in its shadow map.
    //$ @location($a) light_$k: vec3<f32>,
    //$ @location($b) shadow_$k: vec4<f32>,
}

// Light `i` that a vertex at `eye` with the unit normal `n`, both in the camera frame, reflects.
fn reflected(i: u32, material: vec4<f32>, rgb: vec3<f32>, eye: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let light = view.lights[i];
    var to_light = light.position.xyz;
    var factor = 1.0;
    if light.position.w != 0.0 {
        to_light = light.position.xyz - eye;
        let d = length(to_light);
        factor = 1.0 / (light.attenuation.x + light.attenuation.y * d + light.attenuation.z * d * d);
    }
    to_light = normalize(to_light);
    if light.direction.w >= -1.0 {
        let cosine = dot(-to_light, light.direction.xyz);
        if cosine < light.direction.w {
            factor = 0.0;
        } else if light.attenuation.w > 0.0 {
            factor *= pow(max(cosine, 0.0), light.attenuation.w);
        }
    }
    let diffuse = max(dot(n, to_light), 0.0);
    var term = rgb * (light.ambient.rgb + diffuse * light.diffuse.rgb);
    if diffuse > 0.0 {
        let highlight = max(dot(n, normalize(to_light + normalize(-eye))), 0.0);
        // 0 to the power of 0 is 1
        let power = select(pow(highlight, material.z), 1.0, material.z == 0.0);
        term += power * material.y * light.specular.rgb;
    }
    return factor * term;
}

// Colour of a vertex in the lights of the view.
fn shade(material: vec4<f32>, rgb: vec3<f32>, eye: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    var color = rgb * (material.x * view.emission_scale) + rgb * view.global_ambient.rgb;
    for (var i = 0u; i < 8u; i++) {
        if (view.light_mask & (1u << i)) == 0u { continue; }
        color += reflected(i, material, rgb, eye, n);
    }
    return saturate(color);
}

@vertex
fn vertex(in: Input) -> Varying {
    var out: Varying;
    let part = order[in.instance];
    let at = vec4(in.position, 1.0);
    let model = parts[part].model * at;
    let eye = view.view * model;
    out.position = view.projection * eye;
    out.distances = vec2(dot(view.clip_plane, model), -eye.z);
    //$ out.shadow_$k = view.shadow[$k] * model;
    out.id = parts[part].id;
    out.normal = parts[part].normal * in.normal;
    let rgba = parts[part].rgba;
    out.color = vec4(clamp(rgba.rgb * view.color_scale, vec3(0.0), vec3(1.0)), clamp(rgba.a, 0.0, 1.0));
    if HAZE { out.color.a = in.uv.x; }
    if LIT {
        let n = normalize((view.view * vec4(out.normal, 0.0)).xyz);
        let rgb = rgba.rgb * view.color_scale;
        let at_eye = eye.xyz / eye.w;
        let material = parts[part].material;
        out.color = vec4(shade(material, rgb, at_eye, n), out.color.a);
        //$ out.light_$k = saturate(reflected(view.shadow_lights[$k], material, rgb, at_eye, n));
    }
    if TEXTURE == 1u {
        out.uv = vec3(in.uv, 0.0);
    } else if TEXTURE != 0u {
        let p = parts[part].texture_s;
        out.uv = vec3(dot(p, at), dot(parts[part].texture_t, at), dot(parts[part].texture_r, at));
    }
    return out;
}

// A corner of a line segment of constant width on the screen. `normal` is the other end of the segment.
@vertex
fn line_vertex(in: Input) -> Varying {
    var out: Varying;
    let part = order[in.instance];
    let model = parts[part].model * vec4(in.position, 1.0);
    let eye = view.view * model;
    var here = view.projection * eye;
    var there = view.projection * (view.view * (parts[part].model * vec4(in.normal, 1.0)));
    // ends behind the camera are moved to the near plane, where depth / w = 1
    let excess = here.z - here.w;
    let other = there.z - there.w;
    if excess > 0.0 && other < 0.0 { here = mix(here, there, excess / (excess - other)); }
    if other > 0.0 && excess < 0.0 { there = mix(there, here, other / (other - excess)); }
    let half = 0.5 * view.viewport;
    let along = (there.xy / there.w - here.xy / here.w) * half;
    let length_ = max(length(along), 1e-6);
    let side = vec2(-along.y, along.x) / length_ * (0.5 * parts[part].material.w * in.uv.x);
    out.position = vec4(here.xy + side / half * here.w, here.zw);
    out.distances = vec2(dot(view.clip_plane, model), -eye.z);
    out.id = parts[part].id;
    let rgba = parts[part].rgba;
    out.color = clamp(vec4(rgba.rgb * view.color_scale, rgba.a), vec4(0.0), vec4(1.0));
    // lines have no normal: every light adds their colour
    //$ out.light_$k = out.color.rgb;
    //$ out.shadow_$k = view.shadow[$k] * model;
    return out;
}

// Whether the light of a shadow map reaches a point with these coordinates in the map.
fn visible(map: u32, coordinates: vec4<f32>) -> f32 {
    let s = coordinates.xyz / coordinates.w;
    return textureSampleCompareLevel(shadow_maps, shadow_sampler, s.xy, map, saturate(s.z));
}

// Sum of two colours that are stored with 8 bits per channel, as if the second were added by blending. Both may be
// outside of [0, 1]: at the edge of a triangle they are extrapolated to the centre of the pixel.
fn sum_of_bytes(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return saturate((floor(saturate(a) * 255.0 + 0.5) + floor(saturate(b) * 255.0 + 0.5)) / 255.0);
}

@fragment
fn color(in: Varying) -> @location(0) vec4<f32> {
    if in.distances.x < 0.0 { discard; }
    var texel = vec4(1.0);
    if TEXTURE == 1u || TEXTURE == 2u {
        texel = textureSample(texture_flat, texture_sampler, in.uv.xy);
    } else if TEXTURE == 3u {
        texel = textureSample(texture_cube_map, texture_sampler, in.uv);
    }
    var c = in.color * texel;
    var fog = 1.0;
    if view.fog.x != view.fog.y {
        fog = saturate((view.fog.y - abs(in.distances.y)) / (view.fog.y - view.fog.x));
        c = vec4(mix(view.fog_color.rgb, c.rgb, fog), c.a);
    }
    // transparent texels show no light with shadows; fog removes it
    if c.a >= 0.99 {
        //$ c = vec4(sum_of_bytes(c.rgb, in.light_$k * texel.rgb * (fog * visible($ku, in.shadow_$k))), c.a);
    }
    return c;
}

struct Identity {
    @location(0) id: u32,
    @location(1) normal: vec4<f32>,
}

@fragment
fn identity(in: Varying) -> Identity {
    return Identity(in.id, vec4(normalize(in.normal), 0.0));
}
