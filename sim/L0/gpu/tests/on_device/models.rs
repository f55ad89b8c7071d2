//! Models and the shared device. All tests of the process use one device, whose context caches compiled kernels by
//! their source.

use sim_gpu::{AdapterSelection, Context};
use std::sync::OnceLock;

/// The device shared by all tests.
pub fn gpu() -> &'static Context {
    static GPU: OnceLock<Context> = OnceLock::new();
    GPU.get_or_init(|| {
        Context::new(&AdapterSelection::from_env())
            .expect("a driver; `mesa-vulkan-drivers` has one")
    })
}

/// Deterministic random numbers between -1 and 1.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
