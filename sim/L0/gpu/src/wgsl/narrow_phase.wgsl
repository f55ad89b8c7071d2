// Kernel of the narrow-phase pass, which runs between the first and the second pass of a step. It
// finds the contacts of the deferred pairs (collision_deferred.wgsl) of all suspended environments,
// one lane for each pair. These need a long narrow-phase function; in the kernel of a step, one lane
// of a workgroup would be busy with it while the others wait. The functions of the shapes are in the
// files collision_*.wgsl. model/collision/dispatch.rs generates `collide_pair`, which calls the
// function of a pair.

#import declarations
#import shared/constants
#ifdef DOUBLE_PRECISION
#import shared/math_f64
#else
#import shared/math_f32
#endif
#import shared/math

var<private> env: u32;
var<private> model_offset: u32;

#import shared/scratch_index
#import shared/suspended

fn f(i: u32) -> real { return tf[model_offset + i]; }
// Workgroup memory of the suspended environment.
fn w3(at: u32) -> vec3r {
    let i = suspended_adr(at);
    return vec3r(out[i], out[i + 1u], out[i + 2u]);
}
#ifdef GEOM_AXES_IN_STORAGE
#import shared/scratch_layout
#endif
#import collision_pair
#ifdef SIGNED_DISTANCE
#import signed_distance
#endif
#import collision_functions

@compute @workgroup_size(NARROW_PHASE_LANES)
fn main(
    @builtin(workgroup_id) workgroup: vec3<u32>,
    @builtin(num_workgroups) workgroups: vec3<u32>,
    @builtin(local_invocation_index) index: u32,
) {
    let total = atomicLoad(&run.deferred_count);
    // Few pairs are distributed over all workgroups, because lanes of a workgroup wait for each other in branches.
    let share = (total + workgroups.x - 1u) / workgroups.x;
    let end = min((workgroup.x + 1u) * share, total);
    for (var k = workgroup.x * share + index; k < end; k += NARROW_PHASE_LANES) {
        env = u32(out[deferred_list_adr(k)]);
        model_offset = env * run.model_stride;
        let at = deferred_adr(u32(out[deferred_list_adr(k) + 1u]));
        var contacts: ContactPoints;
        pair_ncon = 0u;
        pair_separation = 0.0;
        let p = u32(out[at]);
        collide_pair(&contacts, p);
        out[at + 1u] = real(pair_ncon);
        out[at + 2u] = pair_separation;
#ifdef SEPARATING_AXES
        // In the place of the first contact.
        if pair_ncon == 0u && pair_separation > 0.0 {
            let axis = to_local(geom_pose(geom1(p)), pair_axis);
            for (var k = 0u; k < 3u; k++) { out[at + 3u + k] = axis[k]; }
            for (var k = 0u; k < 2u; k++) { out[at + 6u + k] = real(pair_vertices[k]); }
        }
#endif
        for (var c = 0u; c < min(pair_ncon, MAX_PAIR_CONTACTS); c++) {
            let to = at + 3u + 10u * c;
            let x = contacts[c];
            out[to] = x.dist;
            for (var i = 0u; i < 3u; i++) {
                out[to + 1u + i] = x.pos[i];
                out[to + 4u + i] = x.normal[i];
                out[to + 7u + i] = x.tangent[i];
            }
        }
    }
}
