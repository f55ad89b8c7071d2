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
    Npz { zip: Box<NpzWriter<BufWriter<File>>>, columns: Vec<(&'static str, usize, Vec<f64>)> },
}

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
                .map(|(name, width)| (name, width, Vec::new()))
                .to_vec(),
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
                writeln!(file)?;
            }
            Kind::Npz { columns, .. } => {
                for (name, _, values) in columns {
                    match *name {
                        "time" => values.push(data.time),
                        "qpos" => values.extend(&data.qpos),
                        "qvel" => values.extend(&data.qvel),
                        "ctrl" => values.extend(&data.ctrl),
                        _ => values.extend(&data.sensordata),
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
                        .array(name, Default::default())?
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
    let mut names = vec!["time".to_owned()];
    let joint = |adr: &[i32], i: usize| {
        let id = adr.partition_point(|&a| a as usize <= i).saturating_sub(1);
        let part = i - adr.get(id).map_or(0, |&a| a as usize);
        let name = model.id2name(ObjType::Joint, id).unwrap_or_default().to_owned();
        if name.is_empty() { i.to_string() } else { format!("{name}[{part}]") }
    };
    names.extend((0..model.nq).map(|i| format!("qpos {}", joint(&model.jnt_qposadr, i))));
    names.extend((0..model.nv).map(|i| format!("qvel {}", joint(&model.jnt_dofadr, i))));
    for i in 0..model.nu {
        let name = model.id2name(ObjType::Actuator, i).unwrap_or_default();
        names.push(format!(
            "ctrl {}",
            if name.is_empty() { i.to_string() } else { name.to_owned() }
        ));
    }
    names.extend((0..model.nsensordata).map(|i| format!("sensordata {i}")));
    names
}
