// Poses of drawn geoms, cameras and lights from those of the bodies (mj_camlight): one invocation per object of an
// environment.

#import declarations

struct Object {
    // Pose in the frame of the body; a light has its direction instead of the quaternion.
    pos: vec3<f32>,
    body: u32,
    quat: vec4<f32>,
    // Offset from the body, or from the center of mass of its subtree, in the world frame, of tracking objects.
    offset: vec3<f32>,
    mode: u32,
    // Rows of the rotation matrix of a tracking camera; the direction of a tracking light in the first.
    axes: array<vec4<f32>, 3>,
    // Body that the object is aimed at.
    aim: u32,
    is_light: u32,
    // Radius of the bounding sphere of a geom around its origin.
    radius: f32,
    padding: u32,
}

// Center of mass and mass of a body; the end of its subtree.
struct BodyMass { center: vec3<f32>, mass: f32, subtree_end: u32, padding0: u32, padding1: u32, padding2: u32 }

@group(0) @binding(0) var<storage, read> body_poses: array<real>;
@group(0) @binding(1) var<storage, read> objects: array<Object>;
@group(0) @binding(2) var<storage, read> masses: array<BodyMass>;
// Rows of the rotation matrix with the position as fourth column. Lights have their direction in the first column.
@group(0) @binding(3) var<storage, read_write> poses: array<vec4<f32>>;
// Bounding spheres: center and radius.
@group(0) @binding(4) var<storage, read_write> spheres: array<vec4<f32>>;

fn body_pos(b: u32) -> vec3<f32> {
    return vec3<f32>(f32(body_poses[8u * b]), f32(body_poses[8u * b + 1u]), f32(body_poses[8u * b + 2u]));
}
fn body_quat(b: u32) -> vec4<f32> {
    let at = 8u * b + 4u;
    return vec4<f32>(f32(body_poses[at]), f32(body_poses[at + 1u]), f32(body_poses[at + 2u]), f32(body_poses[at + 3u]));
}
fn qrot(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.yzw, v);
    return v + q.x * t + cross(q.yzw, t);
}
fn qmul(a: vec4<f32>, b: vec4<f32>) -> vec4<f32> {
    return vec4<f32>(
        a.x * b.x - dot(a.yzw, b.yzw),
        a.x * b.yzw + b.x * a.yzw + cross(a.yzw, b.yzw),
    );
}
// A unit vector, or zero.
fn unit(v: vec3<f32>) -> vec3<f32> { return v / max(length(v), 1e-15); }

// Center of mass of a subtree, whose bodies are consecutive.
fn subtree_com(first: u32, body: u32) -> vec3<f32> {
    var sum = vec4<f32>(0.0);
    for (var b = body; b < masses[body].subtree_end; b++) {
        let center = body_pos(first + b) + qrot(body_quat(first + b), masses[b].center);
        sum += masses[b].mass * vec4<f32>(center, 1.0);
    }
    if sum.w < 1e-15 { return body_pos(first + body); }
    return sum.xyz / sum.w;
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) index: u32) {
    let at = (workgroup.x + workgroup.y * 65535u) * 64u + index;
    if at >= ENVS * NOBJECT { return; }
    let o = at % NOBJECT;
    let first = at / NOBJECT * NBODY;
    let mode = objects[o].mode;
    let body = objects[o].body;
    let is_light = objects[o].is_light != 0u;
    let quat = body_quat(first + body);
    var pos = body_pos(first + body) + qrot(quat, objects[o].pos);
    var x = vec3<f32>(1.0, 0.0, 0.0);
    var y = vec3<f32>(0.0, 1.0, 0.0);
    var z = vec3<f32>(0.0, 0.0, 1.0);
    if is_light {
        x = unit(qrot(quat, objects[o].quat.xyz));
    } else {
        let q = qmul(quat, objects[o].quat);
        x = qrot(q, x);
        y = qrot(q, y);
        z = qrot(q, z);
    }
    if mode == MODE_TRACK || mode == MODE_TRACK_COM {
        var origin = body_pos(first + body);
        if mode == MODE_TRACK_COM { origin = subtree_com(first, body); }
        pos = origin + objects[o].offset;
        let axes = objects[o].axes;
        if is_light { x = axes[0].xyz; } else {
            x = vec3<f32>(axes[0].x, axes[1].x, axes[2].x);
            y = vec3<f32>(axes[0].y, axes[1].y, axes[2].y);
            z = vec3<f32>(axes[0].z, axes[1].z, axes[2].z);
        }
    } else if mode == MODE_TARGET || mode == MODE_TARGET_COM {
        var goal = body_pos(first + objects[o].aim);
        if mode == MODE_TARGET_COM { goal = subtree_com(first, objects[o].aim); }
        if is_light { x = unit(goal - pos); } else {
            // a camera looks along its -z axis, and its x axis is horizontal
            z = unit(pos - goal);
            x = unit(cross(vec3<f32>(0.0, 0.0, 1.0), z));
            y = unit(cross(z, x));
        }
    }
    spheres[at] = vec4<f32>(pos, objects[o].radius);
    poses[3u * at] = vec4<f32>(x.x, y.x, z.x, pos.x);
    poses[3u * at + 1u] = vec4<f32>(x.y, y.y, z.y, pos.y);
    poses[3u * at + 2u] = vec4<f32>(x.z, y.z, z.z, pos.z);
}
