//! Tasks described by data instead of code: observations, rewards and terminations are functions of slices of
//! the state's arrays. A description can be made from another language without callbacks.

use crate::{Error, Info, InfoField, InfoFields, Outcome, Rng, Step, Task};
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};
use std::ops::Range;

/// Declares the arrays that a [`Quantity`] can use: field of [`Data`], object type of its rows, width of a row.
macro_rules! arrays {
    ($($(#[$doc:meta])* $name:ident $field:ident $object:expr, $width:expr;)*) => {
        /// An array of the simulation state, named as in [`Data`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Array {
            $($(#[$doc])* $name,)*
        }

        impl Array {
            /// The array of this name, such as `qpos`.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $(stringify!($field) => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Type of the elements that have a row each, and the width of a row.
            fn rows(self) -> (Option<ObjType>, usize) {
                match self {
                    $(Self::$name => ($object, $width),)*
                }
            }

            fn get(self, data: &Data) -> &[f64] {
                match self {
                    $(Self::$name => &data.$field,)*
                }
            }
        }
    };
}

arrays! {
    /// Positions.
    Qpos qpos None, 1;
    /// Velocities.
    Qvel qvel None, 1;
    /// Accelerations.
    Qacc qacc None, 1;
    /// Controls: the action.
    Ctrl ctrl Some(ObjType::Actuator), 1;
    /// Activations.
    Act act None, 1;
    /// Forces of the actuators.
    ActuatorForce actuator_force Some(ObjType::Actuator), 1;
    /// Forces of the actuators in joint space.
    QfrcActuator qfrc_actuator None, 1;
    /// Forces of the constraints in joint space.
    QfrcConstraint qfrc_constraint None, 1;
    /// Positions of bodies.
    Xpos xpos Some(ObjType::Body), 3;
    /// Orientations of bodies, as quaternions.
    Xquat xquat Some(ObjType::Body), 4;
    /// Orientations of bodies, as matrices; element 8 is the cosine of the tilt.
    Xmat xmat Some(ObjType::Body), 9;
    /// Centres of mass of subtrees.
    SubtreeCom subtree_com Some(ObjType::Body), 3;
    /// Velocities of bodies, about the centre of mass of the tree.
    Cvel cvel Some(ObjType::Body), 6;
    /// External forces on bodies.
    CfrcExt cfrc_ext Some(ObjType::Body), 6;
    /// Positions of sites.
    SiteXpos site_xpos Some(ObjType::Site), 3;
    /// Lengths of tendons.
    TenLength ten_length Some(ObjType::Tendon), 1;
    /// Values of sensors. A sensor is chosen by its name, and has as many values as the model says.
    Sensordata sensordata None, 1;
}

/// Values of the state: a slice of an array.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// The array.
    pub array: Array,
    /// Element whose row is used: a body, site, actuator, tendon or sensor; `None` for the whole array.
    pub element: Option<String>,
    /// Part of the row or array; `None` for all of it.
    pub range: Option<Range<usize>>,
    /// Bounds to which the values are clipped.
    pub clip: (f64, f64),
    /// The slice that was found in the model.
    found: Range<usize>,
}

impl Quantity {
    /// A whole array.
    #[must_use]
    pub fn new(array: Array) -> Self {
        let clip = (f64::NEG_INFINITY, f64::INFINITY);
        Self { array, element: None, range: None, clip, found: 0..0 }
    }

    /// The row of an element.
    #[must_use]
    pub fn of(array: Array, element: impl Into<String>) -> Self {
        Self { element: Some(element.into()), ..Self::new(array) }
    }

    /// A part of the row or array.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        Self { range: Some(range), ..self }
    }

    /// Clips the values.
    #[must_use]
    pub fn clip(self, low: f64, high: f64) -> Self {
        Self { clip: (low, high), ..self }
    }

    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        let (object, width) = self.array.rows();
        let whole = match (&self.element, object) {
            (None, _) => 0..self.array.get(&model.make_data()).len(),
            (Some(name), _) if self.array == Array::Sensordata => {
                let id = find(model, ObjType::Sensor, name)?;
                let start = model.sensor_adr[id] as usize;
                start..start + model.sensor_dim[id] as usize
            }
            (Some(name), Some(object)) => {
                let id = find(model, object, name)?;
                id * width..(id + 1) * width
            }
            (Some(name), None) => {
                let text = format!("{:?} has no elements with names, such as `{name}`", self.array);
                return Err(Error::Model(text));
            }
        };
        let range = self.range.clone().unwrap_or(0..whole.len());
        if range.start > range.end || range.end > whole.len() {
            return Err(Error::Model(format!(
                "{:?} has {} values there, but the range is {range:?}",
                self.array,
                whole.len()
            )));
        }
        self.found = whole.start + range.start..whole.start + range.end;
        Ok(())
    }

    fn values<'a>(&self, data: &'a Data) -> impl Iterator<Item = f64> + use<'a> {
        let (low, high) = self.clip;
        self.array.get(data)[self.found.clone()].iter().map(move |x| x.max(low).min(high))
    }

    fn sum(&self, data: &Data) -> f64 {
        self.values(data).sum()
    }

    fn square_sum(&self, data: &Data) -> f64 {
        self.values(data).map(|x| x * x).sum()
    }
}

