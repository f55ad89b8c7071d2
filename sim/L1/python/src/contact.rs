//! `MjContact` and the list of contacts of a data.
#![allow(non_snake_case, reason = "MuJoCo's field name H")]

use crate::data::MjData;
use crate::error;
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use sim_physics::types::Contact;
use std::sync::{Mutex, PoisonError};

/// A contact (`mjContact`). Contacts of a data are copies: a change does not affect the simulation.
#[pyclass(frozen, module = "sim_physics")]
pub struct MjContact(Mutex<Contact>);

impl MjContact {
    /// The contact.
    pub fn get(&self) -> Contact {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, f: impl FnOnce(&mut Contact)) {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The contacts of a data after its last collision detection, as a sequence and as arrays with one row per contact.
#[pyclass(frozen, module = "sim_physics")]
pub struct MjContactList(Vec<Contact>);

impl MjContactList {
    /// The contacts of a data.
    ///
    /// # Errors
    /// If another thread steps the data.
    pub fn of(data: &Bound<'_, MjData>) -> PyResult<Self> {
        data.get().with(|d| Self(d.contact.clone()))
    }
}

/// Arrays of `N` values, read-only.
fn row<'py, T: numpy::Element + Copy>(py: Python<'py>, values: &[T]) -> Bound<'py, PyArray1<T>> {
    let array = PyArray1::from_slice(py, values);
    array.readwrite().make_nonwriteable();
    array
}

/// Properties of contacts and contact lists.
macro_rules! fields {
    (scalars { $($scalar:ident $set_scalar:ident : $sty:ty, $sdoc:literal;)* }
     vectors { $($vector:ident $set_vector:ident : $vty:ty, $vdoc:literal;)* }) => {
        #[pymethods]
        impl MjContact {
            $(
                #[doc = $sdoc]
                #[getter]
                fn $scalar(&self) -> $sty {
                    self.get().$scalar
                }
                #[setter]
                fn $set_scalar(&self, value: $sty) {
                    self.set(|c| c.$scalar = value);
                }
            )*
            $(
                #[doc = $vdoc]
                #[getter]
                fn $vector<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<$vty>> {
                    row(py, &self.get().$vector)
                }
                #[setter]
                fn $set_vector(&self, value: PyReadonlyArray1<'_, $vty>) -> PyResult<()> {
                    let values = value.as_array();
                    let mut contact = self.get();
                    if values.len() != contact.$vector.len() {
                        return Err(error::shape(format!(
                            "{} has {} values, not {}", stringify!($vector), contact.$vector.len(), values.len()
                        )));
                    }
                    contact.$vector.iter_mut().zip(values).for_each(|(to, from)| *to = *from);
                    self.set(|c| *c = contact);
                    Ok(())
                }
            )*

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let mut out = String::from("<MjContact");
                $(out += &format!("\n  {}: {:?}", stringify!($scalar), self.get().$scalar);)*
                $(out += &format!("\n  {}: {}", stringify!($vector), self.$vector(py).repr()?);)*
                Ok(out + "\n>")
            }
        }

        #[pymethods]
        impl MjContactList {
            $(
                #[doc = $sdoc]
                #[getter]
                fn $scalar<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<$sty>> {
                    self.0.iter().map(|c| c.$scalar).collect::<Vec<_>>().into_pyarray(py)
                }
            )*
            $(
                #[doc = $vdoc]
                #[getter]
                fn $vector<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                    let width = Contact::default().$vector.len();
                    let flat = self.0.iter().flat_map(|c| c.$vector).collect::<Vec<_>>();
                    Ok(flat.into_pyarray(py).reshape([self.0.len(), width])?.into_any())
                }
            )*
        }
    };
}

fields! {
    scalars {
        dist set_dist: f64, "Distance between the nearest points; negative when the shapes overlap.";
        includemargin set_includemargin: f64, "The contact exerts force while `dist` is below this.";
        mu set_mu: f64, "Friction coefficient of the regularised cone.";
        dim set_dim: i32, "Number of force dimensions: 1, 3, 4 or 6.";
        exclude set_exclude: i32, "Why the contact has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive.";
        efc_address set_efc_address: i32, "First constraint row, or -1.";
    }
    vectors {
        pos set_pos: f64, "World position halfway between the nearest points.";
        frame set_frame: f64, "Contact frame by rows: normal, then two tangents.";
        friction set_friction: f64, "Sliding (2), torsional and rolling (2) friction.";
        solref set_solref: f64, "Reference acceleration parameters along the normal.";
        solreffriction set_solreffriction: f64, "Reference acceleration parameters along the tangents.";
        solimp set_solimp: f64, "Impedance parameters.";
        H set_H: f64, "Hessian of the elliptic cone's cost, 6 x 6.";
        geom set_geom: i32, "The two geoms, or -1 for a flex.";
        flex set_flex: i32, "The two flexes, or -1 for a geom.";
        elem set_elem: i32, "Flex elements, or -1.";
        vert set_vert: i32, "Flex vertices, or -1.";
    }
}

#[pymethods]
impl MjContact {
    #[new]
    fn py_new() -> Self {
        Self(Mutex::new(Contact::default()))
    }

    /// The first geom, or -1 for a flex.
    #[getter]
    fn geom1(&self) -> i32 {
        self.get().geom[0]
    }

    #[setter]
    fn set_geom1(&self, geom: i32) {
        self.set(|c| c.geom[0] = geom);
    }

    /// The second geom, or -1 for a flex.
    #[getter]
    fn geom2(&self) -> i32 {
        self.get().geom[1]
    }

    #[setter]
    fn set_geom2(&self, geom: i32) {
        self.set(|c| c.geom[1] = geom);
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.get()))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().get() == self.get())
    }
}

#[pymethods]
impl MjContactList {
    /// The first geom of each contact.
    #[getter]
    fn geom1<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.0.iter().map(|c| c.geom[0]).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The second geom of each contact.
    #[getter]
    fn geom2<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        self.0.iter().map(|c| c.geom[1]).collect::<Vec<_>>().into_pyarray(py)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let length = isize::try_from(self.0.len()).unwrap_or(isize::MAX);
        let contact = |i: isize| {
            let i = usize::try_from(i).unwrap_or(usize::MAX);
            let contact = self.0.get(i).copied();
            contact.map(|c| MjContact(Mutex::new(c))).ok_or_else(|| {
                PyIndexError::new_err(format!("contact {i} is out of range: there are {length}"))
            })
        };
        if let Ok(slice) = index.cast::<PySlice>() {
            let indices = slice.indices(length)?;
            let count = isize::try_from(indices.slicelength).unwrap_or(0);
            let items = (0..count).map(|k| contact(indices.start + k * indices.step));
            let items = items.collect::<PyResult<Vec<_>>>()?;
            return Ok(PyList::new(py, items)?.into_any());
        }
        let i: isize = index.extract()?;
        let i = if i < 0 { i + length } else { i };
        Ok(Bound::new(py, contact(i)?)?.into_any())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().0 == self.0)
    }

    fn __repr__(&self) -> String {
        format!("<MjContactList of {} contacts>", self.0.len())
    }
}
