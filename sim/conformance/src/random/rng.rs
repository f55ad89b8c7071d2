//! Seeded random numbers and random attribute values.

/// Random number generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A generator; equal seeds give equal sequences.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform integer below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True with probability `p`.
    pub fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A random element; `None` if there is none.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }

    /// A random word of a non-empty list.
    pub fn word(&mut self, list: &[&'static str]) -> &'static str {
        self.pick(list).copied().unwrap_or_default()
    }

    /// A number in [low, high) as text, with four decimals.
    pub fn number(&mut self, low: f64, high: f64) -> String {
        format(self.real(low, high))
    }

    /// `n` numbers in [low, high), separated by spaces.
    pub fn numbers(&mut self, n: usize, low: f64, high: f64) -> String {
        let numbers: Vec<String> = (0..n).map(|_| self.number(low, high)).collect();
        numbers.join(" ")
    }

    /// Parameters `solref` in the standard format, sometimes in the direct one.
    pub fn solref(&mut self) -> String {
        if self.chance(0.8) {
            format!("{} {}", self.number(0.005, 0.05), self.number(0.5, 1.5))
        } else {
            format!("{} {}", self.number(-2000.0, -100.0), self.number(-50.0, -5.0))
        }
    }

    /// Parameters `solimp`, with all five or only the first three numbers.
    pub fn solimp(&mut self) -> String {
        let (low, high) = (self.number(0.1, 0.9), self.number(0.9, 0.99));
        let first = format!("{low} {high} {}", self.number(0.001, 0.02));
        if self.chance(0.5) {
            return first;
        }
        format!("{first} {} {}", self.number(0.1, 0.9), self.number(1.0, 3.0))
    }

    /// An ordered pair of numbers around zero.
    pub fn range(&mut self, size: f64) -> String {
        format!("{} {}", self.number(-size, -0.1 * size), self.number(0.1 * size, size))
    }
}

/// A number with at most four decimals.
#[must_use]
pub fn format(x: f64) -> String {
    let text = format!("{x:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{Rng, format};

    #[test]
    fn numbers_are_short() {
        assert_eq!([1.0, -0.00001, 0.25, -2.5].map(format), ["1", "0", "0.25", "-2.5"]);
    }

    #[test]
    fn equal_seeds_give_equal_sequences() {
        let (mut a, mut b, mut c) = (Rng::new(3), Rng::new(3), Rng::new(4));
        let (x, y, z) = (a.unit(), b.unit(), c.unit());
        assert!(x == y && x != z && (0.0..1.0).contains(&x));
    }
}
