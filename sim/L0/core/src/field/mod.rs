//! Field tables: the macros with which `Model` and `Data` declare each array exactly once.
//!
//! `model_table!` and `data_table!` expand a table of rows into a struct, its allocation, reset and copy,
//! access by name, and its documentation.

mod data;
mod model;

pub(crate) use data::data_table;
pub(crate) use model::model_table;

use sim_types::*;
use std::borrow::Cow;

/// The pipeline stage that writes a field of `Data`, in pipeline order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is named after the MuJoCo function it stands for")]
pub enum Stage {
    /// Written by the model compiler.
    Compile,
    /// State, advanced by the integrator.
    State,
    /// Input, set by the user.
    Input,
    Sleep,
    Kinematics,
    ComPos,
    Camlight,
    Flex,
    Tendon,
    MakeM,
    FactorM,
    Collision,
    MakeConstraint,
    Island,
    Transmission,
    ProjectConstraint,
    EnergyPos,
    FwdVelocity,
    ComVel,
    Passive,
    ReferenceConstraint,
    Rne,
    SubtreeVel,
    EnergyVel,
    FwdActuation,
    FwdAcceleration,
    FwdConstraint,
    RnePostConstraint,
    Sensor,
    Inverse,
    Integrate,
}

impl Stage {
    /// The pipeline function that runs the stage, as spelled in this crate.
    #[must_use]
    pub const fn function(self) -> &'static str {
        match self {
            Self::Compile => "compile",
            Self::State => "state",
            Self::Input => "input",
            Self::Sleep => "mj_sleep",
            Self::Kinematics => "mj_kinematics",
            Self::ComPos => "mj_com_pos",
            Self::Camlight => "mj_camlight",
            Self::Flex => "mj_flex",
            Self::Tendon => "mj_tendon",
            Self::MakeM => "mj_make_m",
            Self::FactorM => "mj_factor_m",
            Self::Collision => "mj_collision",
            Self::MakeConstraint => "mj_make_constraint",
            Self::Island => "mj_island",
            Self::Transmission => "mj_transmission",
            Self::ProjectConstraint => "mj_project_constraint",
            Self::EnergyPos => "mj_energy_pos",
            Self::FwdVelocity => "mj_fwd_velocity",
            Self::ComVel => "mj_com_vel",
            Self::Passive => "mj_passive",
            Self::ReferenceConstraint => "mj_reference_constraint",
            Self::Rne => "mj_rne",
            Self::SubtreeVel => "mj_subtree_vel",
            Self::EnergyVel => "mj_energy_vel",
            Self::FwdActuation => "mj_fwd_actuation",
            Self::FwdAcceleration => "mj_fwd_acceleration",
            Self::FwdConstraint => "mj_fwd_constraint",
            Self::RnePostConstraint => "mj_rne_post_constraint",
            Self::Sensor => "mj_sensor",
            Self::Inverse => "mj_inverse",
            Self::Integrate => "mj_integrate",
        }
    }
}

/// One row of a field table.
#[derive(Debug, Clone, Copy)]
pub struct FieldInfo {
    /// MuJoCo's name of the field.
    pub name: &'static str,
    /// Rust type of one element.
    pub element: &'static str,
    /// Dimensions: names of sizes or literals.
    pub shape: &'static [&'static str],
    /// The stage that writes the field.
    pub stage: Stage,
    /// One-line description.
    pub doc: &'static str,
}

