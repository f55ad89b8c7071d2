//! Ring buffers of past values with their times (`mju_historyInsert`, `mju_historyRead`).
//!
//! A buffer is a part of `Data::history`: a number for its owner, the index of the newest sample,
//! the times of all samples, their values.

use sim_types::{Interpolation, MINVAL};

/// Why past values could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is no buffer.
    #[error("it keeps no past values; give it an `nsample`")]
    NoHistory,
    /// Not as many numbers as the buffer has.
    #[error("{what} has {found} numbers, the history has {expected}")]
    Length {
        /// Which list: `times` or `values`.
        what: &'static str,
        /// Numbers given.
        found: usize,
        /// Numbers in the buffer.
        expected: usize,
    },
    /// A time is not later than the one before.
    #[error("times must increase, but number {index} is {time}, after {before}")]
    Order {
        /// Index of the time.
        index: usize,
        /// The time.
        time: f64,
        /// The time before.
        before: f64,
    },
}

/// Samples in a buffer, and numbers in each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    samples: usize,
    dim: usize,
}

impl Shape {
    /// The shape of a buffer, or `None` if it has no samples.
    pub(crate) fn new(samples: i32, dim: usize) -> Option<Self> {
        let samples = usize::try_from(samples).ok().filter(|&n| n > 0)?;
        Some(Self { samples, dim })
    }

    /// Numbers in the buffer.
    pub(crate) fn len(self) -> usize {
        2 + self.samples * (1 + self.dim)
    }

    /// Place of the value of a sample.
    fn value(self, slot: usize) -> std::ops::Range<usize> {
        let start = 2 + self.samples + slot * self.dim;
        start..start + self.dim
    }
}

/// The way of reading with this number.
pub(crate) fn interpolation(number: i32) -> Interpolation {
    match number {
        0 => Interpolation::Zoh,
        1 => Interpolation::Linear,
        _ => Interpolation::Cubic,
    }
}

/// A buffer, for reading. Samples are counted from the oldest.
pub(crate) struct Ring<'a> {
    shape: Shape,
    buffer: &'a [f64],
    newest: usize,
}

impl<'a> Ring<'a> {
    pub(crate) fn new(buffer: &'a [f64], shape: Shape) -> Self {
        // the state may have been set to anything
        Self { shape, buffer, newest: buffer[1] as usize % shape.samples }
    }

    /// Where sample `k` is stored.
    fn slot(&self, k: usize) -> usize {
        (self.newest + 1 + k) % self.shape.samples
    }

    fn time(&self, k: usize) -> f64 {
        self.buffer[2 + self.slot(k)]
    }

    fn value(&self, k: usize) -> &'a [f64] {
        &self.buffer[self.shape.value(self.slot(k))]
    }

    /// The first sample that is not earlier than `t`; the number of samples when all are.
    fn find(&self, t: f64) -> usize {
        let last = self.shape.samples - 1;
        if t <= self.time(0) {
            return 0;
        }
        if t > self.time(last) {
            return self.shape.samples;
        }
        let (mut before, mut at) = (0, last);
        while at - before > 1 {
            let middle = usize::midpoint(before, at);
            if self.time(middle) < t {
                before = middle;
            } else {
                at = middle;
            }
        }
        at
    }

    /// Writes the value at time `t`; before the oldest and after the newest sample it is constant.
    pub(crate) fn read(&self, t: f64, interp: Interpolation, out: &mut [f64]) {
        let last = self.shape.samples - 1;
        if t <= self.time(0) + MINVAL {
            return out.copy_from_slice(self.value(0));
        }
        if t >= self.time(last) - MINVAL {
            return out.copy_from_slice(self.value(last));
        }
        let k = self.find(t).min(last);
        if k == 0 || (t - self.time(k)).abs() < MINVAL {
            return out.copy_from_slice(self.value(k));
        }
        match interp {
            Interpolation::Zoh => out.copy_from_slice(self.value(k - 1)),
            Interpolation::Linear => self.linear(k, t, out),
            Interpolation::Cubic => self.cubic(k, t, out),
        }
    }

    /// On the line from sample `k - 1` to sample `k`.
    fn linear(&self, k: usize, t: f64, out: &mut [f64]) {
        let (start, end) = (self.time(k - 1), self.time(k));
        let x = (t - start) / (end - start);
        for ((out, a), b) in out.iter_mut().zip(self.value(k - 1)).zip(self.value(k)) {
            *out = a + x * (b - a);
        }
    }

    /// On the cubic from sample `k - 1` to sample `k` whose slopes are those between the samples
    /// on either side (Catmull–Rom), and zero at the ends of the buffer.
    fn cubic(&self, k: usize, t: f64, out: &mut [f64]) {
        let (start, end) = (self.time(k - 1), self.time(k));
        let step = end - start;
        let x = (t - start) / step;
        let (x2, x3) = (x * x, x * x * x);
        let weight = [2.0 * x3 - 3.0 * x2 + 1.0, 3.0 * x2 - 2.0 * x3];
        let slope_weight = [step * (x3 - 2.0 * x2 + x), step * (x3 - x2)];
        let around = |before: usize, after: usize, j: usize| {
            (self.value(after)[j] - self.value(before)[j]) / (self.time(after) - self.time(before))
        };
        for (j, out) in out.iter_mut().enumerate() {
            let first = if k > 1 { around(k - 2, k, j) } else { 0.0 };
            let second = if k + 1 < self.shape.samples { around(k - 1, k + 1, j) } else { 0.0 };
            *out = weight[0] * self.value(k - 1)[j]
                + slope_weight[0] * first
                + weight[1] * self.value(k)[j]
                + slope_weight[1] * second;
        }
    }
}

