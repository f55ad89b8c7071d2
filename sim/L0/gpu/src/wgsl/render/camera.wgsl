// Images of the cameras of all environments by ray casting: one workgroup per tile of an image. The tile's view cone
// is first tested against the bounding spheres of all geoms; rays then test the remaining ones.

#import declarations

struct Geom {
    size: vec3<f32>,
    shape: u32,
    rgba: vec4<f32>,
    // Emission, specular, exponent of the highlight, reflectance.
    material: vec4<f32>,
    // Planes of the texture coordinates in the frame of the geom.
    texture_s: vec4<f32>,
    texture_t: vec4<f32>,
    texture_r: vec4<f32>,
    texture: u32,
    texturing: u32,
    // Root of the bounding volume hierarchy of a mesh or height field.
    root: u32,
    // Segmentation: number of the geom in the list of drawn geoms + 1; 0 if it is not identified.
    id: u32,
    // Texels per metre, for the level of detail.
    texel_density: f32,
    casts_shadow: u32,
    padding0: u32,
    padding1: u32,
}

// A node of a hierarchy. Children of an inner node: the next node, and `second`. Triangles of a leaf: `count` from
// `second` on.
struct Node { low: vec3<f32>, second: u32, high: vec3<f32>, count: u32 }

struct Light {
    ambient: vec4<f32>,
    diffuse: vec4<f32>,
    specular: vec4<f32>,
    // Constant, linear, quadratic; exponent of a spot light.
    attenuation: vec4<f32>,
    // Cosine of the cutoff of a spot light; below -1: none.
    cutoff: f32,
    kind: u32,
    casts_shadow: u32,
    padding: u32,
}

struct Camera {
    // Left, bottom, right and top edge of the image at distance 1, or in metres if it is orthographic.
    frustum: vec4<f32>,
    near: f32,
    far: f32,
    orthographic: u32,
    padding: u32,
}

struct Texture { first: u32, width: u32, height: u32, levels: u32, is_cube: u32, is_srgb: u32, padding0: u32, padding1: u32 }

@group(0) @binding(0) var<storage, read> poses: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> geoms: array<Geom>;
@group(0) @binding(2) var<storage, read> nodes: array<Node>;
@group(0) @binding(3) var<storage, read> triangles: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> lights: array<Light>;
@group(0) @binding(5) var<storage, read> cameras: array<Camera>;
@group(0) @binding(6) var<storage, read> textures: array<Texture>;
@group(0) @binding(7) var<storage, read> texels: array<u32>;
// Colour, depth and segmentation of all pixels, one after the other.
@group(0) @binding(8) var<storage, read_write> image: array<u32>;
// Bounding spheres of all objects: center and radius.
@group(0) @binding(9) var<storage, read> spheres: array<vec4<f32>>;

#import render/intersect
#import render/mesh
#import render/texture
#import render/shade

// Bit i: geom i may be visible in this tile.
var<workgroup> tile_geoms: array<atomic<u32>, MASK_WORDS>;
// Address of the objects of this environment.
var<private> first_object: u32;

fn pose_row(object: u32, row: u32) -> vec4<f32> { return poses[3u * (first_object + object) + row]; }

// Bits of the geoms that a ray has to test.
fn candidates(word: u32, in_tile: bool) -> u32 {
    if in_tile { return atomicLoad(&tile_geoms[word]); }
    let rest = NGEOM - 32u * word;
    return select((1u << (rest & 31u)) - 1u, 0xffffffffu, rest >= 32u);
}

// Direction of a pixel position in the frame of the camera, with a depth of 1.
fn pixel_direction(camera: Camera, x: f32, y: f32) -> vec3<f32> {
    let f = camera.frustum;
    return vec3<f32>(mix(f.x, f.z, x / f32(WIDTH)), mix(f.w, f.y, y / f32(HEIGHT)), -1.0);
}

