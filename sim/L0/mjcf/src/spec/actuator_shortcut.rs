//! Actuator shortcuts: presets of the parameters of a general actuator (mjs_setTo*).
//!
//! The MJCF reader and the constructors of [`Actuator`] share these functions. A shortcut starts
//! from the current parameters, whichever shortcut wrote them: a `velocity` in a class with
//! `<position kp="7"/>` has `kv` 7, as in MuJoCo.

use super::settings::Tri;
use super::{Actuator, ActuatorError};
use sim_core::types::{BiasType, DynType, GainType};
use std::f64::consts::PI;

/// Parameters of `position` and `intvelocity` servos; `None` keeps the current value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ServoParams {
    /// Position gain.
    pub kp: Option<f64>,
    /// Velocity gain (damping).
    pub kv: Option<f64>,
    /// Damping ratio, an alternative to `kv`.
    pub dampratio: Option<f64>,
    /// Time constant of an exact first-order filter of the control, s; 0 for no filter.
    pub timeconst: Option<f64>,
    /// Scale of the control or activation range inherited from the target.
    pub inheritrange: Option<f64>,
}

/// Parameters of a `cylinder`; `None` keeps the current value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CylinderParams {
    /// Time constant of the activation filter, s.
    pub timeconst: Option<f64>,
    /// Constant bias force.
    pub bias: Option<f64>,
    /// Area of the cylinder.
    pub area: Option<f64>,
    /// Diameter of the cylinder, which overrides the area.
    pub diameter: Option<f64>,
}

/// Parameters of a `muscle`; `None` keeps the current value or the default.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct MuscleParams {
    /// Time constants of activation and deactivation, s.
    pub timeconst: [Option<f64>; 2],
    /// Width of the smooth transition between the time constants.
    pub tausmooth: Option<f64>,
    /// Operating length range in units of the optimal length.
    pub range: [Option<f64>; 2],
    /// Peak active force at rest; if negative it is computed from `scale`.
    pub force: Option<f64>,
    /// Scale of the peak force, divided by the acceleration at unit force.
    pub scale: Option<f64>,
    /// Minimum length of the force-length curve.
    pub lmin: Option<f64>,
    /// Maximum length of the force-length curve.
    pub lmax: Option<f64>,
    /// Shortening velocity at which the force is zero.
    pub vmax: Option<f64>,
    /// Passive force at `lmax`, relative to the peak force.
    pub fpmax: Option<f64>,
    /// Active force at saturating lengthening velocity, relative to the peak force.
    pub fvmax: Option<f64>,
}

/// Default muscle parameters in `gainprm`, and the generic default that they replace.
const MUSCLE_DEFAULTS: [(f64, f64); 9] = [
    (1.0, 0.75),
    (0.0, 1.05),
    (0.0, -1.0),
    (0.0, 200.0),
    (0.0, 0.5),
    (0.0, 1.6),
    (0.0, 1.5),
    (0.0, 1.3),
    (0.0, 1.2),
];

type Result<T = ()> = std::result::Result<T, ActuatorError>;

pub(super) fn fail<T>(attribute: &'static str, message: &'static str) -> Result<T> {
    Err(ActuatorError { attribute, message })
}

impl Actuator {
    fn set_types(&mut self, dyntype: DynType, gaintype: GainType, biastype: BiasType) {
        (self.dyntype, self.gaintype, self.biastype) = (dyntype, gaintype, biastype);
    }

    /// Direct drive: the force is the control.
    #[doc(alias = "mjs_setToMotor")]
    pub fn set_to_motor(&mut self) {
        self.element = "motor";
        self.gainprm[0] = 1.0;
        self.set_types(DynType::None, GainType::Fixed, BiasType::None);
    }

    /// Position servo: the control is the target position.
    ///
    /// # Errors
    ///
    /// A parameter is negative, or parameters exclude each other. As in MuJoCo, the parameters
    /// before the invalid one are set.
    #[doc(alias = "mjs_setToPosition")]
    pub fn set_to_position(&mut self, params: &ServoParams) -> Result {
        self.element = "position";
        self.set_servo(params)
    }

    fn set_servo(&mut self, params: &ServoParams) -> Result {
        let kp = params.kp.unwrap_or(self.gainprm[0]);
        self.gainprm[0] = kp;
        self.biasprm[1] = -kp;

        // A negative `biasprm[2]` is a damping coefficient, a positive one a damping ratio.
        match (params.kv, params.dampratio) {
            (Some(_), Some(_)) => {
                return fail("dampratio", "is an alternative to `kv`; remove one of them");
            }
            (Some(kv), None) if kv < 0.0 => return fail("kv", "must not be negative"),
            (Some(kv), None) => self.biasprm[2] = -kv,
            (None, Some(ratio)) if ratio < 0.0 => return fail("dampratio", "must not be negative"),
            (None, Some(ratio)) => self.biasprm[2] = ratio,
            (None, None) => {}
        }
        if let Some(timeconst) = params.timeconst {
            if timeconst < 0.0 {
                return fail("timeconst", "must not be negative");
            }
            self.dynprm[0] = timeconst;
            self.dyntype = if timeconst == 0.0 { DynType::None } else { DynType::FilterExact };
        }
        self.inheritrange = params.inheritrange.unwrap_or(self.inheritrange);
        if self.inheritrange > 0.0 && self.ctrlrange != [0.0; 2] {
            return fail("inheritrange", "cannot be combined with `ctrlrange`");
        }
        (self.gaintype, self.biastype) = (GainType::Fixed, BiasType::Affine);
        Ok(())
    }

