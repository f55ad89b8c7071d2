//! Typed layout of everything that a kernel addresses: named constants, model tables, arrays in workgroup memory and
//! storage buffers. Each emits its WGSL declarations; Rust code uses the fields and never reads a number back out of
//! generated source.

mod workgroup;

pub(crate) use workgroup::{STEP, Stage, WorkgroupArray, WorkgroupLayout};

use crate::records::{EnvironmentInfo, EnvironmentSlot, RunParameters};
use crate::shader::ShaderError;
use mesh_gpu::Access;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Value of a WGSL constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    U32(u32),
    Bool(bool),
    Real(f64),
}

/// Named constants of a kernel, in the order of their declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Constants {
    entries: Vec<(&'static str, Value)>,
}

impl Constants {
    /// Declares a `u32`.
    pub(crate) fn u32(&mut self, name: &'static str, value: usize) {
        self.entries.push((name, Value::U32(index(value))));
    }

    /// Declares a `bool`.
    pub(crate) fn bool(&mut self, name: &'static str, value: bool) {
        self.entries.push((name, Value::Bool(value)));
    }

    /// Declares a `real`.
    pub(crate) fn real(&mut self, name: &'static str, value: f64) {
        self.entries.push((name, Value::Real(value)));
    }

    /// The WGSL declarations.
    ///
    /// # Errors
    ///
    /// If a name is declared twice.
    pub(crate) fn emit(&self) -> Result<String, ShaderError> {
        let mut names = BTreeSet::new();
        let mut out = String::new();
        for (line, (name, value)) in self.entries.iter().enumerate() {
            if !names.insert(name) {
                let message = format!("constant `{name}` is declared twice");
                return Err(ShaderError::new("declarations", line + 1, message));
            }
            // writing to a string cannot fail
            let _ = match value {
                Value::U32(value) => writeln!(out, "const {name}: u32 = {value}u;"),
                Value::Bool(value) => writeln!(out, "const {name}: bool = {value};"),
                Value::Real(value) => writeln!(out, "const {name}: real = {value:e};"),
            };
        }
        Ok(out)
    }
}

/// An index that refers to nothing; `NONE` in WGSL.
pub(crate) const NONE: u32 = u32::MAX;

/// A number as an index of the device; [`NONE`] if it is too large.
pub(crate) fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(NONE)
}

/// A model as two arrays, with a constant for the address of each field.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ModelTables {
    /// Real table: masses, positions, gains.
    pub real: Vec<f64>,
    /// Index table: addresses, types, indices.
    pub index: Vec<u32>,
    /// Addresses and sizes.
    pub constants: Constants,
}

impl ModelTables {
    /// Declares a size.
    pub(crate) fn size(&mut self, name: &'static str, value: usize) {
        self.constants.u32(name, value);
    }

    /// Declares a flag.
    pub(crate) fn flag(&mut self, name: &'static str, value: bool) {
        self.constants.bool(name, value);
    }

    /// Adds one number per element.
    pub(crate) fn scalars(&mut self, name: &'static str, values: impl IntoIterator<Item = f64>) {
        self.size(name, self.real.len());
        self.real.extend(values);
    }

    /// Adds vectors component by component: all first components, then all second ones.
    pub(crate) fn components<const N: usize>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = [f64; N]>,
    ) {
        let values: Vec<[f64; N]> = values.into_iter().collect();
        self.size(name, self.real.len());
        for k in 0..N {
            self.real.extend(values.iter().map(|v| v[k]));
        }
    }

    /// Adds vectors that are read as whole `vec4`s, each padded to a multiple of four; the address counts `vec4`s.
    pub(crate) fn vec4s<const N: usize>(
        &mut self,
        name: &'static str,
        values: impl IntoIterator<Item = [f64; N]>,
    ) {
        self.align();
        self.size(name, self.real.len() / 4);
        for value in values {
            self.real.extend(value);
            self.align();
        }
    }

    /// Pads the real table to a multiple of four.
    pub(crate) fn align(&mut self) {
        self.real.resize(self.real.len().next_multiple_of(4), 0.0);
    }

    /// Adds one index per element.
    pub(crate) fn indices(&mut self, name: &'static str, values: impl IntoIterator<Item = usize>) {
        self.size(name, self.index.len());
        self.index.extend(values.into_iter().map(index));
    }

    /// Adds the row offsets of a list of lists (CSR); the items follow under names of their own.
    pub(crate) fn offsets<T>(&mut self, name: &'static str, lists: &[Vec<T>]) {
        let mut end = 0;
        let ends = lists.iter().map(|list| {
            end += list.len();
            end
        });
        self.indices(name, std::iter::once(0).chain(ends.collect::<Vec<_>>()));
    }
}

