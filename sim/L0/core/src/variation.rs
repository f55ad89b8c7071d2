//! Model variations for domain randomization: models of equal sizes that differ in some array values or
//! options. A variation stores only the arrays that differ.

use crate::model::Changed;
use crate::plan::Plan;
use crate::{Model, ModelSizes};
use sim_types::Options;

/// The difference between two models of equal sizes: arrays, options, and the precomputed data of the second.
///
/// ```
/// # let base = sim_mjcf::load_str(
/// #     "<mujoco><worldbody><body><freejoint/><geom size='1' mass='2'/></body></worldbody></mujoco>",
/// # ).unwrap();
/// let mut heavy = base.clone();
/// heavy.body_mass[1] = 3.0;
/// let mut variation = base.variation(&heavy).unwrap();
/// assert_eq!(variation.fields().collect::<Vec<_>>(), ["body_mass"]);
/// let mut model = base.clone();
/// model.exchange(&mut variation);
/// assert_eq!(model.body_mass[1], 3.0);
/// model.exchange(&mut variation);
/// assert_eq!(model.body_mass[1], 2.0);
/// ```
#[derive(Debug, Clone)]
pub struct Variation {
    sizes: ModelSizes,
    arrays: Vec<Changed>,
    opt: Option<Options>,
    plan: Option<Box<Plan>>,
}

impl Model {
    /// Arrays from which nothing is precomputed: they can be changed without [`Model::refresh`], and a variation
    /// of these alone stores no precomputed tables.
    pub const UNPLANNED: &[&str] = &[
        "actuator_acc0",
        "actuator_biasprm",
        "actuator_ctrlrange",
        "actuator_dynprm",
        "actuator_forcerange",
        "actuator_gainprm",
        "actuator_length0",
        "body_gravcomp",
        "body_inertia",
        "body_invweight0",
        "body_mass",
        "body_subtreemass",
        "dof_M0",
        "dof_frictionloss",
        "dof_invweight0",
        "geom_friction",
        "geom_solimp",
        "geom_solmix",
        "geom_solref",
        "jnt_range",
        "jnt_stiffness",
        "qpos0",
        "qpos_spring",
        "tendon_invweight0",
        "tendon_length0",
    ];
}

/// Error of [`Model::variation`]: the two models have different sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a variation must have the sizes of its model: change array values, not the number of elements"
)]
pub struct SizeMismatch;

impl Variation {
    /// Names of the arrays that differ.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.arrays.iter().map(Changed::name)
    }

    /// Size of the arrays that differ, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.arrays.iter().map(Changed::bytes).sum()
    }
}

impl Model {
    /// The variation that turns this model into `other`, an edited copy of it. Callbacks are not compared.
    ///
    /// # Errors
    /// If the two models have different sizes.
    pub fn variation(&self, other: &Self) -> Result<Variation, SizeMismatch> {
        if self.sizes() != other.sizes() {
            return Err(SizeMismatch);
        }
        let arrays = self.changed_arrays(other);
        let planned = arrays.iter().any(|array| !Model::UNPLANNED.contains(&array.name()));
        Ok(Variation {
            sizes: self.sizes(),
            arrays,
            opt: (self.opt != other.opt).then(|| other.opt.clone()),
            plan: planned.then(|| Box::new(Plan::new(other))),
        })
    }

    /// Swaps the arrays, options and precomputed data of the variation with those of the model, without
    /// copying their content; a second call restores the model. Does nothing if the sizes of the model differ.
    pub fn exchange(&mut self, variation: &mut Variation) {
        if self.sizes() != variation.sizes {
            return;
        }
        for array in &mut variation.arrays {
            array.exchange(self);
        }
        if let Some(opt) = &mut variation.opt {
            std::mem::swap(opt, &mut self.opt);
        }
        if let Some(plan) = &mut variation.plan {
            std::mem::swap(&mut **plan, &mut self.plan);
        }
    }
}
