//! AV1 encoder of `sim render -o run.mp4`.

use crate::Failure;
use crate::mp4::Track;
use rav1e::prelude::{
    ChromaSampling, ColorDescription, ColorPrimaries, Config, Context, EncoderConfig,
    EncoderStatus, FrameType, MatrixCoefficients, PixelRange, Rational, SpeedSettings,
    TransferCharacteristics,
};
use std::io::Write;

/// Speed preset, from 0 (smallest file) to 10 (fastest).
const SPEED: u8 = 9;
/// Base quantizer, from 0 (best) to 255.
const QUANTIZER: usize = 70;
/// Longest distance between key frames in seconds, which limits the time of a seek.
const KEY_FRAME_SECONDS: u64 = 4;

/// Encodes frames and keeps them until the file is written.
pub(crate) struct Av1<W> {
    context: Context<u8>,
    track: Track,
    size: [usize; 2],
    out: W,
}

impl<W: Write> Av1<W> {
    pub(crate) fn new(out: W, size: [u32; 2], fps: u32) -> Result<Self, Failure> {
        let [width, height] = size.map(|n| n as usize);
        let too_large = |_| "an MP4 file has at most 65535 x 65535 pixels";
        let track_size = [
            u16::try_from(size[0]).map_err(too_large)?,
            u16::try_from(size[1]).map_err(too_large)?,
        ];
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let encoder = EncoderConfig {
            width,
            height,
            time_base: Rational::new(1, u64::from(fps)),
            chroma_sampling: ChromaSampling::Cs420,
            pixel_range: PixelRange::Limited,
            color_description: Some(ColorDescription {
                color_primaries: ColorPrimaries::BT709,
                transfer_characteristics: TransferCharacteristics::BT709,
                matrix_coefficients: MatrixCoefficients::BT709,
            }),
            max_key_frame_interval: KEY_FRAME_SECONDS * u64::from(fps),
            min_key_frame_interval: 0,
            quantizer: QUANTIZER,
            tiles: threads,
            speed_settings: SpeedSettings::from_preset(SPEED),
            ..EncoderConfig::default()
        };
        let config = Config::new().with_encoder_config(encoder).with_threads(threads);
        let context: Context<u8> = config.new_context()?;
        let configuration = context.container_sequence_header();
        let track = Track::new(track_size, fps, configuration);
        Ok(Self { context, track, size: [width, height], out })
    }

    /// Encodes a frame of three bytes per pixel.
    pub(crate) fn frame(&mut self, rgb: &[u8]) -> Result<(), Failure> {
        let planes = subsampled(rgb, self.size);
        let mut frame = self.context.new_frame();
        let widths = [self.size[0], self.size[0].div_ceil(2), self.size[0].div_ceil(2)];
        for ((plane, values), width) in frame.planes.iter_mut().zip(&planes).zip(widths) {
            plane.copy_from_raw_u8(values, width, 1);
        }
        self.context.send_frame(frame)?;
        self.receive()
    }

    /// Encodes the remaining frames and writes the file.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.context.flush();
        self.receive()?;
        Ok(self.track.write(&mut self.out)?)
    }

    /// Appends the temporal units that are complete.
    fn receive(&mut self) -> Result<(), Failure> {
        loop {
            match self.context.receive_packet() {
                Ok(packet) => self.track.push(&packet.data, packet.frame_type == FrameType::KEY),
                Err(EncoderStatus::Encoded) => {}
                Err(EncoderStatus::NeedMoreData | EncoderStatus::LimitReached) => return Ok(()),
                Err(error) => return Err(format!("the video cannot be encoded: {error}").into()),
            }
        }
    }
}

/// Luma, and both chroma planes at half resolution, of ITU-R BT.709 with limited range.
fn subsampled(rgb: &[u8], [width, height]: [usize; 2]) -> [Vec<u8>; 3] {
    const R: f32 = 0.2126;
    const G: f32 = 0.7152;
    const B: f32 = 0.0722;
    let pixels = rgb.as_chunks::<3>().0;
    let value = |p: &[u8; 3]| R * f32::from(p[0]) + G * f32::from(p[1]) + B * f32::from(p[2]);
    let luma = pixels.iter().map(|p| (16.0 + 219.0 / 255.0 * value(p)).round() as u8).collect();
    let [columns, rows] = [width.div_ceil(2), height.div_ceil(2)];
    let mut chroma = [const { Vec::new() }; 2];
    for y in 0..rows {
        for x in 0..columns {
            // the mean of up to four pixels
            let mut sum = [0.0; 3];
            let mut count = 0.0;
            for row in 2 * y..(2 * y + 2).min(height) {
                for p in &pixels[row * width + 2 * x..row * width + (2 * x + 2).min(width)] {
                    sum = [0, 1, 2].map(|k| sum[k] + f32::from(p[k]));
                    count += 1.0;
                }
            }
            let [r, g, b] = sum.map(|x| x / count);
            let light = R * r + G * g + B * b;
            for (plane, difference) in
                chroma.iter_mut().zip([(b - light) / (1.0 - B), (r - light) / (1.0 - R)])
            {
                plane.push((128.0 + 112.0 / 255.0 * difference).round() as u8);
            }
        }
    }
    let [u, v] = chroma;
    [luma, u, v]
}

#[cfg(test)]
mod tests {
    use super::{Av1, subsampled};

    #[test]
    fn primary_colors_have_the_values_of_the_standard() {
        let planes = |rgb: [u8; 3]| subsampled(&rgb, [1, 1]).map(|plane| plane[0]);
        assert_eq!(planes([255, 255, 255]), [235, 128, 128]);
        assert_eq!(planes([0, 0, 0]), [16, 128, 128]);
        assert_eq!(planes([255, 0, 0]), [63, 102, 240]);
        assert_eq!(planes([0, 0, 255]), [32, 240, 118]);
    }

    #[test]
    fn every_frame_becomes_a_sample() {
        let mut file = Vec::new();
        let mut video = Av1::new(&mut file, [33, 17], 10).unwrap();
        for k in 0..12_u8 {
            video.frame(&[20 * k; 3 * 33 * 17]).unwrap();
        }
        video.finish().unwrap();
        // the sample table counts twelve frames
        let at = file.windows(4).position(|window| window == b"stsz").unwrap();
        assert_eq!(file[at + 12..at + 16], 12_u32.to_be_bytes());
        assert_eq!(&file[4..12], b"ftypisom");
    }
}
