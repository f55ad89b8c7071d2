//! Memory of the engine that NumPy arrays and tensors view. This is the only module with `unsafe` code.
//!
//! A [`DataMemory`] or [`ModelMemory`] owns a `Data` or `Model` and is the base object of every array that views
//! it, so that the memory outlives all views. Views are made only of arrays that never move: the arrays of a
//! `Model`, and those of a `Data` whose length is a size of the model. Contacts and constraint rows, which are
//! reallocated during a step, are copied.
#![allow(unsafe_code, reason = "views of arrays are created here and nowhere else in the package")]

#[cfg(feature = "gpu")]
#[cfg_attr(not(target_os = "linux"), path = "no_cuda.rs")]
pub mod cuda;
#[cfg(feature = "gpu")]
pub mod dlpack;
mod property;
mod shared;

pub use property::{Getter, Setter, add_property, generic_attribute};
pub use shared::{Busy, Shared};

use numpy::npyffi::{self, NPY_ARRAY_WRITEABLE, NpyTypes, PY_ARRAY_API, npy_intp};
use numpy::{Element, PyArrayDescrMethods};
use pyo3::exceptions::PySystemError;
use pyo3::prelude::*;
use sim_physics::core::FieldMut;
use sim_physics::core::data::WarningStat;
use sim_physics::types::NumericMut;
use sim_physics::{Data, Model};
use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Largest number of dimensions of an array.
const MAX_DIMS: usize = 3;

/// Address and length of an array that never moves.
struct ArrayMemory {
    address: *mut c_void,
    length: usize,
    element: ElementType,
}

/// Element type of an array; `Other` for enums and contacts, whose memory is not shared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementType {
    F64,
    F32,
    I32,
    I64,
    U8,
    Bool,
    Other,
}

// SAFETY: the address is only given to NumPy, which does not depend on the thread.
unsafe impl Send for ArrayMemory {}
// SAFETY: as above.
unsafe impl Sync for ArrayMemory {}

impl ArrayMemory {
    fn of(field: Option<FieldMut<'_>>) -> Self {
        fn memory<T>(values: &mut [T], element: ElementType) -> ArrayMemory {
            ArrayMemory { address: values.as_mut_ptr().cast(), length: values.len(), element }
        }
        match field {
            Some(FieldMut::F64(v)) => memory(v, ElementType::F64),
            Some(FieldMut::F32(v)) => memory(v, ElementType::F32),
            Some(FieldMut::I32(v)) => memory(v, ElementType::I32),
            Some(FieldMut::I64(v)) => memory(v, ElementType::I64),
            Some(FieldMut::U8(v)) => memory(v, ElementType::U8),
            // NumPy stores 0 and 1 only
            Some(FieldMut::Bool(v)) => memory(v, ElementType::Bool),
            Some(FieldMut::Enum(_) | FieldMut::Contact(_)) | None => {
                Self { address: std::ptr::null_mut(), length: 0, element: ElementType::Other }
            }
        }
    }

    /// An array of the elements in `range`; `None` for enums and contacts.
    ///
    /// # Safety
    /// The memory must neither move nor be freed while `owner` exists.
    unsafe fn view<'py>(
        &self,
        owner: &Bound<'py, PyAny>,
        range: Option<Range<usize>>,
        shape: &[usize],
        writeable: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let range = range.unwrap_or(0..self.length);
        let length = shape.iter().product::<usize>();
        if self.element == ElementType::Other {
            return Ok(None);
        }
        if range.start > range.end || range.end > self.length || length != range.len() {
            return Err(no_such_array());
        }
        let start = range.start;
        // SAFETY: the range is inside the array, and the caller guarantees the memory.
        unsafe {
            match self.element {
                ElementType::F64 => array::<f64>(owner, self.address, start, shape, writeable),
                ElementType::F32 => array::<f32>(owner, self.address, start, shape, writeable),
                ElementType::I32 => array::<i32>(owner, self.address, start, shape, writeable),
                ElementType::I64 => array::<i64>(owner, self.address, start, shape, writeable),
                ElementType::U8 => array::<u8>(owner, self.address, start, shape, writeable),
                ElementType::Bool => array::<bool>(owner, self.address, start, shape, writeable),
                ElementType::Other => return Ok(None),
            }
        }
        .map(Some)
    }
}

