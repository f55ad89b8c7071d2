//! Simulation options and model statistics.

use crate::{Cone, Integrator, JacobianType, SolverType};

/// Default features that can be disabled (`mjtDisableBit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
#[allow(missing_docs, reason = "the variants are MJCF's flag names")]
pub enum DisableBit {
    Constraint = 1 << 0,
    Equality = 1 << 1,
    FrictionLoss = 1 << 2,
    Limit = 1 << 3,
    Contact = 1 << 4,
    Spring = 1 << 5,
    Damper = 1 << 6,
    Gravity = 1 << 7,
    ClampCtrl = 1 << 8,
    WarmStart = 1 << 9,
    FilterParent = 1 << 10,
    Actuation = 1 << 11,
    RefSafe = 1 << 12,
    Sensor = 1 << 13,
    Midphase = 1 << 14,
    EulerDamp = 1 << 15,
    AutoReset = 1 << 16,
    NativeCcd = 1 << 17,
    Island = 1 << 18,
    MultiCcd = 1 << 19,
}

impl DisableBit {
    /// Every flag with the name MJCF gives it.
    pub const ALL: [(&'static str, Self); 20] = [
        ("constraint", Self::Constraint),
        ("equality", Self::Equality),
        ("frictionloss", Self::FrictionLoss),
        ("limit", Self::Limit),
        ("contact", Self::Contact),
        ("spring", Self::Spring),
        ("damper", Self::Damper),
        ("gravity", Self::Gravity),
        ("clampctrl", Self::ClampCtrl),
        ("warmstart", Self::WarmStart),
        ("filterparent", Self::FilterParent),
        ("actuation", Self::Actuation),
        ("refsafe", Self::RefSafe),
        ("sensor", Self::Sensor),
        ("midphase", Self::Midphase),
        ("eulerdamp", Self::EulerDamp),
        ("autoreset", Self::AutoReset),
        ("nativeccd", Self::NativeCcd),
        ("island", Self::Island),
        ("multiccd", Self::MultiCcd),
    ];
}

/// Optional features that can be enabled (`mjtEnableBit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
#[allow(missing_docs, reason = "the variants are MJCF's flag names")]
pub enum EnableBit {
    Override = 1 << 0,
    Energy = 1 << 1,
    FwdInv = 1 << 2,
    InvDiscrete = 1 << 3,
    Sleep = 1 << 4,
}

impl EnableBit {
    /// Every flag with the name MJCF gives it.
    pub const ALL: [(&'static str, Self); 5] = [
        ("override", Self::Override),
        ("energy", Self::Energy),
        ("fwdinv", Self::FwdInv),
        ("invdiscrete", Self::InvDiscrete),
        ("sleep", Self::Sleep),
    ];
}

/// Declares a plain struct whose fields can be visited by name as numbers.
macro_rules! numeric_struct {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $fdoc:literal])* $field:ident : $ty:ty = $default:expr),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $name {
            $($(#[doc = $fdoc])* pub $field: $ty),*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default),* }
            }
        }

        impl $name {
            /// Calls `f` with the name and the values of every field, in order.
            pub fn visit(&self, f: &mut dyn FnMut(&'static str, &[f64])) {
                $(f(stringify!($field), &self.$field.numbers());)*
            }

            /// Sets every field, in the order of [`Self::visit`]. `source` is called with the number
            /// of values of a field; returns `None` if it returns `None` or invalid values.
            pub fn set(&mut self, source: &mut dyn FnMut(usize) -> Option<Vec<f64>>) -> Option<()> {
                $(
                    let count = self.$field.numbers().len();
                    self.$field.set_numbers(&source(count)?)?;
                )*
                Some(())
            }

            /// Sets one field; `None` if it does not exist or the values are invalid.
            pub fn set_field(&mut self, name: &str, values: &[f64]) -> Option<()> {
                match name {
                    $(stringify!($field) => self.$field.set_numbers(values),)*
                    _ => None,
                }
            }

            /// Name and description of every field, in the order of [`Self::visit`].
            pub const FIELDS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($field), concat!($($fdoc),*))),*];

            /// The field with this index in [`Self::FIELDS`]; `None` if there is none.
            pub fn value_mut(&mut self, index: usize) -> Option<$crate::NumericMut<'_>> {
                let fields: &[for<'a> fn(&'a mut Self) -> $crate::NumericMut<'a>] =
                    &[$(|all| all.$field.value_mut()),*];
                fields.get(index).map(|field| field(self))
            }
        }
    };
}