/// A storage buffer of the kernel, in the order of the bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StorageBuffer {
    /// Real table of the model, once for all environments or once for each.
    RealTable,
    /// Index table of the model.
    IndexTable,
    /// Time, qpos, qvel, act, qacc_warmstart of each environment, then the initial-state table.
    States,
    /// Controls, mocap poses and applied forces of each environment.
    Inputs,
    /// [`EnvironmentInfo`] of each environment.
    Info,
    /// Sensors, reward and probe of each environment, then separation budgets, then suspended environments.
    Output,
    /// [`RunParameters`] and an [`EnvironmentSlot`] for each environment.
    Run,
    /// Matrices that are not in workgroup memory.
    Scratch,
    /// The real table again, as `vec4`s: one load instruction instead of four.
    RealTableVec4,
    /// Arrays of models that exceed workgroup memory.
    Arrays,
    /// Index arrays of models that exceed workgroup memory with these alone.
    IndexArrays,
}

impl StorageBuffer {
    /// All buffers by binding.
    pub(crate) const ALL: [Self; 11] = [
        Self::RealTable,
        Self::IndexTable,
        Self::States,
        Self::Inputs,
        Self::Info,
        Self::Output,
        Self::Run,
        Self::Scratch,
        Self::RealTableVec4,
        Self::Arrays,
        Self::IndexArrays,
    ];

    /// How the kernel uses each buffer.
    pub(crate) const ACCESS: [Access; 11] = {
        let mut access = [Access::Read; 11];
        let mut k = 0;
        while k < access.len() {
            access[k] = Self::ALL[k].access();
            k += 1;
        }
        access
    };

    const fn access(self) -> Access {
        match self {
            Self::RealTable | Self::IndexTable | Self::Inputs | Self::RealTableVec4 => Access::Read,
            Self::States
            | Self::Info
            | Self::Output
            | Self::Run
            | Self::Scratch
            | Self::Arrays
            | Self::IndexArrays => Access::Write,
        }
    }

    const fn name_and_type(self) -> (&'static str, &'static str) {
        match self {
            Self::RealTable => ("tf", "array<real>"),
            Self::IndexTable => ("ti", "array<u32>"),
            Self::States => ("states", "array<real>"),
            Self::Inputs => ("inputs", "array<real>"),
            Self::Info => ("info", "array<EnvironmentInfo>"),
            Self::Output => ("out", "array<real>"),
            Self::Run => ("run", "RunParameters"),
            Self::Scratch => ("scratch", "array<vec4r>"),
            Self::RealTableVec4 => ("tf4", "array<vec4r>"),
            Self::Arrays => ("w", "array<real>"),
            Self::IndexArrays => ("wu", "array<u32>"),
        }
    }

    /// Structs and bindings of the kernel; `scratch` says whether matrices are in a storage buffer, `arrays` and `indices`
    /// whether arrays are.
    pub(crate) fn declarations(scratch: bool, arrays: bool, indices: bool) -> String {
        let mut out = [EnvironmentInfo::WGSL, EnvironmentSlot::WGSL, RunParameters::WGSL].concat();
        for (binding, buffer) in Self::ALL.iter().enumerate() {
            let unused = match buffer {
                Self::Scratch => !scratch,
                Self::Arrays => !arrays,
                Self::IndexArrays => !indices,
                _ => false,
            };
            if unused {
                continue;
            }
            let (name, ty) = buffer.name_and_type();
            let mode = if buffer.access() == Access::Read { "read" } else { "read_write" };
            // writing to a string cannot fail
            let _ =
                writeln!(out, "@group(0) @binding({binding}) var<storage, {mode}> {name}: {ty};");
        }
        out
    }
}

