//! Field tables: how `Model` and `Data` declare each array exactly once.
//!
//! `model_table!` and `data_table!` expand a table of rows into a struct, its allocation,
//! reset and copy, visitors by name, and its documentation.

use sim_types::*;
use std::borrow::Cow;

/// The pipeline stage that writes a field of `Data`, in pipeline order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is named after the MuJoCo function it stands for")]
pub enum Stage {
    /// Part of the compiled model.
    Compile,
    /// Advanced by the integrator.
    State,
    /// Set by the user.
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
    /// Factors of the shape: names of sizes, or numbers.
    pub shape: &'static [&'static str],
    /// The stage that writes it.
    pub stage: Stage,
    /// What it holds.
    pub doc: &'static str,
}

/// The numbers of a field, borrowed where its storage allows.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldView<'a> {
    /// Double precision.
    F64(&'a [f64]),
    /// Single precision.
    F32(&'a [f32]),
    /// Integers, and enums by their number.
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

/// An element type that a field table may use.
pub trait Element: Copy + Default {
    /// Bytes of one element in a saved model.
    const BYTES: usize;
    /// The numbers of an array of this type.
    fn view(array: &[Self]) -> FieldView<'_>;
    /// Adds the elements to a saved model.
    fn put(array: &[Self], out: &mut Vec<u8>);
    /// The elements in a saved model; `None` when one of them is impossible.
    fn get(bytes: &[u8]) -> Option<Vec<Self>>;
}

/// Numbers as little-endian bytes.
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
}

impl Element for f32 {
    number_bytes!(f32);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::F32(array)
    }
}

impl Element for i32 {
    number_bytes!(i32);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::I32(Cow::Borrowed(array))
    }
}

impl Element for i64 {
    number_bytes!(i64);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::I64(array)
    }
}

impl Element for u8 {
    number_bytes!(u8);
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::U8(Cow::Borrowed(array))
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
}

/// Contacts are part of a state, never of a saved model.
impl Element for Contact {
    const BYTES: usize = 0;
    fn put(_array: &[Self], _out: &mut Vec<u8>) {}
    fn get(_bytes: &[u8]) -> Option<Vec<Self>> {
        None
    }
    fn view(array: &[Self]) -> FieldView<'_> {
        FieldView::Contact(array)
    }
}

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

/// A factor of a shape: a number as it is, or a size looked up in `$sizes`.
macro_rules! factor {
    ($sizes:expr, $number:literal) => {
        $number as usize
    };
    ($sizes:expr, $size:ident) => {
        $sizes.$size
    };
}
pub(crate) use factor;