pub(crate) use numeric_struct;

/// Mutable access to a field of [`Options`], [`Statistic`] or [`Visual`](crate::Visual) by its type.
pub enum NumericMut<'a> {
    /// A number in double precision.
    F64(&'a mut f64),
    /// A vector in double precision.
    F64s(&'a mut [f64]),
    /// A number in single precision.
    F32(&'a mut f32),
    /// A vector in single precision.
    F32s(&'a mut [f32]),
    /// An integer.
    I32(&'a mut i32),
    /// An enum, by its number.
    Enum(&'a mut dyn Numbered),
}

/// An enum that can be read and set by its number.
pub trait Numbered {
    /// The number of the variant.
    fn get(&self) -> i32;
    /// Sets the variant; `None` if there is none with this number.
    fn set(&mut self, number: i32) -> Option<()>;
}

/// Conversion of a field to and from a list of numbers.
pub(crate) trait Numbers {
    fn numbers(&self) -> Vec<f64>;
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()>;
    fn value_mut(&mut self) -> NumericMut<'_>;
}

/// The single entry of a list as an `i32`, if it is one.
#[allow(clippy::cast_possible_truncation, reason = "checked by converting back")]
fn whole(numbers: &[f64]) -> Option<i32> {
    let &[x] = numbers else { return None };
    (f64::from(x as i32) == x).then_some(x as i32)
}

/// The nearest single-precision value.
#[allow(clippy::cast_possible_truncation, reason = "rounding is intended")]
const fn single(x: f64) -> f32 {
    x as f32
}

impl Numbers for f64 {
    fn numbers(&self) -> Vec<f64> {
        vec![*self]
    }
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        *self = *numbers.first()?;
        Some(())
    }
    fn value_mut(&mut self) -> NumericMut<'_> {
        NumericMut::F64(self)
    }
}

impl Numbers for i32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        *self = whole(numbers)?;
        Some(())
    }
    fn value_mut(&mut self) -> NumericMut<'_> {
        NumericMut::I32(self)
    }
}

impl Numbers for f32 {
    fn numbers(&self) -> Vec<f64> {
        vec![f64::from(*self)]
    }
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        *self = single(*numbers.first()?);
        Some(())
    }
    fn value_mut(&mut self) -> NumericMut<'_> {
        NumericMut::F32(self)
    }
}

impl<const N: usize> Numbers for [f32; N] {
    fn numbers(&self) -> Vec<f64> {
        self.iter().map(|&x| f64::from(x)).collect()
    }
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        let numbers: [f64; N] = numbers.try_into().ok()?;
        *self = numbers.map(single);
        Some(())
    }
    fn value_mut(&mut self) -> NumericMut<'_> {
        NumericMut::F32s(self)
    }
}

impl<const N: usize> Numbers for [f64; N] {
    fn numbers(&self) -> Vec<f64> {
        self.to_vec()
    }
    fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
        *self = numbers.try_into().ok()?;
        Some(())
    }
    fn value_mut(&mut self) -> NumericMut<'_> {
        NumericMut::F64s(self)
    }
}

macro_rules! numbers_of_enum {
    ($($name:ident),*) => {
        $(impl Numbers for $name {
            fn numbers(&self) -> Vec<f64> {
                vec![f64::from(self.number())]
            }
            fn set_numbers(&mut self, numbers: &[f64]) -> Option<()> {
                *self = Self::from_number(whole(numbers)?)?;
                Some(())
            }
            fn value_mut(&mut self) -> NumericMut<'_> {
                NumericMut::Enum(self)
            }
        }

        impl Numbered for $name {
            fn get(&self) -> i32 {
                self.number()
            }
            fn set(&mut self, number: i32) -> Option<()> {
                *self = Self::from_number(number)?;
                Some(())
            }
        })*
    };
}
numbers_of_enum!(Integrator, Cone, JacobianType, SolverType);

