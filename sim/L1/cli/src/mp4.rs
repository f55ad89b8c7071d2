//! Writer of MP4 files with one AV1 video track (ISO/IEC 14496-12, and the AV1 binding of AOMedia).
//!
//! The file is `ftyp`, `moov`, `mdat`: the tables precede the samples, so that a browser starts to play before
//! the whole file is loaded.

use std::io::{self, Write};

/// A video track whose samples have the same duration.
#[derive(Default)]
pub(crate) struct Track {
    /// Width and height in pixels.
    size: [u16; 2],
    /// Samples per second.
    rate: u32,
    /// AV1 codec configuration record, without configuration OBUs.
    configuration: Vec<u8>,
    samples: Vec<Vec<u8>>,
    /// Numbers of the key frames, from 1.
    key_frames: Vec<u32>,
}

/// OBU types: sequence header and temporal delimiter.
const OBU_SEQUENCE_HEADER: u8 = 1;
const OBU_TEMPORAL_DELIMITER: u8 = 2;

impl Track {
    /// A track without samples: width and height in pixels, samples per second, and the AV1 codec configuration
    /// record without configuration OBUs.
    pub(crate) fn new(size: [u16; 2], rate: u32, configuration: Vec<u8>) -> Self {
        Self { size, rate, configuration, ..Self::default() }
    }

    /// Appends a temporal unit. Temporal delimiters are not part of a sample.
    pub(crate) fn push(&mut self, unit: &[u8], key_frame: bool) {
        let kept = obus(unit).filter(|(kind, _)| *kind != OBU_TEMPORAL_DELIMITER);
        self.samples.push(kept.flat_map(|(_, obu)| obu).copied().collect());
        if key_frame {
            self.key_frames.push(self.samples.len() as u32);
        }
    }

    /// Writes the file.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        // major brand and version, then compatible brands
        let version = 0x200_u32.to_be_bytes();
        let file_type =
            container(b"ftyp", &[b"isom", &version, b"isom", b"iso6", b"av01", b"mp41"]);
        let length: usize = self.samples.iter().map(Vec::len).sum();
        // 64-bit size of the samples; the offset of the first one follows from the length of the tables
        let header = 16;
        let tables = self.movie(0).len();
        let movie = self.movie((file_type.len() + tables + header) as u64);
        out.write_all(&file_type)?;
        out.write_all(&movie)?;
        out.write_all(&1_u32.to_be_bytes())?;
        out.write_all(b"mdat")?;
        out.write_all(&((length + header) as u64).to_be_bytes())?;
        self.samples.iter().try_for_each(|sample| out.write_all(sample))?;
        out.flush()
    }

    fn movie(&self, first_sample: u64) -> Vec<u8> {
        let duration = (self.samples.len() as u32).to_be_bytes();
        let rate = self.rate.to_be_bytes();
        // rate 1, volume 1, identity matrix, next track 2
        let movie_header = full(
            b"mvhd",
            0,
            &[&[0; 8], &rate, &duration, &[0, 1, 0, 0, 1, 0], &[0; 10], &MATRIX, &[0; 24], &two()],
        );
        let [width, height] = self.size.map(|n| (u32::from(n) << 16).to_be_bytes());
        // enabled and part of the presentation; track 1
        let track_header = full(
            b"tkhd",
            3,
            &[&[0; 8], &[0, 0, 0, 1], &[0; 4], &duration, &[0; 16], &MATRIX, &width, &height],
        );
        // language: undetermined
        let media_header = full(b"mdhd", 0, &[&[0; 8], &rate, &duration, &[0x55, 0xc4, 0, 0]]);
        let handler = full(b"hdlr", 0, &[&[0; 4], b"vide", &[0; 12], b"video\0"]);
        let video_header = full(b"vmhd", 1, &[&[0; 8]]);
        let reference = full(b"dref", 0, &[&[0, 0, 0, 1], &full(b"url ", 1, &[])]);
        let data = container(b"dinf", &[&reference]);
        let information =
            container(b"minf", &[&video_header, &data, &self.sample_table(first_sample)]);
        let media = container(b"mdia", &[&media_header, &handler, &information]);
        let track = container(b"trak", &[&track_header, &media]);
        container(b"moov", &[&movie_header, &track])
    }

    fn sample_table(&self, first_sample: u64) -> Vec<u8> {
        let count = (self.samples.len() as u32).to_be_bytes();
        let one = 1_u32.to_be_bytes();
        let description = full(b"stsd", 0, &[&one, &self.sample_entry()]);
        let times = full(b"stts", 0, &[&one, &count, &one]);
        let keys: Vec<u8> = self.key_frames.iter().flat_map(|n| n.to_be_bytes()).collect();
        let key_count = (self.key_frames.len() as u32).to_be_bytes();
        let key_frames = full(b"stss", 0, &[&key_count, &keys]);
        // all samples are one chunk
        let chunks = full(b"stsc", 0, &[&one, &one, &count, &one]);
        let sizes: Vec<u8> =
            self.samples.iter().flat_map(|sample| (sample.len() as u32).to_be_bytes()).collect();
        let sizes = full(b"stsz", 0, &[&[0; 4], &count, &sizes]);
        let offsets = full(b"co64", 0, &[&one, &first_sample.to_be_bytes()]);
        container(b"stbl", &[&description, &times, &key_frames, &chunks, &sizes, &offsets])
    }

    fn sample_entry(&self) -> Vec<u8> {
        let [width, height] = self.size.map(u16::to_be_bytes);
        // 72 pixels per inch, one frame per sample, 24 bits per pixel
        let resolution = [0, 72, 0, 0, 0, 72, 0, 0];
        let first = self.samples.first().map_or(&[][..], Vec::as_slice);
        let sequence: Vec<u8> = obus(first)
            .filter(|(kind, _)| *kind == OBU_SEQUENCE_HEADER)
            .flat_map(|(_, obu)| obu)
            .copied()
            .collect();
        let configuration = container(b"av1C", &[&self.configuration, &sequence]);
        // primaries, transfer function and matrix of BT.709, limited range
        let color = container(b"colr", &[b"nclx", &[0, 1, 0, 1, 0, 1, 0]]);
        container(
            b"av01",
            &[
                &[0; 6],
                &[0, 1],
                &[0; 16],
                &width,
                &height,
                &resolution,
                &[0; 4],
                &[0, 1],
                &[0; 32],
                &[0, 24, 0xff, 0xff],
                &configuration,
                &color,
            ],
        )
    }
}

