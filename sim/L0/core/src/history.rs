//! Ring buffers of timestamped samples (`mju_historyInit`, `mju_historyInsert`, `mju_historyRead`).
//!
//! Layout of a buffer inside `Data::history`, with `n` samples of dimension `dim`: one user value, the slot of
//! the newest sample, `n` sample times, `n × dim` values.

use sim_types::{Interpolation, MINVAL};

/// Error of setting a history buffer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The actuator or sensor has no history buffer, or does not exist.
    #[error("there is no history buffer; set the attribute `nsample`")]
    NoHistory,
    /// A slice has the wrong length.
    #[error("`{what}` has {found} entries, but the history buffer needs {expected}")]
    Length {
        /// The slice: `times` or `values`.
        what: &'static str,
        /// Length of the slice.
        found: usize,
        /// Required length.
        expected: usize,
    },
    /// The times are not strictly increasing.
    #[error("times must be strictly increasing, but times[{index}] is {time}, after {before}")]
    Order {
        /// Index of the first time that is out of order.
        index: usize,
        /// The time at this index.
        time: f64,
        /// The time at the index before.
        before: f64,
    },
}

/// Number of samples of a buffer, and dimension of each.
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

    /// Length of the buffer.
    pub(crate) fn len(self) -> usize {
        2 + self.samples * (1 + self.dim)
    }

    /// Range of the value stored in a slot.
    fn value(self, slot: usize) -> std::ops::Range<usize> {
        let start = 2 + self.samples + slot * self.dim;
        start..start + self.dim
    }
}

/// The interpolation with this MuJoCo code.
pub(crate) fn interpolation(code: i32) -> Interpolation {
    match code {
        0 => Interpolation::Zoh,
        1 => Interpolation::Linear,
        _ => Interpolation::Cubic,
    }
}

/// Read view of a buffer. Samples are indexed from the oldest, slots by their storage position.
pub(crate) struct Ring<'a> {
    shape: Shape,
    buffer: &'a [f64],
    newest: usize,
}

impl<'a> Ring<'a> {
    pub(crate) fn new(buffer: &'a [f64], shape: Shape) -> Self {
        // the user may have set any state: the modulus keeps the index in range
        Self { shape, buffer, newest: buffer[1] as usize % shape.samples }
    }

    /// Slot of sample `k`.
    fn slot(&self, k: usize) -> usize {
        (self.newest + 1 + k) % self.shape.samples
    }

    fn time(&self, k: usize) -> f64 {
        self.buffer[2 + self.slot(k)]
    }

    fn value(&self, k: usize) -> &'a [f64] {
        &self.buffer[self.shape.value(self.slot(k))]
    }

    /// Index of the first sample at or after `t`, by bisection; the number of samples if all are earlier.
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

    /// Writes the value at time `t` to `out`, with constant extrapolation before the oldest and after the
    /// newest sample.
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

    /// Linear interpolation between samples `k - 1` and `k`.
    fn linear(&self, k: usize, t: f64, out: &mut [f64]) {
        let (start, end) = (self.time(k - 1), self.time(k));
        let x = (t - start) / (end - start);
        for ((out, a), b) in out.iter_mut().zip(self.value(k - 1)).zip(self.value(k)) {
            *out = a + x * (b - a);
        }
    }

    /// Cubic Hermite interpolation between samples `k - 1` and `k`, with Catmull–Rom tangents, which are zero
    /// at the ends of the buffer.
    fn cubic(&self, k: usize, t: f64, out: &mut [f64]) {
        let (start, end) = (self.time(k - 1), self.time(k));
        let step = end - start;
        let x = (t - start) / step;
        let (x2, x3) = (x * x, x * x * x);
        let weight = [2.0 * x3 - 3.0 * x2 + 1.0, 3.0 * x2 - 2.0 * x3];
        let slope_weight = [step * (x3 - 2.0 * x2 + x), step * (x3 - x2)];
        let tangent = |before: usize, after: usize, j: usize| {
            (self.value(after)[j] - self.value(before)[j]) / (self.time(after) - self.time(before))
        };
        for (j, out) in out.iter_mut().enumerate() {
            let first = if k > 1 { tangent(k - 2, k, j) } else { 0.0 };
            let second = if k + 1 < self.shape.samples { tangent(k - 1, k + 1, j) } else { 0.0 };
            *out = weight[0] * self.value(k - 1)[j]
                + slope_weight[0] * first
                + weight[1] * self.value(k)[j]
                + slope_weight[1] * second;
        }
    }
}

/// Inserts a sample at time `t` in place of the oldest one, or of the sample at the same time if there is
/// one; returns its value slice for writing.
#[doc(alias = "mju_historyInsert")]
pub(crate) fn insert(buffer: &mut [f64], shape: Shape, t: f64) -> &mut [f64] {
    let ring = Ring::new(buffer, shape);
    let (n, k, oldest) = (shape.samples, ring.find(t), ring.slot(0));
    if k < n && (t - ring.time(k)).abs() < MINVAL {
        let range = shape.value(ring.slot(k));
        return &mut buffer[range];
    }
    let slot = if k == 0 {
        oldest
    } else if k == n {
        buffer[1] = oldest as f64;
        oldest
    } else {
        // between two samples: shift the earlier ones by one slot, overwriting the oldest
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

/// Sets all values to zero and the time of each sample to `at(back)`, with `back` counted from the newest.
pub(crate) fn reset(buffer: &mut [f64], shape: Shape, user: f64, at: impl Fn(usize) -> f64) {
    buffer.fill(0.0);
    buffer[0] = user;
    buffer[1] = (shape.samples - 1) as f64;
    for (k, time) in buffer[2..2 + shape.samples].iter_mut().enumerate() {
        *time = at(shape.samples - 1 - k);
    }
}

/// Sets all samples of a buffer, oldest first; without `times` the sample times are kept.
#[doc(alias = "mju_historyInit")]
pub(crate) fn init(
    buffer: &mut [f64],
    shape: Shape,
    times: Option<&[f64]>,
    values: &[f64],
    user: f64,
) -> Result<(), HistoryError> {
    let (n, len) = (shape.samples, shape.samples * shape.dim);
    let order = times.unwrap_or(&buffer[2..2 + n]);
    for (what, found, expected) in [("times", order.len(), n), ("values", values.len(), len)] {
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
