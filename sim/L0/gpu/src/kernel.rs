//! The kernel of a model: capacities, memory layout and WGSL source.

mod arrays;
mod capacity;
mod features;
mod pass;

pub use capacity::{Capacity, Probe};
pub(crate) use features::has_noslip;
pub(crate) use pass::Pass;

use crate::layout::{Constants, ModelTables, OutputLayout, StorageBuffer, WorkgroupLayout};
use crate::linear_solve::{MAX_CHANGED_ROWS, MAX_COUPLING_ROWS, Rows, Solver};
use crate::model::tree_groups::GROUP_LANES;
use crate::model::{KernelModel, actuation};
use crate::records::{episode, flag};
use crate::shader::{self, Defines};
use crate::{GpuBatchError, Options, Precision, StorageBarriers, support};
use arrays::{RareArrays, index_layout, real_layout};
use features::{conjugate, exchange, hessian_rows, state_size};
use sim_core::Model;
use sim_types::{Cone, DisableBit, Integrator};

/// Minimum of workgroup memory for models with more than [`MANY_DOFS`] dofs, in bytes. Found by measurement on an
/// NVIDIA H200: with less, its compiler spills registers.
const MIN_WORKGROUP_BYTES: usize = 2840;
const MANY_DOFS: usize = 24;

/// Workgroup memory in bytes above which spatial inertias and axes of geoms are in storage, if that saves a tenth. Found
/// by measurement on an NVIDIA H200: with less, accesses to storage cost more than further environments gain.
const LARGE_BYTES: usize = 4000;

/// Strides of quaternions, motion axes and spatial inertias in workgroup memory.
const XQUAT_STRIDE: usize = 4;
const CDOF_STRIDE: usize = 6;
const CINERT_STRIDE: usize = 16;

/// Lanes of a workgroup of the narrow-phase pass.
const NARROW_PHASE_LANES: usize = 32;

/// Reals of a contact in workgroup memory: distance, position, normal, tangent.
pub(crate) const CONTACT_SIZE: usize = 10;
/// Reals of a geom in workgroup memory: position, x axis, z axis.
const GEOM_SIZE: usize = 9;
/// Reals of a geom in workgroup memory if its axes are in storage.
const GEOM_POSITION_SIZE: usize = 3;

/// Everything about a model that the device needs.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub tables: ModelTables,
    /// WGSL source of each pass.
    pub sources: Vec<String>,
    /// WGSL source of the kernel that computes the poses of bodies for images.
    pub body_poses: String,
    pub capacity: Capacity,
    /// Reals of an environment's state: time, qpos, qvel, act, qacc_warmstart, history.
    pub state: usize,
    /// Reals of an environment's inputs: ctrl, mocap poses, qfrc_applied.
    pub inputs: usize,
    /// Layout of the output buffer.
    pub output: OutputLayout,
    /// Layout of the probe.
    pub probe: Probe,
    /// Bytes of workgroup memory.
    pub workgroup_bytes: usize,
    /// Environments that have scratch memory at the same time.
    pub scratch_environments: usize,
    /// Reals of an environment's matrices in the storage buffer; zero if they are in workgroup memory.
    pub scratch: usize,
    /// Reals of an environment's arrays in a storage buffer; zero if they are in workgroup memory.
    pub arrays: usize,
    /// Words of an environment's index arrays in a storage buffer; zero if they are in workgroup memory.
    pub index_arrays: usize,
}

/// What kernels are built for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Number of environments.
    pub count: usize,
    /// Use operations on subgroups of 32 lanes.
    pub subgroups: bool,
    /// Build a pair of kernels where the model allows it.
    pub two_passes: bool,
    /// Workgroup memory of the device. Arrays of models that need more are in a storage buffer.
    pub workgroup_bytes: usize,
    /// Largest storage buffer of the device.
    pub binding_bytes: u64,
    /// Most lanes of a workgroup.
    pub max_lanes: usize,
}

