//! Import of a GPU batch's memory into CUDA on systems where memory is not exported: every attempt is refused.
#![allow(dead_code, reason = "values of these types do not exist")]

use sim_physics::gpu::SharedMemory;
use std::convert::Infallible;
use std::sync::Arc;

/// A device of CUDA, of which there is none.
pub struct Cuda(Infallible);

impl Cuda {
    /// Refuses to open a device.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: [u8; 16], _: &str) -> Result<Arc<Self>, String> {
        Err("memory is shared with CUDA on Linux only".to_owned())
    }

    /// Index of the device.
    pub fn ordinal(&self) -> i32 {
        match self.0 {}
    }

    /// Waits until the device is idle.
    ///
    /// # Errors
    /// If the device failed.
    pub fn wait(&self) -> Result<(), String> {
        match self.0 {}
    }

    /// Maps exported memory.
    ///
    /// # Errors
    /// If the driver refuses it.
    pub fn map(self: &Arc<Self>, _: &SharedMemory) -> Result<Mapping, String> {
        match self.0 {}
    }
}

/// Memory of a batch in the address space of a CUDA device, of which there is none.
pub struct Mapping(Arc<Cuda>);

impl Mapping {
    /// Address of the first byte on the device.
    pub fn address(&self) -> u64 {
        match self.0.0 {}
    }

    /// CUDA context of the device that the memory is mapped to.
    pub fn cuda(&self) -> &Arc<Cuda> {
        &self.0
    }
}
