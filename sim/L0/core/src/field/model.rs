//! `model_table!`: expands the table of `Model` fields into the struct and its generated methods.

/// Expands the model table: sizes and arrays.
macro_rules! model_table {
    (
        sizes { $($size:ident $sizedoc:literal;)* }
        arrays { $($name:ident : $ty:ident [$($dim:tt),+] $doc:literal;)* }
    ) => {
        /// The sizes of a model, which determine the lengths of its arrays.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct ModelSizes {
            $(#[doc = $sizedoc] pub $size: usize,)*
        }

        impl ModelSizes {
            /// Calls `f` with the name and value of every size, in table order.
            pub fn visit(&self, f: &mut dyn FnMut(&'static str, usize)) {
                $(f(stringify!($size), self.$size);)*
            }

            /// Calls `f` with the name of every size and a mutable reference to it.
            pub(crate) fn visit_mut(&mut self, f: &mut dyn FnMut(&'static str, &mut usize)) {
                $(f(stringify!($size), &mut self.$size);)*
            }
        }

        /// A compiled model: the constant description of a mechanism (`mjModel`).
        ///
        /// Field names, shapes and values are MuJoCo's. Arrays are flat and row-major. Some quantities are
        /// precomputed from them: after modifying arrays, call [`Model::refresh`], or
        /// [`mj_set_const`](crate::mj_set_const) if masses, frames or reference positions changed.
        #[doc(alias = "mjModel")]
        #[allow(non_snake_case, reason = "MuJoCo's field names")]
        pub struct Model {
            $(#[doc = $sizedoc] pub $size: usize,)*
            /// Simulation options.
            pub opt: Options,
            /// Model statistics: typical magnitudes.
            pub stat: Statistic,
            /// Visualization settings.
            pub vis: Visual,
            $(
                #[doc = $doc]
                #[doc = concat!("\n\nShape: `", stringify!([$($dim),+]), "`.")]
                pub $name: Vec<$ty>,
            )*
            /// User callbacks. Not part of the binary format.
            pub hooks: crate::hooks::Hooks,
            /// Deformable bodies.
            pub deformables: crate::deformable::Deformables,
            /// Plugin instances.
            pub(crate) plugins: crate::plugin::Plugins,
            /// Quantities precomputed from the arrays above.
            pub(crate) plan: crate::plan::Plan,
        }

        /// Shows the sizes only; [`print_model`](crate::print_model) prints all arrays.
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

        impl Clone for Model {
            fn clone(&self) -> Self {
                let mut copy = Self::without_arrays(&self.sizes());
                copy.opt = self.opt.clone();
                copy.stat = self.stat.clone();
                copy.vis = self.vis.clone();
                $(crate::field::assign(&mut copy.$name, &self.$name);)*
                copy.hooks = self.hooks.clone();
                copy.deformables = self.deformables.clone();
                copy.plugins = self.plugins.clone();
                copy.plan = self.plan.clone();
                copy
            }
        }

        impl Model {
            /// A model with sizes and empty arrays.
            fn without_arrays(sizes: &ModelSizes) -> Self {
                Self {
                    $($size: sizes.$size,)*
                    opt: Options::default(),
                    stat: Statistic::default(),
                    vis: Visual::default(),
                    $($name: Vec::new(),)*
                    hooks: crate::hooks::Hooks::default(),
                    deformables: crate::deformable::Deformables::default(),
                    plugins: crate::plugin::Plugins::default(),
                    plan: crate::plan::Plan::default(),
                }
            }

            /// Allocates a model with zero-filled arrays of the given sizes.
            #[must_use]
            pub fn with_sizes(sizes: &ModelSizes) -> Self {
                let mut m = Self::without_arrays(sizes);
                $(crate::field::allocate(&mut m.$name, $(crate::field::factor!(sizes, $dim) *)+ 1);)*
                m
            }

            /// Appends every array in the binary format.
            pub(crate) fn write_arrays(&self, out: &mut Vec<u8>) {
                $(crate::field::put(&self.$name, out);)*
            }

            /// Reads a model's arrays in the binary format.
            pub(crate) fn read_arrays(
                sizes: &ModelSizes,
                reader: &mut crate::binary::Reader<'_>,
            ) -> Result<Self, crate::binary::BinaryError> {
                let mut m = Self::without_arrays(sizes);
                $(reader.array(
                    &mut m.$name,
                    stringify!($name),
                    &[$(crate::field::factor!(sizes, $dim)),+],
                )?;)*
                Ok(m)
            }

            /// The sizes of this model.
            #[must_use]
            pub fn sizes(&self) -> ModelSizes {
                ModelSizes { $($size: self.$size,)* }
            }

            /// Descriptions of all arrays.
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

            /// The array with this name; `None` if there is none.
            #[must_use]
            pub fn field(&self, name: &str) -> Option<crate::field::FieldView<'_>> {
                match name {
                    $(stringify!($name) => Some(crate::field::Element::view(&self.$name)),)*
                    _ => None,
                }
            }

            /// Name and description of the sizes.
            pub const SIZES: &'static [(&'static str, &'static str)] = &[$((stringify!($size), $sizedoc)),*];

            /// The size with this index in [`Model::SIZES`]; `None` if there is none.
            #[must_use]
            pub fn size(&self, index: usize) -> Option<usize> {
                let sizes: &[fn(&Self) -> usize] = &[$(|m| m.$size),*];
                sizes.get(index).map(|size| size(self))
            }

            /// The array with this index in [`Model::FIELDS`]; `None` if there is none.
            #[must_use]
            pub fn array(&self, index: usize) -> Option<crate::field::FieldView<'_>> {
                let arrays: &[for<'a> fn(&'a Self) -> crate::field::FieldView<'a>] = &[
                    $(|m| crate::field::Element::view(&m.$name)),*
                ];
                arrays.get(index).map(|array| array(self))
            }

            /// The array with this index in [`Model::FIELDS`], mutable; `None` if there is none. After a change, call
            /// [`Model::refresh`] unless the array is one of [`Model::UNPLANNED`].
            #[must_use]
            pub fn array_mut(&mut self, index: usize) -> Option<crate::field::FieldMut<'_>> {
                let arrays: &[for<'a> fn(&'a mut Self) -> crate::field::FieldMut<'a>] =
                    &[$(|m| crate::field::Element::view_mut(&mut m.$name)),*];
                arrays.get(index).map(|array| array(self))
            }

            /// Copies of the arrays of `other` that differ from those of this model.
            pub(crate) fn changed_arrays(&self, other: &Self) -> Vec<Changed> {
                let mut changed = Vec::new();
                $(crate::field::push_changed(&mut changed, &self.$name, &other.$name, Changed::$name);)*
                changed
            }
        }

        /// A named array that replaces one of a model's.
        #[derive(Debug, Clone)]
        #[allow(non_camel_case_types, non_snake_case, reason = "MuJoCo's field names")]
        pub(crate) enum Changed {
            $(#[doc = $doc] $name(Vec<$ty>),)*
        }

        impl Changed {
            /// Swaps the array with the model's.
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

            /// Size of the array in bytes.
            pub(crate) fn bytes(&self) -> usize {
                match self {
                    $(Self::$name(array) => size_of_val(&array[..]),)*
                }
            }
        }
    };
}
pub(crate) use model_table;