impl Kernel {
    /// # Errors
    ///
    /// [`GpuBatchError::Unsupported`] if the model needs something that kernels do not support.
    pub(crate) fn new(
        m: &Model,
        options: &Options,
        target: &Target,
    ) -> Result<Self, GpuBatchError> {
        let (subgroups, workgroup_limit) = (target.subgroups, target.workgroup_bytes);
        support::check(m)?;
        let model = KernelModel::new(m, target.max_lanes)?;
        // a suspended environment resumes within one evaluation of the pipeline
        let two_passes = target.two_passes
            && model.collision.supports_two_passes()
            && !model.measures_distances
            && m.opt.integrator != Integrator::Rk4;
        let mut builder = Builder::new(m, options, &model, subgroups, two_passes);
        let two_passes = two_passes && builder.workgroup_bytes <= workgroup_limit;
        if builder.workgroup_bytes > workgroup_limit {
            builder = Builder::new(m, options, &model, subgroups, false).with_arrays_in_storage();
            if builder.workgroup_bytes > workgroup_limit {
                builder = builder.with_index_arrays_in_storage();
            }
        }
        let narrow_phase = two_passes && model.collision.has_long();
        let passes: &[Pass] = match (two_passes, narrow_phase) {
            (true, true) => &[Pass::First, Pass::NarrowPhase, Pass::Second],
            (true, false) => &[Pass::First, Pass::Second],
            (false, _) => &[Pass::Single],
        };
        let scratch_environments = builder.scratch_environments(target);
        builder.shared_scratch = scratch_environments < target.count;
        let sources = passes.iter().map(|&pass| builder.source(pass));
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            sources,
            body_poses: builder.body_poses()?,
            capacity: builder.capacity,
            state: state_size(m),
            inputs: builder.inputs(),
            output: builder.output,
            probe: builder.probe(),
            workgroup_bytes: builder.workgroup_bytes,
            scratch_environments,
            scratch: builder.scratch,
            arrays: builder.arrays(),
            index_arrays: builder.index_arrays(),
            tables: model.tables,
        })
    }
}

/// Checks whether kernels support a model, without a device. A device may still have too little workgroup memory.
///
/// # Errors
///
/// [`GpuBatchError::Unsupported`] names the first unsupported feature.
pub fn supports(m: &Model, options: &Options) -> Result<(), GpuBatchError> {
    let target = Target {
        count: 1,
        subgroups: true,
        two_passes: false,
        workgroup_bytes: usize::MAX,
        binding_bytes: u64::MAX,
        max_lanes: options.max_lanes(usize::MAX),
    };
    Kernel::new(m, options, &target).map(drop)
}

/// Everything from which the sources of a kernel follow.
struct Builder<'a> {
    m: &'a Model,
    options: &'a Options,
    model: &'a KernelModel,
    subgroups: bool,
    capacity: Capacity,
    reals: WorkgroupLayout,
    indices: WorkgroupLayout,
    /// `vec4` columns of matrices, and the distance between their rows.
    nv4: usize,
    stride4: usize,
    /// Whether matrices are in a storage buffer.
    stored: bool,
    rare: RareArrays,
    scratch: usize,
    output: OutputLayout,
    workgroup_bytes: usize,
    /// Reals of the arrays, including padding.
    reals_allocated: usize,
    /// Whether arrays are in a storage buffer.
    arrays_stored: bool,
    /// Whether index arrays are in a storage buffer.
    indices_stored: bool,
    /// Whether environments of several dispatches share scratch memory.
    shared_scratch: bool,
}