    /// Integrated-velocity servo: the control is the velocity of the target position.
    ///
    /// # Errors
    ///
    /// The first value is the error of the servo parameters, which MuJoCo ignores; the second one
    /// is that of `inheritrange`.
    pub(crate) fn set_to_int_velocity_lenient(&mut self, params: &ServoParams) -> [Result; 2] {
        self.element = "intvelocity";
        let servo = self.set_servo(params);
        self.dyntype = DynType::Integrator;
        self.actlimited = Tri::True;
        let both = self.inheritrange > 0.0 && self.actrange != [0.0; 2];
        let range =
            if both { fail("inheritrange", "cannot be combined with `actrange`") } else { Ok(()) };
        [servo, range]
    }

    /// Integrated-velocity servo: the control is the velocity of the target position, which is the
    /// activation. Requires `actrange` or `inheritrange`.
    ///
    /// # Errors
    ///
    /// A parameter is negative, or parameters exclude each other.
    #[doc(alias = "mjs_setToIntVelocity")]
    pub fn set_to_int_velocity(&mut self, params: &ServoParams) -> Result {
        let [servo, range] = self.set_to_int_velocity_lenient(params);
        servo.and(range)
    }

    /// Velocity servo: the control is the target velocity. Without `kv` the current gain is used.
    #[doc(alias = "mjs_setToVelocity")]
    pub fn set_to_velocity(&mut self, kv: Option<f64>) {
        self.element = "velocity";
        let kv = kv.unwrap_or(self.gainprm[0]);
        self.gainprm[0] = kv;
        self.biasprm = [0.0; 10];
        self.biasprm[2] = -kv;
        self.set_types(DynType::None, GainType::Fixed, BiasType::Affine);
    }

    /// Active damper: the force is −`kv` × velocity × control. Requires a `ctrlrange`.
    ///
    /// # Errors
    ///
    /// `kv` or the control range is negative.
    #[doc(alias = "mjs_setToDamper")]
    pub fn set_to_damper(&mut self, kv: f64) -> Result {
        self.element = "damper";
        self.gainprm = [0.0; 10];
        self.gainprm[2] = -kv;
        self.ctrllimited = Tri::True;
        self.set_types(DynType::None, GainType::Affine, BiasType::None);
        if kv < 0.0 {
            return fail("kv", "must not be negative");
        }
        self.check_nonnegative_control()
    }

    /// Pneumatic or hydraulic cylinder: filtered control times the area.
    #[doc(alias = "mjs_setToCylinder")]
    pub fn set_to_cylinder(&mut self, params: &CylinderParams) {
        self.element = "cylinder";
        self.dynprm[0] = params.timeconst.unwrap_or(self.dynprm[0]);
        self.biasprm[0] = params.bias.unwrap_or(self.biasprm[0]);
        self.gainprm[0] = params.area.unwrap_or(self.gainprm[0]);
        if let Some(diameter) = params.diameter.filter(|d| *d >= 0.0) {
            self.gainprm[0] = PI / 4.0 * diameter * diameter;
        }
        self.set_types(DynType::Filter, GainType::Fixed, BiasType::Affine);
    }

    /// Muscle. As in MuJoCo, negative parameters keep the current value.
    ///
    /// # Errors
    ///
    /// `tausmooth` is negative.
    #[doc(alias = "mjs_setToMuscle")]
    pub fn set_to_muscle(&mut self, params: &MuscleParams) -> Result {
        self.element = "muscle";
        let replace = |value: &mut f64, generic: f64, default: f64| {
            if *value == generic {
                *value = default;
            }
        };
        replace(&mut self.dynprm[0], 1.0, 0.01);
        replace(&mut self.dynprm[1], 0.0, 0.04);
        for (value, (generic, default)) in self.gainprm.iter_mut().zip(MUSCLE_DEFAULTS) {
            replace(value, generic, default);
        }
        let tausmooth = params.tausmooth.unwrap_or(self.dynprm[2]);
        if tausmooth < 0.0 {
            return fail("tausmooth", "must not be negative");
        }
        self.dynprm[2] = tausmooth;

        let set = |value: &mut f64, param: Option<f64>| {
            *value = param.filter(|x| *x >= 0.0).unwrap_or(*value);
        };
        for (value, param) in self.dynprm.iter_mut().zip(params.timeconst) {
            set(value, param);
        }
        let [lower, upper] = params.range;
        let gains = [
            lower,
            upper,
            params.force,
            params.scale,
            params.lmin,
            params.lmax,
            params.vmax,
            params.fpmax,
            params.fvmax,
        ];
        for (value, param) in self.gainprm.iter_mut().zip(gains) {
            set(value, param);
        }
        self.biasprm[..9].copy_from_slice(&self.gainprm[..9]);
        self.set_types(DynType::Muscle, GainType::Muscle, BiasType::Muscle);
        Ok(())
    }

    /// Adhesion of a body to what it is in contact with. Without `gain` the current gain is used.
    /// Requires a `ctrlrange`.
    ///
    /// # Errors
    ///
    /// `gain` or the control range is negative.
    #[doc(alias = "mjs_setToAdhesion")]
    pub fn set_to_adhesion(&mut self, gain: Option<f64>) -> Result {
        self.element = "adhesion";
        self.gainprm[0] = gain.unwrap_or(self.gainprm[0]);
        self.ctrllimited = Tri::True;
        (self.gaintype, self.biastype) = (GainType::Fixed, BiasType::None);
        if self.gainprm[0] < 0.0 {
            return fail("gain", "must not be negative");
        }
        self.check_nonnegative_control()
    }

    fn check_nonnegative_control(&self) -> Result {
        if self.ctrlrange.iter().any(|&x| x < 0.0) {
            return fail("ctrlrange", "must not be negative");
        }
        Ok(())
    }
}