/// The identity as a transformation matrix in fixed point.
const MATRIX: [u8; 36] = {
    let mut matrix = [0; 36];
    matrix[1] = 1;
    matrix[17] = 1;
    matrix[32] = 0x40;
    matrix
};

const fn two() -> [u8; 4] {
    2_u32.to_be_bytes()
}

/// A box: size, type, contents.
fn container(kind: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let length = 8 + parts.iter().map(|part| part.len()).sum::<usize>();
    let mut bytes = Vec::with_capacity(length);
    bytes.extend((length as u32).to_be_bytes());
    bytes.extend(kind);
    parts.iter().for_each(|part| bytes.extend(*part));
    bytes
}

/// A box of version 0 with flags.
fn full(kind: &[u8; 4], flags: u32, parts: &[&[u8]]) -> Vec<u8> {
    container(kind, &[&flags.to_be_bytes(), &parts.concat()])
}

/// The OBUs of a temporal unit: type, and all bytes. Every OBU has a size field.
fn obus(unit: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    let mut rest = unit;
    std::iter::from_fn(move || {
        let header = *rest.first()?;
        let extension = usize::from(header >> 2 & 1);
        let (mut size, mut at) = (0, 1 + extension);
        // little-endian base 128
        for shift in (0..56).step_by(7) {
            let byte = *rest.get(at)?;
            size |= usize::from(byte & 127) << shift;
            at += 1;
            if byte & 128 == 0 {
                break;
            }
        }
        let (obu, tail) = rest.split_at_checked(at + size)?;
        rest = tail;
        Some((header >> 3 & 15, obu))
    })
}

#[cfg(test)]
mod tests {
    use super::Track;

    /// Boxes below a slice: type and contents.
    fn boxes(mut bytes: &[u8]) -> Vec<(String, &[u8])> {
        let mut out = Vec::new();
        while !bytes.is_empty() {
            let word = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            // size 1: a 64-bit size follows the type
            let (size, header) = match word(0) {
                1 => (word(12) as usize, 16),
                size => (size as usize, 8),
            };
            let kind = String::from_utf8(bytes[4..8].to_vec()).unwrap();
            out.push((kind, &bytes[header..size]));
            bytes = &bytes[size..];
        }
        out
    }

    fn find<'a>(bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
        path.iter().fold(bytes, |bytes, kind| {
            let all = boxes(bytes);
            let found = all.into_iter().find(|(name, _)| name == kind);
            found.unwrap_or_else(|| panic!("no box {kind}")).1
        })
    }

    #[test]
    fn boxes_describe_the_samples() {
        let mut track = Track::new([64, 48], 25, vec![0x81, 0, 0, 0]);
        // temporal delimiter, sequence header with one byte, frame with two bytes
        track.push(&[0x12, 0, 0x0a, 1, 7, 0x32, 2, 8, 9], true);
        track.push(&[0x12, 0, 0x32, 1, 5], false);
        let mut file = Vec::new();
        track.write(&mut file).unwrap();

        let names: Vec<String> = boxes(&file).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["ftyp", "moov", "mdat"]);
        assert_eq!(find(&file, &["mdat"]), [0x0a, 1, 7, 0x32, 2, 8, 9, 0x32, 1, 5]);
        let table = find(&file, &["moov", "trak", "mdia", "minf", "stbl"]);
        // version and flags, one entry
        let entry = find(&find(table, &["stsd"])[8..], &["av01"]);
        assert_eq!(entry[24..28], [0, 64, 0, 48]);
        assert_eq!(find(&entry[78..], &["av1C"]), [0x81, 0, 0, 0, 0x0a, 1, 7]);
        assert_eq!(find(table, &["stsz"])[4..], [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 3]);
        assert_eq!(find(table, &["stss"])[4..], [0, 0, 0, 1, 0, 0, 0, 1]);
        let offset = u64::from_be_bytes(find(table, &["co64"])[8..].try_into().unwrap()) as usize;
        assert_eq!(file[offset..offset + 3], [0x0a, 1, 7]);
        // 2 samples at 25 per second
        let media = find(&file, &["moov", "trak", "mdia", "mdhd"]);
        assert_eq!(media[12..20], [0, 0, 0, 25, 0, 0, 0, 2]);
    }

    #[test]
    fn damaged_units_end_without_a_panic() {
        let mut track = Track::default();
        track.push(&[0x32, 200, 1], true);
        track.push(&[0x32, 0xff, 0xff], false);
        assert!(track.samples.iter().all(Vec::is_empty));
    }
}