// Marks the geoms whose bounding spheres intersect the view cone, or cylinder, of the tile.
fn cull(camera: Camera, object: u32, tile: vec2<u32>, index: u32) {
    let r0 = pose_row(object, 0u);
    let r1 = pose_row(object, 1u);
    let r2 = pose_row(object, 2u);
    let eye = vec3<f32>(r0.w, r1.w, r2.w);
    let low = vec2<f32>(tile * vec2<u32>(TILE_X, TILE_Y));
    let high = low + vec2<f32>(f32(TILE_X), f32(TILE_Y));
    let a = pixel_direction(camera, low.x, low.y);
    let b = pixel_direction(camera, high.x, high.y);
    let c = pixel_direction(camera, low.x, high.y);
    let d = pixel_direction(camera, high.x, low.y);
    var axis = normalize(0.5 * (a + b));
    var cosine = min(min(dot(axis, normalize(a)), dot(axis, normalize(b))), min(dot(axis, normalize(c)), dot(axis, normalize(d))));
    let sine = sqrt(max(1.0 - cosine * cosine, 0.0));
    let half_diagonal = 0.5 * length(b.xy - a.xy);
    let middle = 0.5 * (a.xy + b.xy);
    for (var g = index; g < NGEOM; g += TILE_X * TILE_Y) {
        let sphere = spheres[first_object + g];
        let radius = sphere.w;
        let to = sphere.xyz - eye;
        // in the frame of the camera
        let at = to.x * r0.xyz + to.y * r1.xyz + to.z * r2.xyz;
        var visible = -at.z + radius > camera.near;
        if camera.orthographic != 0u {
            visible = visible && length(at.xy - middle) <= radius + half_diagonal;
        } else {
            let along = dot(at, axis);
            let across = sqrt(max(dot(at, at) - along * along, 0.0));
            visible = visible && across * cosine - along * sine <= radius * 1.0001;
        }
        if visible { atomicOr(&tile_geoms[g >> 5u], 1u << (g & 31u)); }
    }
}

@compute @workgroup_size(TILE_X, TILE_Y)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    let group = workgroup.x + workgroup.y * 65535u;
    let tile = group % NTILE;
    let view = group / NTILE;
    if view >= ENVS * NCAMERA { return; }
    let env = view / NCAMERA;
    let camera_index = view % NCAMERA;
    first_object = env * NOBJECT;
    let camera = cameras[camera_index];
    let object = FIRST_CAMERA + camera_index;
    let corner = vec2<u32>(tile % TILES_X, tile / TILES_X);
    for (var k = index; k < MASK_WORDS; k += TILE_X * TILE_Y) { atomicStore(&tile_geoms[k], 0u); }
    workgroupBarrier();
    cull(camera, object, corner, index);
    workgroupBarrier();
    let x = corner.x * TILE_X + index % TILE_X;
    let y = corner.y * TILE_Y + index / TILE_X;
    if x >= WIDTH || y >= HEIGHT { return; }
    let pixel = (view * HEIGHT + y) * WIDTH + x;
    var color = vec3<f32>(0.0);
    var first: Hit;
    for (var s = 0u; s < SAMPLES; s++) {
        // samples on a rotated grid
        var offset = vec2<f32>(0.5);
        if SAMPLES > 1u { offset = vec2<f32>(f32(2u * s + 1u) / 8.0, f32((2u * (s ^ (s << 1u)) + 1u) & 7u) / 8.0); }
        let ray = camera_ray(camera, object, f32(x) + offset.x, f32(y) + offset.y);
        let seen = radiance(ray, camera, object);
        color += seen.color / f32(SAMPLES);
        if s == 0u { first = seen.hit; }
    }
    if SAMPLES > 1u && (OUTPUT_DEPTH || OUTPUT_IDS) {
        let ray = camera_ray(camera, object, f32(x) + 0.5, f32(y) + 0.5);
        first = trace(ray, camera.near, camera.far, true);
    }
    if OUTPUT_RGB {
        let bytes = vec3<u32>(saturate(color) * 255.0 + 0.5);
        image[pixel] = bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | 0xff000000u;
    }
    if OUTPUT_DEPTH { image[DEPTH_ADR + pixel] = bitcast<u32>(select(camera.far, first.t, first.geom != NONE)); }
    if OUTPUT_IDS {
        var id = 0u;
        if first.geom != NONE { id = geoms[first.geom].id; }
        image[IDS_ADR + pixel] = id;
    }
}

fn camera_ray(camera: Camera, object: u32, x: f32, y: f32) -> Ray {
    let r0 = pose_row(object, 0u);
    let r1 = pose_row(object, 1u);
    let r2 = pose_row(object, 2u);
    var direction = pixel_direction(camera, x, y);
    var origin = vec3<f32>(r0.w, r1.w, r2.w);
    if camera.orthographic != 0u {
        origin += direction.x * vec3<f32>(r0.x, r1.x, r2.x) + direction.y * vec3<f32>(r0.y, r1.y, r2.y);
        direction = vec3<f32>(0.0, 0.0, -1.0);
    }
    return Ray(origin, vec3<f32>(dot(r0.xyz, direction), dot(r1.xyz, direction), dot(r2.xyz, direction)));
}