/// The memory of an `MjModel`.
#[pyclass(frozen, module = "sim_physics._core", name = "_ModelMemory")]
pub struct ModelMemory {
    shared: Shared<Model>,
    arrays: Vec<ArrayMemory>,
    /// Whether an option was changed since the tables of the model were computed.
    options_changed: AtomicBool,
    /// Generation of the callbacks that the model has.
    callback_generation: AtomicUsize,
    /// Whether the model has plugins written in Python.
    scripted: bool,
}

/// The memory of an `MjData`.
#[pyclass(frozen, module = "sim_physics._core", name = "_DataMemory")]
pub struct DataMemory {
    shared: Shared<Data>,
    arrays: Vec<ArrayMemory>,
}

impl ModelMemory {
    /// Takes ownership of a model.
    pub fn new(model: Model) -> Self {
        let mut model = Box::new(model);
        let arrays =
            (0..Model::FIELDS.len()).map(|index| ArrayMemory::of(model.array_mut(index))).collect();
        let scripted = crate::plugin::is_scripted(&model);
        Self {
            shared: Shared::new(model),
            arrays,
            options_changed: AtomicBool::new(false),
            callback_generation: AtomicUsize::new(0),
            scripted,
        }
    }

    /// Whether the model has plugins written in Python.
    #[inline]
    pub fn is_scripted(&self) -> bool {
        self.scripted
    }

    /// Sets the generation of the callbacks that the model has, and returns the previous one.
    #[inline]
    pub fn set_callback_generation(&self, generation: usize) -> usize {
        self.callback_generation.swap(generation, Ordering::AcqRel)
    }

    /// Reports that an option was changed.
    pub fn set_options_changed(&self) {
        self.options_changed.store(true, Ordering::Release);
    }

    /// Whether an option was changed.
    #[inline]
    pub fn options_changed(&self) -> bool {
        self.options_changed.load(Ordering::Acquire)
    }

    /// Whether an option was changed; afterwards it counts as unchanged.
    pub fn take_options_changed(&self) -> bool {
        self.options_changed.swap(false, Ordering::AcqRel)
    }

    /// The model. The arrays must not be replaced by others: views would dangle.
    #[inline]
    pub fn shared(&self) -> &Shared<Model> {
        &self.shared
    }

    /// A view of the array `index` of `Model::FIELDS`, or of the elements `range` of it; `None` for enums.
    ///
    /// # Errors
    /// If the shape is not that of the array.
    pub fn view<'py>(
        slf: &Bound<'py, Self>,
        index: usize,
        range: Option<Range<usize>>,
        shape: &[usize],
        writeable: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let memory = slf.get().arrays.get(index).ok_or_else(no_such_array)?;
        // SAFETY: no function replaces the arrays of a model after it was given to Python.
        unsafe { memory.view(slf.as_any(), range, shape, writeable) }
    }

    /// A view of a vector of the options, statistics or visualization settings; `None` for scalars.
    ///
    /// # Errors
    /// If the model is in use by another thread.
    pub fn view_vector<'py>(
        slf: &Bound<'py, Self>,
        field: impl FnOnce(&mut Model) -> Option<NumericMut<'_>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut model = slf.get().shared.write().map_err(|Busy| crate::error::busy("MjModel"))?;
        let owner = slf.as_any();
        // SAFETY: the vectors are fields of the model, which is boxed and not replaced while `owner` exists.
        unsafe {
            match field(&mut model) {
                Some(NumericMut::F64s(v)) => {
                    array::<f64>(owner, v.as_mut_ptr().cast(), 0, &[v.len()], true).map(Some)
                }
                Some(NumericMut::F32s(v)) => {
                    array::<f32>(owner, v.as_mut_ptr().cast(), 0, &[v.len()], true).map(Some)
                }
                _ => Ok(None),
            }
        }
    }
}

impl DataMemory {
    /// Takes ownership of a data.
    pub fn new(data: Data) -> Self {
        let mut data = Box::new(data);
        let arrays =
            (0..Data::FIXED_FIELDS).map(|index| ArrayMemory::of(data.array_mut(index))).collect();
        Self { shared: Shared::new(data), arrays }
    }

    /// The data. The arrays must not be replaced by others: views would dangle.
    #[inline]
    pub fn shared(&self) -> &Shared<Data> {
        &self.shared
    }

