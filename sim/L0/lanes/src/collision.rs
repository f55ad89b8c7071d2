//! Contacts of all lanes (`mj_collision`): a pair proceeds to the narrow phase if its bounding volumes overlap in
//! some lane, and a contact is masked in the lanes that do not have it.

use crate::math::{
    Vec3, add, add_scaled, cross, dot, mat_mul_vec, normalize, scale, select, splat, sub,
};
use crate::plan::{Pair, Plan, Routine};
use crate::separation;
use crate::work::{ContactPoint, State, Work};
use sim_simd::lanes::{Lanes, Mask};
use sim_types::MINVAL;

/// Reads geom poses. Writes `contacts`, and `candidates` for exact distances.
#[inline(always)]
pub(crate) fn collide<V: Lanes>(plan: &Plan, s: &State<V>, w: &mut Work<V>) {
    w.contacts.clear();
    w.candidates.clear();
    for (index, pair) in plan.pairs.iter().enumerate() {
        let [g1, g2] = pair.geoms;
        let offset = sub(w.geom_pos[g2], w.geom_pos[g1]);
        let bound = V::splat(pair.bound);
        let close = match pair.routine {
            Routine::PlaneSphere
            | Routine::PlaneCapsule
            | Routine::PlaneCylinder
            | Routine::PlaneBox
            | Routine::PlaneScalar => dot(offset, z_axis(w, g1)).le(bound),
            _ => dot(offset, offset).le(bound * bound),
        };
        if close.any() {
            narrow_phase(plan, pair, index, s, w);
        }
    }
}

#[inline(always)]
fn z_axis<V: Lanes>(w: &Work<V>, geom: usize) -> Vec3<V> {
    let mat = &w.geom_mat[geom];
    [mat[2], mat[5], mat[8]]
}

#[inline(always)]
fn narrow_phase<V: Lanes>(plan: &Plan, pair: &Pair, index: usize, s: &State<V>, w: &mut Work<V>) {
    let [g1, g2] = pair.geoms;
    let [size1, size2] = pair.geoms.map(|g| plan.geoms[g].size);
    let (pos1, pos2) = (w.geom_pos[g1], w.geom_pos[g2]);
    match pair.routine {
        Routine::PlaneSphere => {
            let normal = z_axis(w, g1);
            half_space_sphere(w, pair, index, (pos1, normal), (pos2, size2[0]), None);
        }
        Routine::PlaneCapsule => {
            let (normal, axis) = (z_axis(w, g1), z_axis(w, g2));
            for half in [size2[1], -size2[1]] {
                let end = add_scaled(pos2, axis, V::splat(half));
                half_space_sphere(w, pair, index, (pos1, normal), (end, size2[0]), Some(axis));
            }
        }
        Routine::PlaneBox => plane_box(plan, pair, index, w),
        Routine::SphereSphere => {
            sphere_pair(w, pair, index, (pos1, size1[0]), (pos2, size2[0]), V::Mask::all_lanes());
        }
        Routine::SphereCapsule => {
            let axis = z_axis(w, g2);
            let half = V::splat(size2[1]);
            let along = dot(axis, sub(pos1, pos2)).max(-half).min(half);
            let centre = add_scaled(pos2, axis, along);
            let all = V::Mask::all_lanes();
            sphere_pair(w, pair, index, (pos1, size1[0]), (centre, size2[0]), all);
        }
        Routine::CapsuleCapsule => capsule_capsule(plan, pair, index, w),
        Routine::PlaneCylinder => plane_cylinder(plan, pair, index, w),
        Routine::PlaneScalar => {
            let [centre, axis, _] = w.bound[g2];
            let normal = z_axis(w, g1);
            let height = dot(sub(centre, pos1), normal) - dot(axis, normal).abs();
            let close = height.le(V::splat(pair.margin + bounding_radius(plan, g2)));
            if close.any() {
                separation::check(pair, index, close, s, w);
            }
        }
        Routine::Scalar => {
            let threshold = pair.margin + bounding_radius(plan, g1) + bounding_radius(plan, g2);
            let distance2 = segment_distance2(w.bound[g1], w.bound[g2]);
            let close = distance2.le(V::splat(threshold * threshold));
            if close.any() {
                let close = close & !boxes_are_separated(plan, pair, w);
                if close.any() {
                    separation::check(pair, index, close, s, w);
                }
            }
        }
    }
}