numeric_struct! {
    /// Simulation options (`mjOption`).
    #[doc(alias = "mjOption")]
    Options {
        /// Time step in seconds.
        timestep: f64 = 0.002,
        /// Ratio of friction to normal impedance of elliptic contacts.
        impratio: f64 = 1.0,
        /// Stopping tolerance of the main solver.
        tolerance: f64 = 1e-8,
        /// Stopping tolerance of the line search, relative to `tolerance`.
        ls_tolerance: f64 = 0.01,
        /// Stopping tolerance of the noslip post-processor.
        noslip_tolerance: f64 = 1e-6,
        /// Stopping tolerance of convex collision.
        ccd_tolerance: f64 = 1e-6,
        /// Velocity tolerance of sleeping.
        sleep_tolerance: f64 = 1e-4,
        /// Gravitational acceleration.
        gravity: [f64; 3] = [0.0, 0.0, -9.81],
        /// Velocity of the surrounding medium.
        wind: [f64; 3] = [0.0; 3],
        /// Global magnetic flux, read by magnetometers.
        magnetic: [f64; 3] = [0.0, -0.5, 0.0],
        /// Density of the surrounding medium.
        density: f64 = 0.0,
        /// Viscosity of the surrounding medium.
        viscosity: f64 = 0.0,
        /// Contact margin when contact override is on.
        o_margin: f64 = 0.0,
        /// Contact reference when contact override is on.
        o_solref: [f64; 2] = [0.02, 1.0],
        /// Contact impedance when contact override is on.
        o_solimp: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0],
        /// Contact friction when contact override is on.
        o_friction: [f64; 5] = [1.0, 1.0, 0.005, 0.0001, 0.0001],
        /// Time-stepping scheme.
        integrator: Integrator = Integrator::Euler,
        /// Friction cone.
        cone: Cone = Cone::Pyramidal,
        /// Storage of the constraint Jacobian.
        jacobian: JacobianType = JacobianType::Auto,
        /// Constraint solver.
        solver: SolverType = SolverType::Newton,
        /// Iteration limit of the main solver.
        iterations: i32 = 100,
        /// Iteration limit of the line search.
        ls_iterations: i32 = 50,
        /// Iteration limit of the noslip post-processor; 0 disables it.
        noslip_iterations: i32 = 0,
        /// Iteration limit of convex collision.
        ccd_iterations: i32 = 35,
        /// Bits of [`DisableBit`].
        disableflags: i32 = 0,
        /// Bits of [`EnableBit`].
        enableflags: i32 = 0,
        /// Bit mask of disabled actuator groups.
        disableactuator: i32 = 0,
        /// Starting points of signed-distance collision.
        sdf_initpoints: i32 = 40,
        /// Gradient steps of signed-distance collision.
        sdf_iterations: i32 = 10,
    }
}

impl Options {
    /// Whether a default feature is disabled.
    #[inline]
    #[must_use]
    pub const fn disabled(&self, bit: DisableBit) -> bool {
        self.disableflags & bit as i32 != 0
    }

    /// Whether an optional feature is enabled.
    #[inline]
    #[must_use]
    pub const fn enabled(&self, bit: EnableBit) -> bool {
        self.enableflags & bit as i32 != 0
    }
}

numeric_struct! {
    /// Typical magnitudes of a model, computed at compile time (`mjStatistic`).
    #[doc(alias = "mjStatistic")]
    Statistic {
        /// Mean diagonal of the joint-space inertia at `qpos0`.
        meaninertia: f64 = 1.0,
        /// Mean body mass.
        meanmass: f64 = 1.0,
        /// Mean body size.
        meansize: f64 = 0.2,
        /// Half size of the model's bounding box.
        extent: f64 = 2.0,
        /// Centre of the model's bounding box.
        center: [f64; 3] = [0.0; 3],
    }
}