impl<'a> Builder<'a> {
    fn new(
        m: &'a Model,
        options: &'a Options,
        model: &'a KernelModel,
        subgroups: bool,
        two_passes: bool,
    ) -> Self {
        let capacity = Capacity::new(m, options, model);
        let lanes = model.groups.lanes();
        // with subgroups, workgroup memory limits occupancy more than storage limits speed
        let stored = m.nv > lanes.min(GROUP_LANES) || subgroups;
        let mut rare = RareArrays::new(m, model, stored);
        let (size, probe) = (options.precision.bytes(), options.probe);
        let exchanged = exchange(model, subgroups);
        let mut reals = real_layout(m, model, capacity, exchanged, probe, &rare);
        if stored && lanes == GROUP_LANES && !probe && size * reals.size() > LARGE_BYTES {
            let other = rare.with_inertias_and_axes(m, model);
            let smaller = real_layout(m, model, capacity, exchanged, probe, &other);
            if smaller.size() < reals.size() - reals.size() / 10 {
                (rare, reals) = (other, smaller);
            }
        }
        let indices = index_layout(m, model, capacity, exchanged, probe);
        let nv4 = model.groups.vec4s();
        // an odd row stride avoids bank conflicts
        let stride4 = nv4 + (nv4 + 1) % 2;
        let matrices = stride4 * (m.nv + capacity.rows);
        let matrices4 = stride4 * (m.nv + hessian_rows(m, model) + capacity.rows);
        let scratch = if stored { 4 * (matrices4 + rare.vec4s()) } else { 0 };
        let couples = model.collision.couples_groups;
        let columns = Solver::columns(m.nv, &model.groups, subgroups, couples);
        let vec4s = columns + if stored { 0 } else { matrices };
        let needed = size * (reals.size() + 4 * vec4s) + 4 * indices.size();
        let padded = subgroups && lanes == GROUP_LANES && m.nv > MANY_DOFS;
        let workgroup_bytes = if padded { needed.max(MIN_WORKGROUP_BYTES) } else { needed };
        let inertia = if stored { 0 } else { 4 * stride4 * m.nv };
        let output = OutputLayout {
            nsensordata: m.nsensordata,
            probe: if options.probe { reals.size() + 4 * matrices + 2 } else { 0 },
            separation: model.collision.separation,
            suspended: if two_passes { reals.size() + capacity.contacts + inertia } else { 0 },
            deferred: if two_passes { model.collision.deferred_size() } else { 0 },
        };
        let reals_allocated = reals.size() + (workgroup_bytes - needed) / size;
        Self {
            m,
            options,
            model,
            subgroups,
            capacity,
            reals,
            indices,
            nv4,
            stride4,
            stored,
            rare,
            scratch,
            output,
            workgroup_bytes,
            reals_allocated,
            arrays_stored: false,
            indices_stored: false,
            shared_scratch: false,
        }
    }

    /// Moves arrays and matrices into storage buffers; index arrays and the exchange buffer stay in workgroup memory.
    fn with_arrays_in_storage(mut self) -> Self {
        let (m, model) = (self.m, self.model);
        self.stored = true;
        let matrices4 = self.stride4 * (m.nv + hessian_rows(m, model) + self.capacity.rows);
        self.scratch = 4 * (matrices4 + self.rare.vec4s());
        let couples = model.collision.couples_groups;
        let columns = Solver::columns(m.nv, &model.groups, self.subgroups, couples);
        self.workgroup_bytes =
            4 * self.options.precision.bytes() * columns + 4 * self.indices.size();
        self.reals_allocated = self.reals.size();
        self.arrays_stored = true;
        self
    }

    /// Moves index arrays into a storage buffer too; the exchange buffer stays in workgroup memory.
    fn with_index_arrays_in_storage(mut self) -> Self {
        self.workgroup_bytes -= 4 * self.indices.size();
        self.indices_stored = true;
        self
    }

    /// Reals of an environment's arrays in a storage buffer.
    fn arrays(&self) -> usize {
        if self.arrays_stored { self.reals_allocated } else { 0 }
    }

    /// Words of an environment's index arrays in a storage buffer.
    fn index_arrays(&self) -> usize {
        if self.indices_stored { self.indices.size().max(1) } else { 0 }
    }