/// Expands the model's table: sizes, arrays, and everything that follows from them.
macro_rules! model_table {
    (
        sizes { $($size:ident $sizedoc:literal;)* }
        arrays { $($name:ident : $ty:ident [$($dim:tt),+] $doc:literal;)* }
    ) => {
        /// The sizes from which a model's arrays are allocated.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct ModelSizes {
            $(#[doc = $sizedoc] pub $size: usize,)*
        }

        impl ModelSizes {
            /// Every size with its name, in order.
            pub fn visit(&self, f: &mut dyn FnMut(&'static str, usize)) {
                $(f(stringify!($size), self.$size);)*
            }

            /// Calls `f` with the name and a reference to every size.
            pub(crate) fn visit_mut(&mut self, f: &mut dyn FnMut(&'static str, &mut usize)) {
                $(f(stringify!($size), &mut self.$size);)*
            }
        }

        /// A compiled model: everything about a mechanism that does not change while it moves.
        ///
        /// Field names, shapes and numbers are MuJoCo's (`mjModel`). Arrays are flat and row-major.
        /// Some of them are also kept in a form made for speed: after changing arrays by hand, call
        /// [`Model::refresh`], or [`mj_set_const`](crate::mj_set_const) for masses and references.
        #[doc(alias = "mjModel")]
        #[derive(Clone)]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct Model {
            $(#[doc = $sizedoc] pub $size: usize,)*
            /// Simulation options.
            pub opt: Options,
            /// Typical magnitudes.
            pub stat: Statistic,
            $(
                #[doc = $doc]
                #[doc = concat!("\n\nShape: `", stringify!([$($dim),+]), "`.")]
                pub $name: Vec<$ty>,
            )*
            /// User code that the pipeline calls. Not part of a saved model.
            pub hooks: crate::hooks::Hooks,
            /// What the pipeline precomputes from the arrays above.
            pub(crate) plan: crate::plan::Plan,
        }

        /// Sizes alone; [`print_model`](crate::print_model) shows the arrays.
        impl std::fmt::Debug for Model {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut out = f.debug_struct("Model");
                self.sizes().visit(&mut |name, n| {
                    if n > 0 {
                        out.field(name, &n);
                    }
                });
                out.finish_non_exhaustive()
            }
        }

        impl Model {
            /// A model with arrays of the given sizes, filled with zeros.
            #[must_use]
            pub fn with_sizes(sizes: &ModelSizes) -> Self {
                Self {
                    $($size: sizes.$size,)*
                    opt: Options::default(),
                    stat: Statistic::default(),
                    $($name: vec![<$ty>::default(); $(crate::field::factor!(sizes, $dim) *)+ 1],)*
                    hooks: crate::hooks::Hooks::default(),
                    plan: crate::plan::Plan::default(),
                }
            }

            /// Adds every array to a saved model.
            pub(crate) fn write_arrays(&self, out: &mut Vec<u8>) {
                $(crate::field::Element::put(&self.$name, out);)*
            }

            /// A model with the arrays of a saved one.
            pub(crate) fn read_arrays(
                sizes: &ModelSizes,
                reader: &mut crate::binary::Reader<'_>,
            ) -> Result<Self, crate::binary::BinaryError> {
                Ok(Self {
                    $($size: sizes.$size,)*
                    opt: Options::default(),
                    stat: Statistic::default(),
                    $($name: {
                        let length = [$(crate::field::factor!(sizes, $dim)),+];
                        let length = length.iter().try_fold(1_usize, |n, &f| n.checked_mul(f));
                        reader.array(stringify!($name), length.unwrap_or(usize::MAX))?
                    },)*
                    hooks: crate::hooks::Hooks::default(),
                    plan: crate::plan::Plan::default(),
                })
            }

            /// The sizes of this model.
            #[must_use]
            pub fn sizes(&self) -> ModelSizes {
                ModelSizes { $($size: self.$size,)* }
            }

            /// The table's rows.
            pub const FIELDS: &'static [crate::field::FieldInfo] = &[
                $(crate::field::FieldInfo {
                    name: stringify!($name),
                    element: stringify!($ty),
                    shape: &[$(stringify!($dim)),+],
                    stage: crate::field::Stage::Compile,
                    doc: $doc,
                },)*
            ];

            /// Calls `f` with every array, in the order of [`Model::FIELDS`].
            pub fn visit(&self, f: &mut dyn FnMut(&'static crate::field::FieldInfo, crate::field::FieldView<'_>)) {
                let mut rows = Self::FIELDS.iter();
                $(if let Some(row) = rows.next() {
                    f(row, crate::field::Element::view(&self.$name));
                })*
            }

            /// The array of this name.
            #[must_use]
            pub fn field(&self, name: &str) -> Option<crate::field::FieldView<'_>> {
                match name {
                    $(stringify!($name) => Some(crate::field::Element::view(&self.$name)),)*
                    _ => None,
                }
            }

            /// The arrays of `other` that differ from those here.
            pub(crate) fn changed_arrays(&self, other: &Self) -> Vec<Changed> {
                let mut changed = Vec::new();
                $(if self.$name != other.$name {
                    changed.push(Changed::$name(other.$name.clone()));
                })*
                changed
            }
        }

        /// An array that another model has instead.
        #[derive(Debug, Clone)]
        #[allow(non_camel_case_types, non_snake_case, reason = "MuJoCo's field names")]
        pub(crate) enum Changed {
            $(#[doc = $doc] $name(Vec<$ty>),)*
        }

        impl Changed {
            /// Puts the array into a model, and takes the model's.
            pub(crate) fn exchange(&mut self, m: &mut Model) {
                match self {
                    $(Self::$name(array) => std::mem::swap(array, &mut m.$name),)*
                }
            }

            /// The name of the array.
            pub(crate) fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => stringify!($name),)*
                }
            }

            /// Bytes that the array takes.
            pub(crate) fn bytes(&self) -> usize {
                match self {
                    $(Self::$name(array) => size_of_val(&array[..]),)*
                }
            }
        }
    };
}
pub(crate) use model_table;

