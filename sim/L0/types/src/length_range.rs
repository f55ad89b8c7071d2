//! Options of the actuator length range search (`mjLROpt`).

/// Actuators whose length range is computed (`mjtLRMode`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[doc(alias = "mjtLRMode")]
pub enum LengthRangeMode {
    /// No actuators.
    None,
    /// Muscles.
    #[default]
    Muscle,
    /// Muscles and user-defined actuators.
    MuscleUser,
    /// All actuators.
    All,
}

/// Options of the actuator length range search (`mjLROpt`).
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "mjLROpt")]
pub struct LengthRangeOptions {
    /// Actuators whose length range is computed.
    pub mode: LengthRangeMode,
    /// Whether to keep a range specified in the model.
    pub useexisting: bool,
    /// Whether to use the joint or tendon limits if defined.
    pub uselimit: bool,
    /// Norm of the joint acceleration caused by the applied force.
    pub accel: f64,
    /// Maximum norm of the applied force; unlimited if not positive.
    pub maxforce: f64,
    /// Time constant of the velocity decay, s.
    pub timeconst: f64,
    /// Timestep of the search, s; that of the model if not positive.
    pub timestep: f64,
    /// Duration of the search in each direction, s.
    pub inttotal: f64,
    /// Evaluation interval at the end of the search, s.
    pub interval: f64,
    /// Convergence tolerance: variation in the evaluation interval relative to the range.
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