/// The values of a field, borrowed if its storage allows.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldView<'a> {
    /// Double precision.
    F64(&'a [f64]),
    /// Single precision.
    F32(&'a [f32]),
    /// Integers, and enums by their discriminant.
    I32(Cow<'a, [i32]>),
    /// Addresses into large buffers.
    I64(&'a [i64]),
    /// Bytes, and booleans as 0 and 1.
    U8(Cow<'a, [u8]>),
    /// Contacts.
    Contact(&'a [Contact]),
}

impl FieldView<'_> {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::F64(v) => v.len(),
            Self::F32(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::I64(v) => v.len(),
            Self::U8(v) => v.len(),
            Self::Contact(v) => v.len(),
        }
    }

    /// Whether the field has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Mutable access to the values of a field, for language bindings.
pub enum FieldMut<'a> {
    /// Double precision.
    F64(&'a mut [f64]),
    /// Single precision.
    F32(&'a mut [f32]),
    /// Integers.
    I32(&'a mut [i32]),
    /// Addresses into large buffers.
    I64(&'a mut [i64]),
    /// Bytes.
    U8(&'a mut [u8]),
    /// Booleans.
    Bool(&'a mut [bool]),
    /// Enums, which accept only the numbers of their variants.
    Enum(&'a mut dyn EnumArray),
    /// Contacts.
    Contact(&'a mut [Contact]),
}

/// An array of enums that is read and written by numbers.
pub trait EnumArray {
    /// The numbers of all elements.
    fn numbers(&self) -> Vec<i32>;
    /// Sets all elements; the index of the first number that has no variant is returned as an error, and nothing
    /// is changed. `numbers` must have the length of the array.
    ///
    /// # Errors
    /// The index of the first invalid number, or the length of the array if `numbers` has another length.
    fn set_numbers(&mut self, numbers: &[i32]) -> Result<(), usize>;
}

/// Sets an array of enums from numbers converted by `convert`.
fn set_enums<T: Copy>(
    array: &mut [T],
    numbers: &[i32],
    convert: fn(i32) -> Option<T>,
) -> Result<(), usize> {
    if numbers.len() != array.len() {
        return Err(array.len());
    }
    if let Some(invalid) = numbers.iter().position(|&number| convert(number).is_none()) {
        return Err(invalid);
    }
    for (value, number) in array.iter_mut().zip(numbers) {
        *value = convert(*number).unwrap_or(*value);
    }
    Ok(())
}

/// Element type of a field.
pub trait Element: Copy + Default {
    /// Bytes of one element in the binary format.
    const BYTES: usize;
    /// View of an array of this type.
    fn view(array: &[Self]) -> FieldView<'_>;
    /// Mutable view of an array of this type.
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_>;
    /// Appends the elements in the binary format.
    fn put(array: &[Self], out: &mut Vec<u8>);
    /// Parses elements in the binary format; `None` if one of them is invalid.
    fn get(bytes: &[u8]) -> Option<Vec<Self>>;
}

/// Implements the binary format of a numeric type as little-endian bytes.
macro_rules! number_bytes {
    ($ty:ident) => {
        const BYTES: usize = size_of::<$ty>();
        fn put(array: &[Self], out: &mut Vec<u8>) {
            out.reserve(size_of_val(array));
            array.iter().for_each(|x| out.extend_from_slice(&x.to_le_bytes()));
        }
        fn get(bytes: &[u8]) -> Option<Vec<Self>> {
            let (numbers, _) = bytes.as_chunks();
            Some(numbers.iter().map(|b| $ty::from_le_bytes(*b)).collect())
        }
    };
}

impl Element for f64 {
    number_bytes!(f64);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::F64(array)
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::F64(array)
    }
}

impl Element for f32 {
    number_bytes!(f32);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::F32(array)
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::F32(array)
    }
}

impl Element for i32 {
    number_bytes!(i32);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::I32(Cow::Borrowed(array))
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::I32(array)
    }
}

impl Element for i64 {
    number_bytes!(i64);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::I64(array)
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::I64(array)
    }
}

impl Element for u8 {
    number_bytes!(u8);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::U8(Cow::Borrowed(array))
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::U8(array)
    }
}

impl Element for bool {
    const BYTES: usize = 1;
    fn put(array: &[Self], out: &mut Vec<u8>) {
        out.extend(array.iter().map(|&b| u8::from(b)));
    }
    fn get(bytes: &[u8]) -> Option<Vec<Self>> {
        bytes.iter().map(|&b| (b < 2).then_some(b == 1)).collect()
    }
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::U8(array.iter().map(|&b| u8::from(b)).collect())
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::Bool(array)
    }
}

impl Element for SameFrame {
    const BYTES: usize = 1;
    fn put(array: &[Self], out: &mut Vec<u8>) {
        out.extend(array.iter().map(|&v| v as u8));
    }
    fn get(bytes: &[u8]) -> Option<Vec<Self>> {
        bytes.iter().map(|&b| Self::from_number(b.into())).collect()
    }
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::U8(array.iter().map(|&v| v as u8).collect())
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::Enum(array)
    }
}

impl EnumArray for Vec<SameFrame> {
    fn numbers(&self) -> Vec<i32> {
        self.iter().map(|v| v.number()).collect()
    }
    fn set_numbers(&mut self, numbers: &[i32]) -> Result<(), usize> {
        set_enums(self, numbers, SameFrame::from_number)
    }
}

/// Double-precision values of a contact.
const CONTACT_REALS: usize = 65;
/// Integers of a contact.
const CONTACT_INTEGERS: usize = 11;

/// Parses a contact in the binary format.
fn read_contact(bytes: &[u8]) -> Option<Contact> {
    let (reals, integers) = bytes.split_at_checked(CONTACT_REALS * 8)?;
    let (reals, integers) = (f64::get(reals)?, i32::get(integers)?);
    let (mut reals, mut integers) = (&reals[..], &integers[..]);
    fn next<const N: usize, T: Copy>(values: &mut &[T]) -> Option<[T; N]> {
        let (head, tail) = values.split_first_chunk()?;
        *values = tail;
        Some(*head)
    }
    let [dist] = next(&mut reals)?;
    let (pos, frame) = (next(&mut reals)?, next(&mut reals)?);
    let [includemargin] = next(&mut reals)?;
    let (friction, solref) = (next(&mut reals)?, next(&mut reals)?);
    let (solreffriction, solimp) = (next(&mut reals)?, next(&mut reals)?);
    let [mu] = next(&mut reals)?;
    #[allow(non_snake_case, reason = "MuJoCo's field name")]
    let H = next(&mut reals)?;
    let [dim] = next(&mut integers)?;
    let (geom, flex) = (next(&mut integers)?, next(&mut integers)?);
    let (elem, vert) = (next(&mut integers)?, next(&mut integers)?);
    let [exclude, efc_address] = next(&mut integers)?;
    Some(Contact {
        dist,
        pos,
        frame,
        includemargin,
        friction,
        solref,
        solreffriction,
        solimp,
        mu,
        H,
        dim,
        geom,
        flex,
        elem,
        vert,
        exclude,
        efc_address,
    })
}

impl Element for Contact {
    const BYTES: usize = CONTACT_REALS * 8 + CONTACT_INTEGERS * 4;
    fn put(array: &[Self], out: &mut Vec<u8>) {
        for c in array {
            for real in
                [&[c.dist][..], &c.pos, &c.frame, &[c.includemargin], &c.friction, &c.solref]
            {
                f64::put(real, out);
            }
            for real in [&c.solreffriction[..], &c.solimp, &[c.mu], &c.H] {
                f64::put(real, out);
            }
            for integer in
                [&[c.dim][..], &c.geom, &c.flex, &c.elem, &c.vert, &[c.exclude, c.efc_address]]
            {
                i32::put(integer, out);
            }
        }
    }
    fn get(bytes: &[u8]) -> Option<Vec<Self>> {
        bytes.chunks_exact(Self::BYTES).map(read_contact).collect()
    }
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::Contact(array)
    }
    fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
        FieldMut::Contact(array)
    }
}

/// Implements [`Element`] for enums, with the binary format of their `i32` discriminant.
macro_rules! enum_elements {
    ($($name:ident),* $(,)?) => {
        $(impl Element for $name {
            const BYTES: usize = 4;
            fn put(array: &[Self], out: &mut Vec<u8>) {
                array.iter().for_each(|v| out.extend_from_slice(&v.number().to_le_bytes()));
            }
            fn get(bytes: &[u8]) -> Option<Vec<Self>> {
                let (numbers, _) = bytes.as_chunks();
                numbers.iter().map(|b| Self::from_number(i32::from_le_bytes(*b))).collect()
            }
            fn view(array: &[Self]) -> FieldView<'_> {
                FieldView::I32(array.iter().map(|v| v.number()).collect())
            }
            fn view_mut(array: &mut Vec<Self>) -> FieldMut<'_> {
                FieldMut::Enum(array)
            }
        }

        impl EnumArray for Vec<$name> {
            fn numbers(&self) -> Vec<i32> {
                self.iter().map(|v| v.number()).collect()
            }
            fn set_numbers(&mut self, numbers: &[i32]) -> Result<(), usize> {
                set_enums(self, numbers, $name::from_number)
            }
        })*
    };
}
enum_elements!(
    BiasType,
    CamLightMode,
    ColorSpace,
    ConstraintState,
    ConstraintType,
    DataType,
    DynType,
    EqType,
    GainType,
    GeomType,
    JointType,
    LightType,
    ObjType,
    Projection,
    SensorStage,
    SensorType,
    SleepPolicy,
    TextureType,
    TransmissionType,
    WrapType,
);

