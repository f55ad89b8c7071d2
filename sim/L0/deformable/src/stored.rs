//! Bodies as bytes.
//!
//! Numbers follow each other in little-endian order. Rows are stored in the order they are solved in;
//! coloured again they keep it, so a body that was stored goes on to the same bits.

use crate::body::Body;
use crate::constraint::Batches;
use crate::constraint::Stored;
use crate::constraint::angle::Angle;
use crate::constraint::distance::Distance;
use crate::constraint::solid::Solid;
use crate::constraint::stencil::Stencil;
use crate::constraint::volume::Volume;
use crate::error::DeformableError;
use nalgebra::Vector3;

/// Why bytes are not a body.
fn broken(what: &'static str) -> DeformableError {
    DeformableError::Stored { what }
}

/// Bytes that are read from front to back.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word<const N: usize>(&mut self) -> Result<[u8; N], DeformableError> {
        let (head, tail) = self.0.split_first_chunk().ok_or_else(|| broken("length"))?;
        self.0 = tail;
        Ok(*head)
    }

    /// A finite number.
    fn number(&mut self, what: &'static str) -> Result<f64, DeformableError> {
        let value = f64::from_le_bytes(self.word()?);
        if value.is_finite() { Ok(value) } else { Err(broken(what)) }
    }

    /// How many of something follow, each of so many bytes at least.
    fn count(&mut self, bytes: usize) -> Result<usize, DeformableError> {
        let count = usize::try_from(u64::from_le_bytes(self.word()?)).ok();
        let most = self.0.len() / bytes;
        count.filter(|&count| count <= most).ok_or_else(|| broken("length"))
    }

    fn vectors(&mut self, n: usize) -> Result<Vec<Vector3<f64>>, DeformableError> {
        let mut vector =
            || Ok(Vector3::new(self.number("x")?, self.number("y")?, self.number("z")?));
        (0..n).map(|_| vector()).collect()
    }

    /// Particles of an element: below `count`, and all different.
    fn particles<const N: usize>(&mut self, count: usize) -> Result<[u32; N], DeformableError> {
        let mut at = [0; N];
        for k in 0..N {
            at[k] = u32::from_le_bytes(self.word()?);
            if at[k] as usize >= count || at[..k].contains(&at[k]) {
                return Err(broken("elements"));
            }
        }
        Ok(at)
    }

    fn elements<const N: usize>(&mut self, count: usize) -> Result<Vec<[u32; N]>, DeformableError> {
        let n = self.count(4 * N)?;
        (0..n).map(|_| self.particles(count)).collect()
    }

    fn rows<R: Stored<N, K>, const N: usize, const K: usize>(
        &mut self,
        count: usize,
    ) -> Result<Batches<R>, DeformableError> {
        let n = self.count(4 * N + 8 * K)?;
        let mut row = || {
            let at = self.particles(count)?;
            let mut numbers = [0.0; K];
            for number in &mut numbers {
                *number = self.number("constraints")?;
            }
            R::restored(at, numbers).ok_or_else(|| broken("constraints"))
        };
        let rows: Result<Vec<R>, _> = (0..n).map(|_| row()).collect();
        Ok(Batches::new(rows?, count))
    }
}

fn put(out: &mut Vec<u8>, values: impl IntoIterator<Item = f64>) {
    values.into_iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

fn put_count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&(count as u64).to_le_bytes());
}

fn put_elements<const N: usize>(out: &mut Vec<u8>, elements: &[[u32; N]]) {
    put_count(out, elements.len());
    elements.iter().flatten().for_each(|at| out.extend_from_slice(&at.to_le_bytes()));
}

fn put_rows<R: Stored<N, K>, const N: usize, const K: usize>(
    out: &mut Vec<u8>,
    batches: &Batches<R>,
) {
    put_count(out, batches.rows().len());
    for row in batches.rows() {
        row.particles().iter().for_each(|at| out.extend_from_slice(&at.to_le_bytes()));
        put(out, row.numbers());
    }
}

impl Body {
    /// Appends the body to `out`, to be read by [`Body::from_bytes`].
    pub fn to_bytes(&self, out: &mut Vec<u8>) {
        put_count(out, self.len());
        for list in [&self.position, &self.velocity, &self.rest, &self.target] {
            put(out, list.iter().flatten().copied());
        }
        put(out, self.mass.iter().copied());
        out.extend(self.inv_mass.iter().map(|&w| u8::from(w > 0.0)));
        put(out, [self.damping, self.friction, self.contact_distance, self.radius]);
        put(out, self.sleep_state());
        out.push(u8::from(self.closed));
        put_elements(out, &self.triangles);
        put_elements(out, &self.segments);
        let c = &self.constraints;
        put_rows::<Distance, 2, 2>(out, &c.distances);
        put_rows::<Stencil<3>, 3, 5>(out, &c.bends);
        put_rows::<Stencil<4>, 4, 6>(out, &c.hinges);
        put_rows::<Angle, 4, 2>(out, &c.angles);
        put_rows::<Volume, 4, 2>(out, &c.volumes);
        put_rows::<Solid, 4, 12>(out, &c.solids);
    }

    /// Reads a body that [`Body::to_bytes`] wrote from the front of `bytes`; returns what follows it.
    ///
    /// # Errors
    /// Bytes that are no body.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), DeformableError> {
        let mut reader = Reader(bytes);
        let n = reader.count(4 * 24 + 9)?;
        let [position, velocity, rest, target] =
            [reader.vectors(n)?, reader.vectors(n)?, reader.vectors(n)?, reader.vectors(n)?];
        let masses: Result<Vec<f64>, _> = (0..n).map(|_| reader.number("masses")).collect();
        let mut body = Self::of_particles(position, masses?)?;
        (body.velocity, body.rest, body.target) = (velocity, rest, target);
        for i in 0..n {
            if reader.word::<1>()? == [0] {
                body.inv_mass[i] = 0.0;
            }
        }
        let not_negative = |value: f64| Some(value).filter(|value| *value >= 0.0);
        for slot in
            [&mut body.damping, &mut body.friction, &mut body.contact_distance, &mut body.radius]
        {
            *slot = not_negative(reader.number("material")?).ok_or_else(|| broken("material"))?;
        }
        let mut sleep = [0.0; 5];
        for slot in &mut sleep {
            *slot = reader.number("sleep")?;
        }
        body.set_sleep_state(sleep);
        body.closed = reader.word::<1>()? != [0];
        let triangles = reader.elements(n)?;
        body.set_surface(triangles);
        body.segments = reader.elements(n)?;
        let c = &mut body.constraints;
        c.distances = reader.rows::<Distance, 2, 2>(n)?;
        c.bends = reader.rows::<Stencil<3>, 3, 5>(n)?;
        c.hinges = reader.rows::<Stencil<4>, 4, 6>(n)?;
        c.angles = reader.rows::<Angle, 4, 2>(n)?;
        c.volumes = reader.rows::<Volume, 4, 2>(n)?;
        c.solids = reader.rows::<Solid, 4, 12>(n)?;
        Ok((body, reader.0))
    }
}
