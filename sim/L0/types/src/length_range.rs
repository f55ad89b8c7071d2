//! How the length ranges of actuators are found.

/// Which actuators get a length range (`mjtLRMode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[doc(alias = "mjtLRMode")]
pub enum LengthRangeMode {
    /// None of them.
    None,
    /// Muscles.
    #[default]
    Muscle,
    /// Muscles, and actuators whose force the application computes.
    MuscleUser,
    /// All of them.
    All,
}

/// How the length ranges of actuators are found (`mjLROpt`).
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "mjLROpt")]
pub struct LengthRangeOptions {
    /// Which actuators get a length range.
    pub mode: LengthRangeMode,
    /// Whether a range that the model gives is kept.
    pub useexisting: bool,
    /// Whether the limits of the joint or tendon are taken where there are any.
    pub uselimit: bool,
    /// Norm of the acceleration that the search applies.
    pub accel: f64,
    /// Largest norm of the force that the search applies; not positive: any.
    pub maxforce: f64,
    /// Time constant of the decay of velocity during the search (s).
    pub timeconst: f64,
    /// Time step of the search (s); not positive: that of the model.
    pub timestep: f64,
    /// Duration of the search in each direction (s).
    pub inttotal: f64,
    /// The last part of the search, in which lengths are recorded (s).
    pub interval: f64,
    /// How much of the range the recorded lengths may span.
    pub tolrange: f64,
}

impl Default for LengthRangeOptions {
    fn default() -> Self {
        Self {
            mode: LengthRangeMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}
