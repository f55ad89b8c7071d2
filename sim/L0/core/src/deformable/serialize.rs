//! Binary serialization of the deformable bodies of a model, appended to its arrays. Empty for a
//! model without deformable bodies and with default solver settings.

use super::{Attachment, Deformable, Deformables};
use crate::Model;
use sim_deformable::{Body, XpbdConfig};

/// Little-endian reader.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(invalid_length)?;
        self.0 = tail;
        Ok(head)
    }

    fn word<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (head, tail) = self.0.split_first_chunk().ok_or_else(invalid_length)?;
        self.0 = tail;
        Ok(*head)
    }

    fn number(&mut self) -> Result<f64, String> {
        self.word().map(f64::from_le_bytes)
    }

    fn numbers<const N: usize>(&mut self) -> Result<[f64; N], String> {
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Ok(numbers)
    }

    fn mask(&mut self) -> Result<i32, String> {
        self.word().map(i32::from_le_bytes)
    }

    fn index(&mut self) -> Result<usize, String> {
        usize::try_from(u64::from_le_bytes(self.word()?)).map_err(|_| invalid_length())
    }

    /// An element count, checked against the remaining bytes: each element takes at least `bytes`.
    fn count(&mut self, bytes: usize) -> Result<usize, String> {
        let count = self.index()?;
        if count <= self.0.len() / bytes { Ok(count) } else { Err(invalid_length()) }
    }

    fn deformable(&mut self) -> Result<Deformable, String> {
        let length = self.count(1)?;
        let name = String::from_utf8(self.bytes(length)?.to_vec()).map_err(|e| e.to_string())?;
        let (body, rest) = Body::from_bytes(self.0).map_err(|e| e.to_string())?;
        self.0 = rest;
        let mut attachments = Vec::new();
        for _ in 0..self.count(40)? {
            let (vertex, body, pos) = (self.index()?, self.index()?, self.numbers()?);
            attachments.push(Attachment { vertex, body, pos });
        }
        Ok(Deformable {
            name,
            body,
            attachments,
            contype: self.mask()?,
            conaffinity: self.mask()?,
            margin: self.number()?,
            solref: self.numbers()?,
            solimp: self.numbers()?,
            drag: self.number()?,
            rgba: self.numbers()?.map(|x| x as f32),
        })
    }
}

fn invalid_length() -> String {
    "impossible values in length".to_owned()
}

fn write_index(out: &mut Vec<u8>, index: usize) {
    out.extend_from_slice(&(index as u64).to_le_bytes());
}

fn write_values(out: &mut Vec<u8>, numbers: &[f64]) {
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
}

impl Deformables {
    /// Appends the deformable bodies to `out`.
    pub(crate) fn to_bytes(&self, out: &mut Vec<u8>) {
        if self.is_empty() && self.config == XpbdConfig::default() {
            return;
        }
        let XpbdConfig { substeps, damping, sleep_speed, sleep_time } = self.config;
        write_index(out, substeps);
        write_values(out, &[damping, sleep_speed, sleep_time]);
        write_index(out, self.len());
        for deformable in self.iter() {
            write_index(out, deformable.name.len());
            out.extend_from_slice(deformable.name.as_bytes());
            deformable.body.to_bytes(out);
            write_index(out, deformable.attachments.len());
            for attachment in &deformable.attachments {
                write_index(out, attachment.vertex);
                write_index(out, attachment.body);
                write_values(out, &attachment.pos);
            }
            for mask in [deformable.contype, deformable.conaffinity] {
                out.extend_from_slice(&mask.to_le_bytes());
            }
            write_values(out, &[deformable.margin]);
            write_values(out, &deformable.solref);
            write_values(out, &deformable.solimp);
            write_values(out, &[deformable.drag]);
            write_values(out, &deformable.rgba.map(f64::from));
        }
    }
}

impl Model {
    /// Restores the deformable bodies from the bytes that follow the arrays of the model.
    pub(crate) fn read_deformables(&mut self, bytes: &[u8]) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut reader = Reader(bytes);
        let substeps = reader.index()?;
        let [damping, sleep_speed, sleep_time] = reader.numbers()?;
        let valid = [damping, sleep_speed, sleep_time].iter().all(|x| *x >= 0.0 && x.is_finite());
        if !valid || !(1..=1_000_000).contains(&substeps) {
            return Err("invalid solver settings of deformable bodies".to_owned());
        }
        self.deformables.config = XpbdConfig { substeps, damping, sleep_speed, sleep_time };
        for _ in 0..reader.count(1)? {
            let deformable = reader.deformable()?;
            self.add_deformable(deformable).map_err(|e| e.to_string())?;
        }
        if reader.0.is_empty() { Ok(()) } else { Err(invalid_length()) }
    }
}