// The methods that the tables generate call one of these functions for each of several hundred arrays. If
// inlined, they would dominate this crate's code size and be duplicated in every crate that clones a
// model.

/// Replaces an array by one of `length` zeros.
#[inline(never)]
pub(crate) fn allocate<T: Element>(array: &mut Vec<T>, length: usize) {
    *array = vec![T::default(); length];
}

/// Replaces an array by a copy.
#[inline(never)]
pub(crate) fn assign<T: Element>(array: &mut Vec<T>, source: &[T]) {
    array.clear();
    array.extend_from_slice(source);
}

/// Appends a copy of `new`, converted by `name`, if it differs from `old`.
#[inline(never)]
pub(crate) fn push_changed<T: Element + PartialEq, U>(
    changed: &mut Vec<U>,
    old: &[T],
    new: &[T],
    name: fn(Vec<T>) -> U,
) {
    if old != new {
        changed.push(name(new.to_vec()));
    }
}

/// Appends an array in the binary format.
#[inline(never)]
pub(crate) fn put<T: Element>(array: &[T], out: &mut Vec<u8>) {
    T::put(array, out);
}

/// Appends the length of an array and its elements in the binary format.
#[inline(never)]
pub(crate) fn put_sized<T: Element>(array: &[T], out: &mut Vec<u8>) {
    out.extend_from_slice(&(array.len() as u64).to_le_bytes());
    T::put(array, out);
}

/// A scalar of `Data` as a number.
pub(crate) fn scalar(value: impl Scalar) -> f64 {
    value.number()
}

/// A type of scalars of `Data`.
pub(crate) trait Scalar {
    /// The value as a number; booleans are 0 and 1.
    fn number(self) -> f64;
    /// The value with this number.
    fn from_number(number: f64) -> Self;
}

impl Scalar for f64 {
    fn number(self) -> f64 {
        self
    }
    fn from_number(number: f64) -> Self {
        number
    }
}

impl Scalar for usize {
    #[allow(clippy::cast_precision_loss, reason = "counts of elements are far below 2^53")]
    fn number(self) -> f64 {
        self as f64
    }
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "written by `number`"
    )]
    fn from_number(number: f64) -> Self {
        number as Self
    }
}

impl Scalar for bool {
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
    fn from_number(number: f64) -> Self {
        number != 0.0
    }
}

/// A dimension of a shape: a literal, or a size looked up in `$sizes`.
macro_rules! factor {
    ($sizes:expr, $number:literal) => {
        $number as usize
    };
    ($sizes:expr, $size:ident) => {
        $sizes.$size
    };
}
pub(crate) use factor;