    /// Number of environments whose scratch memory fits the storage buffers of the device.
    fn scratch_environments(&self, target: &Target) -> usize {
        let real = self.options.precision.bytes();
        let largest = (real * self.scratch.max(self.arrays())).max(4 * self.index_arrays());
        // suspended environments follow the outputs of all environments
        let outputs = (real * self.output.total(target.count, 0)) as u64;
        let left = target.binding_bytes.saturating_sub(outputs);
        let fits = |bytes: u64, size: usize| bytes.checked_div(size as u64).unwrap_or(u64::MAX);
        let fit = fits(target.binding_bytes, largest)
            .min(fits(left, real * (self.output.suspended + self.output.deferred)));
        let wanted = self.options.scratch_environments.unwrap_or(target.count);
        wanted.min(target.count).min(usize::try_from(fit).unwrap_or(usize::MAX)).max(1)
    }

    fn conjugate(&self) -> bool {
        conjugate(self.m)
    }

    /// Whether the Hessian is updated from iteration to iteration.
    fn incremental_hessian(&self) -> bool {
        self.stored && features::incremental_hessian(self.m, self.model)
    }

    fn elliptic(&self) -> bool {
        self.m.opt.cone == Cone::Elliptic
    }

    fn inputs(&self) -> usize {
        self.m.nu + 7 * self.m.nmocap + if self.options.applied { self.m.nv } else { 0 }
    }

    fn probe(&self) -> Probe {
        let (words, m) = (self.reals.size(), self.m);
        let mut named: Vec<_> =
            self.reals.arrays.iter().map(|a| (a.name, a.offset, a.len)).collect();
        let (inertia, jacobian) = (4 * self.stride4 * m.nv, 4 * self.stride4 * self.capacity.rows);
        named.push(("M", words, inertia));
        named.push(("J", words + inertia, jacobian));
        named.push(("COUNTS", words + inertia + jacobian, 2));
        Probe {
            start: m.nsensordata + 1,
            len: words + inertia + jacobian + 2,
            named,
            stride: 4 * self.stride4,
            columns: self.model.groups.columns(),
        }
    }

    /// The linear solver of a pass.
    fn solver(&self, couples: bool) -> Solver {
        let rows = Rows {
            elliptic: self.elliptic(),
            conjugate: self.conjugate(),
            symmetric: self.m.opt.integrator != Integrator::Implicit,
            incremental: self.incremental_hessian(),
        };
        Solver::new(self.m.nv, &self.model.groups, self.subgroups, rows, couples)
    }

    /// The source of the kernel that computes the poses of bodies for images.
    fn body_poses(&self) -> Result<String, GpuBatchError> {
        let declarations = self.declarations(Pass::Single, 0)?;
        let generated = [("declarations", declarations.as_str())];
        let mut defines = self.defines(Pass::Single, self.solver(false));
        defines.set("RARE_ARRAYS_IN_STORAGE", false);
        defines.set("INERTIAS_IN_STORAGE", false);
        Ok(shader::assemble("body_poses", &generated, &defines)?)
    }

    /// The source of a pass.
    fn source(&self, pass: Pass) -> Result<String, GpuBatchError> {
        // coupled environments are left to the second pass
        let couples = pass != Pass::First && self.model.collision.couples_groups;
        let groups = &self.model.groups;
        let solver = self.solver(couples);
        let columns = Solver::columns(self.m.nv, groups, self.subgroups, couples);
        let declarations = self.declarations(pass, columns)?;
        let dispatch = self.model.collision.emit(pass);
        let [register_solver, cone_row] = solver.emit();
        let generated = [
            ("declarations", declarations.as_str()),
            ("collision_dispatch", dispatch.as_str()),
            ("register_solver", register_solver.as_str()),
            ("register_cone_row", cone_row.as_str()),
            (shader::TASK, self.options.task.as_deref().unwrap_or("")),
            (shader::CONTROL_CALLBACK, self.options.callbacks.control.as_deref().unwrap_or("")),
            (shader::PASSIVE_CALLBACK, self.options.callbacks.passive(self.m).unwrap_or("")),
        ];
        let root = if pass == Pass::NarrowPhase { "narrow_phase" } else { "kernel" };
        Ok(shader::assemble(root, &generated, &self.defines(pass, solver))?)
    }

