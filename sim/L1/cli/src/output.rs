//! Trajectory files: CSV for people and spreadsheets, NPZ for numpy.

use crate::Failure;
use npyz::WriterBuilder;
use npyz::npz::NpzWriter;
use sim_physics::types::ObjType;
use sim_physics::{Data, Model};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A trajectory being written.
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    rows: u64,
}

enum Kind {
    /// One line a step.
    Csv(BufWriter<File>),
    /// Arrays collected until the end, because an archive holds whole arrays.
    Npz { zip: Box<NpzWriter<BufWriter<File>>>, columns: Vec<Column> },
}

/// An array of an archive: its name, the length of a row, and the rows.
type Column = (String, usize, Vec<f64>);

impl Output {
    /// Opens the file; its extension decides the format.
    pub(crate) fn create(path: &Path, model: &Model) -> Result<Self, Failure> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let kind = match extension {
            "csv" => {
                let file = File::create(path).map_err(|e| format!("{}: {e}", path.display()))?;
                let mut file = BufWriter::new(file);
                writeln!(file, "{}", header(model).join(","))?;
                Kind::Csv(file)
            }
            "npz" => Kind::Npz {
                zip: Box::new(
                    NpzWriter::create(path).map_err(|e| format!("{}: {e}", path.display()))?,
                ),
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
        Ok(Self { path: path.to_path_buf(), kind, rows: 0 })
    }

    /// Appends the current state.
    pub(crate) fn write(&mut self, data: &Data) -> Result<(), Failure> {
        self.rows += 1;
        match &mut self.kind {
            Kind::Csv(file) => {
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
            Kind::Npz { columns, .. } => {
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

    /// Completes the file and tells what it holds.
    pub(crate) fn finish(self) -> Result<String, Failure> {
        match self.kind {
            Kind::Csv(mut file) => file.flush()?,
            Kind::Npz { mut zip, columns } => {
                for (name, width, values) in columns {
                    let shape = if name == "time" {
                        vec![self.rows]
                    } else {
                        vec![self.rows, width as u64]
                    };
                    let mut array = zip
                        .array(&name, Default::default())?
                        .default_dtype()
                        .shape(&shape)
                        .begin_nd()?;
                    array.extend(values)?;
                    array.finish()?;
                }
            }
        }
        Ok(format!("{} states to {}", self.rows, self.path.display()))
    }
}

/// Column names: the field, and the name of the element where it has one.
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

/// Columns before those of deformable bodies.
const FIRST_DEFORMABLE: usize = 5;

/// The columns of a deformable body: by its name, or its number.
fn label(k: usize, name: &str) -> String {
    if name.is_empty() { format!("xpbd {k}") } else { format!("xpbd {name}") }
}

/// Coordinates of the particles of a deformable body.
fn particles(data: &Data, k: usize) -> impl Iterator<Item = f64> {
    let points = data.deformable(k).map_or(&[][..], |body| body.positions());
    points.iter().flat_map(|x| [x.x, x.y, x.z])
}

/// A name for each of `count` numbers of joints that start at `adr`.
pub(crate) fn joint_names(model: &Model, adr: &[i32], count: usize) -> Vec<String> {
    let joint = |i: usize| {
        let id = adr.partition_point(|&a| a as usize <= i).saturating_sub(1);
        let part = i - adr.get(id).map_or(0, |&a| a as usize);
        let name = model.id2name(ObjType::Joint, id).unwrap_or_default();
        if name.is_empty() { i.to_string() } else { format!("{name}[{part}]") }
    };
    (0..count).map(joint).collect()
}

/// The names of all elements of a kind; a number for those without.
pub(crate) fn names(model: &Model, kind: ObjType, count: usize) -> Vec<String> {
    let name = |i: usize| {
        let name = model.id2name(kind, i).filter(|name| !name.is_empty());
        name.map_or_else(|| i.to_string(), str::to_owned)
    };
    (0..count).map(name).collect()
}
