//! Writer of trajectory files: CSV, or NPZ for numpy.

use crate::Failure;
use crate::format::count;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use zip::write::{SimpleFileOptions, ZipWriter};

/// A trajectory file that is being written.
pub(crate) struct TrajectoryWriter {
    path: PathBuf,
    format: Format,
    rows: u64,
}

enum Format {
    /// One line per state.
    Csv(BufWriter<File>),
    /// Arrays buffered until the end, because their shape precedes their values in the file.
    Npz { zip: Box<ZipWriter<BufWriter<File>>>, columns: Vec<Column> },
}

/// An array of the archive: its name, row length, and values.
type Column = (String, usize, Vec<f64>);

impl TrajectoryWriter {
    /// Creates the file, in the format of its extension.
    pub(crate) fn create(path: &Path, model: &Model) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let format = match extension {
            "csv" => {
                let file = File::create(path).map_err(|e| format!("{}: {e}", path.display()))?;
                let mut file = BufWriter::new(file);
                writeln!(file, "{}", header(model).join(","))?;
                Format::Csv(file)
            }
            "npz" => Format::Npz {
                zip: Box::new(ZipWriter::new(BufWriter::new(
                    File::create(path).map_err(|e| format!("{}: {e}", path.display()))?,
                ))),
                columns: [
                    ("time", 0),
                    ("qpos", model.nq),
                    ("qvel", model.nv),
                    ("ctrl", model.nu),
                    ("sensordata", model.nsensordata),
                ]
                .map(|(name, width)| (name.to_owned(), width, Vec::new()))
                .into_iter()
                .chain(model.deformables.iter().enumerate().map(|(k, deformable)| {
                    (label(k, &deformable.name), 3 * deformable.body.len(), Vec::new())
                }))
                .collect(),
            },
            _ => return Err(format!("{}: write a .csv or .npz file", path.display()).into()),
        };
        Ok(Self { path: path.to_path_buf(), format, rows: 0 })
    }

    /// Appends the current state.
    pub(crate) fn write(&mut self, data: &Data) -> Result<(), Failure> {
        self.rows += 1;
        match &mut self.format {
            Format::Csv(file) => {
                write!(file, "{}", data.time)?;
                for x in
                    data.qpos.iter().chain(&data.qvel).chain(&data.ctrl).chain(&data.sensordata)
                {
                    write!(file, ",{x}")?;
                }
                for x in (0..data.deformable_count()).flat_map(|k| particles(data, k)) {
                    write!(file, ",{x}")?;
                }
                writeln!(file)?;
            }
            Format::Npz { columns, .. } => {
                for (k, (name, _, values)) in columns.iter_mut().enumerate() {
                    match name.as_str() {
                        "time" => values.push(data.time),
                        "qpos" => values.extend(&data.qpos),
                        "qvel" => values.extend(&data.qvel),
                        "ctrl" => values.extend(&data.ctrl),
                        "sensordata" => values.extend(&data.sensordata),
                        _ => values.extend(particles(data, k - FIRST_DEFORMABLE)),
                    }
                }
            }
        }
        Ok(())
    }

    /// Completes the file; returns a description of its contents.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        match self.format {
            Format::Csv(mut file) => file.flush()?,
            Format::Npz { mut zip, columns } => {
                for (name, width, values) in columns {
                    let shape = match name.as_str() {
                        "time" => format!("({},)", self.rows),
                        _ => format!("({}, {width})", self.rows),
                    };
                    let stored = SimpleFileOptions::default()
                        .compression_method(zip::CompressionMethod::Stored)
                        .large_file(true);
                    zip.start_file(format!("{name}.npy"), stored)?;
                    write_npy(&mut *zip, &shape, &values)?;
                }
                zip.finish()?.flush()?;
            }
        }
        Ok(format!("{} to {}", count(self.rows, "state"), self.path.display()))
    }
}

/// Writes an array of `f64` in row-major order in version 1.0 of numpy's NPY format. `shape` is a Python
/// tuple. The header is padded with spaces, so that the values begin at a multiple of 64 bytes.
fn write_npy(out: &mut impl Write, shape: &str, values: &[f64]) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    // magic, length of the header as u16, header, line feed
    let unpadded = MAGIC.len() + 2 + header.len() + 1;
    let padded = unpadded.next_multiple_of(64);
    let length = u16::try_from(padded - MAGIC.len() - 2).map_err(io::Error::other)?;
    out.write_all(MAGIC)?;
    out.write_all(&length.to_le_bytes())?;
    writeln!(out, "{header}{:width$}", "", width = padded - unpadded)?;
    values.iter().try_for_each(|x| out.write_all(&x.to_le_bytes()))?;
    out.flush()
}

/// Column names: the field, and the name or index of the element.
fn header(model: &Model) -> Vec<String> {
    let mut header = vec!["time".to_owned()];
    let mut add = |field: &str, names: Vec<String>| {
        header.extend(names.into_iter().map(|name| format!("{field} {name}")));
    };
    add("qpos", joint_names(model, &model.jnt_qposadr, model.nq));
    add("qvel", joint_names(model, &model.jnt_dofadr, model.nv));
    add("ctrl", names(model, ObjType::Actuator, model.nu));
    add("sensordata", (0..model.nsensordata).map(|i| i.to_string()).collect());
    for (k, deformable) in model.deformables.iter().enumerate() {
        let label = label(k, &deformable.name);
        let of = |i: usize| ["x", "y", "z"].map(|axis| format!("{label}[{i}].{axis}"));
        header.extend((0..deformable.body.len()).flat_map(of));
    }
    header
}

/// Number of arrays before those of the deformable bodies.
const FIRST_DEFORMABLE: usize = 5;

/// Column label of a deformable body: its name, or its index.
fn label(k: usize, name: &str) -> String {
    if name.is_empty() { format!("xpbd {k}") } else { format!("xpbd {name}") }
}

/// Particle coordinates of a deformable body.
fn particles(data: &Data, k: usize) -> impl Iterator<Item = f64> {
    let points = data.deformable(k).map_or(&[][..], |body| body.positions());
    points.iter().flat_map(|x| [x.x, x.y, x.z])
}

/// Names of `n` joint coordinates; those of joint `j` start at `adr[j]`.
pub(crate) fn joint_names(model: &Model, adr: &[i32], n: usize) -> Vec<String> {
    let joint = |i: usize| {
        let id = adr.partition_point(|&a| a as usize <= i).saturating_sub(1);
        let part = i - adr.get(id).map_or(0, |&a| a as usize);
        let name = model.id2name(ObjType::Joint, id).unwrap_or_default();
        if name.is_empty() { i.to_string() } else { format!("{name}[{part}]") }
    };
    (0..n).map(joint).collect()
}

/// Names of the `n` elements of a type; the index for unnamed elements.
pub(crate) fn names(model: &Model, kind: ObjType, n: usize) -> Vec<String> {
    let name = |i: usize| {
        let name = model.id2name(kind, i).filter(|name| !name.is_empty());
        name.map_or_else(|| i.to_string(), str::to_owned)
    };
    (0..n).map(name).collect()
}