/// Expands the data table: scalars, arrays sized by the model, arrays sized by the constraints.
macro_rules! data_table {
    (
        scalars { $($scalar:ident : $sty:ident $sstage:ident $sdoc:literal;)* }
        fixed { $($name:ident : $ty:ident [$($dim:tt),+] $stage:ident $doc:literal;)* }
        arena { $($aname:ident : $aty:ident [$($adim:tt),+] $astage:ident $adoc:literal;)* }
    ) => {
        /// Everything that changes during a simulation: state, inputs and computed quantities.
        ///
        /// Field names, shapes and numbers are MuJoCo's (`mjData`). Arrays are flat and row-major.
        /// It holds no reference to its model, so it can be cloned, stored and sent freely.
        #[doc(alias = "mjData")]
        #[derive(Clone)]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct Data {
            $(
                #[doc = $sdoc]
                #[doc = concat!("\n\nWritten by: `", stringify!($sstage), "`.")]
                pub $scalar: $sty,
            )*
            /// How often each numerical warning was raised, and where it was last.
            pub warning: [crate::data::WarningStat; sim_types::Warning::ALL.len()],
            /// Time spent in each timed stage, if the model has a clock.
            pub timer: [crate::profile::TimerStat; crate::profile::Timer::ALL.len()],
            $(
                #[doc = $doc]
                #[doc = concat!("\n\nShape: `", stringify!([$($dim),+]), "`. Written by: `", stringify!($stage), "`.")]
                pub $name: Vec<$ty>,
            )*
            $(
                #[doc = $adoc]
                #[doc = concat!("\n\nShape: `", stringify!([$($adim),+]), "`. Written by: `", stringify!($astage), "`.")]
                pub $aname: Vec<$aty>,
            )*
            /// Temporaries of the pipeline, allocated once.
            pub(crate) scratch: crate::data::Scratch,
        }

        /// The state alone; [`print_data`](crate::print_data) shows the arrays.
        impl std::fmt::Debug for Data {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct("Data")
                    .field("time", &self.time)
                    .field("qpos", &self.qpos)
                    .field("qvel", &self.qvel)
                    .field("act", &self.act)
                    .field("ctrl", &self.ctrl)
                    .finish_non_exhaustive()
            }
        }

        impl Data {
            /// Zero-filled storage for a model.
            pub(crate) fn allocate(m: &crate::Model) -> Self {
                Self {
                    $($scalar: <$sty>::default(),)*
                    warning: Default::default(),
                    timer: Default::default(),
                    $($name: vec![<$ty>::default(); $(crate::field::factor!(m, $dim) *)+ 1],)*
                    $($aname: Vec::new(),)*
                    scratch: crate::data::Scratch::new(m),
                }
            }

            /// Fills every field with zeros and forgets contacts and constraints.
            pub(crate) fn clear(&mut self) {
                $(self.$scalar = <$sty>::default();)*
                self.warning = Default::default();
                self.timer = Default::default();
                $(self.$name.fill(<$ty>::default());)*
                self.forget_constraints();
                self.scratch.no_matrix = false;
                self.scratch.placed = false;
                self.scratch.moved_mocap.fill(false);
            }

            /// Forgets contacts, rows and islands.
            pub(crate) fn forget_constraints(&mut self) {
                (self.ncon, self.ne, self.nf, self.nl, self.nefc) = (0, 0, 0, 0, 0);
                (self.nJ, self.nA, self.nisland, self.nidof) = (0, 0, 0, 0);
                $(self.$aname.clear();)*
            }

            /// Makes this an exact copy of `source`, reusing the memory it already has.
            #[doc(alias = "mj_copyData")]
            pub fn copy_from(&mut self, source: &Self) {
                $(self.$scalar = source.$scalar;)*
                self.warning = source.warning;
                self.timer = source.timer;
                $(self.$name.clone_from(&source.$name);)*
                $(self.$aname.clone_from(&source.$aname);)*
                self.scratch.no_matrix = source.scratch.no_matrix;
                self.scratch.placed = source.scratch.placed;
                self.scratch.moved_mocap.clone_from(&source.scratch.moved_mocap);
            }

            /// The table's rows: arrays sized by the model, then those sized by the constraints.
            pub const FIELDS: &'static [crate::field::FieldInfo] = &[
                $(crate::field::FieldInfo {
                    name: stringify!($name),
                    element: stringify!($ty),
                    shape: &[$(stringify!($dim)),+],
                    stage: crate::field::Stage::$stage,
                    doc: $doc,
                },)*
                $(crate::field::FieldInfo {
                    name: stringify!($aname),
                    element: stringify!($aty),
                    shape: &[$(stringify!($adim)),+],
                    stage: crate::field::Stage::$astage,
                    doc: $adoc,
                },)*
            ];

            /// Calls `f` with every array, in the order of [`Data::FIELDS`].
            pub fn visit(&self, f: &mut dyn FnMut(&'static crate::field::FieldInfo, crate::field::FieldView<'_>)) {
                let mut rows = Self::FIELDS.iter();
                $(if let Some(row) = rows.next() {
                    f(row, crate::field::Element::view(&self.$name));
                })*
                $(if let Some(row) = rows.next() {
                    f(row, crate::field::Element::view(&self.$aname));
                })*
            }

            /// The array of this name.
            #[must_use]
            pub fn field(&self, name: &str) -> Option<crate::field::FieldView<'_>> {
                match name {
                    $(stringify!($name) => Some(crate::field::Element::view(&self.$name)),)*
                    $(stringify!($aname) => Some(crate::field::Element::view(&self.$aname)),)*
                    _ => None,
                }
            }

            /// The double-precision array of this name, for writing.
            #[must_use]
            pub fn field_mut(&mut self, name: &str) -> Option<&mut [f64]> {
                use std::any::Any;
                match name {
                    $(stringify!($name) => (&mut self.$name as &mut dyn Any).downcast_mut::<Vec<f64>>().map(Vec::as_mut_slice),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use data_table;
