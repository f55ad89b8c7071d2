// Colours of hits: the light model of OpenGL's fixed pipeline, evaluated at each pixel, with shadows and one
// reflection.

struct Seen { color: vec3<f32>, hit: Hit }

// Light `i` that a surface with the unit normal `n` reflects towards the unit vector `view`.
fn reflected(i: u32, g: u32, rgb: vec3<f32>, to_light: vec3<f32>, factor: f32, view: vec3<f32>, n: vec3<f32>) -> vec3<f32> {
    let diffuse = max(dot(n, to_light), 0.0);
    var term = rgb * (lights[i].ambient.rgb + diffuse * lights[i].diffuse.rgb);
    if diffuse > 0.0 {
        let highlight = max(dot(n, normalize(to_light + view)), 0.0);
        let exponent = geoms[g].material.z;
        // 0 to the power of 0 is 1
        let power = select(pow(highlight, exponent), 1.0, exponent == 0.0);
        term += power * geoms[g].material.y * lights[i].specular.rgb;
    }
    return factor * term;
}

// Unit vector to light `i`, and the factor of its attenuation.
struct Lit { to_light: vec3<f32>, distance: f32, factor: f32 }
fn light_at(i: u32, p: vec3<f32>, camera_object: u32) -> Lit {
    let light = lights[i];
    if light.kind == LIGHT_HEAD {
        let z = vec3<f32>(pose_row(camera_object, 0u).z, pose_row(camera_object, 1u).z, pose_row(camera_object, 2u).z);
        return Lit(z, MISS, 1.0);
    }
    let r0 = pose_row(FIRST_LIGHT + i, 0u);
    let r1 = pose_row(FIRST_LIGHT + i, 1u);
    let r2 = pose_row(FIRST_LIGHT + i, 2u);
    let direction = vec3<f32>(r0.x, r1.x, r2.x);
    if light.kind == LIGHT_DIRECTIONAL { return Lit(-direction, MISS, 1.0); }
    // other types are not supported by this look
    if light.kind != LIGHT_SPOT { return Lit(vec3<f32>(0.0), 0.0, 0.0); }
    let offset = vec3<f32>(r0.w, r1.w, r2.w) - p;
    let d = length(offset);
    let a = light.attenuation;
    var factor = 1.0 / (a.x + a.y * d + a.z * d * d);
    let to_light = offset / d;
    if light.cutoff >= -1.0 {
        let cosine = dot(-to_light, direction);
        if cosine < light.cutoff { factor = 0.0; }
        else if a.w > 0.0 { factor *= pow(max(cosine, 0.0), a.w); }
    }
    return Lit(to_light, d, factor);
}

// Texture of a hit; `p` is its position in the frame of the geom.
fn texture_color(hit: Hit, p: vec3<f32>, footprint: f32) -> vec4<f32> {
    let g = hit.geom;
    if !HAS_TEXTURE || geoms[g].texturing == TEXTURING_NONE { return vec4<f32>(1.0); }
    let texture = textures[geoms[g].texture];
    let lod = log2(max(footprint * geoms[g].texel_density, 1e-6));
    let at = vec4<f32>(p, 1.0);
    let s = dot(geoms[g].texture_s, at);
    let t = dot(geoms[g].texture_t, at);
    if geoms[g].texturing == TEXTURING_CUBE {
        return sample_cube(texture, vec3<f32>(s, t, dot(geoms[g].texture_r, at)), lod);
    }
    if HAS_MESH && geoms[g].texturing == TEXTURING_EXPLICIT { return sample(texture, 0u, triangle_uv(hit), lod); }
    return sample(texture, 0u, vec2<f32>(s, t), lod);
}

struct Surface { color: vec3<f32>, alpha: f32, point: vec3<f32>, normal: vec3<f32> }

// Colour of a hit that is seen from `eye`. `scale` multiplies the colour of the material; `shadows` casts rays to the
// lights.
fn surface(hit: Hit, ray: Ray, eye: vec3<f32>, camera_object: u32, footprint: f32, scale: f32, shadows: bool) -> Surface {
    let g = hit.geom;
    let local = to_local(g, ray);
    let p = local.origin + hit.t * local.direction;
    let local_n = local_normal(hit, p);
    let n = vec3<f32>(
        dot(pose_row(g, 0u).xyz, local_n), dot(pose_row(g, 1u).xyz, local_n), dot(pose_row(g, 2u).xyz, local_n));
    let point = ray.origin + hit.t * ray.direction;
    let view = normalize(eye - point);
    let slant = max(abs(dot(normalize(ray.direction), n)), 0.02);
    let texel = texture_color(hit, p, footprint / slant);
    let rgb = geoms[g].rgba.rgb * scale;
    var color = rgb * (geoms[g].material.x + GLOBAL_AMBIENT);
    for (var i = 0u; i < NLIGHT; i++) {
        if SHADOWS && shadows && lights[i].casts_shadow != 0u { continue; }
        let lit = light_at(i, point, camera_object);
        color += reflected(i, g, rgb, lit.to_light, lit.factor, view, n);
    }
    color = saturate(color) * texel.rgb;
    let alpha = geoms[g].rgba.a * texel.a;
    if SHADOWS && shadows && alpha >= 0.99 {
        for (var i = 0u; i < NLIGHT; i++) {
            if lights[i].casts_shadow == 0u { continue; }
            let lit = light_at(i, point, camera_object);
            let term = saturate(reflected(i, g, rgb, lit.to_light, lit.factor, view, n));
            if max(max(term.x, term.y), term.z) < 0.5 / 255.0 { continue; }
            // surfaces that face away from the light are hidden from it by themselves
            if dot(n, lit.to_light) <= 0.0 { continue; }
            let start = point + n * (1e-4 * (1.0 + abs(hit.t)));
            if !occluded(Ray(start, lit.to_light), lit.distance) { color = saturate(color + term * texel.rgb); }
        }
    }
    return Surface(color, alpha, point, n);
}

