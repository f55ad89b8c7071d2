//! DLPack: arrays on a CUDA device that other libraries use without a copy.

use super::cuda::Mapping;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

/// `kDLCUDA`.
const CUDA: i32 = 2;
/// Name of a capsule whose tensor was not taken yet.
const UNUSED: &CStr = c"dltensor";

/// Element type of an array; both types have 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Signed integers.
    I32,
    /// Floating-point numbers.
    F32,
}

#[repr(C)]
struct Device {
    kind: i32,
    ordinal: i32,
}

#[repr(C)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    dimensions: i32,
    element: DataType,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct ManagedTensor {
    tensor: Tensor,
    owner: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedTensor)>,
}

/// A tensor with what it refers to.
struct Owner {
    managed: ManagedTensor,
    shape: [i64; 2],
    strides: [i64; 2],
    _mapping: Arc<Mapping>,
}

/// A matrix in mapped memory. Offset and strides count elements.
#[derive(Clone)]
pub struct Matrix {
    /// The memory.
    pub mapping: Arc<Mapping>,
    /// First element.
    pub offset: usize,
    /// Rows and columns.
    pub shape: [usize; 2],
    /// Distance between rows.
    pub stride: usize,
    /// Element type.
    pub element: Element,
}

impl Matrix {
    /// Address of the first element on the device.
    pub fn address(&self) -> u64 {
        self.mapping.address() + 4 * self.offset as u64
    }

    /// DLPack's code of the device, and its index.
    pub fn device(&self) -> (i32, i32) {
        (CUDA, self.mapping.cuda().ordinal())
    }

    /// A capsule with the tensor, which keeps the memory alive.
    ///
    /// # Errors
    /// If the capsule cannot be created.
    pub fn capsule<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let number = |value: usize| {
            i64::try_from(value).map_err(|_| PyBufferError::new_err("the array is too large"))
        };
        let (kind, ordinal) = self.device();
        let code = if self.element == Element::I32 { 0 } else { 2 };
        let mut owner = Box::new(Owner {
            managed: ManagedTensor {
                tensor: Tensor {
                    data: self.address() as *mut c_void,
                    device: Device { kind, ordinal },
                    dimensions: 2,
                    element: DataType { code, bits: 32, lanes: 1 },
                    shape: std::ptr::null_mut(),
                    strides: std::ptr::null_mut(),
                    byte_offset: 0,
                },
                owner: std::ptr::null_mut(),
                deleter: Some(delete),
            },
            shape: [number(self.shape[0])?, number(self.shape[1])?],
            strides: [number(self.stride)?, 1],
            _mapping: self.mapping.clone(),
        });
        owner.managed.tensor.shape = owner.shape.as_mut_ptr();
        owner.managed.tensor.strides = owner.strides.as_mut_ptr();
        let owner = Box::into_raw(owner);
        // SAFETY: the owner stays at its address until `delete` is called, which happens once: by the consumer that
        // takes the tensor and renames the capsule, or else by the destructor of the capsule.
        unsafe {
            (*owner).managed.owner = owner.cast();
            let managed = &raw mut (*owner).managed;
            let capsule = ffi::PyCapsule_New(managed.cast(), UNUSED.as_ptr(), Some(destroy));
            if capsule.is_null() {
                delete(managed);
            }
            Bound::from_owned_ptr_or_err(py, capsule)
        }
    }
}

/// Releases a tensor.
unsafe extern "C" fn delete(managed: *mut ManagedTensor) {
    // SAFETY: the pointer is that of a tensor whose owner was leaked by `capsule`; it is released once.
    unsafe { drop(Box::from_raw((*managed).owner.cast::<Owner>())) };
}

/// Releases the tensor of a capsule that no consumer took.
unsafe extern "C" fn destroy(capsule: *mut ffi::PyObject) {
    // SAFETY: the capsule is alive during its destructor. Consumers that take the tensor rename the capsule.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, UNUSED.as_ptr()) == 1 {
            let managed = ffi::PyCapsule_GetPointer(capsule, UNUSED.as_ptr());
            delete(managed.cast());
        }
    }
}
