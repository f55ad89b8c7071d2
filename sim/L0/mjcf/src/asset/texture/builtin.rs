//! Builtin textures (mjCTexture::Builtin2D, BuiltinCube): gradient, checker, flat, with marks.

use super::{Mark, Pattern, Texture, TextureOptions, TextureType, bytes, size};
use crate::asset::error::AssetError;
use std::f64::consts::FRAC_PI_2;

/// Makes a builtin texture.
pub(super) fn make(options: &TextureOptions, pattern: Pattern) -> Result<Texture, AssetError> {
    let positive = |n: i64, what: &str| {
        usize::try_from(n).ok().filter(|n| *n > 0).ok_or_else(|| {
            AssetError::invalid(format!("a builtin texture requires a positive {what}, found {n}"))
        })
    };
    let flat = options.kind == TextureType::TwoD;
    let width = positive(options.width, "width")?;
    let height = if flat { positive(options.height, "height")? } else { width.saturating_mul(6) };
    if options.nchannel < 3 {
        return Err(AssetError::invalid("a builtin texture requires nchannel 3 or more"));
    }
    let mut data = vec![0; size(width, height, options.nchannel)?];
    // Patterns have three bytes per pixel; with more channels the rest of the data stays zero.
    let pixels = data[..3 * width * height].as_chunks_mut::<3>().0;
    let faces: Vec<&mut [[u8; 3]]> =
        if flat { vec![pixels] } else { pixels.chunks_exact_mut(width * width).collect() };
    for (face, pixels) in faces.into_iter().enumerate() {
        let mut image = Face { width, height: if flat { height } else { width }, pixels };
        image.fill(options, pattern, (!flat).then_some(face));
        image.draw_mark(options);
    }
    if options.mark == Mark::Random && options.random > 0.0 {
        draw_random_dots(&mut data[..3 * width * height], options);
    }
    Ok(Texture {
        kind: options.kind,
        colorspace: options.colorspace,
        height,
        width,
        nchannel: options.nchannel,
        data,
    })
}

/// A 2D texture or one face of a cube.
struct Face<'a> {
    width: usize,
    height: usize,
    pixels: &'a mut [[u8; 3]],
}

impl Face<'_> {
    /// Draws the pattern; cube faces are right, left, up, down, front, back.
    fn fill(&mut self, options: &TextureOptions, pattern: Pattern, face: Option<usize>) {
        let (one, two) = (bytes(options.rgb1), bytes(options.rgb2));
        match (pattern, face) {
            (Pattern::Gradient, face) => self.gradient(options, face),
            (Pattern::Checker, Some(4 | 5)) => self.checker(two, one),
            (Pattern::Checker, _) => self.checker(one, two),
            (Pattern::Flat, Some(3)) => self.pixels.fill(two),
            (Pattern::Flat, _) => self.pixels.fill(one),
        }
    }

    fn checker(&mut self, one: [u8; 3], two: [u8; 3]) {
        for r in 0..self.height {
            for c in 0..self.width {
                let same = (r < self.height / 2) == (c < self.width / 2);
                self.pixels[r * self.width + c] = if same { one } else { two };
            }
        }
    }

    fn gradient(&mut self, options: &TextureOptions, face: Option<usize>) {
        for r in 0..self.height {
            for c in 0..self.width {
                let x = (2 * c) as f64 / (self.width as f64 - 1.0) - 1.0;
                let y = 1.0 - (2 * r) as f64 / (self.height as f64 - 1.0);
                let norm = (1.0 + x * x + y * y).sqrt();
                let up = || 1.0 - (1.0 / norm).acos() / FRAC_PI_2;
                let (one, two) = (options.rgb1, options.rgb2);
                self.pixels[r * self.width + c] = match face {
                    None => blend(two, one, 2.0 * (x * x + y * y).sqrt() - 1.0),
                    Some(2) => blend(one, two, up()),
                    Some(3) => blend(one, two, -up()),
                    Some(_) => blend(one, two, (y / norm).asin() / FRAC_PI_2),
                };
            }
        }
    }

    fn draw_mark(&mut self, options: &TextureOptions) {
        let color = bytes(options.markrgb);
        let (w, h) = (self.width, self.height);
        let (columns, rows) = match options.mark {
            Mark::Edge => ([0, w - 1], [0, h - 1]),
            Mark::Cross => ([w / 2; 2], [h / 2; 2]),
            Mark::None | Mark::Random => return,
        };
        for r in 0..h {
            for c in columns {
                self.pixels[r * w + c] = color;
            }
        }
        for r in rows {
            self.pixels[r * w..(r + 1) * w].fill(color);
        }
    }
}

/// Blends two colors by a sigmoid of `x` in (−1, 1).
fn blend(one: [f64; 3], two: [f64; 3], x: f64) -> [u8; 3] {
    let correction = 1.0 / 2.0_f64.sqrt();
    let alpha = 0.5 * (1.0 + x / (1.0 + x * x).sqrt() / correction);
    let alpha = alpha.clamp(0.0, 1.0);
    std::array::from_fn(|k| (255.0 * (alpha * one[k] + (1.0 - alpha) * two[k])) as u8)
}

/// Draws random dots from a fixed seed.
fn draw_random_dots(data: &mut [u8], options: &TextureOptions) {
    let color = bytes(options.markrgb);
    let mut random = MersenneTwister::new(42);
    for pixel in data.as_chunks_mut::<3>().0 {
        if random.uniform() < options.random {
            *pixel = color;
        }
    }
}

/// 64-bit Mersenne MersenneTwister (`std::mt19937_64`), which MuJoCo uses for the dots: T.
/// Nishimura, "Tables of 64-bit Mersenne twisters", ACM TOMACS 10 (2000).
struct MersenneTwister {
    state: [u64; Self::SIZE],
    next: usize,
}

impl MersenneTwister {
    const SIZE: usize = 312;
    const SHIFT: usize = 156;

    fn new(seed: u64) -> Self {
        let mut state = [seed; Self::SIZE];
        for i in 1..Self::SIZE {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005_u64
                .wrapping_mul(last ^ (last >> 62))
                .wrapping_add(i as u64);
        }
        Self { state, next: Self::SIZE }
    }

    fn refill(&mut self) {
        const UPPER: u64 = 0xFFFF_FFFF_8000_0000;
        for i in 0..Self::SIZE {
            let joined = (self.state[i] & UPPER) | (self.state[(i + 1) % Self::SIZE] & !UPPER);
            let twist = if joined & 1 == 1 { 0xB502_6F5A_A966_19E9 } else { 0 };
            self.state[i] = self.state[(i + Self::SHIFT) % Self::SIZE] ^ (joined >> 1) ^ twist;
        }
        self.next = 0;
    }

    fn number(&mut self) -> u64 {
        if self.next == Self::SIZE {
            self.refill();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71D6_7FFF_EDA6_0000;
        x ^= (x << 37) & 0xFFF7_EEE0_0000_0000;
        x ^ (x >> 43)
    }

    /// Uniform random number in [0, 1).
    fn uniform(&mut self) -> f64 {
        (self.number() as f64 / 18_446_744_073_709_551_616.0).min(1.0_f64.next_down())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mersenne_twister_matches_cpp_standard() {
        // The C++ standard gives the 10000th number from the default seed.
        let mut random = MersenneTwister::new(5489);
        let last = (0..10_000).map(|_| random.number()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }
}
