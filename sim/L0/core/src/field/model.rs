//! The model from its table: fields, sizes, and everything that follows from them.

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
            /// Deformable bodies.
            pub deformables: crate::soft::Deformables,
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
                    deformables: crate::soft::Deformables::default(),
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
                    deformables: crate::soft::Deformables::default(),
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
