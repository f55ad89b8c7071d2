//! Models that differ in a few numbers: masses, friction, gains. Only what differs is stored.

use crate::model::Changed;
use crate::plan::Plan;
use crate::{Model, ModelSizes};
use sim_types::Options;

/// What makes a model out of another one of the same sizes.
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

/// Arrays that nothing is precomputed from, so that a variation of them needs no plan of its own.
const UNPLANNED: &[&str] = &[
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

/// Two models differ in more than their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a variation keeps the sizes of its model: edit numbers, not the number of elements")]
pub struct OtherSizes;

impl Variation {
    /// The arrays that differ.
    pub fn fields(&self) -> impl Iterator<Item = &'static str> {
        self.arrays.iter().map(Changed::name)
    }

    /// Bytes of the arrays that differ.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.arrays.iter().map(Changed::bytes).sum()
    }
}

impl Model {
    /// What makes `other`, an edited copy of this model, out of this one. Hooks are not compared.
    ///
    /// # Errors
    /// When the two have different sizes.
    pub fn variation(&self, other: &Self) -> Result<Variation, OtherSizes> {
        if self.sizes() != other.sizes() {
            return Err(OtherSizes);
        }
        let arrays = self.changed_arrays(other);
        let planned = arrays.iter().any(|array| !UNPLANNED.contains(&array.name()));
        Ok(Variation {
            sizes: self.sizes(),
            arrays,
            opt: (self.opt != other.opt).then(|| other.opt.clone()),
            plan: planned.then(|| Box::new(Plan::new(other))),
        })
    }

    /// Exchanges what differs, in a time that does not depend on how much it is: a second call undoes
    /// the first. A variation of a model of other sizes is left alone.
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