    /// Whether the arrays of an environment are private variables of its only lane. Software drivers execute each access
    /// to workgroup memory as a loop over the lanes of a vector, and compile these loops in quadratic time; but they
    /// also take quadratic time for the accesses to a private variable, of which collision functions have many.
    fn is_private(&self) -> bool {
        self.options.one_lane && !self.model.collision.has_pairs()
    }

    /// Whether the kernel of a pass evaluates signed distance fields.
    fn has_fields(&self, pass: Pass) -> bool {
        self.model.collision.has_fields(pass)
            || pass != Pass::NarrowPhase && self.model.sensors.fields
    }

    /// Conditionals of the templates.
    fn defines(&self, pass: Pass, solver: Solver) -> Defines {
        let lanes = self.model.groups.lanes();
        let one_lane = self.options.one_lane;
        let explicit = self.options.storage_barriers == StorageBarriers::Explicit;
        // several subgroups never see each other's writes without a barrier
        let barrier = !one_lane && (explicit || lanes > GROUP_LANES || !self.subgroups);
        let callbacks = &self.options.callbacks;
        let mut defines = Defines::default();
        for (name, defined) in [
            ("DOUBLE_PRECISION", self.options.precision == Precision::Double),
            ("SINGLE_LANE", one_lane),
            ("PRIVATE_MEMORY", self.is_private()),
            ("SUBGROUPS", self.subgroups),
            ("SINGLE_SUBGROUP", self.subgroups && lanes == GROUP_LANES),
            ("MATRICES_IN_STORAGE", self.stored),
            ("RARE_ARRAYS_IN_STORAGE", self.rare.in_storage),
            ("INERTIAS_IN_STORAGE", self.rare.inertias_and_axes),
            ("GEOM_AXES_IN_STORAGE", self.rare.inertias_and_axes),
            ("POSES_SAVED", self.rare.in_storage && self.model.poses_after_solver()),
            ("ARRAYS_IN_STORAGE", self.arrays_stored),
            ("MATRIX_STORAGE_BARRIER", barrier && self.stored),
            ("OUTPUT_STORAGE_BARRIER", barrier),
            ("SENSOR_STORAGE_BARRIER", barrier && self.options.task.is_some()),
            ("COLD_START", self.m.opt.disabled(DisableBit::WarmStart)),
            ("TASK", self.options.task.is_some()),
            ("CONTROL_CALLBACK", callbacks.control.is_some()),
            ("PASSIVE_CALLBACK", callbacks.passive(self.m).is_some()),
            ("SHARED_SCRATCH", self.shared_scratch),
            ("RK4", self.m.opt.integrator == Integrator::Rk4),
            ("IMPLICIT_FULL", self.m.opt.integrator == Integrator::Implicit),
            ("FLUID", self.model.nfluid > 0),
            ("RANGEFINDER", self.model.sensors.rangefinders),
            ("SIGNED_DISTANCE", self.has_fields(pass)),
            ("RAY_SURFACE", self.model.sensors.ray_surfaces),
            ("SLEEP", self.model.nsleeping > 0),
            ("HISTORY", self.m.nhistory > 0),
            ("SENSOR_HISTORY", self.model.sensors.history),
            ("NOSLIP", has_noslip(self.m)),
            ("ADHESION", self.model.nadhesion > 0),
            ("DISTANCE_SENSOR", self.model.measures_distances),
            ("CONTACT_SENSOR", self.model.sensors.contact_sensors > 0),
            ("CONTACT_ORDER_USED", self.model.orders_contacts(self.m)),
            ("TACTILE_SENSOR", self.model.sensors.tactile > 0),
            ("KEEP_GAP_CONTACTS", self.model.keeps_gap_contacts()),
            ("BODY_EQUALITY", self.model.constraint.body_equalities > 0),
            ("SPATIAL_TENDON", self.model.spatial.count > 0),
            ("MUSCLE", actuation::has_muscle(self.m)),
            ("DC_MOTOR", actuation::has_dc_motor(self.m)),
            ("INCREMENTAL_GRADIENT", features::incremental_gradient(self.m, self.model)),
            ("SOLVE_IN_MEMORY", solver.in_memory()),
            ("SOLVE_IN_REGISTERS", solver != Solver::Memory),
            ("SOLVE_COUPLED", matches!(solver, Solver::Coupled(_))),
            ("HESSIAN_TO_MEMORY", false),
            ("BORDER_ROW", false),
        ] {
            defines.set(name, defined);
        }
        self.model.collision.define(pass, &mut defines);
        defines.set("NARROW_PHASE_PASS", self.output.deferred > 0 && pass != Pass::Single);
        defines
    }