    /// A view of the array `index` of `Data::FIELDS`, or of the elements `range` of it; `None` if its memory
    /// cannot be shared: arrays whose length changes in every step.
    ///
    /// # Errors
    /// If the shape is not that of the array.
    pub fn view<'py>(
        slf: &Bound<'py, Self>,
        index: usize,
        range: Option<Range<usize>>,
        shape: &[usize],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Some(memory) = slf.get().arrays.get(index) else { return Ok(None) };
        // SAFETY: the engine allocates these arrays once, and `check_after_panic` ends the process if one was freed.
        unsafe { memory.view(slf.as_any(), range, shape, true) }
    }

    /// A view of a column of the warning statistics, which are part of the data: the number of warnings of each type,
    /// or the index that raised the last one.
    ///
    /// # Errors
    /// If the data is in use by another thread.
    pub fn view_warnings<'py>(slf: &Bound<'py, Self>, number: bool) -> PyResult<Bound<'py, PyAny>> {
        let mut data = slf.get().shared.write().map_err(|Busy| crate::error::busy("MjData"))?;
        let offset = match number {
            true => std::mem::offset_of!(WarningStat, number),
            false => std::mem::offset_of!(WarningStat, lastinfo),
        };
        let count = data.warning.len();
        let start = data.warning.as_mut_ptr();
        // SAFETY: both columns have the type `usize`, and the boxed data does not move while `slf` exists.
        unsafe {
            let start = start.cast::<u8>().add(offset).cast::<c_void>();
            strided::<usize>(slf.as_any(), start, count, size_of::<WarningStat>())
        }
    }

    /// Whether every fixed array is where it was at creation.
    pub fn is_in_place(&self, data: &mut Data) -> bool {
        let mut arrays = self.arrays.iter().enumerate();
        arrays.all(|(index, array)| ArrayMemory::of(data.array_mut(index)).address == array.address)
    }

    /// Ends the process if a panic freed an array that Python can still view.
    pub fn check_after_panic(&self, data: &mut Data) {
        if !self.is_in_place(data) {
            eprintln!(
                "sim_physics: an internal error freed memory that NumPy arrays view; aborting"
            );
            std::process::abort();
        }
    }
}

/// A C-contiguous array of the memory of `owner`, from element `start` of `data` on.
///
/// # Safety
/// `data` must point to elements of type `T`, of which those in the array neither move nor are freed while `owner`
/// exists.
unsafe fn array<'py, T: Element>(
    owner: &Bound<'py, PyAny>,
    data: *mut c_void,
    start: usize,
    shape: &[usize],
    writeable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    let mut dims = [0; MAX_DIMS];
    for (dim, size) in dims.iter_mut().zip(shape) {
        *dim = npy_intp::try_from(*size).map_err(|_| no_such_array())?;
    }
    let ndim = c_int::try_from(shape.len().min(MAX_DIMS)).map_err(|_| no_such_array())?;
    let flags = if writeable { NPY_ARRAY_WRITEABLE } else { 0 };
    // SAFETY: the caller guarantees the memory; `PyArray_SetBaseObject` takes over a reference to the owner.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, NpyTypes::PyArray_Type),
            T::get_dtype(py).into_dtype_ptr(),
            ndim,
            dims.as_mut_ptr(),
            std::ptr::null_mut(),
            data.cast::<T>().add(start).cast(),
            flags,
            std::ptr::null_mut(),
        );
        let view = Bound::from_owned_ptr_or_err(py, array)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.cast(), owner.clone().into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(view)
    }
}

/// A vector of elements with a distance of `stride` bytes.
///
/// # Safety
/// `data` must point to `count` elements of type `T`, which neither move nor are freed while `owner` exists.
unsafe fn strided<'py, T: Element>(
    owner: &Bound<'py, PyAny>,
    data: *mut c_void,
    count: usize,
    stride: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = owner.py();
    let mut dims = [npy_intp::try_from(count).map_err(|_| no_such_array())?];
    let mut strides = [npy_intp::try_from(stride).map_err(|_| no_such_array())?];
    // SAFETY: as in `array`.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            npyffi::get_type_object(py, NpyTypes::PyArray_Type),
            T::get_dtype(py).into_dtype_ptr(),
            1,
            dims.as_mut_ptr(),
            strides.as_mut_ptr(),
            data,
            NPY_ARRAY_WRITEABLE,
            std::ptr::null_mut(),
        );
        let view = Bound::from_owned_ptr_or_err(py, array)?;
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array.cast(), owner.clone().into_ptr()) < 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(view)
    }
}

fn no_such_array() -> PyErr {
    PySystemError::new_err("internal error of sim_physics: no such array")
}