#[inline(always)]
fn bounding_radius(plan: &Plan, geom: usize) -> f64 {
    plan.geoms[geom].bound.as_ref().map_or(0.0, |bound| bound.radius)
}

/// Whether a face of one of the two bounding boxes separates them by more than the margin.
#[inline(always)]
fn boxes_are_separated<V: Lanes>(plan: &Plan, pair: &Pair, w: &Work<V>) -> V::Mask {
    let [g1, g2] = pair.geoms;
    let mut separated = V::Mask::none();
    let (Some(bound1), Some(bound2)) = (&plan.geoms[g1].bound, &plan.geoms[g2].bound) else {
        return separated;
    };
    let (half1, half2): (Vec3<V>, Vec3<V>) = (splat(&bound1.half), splat(&bound2.half));
    let (mat1, mat2) = (&w.geom_mat[g1], &w.geom_mat[g2]);
    let offset = sub(w.bound[g2][2], w.bound[g1][2]);
    let margin = V::splat(pair.margin);
    let mut reach2 = half2;
    for i in 0..3 {
        let axis1 = [mat1[i], mat1[i + 3], mat1[i + 6]];
        let mut reach1 = half1[i];
        for j in 0..3 {
            let cosine = dot(axis1, [mat2[j], mat2[j + 3], mat2[j + 6]]).abs();
            reach1 += cosine * half2[j];
            reach2[j] += cosine * half1[i];
        }
        separated = separated | dot(offset, axis1).abs().gt(reach1 + margin);
    }
    for j in 0..3 {
        let axis2 = [mat2[j], mat2[j + 3], mat2[j + 6]];
        separated = separated | dot(offset, axis2).abs().gt(reach2[j] + margin);
    }
    separated
}

/// Squared distance of two segments, each given by its centre and half axis.
#[inline(always)]
fn segment_distance2<V: Lanes>([p1, a1, _]: [Vec3<V>; 3], [p2, a2, _]: [Vec3<V>; 3]) -> V {
    let (one, tiny) = (V::splat(1.0), V::splat(MINVAL * MINVAL));
    let offset = sub(p1, p2);
    let (a, b, c) = (dot(a1, a1), dot(a1, a2), dot(a2, a2));
    let (u, v) = (dot(a1, offset), dot(a2, offset));
    let (a, c) = (a.max(tiny), c.max(tiny));
    let x1 = ((b * v - c * u) / (a * c - b * b).max(tiny)).max(-one).min(one);
    let x2 = ((v + b * x1) / c).max(-one).min(one);
    let x1 = ((b * x2 - u) / a).max(-one).min(one);
    let gap = sub(add_scaled(offset, a1, x1), scale(a2, x2));
    dot(gap, gap)
}