    /// Types, constants, buffers and workgroup memory.
    fn declarations(&self, pass: Pass, columns: usize) -> Result<String, GpuBatchError> {
        let mut constants = self.model.tables.constants.clone();
        if !self.arrays_stored {
            self.reals.declare(&mut constants);
            constants.u32("W_FIRST", 0);
        }
        if !self.indices_stored {
            self.indices.declare(&mut constants);
        }
        self.output.declare(&mut constants);
        self.rare.declare(&mut constants);
        self.size_constants(&mut constants);
        self.option_constants(&mut constants);
        for (name, value) in [
            ("PASS", pass as usize),
            ("PASS_SINGLE", Pass::Single as usize),
            ("PASS_FIRST", Pass::First as usize),
            ("PASS_SECOND", Pass::Second as usize),
            ("COLUMNS4", columns.max(1)),
        ] {
            constants.u32(name, value);
        }
        let contact_points = self.model.collision.contact_points(pass);
        constants.u32("MAX_PAIR_CONTACTS", contact_points);
        // only the narrow-phase pass makes it worthwhile to suspend an environment again
        let suspends = pass == Pass::First || pass == Pass::Second && self.output.deferred > 0;
        constants.bool("SUSPENDS", suspends);
        constants.bool("HAS_PRISM", self.model.collision.has_prisms(pass));
        if self.output.deferred > 0 {
            constants.u32("MAX_DEFERRED", self.model.collision.max_deferred());
            constants.u32("DEFERRED_CONTACTS", self.model.collision.max_long_contacts());
            constants.u32("NARROW_PHASE_LANES", NARROW_PHASE_LANES);
        }
        let real = self.options.precision.wgsl();
        let types = format!(
            "alias real = {real};\nalias vec3r = vec3<{real}>;\nalias vec4r = vec4<{real}>;\n"
        );
        let space = if self.is_private() { "private" } else { "workgroup" };
        let indices = match self.indices_stored {
            _ if pass == Pass::NarrowPhase => String::new(),
            true => String::new(),
            false => format!("var<{space}> wu: array<u32, WU_SIZE>;\n"),
        };
        let arrays = match self.arrays_stored {
            _ if pass == Pass::NarrowPhase => String::new(),
            true => self.reals.emit_variables(self.indices_stored.then_some(&self.indices)),
            false => format!(
                "// Arrays in {space} memory, addressed by the constants above.\n\
                var<{space}> w: array<real, W_ALLOCATED>;\nfn set_array_offsets(first: u32) {{}}\n"
            ),
        };
        let buffers =
            StorageBuffer::declarations(self.stored, self.arrays_stored, self.indices_stored);
        Ok([types, constants.emit()?, buffers, indices, arrays].concat())
    }

