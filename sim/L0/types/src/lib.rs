//! Types shared by the other crates: enums with MuJoCo's discriminants, simulation options, contacts,
//! constants and errors.

mod contact;
mod enums;
mod error;
mod length_range;
mod options;
mod state;
mod visual;

pub use contact::{Contact, DEFAULT_SOLIMP, DEFAULT_SOLREF};
pub use enums::*;
pub use error::{StepError, Unsupported};
pub use length_range::{LengthRangeMode, LengthRangeOptions};
pub use options::{DisableBit, EnableBit, Numbered, NumericMut, Options, Statistic};
pub use state::{StateBits, StateError};
pub use visual::{
    Headlight, Visual, VisualGlobal, VisualMap, VisualQuality, VisualRgba, VisualScale,
};

/// Values below this are treated as zero (`mjMINVAL`).
pub const MINVAL: f64 = 1e-15;
/// A state entry larger than this in magnitude counts as divergence (`mjMAXVAL`).
pub const MAXVAL: f64 = 1e10;
/// Smallest friction coefficient (`mjMINMU`).
pub const MINMU: f64 = 1e-5;
/// Lower clamp of a constraint impedance (`mjMINIMP`).
pub const MINIMP: f64 = 1e-4;
/// Upper clamp of a constraint impedance (`mjMAXIMP`).
pub const MAXIMP: f64 = 0.9999;

/// Parameters of a reference acceleration: `solref` (`mjNREF`).
pub const NREF: usize = 2;
/// Parameters of an impedance: `solimp` (`mjNIMP`).
pub const NIMP: usize = 5;
/// Higher-order coefficients of a polynomial spring or damper (`mjNPOLY`).
pub const NPOLY: usize = 2;
/// Actuator dynamics parameters (`mjNDYN`).
pub const NDYN: usize = 10;
/// Actuator gain parameters (`mjNGAIN`).
pub const NGAIN: usize = 10;
/// Actuator bias parameters (`mjNBIAS`).
pub const NBIAS: usize = 10;
/// Equality constraint parameters (`mjNEQDATA`).
pub const NEQDATA: usize = 11;
/// Fluid interaction parameters of a geom (`mjNFLUID`).
pub const NFLUID: usize = 12;
/// Integer parameters of a sensor (`mjNSENS`).
pub const NSENS: usize = 3;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
