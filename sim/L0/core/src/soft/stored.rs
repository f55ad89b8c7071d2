//! The deformable bodies of a compiled model, as bytes after its arrays. There are none where a model has
//! no deformable bodies and the usual settings.

use super::{Attachment, Deformable, Deformables};
use crate::Model;
use sim_deformable::{Body, XpbdConfig};

/// Bytes that are read from front to back.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, n: usize) -> Result<&'a [u8], String> {
        let (head, tail) = self.0.split_at_checked(n).ok_or_else(short)?;
        self.0 = tail;
        Ok(head)
    }

    fn word<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (head, tail) = self.0.split_first_chunk().ok_or_else(short)?;
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
        usize::try_from(u64::from_le_bytes(self.word()?)).map_err(|_| short())
    }

    /// How many of something follow, each of so many bytes at least.
    fn count(&mut self, bytes: usize) -> Result<usize, String> {
        let count = self.index()?;
        if count <= self.0.len() / bytes { Ok(count) } else { Err(short()) }
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
        })
    }
}

fn short() -> String {
    "impossible values in length".to_owned()
}

fn put_index(out: &mut Vec<u8>, index: usize) {
    out.extend_from_slice(&(index as u64).to_le_bytes());
}

fn put(out: &mut Vec<u8>, numbers: &[f64]) {
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
}

impl Deformables {
    /// Appends them to `out`.
    pub(crate) fn to_bytes(&self, out: &mut Vec<u8>) {
        if self.is_empty() && self.config == XpbdConfig::default() {
            return;
        }
        let XpbdConfig { substeps, damping, sleep_speed, sleep_time } = self.config;
        put_index(out, substeps);
        put(out, &[damping, sleep_speed, sleep_time]);
        put_index(out, self.len());
        for one in self.iter() {
            put_index(out, one.name.len());
            out.extend_from_slice(one.name.as_bytes());
            one.body.to_bytes(out);
            put_index(out, one.attachments.len());
            for attachment in &one.attachments {
                put_index(out, attachment.vertex);
                put_index(out, attachment.body);
                put(out, &attachment.pos);
            }
            for mask in [one.contype, one.conaffinity] {
                out.extend_from_slice(&mask.to_le_bytes());
            }
            put(out, &[one.margin]);
            put(out, &one.solref);
            put(out, &one.solimp);
            put(out, &[one.drag]);
        }
    }
}

impl Model {
    /// Adds the deformable bodies of a model that is otherwise complete, from what follows its arrays.
    pub(crate) fn read_deformables(&mut self, bytes: &[u8]) -> Result<(), String> {
        if bytes.is_empty() {
            return Ok(());
        }
        let mut reader = Reader(bytes);
        let substeps = reader.index()?;
        let [damping, sleep_speed, sleep_time] = reader.numbers()?;
        let good = [damping, sleep_speed, sleep_time].iter().all(|x| *x >= 0.0 && x.is_finite());
        if !good || !(1..=1_000_000).contains(&substeps) {
            return Err("impossible settings of deformable bodies".to_owned());
        }
        self.deformables.config = XpbdConfig { substeps, damping, sleep_speed, sleep_time };
        for _ in 0..reader.count(1)? {
            let deformable = reader.deformable()?;
            self.add_deformable(deformable).map_err(|e| e.to_string())?;
        }
        if reader.0.is_empty() { Ok(()) } else { Err(short()) }
    }
}