    fn size_constants(&self, constants: &mut Constants) {
        let m = self.m;
        for (name, value) in [
            ("NV4", self.nv4),
            ("ROW_STRIDE4", self.stride4),
            ("MAXCON", self.capacity.contacts),
            ("MAXEFC", self.capacity.rows),
            ("W_SIZE", self.reals.size()),
            ("W_ALLOCATED", self.reals_allocated),
            ("WU_SIZE", self.indices.size().max(1)),
            ("STATE_SIZE", state_size(m)),
            ("IN_CTRL", 0),
            ("IN_MOCAP", m.nu),
            ("IN_APPLIED", m.nu + 7 * m.nmocap),
            ("IN_SIZE", self.inputs()),
            ("XQUAT_STRIDE", XQUAT_STRIDE),
            ("CDOF_STRIDE", CDOF_STRIDE),
            ("CINERT_STRIDE", CINERT_STRIDE),
            ("LANES", self.model.groups.lanes()),
            ("MAX_COUPLING_ROWS", MAX_COUPLING_ROWS),
            ("MAX_CHANGED_ROWS", MAX_CHANGED_ROWS),
            ("OVERFLOW_CONTACTS", flag::OVERFLOW_CONTACTS as usize),
            ("OVERFLOW_EFC", flag::OVERFLOW_EFC as usize),
            ("DIVERGED", flag::DIVERGED as usize),
            ("EPISODE_RUNNING", episode::RUNNING as usize),
            ("EPISODE_TERMINATED", episode::TERMINATED as usize),
            ("EPISODE_TRUNCATED", episode::TRUNCATED as usize),
        ] {
            constants.u32(name, value);
        }
    }

    fn option_constants(&self, constants: &mut Constants) {
        let options = self.options;
        let keeps_velocity = self.model.needs_body_velocity();
        for (name, value) in [
            ("ELLIPTIC", self.elliptic()),
            ("KEEP_BODY_VELOCITY", keeps_velocity),
            ("POSES_FOR_FLUID", self.model.poses_for_fluid()),
            ("SOLVER_CG", self.conjugate()),
            ("HESSIAN_IN_STORAGE", hessian_rows(self.m, self.model) > 0),
            ("NEEDS_TOTAL_FORCE", self.model.needs_total_force(self.m)),
            ("APPLIED", options.applied),
            ("PROBE", options.probe),
            ("TASK", options.task.is_some()),
            ("IS_DOUBLE", options.precision == Precision::Double),
        ] {
            constants.bool(name, value);
        }
        let (minval, parallel) = match options.precision {
            Precision::Single => (1e-12, 1e-9),
            Precision::Double => (1e-15, 1e-15),
        };
        // remaining fraction of the derivative: conjugate directions need an exact line search
        let line_search = match (self.conjugate(), options.precision) {
            (false, _) => 0.1,
            (true, Precision::Single) => 1e-4,
            (true, Precision::Double) => 1e-9,
        };
        for (name, value) in [
            ("MINVAL", minval),
            ("PARALLEL_EPS", parallel),
            ("LS_TOLERANCE", line_search),
            ("TOLERANCE", options.tolerance(self.m)),
        ] {
            constants.real(name, value);
        }
        if self.m.nhistory > 0 {
            // time is a sum of steps
            let tolerance = match options.precision {
                Precision::Single => 0.1 * self.m.opt.timestep,
                Precision::Double => 1e-15,
            };
            constants.real("HISTORY_TOLERANCE", tolerance);
        }
        if has_noslip(self.m) {
            constants.u32("NOSLIP_ITERATIONS", self.m.opt.noslip_iterations as usize);
            constants.real("NOSLIP_TOLERANCE", self.m.opt.noslip_tolerance);
        }
    }
}

#[cfg(test)]
mod tests;
