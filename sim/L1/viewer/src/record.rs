//! Files of images: PNG for screenshots, animated PNG for videos.

use crate::ViewerError;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// An image.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Image {
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// Pixels in row-major order from the top left corner: RGB, 8 bits per channel.
    pub rgb: Vec<u8>,
}

fn failed(path: &Path, reason: impl ToString) -> ViewerError {
    ViewerError::Write { path: path.display().to_string(), reason: reason.to_string() }
}

/// Writes an image to a PNG file.
pub(crate) fn write_png(path: &Path, image: &Image) -> Result<(), ViewerError> {
    let write = || -> Result<(), Box<dyn std::error::Error>> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, image.size[0], image.size[1]);
        encoder.set_color(png::ColorType::Rgb);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&image.rgb)?;
        Ok(writer.finish()?)
    };
    write().map_err(|error| failed(path, error))
}

/// A video that is written on a thread.
pub(crate) struct Recorder {
    path: PathBuf,
    size: [u32; 2],
    frames: Option<SyncSender<(Image, Instant)>>,
    last: Option<Instant>,
    thread: Option<JoinHandle<Result<u32, ViewerError>>>,
    dropped: u32,
}

/// Frames that may wait for the encoder.
const QUEUE: usize = 8;
/// Shortest time between two frames.
const PERIOD: Duration = Duration::from_millis(33);

impl Recorder {
    /// Starts an animated PNG file for images of one size.
    pub(crate) fn start(path: &Path, size: [u32; 2]) -> Result<Self, ViewerError> {
        let file = File::create(path).map_err(|error| failed(path, error))?;
        let (sender, receiver) = sync_channel::<(Image, Instant)>(QUEUE);
        let target = path.to_owned();
        let encode = move || {
            let write = || -> Result<u32, Box<dyn std::error::Error>> {
                let mut out = BufWriter::new(file);
                let mut encoder = png::Encoder::new(&mut out, size[0], size[1]);
                encoder.set_color(png::ColorType::Rgb);
                encoder.set_compression(png::Compression::Fast);
                // the number of frames is corrected at the end
                encoder.set_animated(MAX_FRAMES, 0)?;
                let mut writer = encoder.write_header()?;
                let mut count = 0;
                let mut write =
                    |image: &Image, duration: Duration| -> Result<(), png::EncodingError> {
                        if count < MAX_FRAMES {
                            let delay = u16::try_from(duration.as_millis()).unwrap_or(u16::MAX);
                            writer.set_frame_delay(delay, 1000)?;
                            writer.write_image_data(&image.rgb)?;
                            count += 1;
                        }
                        Ok(())
                    };
                // a frame is shown until the next one
                let mut pending: Option<(Image, Instant)> = None;
                for (image, at) in receiver {
                    if let Some((shown, since)) = pending.replace((image, at)) {
                        write(&shown, at.saturating_duration_since(since))?;
                    }
                }
                if let Some((shown, _)) = pending {
                    write(&shown, PERIOD)?;
                }
                // an unfinished animation is reported as an error, but the end of the file is written
                drop(writer);
                patch_frames(&mut out, count)?;
                Ok(count)
            };
            write().map_err(|error| failed(&target, error))
        };
        let thread = std::thread::Builder::new().name("recorder".to_owned()).spawn(encode);
        let thread = thread.map_err(|error| failed(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            size,
            frames: Some(sender),
            last: None,
            thread: Some(thread),
            dropped: 0,
        })
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Size of the images.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Whether it is time for the next image.
    pub(crate) fn is_due(&self, now: Instant) -> bool {
        self.last.is_none_or(|last| now.saturating_duration_since(last) >= PERIOD)
    }

    /// Appends an image; it is dropped if its size differs or the encoder is too slow.
    pub(crate) fn push(&mut self, image: Image, now: Instant) {
        let sent = match &self.frames {
            Some(frames) if image.size == self.size => frames.try_send((image, now)),
            _ => Err(TrySendError::Full((image, now))),
        };
        match sent {
            Ok(()) => self.last = Some(now),
            Err(_) => self.dropped += 1,
        }
    }

    /// Completes the file; returns the number of frames and of dropped images.
    pub(crate) fn finish(mut self) -> Result<(u32, u32), ViewerError> {
        let count = self.join()?;
        Ok((count, self.dropped))
    }

    fn join(&mut self) -> Result<u32, ViewerError> {
        self.frames = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(result)) => result,
            _ => Err(failed(&self.path, "the encoder stopped unexpectedly")),
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.join();
        }
    }
}

/// Most frames of a video.
const MAX_FRAMES: u32 = 1_000_000;
/// Offset of the chunk `acTL`, which follows the signature and the chunk `IHDR`.
const ACTL: u64 = 8 + 25;

/// Writes the number of frames of an animated PNG file.
fn patch_frames(out: &mut BufWriter<File>, count: u32) -> std::io::Result<()> {
    let mut chunk = *b"acTL\0\0\0\0\0\0\0\0";
    chunk[4..8].copy_from_slice(&count.max(1).to_be_bytes());
    out.seek(SeekFrom::Start(ACTL + 4))?;
    out.write_all(&chunk)?;
    out.write_all(&crc32fast::hash(&chunk).to_be_bytes())?;
    out.seek(SeekFrom::End(0))?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::{Image, Recorder, write_png};
    use std::time::{Duration, Instant};

    #[test]
    fn a_video_has_the_number_of_its_frames() {
        let path = std::env::temp_dir().join(format!("sim-viewer-{}.apng", std::process::id()));
        let mut recorder = Recorder::start(&path, [4, 2]).expect("writable");
        let start = Instant::now();
        for k in 0..5_u8 {
            let at = start + Duration::from_millis(40) * u32::from(k);
            assert!(recorder.is_due(at));
            recorder.push(Image { size: [4, 2], rgb: vec![k; 24] }, at);
            assert!(!recorder.is_due(at));
        }
        recorder.push(Image { size: [1, 1], rgb: vec![0; 3] }, start);
        assert_eq!(recorder.finish().expect("written"), (5, 1));
        let file = std::fs::File::open(&path).expect("a file");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().expect("PNG");
        assert_eq!(reader.info().animation_control().map(|a| a.num_frames), Some(5));
        let mut buffer = vec![0; 24];
        for k in 0..5_u8 {
            reader.next_frame(&mut buffer).expect("a frame");
            assert_eq!(buffer, vec![k; 24]);
        }
        std::fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error() {
        let image = Image { size: [1, 1], rgb: vec![0; 3] };
        let error = write_png("/no/such/folder/a.png".as_ref(), &image).expect_err("no folder");
        assert!(error.to_string().starts_with("/no/such/folder/a.png: "), "{error}");
        assert!(Recorder::start("/no/such/folder/a.png".as_ref(), [1, 1]).is_err());
    }
}