fn find(model: &Model, object: ObjType, name: &str) -> Result<usize, Error> {
    model
        .name2id(object, name)
        .ok_or_else(|| Error::Model(format!("it has no {object:?} named `{name}`")))
}

/// How a quantity becomes a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Function {
    /// One, whatever the values are.
    One,
    /// The sum of the values.
    Sum,
    /// The sum of their squares.
    SquareSum,
    /// The root of the sum of their squares.
    Norm,
    /// The change of their sum per second, over the step.
    Rate,
    /// `exp(-scale * sum of squares)`.
    Gaussian {
        /// The scale.
        scale: f64,
    },
}

/// A term of the reward: `weight * function(quantity)`, also reported as an info.
#[derive(Debug, Clone, PartialEq)]
pub struct RewardTerm {
    /// Name of the info.
    pub name: String,
    /// The values.
    pub quantity: Quantity,
    /// How the values become a number.
    pub function: Function,
    /// The weight; negative for a cost.
    pub weight: f64,
}

/// A task that is described by data.
///
/// ```
/// use sim_envs::{Array, Builder, DescribedTask, Function, Quantity, RewardTerm};
///
/// let height = Quantity::of(Array::Xpos, "ball").part(2..3);
/// let task = DescribedTask {
///     observation: vec![
///         Quantity::new(Array::Qpos),
///         Quantity::new(Array::Qvel).clip(-10.0, 10.0),
///         height.clone(),
///     ],
///     reward: vec![RewardTerm {
///         name: "reward_forward".into(),
///         quantity: Quantity::of(Array::Xpos, "ball").part(0..1),
///         function: Function::Rate,
///         weight: 1.0,
///     }],
///     healthy: vec![(height, (0.05, 2.0))],
///     qpos_noise: 0.01,
///     ..DescribedTask::default()
/// };
/// let model = sim_physics::load_str(r#"<mujoco><worldbody><geom type="plane" size="1 1 1"/>
///     <body name="ball" pos="0 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"#)?;
/// let env = Builder::new(task, model.into()).num_envs(4).build()?;
/// assert_eq!(env.observation_size(), 7 + 6 + 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DescribedTask {
    /// The observation: the values of these quantities, one after the other.
    pub observation: Vec<Quantity>,
    /// The reward: the sum of these terms. At most four have [`Function::Rate`].
    pub reward: Vec<RewardTerm>,
    /// The episode is terminated when a value of a quantity is outside of its bounds, or not finite.
    pub healthy: Vec<(Quantity, (f64, f64))>,
    /// Amplitude of the uniform noise of initial positions.
    pub qpos_noise: f64,
    /// Amplitude of the uniform noise of initial velocities.
    pub qvel_noise: f64,
    /// Keyframe with the initial state; the reference configuration if there is none.
    pub keyframe: Option<String>,
}