/// Plane and cylinder: the lowest points of both rims, and two points that complete an equilateral triangle on the
/// lower disk.
#[inline(always)]
fn plane_cylinder<V: Lanes>(plan: &Plan, pair: &Pair, index: usize, w: &mut Work<V>) {
    let [g1, g2] = pair.geoms;
    let (normal, pos, mat) = (z_axis(w, g1), w.geom_pos[g2], w.geom_mat[g2]);
    let [radius, half, _] = plan.geoms[g2].size;
    // axis oriented towards the plane
    let up = z_axis(w, g2);
    let along = dot(normal, up);
    let (zero, one) = (V::zero(), V::splat(1.0));
    let axis = scale(up, (-one).select(along.gt(zero), one));
    let along = -along.abs();
    let height = dot(sub(pos, w.geom_pos[g1]), normal);
    // radial vector to the lowest point of a rim; along the x axis if the rim is level
    let down = sub(scale(axis, along), normal);
    let length2 = dot(down, down);
    let level = length2.lt(V::splat(MINVAL * MINVAL));
    let tilted = scale(down, V::splat(radius) / length2.sqrt());
    let rim = select(level, scale([mat[0], mat[3], mat[6]], V::splat(radius)), tilted);
    let rim_height = dot(rim, normal);
    let (axis, along) = (scale(axis, V::splat(half)), along * V::splat(half));
    let margin = V::splat(pair.margin);
    let lower = height + along + rim_height;
    let lanes = lower.le(margin);
    let upper = height - along + rim_height;
    let side = height + along - V::splat(0.5) * rim_height;
    let across = normalize(cross(rim, axis)).0;
    let across = scale(across, V::splat(radius * 3.0_f64.sqrt() / 2.0));
    let inner = add_scaled(axis, rim, V::splat(-0.5));
    let points = [
        (lower, add(rim, axis)),
        (upper, sub(rim, axis)),
        (side, add(inner, across)),
        (side, sub(inner, across)),
    ];
    for (dist, offset) in points {
        let mask = lanes & dist.le(margin) & dist.lt(V::splat(pair.includemargin));
        let pos = add_scaled(add(pos, offset), normal, -(dist * V::splat(0.5)));
        push(w, ContactPoint { pair: index, mask, dist, pos, normal, tangent: None });
    }
}

/// Adds a contact if it exists in some lane.
#[inline(always)]
fn push<V: Lanes>(w: &mut Work<V>, contact: ContactPoint<V>) {
    if contact.mask.any() {
        w.contacts.push(contact);
    }
}

#[inline(always)]
fn half_space_sphere<V: Lanes>(
    w: &mut Work<V>,
    pair: &Pair,
    index: usize,
    (origin, normal): (Vec3<V>, Vec3<V>),
    (centre, radius): (Vec3<V>, f64),
    tangent: Option<Vec3<V>>,
) {
    let radius = V::splat(radius);
    let height = dot(sub(centre, origin), normal);
    let dist = height - radius;
    let mask = height.le(V::splat(pair.margin) + radius) & dist.lt(V::splat(pair.includemargin));
    let pos = add_scaled(centre, normal, -(dist * V::splat(0.5)) - radius);
    push(w, ContactPoint { pair: index, mask, dist, pos, normal, tangent });
}

/// Plane and box: the lower vertices, at most four in each lane.
#[inline(always)]
fn plane_box<V: Lanes>(plan: &Plan, pair: &Pair, index: usize, w: &mut Work<V>) {
    let [g1, g2] = pair.geoms;
    let (normal, pos, mat) = (z_axis(w, g1), w.geom_pos[g2], w.geom_mat[g2]);
    let size: Vec3<V> = splat(&plan.geoms[g2].size);
    let height = dot(sub(pos, w.geom_pos[g1]), normal);
    let (margin, includemargin) = (V::splat(pair.margin), V::splat(pair.includemargin));
    let mut count = V::zero();
    for i in 0..8 {
        let signed = [
            if i & 1 != 0 { size[0] } else { -size[0] },
            if i & 2 != 0 { size[1] } else { -size[1] },
            if i & 4 != 0 { size[2] } else { -size[2] },
        ];
        let corner = mat_mul_vec(&mat, signed);
        let corner_height = dot(normal, corner);
        let dist = height + corner_height;
        let found = dist.le(margin) & corner_height.le(V::zero()) & count.lt(V::splat(4.0));
        count = count.add_masked(found, V::splat(1.0));
        let mask = found & dist.lt(includemargin);
        let pos = add_scaled(add(corner, pos), normal, -(dist * V::splat(0.5)));
        push(w, ContactPoint { pair: index, mask, dist, pos, normal, tangent: None });
    }
}

