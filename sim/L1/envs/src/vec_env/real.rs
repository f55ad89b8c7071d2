//! Precision of actions and observations.

/// `f32` or `f64`.
pub trait Real: Copy + Send + Sync + sealed::Sealed {
    /// Whether this is single precision.
    const IS_SINGLE: bool;

    /// Conversion to double precision, which is exact.
    fn to_f64(self) -> f64;

    /// Fills `out` by a function that writes double precision; `scratch` has the same length.
    fn fill(out: &mut [Self], scratch: &mut [f64], write: impl FnOnce(&mut [f64]));
}

impl Real for f64 {
    const IS_SINGLE: bool = false;

    fn to_f64(self) -> f64 {
        self
    }

    fn fill(out: &mut [Self], _: &mut [f64], write: impl FnOnce(&mut [f64])) {
        write(out);
    }
}

impl Real for f32 {
    const IS_SINGLE: bool = true;

    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    fn fill(out: &mut [Self], scratch: &mut [f64], write: impl FnOnce(&mut [f64])) {
        write(scratch);
        for (to, from) in out.iter_mut().zip(scratch) {
            *to = *from as Self;
        }
    }
}

mod sealed {
    /// Prevents other implementations.
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}
