//! Fills the arrays of a model from the compiled elements (mjCModel::CopyTree, CopyObjects).

use super::asset::{self, Assets};
use super::body::{CompiledBody, Tree};
use super::math::{IDENTITY, Pose, same_quat};
use super::nontree::NonTreeElements;
use super::{actuator, contact, equality, flex, fluid_ellipsoid, sensor, skin, sparse, tendon};
use crate::spec::Spec;
use sim_core::types::{JointType, SameFrame};
use sim_core::{Model, ModelSizes};

/// An id or address as `i32`; the memory check bounds it.
pub(super) fn id(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// An id or address as `usize`.
pub(super) fn index(id: i32) -> usize {
    usize::try_from(id).unwrap_or(0)
}

/// An optional id as `i32`, −1 for `None`.
pub(super) fn optional(index: Option<usize>) -> i32 {
    index.map_or(-1, id)
}

/// Writes row `i` of an array whose rows have the length of `values`.
pub(super) fn row<T: Copy>(array: &mut [T], i: usize, values: &[T]) {
    array[i * values.len()..][..values.len()].copy_from_slice(values);
}

/// Writes user data into a row of `width` zeros.
pub(super) fn user(array: &mut [f64], i: usize, width: usize, values: &[f64]) {
    array[i * width..][..values.len().min(width)]
        .copy_from_slice(&values[..values.len().min(width)]);
}

/// Allocates a model and fills all arrays that are not derived.
pub(super) fn lower(
    spec: &Spec,
    sizes: &ModelSizes,
    assets: &Assets<'_>,
    tree: &Tree<'_>,
    nontree: &NonTreeElements<'_>,
) -> Model {
    let mut m = Model::with_sizes(sizes);
    m.opt = spec.option.clone();
    bodies(tree, &mut m);
    joints(tree, &mut m);
    geoms(tree, &mut m);
    sites(tree, &mut m);
    cameras(tree, &mut m);
    lights(tree, &mut m);
    asset::lower(assets, nontree, &mut m);
    contact::lower(nontree, &mut m);
    equality::lower(nontree, &mut m);
    flex::lower(tree, nontree, &mut m);
    skin::lower(nontree, &mut m);
    tendon::lower(nontree, &mut m);
    actuator::lower(nontree, &mut m);
    sensor::lower(nontree, &mut m);
    custom(spec, nontree, &mut m);
    m
}

fn bodies(tree: &Tree<'_>, m: &mut Model) {
    let (mut dofs, mut bvh, mut mocap) = (0, 0, 0);
    for (i, b) in tree.bodies.iter().enumerate() {
        m.body_parentid[i] = id(b.parent);
        m.body_rootid[i] = if b.parent == 0 { id(i) } else { m.body_rootid[b.parent] };
        m.body_weldid[i] = id(b.weldid);
        m.body_mocapid[i] = if b.spec.mocap { id(mocap) } else { -1 };
        mocap += usize::from(b.spec.mocap);
        m.body_gravcomp[i] = b.spec.gravcomp;
        m.body_jntnum[i] = id(b.joints.len());
        m.body_jntadr[i] = if b.joints.is_empty() { -1 } else { id(b.joints.start) };
        m.body_dofnum[i] = id(b.dofnum);
        m.body_dofadr[i] = if b.dofnum == 0 { -1 } else { id(dofs) };
        dofs += b.dofnum;
        m.body_geomnum[i] = id(b.geoms.len());
        m.body_geomadr[i] = if b.geoms.is_empty() { -1 } else { id(b.geoms.start) };
        m.body_sameframe[i] = body_sameframe(b);
        row(&mut m.body_pos, i, &b.pose.pos);
        row(&mut m.body_quat, i, &b.pose.quat);
        row(&mut m.body_ipos, i, &b.inertial.pos);
        row(&mut m.body_iquat, i, &b.inertial.quat);
        m.body_mass[i] = b.mass;
        row(&mut m.body_inertia, i, &b.inertia);
        user(&mut m.body_user, i, m.nuser_body, &b.spec.user);
        m.body_contype[i] = b.contype;
        m.body_conaffinity[i] = b.conaffinity;
        m.body_margin[i] = b.margin;
        let nodes = b.bvh.len();
        m.body_bvhadr[i] = if nodes == 0 { -1 } else { id(bvh) };
        m.body_bvhnum[i] = id(nodes);
        for n in 0..nodes {
            m.bvh_depth[bvh + n] = b.bvh.depth[n];
            m.bvh_nodeid[bvh + n] = b.bvh.nodeid[n];
            row(&mut m.bvh_child, bvh + n, &b.bvh.child[n]);
            row(&mut m.bvh_aabb, bvh + n, &b.bvh.aabb[n]);
        }
        bvh += nodes;
    }
}

/// `body_sameframe`: whether the inertial frame coincides with the body frame.
fn body_sameframe(b: &CompiledBody<'_>) -> SameFrame {
    if b.inertial.same(&Pose::IDENTITY) {
        SameFrame::Body
    } else if same_quat(b.inertial.quat, IDENTITY) {
        SameFrame::BodyRot
    } else {
        SameFrame::None
    }
}

/// `geom_sameframe`, `site_sameframe`: the frame of the body that a pose coincides with.
fn same_frame(pose: &Pose, body: &CompiledBody<'_>) -> SameFrame {
    if pose.same(&Pose::IDENTITY) {
        SameFrame::Body
    } else if same_quat(pose.quat, IDENTITY) {
        SameFrame::BodyRot
    } else if pose.same(&body.inertial) {
        SameFrame::Inertia
    } else if same_quat(pose.quat, body.inertial.quat) {
        SameFrame::InertiaRot
    } else {
        SameFrame::None
    }
}

fn joints(tree: &Tree<'_>, m: &mut Model) {
    m.dof_parentid = sparse::dof_parents(tree);
    m.jnt_actuatorid.fill(-1);
    let (mut qpos, mut dof) = (0, 0);
    for (i, j) in tree.joints.iter().enumerate() {
        let s = j.spec;
        m.jnt_type[i] = s.jtype;
        m.jnt_qposadr[i] = id(qpos);
        m.jnt_dofadr[i] = id(dof);
        m.jnt_bodyid[i] = id(j.body);
        m.jnt_group[i] = s.group;
        m.jnt_limited[i] = j.limited;
        m.jnt_actfrclimited[i] = j.actfrclimited;
        m.jnt_actgravcomp[i] = s.actgravcomp;
        row(&mut m.jnt_solref, i, &s.solref_limit);
        row(&mut m.jnt_solimp, i, &s.solimp_limit);
        row(&mut m.jnt_pos, i, &j.pos);
        row(&mut m.jnt_axis, i, &j.axis);
        m.jnt_stiffness[i] = s.stiffness[0];
        row(&mut m.jnt_stiffnesspoly, i, &s.stiffness[1..]);
        row(&mut m.jnt_range, i, &j.range);
        row(&mut m.jnt_actfrcrange, i, &s.actfrcrange);
        m.jnt_margin[i] = s.margin;
        user(&mut m.jnt_user, i, m.nuser_jnt, &s.user);

        let pose = tree.bodies[j.body].pose;
        let mut qpos0 = [0.0; 7];
        let mut spring = [0.0; 7];
        match s.jtype {
            JointType::Free => {
                qpos0[..3].copy_from_slice(&pose.pos);
                qpos0[3..].copy_from_slice(&pose.quat);
                spring = qpos0;
            }
            JointType::Ball => {
                qpos0[..4].copy_from_slice(&IDENTITY);
                spring = qpos0;
            }
            JointType::Slide | JointType::Hinge => {
                qpos0[0] = j.reference;
                spring[0] = j.springref;
            }
        }
        m.qpos0[qpos..qpos + j.nq()].copy_from_slice(&qpos0[..j.nq()]);
        m.qpos_spring[qpos..qpos + j.nq()].copy_from_slice(&spring[..j.nq()]);
        for d in dof..dof + j.nv() {
            m.dof_bodyid[d] = id(j.body);
            m.dof_jntid[d] = id(i);
            row(&mut m.dof_solref, d, &s.solref_friction);
            row(&mut m.dof_solimp, d, &s.solimp_friction);
            m.dof_frictionloss[d] = s.frictionloss;
            m.dof_armature[d] = s.armature;
            m.dof_damping[d] = s.damping[0];
            row(&mut m.dof_dampingpoly, d, &s.damping[1..]);
        }
        qpos += j.nq();
        dof += j.nv();
    }
}

fn geoms(tree: &Tree<'_>, m: &mut Model) {
    for (i, g) in tree.geoms.iter().enumerate() {
        let s = g.spec;
        m.geom_type[i] = s.gtype;
        m.geom_contype[i] = s.contype;
        m.geom_conaffinity[i] = s.conaffinity;
        m.geom_condim[i] = s.condim;
        m.geom_bodyid[i] = id(g.body);
        m.geom_dataid[i] = optional(g.data);
        m.geom_matid[i] = optional(g.material);
        m.geom_group[i] = s.group;
        m.geom_priority[i] = s.priority;
        m.geom_sameframe[i] = same_frame(&g.pose, &tree.bodies[g.body]);
        m.geom_solmix[i] = s.solmix;
        row(&mut m.geom_solref, i, &s.solref);
        row(&mut m.geom_solimp, i, &s.solimp);
        row(&mut m.geom_size, i, &g.size);
        row(&mut m.geom_aabb, i, &g.aabb);
        m.geom_rbound[i] = g.rbound;
        row(&mut m.geom_pos, i, &g.pose.pos);
        row(&mut m.geom_quat, i, &g.pose.quat);
        row(&mut m.geom_friction, i, &s.friction);
        m.geom_margin[i] = s.margin;
        m.geom_gap[i] = s.gap;
        user(&mut m.geom_user, i, m.nuser_geom, &s.user);
        row(&mut m.geom_rgba, i, &s.rgba);
        if s.fluidshape {
            row(&mut m.geom_fluid, i, &fluid_ellipsoid::coefficients(s.gtype, g.size, s.fluidcoef));
        }
    }
}

fn sites(tree: &Tree<'_>, m: &mut Model) {
    for (i, s) in tree.sites.iter().enumerate() {
        m.site_type[i] = s.spec.stype;
        m.site_bodyid[i] = id(s.body);
        m.site_matid[i] = optional(s.material);
        m.site_group[i] = s.spec.group;
        m.site_sameframe[i] = same_frame(&s.pose, &tree.bodies[s.body]);
        row(&mut m.site_size, i, &s.size);
        row(&mut m.site_pos, i, &s.pose.pos);
        row(&mut m.site_quat, i, &s.pose.quat);
        user(&mut m.site_user, i, m.nuser_site, &s.spec.user);
        row(&mut m.site_rgba, i, &s.spec.rgba);
    }
}

fn cameras(tree: &Tree<'_>, m: &mut Model) {
    for (i, c) in tree.cameras.iter().enumerate() {
        m.cam_mode[i] = c.spec.mode;
        m.cam_bodyid[i] = id(c.body);
        m.cam_targetbodyid[i] = optional(c.target);
        row(&mut m.cam_pos, i, &c.pose.pos);
        row(&mut m.cam_quat, i, &c.pose.quat);
        m.cam_projection[i] = c.spec.projection;
        m.cam_fovy[i] = c.fovy;
        m.cam_ipd[i] = c.spec.ipd;
        row(&mut m.cam_resolution, i, &c.spec.resolution);
        m.cam_output[i] = c.spec.output;
        row(&mut m.cam_sensorsize, i, &c.spec.sensorsize);
        row(&mut m.cam_intrinsic, i, &c.intrinsic);
        user(&mut m.cam_user, i, m.nuser_cam, &c.spec.user);
    }
}

fn lights(tree: &Tree<'_>, m: &mut Model) {
    for (i, l) in tree.lights.iter().enumerate() {
        let s = l.spec;
        m.light_mode[i] = s.mode;
        m.light_bodyid[i] = id(l.body);
        m.light_targetbodyid[i] = optional(l.target);
        m.light_type[i] = s.ltype;
        m.light_texid[i] = optional(l.texture);
        m.light_castshadow[i] = s.castshadow;
        m.light_bulbradius[i] = s.bulbradius;
        m.light_intensity[i] = s.intensity;
        m.light_range[i] = s.range;
        m.light_active[i] = s.active;
        row(&mut m.light_pos, i, &l.pos);
        row(&mut m.light_dir, i, &l.dir);
        row(&mut m.light_attenuation, i, &s.attenuation);
        m.light_cutoff[i] = s.cutoff;
        m.light_exponent[i] = s.exponent;
        row(&mut m.light_ambient, i, &s.ambient);
        row(&mut m.light_diffuse, i, &s.diffuse);
        row(&mut m.light_specular, i, &s.specular);
    }
}

fn custom(spec: &Spec, nontree: &NonTreeElements<'_>, m: &mut Model) {
    let mut adr = 0;
    for (i, n) in spec.numerics.iter().enumerate() {
        m.numeric_adr[i] = id(adr);
        m.numeric_size[i] = id(n.data.len());
        m.numeric_data[adr..adr + n.data.len()].copy_from_slice(&n.data);
        adr += n.data.len();
    }
    adr = 0;
    for (i, t) in spec.texts.iter().enumerate() {
        m.text_adr[i] = id(adr);
        m.text_size[i] = id(t.data.len() + 1);
        m.text_data[adr..adr + t.data.len()].copy_from_slice(t.data.as_bytes());
        adr += t.data.len() + 1;
    }
    adr = 0;
    for (i, t) in spec.tuples.iter().enumerate() {
        m.tuple_adr[i] = id(adr);
        m.tuple_size[i] = id(t.elements.len());
        for element in &t.elements {
            m.tuple_objtype[adr] = element.objtype;
            m.tuple_objid[adr] = id(nontree.tuples[adr]);
            m.tuple_objprm[adr] = element.prm;
            adr += 1;
        }
    }
}
