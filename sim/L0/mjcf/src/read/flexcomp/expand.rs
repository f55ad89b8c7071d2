//! Adds the flex, bodies and equality constraints of a `flexcomp` to the spec.

use super::cells::{Bounds, for_each};
use super::{Dof, Failure, FlexComp};
use crate::asset::normalize::normalize;
use crate::spec::{Body, BodyId, DefaultId, Equality, Inertial, Joint, PluginRef, Spec};
use sim_core::types::{EqType, JointType, ObjType};

/// Simpson weights of the nodes of a quadratic cell along one axis, relative to its length: end and middle.
const SIMPSON: [f64; 2] = [1.0 / 6.0, 2.0 / 3.0];

impl FlexComp {
    /// Adds everything to the spec, as children of `parent`. Returns a warning.
    pub(super) fn expand(
        mut self,
        spec: &mut Spec,
        parent: BodyId,
        bounds: Bounds,
    ) -> Result<Option<&'static str>, Failure> {
        self.flex.elem = std::mem::take(&mut self.elem).into();
        self.flex.texcoord = std::mem::take(&mut self.texcoord).into();
        self.flex.elemtexcoord = std::mem::take(&mut self.elemtexcoord).into();
        let parent_name = spec.bodies[parent.0].name.clone();
        if self.rigid {
            self.flex.vert = std::mem::take(&mut self.points).into();
            self.flex.vertbody = vec![parent_name];
            spec.flexes.push(self.flex);
            let ignored = "the equality constraint has no effect: all points are pinned";
            return Ok(self.equality.is_some().then_some(ignored));
        }
        let interpolated = self.dof.order() > 0;
        // points of interpolated flexes and pinned points belong to the parent
        if self.plugin.is_some() && (interpolated || self.pins.pinned.contains(&true)) {
            spec.bodies[parent.0].plugin.clone_from(&self.plugin);
        }
        if interpolated {
            self.flex.vertbody = vec![parent_name.clone(); self.npoint()];
            self.node_bodies(spec, parent, &parent_name, bounds);
        } else {
            self.vertex_bodies(spec, parent, &parent_name);
        }
        if interpolated || !self.pins.none {
            self.flex.vert = std::mem::take(&mut self.points).into();
        }
        self.equalities(spec);
        spec.flexes.push(self.flex);
        Ok(None)
    }

    /// Adds a body with slide joints along `axes`.
    fn add_body(
        &self,
        spec: &mut Spec,
        parent: BodyId,
        (name, pos): (String, [f64; 3]),
        (mass, inertia): (f64, f64),
        axes: &[[f64; 3]],
        plugin: Option<Box<PluginRef>>,
    ) {
        let origin = self.flex.origin;
        let childclass = spec.bodies[parent.0].childclass;
        let class = &spec.defaults[childclass.0].joint;
        let joints = axes.iter().map(|&axis| Joint {
            jtype: JointType::Slide,
            pos: [0.0; 3],
            axis,
            origin,
            ..class.clone()
        });
        let inertial =
            Inertial { mass, diaginertia: Some([inertia; 3]), origin, ..Inertial::default() };
        let body = Body {
            name,
            parent,
            pos,
            childclass,
            inertial: Some(inertial),
            joints: joints.collect(),
            plugin,
            origin,
            ..Body::default()
        };
        let id = BodyId(spec.bodies.len());
        spec.bodies.push(body);
        spec.bodies[parent.0].children.push(id);
    }

    /// A body for each vertex that is not pinned.
    fn vertex_bodies(&mut self, spec: &mut Spec, parent: BodyId, parent_name: &str) {
        const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mass = self.mass / self.npoint() as f64;
        let inertia = mass * (2.0 * self.inertiabox * self.inertiabox) / 3.0;
        for i in 0..self.npoint() {
            if self.pins.pinned[i] {
                self.flex.vertbody.push(parent_name.to_owned());
                continue;
            }
            let name = format!("{}_{i}", self.flex.name);
            let pos: [f64; 3] = std::array::from_fn(|k| self.points[3 * i + k]);
            let mut radial = pos;
            normalize(&mut radial);
            let axes = match self.dof {
                Dof::Radial => std::slice::from_ref(&radial),
                Dof::TwoD => &AXES[..2],
                _ => &AXES[..],
            };
            self.add_body(
                spec,
                parent,
                (name.clone(), pos),
                (mass, inertia),
                axes,
                self.plugin.clone(),
            );
            self.flex.vertbody.push(name);
            // the vertex is at the origin of its body
            self.points[3 * i..3 * i + 3].fill(0.0);
        }
    }

    /// A body for each node that is not pinned, with the mass scaled to the given total.
    fn node_bodies(&mut self, spec: &mut Spec, parent: BodyId, parent_name: &str, bounds: Bounds) {
        const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        self.flex.order = self.dof.order();
        self.flex.cellcount = self.cells().map(|n| i32::try_from(n).unwrap_or(i32::MAX));
        let empty = self.empty_cells(bounds);
        let counts = self.nodes();
        let mut index = 0;
        for_each(counts, |at| {
            self.pins.pinned[index] |= self.only_in_empty_cells(at, &empty);
            index += 1;
        });
        let pinned = &self.pins.pinned[..self.node_count()];
        let centered = self.pins.none && !pinned.contains(&true);
        let (mut index, mut node, mut masses) = (0, Vec::new(), Vec::new());
        let first = spec.bodies.len();
        let steps = counts.map(|n| (n - 1) as f64);
        for_each(counts, |at| {
            let pos: [f64; 3] = std::array::from_fn(|k| {
                bounds[0][k] + at[k] as f64 / steps[k] * (bounds[1][k] - bounds[0][k])
            });
            if self.pins.pinned[index] {
                node.extend(pos);
                self.flex.nodebody.push(parent_name.to_owned());
            } else {
                node.extend([0.0; 3]);
                let name = format!("{}_{}_{}_{}", self.flex.name, at[0], at[1], at[2]);
                let mass = self.node_weight(at);
                masses.push(mass);
                let inertia = mass * (2.0 * self.inertiabox * self.inertiabox) / 3.0;
                self.add_body(spec, parent, (name.clone(), pos), (mass, inertia), &AXES, None);
                self.flex.nodebody.push(name);
            }
            index += 1;
        });
        let total: f64 = masses.iter().sum();
        let scale = if total > 0.0 { self.mass / total } else { 1.0 };
        for inertial in spec.bodies[first..].iter_mut().filter_map(|b| b.inertial.as_mut()) {
            inertial.mass *= scale;
            inertial.diaginertia = inertial.diaginertia.map(|d| d.map(|x| x * scale));
        }
        if !centered {
            self.flex.node = node.into();
        }
        if empty.contains(&true) {
            self.flex.cell_empty = empty.into();
        }
    }

    /// Mass of a node before scaling.
    fn node_weight(&self, at: [usize; 3]) -> f64 {
        if self.dof == Dof::Trilinear {
            return 1.0;
        }
        let counts = self.nodes();
        let weight = at.map(|g| SIMPSON[g % 2]);
        let shared: [f64; 3] = std::array::from_fn(|k| {
            let shared = at[k] > 0 && at[k] + 1 < counts[k] && at[k].is_multiple_of(2);
            if shared { 2.0 } else { 1.0 }
        });
        weight[0] * weight[1] * weight[2] * shared[0] * shared[1] * shared[2]
    }

    /// One equality constraint, or one for each cell that is not empty.
    fn equalities(&mut self, spec: &mut Spec) {
        let Some(etype) = self.equality else { return };
        let template = Equality {
            etype,
            element: match etype {
                EqType::FlexVert => "flexvert",
                EqType::FlexStrain => "flexstrain",
                _ => "flex",
            },
            objtype: ObjType::Unknown,
            class: DefaultId(0),
            name1: self.flex.name.clone(),
            ..self.equality_template.clone()
        };
        if etype != EqType::FlexStrain {
            spec.equalities.push(template);
            return;
        }
        let mut index = 0;
        for_each(self.cells(), |cell| {
            if !self.flex.cell_empty.get(index).copied().unwrap_or(false) {
                let mut equality = template.clone();
                for k in 0..3 {
                    equality.data[k] = cell[k] as f64;
                }
                spec.equalities.push(equality);
            }
            index += 1;
        });
    }
}