#[inline(always)]
fn sphere_pair<V: Lanes>(
    w: &mut Work<V>,
    pair: &Pair,
    index: usize,
    (centre1, radius1): (Vec3<V>, f64),
    (centre2, radius2): (Vec3<V>, f64),
    lanes: V::Mask,
) {
    let offset = sub(centre2, centre1);
    let distance2 = dot(offset, offset);
    let threshold = V::splat(pair.margin + radius1 + radius2);
    let in_contact = distance2.le(threshold * threshold) & lanes;
    if !in_contact.any() {
        return;
    }
    let length = distance2.sqrt();
    let dist = length - V::splat(radius1) - V::splat(radius2);
    let mask = in_contact & dist.lt(V::splat(pair.includemargin));
    let mut normal = scale(offset, V::splat(1.0) / length);
    let coincident = length.lt(V::splat(MINVAL));
    if coincident.any() {
        let [g1, g2] = pair.geoms;
        let across = normalize(cross(z_axis(w, g1), z_axis(w, g2))).0;
        normal = select(coincident, across, normal);
    }
    let pos = add_scaled(centre1, normal, V::splat(radius1) + dist * V::splat(0.5));
    push(w, ContactPoint { pair: index, mask, dist, pos, normal, tangent: None });
}

#[inline(always)]
fn clamp_or_zero<V: Lanes>(x: V) -> V {
    // comparisons with NaN are false
    let x = x.masked(x.le(x));
    x.max(V::splat(-1.0)).min(V::splat(1.0))
}

#[inline(always)]
fn capsule_capsule<V: Lanes>(plan: &Plan, pair: &Pair, index: usize, w: &mut Work<V>) {
    let [g1, g2] = pair.geoms;
    let [size1, size2] = pair.geoms.map(|g| plan.geoms[g].size);
    let (pos1, pos2) = (w.geom_pos[g1], w.geom_pos[g2]);
    let axis1 = scale(z_axis(w, g1), V::splat(size1[1]));
    let axis2 = scale(z_axis(w, g2), V::splat(size2[1]));
    let offset = sub(pos1, pos2);
    let (a, b, c) = (dot(axis1, axis1), -dot(axis1, axis2), dot(axis2, axis2));
    let (u, v) = (-dot(axis1, offset), dot(axis2, offset));
    let det = a * c - b * b;
    let one = V::splat(1.0);
    let skew = det.abs().ge(V::splat(MINVAL));

    let inverse = one / det;
    let (mut x1, mut x2) = ((c * u - b * v) * inverse, (a * v - b * u) * inverse);
    let (high, low) = (x1.gt(one), x1.lt(-one));
    let inverse_c = one / c;
    x2 = ((v - b) * inverse_c).select(high, ((v + b) * inverse_c).select(low, x2));
    x1 = one.select(high, (-one).select(low, x1));
    let (high, low) = (x2.gt(one), x2.lt(-one));
    let inverse_a = one / a;
    x1 = clamp_or_zero((u - b) * inverse_a)
        .select(high, clamp_or_zero((u + b) * inverse_a).select(low, x1));
    x2 = one.select(high, (-one).select(low, x2));
    let (centre1, centre2) = (add_scaled(pos1, axis1, x1), add_scaled(pos2, axis2, x2));
    sphere_pair(w, pair, index, (centre1, size1[0]), (centre2, size2[0]), skew);

    // lanes with parallel axes: up to two contacts at the ends
    let mut active = !skew;
    if !active.any() {
        return;
    }
    let candidates = [
        (one, clamp_or_zero((v - b) / c)),
        (-one, clamp_or_zero((v + b) / c)),
        (clamp_or_zero((u - b) / a), one),
        (clamp_or_zero((u + b) / a), -one),
    ];
    let mut once = V::Mask::none();
    for (x1, x2) in candidates {
        let (centre1, centre2) = (add_scaled(pos1, axis1, x1), add_scaled(pos2, axis2, x2));
        let gap = sub(centre2, centre1);
        let threshold = V::splat(pair.margin + size1[0] + size2[0]);
        let found = dot(gap, gap).le(threshold * threshold) & active;
        sphere_pair(w, pair, index, (centre1, size1[0]), (centre2, size2[0]), found);
        active = active & !(once & found);
        once = once | found;
    }
}
