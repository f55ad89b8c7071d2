//! A model as typed tables: what each stage of a kernel reads.

pub(crate) mod actuation;
pub(crate) mod adhesion;
pub(crate) mod collision;
pub(crate) mod constraint;
pub(crate) mod contact_order;
pub(crate) mod fluid;
pub(crate) mod history;
pub(crate) mod kinematics;
pub(crate) mod sensor;
pub(crate) mod signed_distance;
pub(crate) mod sleep;
pub(crate) mod spatial_tendon;
pub(crate) mod tree_groups;

use crate::GpuBatchError;
use crate::kernel::has_noslip;
use crate::layout::ModelTables;
use collision::Collision;
use constraint::ConstraintSizes;
use sensor::{DistanceSensors, Sensors};
use signed_distance::SignedDistances;
use sim_core::Model;
use sim_types::Integrator;
use spatial_tendon::SpatialTendons;
use tree_groups::TreeGroups;

/// Bound of an interval that is open: far from the largest number of single precision.
pub(crate) const FAR: f64 = 1e30;

/// Everything that a kernel needs to know about a model.
#[derive(Debug)]
pub(crate) struct KernelModel {
    pub tables: ModelTables,
    pub groups: TreeGroups,
    /// Actuators with a dense moment.
    pub ndense: usize,
    pub spatial: SpatialTendons,
    /// Bodies and geoms with fluid forces.
    pub nfluid: usize,
    /// Whether the integrator needs velocity derivatives of forces, at the end of a step.
    pub force_derivatives: bool,
    /// Whether the derivatives that the integrator adds to the inertia matrix are diagonal.
    pub diagonal_damping: bool,
    pub constraint: ConstraintSizes,
    pub collision: Collision,
    pub sensors: Sensors,
    /// Trees that are asleep initially.
    pub nsleeping: usize,
    /// Actuators on bodies.
    pub nadhesion: usize,
    /// Whether sensors measure distances of geoms.
    pub measures_distances: bool,
}

impl KernelModel {
    /// A model for workgroups of at most `max_lanes` lanes.
    ///
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if there are pairs, meshes or sensors that kernels do not support.
    pub(crate) fn new(m: &Model, max_lanes: usize) -> Result<Self, GpuBatchError> {
        let mut t = ModelTables::default();
        kinematics::sizes(m, &mut t);
        kinematics::bodies(m, &mut t);
        kinematics::joints(m, &mut t);
        kinematics::dofs(m, &mut t);
        let groups = TreeGroups::new(m, max_lanes);
        groups.add_tables(&mut t);
        let tendons = actuation::tendons(m, &mut t);
        let spatial = SpatialTendons::new(m, &mut t);
        let nfluid = fluid::elements(m, &mut t);
        let (ndense, damping_pairs) = actuation::actuators(m, &tendons, &mut t);
        let constraint = ConstraintSizes::new(m, &groups, &mut t);
        let distances = DistanceSensors::new(m)?;
        let mut fields = SignedDistances::default();
        let collision = Collision::new(m, &groups, &distances.pairs(), &mut fields, &mut t)?;
        let sensors = sensor::sensors(m, &collision.geoms, &mut fields, &mut t)?;
        if !fields.is_empty() {
            fields.add_constants(&mut t);
        }
        distances.add_tables(m, &collision, &mut t);
        let nsleeping = sleep::trees(m, &mut t);
        history::controls(m, &mut t);
        let nadhesion = adhesion::actuators(m, &mut t)?;
        let force_derivatives = kinematics::is_implicit(m);
        let diagonal_damping = !force_derivatives
            || ndense + damping_pairs + spatial.count + nfluid == 0
                && m.opt.integrator == Integrator::ImplicitFast;
        t.flag("DIAGONAL_DAMPING", diagonal_damping);
        let mut model = Self {
            tables: t,
            groups,
            ndense,
            spatial,
            nfluid,
            force_derivatives,
            diagonal_damping,
            constraint,
            collision,
            sensors,
            nsleeping,
            nadhesion,
            measures_distances: !distances.is_empty(),
        };
        if model.orders_contacts(m) {
            contact_order::pairs(m, &model.collision.pair_geoms(), &mut model.tables);
        }
        model.tables.align();
        Ok(model)
    }

    /// Whether the order of contacts matters, which is then that of the CPU engine.
    pub(crate) fn orders_contacts(&self, m: &Model) -> bool {
        has_noslip(m) || self.sensors.contact_sensors > 0
    }

    /// Whether contacts inside the gap, which exert no force, are kept.
    pub(crate) fn keeps_gap_contacts(&self) -> bool {
        self.nadhesion + self.sensors.contact_sensors + self.sensors.tactile > 0
    }

    /// Whether body velocities are kept in workgroup memory.
    pub(crate) fn needs_body_velocity(&self) -> bool {
        self.keeps_body_motion()
            || self.sensors.count > 0
            || self.spatial.armature
            || self.nfluid > 0
    }

    /// Whether body poses are read while constraints are made.
    pub(crate) fn poses_for_constraints(&self) -> bool {
        self.constraint.body_equalities > 0 || self.sensors.tactile > 0
    }

    /// Whether body poses are read for the derivatives of fluid forces, after the solver.
    pub(crate) fn poses_for_fluid(&self) -> bool {
        self.nfluid > 0 && self.force_derivatives
    }

    /// Whether the integrator, or the correction of friction forces, needs the sum of all forces.
    pub(crate) fn needs_total_force(&self, m: &Model) -> bool {
        !self.diagonal_damping || kinematics::has_single_free_bodies(m) || has_noslip(m)
    }

    /// Whether body poses are read after the solver.
    pub(crate) fn poses_after_solver(&self) -> bool {
        self.sensors.body_motion || self.poses_for_fluid()
    }

    /// Whether body poses and velocities are read after the constraints are made.
    pub(crate) fn keeps_body_motion(&self) -> bool {
        self.constraint.body_equalities > 0
            || self.sensors.body_motion
            || self.nfluid > 0 && self.force_derivatives
    }
}

/// The error of a model that has something that kernels do not support.
pub(crate) fn unsupported(what: String) -> GpuBatchError {
    GpuBatchError::Unsupported { what, instead: "step it with `BatchSim`" }
}

/// Element `i` of an array of vectors.
pub(crate) fn array<const N: usize>(values: &[f64], i: usize) -> [f64; N] {
    std::array::from_fn(|k| values[N * i + k])
}
