//! Video files: animated PNG, GIF, uncompressed YUV4MPEG2 streams, and AV1 in MP4.

use crate::Failure;
use sim_physics::render::Picture;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Encodes frames one after the other.
trait Encoder {
    fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure>;
    fn finish(self: Box<Self>) -> Result<(), Failure>;
}

/// A video that is being written.
pub(crate) struct Video(Box<dyn Encoder>);

/// Extension of a file name; `y4m` for standard output.
fn format(path: &Path) -> &str {
    match path.as_os_str() == "-" {
        true => "y4m",
        false => path.extension().and_then(|extension| extension.to_str()).unwrap_or(""),
    }
}

impl Video {
    /// Whether the file name is that of a video.
    pub(crate) fn is_supported(path: &Path) -> bool {
        matches!(format(path), "apng" | "gif" | "y4m" | "mp4")
    }

    /// Whether the video may have fewer frames than announced.
    pub(crate) fn may_end_early(path: &Path) -> bool {
        format(path) != "apng"
    }

    /// Creates a video file in the format of its extension.
    pub(crate) fn create(
        path: &Path,
        size: [u32; 2],
        fps: u32,
        frames: u64,
    ) -> Result<Self, Failure> {
        let file = || -> Result<BufWriter<File>, Failure> {
            let file =
                File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Ok(BufWriter::new(file))
        };
        Ok(Self(match format(path) {
            "apng" => Box::new(Apng::new(file()?, size, fps, frames)?),
            "gif" => Box::new(Gif::new(file()?, size, fps)?),
            #[cfg(feature = "mp4")]
            "mp4" => Box::new(crate::av1::Av1::new(file()?, size, fps)?),
            #[cfg(not(feature = "mp4"))]
            "mp4" => {
                return Err("this program was built without the video encoder; build it with \
                    `cargo build --release -p sim-cli --features mp4`, or write an .apng or .gif file"
                    .into());
            }
            _ if path.as_os_str() == "-" => Box::new(Y4m::new(io::stdout(), size, fps)?),
            _ => Box::new(Y4m::new(file()?, size, fps)?),
        }))
    }

    /// Appends a frame.
    pub(crate) fn write(&mut self, picture: &Picture) -> Result<(), Failure> {
        self.0.frame(&picture.rgb)
    }

    /// Completes the file.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        self.0.finish()
    }
}

#[cfg(feature = "mp4")]
impl Encoder for crate::av1::Av1<BufWriter<File>> {
    fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure> {
        self.frame(rgb)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        (*self).finish()
    }
}

struct Apng(png::Writer<BufWriter<File>>);

impl Apng {
    fn new(file: BufWriter<File>, size: [u32; 2], fps: u32, frames: u64) -> Result<Self, Failure> {
        let mut encoder = png::Encoder::new(file, size[0], size[1]);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_animated(u32::try_from(frames)?, 0)?;
        encoder.set_frame_delay(1, u16::try_from(fps)?)?;
        Ok(Self(encoder.write_header()?))
    }
}

impl Encoder for Apng {
    fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure> {
        Ok(self.0.write_image_data(rgb)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(self.0.finish()?)
    }
}

struct Gif {
    encoder: gif::Encoder<BufWriter<File>>,
    size: [u16; 2],
    fps: u32,
    frames: u32,
}

impl Gif {
    fn new(file: BufWriter<File>, size: [u32; 2], fps: u32) -> Result<Self, Failure> {
        let too_large = |_| "a GIF has at most 65535 x 65535 pixels";
        let size = [
            u16::try_from(size[0]).map_err(too_large)?,
            u16::try_from(size[1]).map_err(too_large)?,
        ];
        let mut encoder = gif::Encoder::new(file, size[0], size[1], &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self { encoder, size, fps, frames: 0 })
    }
}

impl Encoder for Gif {
    fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure> {
        let mut frame = gif::Frame::from_rgb_speed(self.size[0], self.size[1], rgb, 10);
        // delays are whole hundredths of a second, so that rounding errors must not add up
        let end = |frames: u32| (100 * frames + self.fps / 2) / self.fps;
        frame.delay = u16::try_from(end(self.frames + 1) - end(self.frames))?;
        self.frames += 1;
        Ok(self.encoder.write_frame(&frame)?)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        self.encoder.into_inner()?.flush()?;
        Ok(())
    }
}

struct Y4m<W> {
    out: W,
    size: [usize; 2],
    planes: Vec<u8>,
}

impl<W: Write> Y4m<W> {
    fn new(mut out: W, size: [u32; 2], fps: u32) -> Result<Self, Failure> {
        let [width, height] = size;
        writeln!(out, "YUV4MPEG2 W{width} H{height} F{fps}:1 Ip A1:1 C444")?;
        Ok(Self { out, size: size.map(|n| n as usize), planes: Vec::new() })
    }
}

impl<W: Write> Encoder for Y4m<W> {
    /// Converts to luma and chroma of ITU-R BT.601 with limited range.
    fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure> {
        let pixels = self.size[0] * self.size[1];
        self.planes.resize(3 * pixels, 0);
        for (i, p) in rgb.as_chunks::<3>().0.iter().enumerate() {
            let [r, g, b] = p.map(|x| f32::from(x) / 255.0);
            let y = 0.299 * r + 0.587 * g + 0.114 * b;
            self.planes[i] = (16.0 + 219.0 * y).round() as u8;
            self.planes[pixels + i] = (128.0 + 224.0 * 0.5 * (b - y) / (1.0 - 0.114)).round() as u8;
            self.planes[2 * pixels + i] =
                (128.0 + 224.0 * 0.5 * (r - y) / (1.0 - 0.299)).round() as u8;
        }
        self.out.write_all(b"FRAME\n")?;
        Ok(self.out.write_all(&self.planes)?)
    }

    fn finish(mut self: Box<Self>) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}
