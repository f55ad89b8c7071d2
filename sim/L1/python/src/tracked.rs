//! Arrays of a model that Python may have changed, and the tables of the engine that depend on them.
//!
//! The engine precomputes tables from some arrays (frames, collision pairs, actuator transmissions). A writable view
//! gives no notice of a change, so that the arrays that were given out are compared with a copy before every engine
//! call. Arrays without tables (masses, friction, gains, colours) are not compared.

use crate::error;
use crate::memory::{Busy, ModelMemory};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use sim_physics::Model;
use sim_physics::core::{FieldMut, FieldView};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Prefixes of arrays that the simulation does not read, or reads without a table.
const UNTRACKED: &[&str] = &[
    "hfield_data",
    "key_",
    "mat_",
    "numeric_",
    "skin_",
    "tex_data",
    "text_",
    "tuple_",
    "user",
    "light_",
    "sensor_noise",
    "sensor_user",
    "sensor_cutoff",
    "dof_armature0",
    "jnt_user",
    "body_user",
    "geom_user",
    "geom_rgba",
    "site_rgba",
    "tendon_rgba",
    "cam_fovy",
    "jnt_solref",
    "jnt_solimp",
    "jnt_margin",
    "dof_solref",
    "dof_solimp",
    "eq_data",
    "eq_solref",
    "eq_solimp",
];

/// An array that was given to Python.
enum Entry {
    /// A writable view, with the values at the last comparison.
    View { index: usize, values: Values },
    /// A copy of an array of enums.
    Copy { index: usize, array: Py<PyArray1<i32>>, numbers: Vec<i32> },
}

/// The values of an array.
#[derive(PartialEq)]
enum Values {
    /// Bit patterns, so that NaN equals itself.
    F64(Vec<u64>),
    F32(Vec<u32>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    None,
}

impl Values {
    fn of(field: Option<FieldView<'_>>) -> Self {
        match field {
            Some(FieldView::F64(v)) => Self::F64(v.iter().map(|x| x.to_bits()).collect()),
            Some(FieldView::F32(v)) => Self::F32(v.iter().map(|x| x.to_bits()).collect()),
            Some(FieldView::I32(v)) => Self::I32(v.into_owned()),
            Some(FieldView::I64(v)) => Self::I64(v.to_vec()),
            Some(FieldView::U8(v)) => Self::U8(v.into_owned()),
            Some(FieldView::Contact(_)) | None => Self::None,
        }
    }

    /// Whether the array still has these values.
    fn equal(&self, field: Option<FieldView<'_>>) -> bool {
        match (self, field) {
            (Self::F64(old), Some(FieldView::F64(v))) => {
                old.iter().zip(v).all(|(old, new)| *old == new.to_bits())
            }
            (Self::F32(old), Some(FieldView::F32(v))) => {
                old.iter().zip(v).all(|(old, new)| *old == new.to_bits())
            }
            (Self::I32(old), Some(FieldView::I32(v))) => old[..] == v[..],
            (Self::I64(old), Some(FieldView::I64(v))) => old[..] == *v,
            (Self::U8(old), Some(FieldView::U8(v))) => old[..] == v[..],
            _ => true,
        }
    }

    /// Whether a change can make indices invalid.
    fn is_integer(&self) -> bool {
        matches!(self, Self::I32(_) | Self::I64(_))
    }
}

/// The arrays of one model that were given to Python.
#[derive(Default)]
pub struct Tracked {
    entries: Mutex<Vec<Entry>>,
    /// Whether there is an entry.
    any: AtomicBool,
}

impl Tracked {
    fn entries(&self) -> MutexGuard<'_, Vec<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a writable view.
    pub fn add_view(&self, index: usize, model: &Model) {
        let name = Model::FIELDS[index].name;
        if Model::UNPLANNED.contains(&name)
            || UNTRACKED.iter().any(|prefix| name.starts_with(prefix))
        {
            return;
        }
        self.entries().push(Entry::View { index, values: Values::of(model.array(index)) });
        self.any.store(true, Ordering::Release);
    }

    /// Adds the copy of an array of enums.
    pub fn add_copy(&self, index: usize, array: Py<PyArray1<i32>>) {
        let numbers = Python::attach(|py| array.bind(py).to_vec().unwrap_or_default());
        self.entries().push(Entry::Copy { index, array, numbers });
        self.any.store(true, Ordering::Release);
    }

    /// Writes changed copies to the model and updates its tables if an array has changed.
    ///
    /// # Errors
    /// If the new values are invalid, or another thread uses the model.
    #[inline]
    pub fn sync(&self, py: Python<'_>, memory: &ModelMemory) -> PyResult<()> {
        if !self.any.load(Ordering::Acquire) && !memory.options_changed() {
            return Ok(());
        }
        self.update(py, memory)
    }

    #[inline(never)]
    fn update(&self, py: Python<'_>, memory: &ModelMemory) -> PyResult<()> {
        let mut changed = memory.take_options_changed();
        let (mut integers, mut copies) = (false, Vec::new());
        let mut entries = self.entries();
        {
            let model = memory.shared().read().map_err(|Busy| error::busy("MjModel"))?;
            for entry in entries.iter_mut() {
                match entry {
                    Entry::View { index, values } => {
                        if !values.equal(model.array(*index)) {
                            *values = Values::of(model.array(*index));
                            changed = true;
                            integers |= values.is_integer();
                        }
                    }
                    Entry::Copy { index, array, numbers } => {
                        let new = array.bind(py).to_vec().unwrap_or_default();
                        if new != *numbers {
                            copies.push((*index, new.clone()));
                            *numbers = new;
                        }
                    }
                }
            }
        }
        if !changed && copies.is_empty() {
            return Ok(());
        }
        let mut model = memory.shared().write().map_err(|Busy| error::busy("MjModel"))?;
        for (index, numbers) in copies {
            let name = Model::FIELDS[index].name;
            if let Some(FieldMut::Enum(array)) = model.array_mut(index)
                && let Err(at) = array.set_numbers(&numbers)
            {
                let number = numbers.get(at).copied().unwrap_or_default();
                return Err(error::value(format!("{name}[{at}] = {number} is not a valid type")));
            }
            integers = true;
        }
        if integers {
            model.validate().map_err(|e| error::value(format!("the model was changed: {e}")))?;
        }
        model.refresh();
        Ok(())
    }
}

/// Copies the values of an array to another of the same type and length.
pub fn assign(to: Option<FieldMut<'_>>, from: Option<FieldMut<'_>>) {
    fn copy<T: Copy>(to: &mut [T], from: &[T]) {
        if to.len() == from.len() {
            to.copy_from_slice(from);
        }
    }
    match (to, from) {
        (Some(FieldMut::F64(to)), Some(FieldMut::F64(from))) => copy(to, from),
        (Some(FieldMut::F32(to)), Some(FieldMut::F32(from))) => copy(to, from),
        (Some(FieldMut::I32(to)), Some(FieldMut::I32(from))) => copy(to, from),
        (Some(FieldMut::I64(to)), Some(FieldMut::I64(from))) => copy(to, from),
        (Some(FieldMut::U8(to)), Some(FieldMut::U8(from))) => copy(to, from),
        (Some(FieldMut::Bool(to)), Some(FieldMut::Bool(from))) => copy(to, from),
        _ => {}
    }
}
