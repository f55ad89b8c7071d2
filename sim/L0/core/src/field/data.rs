//! The data from its table: fields, and everything that follows from them.

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
            /// Deformable bodies, where the model has any.
            pub(crate) soft: Option<Box<crate::soft::Soft>>,
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
                    soft: crate::soft::Soft::of(m),
                }
            }

            /// Bytes of the arrays that the model sizes, and of those that contacts and constraints do.
            pub(crate) fn arrays_held(&self) -> [usize; 2] {
                [
                    0 $(+ self.$name.capacity() * size_of::<$ty>())*,
                    0 $(+ self.$aname.capacity() * size_of::<$aty>())*,
                ]
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
                crate::soft::Soft::copy(&mut self.soft, source.soft.as_deref());
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
