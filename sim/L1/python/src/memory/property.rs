//! Properties of Python classes that are created from a table at import, with the speed of built-in ones.

use pyo3::exceptions::{PyAttributeError, PySystemError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use std::ffi::{CString, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads a property of an object.
pub type Getter =
    Box<dyn for<'py> Fn(&Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> + Send + Sync>;
/// Writes a property of an object.
pub type Setter =
    Box<dyn for<'py> Fn(&Bound<'py, PyAny>, &Bound<'py, PyAny>) -> PyResult<()> + Send + Sync>;

/// The functions of a property.
struct Property {
    name: &'static str,
    get: Getter,
    set: Option<Setter>,
}

/// Adds a property to a class. Properties exist as long as the process.
///
/// # Errors
/// If the name or description contains a zero byte, or Python has no memory.
pub fn add_property(
    class: &Bound<'_, PyType>,
    name: &'static str,
    doc: &str,
    get: Getter,
    set: Option<Setter>,
) -> PyResult<()> {
    let property = Box::leak(Box::new(Property { name, get, set }));
    let definition = Box::leak(Box::new(ffi::PyGetSetDef {
        name: CString::new(name)?.into_raw(),
        get: Some(get_property),
        set: Some(set_property),
        doc: CString::new(doc)?.into_raw(),
        closure: std::ptr::from_mut(property).cast::<c_void>(),
    }));
    // SAFETY: the class is a type object, and the definition lives as long as the process.
    let descriptor = unsafe {
        let descriptor = ffi::PyDescr_NewGetSet(class.as_type_ptr(), definition);
        Bound::from_owned_ptr_or_err(class.py(), descriptor)?
    };
    class.setattr(name, descriptor)
}

/// Runs a function of a property and reports errors and panics as Python exceptions.
fn guarded<R>(py: Python<'_>, failure: R, f: impl FnOnce() -> PyResult<R>) -> R {
    let result = catch_unwind(AssertUnwindSafe(f));
    let result =
        result.unwrap_or_else(|_| Err(PySystemError::new_err("internal error of sim_physics")));
    result.unwrap_or_else(|error| {
        error.restore(py);
        failure
    })
}

/// The getter that Python calls.
unsafe extern "C" fn get_property(
    object: *mut ffi::PyObject,
    closure: *mut c_void,
) -> *mut ffi::PyObject {
    // SAFETY: Python calls getters attached to the interpreter, with an instance of the class and the closure of
    // the definition, which is a leaked `Property`.
    let (object, property) = unsafe {
        let py = Python::assume_attached();
        (Bound::from_borrowed_ptr(py, object), &*closure.cast::<Property>())
    };
    guarded(object.py(), std::ptr::null_mut(), || Ok((property.get)(&object)?.into_ptr()))
}

/// The setter that Python calls; a null value deletes the attribute.
unsafe extern "C" fn set_property(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    closure: *mut c_void,
) -> c_int {
    // SAFETY: as in `get_property`; `value` is null or an object.
    let (object, value, property) = unsafe {
        let py = Python::assume_attached();
        let value = Bound::from_borrowed_ptr_or_opt(py, value);
        (Bound::from_borrowed_ptr(py, object), value, &*closure.cast::<Property>())
    };
    guarded(object.py(), -1, || match (&property.set, value) {
        (Some(set), Some(value)) => set(&object, &value).map(|()| 0),
        (_, None) => Err(PyAttributeError::new_err(format!("cannot delete `{}`", property.name))),
        (None, _) => Err(PyAttributeError::new_err(format!("`{}` is read-only", property.name))),
    })
}

/// The attribute of an object as `object.__getattribute__` finds it.
///
/// # Errors
/// `AttributeError` if there is none.
pub fn generic_attribute<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: both are valid objects, and the result is a new reference or null with an exception.
    unsafe {
        let value = ffi::PyObject_GenericGetAttr(object.as_ptr(), name.as_ptr());
        Bound::from_owned_ptr_or_err(object.py(), value)
    }
}