/// Makes room for a sample at time `t`, which displaces the oldest unless there is one at that time
/// already; returns the place of its value.
pub(crate) fn insert(buffer: &mut [f64], shape: Shape, t: f64) -> &mut [f64] {
    let ring = Ring::new(buffer, shape);
    let (n, k, oldest) = (shape.samples, ring.find(t), ring.slot(0));
    if k < n && (t - ring.time(k)).abs() < MINVAL {
        let place = shape.value(ring.slot(k));
        return &mut buffer[place];
    }
    let slot = if k == 0 {
        oldest
    } else if k == n {
        buffer[1] = oldest as f64;
        oldest
    } else {
        // between two samples: those before move one back, over the oldest
        let newest = ring.newest;
        let slot = |k: usize| (newest + 1 + k) % n;
        for j in 0..k - 1 {
            buffer[2 + slot(j)] = buffer[2 + slot(j + 1)];
            buffer.copy_within(shape.value(slot(j + 1)), shape.value(slot(j)).start);
        }
        slot(k - 1)
    };
    buffer[2 + slot] = t;
    &mut buffer[shape.value(slot)]
}

/// Zeros, at the time that `at` gives for each sample, counted back from the newest.
pub(crate) fn reset(buffer: &mut [f64], shape: Shape, user: f64, at: impl Fn(usize) -> f64) {
    buffer.fill(0.0);
    buffer[0] = user;
    buffer[1] = (shape.samples - 1) as f64;
    for (k, time) in buffer[2..2 + shape.samples].iter_mut().enumerate() {
        *time = at(shape.samples - 1 - k);
    }
}

/// Sets a whole buffer, oldest sample first.
#[doc(alias = "mju_historyInit")]
pub(crate) fn init(
    buffer: &mut [f64],
    shape: Shape,
    times: Option<&[f64]>,
    values: &[f64],
    user: f64,
) -> Result<(), HistoryError> {
    let (n, numbers) = (shape.samples, shape.samples * shape.dim);
    let order = times.unwrap_or(&buffer[2..2 + n]);
    for (what, found, expected) in [("times", order.len(), n), ("values", values.len(), numbers)] {
        if found != expected {
            return Err(HistoryError::Length { what, found, expected });
        }
    }
    if let Some(k) = order.windows(2).position(|pair| pair[1] - pair[0] < MINVAL) {
        return Err(HistoryError::Order { index: k + 1, time: order[k + 1], before: order[k] });
    }
    if let Some(times) = times {
        buffer[2..2 + n].copy_from_slice(times);
    }
    buffer[2 + n..].copy_from_slice(values);
    buffer[0] = user;
    buffer[1] = (n - 1) as f64;
    Ok(())
}
