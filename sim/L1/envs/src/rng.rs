//! Random numbers of the environments: xoshiro256++ (Blackman and Vigna 2021), seeded by SplitMix64.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A deterministic random number generator. Every environment has its own, so that results do not
/// depend on the number of threads.
///
/// The sequence is xoshiro256++ with the four words of state that SplitMix64 produces from the seed. It
/// is part of the interface: a seed gives the same numbers in every version on every platform, except
/// that [`Rng::normal`] uses the logarithm and cosine of the platform.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: [u64; 4],
}

impl Rng {
    /// A generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut x = seed;
        Self { state: std::array::from_fn(|_| split_mix(&mut x)) }
    }

    /// A generator with a seed from the operating system.
    #[must_use]
    pub fn from_entropy() -> Self {
        Self::new(RandomState::new().build_hasher().finish())
    }

    /// The next 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A uniform number in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// A number of the standard normal distribution (Box–Muller transform).
    pub fn normal(&mut self) -> f64 {
        // in (0, 1], so that the logarithm is finite
        let u = 1.0 - self.uniform(0.0, 1.0);
        let angle = self.uniform(0.0, std::f64::consts::TAU);
        (-2.0 * u.ln()).sqrt() * angle.cos()
    }
}

/// The next number of SplitMix64 (Steele, Lea and Flood 2014).
fn split_mix(x: &mut u64) -> u64 {
    *x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *x;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn seeds_are_reproducible_and_different() {
        let numbers = |seed| {
            let mut rng = Rng::new(seed);
            [rng.next_u64(), rng.next_u64()]
        };
        assert_eq!(numbers(3), numbers(3));
        assert_ne!(numbers(3), numbers(4));
        assert_ne!(Rng::from_entropy(), Rng::from_entropy());
    }

    #[test]
    fn distributions_have_the_right_moments() {
        const N: usize = 100_000;
        let mut rng = Rng::new(1);
        let moments = |sample: Vec<f64>| {
            let mean = sample.iter().sum::<f64>() / N as f64;
            let variance = sample.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / N as f64;
            (mean, variance)
        };
        let uniform: Vec<f64> = (0..N).map(|_| rng.uniform(-2.0, 4.0)).collect();
        assert!(uniform.iter().all(|x| (-2.0..4.0).contains(x)));
        let (mean, variance) = moments(uniform);
        assert!((mean - 1.0).abs() < 0.03 && (variance - 3.0).abs() < 0.05, "{mean} {variance}");
        let (mean, variance) = moments((0..N).map(|_| rng.normal()).collect());
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02, "{mean} {variance}");
    }
}
