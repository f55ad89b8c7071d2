//! Control signals of a run: zero, constant, or noise.

use crate::format::count;
use sim_physics::Model;

/// A control signal.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Control {
    /// The controls of the initial state: zero, or those of the keyframe.
    Keep,
    /// Zero.
    Zero,
    /// Constant values, one per actuator.
    Fixed(Vec<f64>),
    /// A sinusoid per actuator within its control range, with frequency and phase from a seed.
    Noise(u64),
}

impl std::str::FromStr for Control {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            _ if text == "zero" => Ok(Self::Zero),
            _ if text == "noise" => Ok(Self::Noise(0)),
            Some(("noise", seed)) => {
                seed.parse().map(Self::Noise).map_err(|_| format!("`{seed}` is not a seed"))
            }
            _ => text
                .split(',')
                .map(|word| word.trim().parse::<f64>().map_err(|_| word.to_owned()))
                .collect::<Result<_, _>>()
                .map(Self::Fixed)
                .map_err(|word| {
                    format!("`{word}` is not a number; give zero, noise, noise:SEED or a list")
                }),
        }
    }
}

impl Control {
    /// Checks the number of values against the model.
    pub(crate) fn check(&self, m: &Model) -> Result<(), String> {
        match self {
            Self::Fixed(values) if values.len() != m.nu => Err(format!(
                "--ctrl has {}; the model has {}",
                count(values.len(), "number"),
                count(m.nu, "actuator")
            )),
            _ => Ok(()),
        }
    }

    /// Writes the controls of step `step`.
    pub(crate) fn write(&self, m: &Model, step: u64, ctrl: &mut [f64]) {
        match self {
            Self::Keep => {}
            Self::Zero => ctrl.fill(0.0),
            Self::Fixed(values) => ctrl.copy_from_slice(values),
            Self::Noise(seed) => {
                // frequencies between 0.5 and 1.5 Hz
                let t = step as f64 * m.opt.timestep;
                for (i, c) in ctrl.iter_mut().enumerate() {
                    let (a, b) = (unit(*seed, 2 * i as u64), unit(*seed, 2 * i as u64 + 1));
                    let wave =
                        ((0.5 + a) * std::f64::consts::TAU * t + b * std::f64::consts::TAU).sin();
                    let [low, high] = range(m, i);
                    *c = 0.5 * (low + high) + 0.5 * (high - low) * wave;
                }
            }
        }
    }
}

/// The control range of an actuator, or ±1 if it is not limited.
fn range(m: &Model, i: usize) -> [f64; 2] {
    if m.actuator_ctrllimited[i] {
        [m.actuator_ctrlrange[2 * i], m.actuator_ctrlrange[2 * i + 1]]
    } else {
        [-1.0, 1.0]
    }
}

/// A uniform random number in [0, 1) from a seed and an index (one round of splitmix64).
fn unit(seed: u64, index: u64) -> f64 {
    let mut z = seed.wrapping_add((index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::Control;

    #[test]
    fn controls_are_parsed() {
        assert_eq!("zero".parse(), Ok(Control::Zero));
        assert_eq!("noise:7".parse(), Ok(Control::Noise(7)));
        assert_eq!("1, -0.5".parse(), Ok(Control::Fixed(vec![1.0, -0.5])));
        assert!("fast".parse::<Control>().is_err());
        assert!("noise:x".parse::<Control>().is_err());
    }
}