/// Layout of the output buffer, in reals per environment. The regions follow each other, each for all environments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutputLayout {
    /// Sensors; the reward follows.
    pub nsensordata: usize,
    /// Probe, which follows the reward.
    pub probe: usize,
    /// Displacement budgets of pairs and the reference configuration.
    pub separation: usize,
    /// Workgroup memory of a suspended environment, and the pairs of its contacts.
    pub suspended: usize,
    /// Deferred pairs of a suspended environment, with their contacts. They follow its workgroup memory. A deferred pair
    /// is one whose narrow phase is left to the narrow-phase pass.
    pub deferred: usize,
}

impl OutputLayout {
    /// Sensors, reward and probe.
    pub(crate) fn outputs(&self) -> usize {
        self.nsensordata + 1 + self.probe
    }

    /// Reals of `count` environments in all regions, `scratch` of which can be suspended at the same time.
    pub(crate) fn total(&self, count: usize, scratch: usize) -> usize {
        count * (self.outputs() + self.separation) + scratch * (self.suspended + self.deferred)
    }

    /// Declares the sizes.
    pub(crate) fn declare(&self, constants: &mut Constants) {
        constants.u32("OUT_SIZE", self.outputs());
        constants.u32("REWARD", self.nsensordata);
        constants.u32("PROBE_ADR", self.nsensordata + 1);
        constants.u32("SEPARATION_SIZE", self.separation);
        constants.u32("SUSPENDED_SIZE", self.suspended + self.deferred);
        constants.u32("DEFERRED_FIRST", self.suspended);
    }
}

#[cfg(test)]
mod tests {
    use super::{Constants, ModelTables, StorageBuffer};
    use mesh_gpu::Access;

    #[test]
    fn constants_are_emitted_with_their_types() {
        let mut constants = Constants::default();
        constants.u32("NV", 7);
        constants.bool("ELLIPTIC", true);
        constants.real("TOLERANCE", 1e-6);
        let expected =
            "const NV: u32 = 7u;\nconst ELLIPTIC: bool = true;\nconst TOLERANCE: real = 1e-6;\n";
        assert_eq!(constants.emit().expect("no duplicates"), expected);
    }

    #[test]
    fn a_duplicate_constant_is_an_error() {
        let mut constants = Constants::default();
        constants.u32("NV", 7);
        constants.u32("NU", 1);
        constants.u32("NV", 8);
        let error = constants.emit().expect_err("NV is declared twice");
        assert!(error.to_string().contains("constant `NV` is declared twice"), "{error}");
    }

    #[test]
    fn vectors_are_stored_component_by_component() {
        let mut tables = ModelTables::default();
        tables.scalars("A", [7.0]);
        tables.components("B", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        assert_eq!(tables.real, [7.0, 1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        let declared = tables.constants.emit().expect("no duplicates");
        assert_eq!(declared, "const A: u32 = 0u;\nconst B: u32 = 1u;\n");
    }

    #[test]
    fn vec4s_are_aligned_and_padded() {
        let mut tables = ModelTables::default();
        tables.scalars("A", [7.0]);
        tables.vec4s("B", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        tables.vec4s("C", [[8.0; 5]]);
        let expected =
            [7., 0., 0., 0., 1., 2., 3., 0., 4., 5., 6., 0., 8., 8., 8., 8., 8., 0., 0., 0.];
        assert_eq!(tables.real, expected);
        let declared = tables.constants.emit().expect("no duplicates");
        assert_eq!(declared, "const A: u32 = 0u;\nconst B: u32 = 1u;\nconst C: u32 = 3u;\n");
    }

    #[test]
    fn offsets_have_one_entry_more_than_lists() {
        let mut tables = ModelTables::default();
        tables.offsets("L", &[vec![1, 2], vec![], vec![3]]);
        assert_eq!(tables.index, [0, 2, 2, 3]);
    }

    #[test]
    fn bindings_are_declared_with_their_access() {
        let declared = StorageBuffer::declarations(false, false, false);
        assert!(declared.contains("@group(0) @binding(4) var<storage, read_write> info:"));
        assert!(declared.contains("@group(0) @binding(8) var<storage, read> tf4: array<vec4r>;"));
        assert!(!declared.contains("scratch"));
        assert_eq!(StorageBuffer::ACCESS[3], Access::Read);
        assert_eq!(StorageBuffer::ACCESS[7], Access::Write);
    }
}
