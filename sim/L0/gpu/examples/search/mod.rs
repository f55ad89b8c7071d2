//! Cross-entropy method: sample candidates from a normal distribution and fit it to the best ones.

/// Normal distribution of candidates.
#[derive(Clone, Debug)]
pub struct Search {
    /// Mean.
    pub mean: Vec<f64>,
    /// Standard deviations.
    pub spread: Vec<f64>,
    random: u64,
}

impl Search {
    /// Zero mean with the given standard deviations.
    pub fn new(spread: Vec<f64>) -> Self {
        Self { mean: vec![0.0; spread.len()], spread, random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// A uniform random number in (0, 1), the same in every run.
    pub fn uniform(&mut self) -> f64 {
        // xorshift64*
        self.random ^= self.random >> 12;
        self.random ^= self.random << 25;
        self.random ^= self.random >> 27;
        let bits = self.random.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11;
        (bits as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// `count` candidates; the first is the mean itself.
    pub fn draw(&mut self, count: usize) -> Vec<Vec<f64>> {
        let mut all = vec![self.mean.clone()];
        while all.len() < count {
            let candidate = (0..self.mean.len()).map(|k| {
                // Box–Muller transform
                let (a, b) = (self.uniform(), self.uniform());
                let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
                self.mean[k] + self.spread[k] * normal
            });
            all.push(candidate.collect());
        }
        all
    }

    /// Fits the distribution to the best fifth of the candidates.
    pub fn learn(&mut self, candidates: &[Vec<f64>], scores: &[f64]) {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order.truncate((candidates.len() / 5).max(2));
        let n = order.len() as f64;
        for k in 0..self.mean.len() {
            let mean = order.iter().map(|&c| candidates[c][k]).sum::<f64>() / n;
            let square = |c: &usize| (candidates[*c][k] - mean).powi(2);
            let spread = (order.iter().map(square).sum::<f64>() / n).sqrt();
            self.mean[k] = mean;
            // smoothing avoids premature convergence
            self.spread[k] = 0.8 * spread + 0.2 * self.spread[k];
        }
    }
}

/// Value of a command-line argument, or its default.
pub fn argument(name: &str, default: usize) -> usize {
    let mut after = std::env::args().skip_while(|given| given != name).skip(1);
    after.next().and_then(|text| text.parse().ok()).unwrap_or(default)
}