// The sky in a direction.
fn sky(direction: vec3<f32>) -> vec3<f32> {
    if !HAS_SKY { return vec3<f32>(0.0); }
    return sample_cube(textures[SKY_TEXTURE], vec3<f32>(direction.x, direction.z, -direction.y), 0.0).rgb;
}

// Opacity of the haze above the horizon of the first infinite plane, in front of a hit at distance `t`.
fn haze(ray: Ray, t: f32, radius: f32) -> f32 {
    if !HAS_HAZE { return 0.0; }
    let local = to_local(HAZE_GEOM, ray);
    let elevation = local.origin.z / radius;
    let horizontal = length(local.direction.xy);
    if elevation < 0.0 || horizontal <= 0.0 { return 0.0; }
    let slope = local.direction.z / horizontal;
    let below = -slope / (elevation - slope * HAZE_SIZE);
    if below < 0.0 || below > 1.0 { return 0.0; }
    let ring = (1.0 - HAZE_SIZE * below) * radius;
    if t * horizontal < ring { return 0.0; }
    let z = 1.0 - below;
    return select((1.0 - z) / (1.0 - HAZE_TRANSITION), z / HAZE_TRANSITION, z < HAZE_TRANSITION);
}

// What a camera ray sees, through up to LAYERS transparent surfaces.
fn radiance(ray: Ray, camera: Camera, camera_object: u32) -> Seen {
    var seen = Seen(vec3<f32>(0.0), Hit(camera.far, NONE, NONE, 0.0, 0.0));
    if !OUTPUT_RGB {
        seen.hit = trace(ray, camera.near, camera.far, true);
        return seen;
    }
    let eye = vec3<f32>(pose_row(camera_object, 0u).w, pose_row(camera_object, 1u).w, pose_row(camera_object, 2u).w);
    var through = 1.0;
    var start = camera.near;
    let pixel = (camera.frustum.w - camera.frustum.y) / f32(HEIGHT);
    for (var layer = 0u; layer < LAYERS; layer++) {
        let hit = trace(ray, start, camera.far, true);
        if layer == 0u { seen.hit = hit; }
        var footprint = pixel;
        if camera.orthographic == 0u { footprint *= hit.t; }
        var color: vec3<f32>;
        var alpha = 1.0;
        if hit.geom == NONE {
            color = sky(normalize(ray.direction));
        } else {
            let here = surface(hit, ray, eye, camera_object, footprint, 1.0, true);
            color = here.color;
            // transparent geoms are blended twice, as MuJoCo draws them
            if LAYERS > 1u && geoms[hit.geom].rgba.a < OPAQUE { alpha = 1.0 - (1.0 - here.alpha) * (1.0 - here.alpha); }
            if HAS_MIRROR && hit.geom == MIRROR_GEOM {
                let up = vec3<f32>(pose_row(hit.geom, 0u).z, pose_row(hit.geom, 1u).z, pose_row(hit.geom, 2u).z);
                if dot(up, here.normal) > 0.99 {
                    let mirrored = Ray(here.point, reflect(ray.direction, here.normal));
                    let other = trace(mirrored, 1e-4 * (1.0 + hit.t), camera.far, false);
                    if other.geom != NONE && other.geom != hit.geom {
                        let scale = geoms[hit.geom].material.w;
                        let image_eye = eye - 2.0 * dot(eye - here.point, here.normal) * here.normal;
                        let image = surface(other, mirrored, image_eye, camera_object, footprint, scale, false);
                        color = saturate(color + image.color);
                    }
                }
            }
        }
        color = mix(color, vec3<f32>(HAZE_RED, HAZE_GREEN, HAZE_BLUE), haze(ray, select(MISS, hit.t, hit.geom != NONE), 0.7 * camera.far));
        seen.color += through * alpha * color;
        through *= 1.0 - alpha;
        if through < 0.01 { break; }
        start = hit.t * 1.00001 + 1e-6;
    }
    return seen;
}