impl DescribedTask {
    fn quantities(&mut self) -> impl Iterator<Item = &mut Quantity> {
        let healthy = self.healthy.iter_mut().map(|(quantity, _)| quantity);
        let reward = self.reward.iter_mut().map(|term| &mut term.quantity);
        self.observation.iter_mut().chain(reward).chain(healthy)
    }

    /// The terms that need the state before the step.
    fn rates(&self) -> impl Iterator<Item = &RewardTerm> {
        self.reward.iter().filter(|term| term.function == Function::Rate)
    }
}

impl Task for DescribedTask {
    fn bind(&mut self, model: &Model) -> Result<(), Error> {
        self.quantities().try_for_each(|quantity| quantity.bind(model))?;
        let rates = self.rates().count();
        if rates > 4 {
            let given = rates.to_string();
            return Err(Error::OutOfRange {
                name: "rewards of rates",
                given,
                expected: "at most 4",
            });
        }
        match &self.keyframe {
            Some(name) => find(model, ObjType::Key, name).map(|_| ()),
            None => Ok(()),
        }
    }

    fn observation_size(&self, _: &Model) -> usize {
        self.observation.iter().map(|quantity| quantity.found.len()).sum()
    }

    fn observe(&self, _: &Model, data: &Data, observation: &mut [f64]) {
        let values = self.observation.iter().flat_map(|quantity| quantity.values(data));
        for (out, value) in observation.iter_mut().zip(values) {
            *out = value;
        }
    }

    fn before(&self, _: &Model, data: &Data) -> [f64; 4] {
        let mut before = [0.0; 4];
        for (out, term) in before.iter_mut().zip(self.rates()) {
            *out = term.quantity.sum(data);
        }
        before
    }

    fn evaluate(&self, step: &Step<'_>, info: &mut Info<'_>) -> Outcome {
        let (mut reward, mut before) = (0.0, step.before.iter());
        for term in &self.reward {
            let value = match term.function {
                Function::One => 1.0,
                Function::Sum => term.quantity.sum(step.data),
                Function::SquareSum => term.quantity.square_sum(step.data),
                Function::Norm => term.quantity.square_sum(step.data).sqrt(),
                Function::Gaussian { scale } => {
                    (-scale * term.quantity.square_sum(step.data)).exp()
                }
                Function::Rate => {
                    let before = before.next().copied().unwrap_or_default();
                    (term.quantity.sum(step.data) - before) / step.dt
                }
            };
            info.push(term.weight * value);
            reward += term.weight * value;
        }
        let is_healthy = self.healthy.iter().all(|(quantity, (low, high))| {
            quantity.values(step.data).all(|x| x.is_finite() && *low <= x && x <= *high)
        });
        Outcome { reward, terminated: !is_healthy }
    }

    fn reset(&self, model: &Model, data: &mut Data, rng: &mut Rng) {
        let key = self.keyframe.as_ref().and_then(|name| model.name2id(ObjType::Key, name));
        if let Some(key) = key {
            data.reset_to_keyframe(model, key);
        }
        data.qpos.iter_mut().for_each(|q| *q += rng.uniform(-self.qpos_noise, self.qpos_noise));
        data.qvel.iter_mut().for_each(|v| *v += rng.uniform(-self.qvel_noise, self.qvel_noise));
    }

    fn info_fields(&self, _: &Model) -> InfoFields {
        let fields = self.reward.iter().map(|term| InfoField::number(term.name.clone()));
        InfoFields { state: Vec::new(), step: fields.collect() }
    }

    fn needs_cfrc_ext(&self) -> bool {
        let healthy = self.healthy.iter().map(|(quantity, _)| quantity);
        let reward = self.reward.iter().map(|term| &term.quantity);
        let mut all = self.observation.iter().chain(reward).chain(healthy);
        all.any(|quantity| quantity.array == Array::CfrcExt)
    }

    fn needs_full_data(&self) -> bool {
        false
    }
}
