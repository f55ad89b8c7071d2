//! `data_table!`: expands the table of `Data` fields into the struct and its generated methods.

/// Expands the data table: scalars, arrays sized by the model, arrays sized by contacts and constraints.
macro_rules! data_table {
    (
        scalars { $($scalar:ident : $sty:ident $sstage:ident $sdoc:literal;)* }
        fixed { $($name:ident : $ty:ident [$($dim:tt),+] $stage:ident $doc:literal;)* }
        arena { $($aname:ident : $aty:ident [$($adim:tt),+] $astage:ident $adoc:literal;)* }
    ) => {
        /// State, inputs and computed quantities of a simulation (`mjData`).
        ///
        /// Field names, shapes and values are MuJoCo's. Arrays are flat and row-major. A `Data` holds no
        /// reference to its model, so it can be cloned, stored and sent between threads.
        #[doc(alias = "mjData")]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct Data {
            $(
                #[doc = $sdoc]
                #[doc = concat!("\n\nWritten by: `", stringify!($sstage), "`.")]
                pub $scalar: $sty,
            )*
            /// Statistics of each numerical warning.
            pub warning: [crate::data::WarningStat; sim_types::Warning::ALL.len()],
            /// Time spent in each timed stage; zero unless the model has a time callback.
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
            /// Scratch buffers of the pipeline.
            pub(crate) scratch: crate::data::Scratch,
            /// State of deformable bodies; `None` for models without any.
            pub(crate) deformables: Option<Box<crate::deformable::DeformableData>>,
        }

        /// Shows the state only; [`print_data`](crate::print_data) prints all arrays.
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

        impl Clone for Data {
            fn clone(&self) -> Self {
                let mut copy = Self::without_arrays();
                $(copy.$scalar = self.$scalar;)*
                copy.warning = self.warning;
                copy.timer = self.timer;
                $(crate::field::assign(&mut copy.$name, &self.$name);)*
                $(crate::field::assign(&mut copy.$aname, &self.$aname);)*
                copy.scratch = self.scratch.clone();
                copy.deformables = self.deformables.clone();
                copy
            }
        }

        impl Data {
            /// A `Data` whose arrays are empty.
            fn without_arrays() -> Self {
                Self {
                    $($scalar: <$sty>::default(),)*
                    warning: Default::default(),
                    timer: Default::default(),
                    $($name: Vec::new(),)*
                    $($aname: Vec::new(),)*
                    scratch: crate::data::Scratch::default(),
                    deformables: None,
                }
            }

            /// Allocates zero-filled storage for a model.
            pub(crate) fn allocate(m: &crate::Model) -> Self {
                let mut d = Self::without_arrays();
                $(crate::field::allocate(&mut d.$name, $(crate::field::factor!(m, $dim) *)+ 1);)*
                d.scratch = crate::data::Scratch::new(m);
                d.deformables = crate::deformable::DeformableData::new(m);
                d
            }

            /// Bytes allocated by the arrays sized by the model, and by those sized by contacts and
            /// constraints.
            pub(crate) fn array_bytes(&self) -> [usize; 2] {
                [
                    0 $(+ self.$name.capacity() * size_of::<$ty>())*,
                    0 $(+ self.$aname.capacity() * size_of::<$aty>())*,
                ]
            }

            /// Sets every field to zero and removes contacts, constraint rows and islands.
            pub(crate) fn clear(&mut self) {
                $(self.$scalar = <$sty>::default();)*
                self.warning = Default::default();
                self.timer = Default::default();
                $(self.$name.fill(<$ty>::default());)*
                self.clear_constraints();
                self.scratch.no_matrix = false;
                self.scratch.static_poses_valid = false;
                self.scratch.moved_mocap.fill(false);
            }

            /// Removes contacts, constraint rows and islands.
            pub(crate) fn clear_constraints(&mut self) {
                (self.ncon, self.ne, self.nf, self.nl, self.nefc) = (0, 0, 0, 0, 0);
                (self.nJ, self.nA, self.nisland, self.nidof) = (0, 0, 0, 0);
                $(self.$aname.clear();)*
            }

            /// Copies all fields of `source`, reusing the memory of this data.
            #[doc(alias = "mj_copyData")]
            pub fn copy_from(&mut self, source: &Self) {
                $(self.$scalar = source.$scalar;)*
                self.warning = source.warning;
                self.timer = source.timer;
                $(crate::field::assign(&mut self.$name, &source.$name);)*
                $(crate::field::assign(&mut self.$aname, &source.$aname);)*
                self.scratch.no_matrix = source.scratch.no_matrix;
                self.scratch.static_poses_valid = source.scratch.static_poses_valid;
                self.scratch.moved_mocap.clone_from(&source.scratch.moved_mocap);
                crate::deformable::DeformableData::copy(&mut self.deformables, source.deformables.as_deref());
            }

            /// Descriptions of all arrays: those sized by the model, then those sized by contacts and
            /// constraints.
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

            /// The array with this name; `None` if there is none.
            #[must_use]
            pub fn field(&self, name: &str) -> Option<crate::field::FieldView<'_>> {
                match name {
                    $(stringify!($name) => Some(crate::field::Element::view(&self.$name)),)*
                    $(stringify!($aname) => Some(crate::field::Element::view(&self.$aname)),)*
                    _ => None,
                }
            }

            /// Number of rows of [`Data::FIELDS`] whose arrays have the sizes of the model. They are allocated
            /// once and never move while the data exists; the others change length in every step.
            pub const FIXED_FIELDS: usize = [$(stringify!($name)),*].len();

            /// Name and description of the scalars.
            pub const SCALARS: &'static [(&'static str, &'static str)] = &[$((stringify!($scalar), $sdoc)),*];

            /// The scalar with this index in [`Data::SCALARS`]; `None` if there is none.
            #[must_use]
            pub fn scalar(&self, index: usize) -> Option<f64> {
                let scalars: &[fn(&Self) -> f64] = &[$(|d| crate::field::scalar(d.$scalar)),*];
                scalars.get(index).map(|scalar| scalar(self))
            }

            /// The array with this index in [`Data::FIELDS`]; `None` if there is none.
            #[must_use]
            pub fn array(&self, index: usize) -> Option<crate::field::FieldView<'_>> {
                let arrays: &[for<'a> fn(&'a Self) -> crate::field::FieldView<'a>] = &[
                    $(|d| crate::field::Element::view(&d.$name),)*
                    $(|d| crate::field::Element::view(&d.$aname),)*
                ];
                arrays.get(index).map(|array| array(self))
            }

            /// The array with this index in [`Data::FIELDS`], mutable; `None` if there is none.
            #[must_use]
            pub fn array_mut(&mut self, index: usize) -> Option<crate::field::FieldMut<'_>> {
                let arrays: &[for<'a> fn(&'a mut Self) -> crate::field::FieldMut<'a>] = &[
                    $(|d| crate::field::Element::view_mut(&mut d.$name),)*
                    $(|d| crate::field::Element::view_mut(&mut d.$aname),)*
                ];
                arrays.get(index).map(|array| array(self))
            }

            /// Appends every scalar and array in the binary format, arrays with their lengths.
            pub(crate) fn write_fields(&self, out: &mut Vec<u8>) {
                $(out.extend_from_slice(&crate::field::scalar(self.$scalar).to_le_bytes());)*
                $(crate::field::put_sized(&self.$name, out);)*
                $(crate::field::put_sized(&self.$aname, out);)*
            }

            /// Reads what [`Data::write_fields`] wrote into a data of the same model.
            pub(crate) fn read_fields(
                &mut self,
                reader: &mut crate::binary::Reader<'_>,
            ) -> Result<(), crate::binary::BinaryError> {
                $(self.$scalar = crate::field::Scalar::from_number(reader.real()?);)*
                $(
                    let length = Some(self.$name.len());
                    reader.sized_array(&mut self.$name, stringify!($name), length)?;
                )*
                $(reader.sized_array(&mut self.$aname, stringify!($aname), None)?;)*
                Ok(())
            }

            /// The mutable `f64` array with this name; `None` if there is none or it has another type.
            #[must_use]
            pub fn field_mut(&mut self, name: &str) -> Option<&mut [f64]> {
                use std::any::Any;
                match name {
                    $(stringify!($name) => (&mut self.$name as &mut dyn Any).downcast_mut::<Vec<f64>>().map(Vec::as_mut_slice),)*
                    $(stringify!($aname) => (&mut self.$aname as &mut dyn Any).downcast_mut::<Vec<f64>>().map(Vec::as_mut_slice),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use data_table;
